"""A population register with categories: CPU seconds, peak memory and information loss of its release.

    python benchmarks/register.py [N_RECORDS]

1,000,000 persons in a CSV, and the policy that `shoal init` proposes for it: MDAV, k = 5, six quasi-identifiers, among
them one of 298 municipalities. The run is a process of its own, so that its peak is its own. The bars: 60 CPU seconds
and 2 GB.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from shoal.policy.propose import propose

N_MUNICIPALITIES = 298
MOST_CPU_SECONDS, MOST_BYTES = 60, 2e9

RUN = """
import json, resource, sys
import shoal

release = shoal.protect(sys.argv[1], sys.argv[2], output=sys.argv[3], key=bytes(32))
made, used = release.manifest, resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "bytes": 1024 * used.ru_maxrss,
                  "loss": release.findings["information loss"].estimate,
                  "k": made.k_reached, "holds": made.proof["holds"], "notes": made.notes}))
"""


def register(n: int, seed: int = 16) -> pa.Table:
    """Persons with a number, six attributes and an income. Municipalities are as unequal as they usually are."""
    chance = np.random.default_rng(seed)

    def drawn(values: list[str], shares: object) -> np.ndarray:
        weights = np.asarray(shares, dtype=float)
        return np.asarray(values, dtype=object)[chance.choice(len(values), n, p=weights / weights.sum())]

    age = np.minimum(chance.gamma(3.2, 13, n).astype(int), 104)
    statuses = ["never married", "married", "widowed", "divorced", "separated"]
    occupations = [*(f"isco {group}" for group in range(10)), "not employed", "retired", "student"]
    municipalities = [f"municipality {number:03d}" for number in range(N_MUNICIPALITIES)]
    return pa.table(
        {
            "person": np.arange(n) + 100_000_000,
            "age": age,
            "sex": drawn(["female", "male"], [51, 49]),
            "marital_status": np.where(age < 18, "never married", drawn(statuses, [38, 44, 7, 9, 2])),
            "education": drawn([f"isced {level}" for level in range(9)], [2, 8, 14, 34, 6, 12, 14, 8, 2]),
            "occupation": drawn(occupations, [1, 6, 14, 12, 7, 12, 3, 8, 5, 7, 6, 18, 9]),
            "municipality": drawn(municipalities, 1 / np.arange(3, N_MUNICIPALITIES + 3) ** 0.8),
            "income": np.round(chance.lognormal(10.2, 0.6, n), -1).astype(int),
        }
    )


def main() -> None:
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        data, policy = Path(folder) / "register.csv", Path(folder) / "policy.toml"
        pacsv.write_csv(register(n), data)
        policy.write_text(propose(data, policy=policy).text)
        words = [sys.executable, "-c", RUN, str(data), str(policy), str(Path(folder) / "release.csv")]
        said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = json.loads(said.splitlines()[-1])
    print(*found["notes"], sep="\n")
    print(f"{n:,} records: {found['cpu']:.1f} s CPU   (bar {MOST_CPU_SECONDS} s for 1,000,000)")
    print(f"peak memory {found['bytes'] / 1e9:.2f} GB   (bar {MOST_BYTES / 1e9:g} GB)")
    print(f"loss {found['loss']:.4f} %, k reached {found['k']}, gate {'passed' if found['holds'] else 'closed'}")


if __name__ == "__main__":
    main()
