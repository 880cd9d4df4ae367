"""Methods that change values one by one and promise no k: what they hide is measured, not proved."""
