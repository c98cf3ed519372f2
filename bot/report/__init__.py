"""What the bot did in a period, told to everybody: a page with charts, and a short message."""
