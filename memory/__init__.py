"""The memory: keeps the words, finds them again, answers from them. Knows no chat platform."""
