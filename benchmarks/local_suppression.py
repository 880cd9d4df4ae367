"""Local suppression: CPU seconds and blanked cells of the same workload, beside two simple ways to do it.

    python benchmarks/local_suppression.py           all workloads
    python benchmarks/local_suppression.py adult     one of them: adult, 1e4, 1e6

Seven quasi-identifiers: of the Adult set, which needs SHOAL_DATA, or of the synthetic census. "whole records" blanks
all cells of a record in a class of fewer than k. "rarest value" blanks the rarest value of every such record, counts
again, and goes on until there is none.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import pyarrow as pa

import shoal
from shoal import datasets
from shoal.encode.count_table import CountTable
from shoal.encode.packed_combinations import PackedCombinations, number_keys
from shoal.methods.local_suppression.local_suppression import local_suppression

ADULT = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
CENSUS = ["region", "municipality", "sex", "age", "marital_status", "education", "occupation"]


def records_of(workload: str) -> pa.Table:
    if workload == "adult":
        return datasets.adult().select(ADULT)
    return datasets.synthetic_census(int(float(workload)), seed=0).select(CENSUS)


def whole_records(counts: CountTable, k: int) -> int:
    return int(counts.n[counts.n < k].sum()) * len(counts.names)


def rarest_value(counts: CountTable, k: int) -> int:
    names, n = counts.names, counts.n
    packed = PackedCombinations.of(counts.combinations, names)
    columns = [number_keys(packed.keys & field) for field in packed.fields]
    often = np.column_stack([np.bincount(column, weights=n)[column] for column in columns])  # (n_rows, n_columns)
    keys, n_cells = packed.keys.copy(), 0
    while True:
        classes = number_keys(keys)
        small = (np.bincount(classes, weights=n)[classes] < k) & (keys != 0).any(axis=1)
        if not small.any():
            return n_cells
        known = np.column_stack([(keys & field).any(axis=1) for field in packed.fields])
        rarest = np.where(known, often, np.inf).argmin(axis=1)
        keys[small] &= ~packed.fields[rarest[small]]
        n_cells += int(n[small].sum())


def suppressed(counts: CountTable, k: int, rule: str) -> int:
    schema = shoal.Schema(shoal.Column(name, "quasi_identifier") for name in counts.names)
    return local_suppression(counts, schema, [shoal.KAnonymity(k)], blanks=rule).n_cells


WAYS: dict[str, Callable[[pa.Table, int], int]] = {
    "whole records": whole_records,
    "rarest value": rarest_value,
    "local suppression": lambda counts, k: suppressed(counts, k, "value"),
    "with wildcards": lambda counts, k: suppressed(counts, k, "wildcard"),
}


def main() -> None:
    for workload in sys.argv[1:] or ("1e4", "adult", "1e6"):
        records = records_of(workload)
        counts = CountTable.of(records.group_by(records.column_names).aggregate([([], "count_all")]))
        for k in (3, 5, 10):
            for way, blank in WAYS.items():
                start = time.process_time()
                n_cells = blank(counts, k)
                seconds = time.process_time() - start
                share = n_cells / (len(records) * records.num_columns)
                print(f"{workload:6} k = {k:2}  {way:18} {n_cells:9,} cells {share:6.1%} {seconds:6.2f} s", flush=True)


if __name__ == "__main__":
    main()
