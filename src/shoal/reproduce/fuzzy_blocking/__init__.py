"""Reproduction of the paper on fuzzy blocking and the disclosure risk of rank swapping and lossy compression."""
