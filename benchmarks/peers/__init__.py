"""Shoal beside other tools: the same data on the same machine, each tool in an environment of its own."""
