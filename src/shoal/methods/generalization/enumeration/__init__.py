"""GenSearch by the partition enumeration tree, as published."""
