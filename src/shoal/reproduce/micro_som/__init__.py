"""Reproduction of the paper on Micro-SOM."""
