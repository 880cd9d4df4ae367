"""The only place that sees original and release together: what an intruder can still do, and what was lost."""
