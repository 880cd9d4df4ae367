"""Disclosure risk: what an intruder could still learn from the release."""
