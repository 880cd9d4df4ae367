"""What an intruder could still do with the release."""
