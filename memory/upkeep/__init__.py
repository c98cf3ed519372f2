"""Scheduled maintenance of what is remembered."""
