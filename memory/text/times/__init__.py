"""Times in words: what `memory.text.dates` is made of."""
