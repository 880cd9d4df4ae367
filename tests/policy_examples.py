"""Policies as dictionaries: one with every key that can stand beside the others, and any without files."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from method_examples import METHODS
from perturbation_examples import PERTURBATIONS
from requirement_examples import REQUIREMENTS

FULL: dict[str, Any] = {
    "seed": 7,
    "scenario": "internal",
    "source": {
        "format": "csv",
        "thousands": ".",
        "trim": True,
        "delimiter": ";",
        "quote": '"',
        "encoding": "cp1252",
        "decimal": ",",
        "header": False,
        "names": ["age", "sex"],
        "missing": ["", "NA"],
        "date_format": "%d.%m.%Y",
        "sheet": "people",
        "apostrophes": True,
    },
    "requirements": [example.written for example in REQUIREMENTS.values()],
    "method": METHODS["vmdav"].written,
    "blocking": {
        "method": "twod_tree",
        "limit": 5000,
        "dimensions": ["age"],
        "fuse": "supervised",
        "whole": True,
        "map": {},
        "repair": True,
        "passes": 2,
    },
    "suppression": {"limit": 0.25},
    "warn": {"unique": 0.1, "dependent": 0.15, "homogeneous": 0.2, "determined": 0.3},
    "limits": {"linked_persons": 0.1, "prosecutor_risk": 0.2, "attribute_disclosure": 0.3, "suppressed": 0.4},
    "output": {
        "spreadsheet_safe": True,
        "shuffle": True,
        "representation": "extents",
        "ends": True,
        "permute": True,
        "weights": "rounded",
        "household": "linked",
        "totals_by": ["town"],
    },
    "within": ["town"],
    "analyses": [{"name": "pay", "formula": "pay ~ age + grade"}, {"target": "disease", "features": ["age", "grade"]}],
    "linkage": {
        "blocking": [
            {"method": "fuzzy", "quantifier": ["power 1.2"], "n_blocks": 5},
            {"method": "sorted", "keys": ["age"], "window": 0.05},
            {"method": "standard", "decimals": 2},
        ]
    },
    "local_suppression": {"importance": {"age": 2.0}, "blanks": "value"},
    "perturbations": [entry for example in PERTURBATIONS.values() for entry in example.written],
    "columns": {
        "person": {"role": "identifier", "pseudonym": "secret.key"},
        "home": {"role": "household", "members": ["born", "age"]},
        "persons": {"role": "weight", "kind": "numeric"},
        "age": {
            "role": "quasi_identifier",
            "kind": "numeric",
            "decimals": 1,
            "grid": 5.0,
            "taxonomy": {"intervals": [5, 10]},
            "weight": 2.5,
        },
        "zip": {"role": "quasi_identifier", "kind": "nominal", "taxonomy": {"prefixes": [3, 1]}},
        "job": {"role": "quasi_identifier", "taxonomy": "jobs.csv"},
        "town": {"role": "quasi_identifier", "taxonomy": {"file": "towns.csv"}},
        "born": {"role": "quasi_identifier", "kind": "date", "taxonomy": {"date_parts": ["month", "year"]}},
        "grade": {"role": "quasi_identifier", "kind": "ordinal", "order": ["low", "high"]},
        "disease": {"role": "sensitive", "as_written": True},
        "pay": {"role": "sensitive", "kind": "numeric"},
        'a.b "c" d': {"role": "other"},
        "admitted": {"role": "other", "kind": "date", "recode": {"date_part": "month"}, "reason": "the board"},
        "area": {"role": "other", "recode": {"prefix": 2}},
        "district": {"role": "other", "taxonomy": {"prefixes": [3, 1]}, "recode": {"level": 1}},
        "length": {"role": "other", "kind": "numeric", "recode": {"width": 5.0}},
        "bed": {"role": "other", "kind": "numeric", "recode": {"intervals": [1.0, 3.0]}},
        "rent": {"role": "other", "kind": "numeric", "recode": {"top": 900.0, "bottom": 100.0}},
        "country": {"role": "other", "recode": {"merge": {"country": ["here", "there"]}}},
    },
}
OTHER_METHODS = [example.written for name, example in METHODS.items() if name != "vmdav"]
KINDS = st.sampled_from(["numeric", "ordinal", "nominal", "date"])


@st.composite
def policies(draw: st.DrawFn) -> dict[str, Any]:
    """Any policy without files, as a dictionary."""
    names = draw(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5, unique=True))
    columns = {}
    for name in names:
        role = draw(st.sampled_from(["identifier", "quasi_identifier", "sensitive", "weight", "household", "other"]))
        if role in ("weight", "household") and any(column["role"] == role for column in columns.values()):
            role = "other"  # only one can be
        columns[name] = {"role": role, "kind": draw(KINDS)}
        if columns[name]["kind"] == "ordinal" and draw(st.booleans()):
            columns[name]["order"] = draw(st.lists(st.text(max_size=5), min_size=1, max_size=4, unique=True))
        if (role, columns[name]["kind"]) == ("quasi_identifier", "numeric") and draw(st.booleans()):
            columns[name]["decimals"] = draw(st.integers(-3, 6))
    requirements = [{"name": "k_anonymity", "k": draw(st.integers(2, 9))} for _ in range(draw(st.integers(0, 2)))]
    sensitive = [name for name in names if columns[name]["role"] == "sensitive"]
    if sensitive:
        requirements.append({"name": "distinct_l_diversity", "l": draw(st.integers(2, 9)), "column": sensitive[0]})
    policy = {"columns": columns, "requirements": requirements, "seed": draw(st.integers(0, 2**40))}
    if draw(st.booleans()):
        policy["suppression"] = {"limit": draw(st.floats(0, 1))}
    if draw(st.booleans()):
        policy["method"] = {"name": "mdav", "k": draw(st.integers(9, 20))}
    return policy
