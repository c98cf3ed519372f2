"""The bot in a Slack of its own: a strict Slack, the people of the demo in it, and `helpdesk run` beside it."""
