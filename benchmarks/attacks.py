"""What attacks find: every attack of tests/attacks on releases of the tables it applies to, as a table in Markdown.

    python benchmarks/attacks.py                              releases as they are made now
    python benchmarks/attacks.py --before OLD/src             releases as an older checkout makes them
    python benchmarks/attacks.py --json FILE ends means       of these attacks, and the same figures for machines

Adult and Census need SHOAL_DATA. Releases are made in a process of their own by the ``shoal`` of the folder, whose
compiled module must lie in it; the attacks are those of today, and read published files alone. "n/a": the older
``shoal`` refuses the policy, or the attack cannot be fed by what it made. A star: fewer than 500 targets.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import tomlkit

import shoal

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from attacks import (  # noqa: E402
    carriers,
    confirmed,
    ends,
    means,
    minimality,
    planted,
    redrawn,
    releases,
    spellings,
    tables,
    test_carriers,
    test_compositions,
    test_confirmed,
    test_ends,
    test_means,
    test_minimality,
    test_redrawn,
    test_releases,
    test_siblings,
    test_spellings,
    test_units,
)
from attacks.published import Published, publish  # noqa: E402
from attacks.rates import FEWEST_TARGETS, Rate  # noqa: E402

METHODS = ("mdav", "vmdav", "mondrian")
REPRESENTATIONS = ("centroids", "extents", "anatomy")
BY_CASE = spellings.WAYS[:3]
FORMATS = (".sav", ".dta", ".parquet", ".arrow", ".xlsx", ".csv.gz")
PROGRAM = "import json, sys, shoal\nfor job in json.load(sys.stdin):\n    shoal.protect(**job)\n"
Policy = dict[str, Any]


class UnfitError(Exception):
    """There is no release, or none that the attack can read."""


@dataclass(frozen=True)
class Checkout:
    """Whose ``shoal`` makes the releases."""

    src: Path

    def protect(self, table: Path, policy: Path, key: bytes = test_redrawn.KEY, **how: Path) -> None:
        """With a key that is always the same; who knows no keys does not look at it."""
        self.protect_all([{"table": table, "policy": policy, **how}], key)

    def draw_again(self, table: pa.Table, policy: Policy, key: bytes) -> Published:
        """What the tool that made a release makes of another table, in the hands of the intruder."""
        with tempfile.TemporaryDirectory() as folder:
            return publish(table, policy, Path(folder), protect=self.protect, key=key)

    def protect_all(self, jobs: list[dict[str, Path]], key: bytes = test_redrawn.KEY) -> None:
        for policy in {job["policy"] for job in jobs}:
            file = policy.with_suffix(".key")
            file.touch(mode=0o600)
            file.write_bytes(key)
        words, env = [sys.executable, "-c", PROGRAM], os.environ | {"PYTHONPATH": str(self.src)}
        done = subprocess.run(words, input=json.dumps(jobs, default=str), capture_output=True, text=True, env=env)
        if done.returncode:
            raise UnfitError(done.stderr.strip().splitlines()[-1])


@dataclass(frozen=True)
class Finding:
    """``risk``: the stated one."""

    rate: Rate
    risk: float


@dataclass(frozen=True)
class Case:
    """An attack, whom it is tried on, and how their release is made."""

    attack: str
    table: str
    method: str
    representation: str
    run: Callable[[Checkout, Path], Finding]

    @property
    def names(self) -> dict[str, str]:
        return {
            "attack": self.attack,
            "table": self.table,
            "method": self.method,
            "representation": self.representation,
        }


@dataclass(frozen=True)
class Source:
    """A table with the roles of its columns, and the column that requirements are about."""

    name: str
    table: pa.Table
    roles: tables.Roles
    sensitive: str | None = None

    def policy(self, method: str, representation: str, *requirements: dict[str, Any], k: int = 3) -> Policy:
        return {
            "requirements": [{"name": "k_anonymity", "k": k}, *requirements],
            "columns": {name: dict(rule) for name, rule in self.roles.items()},
            "method": {"name": method},
            "suppression": {"limit": 0.5},
            "output": {"representation": representation},
        }

    def numbered(self, name: str) -> Source:
        """With a column that says who is who to those who count."""
        table = self.table.append_column(name, pa.array(np.arange(len(self.table))))
        return Source(self.name, table, {**self.roles, name: {"role": "other", "kind": "numeric"}}, self.sensitive)


def adult() -> Source:
    return Source("Adult, 3,000", tables.adult(3000), tables.ADULT, "occupation")


def census() -> Source:
    return Source("Census", tables.census(), tables.census_roles(tables.census()))


def survey() -> Source:
    return Source("survey, 4,000", tables.survey(4000), tables.SURVEY, "health_condition")


def hospital() -> Source:
    return Source("hospital, 2,000 patients", tables.hospital(2000), tables.HOSPITAL, "diagnosis")


def cases_of_means() -> Iterator[Case]:
    """Ages, with the weights of records where there are some. Numbers of Census are too large to be solved for."""
    weighted = (
        (Source("Adult, 3,000, weighted", *test_means.weighted_adult(3000)), test_means.AGES, "weight"),
        (Source("survey, 4,000, weighted", *test_means.survey(4000)), test_means.CENSUS_AGES, "weight"),
        (hospital().numbered("record"), means.Known(0, 101), None),
    )
    for source, known, weight in weighted:
        for method in METHODS:
            run = partial(_means, source, known, weight, source.policy(method, "centroids"))
            yield Case("means", source.name, method, "centroids", run)


def _means(
    source: Source, known: means.Known, weight: str | None, policy: Policy, checkout: Checkout, folder: Path
) -> Finding:
    """Whether the intruder takes means for rounded to the nearest or to a neighbor: what finds more."""
    published = publish(source.table, policy, folder, protect=checkout.protect)
    truth = test_means.truth(source.table, published)
    readings = [means.Known(known.low, known.high, reach) for reach in (0.5, 1.0)]
    rates = [means.rate(published, "age", reading, truth, weight) for reading in readings]
    return Finding(max(rates, key=lambda rate: rate.n_right), test_means.STATED)


def cases_of_ends() -> Iterator[Case]:
    sources = {"adult": adult(), "census": census(), "survey": survey(), "hospital": hospital()}
    for name, source in sources.items():
        for method in METHODS:
            run = partial(_ends, source.numbered(ends.WHO), test_ends.COUNTED[name], method)
            yield Case("ends", source.name, method, "extents", run)


def _ends(source: Source, counted: ends.Counted, method: str, checkout: Checkout, folder: Path) -> Finding:
    published = publish(source.table, source.policy(method, "extents"), folder, protect=checkout.protect)
    attack = published, source.table, counted, test_ends.K
    return Finding(ends.rate(*attack), ends.risk(*attack))


def cases_of_units() -> Iterator[Case]:
    """4,000 patients, of whom more than 500 were there three times."""
    for role in ("identifier", "unit"):
        for method in METHODS:
            run = partial(_units, role, method)
            yield Case("units", "hospital, 4,000 patients", f"{method}, patient is {role}", "centroids", run)


def _units(role: str, method: str, checkout: Checkout, folder: Path) -> Finding:
    rate = test_units.attacked(folder, role, method, protect=checkout.protect)
    return Finding(rate, test_units.NEVER)


def cases_of_compositions() -> Iterator[Case]:
    manners: dict[str, Policy] = {
        **{name: {"method": {"name": name}, "output": {"representation": "centroids"}} for name in METHODS},
        "none, local suppression": {"local_suppression": {}, "suppression": {"limit": 0.3}},
    }
    for name, more in manners.items():
        representation = "centroids" if "method" in more else "blanks"
        yield Case("compositions", "survey, 3,000", name, representation, partial(_compositions, more))


def _compositions(more: Policy, checkout: Checkout, folder: Path) -> Finding:
    rate = test_compositions.attacked(folder, "household", protect=checkout.protect, **more)
    return Finding(rate, 1 / test_compositions.K)


def cases_of_siblings() -> Iterator[Case]:
    for region in ({}, {"level": "household"}):
        method = "none, local suppression" + (", region of the household" if region else "")
        yield Case("siblings", "survey, 4,000", method, "blanks", partial(_siblings, region))


def _siblings(region: dict[str, str], checkout: Checkout, folder: Path) -> Finding:
    return Finding(*test_siblings.attacked(folder, "household", region, protect=checkout.protect))


def cases_of_spellings() -> Iterator[Case]:
    """All spellings of the clerks, and in two tables capitals and small letters alone; l = 2 is asked for."""
    stays = Source(hospital().name, test_spellings.stays(2000), _without_dates(), "diagnosis")
    for source in (_spelled(adult()), _spelled(survey()), stays, _by_case(adult()), _by_case(survey())):
        for method in METHODS:
            for representation in REPRESENTATIONS:
                run = partial(_spellings, source, method, representation)
                yield Case("spellings", source.name, method, representation, run)


def _spelled(source: Source) -> Source:
    assert source.sensitive
    return Source(source.name, spellings.spelled(source.table, source.sensitive), source.roles, source.sensitive)


def _by_case(source: Source) -> Source:
    assert source.sensitive
    table = spellings.spelled(source.table, source.sensitive, ways=len(BY_CASE))
    return Source(f"{source.name}, by case", table, source.roles, source.sensitive)


def _without_dates() -> tables.Roles:
    columns: tables.Roles = test_spellings.policy("centroids", {})["columns"]
    return columns


def _spellings(source: Source, method: str, representation: str, checkout: Checkout, folder: Path) -> Finding:
    assert source.sensitive
    requirement, risk = test_spellings.ASKED["distinct"]
    policy = source.policy(method, representation, requirement | {"column": source.sensitive})
    published = publish(source.table, policy, folder, protect=checkout.protect)
    return Finding(spellings.rate(published, source.sensitive, certain=True), risk)


def cases_of_carriers() -> Iterator[Case]:
    for suffix in FORMATS:
        for representation, more in test_carriers.POLICIES.items():
            method = more["method"]["name"]
            yield Case("carriers", f"planted, {suffix}", method, representation, partial(_carriers, suffix, more))


def _carriers(suffix: str, more: Policy, checkout: Checkout, folder: Path) -> Finding:
    """Of all files that are handed out, the one that tells most."""
    made, policy, public = planted.original(suffix, folder), folder / "policy.toml", folder / "public"
    public.mkdir()
    policy.write_text(tomlkit.dumps(planted.policy(**more)), encoding="utf-8")
    checkout.protect(made.path, policy, output=public / f"release{suffix}", report=public / "report.html")
    rates = [carriers.rate(path, made) for path in public.iterdir()]
    return Finding(max(rates, key=lambda rate: rate.n_right), 0.0)


def cases_of_minimality() -> Iterator[Case]:
    """Four tables together; mondrian merges nothing, and is asked which cuts it refused."""
    manners: list[tuple[str, str, str | None]] = [
        *((method, "centroids", decoys) for method in ("mdav", "vmdav") for decoys in (None, "auto")),
        *(("mdav", "anatomy", decoys) for decoys in (None, "auto")),
        ("mondrian", "centroids", None),
    ]
    for method, representation, decoys in manners:
        name = f"{method}, decoys" if decoys else method
        yield Case(
            "minimality",
            "persons, 4 x 4,000",
            name,
            representation,
            partial(_minimality, method, representation, decoys),
        )


def _minimality(method: str, representation: str, decoys: str | None, checkout: Checkout, folder: Path) -> Finding:
    more = {"decoys": decoys} if decoys else {}
    policy = test_minimality.policy(method, output={"representation": representation}, **more)
    known = []
    for seed in test_minimality.SEEDS:
        persons = test_minimality.persons(seed)
        table = persons.append_column("illness", pa.array(test_minimality.illnesses(seed)))
        published = publish(table, policy, folder / str(seed), protect=checkout.protect)
        replay = shoal.protect(persons, minimality.replayable(policy, persons.column_names))
        known.append(minimality.Known.of(published, persons, replay.groups["group"].to_numpy()))
    return Finding(*test_minimality.attacked(known, by_cost=method != "mondrian"))


NOT_EXCLUDED = 0.05  # what docs/minimality.md says of two releases with means as they are made


def cases_of_releases() -> Iterator[Case]:
    """With k = 3 and with k = 4."""
    for method in ("mdav", "vmdav"):
        yield Case("releases", "people, 3 x 1,500", method, "centroids", partial(_releases_of_people, method))
        yield Case("releases", "Census", method, "centroids", partial(_releases_of_census, method))


def _releases_of_people(method: str, checkout: Checkout, folder: Path) -> Finding:
    rate = test_releases.attacked(folder, protect=checkout.protect, method=method)
    return Finding(rate, NOT_EXCLUDED)


def _releases_of_census(method: str, checkout: Checkout, folder: Path) -> Finding:
    """All six numbers; columns that stay as they are tie the records."""
    source = census()
    known = [name for name, rule in source.roles.items() if rule["role"] == "quasi_identifier"]
    tied_by = [name for name in source.roles if name not in known]
    numbered = source.numbered(ends.WHO)
    first, second = (
        publish(numbered.table, numbered.policy(method, "centroids", k=k), folder / str(k), protect=checkout.protect)
        for k in (3, 4)
    )
    total, places = Rate(0, 0), _places(first)
    for name in known:
        found = releases.guesses(first.records, second.records, known, name, tied_by)
        total += found.rate(source.table[name].to_numpy()[places])
    return Finding(total, NOT_EXCLUDED)


def _places(published: Published) -> list[int]:
    return [int(who) for who in published.records[ends.WHO].to_pylist()]


def cases_of_redrawn() -> Iterator[Case]:
    yield Case("redrawn", "600 households", "mdav", "anatomy", _households_redrawn)
    yield Case("redrawn", "520 strata", "none, noise", "as they are", _noise_redrawn)


def _households_redrawn(checkout: Checkout, folder: Path) -> Finding:
    table, policy = test_redrawn.households(), test_redrawn.HOUSEHOLD_POLICY
    published = publish(table, policy, folder, protect=checkout.protect)
    truth = dict(zip(table["name"].to_pylist(), table["household"].to_pylist(), strict=True))
    rate = redrawn.household_rate(published, truth, test_redrawn.GUESSES[0], checkout.draw_again)
    return Finding(rate, 2 / test_redrawn.N_HOUSEHOLDS)


def _noise_redrawn(checkout: Checkout, folder: Path) -> Finding:
    table, truth = test_redrawn.strata()
    published = publish(table, test_redrawn.NOISE_POLICY, folder, protect=checkout.protect)
    rate = redrawn.noise_rate(published, truth, test_redrawn.GUESSES[0], checkout.draw_again)
    return Finding(rate, 1 / (len(redrawn.VALUES) * (len(redrawn.VALUES) - 1)))


def cases_of_confirmed() -> Iterator[Case]:
    yield Case("confirmed", "50 tables of 10 persons", "mdav", "centroids", _confirmed)


def _confirmed(checkout: Checkout, folder: Path) -> Finding:
    policy = folder / "policy.toml"
    policy.write_text(tomlkit.dumps(test_confirmed.POLICY), encoding="utf-8")
    jobs, persons = [], []
    for at, (written, targets) in enumerate(test_confirmed.tables()):
        (folder / str(at)).mkdir()
        original = folder / str(at) / "original.csv"
        original.write_bytes(written)
        jobs.append({"table": original, "policy": policy, "output": original.with_name("release.csv")})
        persons.append(targets)
    checkout.protect_all(jobs)
    manifests = [{"text": job["output"].with_suffix(".manifest.json").read_text(encoding="utf-8")} for job in jobs]
    known = [(made, *each) for made, targets in zip(manifests, persons, strict=True) for each in targets]
    return Finding(confirmed.rate(*map(list, zip(*known, strict=True))), 1 / len(test_confirmed.ILLNESSES))


ATTACKS: dict[str, Callable[[], Iterator[Case]]] = {
    "means": cases_of_means,
    "ends": cases_of_ends,
    "units": cases_of_units,
    "compositions": cases_of_compositions,
    "siblings": cases_of_siblings,
    "spellings": cases_of_spellings,
    "carriers": cases_of_carriers,
    "minimality": cases_of_minimality,
    "releases": cases_of_releases,
    "redrawn": cases_of_redrawn,
    "confirmed": cases_of_confirmed,
}


def measure(case: Case, checkout: Checkout) -> dict[str, Any]:
    """A row for machines; without figures where there is nothing to attack."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = case.run(checkout, Path(folder))
        except UnfitError as reason:
            return {**case.names, "reason": str(reason)}
    rate = found.rate
    figures = {"right": rate.n_right, "targets": rate.n_targets, "share": rate.share, "lower": rate.lower}
    return {**case.names, **figures, "risk": found.risk, "beaten": rate.succeeds(found.risk)}


