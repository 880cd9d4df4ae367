"""SUDA2 of Shoal on Adult: special uniques of up to three of eight columns."""

import numpy as np
import pyarrow.csv as pacsv
from side import report, table_file

import shoal

table = pacsv.read_csv(table_file()).drop_columns("salary-class")
codes = np.column_stack([column.combine_chunks().dictionary_encode().indices for column in table.columns])
report(
    lambda: shoal.suda(codes, max_size=3),
    lambda found: {"records at risk": float((found.scores > 0).sum()), "sum of scores": float(found.scores.sum())},
)
