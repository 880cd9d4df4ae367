"""Generalization by cuts of the space of quasi-identifiers: a table of counts -> CutTree."""