def line(row: dict[str, Any]) -> str:
    names = f"| {row['attack']} | {row['table']} | {row['method']} | {row['representation']} "
    if "right" not in row:
        return names + "| n/a | | | | |"
    few = "" if row["targets"] >= FEWEST_TARGETS else " *"
    shares = " | ".join(f"{100 * row[name]:.1f} %" for name in ("share", "lower", "risk"))
    return names + f"| {row['right']:,} / {row['targets']:,}{few} | {shares} | {'YES' if row['beaten'] else 'no'} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="What attacks find.")
    parser.add_argument("attacks", nargs="*", help=f"some of {', '.join(ATTACKS)}; all if none is named")
    parser.add_argument("--before", type=Path, default=ROOT / "src", help="the src folder of an older checkout")
    parser.add_argument("--json", type=Path, help="the same figures for machines")
    options = parser.parse_args()
    checkout, rows = Checkout(options.before.resolve()), []
    print(
        "| attack | table | method | representation | right / targets | share | lower 99 % limit | stated | beaten? |"
    )
    print("|---|---|---|---|---:|---:|---:|---:|---|")
    for name in options.attacks or ATTACKS:
        for case in ATTACKS[name]():
            rows.append(measure(case, checkout))
            print(line(rows[-1]), flush=True)
            if "reason" in rows[-1]:
                print(f"{case.attack}, {case.table}, {case.method}: {rows[-1]['reason']}", file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
