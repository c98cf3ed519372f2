"""Markdown as models and people write it, read once for every platform."""
