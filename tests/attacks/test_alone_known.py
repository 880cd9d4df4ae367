"""The one person of a class whose income is known: a mean of several records of theirs would be the income itself."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from attacks.rates import Rate

QUASI = {"role": "quasi_identifier"}
NUMBER = {**QUASI, "kind": "numeric"}
NEVER = 0.0
OTHERS = [f"q{at}" for at in range(8)]


@dataclass(frozen=True)
class Stays:
    """Of persons who were there up to six times; of half of them the income is known."""

    table: pa.Table
    whose: np.ndarray  # by the number of the record
    income: np.ndarray
    is_known: np.ndarray

    @classmethod
    def drawn(cls, n_persons: int = 6000) -> "Stays":
        draw = np.random.default_rng(0)
        whose = np.repeat(np.arange(n_persons), draw.choice(6, n_persons, p=[0.45, 0.2, 0.12, 0.1, 0.08, 0.05]) + 1)
        income, is_known = draw.lognormal(10, 0.6, n_persons).astype(int), draw.random(n_persons) > 0.5
        columns = {
            "person": [f"U{at}" for at in whose],
            "income": pa.array(income[whose], mask=~is_known[whose]),
            "district": draw.choice(list("NSEW"), n_persons)[whose],
            **{name: draw.integers(0, 100, n_persons)[whose] for name in OTHERS},
            "record": draw.permutation(len(whose)),
        }
        return cls(pa.table(columns), whose[np.argsort(columns["record"])], income, is_known)

    def told(self, method: str, engine: str, folder: Path) -> Rate:
        """Of the classes that tell an income: in how many it is that of the only one who is known."""
        columns = {"person": {"role": "unit"}, "income": NUMBER, "district": QUASI, **dict.fromkeys(OTHERS, NUMBER)}
        policy = {
            "columns": columns | {"record": {"role": "other", "kind": "numeric"}},
            "requirements": [{"name": "k_anonymity", "k": 3}],
            "method": {"name": method},
            "suppression": {"limit": 0.2},
            "output": {"representation": "centroids"},
        }
        pq.write_table(self.table, folder / "in.parquet")
        shoal.protect(folder / "in.parquet", policy, engine=engine, output=folder / "out.parquet")
        released = pq.read_table(folder / "out.parquet")
        classes = defaultdict(set)
        for row in released.to_pylist():
            classes[tuple(row[name] for name in ("income", "district", *OTHERS))].add(self.whose[row["record"]])
        told = [(key[0], [one for one in who if self.is_known[one]]) for key, who in classes.items() if key[0]]
        return Rate(sum(len(who) == 1 and self.income[who[0]] == income for income, who in told), len(told))


@pytest.fixture(scope="module")
def stays() -> Stays:
    return Stays.drawn()


@pytest.mark.gate(but="mondrian-memory")
@pytest.mark.parametrize(
    ("method", "engine"),
    [
        ("mdav", "memory"),
        pytest.param("vmdav", "memory", marks=pytest.mark.long),
        ("mondrian", "memory"),
        ("mdav", "duckdb"),
    ],
)
def test_no_mean_is_of_one_person(stays: Stays, method: str, engine: str, tmp_path: Path) -> None:
    rate = stays.told(method, engine, tmp_path)
    assert rate.n_right == 0
    assert rate.fails(NEVER)
