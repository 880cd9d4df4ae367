"""Reproduction of the paper on microaggregation in blocks of a 2^d-tree."""
