"""The whole pipeline: any small table and any policy, by both engines.

Either both make the same release, byte by byte, and it holds what was asked by a count of its own; or both complain
alike.
"""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given, note
from hypothesis import strategies as st

import method_examples
import perturbation_examples
import requirement_examples
import shoal
from shoal.errors import ShoalError
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from survey_example import as_parquet, carrier, write_csv, write_policy

ORDER = ["low", "middle", "high"]
KINDS = ["whole", "real", "word", "code", "grade", "day"]
METHODS = [run for example in method_examples.METHODS.values() for run in example.runs]


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
    gaps = chance.random(n) < chance.choice([0, 0.1, 0.5, 1], p=[0.6, 0.25, 0.14, 0.01])
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


class Dice(random.Random):
    def some(self, values: Sequence[Any], least: int, most: int) -> list[Any]:
        """Some different values."""
        return self.sample(values, min(len(values), self.randint(least, most)))

    def falls(self, share: float) -> bool:
        return self.random() < share


LOOSE, LOOSE_OF_EXTENTS = (
    [
        each.loose[0]
        for each in requirement_examples.REQUIREMENTS.values()
        if each.loose and (each.of_s.reads == "extents") == is_of
    ]
    for is_of in (False, True)
)


def asked(dice: Dice, keys: list[str], sensitive: list[str], lines: list[str], extents: bool) -> list[dict[str, Any]]:
    of_lines = [requirement_examples.on_column(entry, name) for name in lines if extents for entry in LOOSE_OF_EXTENTS]
    more = of_lines + [requirement_examples.on_column(entry, name) for name in sensitive for entry in LOOSE]
    wanted = [{"name": "k_anonymity", "k": dice.randint(2, 6)}] * dice.falls(0.97) + dice.some(more, 0, 2)
    if len(keys) > 1 and dice.falls(0.15):
        cut = dice.randint(1, len(keys) - 1)
        return [{**each, "columns": part} for each in wanted for part in (keys[:cut], keys[cut:])]
    return wanted


def _perturbed(serves: str, name: str, kinds: dict[str, str]) -> list[dict[str, Any]]:
    others = [each for each in kinds if each != name]
    fit = [
        each
        for each in perturbation_examples.PERTURBATIONS.values()
        if each.serves == serves and each.entry is not None
    ]
    return [entry for example in fit for entry in example.entry(name, others)]


def perturbations(dice: Dice, kinds: dict[str, str]) -> list[dict[str, Any]]:
    possible = [entry for name in kinds for entry in _perturbed("all", name, kinds)]
    for name, kind in kinds.items():
        if kind in ("whole", "real"):
            possible += _perturbed("numbers", name, kinds)
        if kind in ("word", "code"):
            possible += _perturbed("words", name, kinds)
    return dice.some(possible, 1, 2)


def further(dice: Dice, kinds: dict[str, str]) -> dict[str, Any]:
    """What else a policy may say, each of it now and then."""
    output = {
        "representation": dice.choice(["centroids", "extents", "anatomy"]),
        "shuffle": dice.falls(0.5),
        "permute": dice.falls(0.5),
        "ends": dice.falls(0.5),
    }
    parts: dict[str, tuple[float, Any]] = {
        "output": (0.5, {key: output[key] for key in dice.some(list(output), 1, 3)}),
        "suppression": (0.6, {"limit": dice.choice([0.1, 0.5, 1])}),
        "within": (0.2, [dice.choice(list(kinds))]),
        "blocking": (0.3, {"method": "twod_tree", "limit": dice.randint(12, 40), "repair": dice.falls(0.5)}),
        "local_suppression": (0.1, dice.choice([{}, {"blanks": "wildcard"}, {"importance": {next(iter(kinds)): 3.0}}])),
        "perturbations": (0.15, perturbations(dice, kinds)),
    }
    return {key: part for key, (share, part) in parts.items() if dice.falls(share)}


def case(seed: int) -> Case:
    dice, chance = Dice(seed), np.random.default_rng(seed)
    n = dice.randint(1, 12) if dice.falls(0.15) else dice.randint(12, 150)
    kinds = {f"{kind}{at}": kind for at, kind in enumerate(dice.choices(KINDS, k=dice.randint(1, 4)))}
    hidden = {f"s{at}{kind}": kind for at, kind in enumerate(dice.choices(KINDS[2:5], k=dice.randint(0, 2)))}
    table = pa.table({name: cells(kind, n, chance) for name, kind in (kinds | hidden).items()})
    columns = {name: {"role": "quasi_identifier", **rule(kind, dice.falls(0.5))} for name, kind in kinds.items()}
    columns |= {name: {"role": "sensitive", **rule(kind, False)} for name, kind in hidden.items()}
    extra = {
        "home": (pa.array([f"h{i // 3}" for i in range(n)]), {"role": "household"}),
        "weight": (pa.array(chance.random(n) + 0.1), {"role": "weight", "kind": "numeric"}),
        "note": (cells("word", n, chance), {"role": "other"}),
        "who": (pa.array([f"p{i}" for i in range(n)]), {"role": "identifier"}),
    }
    for name in dice.some(list(extra), 0, 3):
        table = table.append_column(name, extra[name][0])
        columns[name] = extra[name][1]
    method, more = dict(dice.choice(METHODS)), further(dice, kinds)
    if "home" in columns and method["name"] in method_examples.methods_of("groups"):
        method["split_households"] = method["name"] != "mdav" or dice.falls(0.5)
    if "suppression" in method:
        limit = more.get("suppression", {}).get("limit", 0)
        more["suppression"] = {"limit": max(limit, method["suppression"])}
    is_cut = method["name"] in method_examples.methods_of("cuts")
    extents = more.get("output", {}).get("representation", "extents" if is_cut else "") == "extents"
    lines = [name for name, kind in kinds.items() if kind in ("whole", "real", "day")]
    wanted = asked(dice, list(kinds), list(hidden), lines, extents)
    return Case(table, {"columns": columns, "requirements": wanted, "method": method, "seed": seed % 4, **more})


cases = st.builds(case, st.integers(0, 2**64))


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
            release = protect_by(carried, source, load(policy), targets, bytes(32), force=False)
    except ShoalError as complaint:
        assert list(folder.iterdir()) == []
        return Outcome(f"{type(complaint).__name__}: {complaint}")
    told = ("counts", "k_reached", "proof", "notes")
    manifest = {name: vars(release.manifest)[name] for name in told} | {"findings": release.private.findings}
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


@given(cases, st.sampled_from(["csv", "parquet"]))
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
