"""Mondrian of anonypy on Adult."""

import anonypy
import pandas as pd
from side import report, table_file

K = 100

table = pd.read_csv(table_file())
names = [name for name in table.columns if name != "salary-class"]
for name in names:
    if name != "age":
        table[name] = table[name].astype("category")


def discernibility(rows):
    classes = pd.DataFrame(rows).astype(dict.fromkeys(names, str))  # sets of values are lists
    sizes = classes.groupby(names)["count"].sum().astype(float)
    return {"discernibility": float((sizes**2).sum()), "smallest class": float(sizes.min())}


report(lambda: anonypy.Preserver(table, names, "salary-class").anonymize_k_anonymity(k=K), discernibility)
