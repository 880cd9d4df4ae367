"""Reproduction of the paper on V-MDAV."""
