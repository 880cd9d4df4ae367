"""Record linkage: which released record an intruder takes for which person, with and without blocking."""
