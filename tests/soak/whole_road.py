"""The whole road: any small table and any policy, by both engines.

Either both make the same release, byte by byte, and it holds what was asked by a count of its own; or both complain
alike.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given, note
from hypothesis import strategies as st

import shoal
from road import as_parquet, carrier, write_csv, write_policy
from shoal.errors import ShoalError
from shoal.policy import load
from shoal.run.road import protect_by
from shoal.run.targets import Targets

ORDER = ["low", "middle", "high"]
KINDS = ["whole", "real", "word", "code", "grade", "day"]
METHODS: list[dict[str, Any]] = [
    {"name": "mdav"},
    {"name": "mdav", "merge": False},
    {"name": "vmdav", "gamma": 1.1},
    {"name": "vmdav", "gamma": "auto", "split": True},
    {"name": "mu_approx"},
    {"name": "micro_som", "map": {"size": [4, 3], "shape": "toroid"}},
    {"name": "micro_som", "refined": True, "grow": 20},
    {"name": "microaggregate"},
    {"name": "microaggregate", "proposals": 2000},
    {"name": "mondrian"},
    {"name": "mondrian", "mode": "relaxed"},
    {"name": "mondrian", "mode": "greedy", "loss": "certainty"},
    {"name": "gensearch", "nodes": 500},
    {"name": "gensearch", "nodes": 200, "loss": "volume", "empty_blocks": False},
    {"name": "global_recoding"},
    {"name": "global_recoding", "scheme": "cuts", "suppression": 0.2},
    {"name": "none"},
]


@dataclass(frozen=True)
class Case:
    table: pa.Table
    policy: dict[str, Any]


def cells(kind: str, n: int, chance: np.random.Generator) -> pa.Array[Any]:
    """With ties, gaps, and now and then the same value throughout."""
    few = int(chance.choice([1, 2, 5, 100]))
    numbers = chance.integers(0, few, n)
    values: list[Any] = {
        "whole": lambda: numbers.tolist(),
        "real": lambda: (numbers * float(chance.choice([0.1, 1e-9, 1e9])) - 3).tolist(),
        "word": lambda: [f"w{number}" for number in numbers],
        "code": lambda: [f"{number:05}" for number in numbers],
        "grade": lambda: [ORDER[number % 3] for number in numbers],
        "day": lambda: [date(2000, 1, 1) + timedelta(days=int(number) * 40) for number in numbers],
    }[kind]()
    gaps = chance.random(n) < chance.choice([0, 0, 0.1, 0.5, 1], p=[0.4, 0.2, 0.2, 0.15, 0.05])
    types = {"whole": pa.int64(), "real": pa.float64(), "day": pa.date32()}
    known = [None if gap else value for gap, value in zip(gaps, values, strict=True)]
    return pa.array(known, types.get(kind, pa.string()))


def rule(kind: str, taxonomy: bool) -> dict[str, Any]:
    """How a policy names the kind; with a taxonomy where there is a rule for one."""
    found: dict[str, Any] = {
        "whole": {"kind": "numeric"},
        "real": {"kind": "numeric"},
        "word": {"kind": "nominal"},
        "code": {"kind": "nominal"},
        "grade": {"kind": "ordinal", "order": ORDER},
        "day": {"kind": "date"},
    }[kind]
    trees = {"code": {"prefixes": [3, 1]}, "whole": {"intervals": [5, 10]}, "day": {"date_parts": ["month", "year"]}}
    return {**found, "taxonomy": trees[kind]} if taxonomy and kind in trees else found


@st.composite
def asked(draw: st.DrawFn, keys: list[str], sensitive: list[str], lines: list[str]) -> list[dict[str, Any]]:
    k = {"name": "k_anonymity", "k": draw(st.integers(2, 6))}
    more: list[dict[str, Any]] = [{"name": "minimum_length", "width": 2, "column": name} for name in lines]
    for name in sensitive:
        more += [
            {"name": "distinct_l_diversity", "l": 2, "column": name},
            {"name": "entropy_l_diversity", "l": 1.5, "column": name},
            {"name": "recursive_l_diversity", "c": 3, "l": 2, "column": name},
            {"name": "alpha_k_anonymity", "alpha": 0.7, "k": 3, "column": name},
            {"name": "t_closeness", "t": 0.4, "column": name},
            {"name": "delta_disclosure", "delta": 2.5, "column": name},
            {"name": "beta_likeness", "beta": 2, "column": name},
            {"name": "epsilon_privacy", "epsilon": 3, "sigma": 20, "b": 2, "column": name},
        ]
    wanted = [k] * draw(st.integers(0, 3) | st.just(1)) + draw(
        st.lists(st.sampled_from(more), max_size=2) if more else st.just([])
    )
    if len(keys) > 1 and draw(st.integers(0, 5)) == 0:
        wanted = [
            {**each, "columns": draw(st.lists(st.sampled_from(keys), min_size=1, unique=True))} for each in wanted
        ]
    return wanted


@st.composite
def perturbations(draw: st.DrawFn, kinds: dict[str, str]) -> list[dict[str, Any]]:
    numbers = [name for name, kind in kinds.items() if kind in ("whole", "real")]
    words = [name for name, kind in kinds.items() if kind in ("word", "code")]
    possible: list[dict[str, Any]] = [{"name": "imputation", "columns": [name], "how": "hot_deck"} for name in kinds]
    for name in numbers:
        possible += [
            {"name": "rank_swap", "columns": [name], "p": 20},
            {"name": "noise", "columns": [name], "alpha": 0.1},
            {"name": "mic", "columns": [name], "v": 1, "k": 3},
            {"name": "top_bottom_code", "columns": [name], "bottom_share": 0.1, "top_share": 0.1},
            {"name": "rounding", "columns": [name], "base": 5, "unbiased": True},
        ]
    for name in words:
        possible += [
            {"name": "pram", "columns": [name], "stay": 0.8},
            {"name": "data_swap", "columns": [name], "rate": 0.3},
            {
                "name": "record_swap",
                "region": name,
                "keys": [each for each in kinds if each != name] or None,
                "rate": 0.1,
            },
        ]
    possible = [{key: value for key, value in each.items() if value is not None} for each in possible]
    return draw(st.lists(st.sampled_from(possible), min_size=1, max_size=2))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(1, 12) | st.integers(13, 150))
    kinds = {
        f"{kind}{at}": kind for at, kind in enumerate(draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4)))
    }
    hidden = {f"s{at}{kind}": kind for at, kind in enumerate(draw(st.lists(st.sampled_from(KINDS[2:5]), max_size=2)))}
    table = pa.table({name: cells(kind, n, chance) for name, kind in (kinds | hidden).items()})
    columns = {name: {"role": "quasi_identifier", **rule(kind, draw(st.booleans()))} for name, kind in kinds.items()}
    columns |= {name: {"role": "sensitive", **rule(kind, False)} for name, kind in hidden.items()}
    lines = [name for name, kind in kinds.items() if kind in ("whole", "real", "day")]
    policy: dict[str, Any] = {
        "columns": columns,
        "requirements": draw(asked(list(kinds), list(hidden), lines)),
        "method": dict(draw(st.sampled_from(METHODS))),
        "seed": draw(st.integers(0, 3)),
    }
    extra = {
        "home": (pa.array([f"h{i // 3}" for i in range(n)]), {"role": "household"}),
        "weight": (pa.array(chance.random(n) + 0.1), {"role": "weight", "kind": "numeric"}),
        "note": (cells("word", n, chance), {"role": "other"}),
        "who": (pa.array([f"p{i}" for i in range(n)]), {"role": "identifier"}),
    }
    for name, (column, about) in extra.items():
        if draw(st.integers(0, 3)) == 0:
            table = table.append_column(name, column)
            columns[name] = about
    if "home" in columns and policy["method"]["name"] in ("mdav", "vmdav", "mu_approx", "micro_som", "microaggregate"):
        policy["method"]["split_households"] = draw(st.booleans())
    parts = {
        "output": st.fixed_dictionaries(
            {},
            optional={
                "representation": st.sampled_from(["centroids", "extents", "anatomy"]),
                "shuffle": st.booleans(),
                "permute": st.booleans(),
                "ends": st.booleans(),
            },
        ),
        "suppression": st.fixed_dictionaries({"limit": st.sampled_from([0.1, 0.5, 1])}),
        "within": st.lists(st.sampled_from(sorted({*kinds, *columns})), min_size=1, max_size=1),
        "blocking": st.fixed_dictionaries(
            {"method": st.just("twod_tree"), "limit": st.integers(12, 40), "repair": st.booleans()}
        ),
        "local_suppression": st.sampled_from([{}, {"blanks": "wildcard"}, {"importance": {next(iter(kinds)): 3.0}}]),
        "perturbations": perturbations(kinds),
    }
    rare = {"local_suppression": 6, "perturbations": 5}
    return Case(
        table, policy | {key: draw(part) for key, part in parts.items() if draw(st.integers(0, rare.get(key, 2))) == 0}
    )


@dataclass(frozen=True)
class Outcome:
    """What one engine made of a case: files and what is said of them, or a complaint."""

    complaint: str | None = None
    files: dict[str, bytes] | None = None
    told: str | None = None


def outcome(source: Path, policy: Path, folder: Path, engine: str) -> Outcome:
    folder.mkdir()
    targets = Targets.of(folder / f"release{source.suffix}", folder / "report.html", folder / "mapping.csv")
    try:
        with carrier(engine, folder) as carried:
            release = protect_by(carried, source, load(policy), targets, force=False)
    except ShoalError as complaint:
        assert list(folder.iterdir()) == []
        return Outcome(f"{type(complaint).__name__}: {complaint}")
    told = ("counts", "k_reached", "proof", "findings", "notes")
    manifest = {name: vars(release.manifest)[name] for name in told}
    names = [path for path in sorted(folder.iterdir()) if path.suffix != ".html" and "manifest" not in path.name]
    return Outcome(None, {path.name: path.read_bytes() for path in names}, json.dumps(manifest, default=vars))


def smallest_class(release: Path, keys: list[str]) -> int:
    with release.open(newline="", encoding="utf-8") as file:
        sizes = Counter(tuple(record[name] for name in keys) for record in csv.DictReader(file))
    return min(sizes.values(), default=0)


def by_count(release: Path, policy: dict[str, Any]) -> None:
    """k-anonymity once more, by nothing but a reader of CSVs."""
    is_anatomy = policy.get("output", {}).get("representation") == "anatomy"
    if release.suffix != ".csv" or is_anatomy or policy.get("local_suppression", {}).get("blanks") == "wildcard":
        return
    keys = [name for name, about in policy["columns"].items() if about["role"] == "quasi_identifier"]
    for each in policy["requirements"]:
        if each["name"] == "k_anonymity" and (found := smallest_class(release, each.get("columns", keys))):
            assert found >= each["k"], each


@given(cases(), st.sampled_from(["csv", "parquet"]))
def fuzz(case: Case, suffix: str) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        source = (write_csv if suffix == "csv" else as_parquet)(case.table, folder / f"table.{suffix}")
        policy = write_policy(case.policy, folder / "policy.toml")
        one, other = (outcome(source, policy, folder / engine, engine) for engine in ("memory", "duckdb"))
        note(f"{one.complaint} | {other.complaint}")
        assert one == other
        if one.complaint is None:
            release = folder / "memory" / f"release.{suffix}"
            assert shoal.verify(release, policy).holds
            by_count(release, case.policy)
