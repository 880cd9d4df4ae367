"""Gensearch on Adult: cost, bound, seconds and peak memory of the same workload, compared with Mondrian.

    python benchmarks/gensearch.py                          all workloads
    python benchmarks/gensearch.py taxonomies 100           one of them, one k
    python benchmarks/gensearch.py combined                 k = 5 with another requirement

Eight quasi-identifiers; needs SHOAL_DATA. Seconds of wall on all cores, CPU seconds beside them: needs a quiet machine.
    taxonomies   the taxonomies of the set, age cut at 18, 20, 25, ..., 90
    ordered      two parts at a time on every column, values in sorted order, age as above: 101 cuts
    ages         the taxonomies, age cut at all 71 places
Every line is a separate process, so that peak memory is that of one workload.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import shoal
from shoal import datasets

COLUMNS = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
AGES = {"age": [18, *range(20, 91, 5)]}
INCOME = "salary-class"
SECONDS = {"taxonomies": 60, "ordered": 60, "ages": 60, "combined": 60}
SIZES = {"taxonomies": (1000, 500, 100, 50, 10, 5), "ordered": (1000, 500, 100, 50), "ages": (1000, 500, 100)}
OTHER_REQUIREMENTS = {
    "none": [],
    "entropy": [shoal.EntropyLDiversity(1.5, INCOME)],
    "t": [shoal.TCloseness(0.2, INCOME)],
    "epsilon": [shoal.EpsilonPrivacy(10, 1000, 0, INCOME)],
    "length": [shoal.MinimumLength(10, "age")],
}


def schema_of(workload: str) -> shoal.Schema:
    files = {} if workload == "ordered" else datasets.adult_taxonomies()
    columns = [
        shoal.Column(name, role="quasi_identifier", kind="numeric")
        if name == "age"
        else shoal.Column(
            name,
            role="quasi_identifier",
            kind="nominal",
            taxonomy=shoal.Taxonomy.read(files[name]) if name in files else None,
        )
        for name in COLUMNS
    ]
    return shoal.Schema([*columns, shoal.Column(INCOME, role="sensitive", kind="nominal")])


def measure(workload: str, k: int, other: str) -> str:
    requirements = [shoal.KAnonymity(k), *OTHER_REQUIREMENTS[other]]
    records, cuts = datasets.adult(), None if workload == "ages" else AGES
    begun, used = time.monotonic(), time.process_time()
    found = shoal.gensearch(records, schema_of(workload), requirements, cuts=cuts, seconds=SECONDS[workload])
    seconds, used = time.monotonic() - begun, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    half = [at for at in found.history if at.seconds <= SECONDS[workload] / 2][-1]
    state = "proven" if found.is_optimal else f"gap {found.gap:.2%}, halfway {half.cost / half.lower_bound - 1:.2%}"
    return (
        f"{workload:10} k = {k:4} {other:8} Mondrian {found.history[0].cost:12,.0f}  found {found.cost:12,.0f}  "
        f"bound {found.lower_bound:12,.0f}  {state} {seconds:5.1f} s, {used:5.1f} CPU {peak:5.0f} MB  "
        f"{found.n_nodes:,} boxes"
    )


def main() -> None:
    if len(sys.argv) == 4:
        print(measure(sys.argv[1], int(sys.argv[2]), sys.argv[3]), flush=True)
        return
    for workload in sys.argv[1:2] or (*SIZES, "combined"):
        sizes = [int(sys.argv[2])] if len(sys.argv) > 2 else SIZES.get(workload, (5,))
        for k in sizes:
            for other in list(OTHER_REQUIREMENTS)[1:] if workload == "combined" else ("none",):
                subprocess.run([sys.executable, __file__, workload, str(k), other], check=True)


if __name__ == "__main__":
    main()
