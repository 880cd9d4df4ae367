"""Encoding of columns as arrays and back, with one rule for every kind of column and for missing values."""
