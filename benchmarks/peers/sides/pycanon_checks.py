"""k, l and t of a table by pycanon, reading included. The last column is sensitive."""

import pandas as pd
from pycanon import anonymity
from side import report, table_file


def check():
    table = pd.read_csv(table_file())
    *keys, sensitive = table.columns
    return {
        "k": float(anonymity.k_anonymity(table, keys)),
        "l": float(anonymity.l_diversity(table, keys, [sensitive])),
        "t": float(anonymity.t_closeness(table, keys, [sensitive])),
    }


report(check, dict)
