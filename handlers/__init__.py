"""One message in, one reply out."""
