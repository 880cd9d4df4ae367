"""Groups of at least k records that are near to each other: arrays of one block -> Partition."""
