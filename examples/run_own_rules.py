"""Use a requirement and a loss of your own: the policy own_rules.toml names them, own_rules.py defines them."""

from pathlib import Path

import numpy as np
import pyarrow as pa

import shoal

FOLDER = Path(__file__).parent
chance = np.random.default_rng(1)
table = pa.table(
    {
        "age": chance.integers(20, 40, 500),
        "sex": chance.choice(["f", "m"], 500),
        "illness": chance.choice(["flu", "gout", "none"], 500),
    }
)

release = shoal.protect(table, FOLDER / "own_rules.toml", rules=FOLDER / "own_rules.py", key=bytes(32))
print(release)
print("largest class:", release.table.group_by(["age", "sex"]).aggregate([([], "count_all")])["count_all"].to_pylist())
