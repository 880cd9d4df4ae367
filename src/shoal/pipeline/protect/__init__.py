"""From a table and a policy to a proven release: the stages in their order."""
