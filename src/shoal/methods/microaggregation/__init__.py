"""Microaggregation: groups of at least k similar records. Arrays of one block -> Partition."""
