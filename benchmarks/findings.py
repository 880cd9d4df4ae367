"""All findings of an assessment of 1,000,000 records and 10 columns: CPU seconds and peak memory.

    python benchmarks/findings.py [N_RECORDS]

The synthetic census, released by Mondrian as intervals and by MDAV as means, in the order of the original, so that the
records are paired by their position; linkage is tried for a sample of the persons, and the policy names no analyses.
Every assessment is a process of its own; CPU seconds are user and system time from the call to the result, reading both
files included. The bars: 30 CPU seconds, 2 GB.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq

import shoal
from shoal import datasets

KEYS = {
    "region": "nominal",
    "sex": "nominal",
    "age": "numeric",
    "marital_status": "nominal",
    "education": "nominal",
    "occupation": "nominal",
}
OTHERS = {"hours_per_week": "numeric", "income": "numeric", "health_condition": "nominal"}
CPU_BAR, MEMORY_BAR = 30.0, 2.0
METHODS = {"mondrian": "extents", "mdav": "centroids"}

RUN = """
import json, resource, sys, time
import shoal

assess = shoal.assess  # its modules are imported when it is first named
started_at = time.process_time()
found = assess(*sys.argv[1:4], truth="position")
print(json.dumps({"cpu": time.process_time() - started_at, "findings": len(found.findings),
                  "attacks": len(found.attacks), "unmeasured": [each.name for each in found.not_measured],
                  "bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
"""


def main() -> None:
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    table = datasets.synthetic_census(n).select([*KEYS, *OTHERS, "weight"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pq.write_table(table, folder / "original.parquet")
        for method, released_as in METHODS.items():
            _assess(folder, method, released_as)


def _assess(folder: Path, method: str, released_as: str) -> None:
    policy, released = folder / f"{method}.toml", folder / f"{method}.parquet"
    policy.write_text(_policy(method, released_as), encoding="utf-8")
    shoal.protect(folder / "original.parquet", policy, output=released)
    words = [sys.executable, "-c", RUN, str(folder / "original.parquet"), str(released), str(policy)]
    said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = json.loads(said.splitlines()[-1])
    print(
        f"{method}, {released_as}: {found['findings']} findings, {found['attacks']} attacks, not measured: "
        f"{', '.join(found['unmeasured']) or 'nothing'}; {found['cpu']:.1f} s CPU (bar {CPU_BAR:g}), "
        f"peak memory {found['bytes'] / 1e9:.2f} GB (bar {MEMORY_BAR:g})",
        flush=True,
    )


def _policy(method: str, released_as: str) -> str:
    columns = [f'{name} = {{role = "quasi_identifier", kind = "{kind}"}}' for name, kind in KEYS.items()]
    columns += [f'{name} = {{role = "sensitive", kind = "{kind}"}}' for name, kind in OTHERS.items()]
    return "\n".join(
        [
            "[columns]",
            *columns,
            'weight = {role = "weight", kind = "numeric"}',
            "[[requirements]]",
            'name = "k_anonymity"',
            "k = 5",
            "[method]",
            f'name = "{method}"',
            *(["k = 5"] if method == "mdav" else []),
            "[output]",
            "shuffle = false",
            f'representation = "{released_as}"',
        ]
    )


if __name__ == "__main__":
    main()
