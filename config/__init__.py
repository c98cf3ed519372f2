"""What an admin may set."""
