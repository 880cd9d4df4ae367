"""Slow, obvious twins of the kernels: what they must compute, in plain Python."""
