"""Slack as a chat platform."""
