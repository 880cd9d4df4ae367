"""Methods that tell less of a value: wider intervals, coarser nodes, blanks."""
