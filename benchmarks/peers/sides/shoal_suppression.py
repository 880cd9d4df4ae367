"""Local suppression of Shoal on Adult, k = 3: blanked cells are a value of their own, and any value."""

import pyarrow.csv as pacsv
from side import report, table_file

import shoal
from shoal.encode.combination_counts import count_combinations
from shoal.methods.local_suppression.local_suppression import local_suppression

KEYS = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]

counts = count_combinations(pacsv.read_csv(table_file()).select(KEYS), KEYS)
schema = shoal.Schema(shoal.Column(name, "quasi_identifier") for name in KEYS)
report(
    lambda: local_suppression(counts, schema, [shoal.KAnonymity(3)], blanks="wildcard"),
    lambda found: {"blanked cells": float(found.n_cells)},
)
