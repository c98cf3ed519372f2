"""Language work as pure functions: folding, terms, entities, dates, quotes."""
