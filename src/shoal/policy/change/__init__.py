"""Small changes of a policy: what is edited in its text, and which changes could remove a disclosure risk."""
