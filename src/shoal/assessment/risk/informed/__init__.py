"""Linkage by an intruder who knows the method and its parameters, both of which are published."""
