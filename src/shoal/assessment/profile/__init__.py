"""Profile: the disclosure risk of an original, before anything is decided."""
