"""Reproduction of the paper on GenSearch."""
