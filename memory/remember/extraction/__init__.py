"""From what people say to facts."""
