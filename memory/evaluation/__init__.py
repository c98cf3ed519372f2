"""How well the memory recalls and answers, measured."""
