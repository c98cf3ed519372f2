"""Readers of ticket histories: each yields turns or names the row that is wrong."""
