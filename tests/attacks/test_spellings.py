"""Nobody's value is told by a class whose values only look different."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import shoal
from attacks import spellings
from attacks.published import Published, publish
from attacks.tables import HOSPITAL, hospital

MANNERS: dict[str, dict[str, Any]] = {
    "centroids": {"method": {"name": "mdav"}},
    "vmdav": {"method": {"name": "vmdav"}},
    "mu_approx": {"method": {"name": "mu_approx"}},
    "extents": {"method": {"name": "mdav"}, "output": {"representation": "extents"}},
    "anatomy": {"method": {"name": "mdav"}, "output": {"representation": "anatomy"}},
    "permute": {"method": {"name": "mdav"}, "output": {"permute": True}},
    "mondrian": {"method": {"name": "mondrian"}},
    "mondrian, anatomy": {"method": {"name": "mondrian"}, "output": {"representation": "anatomy"}},
    "mondrian, permute": {"method": {"name": "mondrian"}, "output": {"permute": True}},
    "gensearch": {"method": {"name": "gensearch"}},
    "micro_som": {"method": {"name": "micro_som"}},
    "microaggregate": {"method": {"name": "microaggregate"}},
    "global_recoding": {"method": {"name": "global_recoding"}},
    "local_suppression": {"method": {"name": "none"}, "local_suppression": {}},
}
COARSE = ("gensearch", "global_recoding", "local_suppression")  # they cut few values, or blank by them
ASKED: dict[str, tuple[dict[str, Any], float]] = {  # what is asked, and the risk that it states
    "distinct": ({"name": "distinct_l_diversity", "l": 2}, 0.0),
    "entropy": ({"name": "entropy_l_diversity", "l": 1.5}, 0.0),
    "recursive": ({"name": "recursive_l_diversity", "c": 2, "l": 2}, 2 / 3),
    "alpha": ({"name": "alpha_k_anonymity", "alpha": 0.7, "k": 3}, 0.7),
}


def stays(n_patients: int, coarse: bool = False) -> pa.Table:
    """Stays whose diagnosis nearly always goes with the district, in the spellings of many clerks."""
    table = hospital(n_patients)
    usual = {district: ("HIV", "asthma", "cancer")[at % 3] for at, district in enumerate(sorted(set(districts(table))))}
    draw = np.random.default_rng(3).random(len(table)) < 0.9
    diagnoses = [
        usual[district] if is_usual else diagnosis
        for district, is_usual, diagnosis in zip(districts(table), draw, table["diagnosis"].to_pylist(), strict=True)
    ]
    table = table.set_column(table.column_names.index("diagnosis"), "diagnosis", pa.array(diagnoses))
    if coarse:
        ages = pa.array([age // 25 * 25 for age in table["age"].to_pylist()])
        table = table.set_column(table.column_names.index("age"), "age", ages)
    return spellings.spelled(table, "diagnosis")


def districts(table: pa.Table) -> list[str]:
    return table["district"].to_pylist()


def policy(manner: str, requirement: dict[str, Any], *, as_written: bool = False) -> dict[str, Any]:
    roles = {name: dict(rule) for name, rule in HOSPITAL.items()}
    for name in ("admitted", "cost"):
        roles[name]["role"] = "other"
    roles["diagnosis"] |= {"as_written": True} if as_written else {}
    asked = [{"name": "k_anonymity", "k": 3}, requirement | {"column": "diagnosis"}]
    return {"columns": roles, "requirements": asked, "suppression": {"limit": 0.5}, **MANNERS[manner]}


def attacked(manner: str, asked: str, folder: Path, *, as_written: bool) -> tuple[Any, float]:
    requirement, risk = ASKED[asked]
    table = stays(600, manner in COARSE)
    published = publish(table, policy(manner, requirement, as_written=as_written), folder)
    return spellings.rate(published, "diagnosis", certain=risk == 0), risk


SELDOM = ("mu_approx", "vmdav", "mondrian, anatomy", "mondrian, permute", "microaggregate")


@pytest.mark.gate(but=("centroids", "extents"))
@pytest.mark.parametrize("manner", [pytest.param(m, marks=[pytest.mark.long] * (m in SELDOM)) for m in MANNERS])
def test_spellings_tell_nobody_s_value(tmp_path: Path, manner: str) -> None:
    weak, risk = attacked(manner, "distinct", tmp_path / "weak", as_written=True)
    assert weak.succeeds(risk)
    made, risk = attacked(manner, "distinct", tmp_path / "made", as_written=False)
    assert made.fails(risk)


OTHER_MANNERS = ("extents", "anatomy", "permute")
# Every requirement with two manners, and every manner with one requirement; the others take long.
ASKED_OF = [
    pytest.param(manner, asked, marks=[pytest.mark.long] * (asked != "entropy" and manner in OTHER_MANNERS))
    for manner in ("centroids", "mondrian", *OTHER_MANNERS)
    for asked in ("entropy", "recursive", "alpha")
]


@pytest.mark.gate(but="anatomy-entropy")
@pytest.mark.parametrize(("manner", "asked"), ASKED_OF)
def test_whatever_is_asked_holds_of_what_is_read(tmp_path: Path, manner: str, asked: str) -> None:
    weak, risk = attacked(manner, asked, tmp_path / "weak", as_written=True)
    assert weak.succeeds(risk)
    made, risk = attacked(manner, asked, tmp_path / "made", as_written=False)
    assert made.fails(risk)


@pytest.mark.gate(but="binary")
@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary(4)], ids=str)
def test_bytes_that_write_the_same_word_are_one_value(kind: pa.DataType) -> None:
    """HIV and hiv as bytes; who gets the file reads them as words."""
    draw = np.random.default_rng(0)
    words = draw.choice(["HIV ", "hiv ", " HIV", "flu ", "Flu "], 900, p=[0.3, 0.2, 0.1, 0.3, 0.1]).tolist()
    table = pa.table({"age": draw.integers(18, 90, 900), "v": pa.array([word.encode() for word in words], kind)})

    def attacked(**spelled: bool) -> Any:
        columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "v": {"role": "sensitive", **spelled}}
        asked = [{"name": "k_anonymity", "k": 3}, {"name": "distinct_l_diversity", "l": 2, "column": "v"}]
        rules = {"columns": columns, "requirements": asked, "suppression": {"limit": 0.5}}
        records = shoal.protect(table, rules, key=bytes(32)).records
        texts = {"age": records["age"].cast(pa.string()), "v": [cell.decode() for cell in records["v"].to_pylist()]}
        return spellings.rate(Published(rules, pa.table(texts), {}), "v", certain=True)

    assert attacked(as_written=True).succeeds(0)
    assert attacked().fails(0)
