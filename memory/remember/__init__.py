"""The write path: from turns to episodes, notes and keys."""
