"""What one can do in Slack besides writing."""
