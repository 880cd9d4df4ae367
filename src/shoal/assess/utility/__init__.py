"""What the release still tells, and what it lost."""
