"""Columns to arrays and back, by one declared rule for every kind and for missing values."""
