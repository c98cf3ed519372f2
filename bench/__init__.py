"""Measurements that are run by hand: quality on public data, speed and size."""
