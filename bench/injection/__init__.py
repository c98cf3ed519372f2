"""Attacks in words, from being planted to what came of them."""
