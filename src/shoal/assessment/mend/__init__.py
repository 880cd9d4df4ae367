"""Why records of a release are at risk, and what changes of its policy cost."""
