"""What one can do in Teams besides writing."""
