"""What is said to models and how their replies are read."""
