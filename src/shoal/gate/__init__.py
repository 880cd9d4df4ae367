"""The gate: proves on the written release that every requirement holds. Shares no code with what made the release."""
