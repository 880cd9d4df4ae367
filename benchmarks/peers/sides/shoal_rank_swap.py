"""Rank swapping of Shoal on the CASC Census, p = 10."""

import numpy as np
import pyarrow.csv as pacsv
from side import report, table_file

import shoal

X = np.column_stack(pacsv.read_csv(table_file()).columns).astype(float)


def changes(swapped):
    ranks, others = (np.argsort(np.argsort(Y, axis=0, kind="stable"), axis=0, kind="stable") for Y in (X, swapped))
    return {"mean change of a rank, %": 100 * float(np.abs(ranks - others).mean()) / len(X)}


report(lambda: shoal.rank_swap(X, p=10, seed=0), changes)
