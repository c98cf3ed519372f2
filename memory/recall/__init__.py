"""The read path: from a question to a cited answer."""
