"""Application of plans to the values, and the gate, which proves the requirements on the written release."""
