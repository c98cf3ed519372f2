"""The bot under load while everything around it fails: `python -m bench.chaos`."""
