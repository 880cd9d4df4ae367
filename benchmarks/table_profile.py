"""`shoal profile` of 1,000,000 records and 12 columns: CPU seconds and peak memory.

    python benchmarks/table_profile.py [N_RECORDS]

The synthetic census with its households and weights, as CSV and as Parquet, with a policy and with guessed roles. Every
profile is a process of its own; CPU seconds are user and system time, without the start of Python and the import of the
package. The bar: 10 CPU seconds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from shoal import datasets

KEYS = ["region", "sex", "age", "marital_status", "education", "occupation"]
COLUMNS = ["person_id", "household_id", *KEYS, "hours_per_week", "income", "health_condition", "weight"]
BAR = 10.0

RUN = """
import json, resource, sys, time
import shoal

policy = json.loads(sys.argv[2])
profile = shoal.profile  # its modules are imported when it is first named
started_at = time.process_time()
found = profile(sys.argv[1], policy)
print(json.dumps({"cpu": time.process_time() - started_at, "keys": len(found.roles.keys),
                  "bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
"""

POLICY = {
    "columns": {
        "person_id": {"role": "identifier"},
        "household_id": {"role": "household"},
        **{key: {"role": "quasi_identifier"} for key in KEYS},
        "hours_per_week": {"role": "other"},
        "income": {"role": "sensitive"},
        "health_condition": {"role": "sensitive"},
        "weight": {"role": "weight"},
    }
}


def main() -> None:
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    table = datasets.synthetic_census(n).select(COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "census.csv", Path(folder) / "census.parquet"
        pacsv.write_csv(table, files[0])
        pq.write_table(table, files[1])
        for path in files:
            for about, policy in (("with a policy", POLICY), ("roles guessed", None)):
                words = [sys.executable, "-c", RUN, str(path), json.dumps(policy)]
                said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
                found = json.loads(said.splitlines()[-1])
                print(
                    f"{n:,} x {len(COLUMNS)}, {path.suffix[1:]}, {about}, {found['keys']} keys: "
                    f"{found['cpu']:.1f} s CPU (bar {BAR:g} s for 1,000,000), peak memory {found['bytes'] / 1e9:.2f} GB"
                )


if __name__ == "__main__":
    main()
