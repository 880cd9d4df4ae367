"""The function ``mend``: releases under changed policies, tried in memory."""
