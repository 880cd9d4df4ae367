"""Policies: what is loaded comes back as it was, all else is refused by naming a key."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tomlkit
from hypothesis import given, note
from hypothesis import strategies as st

from shoal.errors import ShoalError
from shoal.policy import Policy, dump, json_schema, load
from soak.mutations import damaged, disturbed, places
from survey_example import survey_policy

METHODS: list[dict[str, Any]] = [
    {"name": "mdav", "k": 5, "merge": False, "split_households": True},
    {"name": "vmdav", "gamma": "auto", "split": True},
    {"name": "mu_approx"},
    {"name": "micro_som", "refined": True, "grow": 20, "map": {"size": [8, 6], "shape": "toroid", "epochs": [2, 3]}},
    {"name": "microaggregate", "proposals": 1000},
    {"name": "mondrian", "mode": "greedy", "loss": "entropy", "target": "disease", "cuts": {"age": 4}},
    {"name": "gensearch", "loss": "discernibility", "nodes": 1000, "memory": 100, "cuts": {"age": 4}},
    {"name": "global_recoding", "scheme": "levels", "suppression": 0.1, "widths": {"age": [5, 10]}},
    {"name": "none"},
]
REQUIREMENTS: list[dict[str, Any]] = [
    {"name": "k_anonymity", "k": 3, "columns": ["age", "zip"]},
    {"name": "distinct_l_diversity", "l": 2, "column": "disease"},
    {"name": "entropy_l_diversity", "l": 2.5, "column": "disease"},
    {"name": "recursive_l_diversity", "c": 3, "l": 2, "column": "disease"},
    {"name": "alpha_k_anonymity", "alpha": 0.5, "k": 3, "column": "disease"},
    {"name": "t_closeness", "t": 0.2, "column": "disease", "distance": "equal"},
    {"name": "delta_disclosure", "delta": 1.5, "column": "disease"},
    {"name": "beta_likeness", "beta": 2, "column": "disease", "enhanced": True},
    {"name": "epsilon_privacy", "epsilon": 10, "sigma": 100, "b": 2, "column": "disease"},
    {"name": "minimum_length", "width": 5, "column": "age"},
]
PERTURBATIONS: list[dict[str, Any]] = [
    {"name": "rank_swap", "columns": ["age"], "p": 5, "window": "centered"},
    {"name": "noise", "columns": ["age"], "alpha": 0.1, "kind": "correlated", "corrected": True},
    {"name": "mic", "columns": ["age"], "v": 1, "k": 3},
    {"name": "data_swap", "columns": ["zip"], "rate": 0.1, "level": 1},
    {"name": "pram", "columns": ["zip"], "stay": 0.9, "invariant": True},
    {"name": "record_swap", "region": "zip", "keys": ["age"], "similar": ["grade"], "k": 3, "rate": 0.01},
    {"name": "top_bottom_code", "columns": ["age"], "bottom": 20, "top": 80, "put": "mean"},
    {"name": "rounding", "columns": ["age"], "base": 5, "unbiased": True},
    {"name": "imputation", "columns": ["age"], "how": "hot_deck", "by": ["zip"]},
]
SOURCE = {"delimiter": ";", "encoding": "cp1252", "decimal": ",", "missing": ["", "NA"], "date_format": "%d.%m.%Y"}
KEYS = {str(key) for path in places(json_schema()) for key in path}


@st.composite
def policies(draw: st.DrawFn) -> dict[str, Any]:
    """A policy that fits together, but for what names too small a k."""
    policy = survey_policy(requirements=draw(st.lists(st.sampled_from(REQUIREMENTS), max_size=3)))
    parts = {
        "method": st.sampled_from(METHODS),
        "perturbations": st.lists(st.sampled_from(PERTURBATIONS), max_size=2),
        "source": st.just(SOURCE),
        "blocking": st.just({"method": "twod_tree", "limit": 5000, "repair": True}),
        "suppression": st.just({"limit": 0.25}),
        "output": st.just({"shuffle": True, "representation": "extents", "ends": True, "permute": True}),
        "within": st.just(["zip"]),
        "local_suppression": st.just({"importance": {"age": 2.0}, "blanks": "value"}),
        "seed": st.just(7),
    }
    return policy | {key: draw(part) for key, part in parts.items() if draw(st.booleans())}


def loaded(source: Any) -> Policy | None:
    try:
        return load(source)
    except ShoalError as error:
        complaint = str(error)
    words = set(re.split(r"[\s.,:;'\"=()\[\]]+", complaint))
    assert words & (KEYS | {"policy", "toml"}), f"no key is named: {complaint}"
    note(complaint)
    return None


def there_and_back(policy: Policy) -> None:
    again = load(tomlkit.parse(dump(policy)).unwrap())
    assert repr(again.model_dump()) == repr(policy.model_dump())  # which takes NaN for NaN


@given(st.data())
def fuzz(data: st.DataObject) -> None:
    policy = data.draw(policies())
    if data.draw(st.booleans()):
        found = loaded(data.draw(disturbed(policy)))
    else:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "policy.toml"
            path.write_bytes(data.draw(damaged(tomlkit.dumps(policy).encode())))
            found = loaded(path)
    if found is not None:
        there_and_back(found)
