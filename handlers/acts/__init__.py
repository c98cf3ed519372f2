"""What one can do besides writing, the same on every platform."""
