"""The analyses that a steward names: fitted on original and release, and scored on held-out original records."""
