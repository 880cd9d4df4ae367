"""The only place where values change, and the gate that proves what was written."""
