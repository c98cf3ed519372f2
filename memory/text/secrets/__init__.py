"""Secrets in a text: what `memory.text.redact` is made of."""
