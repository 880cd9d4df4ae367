"""A name is evidence only where the values agree: 200 tables with names that mislead, and the doubts that are asked."""

import csv
import io
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.schema.suggest import suggest
from without_linkage import without_linkage

__all__ = ["without_linkage"]

N = 240
ALONE = ["id", "ID", "case", "Fall", "household", "Haushalt", "hogar", "firm", "Unternehmen", "entreprise", "utility",
         "person", "hospital", "school", "doctor"]  # fmt: skip
NUMBERS = ["case_id", "patient_id", "firm_no", "hhid", "Kundennr", "household number", "Betriebsnummer", "CaseNo"]
OTHERS = [
    "unit", "UNIT", "unit_id", "date", "Datum", "fecha", "birth_date", "name", "Nachname", "nom", "apellido", "email",
    "weight", "WGT", "Gewichtung", "pondération", "sampling_weight", "phone", "matricule", "account number",
]  # fmt: skip
YES_NO = ([0, 1], [1, 2], [True, False], ["yes", "no"], ["0", "1"], [0.0, 1.0])


def misleading(seed):
    """A table of columns whose names claim what two, one or few values cannot be; and the role of these values."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 11) if seed % 5 == 4 else rng.integers(60, N))  # at times fewer records than k
    illnesses = ["flu", "cold", "none"] if seed % 6 else ["flu"]
    columns = {"age": rng.integers(18, 90, n).tolist(), "diagnosis": (illnesses * n)[:n]}
    roles = {}
    for at, name in enumerate(rng.choice(ALONE + NUMBERS + OTHERS, 5, replace=False).tolist()):
        values = list(YES_NO[(seed + at) % len(YES_NO)])
        if at == 1 and name in ALONE and n > 11:
            values = list(range(3 + seed % 4))
        share = rng.dirichlet([0.5 + at] * len(values))  # skewed, some nearly constant
        cells = [values[i] for i in (*range(len(values)), *rng.choice(len(values), n - len(values), p=share))]
        cells = sorted(cells) if seed % 2 else cells
        if at == 3:
            cells = [values[0]] * n
        elif at == 4:
            cells[:: 7 + seed % 5] = [None] * len(cells[:: 7 + seed % 5])
        if name.casefold() not in map(str.casefold, columns):
            columns[name], roles[name] = cells, "other" if at == 3 else "quasi_identifier"
    return columns, roles


def as_csv(columns, path):
    text = io.StringIO()
    csv.writer(text).writerows([columns, *zip(*columns.values(), strict=True)])
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def smallest_class(release, found):
    """Records of the smallest class on the released quasi-identifiers, counted by equality of what is written."""
    names = [each.name for each in found.suggestions if each.role == "quasi_identifier"]
    return min(Counter(zip(*(map(str, release.table[name].to_pylist()) for name in names), strict=True)).values())


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 200), marks=pytest.mark.gate)], ids=["12", "200"])
def test_no_name_gives_a_role_against_the_values_and_nothing_promised_is_lowered(tmp_path, seeds):
    """As it is proposed, the policy leads to classes of at least k records, or to an error about what was asked."""
    for seed in seeds:
        columns, roles = misleading(seed)
        table = as_csv(columns, tmp_path / f"{seed}.csv") if seed % 4 == 0 else pa.table(columns)
        scenario, k, ls = ("public-use", 12, [2]) if seed % 3 == 0 else (None, 5, [])
        found = shoal.propose(table, scenario=scenario)
        assert {each.name: each.role for each in found.suggestions if each.name in roles} == roles, seed
        assert (found.k, [each.l for each in found.requirements[1:]]) == (k, ls), seed
        asked = [question for question in found.questions if "so protect refuses" in question]
        unmet = ["k"] * (len(columns["age"]) < k) + ["l"] * (ls != [] and len(set(columns["diagnosis"])) < 2)
        assert [each[0] for each in asked] == unmet, seed
        assert all(f"please decide: {each}" in found.text.replace("\n# ", " ") for each in asked), seed
        if unmet:
            with pytest.raises(shoal.ShoalError, match=rf"{unmet[0]} = \d+ (needs|cannot be met)"):
                shoal.protect(table, found, key=bytes(32))
        else:
            assert smallest_class(shoal.protect(table, found, key=bytes(32)), found) >= k, seed


@pytest.mark.parametrize(("name", "n"), [("case", 248), ("utility", 209)], ids=["case", "utility"])
def test_a_case_or_control_is_no_unit(name, n):
    """As of the women of infert in R, and of firms of which some are utilities."""
    table = {"age": [20 + i % 25 for i in range(n)], name: [int(i < n // 3) for i in range(n)]}
    found = shoal.propose(table)
    assert [each.role for each in found.suggestions] == ["quasi_identifier"] * 2
    assert (found.k, found.questions) == (5, ())
    assert shoal.protect(table, found, key=bytes(32)).manifest.k_reached >= 5


MANY = [1000 + i // 3 for i in range(N)]
FEW = [i % 8 for i in range(N)]


@pytest.mark.parametrize(
    ("name", "values", "role", "doubt"),
    [
        ("patient_id", MANY, "unit", ""),
        ("patient_id", [None, *map(float, MANY[1:])], "unit", ""),  # as pandas reads whole numbers with a gap
        ("patient_id", FEW, "unit", "so that k counts its values, but 8 different values are few for 240 records"),
        ("hhid", [i // 121 * i for i in range(N)], "household", "120 different values are few for 240 records"),
        ("household", FEW, "quasi_identifier", "it may number somebody, but 8 different values are few for"),
        ("case", [i / 7 for i in range(N)], "quasi_identifier", ""),
        ("id", [1000 + 7 * i for i in range(N)], "identifier", "may also be what the table is sorted by"),
        ("id", [1000 + i for i in range(N)], "identifier", ""),  # without a gap: they number the records
        ("id", [1000 + 7 * i * i % 9973 for i in range(N)], "identifier", ""),
        ("hospital_id", FEW, "quasi_identifier", "it may number somebody"),
        ("hospital_id", [i % 13 for i in range(N)], "identifier", "13 different values are few for 240 records"),
        ("name", [f"person {i}" for i in range(N)], "identifier", ""),
        ("name", [f"person {i}" for i in FEW], "identifier", "so it is dropped, but 8 different values are few"),
        ("name", MANY, "identifier", "so it is dropped, but its values are numbers"),
        ("passport", ["C01X", "C02Y", *[None] * N], "identifier", ""),  # known of two, who are told apart
        ("name", [i / 7 for i in range(N)], "quasi_identifier", ""),
        ("weight", [0.5 + i for i in range(N)], "weight", "but it may also be what somebody weighs"),
        ("Gewicht", [0.5 + i for i in range(N)], "quasi_identifier", "it may weigh the records of a sample"),
        ("poids", [0.5 + i for i in range(N)], "quasi_identifier", "it may weigh the records of a sample"),
        ("peso", [0.5 + i for i in range(N)], "quasi_identifier", "it may weigh the records of a sample"),
        ("peso", ["light", "heavy"] * (N // 2), "quasi_identifier", ""),
        ("design_weight", [0.5 + i for i in range(N)], "weight", ""),
        ("design_weight", [0.5 * i for i in range(N)], "quasi_identifier", "but 1 weights are missing or zero"),
        ("design_weight", [i - 0.5 for i in range(N)], "quasi_identifier", ""),
        ("therapy", [f"talked about {i}" for i in range(N)], "identifier", ""),
        ("date", [f"on a day, {i}" for i in range(N)], "identifier", ""),
        ("year", [1900 + i % 90 for i in range(N)], "quasi_identifier", ""),
    ],
)  # fmt: skip
def test_what_the_values_leave_open_is_asked(name, values, role, doubt):
    (found,) = suggest(pa.table({name: values}))
    assert (found.role, len(found.questions)) == (role, bool(doubt))
    assert doubt in " ".join(found.questions)
