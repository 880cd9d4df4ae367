"""Greedy Mondrian of Shoal on Adult: along the taxonomies of a folder, or nominal values in sorted order."""

import sys
from pathlib import Path

import pyarrow.csv as pacsv
from side import report, table_file

import shoal
from shoal.encode.combination_counts import count_combinations
from shoal.losses import measure

K = 100

table = pacsv.read_csv(table_file()).drop_columns("salary-class")
folder = Path(sys.argv[2]) if len(sys.argv) > 2 else None


def column(name):
    if name == "age":
        return shoal.Column(name, "quasi_identifier", "numeric")
    taxonomy = shoal.Taxonomy.read(folder / f"hierarchy_{name}.csv") if folder else None
    return shoal.Column(name, "quasi_identifier", "nominal", taxonomy)


schema = shoal.Schema(map(column, table.column_names))


def discernibility(tree):
    sizes = measure(tree, count_combinations(table, table.column_names)).totals.astype(float)
    return {"discernibility": float((sizes**2).sum()), "smallest class": float(sizes[sizes > 0].min())}


report(lambda: shoal.mondrian(table, schema, [shoal.KAnonymity(K)], mode="greedy"), discernibility)
