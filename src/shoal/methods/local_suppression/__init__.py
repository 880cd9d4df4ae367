"""Local suppression: the fewest, least important cells are blanked until requirements hold."""
