"""Faults planted outside of the verifier. Each writes a file that breaks its policy, and the verifier alone refuses it.

The gate shares code with what makes a release, and so some of the faults with it. Here it is open: whatever it is
given, its proof holds. Only the second lock is left.
"""

from __future__ import annotations

import copy
import pkgutil
import random
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import shoal
from shoal import kernels
from shoal.encode.number_column import to_numbers
from shoal.errors import RequirementError
from shoal.gate.gate import Proof
from shoal.pipeline.files.promises import Promises
from shoal.pipeline.protect import own_assessment
from shoal.pipeline.protect.generalization_step import GroupedTable
from shoal.pipeline.protect.grouped_rows import in_one_group
from shoal.pipeline.protect.unit_release import UnitResult
from shoal.plan import Partition
from shoal.policy import ReleasePlan
from shoal.policy.load import dump, load, load_text, text_as_given
from shoal.requirements.native_test import NativeTest
from shoal.schema import Schema

OTHER = {"role": "other"}
KEY = {"role": "quasi_identifier"}
NUMBER = KEY | {"kind": "numeric"}
ILLNESS = {"role": "sensitive"}
INCOME = {"role": "sensitive", "kind": "numeric"}
ZIP = KEY | {"taxonomy": {"prefixes": [3, 1]}}


def k(least: int, *columns: str) -> dict[str, Any]:
    return {"name": "k_anonymity", "k": least, **({"columns": list(columns)} if columns else {})}


def of_groups(requirement: Mapping[str, Any], **columns: Any) -> dict[str, Any]:
    """Groups by age and income that are merged until a requirement holds for them."""
    named = {"age": NUMBER, "zip": OTHER, "illness": ILLNESS, **columns}
    column = {} if "column" in requirement else {"column": "illness"}
    return {"columns": named, "requirements": [k(2), {**column, **requirement}], "method": {"name": "mdav"}}


def of_sizes(requirement: Mapping[str, Any]) -> dict[str, Any]:
    return {"columns": {"age": NUMBER, "zip": OTHER}, "requirements": [requirement], "method": {"name": "mdav"}}


POLICIES: dict[str, dict[str, Any]] = {
    "cuts": {
        "columns": {"age": NUMBER | {"grid": 5}, "zip": ZIP, "sex": KEY, "illness": OTHER},
        "requirements": [k(3)],
        "method": {"name": "mondrian"},
    },
    "means": {"columns": {"age": NUMBER | {"decimals": 0}, "income": NUMBER, "sex": OTHER}, "requirements": [k(3)]},
    "modes": {"columns": {"age": NUMBER, "sex": KEY, "zip": KEY}, "requirements": [k(4)]},
    "times": {"columns": {"born": KEY | {"kind": "date"}, "income": NUMBER}, "requirements": [k(3)]},
    "extents": {
        "columns": {"age": NUMBER | {"grid": 5}, "zip": KEY, "sex": KEY},
        "requirements": [k(3)],
        "method": {"name": "mdav"},
        "output": {"representation": "extents"},
    },
    "ends": {
        "columns": {"age": NUMBER | {"grid": 10}, "income": NUMBER | {"grid": 100}},
        "requirements": [k(3)],
        "method": {"name": "mondrian"},
        "output": {"ends": True},
    },
    "key sets": {
        "columns": {"age": NUMBER, "income": NUMBER, "zip": KEY, "sex": KEY},
        "requirements": [k(3, "age", "income"), k(6, "zip", "sex")],
    },
    "strata": {
        "columns": {"age": NUMBER, "income": NUMBER, "region": OTHER},
        "requirements": [k(3)],
        "within": ["region"],
    },
    "blanks": {
        "columns": {"region": KEY, "zip": KEY, "sex": KEY},
        "requirements": [k(3)],
        "local_suppression": {},
    },
    "wildcards": {
        "columns": {"age": KEY, "zip": KEY, "sex": KEY},
        "requirements": [k(2)],
        "local_suppression": {"blanks": "wildcard"},
    },
    "households": {
        "columns": {"hid": {"role": "household"}, "age": NUMBER, "sex": KEY},
        "requirements": [k(3)],
    },
    "numbers": {
        "columns": {"hid": {"role": "household"}, "sex": KEY},
        "requirements": [k(10)],
        "method": {"name": "none"},
    },
    "patients": {
        "columns": {"hid": {"role": "unit"}, "age": NUMBER, "sex": KEY},
        "requirements": [k(3)],
    },
    "anatomy": {
        "columns": {"age": NUMBER, "sex": KEY, "illness": ILLNESS},
        "requirements": [k(3), {"name": "distinct_l_diversity", "l": 2, "column": "illness"}],
        "output": {"representation": "anatomy"},
    },
    "suppressed": {
        "columns": {"age": NUMBER, "illness": ILLNESS},
        "requirements": [k(3), {"name": "distinct_l_diversity", "l": 3, "column": "illness"}],
        "method": {"name": "mdav", "merge": False},
        "suppression": {"limit": 1.0},
    },
    "recoded": {
        "columns": {
            "age": OTHER | {"kind": "numeric", "recode": {"width": 10}},
            "zip": OTHER | {"recode": {"prefix": 2}},
            "born": OTHER | {"kind": "date", "recode": {"date_part": "quarter"}},
            "income": OTHER | {"kind": "numeric", "recode": {"bottom": 2000, "top": 8000}},
            "illness": OTHER | {"recode": {"merge": {"rare": ["hiv", "asthma"]}}},
            "sex": KEY,
        },
        "requirements": [k(3)],
        "method": {"name": "none"},
    },
    "levels": {
        "columns": {"zip": ZIP | {"min_level": 1}, "age": NUMBER | {"grid": 5}},
        "requirements": [k(3)],
        "method": {"name": "mondrian"},
    },
    "pseudonyms": {
        "columns": {"name": {"role": "identifier", "pseudonym": "key"}, "age": NUMBER},
        "requirements": [k(3)],
    },
    "weights": {
        "columns": {"weight": {"role": "weight"}, "age": NUMBER},
        "requirements": [k(3)],
        "output": {"weights": "rounded"},
    },
    "noise": {
        "columns": {"income": NUMBER, "sex": KEY},
        "requirements": [],
        "perturbations": [{"name": "noise", "columns": ["income"], "alpha": 0.1}],
    },
    "length": {
        "columns": {"age": NUMBER | {"grid": 5}, "sex": KEY},
        "requirements": [k(3), {"name": "minimum_length", "column": "age", "width": 20}],
        "method": {"name": "mondrian"},
    },
    "distinct": of_groups({"name": "distinct_l_diversity", "l": 3}),
    "entropy": of_groups({"name": "entropy_l_diversity", "l": 2.5}),
    "recursive": of_groups({"name": "recursive_l_diversity", "c": 1.0, "l": 2}),
    "alpha": of_groups({"name": "alpha_k_anonymity", "alpha": 0.6, "k": 3}),
    "t": of_groups({"name": "t_closeness", "t": 0.25}),
    "t ordered": of_groups({"name": "t_closeness", "t": 0.15, "column": "income"}, income=INCOME),
    "t by a tree": of_groups(
        {"name": "t_closeness", "t": 0.25, "column": "zip"}, zip=ILLNESS | {"taxonomy": {"prefixes": [3, 1]}}
    ),
    "beta": of_groups({"name": "beta_likeness", "beta": 1.5}),
    "enhanced beta": of_groups({"name": "beta_likeness", "beta": 1.5, "enhanced": True}),
    "delta": of_groups({"name": "delta_disclosure", "delta": 1.0}),
    "epsilon": of_groups({"name": "epsilon_privacy", "epsilon": 3, "sigma": 3, "b": 1}),
    "invariance": of_groups({"name": "m_invariance", "m": 2}),
    "dominance": of_groups({"name": "dominance", "share": 0.6, "contributors": 2, "column": "income"}, income=INCOME),
    "p percent": of_groups({"name": "p_percent", "p": 60, "column": "income"}, income=INCOME),
    "contributors": of_groups({"name": "minimum_contributors", "n": 4, "column": "income"}, income=INCOME),
    "prosecutor": of_sizes({"name": "prosecutor_risk", "maximum": 0.2}),
    "journalist": of_sizes({"name": "journalist_risk", "maximum": 0.1, "sampling_fraction": 0.5}),
    "marketer": of_sizes({"name": "marketer_risk", "average": 0.1, "sampling_fraction": 0.5}),
    "at risk": of_sizes({"name": "records_at_risk", "share": 0.0, "threshold": 0.2}),
}


@cache
def persons() -> pa.Table:
    """Sixty persons, two of each household, with a rare illness."""
    draw, rows = random.Random(1), []
    for at in range(60):
        age = draw.randint(20, 79)
        rows.append(
            {
                "name": f"{at:05}",
                "age": age,
                "zip": draw.choice(("10115", "10119", "10243", "20095", "20097", "80331")),
                "sex": draw.choice("fm"),
                "region": draw.choice("ns"),
                "born": date(2020 - age, draw.randint(1, 12), draw.randint(1, 28)),
                "income": 10 * draw.randint(100, 900),
                "illness": draw.choice(("flu",) * 4 + ("cold",) * 3 + ("asthma",) * 2 + ("hiv",)),
                "hid": f"h{at // 2}",
                "weight": 10 * draw.randint(10, 99) + 3,
            }
        )
    return pa.Table.from_pylist(rows)


Wrap = Callable[[Any], Any]  # what was there -> what is there with the fault


@dataclass(frozen=True)
class Fault:
    """``where``: the attribute that is replaced; ``also``: others that would notice it before the file is written."""

    name: str
    policy: str
    where: str
    wrap: Wrap
    also: tuple[tuple[str, Wrap], ...] = ()


def given(change: Callable[..., Any]) -> Wrap:
    """The function gets other arguments: a tuple of all of them."""
    return lambda real: lambda *given, **named: real(*change(*given), **named)


def found(change: Callable[[Any], Any]) -> Wrap:
    """What the function finds is changed."""
    return lambda real: lambda *given, **named: change(real(*given, **named))


def shown(change: Callable[[Any], Any]) -> Wrap:
    """The same of a property."""
    return lambda real: property(lambda self: change((getattr(real, "fget", None) or real.func)(self)))


def planned(change: Callable[[ReleasePlan], ReleasePlan]) -> Wrap:
    return lambda real: classmethod(lambda cls, *given: change(real(*given)))


def read(change: Callable[[dict[str, Any]], object]) -> Wrap:
    """The policy is read as if it said something else."""

    def misread(real: Any) -> Any:
        def changed(where: str, content: Any) -> Any:
            content = copy.deepcopy(content)
            change(content)
            return real(where, content)

        return changed

    return misread


def instead(function: Callable[..., Any]) -> Wrap:
    return lambda real: function


def lower(requirement: Any, key: str, by: int = 1) -> Any:
    return replace(requirement, **{key: getattr(requirement, key) - by}) if hasattr(requirement, key) else requirement


def as_requirement(change: Callable[[Any], Any]) -> Wrap:
    """A method of a requirement answers for another one."""
    return lambda real: lambda self, *given: real(change(self), *given)


def alone(step: Any, block: pa.Table, schema: Any, groups: Partition, *rest: Any) -> tuple[Any, ...]:
    """Every record as a group of its own."""
    return step, block, schema, Partition(np.arange(len(block))), *rest


def column_of(table: pa.Table, name: str, change: Callable[[list[Any]], list[Any]]) -> pa.Table:
    """The table with other cells in one column."""
    at = table.column_names.index(name)
    return table.set_column(at, name, pa.array(change(table[name].to_pylist()), table[name].type))


def swapped(cells: list[Any]) -> list[Any]:
    """The largest cell and the smallest one in each other's place."""
    first, last = cells.index(min(cells)), cells.index(max(cells))
    cells[first], cells[last] = cells[last], cells[first]
    return cells


def all_hold(requirement: Any, groups: Any) -> Any:
    return np.ones(groups.n_groups, dtype=bool)


smaller_groups = given(lambda method, X, k, seed: (method, X, k - 1, seed))
all_kept = instead(lambda checked, n, *among: np.ones(n, dtype=bool))
any_digits = instead(lambda numbers, kind, decimals: pa.array(numbers.values))


def renamed(names: Callable[[list[str]], list[str]]) -> Wrap:
    """The file has other names than the release."""
    return given(lambda pieces, *rest: ([each.rename_columns(names(each.column_names)) for each in pieces], *rest))


def with_column(name: str, of: str) -> Wrap:
    """The release has a column of the original besides."""
    return lambda real: lambda table, *rest: real(table, *rest).append_column(name, table[of])


PROTECT, REQUIRE = "shoal.pipeline.protect", "shoal.requirements"
COUNTS = "shoal.encode.combination_counts"
ASSEMBLE = f"{PROTECT}.released_records.assemble"
GROUPED = f"{PROTECT}.microaggregation_step.BlockMicroaggregation._with_group_values"
WRITE = "shoal.sources.csv.write_pieces"
PLAN = "shoal.policy.release_plan.ReleasePlan.of"
READ = "shoal.policy.load._validate"
ANATOMY = "shoal.release.anatomize.Anatomy"
RECODING = "shoal.release.column_recoding"

FAULTS = [
    # counting and encoding
    Fault("a key forgets the last column", "ends", f"{COUNTS}.combination_keys",
          given(lambda codes, n: (codes[:-1] or codes, n))),
    Fault("combinations are counted twice", "cuts", f"{COUNTS}._few_counted",
          found(lambda t: replace(t, n=2 * t.n))),
    Fault("cells are blanked for one record less", "blanks",
          f"{PROTECT}.local_suppression_step.with_sufficient_sizes",
          found(lambda asked: tuple(lower(each, "k") for each in asked))),
    Fault("classes collide", "numbers", f"{PROTECT}.unit_release.class_numbers",
          found(lambda classes: classes // 4)),
    Fault("keys collide", "ends", f"{COUNTS}.combination_keys", found(lambda keys: keys % 16)),
    Fault("codes of two values are one", "ends", f"{COUNTS}.places_in_dictionary", found(lambda codes: codes // 2)),
    # schema
    Fault("the schema forgets a quasi-identifier", "means", "shoal.schema.schema.Schema.quasi_identifiers",
          shown(lambda names: names[:-1])),
    Fault("the schema forgets one that is cut", "cuts", "shoal.schema.schema.Schema.quasi_identifiers",
          shown(lambda names: names[:-1])),
    Fault("the schema forgets one that is blanked", "blanks", "shoal.schema.schema.Schema.quasi_identifiers",
          shown(lambda names: names[:-1])),
    Fault("a column has another role", "modes", "shoal.policy.policy.Policy.role_of",
          lambda real: lambda self, name: "other" if name == "zip" else real(self, name)),
    Fault("the schema forgets the units", "households", "shoal.schema.schema.Schema.unit", shown(lambda unit: None)),
    # policy and plan
    Fault("k is halved", "cuts", PLAN,
          planned(lambda plan: replace(plan, requirements=tuple(replace(r, k=2) for r in plan.requirements)))),
    Fault("k is one less", "means", PLAN,
          planned(lambda plan: replace(plan, requirements=tuple(lower(r, "k") for r in plan.requirements)))),
    Fault("the last requirement is dropped", "distinct", PLAN,
          planned(lambda plan: replace(plan, requirements=plan.requirements[:-1]))),
    Fault("strata are dropped", "strata", PLAN, planned(lambda plan: replace(plan, within=()))),
    Fault("the last key set is dropped", "key sets", "shoal.policy.release_plan.key_sets",
          found(lambda sets: sets[:1])),
    Fault("k of a key set is that of another", "key sets", "shoal.policy.release_plan.key_sets",
          found(lambda sets: tuple(replace(each, k=3, requirements=sets[0].requirements) for each in sets))),
    Fault("levels are dropped", "levels", f"{PROTECT}.fitted_table.resolve",
          found(lambda schema: Schema(replace(each, min_level=0) for each in schema.columns))),
    Fault("suppression is not local", "blanks", PLAN, planned(lambda plan: replace(plan, local_suppression=None))),
    Fault("weights are kept", "weights", PLAN, planned(lambda plan: replace(plan, weights="kept"))),
    Fault("the plan says that all is released as it is", "means", f"{PROTECT}.protected_table._grouped_table",
          lambda real: lambda original, *_: GroupedTable(original.engine.map_rows(original.frame, in_one_group))),
    Fault("k is halved when it is read", "means", READ, read(lambda policy: policy["requirements"][0].update(k=2))),
    Fault("a requirement is skipped when it is read", "distinct", READ,
          read(lambda policy: policy["requirements"].pop())),
    Fault("strata are skipped when they are read", "strata", READ, read(lambda policy: policy.pop("within"))),
    Fault("a role is misread", "modes", READ, read(lambda policy: policy["columns"]["zip"].update(role="other"))),
    Fault("a grid is misread", "cuts", READ, read(lambda policy: policy["columns"]["age"].update(grid=1))),
    Fault("a recoding is skipped", "recoded", READ, read(lambda policy: policy["columns"]["zip"].pop("recode"))),
    # requirements
    Fault("distinct l holds always", "distinct", f"{REQUIRE}.distinct_l_diversity.DistinctLDiversity.holds",
          instead(all_hold)),
    Fault("distinct l is one less", "distinct", f"{REQUIRE}.distinct_l_diversity.DistinctLDiversity.holds",
          as_requirement(lambda r: lower(r, "l"))),
    Fault("distinct l of an anatomy holds always", "anatomy",
          f"{REQUIRE}.distinct_l_diversity.DistinctLDiversity.holds", instead(all_hold)),
    Fault("entropy in bits", "entropy", f"{REQUIRE}.entropy_l_diversity.EntropyLDiversity._entropy",
          found(lambda nats: nats / np.log(2))),
    Fault("recursive l from the value before", "recursive",
          f"{REQUIRE}.recursive_l_diversity.RecursiveLDiversity._largest_l", found(lambda largest: largest + 1)),
    Fault("alpha from the other side", "alpha", f"{REQUIRE}.alpha_k_anonymity.AlphaKAnonymity.holds",
          lambda real: lambda self, groups: 1 - self._share(groups) <= self.alpha),
    Fault("the share of a value is halved", "alpha", f"{REQUIRE}.alpha_k_anonymity.AlphaKAnonymity._share",
          found(lambda share: share / 2)),
    Fault("k of alpha is one less", "alpha", f"{REQUIRE}.alpha_k_anonymity.AlphaKAnonymity.holds",
          as_requirement(lambda r: replace(r, k=2)),
          ((f"{REQUIRE}.alpha_k_anonymity.AlphaKAnonymity.least_records", instead(2)),)),
    Fault("t is halved", "t", f"{REQUIRE}.t_closeness.TCloseness._distance", found(lambda distance: distance / 2)),
    Fault("the ordered distance is halved", "t ordered", f"{REQUIRE}.earth_mover.ordered",
          found(lambda distance: distance / 2)),
    Fault("t by a tree forgets a level", "t by a tree", f"{REQUIRE}.earth_mover.hierarchical",
          found(lambda distance: distance * 2 / 3)),
    Fault("beta relative to the class", "beta", f"{REQUIRE}.beta_likeness.BetaLikeness._gain",
          found(lambda gain: gain / (1 + gain))),
    Fault("beta is not enhanced", "enhanced beta", f"{REQUIRE}.beta_likeness.BetaLikeness._gain",
          as_requirement(lambda r: replace(r, enhanced=False))),
    Fault("delta forgets values that a class lacks", "delta",
          f"{REQUIRE}.delta_disclosure.DeltaDisclosure._difference",
          found(lambda found: np.where(np.isinf(found), 0, found))),
    Fault("epsilon without R2", "epsilon", f"{REQUIRE}.epsilon_privacy.EpsilonPrivacy._least_epsilon",
          lambda real: lambda self, groups: 1 + (self.sigma + self.b) / np.maximum(groups.totals - self.b, 1e-09)),
    Fault("epsilon without the records that are known", "epsilon",
          f"{REQUIRE}.epsilon_privacy.EpsilonPrivacy._least_epsilon",
          as_requirement(lambda r: replace(r, b=0, sigma=1))),
    Fault("m is one too many", "invariance", f"{REQUIRE}.m_invariance.MInvariance._reached", found(lambda m: m + 1)),
    Fault("dominance of the largest alone", "dominance", f"{REQUIRE}.dominance.Dominance._share",
          as_requirement(lambda r: replace(r, contributors=1))),
    Fault("p percent counts the largest among the rest", "p percent", f"{REQUIRE}.p_percent.PPercent._percent",
          found(lambda p: p + 100)),
    Fault("half of the contributors are enough", "contributors",
          f"{REQUIRE}.minimum_contributors.MinimumContributors.holds", as_requirement(lambda r: replace(r, n=2))),
    Fault("k holds always", "means", f"{REQUIRE}.k_anonymity.KAnonymity.holds", instead(all_hold),
          (("shoal.methods.microaggregation.mdav.Mdav.plan", smaller_groups),)),
    Fault("prosecutor risk rounds sizes down", "prosecutor",
          f"{REQUIRE}.prosecutor_risk.ProsecutorRisk.least_records", shown(lambda n: n - 1),
          ((f"{REQUIRE}.prosecutor_risk.ProsecutorRisk.holds", instead(all_hold)),)),
    Fault("journalist risk of twice the population", "journalist",
          f"{REQUIRE}.journalist_risk.JournalistRisk.least_records", shown(lambda n: n // 2),
          ((f"{REQUIRE}.journalist_risk.JournalistRisk._population", found(lambda n: 2 * n)),)),
    Fault("marketer risk of twice the population", "marketer",
          f"{REQUIRE}.marketer_risk.MarketerRisk.sufficient_records", shown(lambda n: n // 2)),
    Fault("records at risk by half the threshold", "at risk",
          f"{REQUIRE}.records_at_risk.RecordsAtRisk.sufficient_records", shown(lambda n: n // 2)),
    Fault("length holds always", "length", f"{REQUIRE}.minimum_length.MinimumLength.holds", instead(all_hold),
          ((f"{REQUIRE}.minimum_length.MinimumLength.native_test", instead(NativeTest(kernels.TestKind.length, 1.0))),
           (f"{REQUIRE}.minimum_length.MinimumLength.asked", instead(1.0)))),
    # groups
    Fault("groups of one record less", "modes", "shoal.methods.microaggregation.mdav.Mdav.plan",
          smaller_groups,
          ((f"{REQUIRE}.k_anonymity.KAnonymity.holds", instead(all_hold)),)),
    Fault("failing groups are not merged", "entropy", f"{PROTECT}.microaggregation_step.merge_failing",
          instead(lambda X, groups, holds: groups),
          ((f"{PROTECT}.microaggregation_step.keep_until_stable", all_kept),)),
    Fault("means of single records", "means", GROUPED, given(alone)),
    Fault("modes of single records", "modes", GROUPED, given(alone)),
    Fault("means of times of single records", "times", GROUPED, given(alone)),
    Fault("extents of single records", "extents", GROUPED, given(alone)),
    Fault("a group crosses strata", "strata", f"{PROTECT}.strata.Strata.stratum_of",
          found(lambda strata: 0 * strata)),
    Fault("suppressed records are written", "suppressed", f"{PROTECT}.released_records.released_rows",
          instead(lambda piece: piece)),
    Fault("records that fail are kept", "suppressed", f"{PROTECT}.microaggregation_step.keep_until_stable",
          all_kept),
    Fault("nothing is blanked", "blanks", f"{PROTECT}.local_suppression_step.blank",
          instead(lambda table, blanks: table)),
    Fault("one column is not blanked", "blanks", "shoal.plan.blanks.Blanks.of_records",
          found(lambda cells: cells & (np.arange(3) > 0))),
    Fault("no wildcard is blanked", "wildcards", f"{PROTECT}.local_suppression_step.blank",
          instead(lambda table, blanks: table)),
    # rounding, grids and extents
    Fault("means have all their digits", "means", "shoal.release.aggregate.Centroids._means",
          lambda real: lambda self, column, values: self._known_means(to_numbers(column.name, values)),
          (("shoal.release.aggregate.from_numbers", any_digits),)),
    Fault("nothing is promised of means", "means", "shoal.pipeline.files.promises.Promises.of_schema",
          instead(lambda plan, schema: Promises()),
          (("shoal.release.aggregate.Centroids._means",
            lambda real: lambda self, column, values: self._known_means(to_numbers(column.name, values))),
           ("shoal.release.aggregate.from_numbers", any_digits))),
    Fault("times have all their digits", "times", "shoal.release.aggregate.controlled_rounding",
          instead(lambda numbers, added, draws: numbers)),
    Fault("intervals end at values", "extents", "shoal.schema.grid.Grid.cover",
          instead(lambda self, least, greatest: (least, greatest + 1))),
    Fault("cuts are at values", "cuts", "shoal.schema.grid.Grid.between", instead(lambda self, places: places[1:])),
    Fault("intervals are closed", "extents", "shoal.release.grammar._interval",
          found(lambda text: text.replace(")", "]"))),
    Fault("intervals are written in another notation", "cuts", "shoal.release.grammar._interval",
          found(lambda text: text.strip("[)").replace(", ", "-"))),
    Fault("ends are one above those of the interval", "ends", "shoal.release.generalize.bounds",
          found(lambda ends: tuple(pc.add(each, 1) for each in ends))),
    Fault("values are written with a blank behind them", "extents", "shoal.release.grammar._quoted",
          found(lambda text: text + " ")),
    Fault("noise has all its digits", "noise", "shoal.schema.resolution.Resolution.nearest",
          instead(lambda self, values: values)),
    Fault("weights have all their digits", "weights", f"{PROTECT}.protected_table.replace_weights",
          instead(lambda original, frame: frame)),
    # recoding
    Fault("one column is not recoded", "recoded", f"{PROTECT}.recoding_step.PieceRecoding.__call__",
          lambda real: lambda self, piece: real(self, piece).set_column(1, "zip", piece["zip"])),
    Fault("codes keep a character more", "recoded", f"{RECODING}.PrefixRecoding.recode",
          as_requirement(lambda r: replace(r, length=r.length + 1))),
    Fault("intervals are half as wide", "recoded", f"{RECODING}.WidthRecoding.recode",
          as_requirement(lambda r: replace(r, width=r.width / 2))),
    Fault("months instead of quarters", "recoded", f"{RECODING}.DatePartRecoding.recode",
          as_requirement(lambda r: replace(r, part="month"))),
    Fault("tops are not coded", "recoded", f"{RECODING}.BoundRecoding.recode",
          as_requirement(lambda r: replace(r, top=None))),
    Fault("a category is not merged", "recoded", f"{RECODING}.CategoryRecoding.recode",
          as_requirement(lambda r: replace(r, categories={"hiv": "rare"}))),
    # writing
    Fault("the cell of another record", "means", ASSEMBLE, found(lambda t: column_of(t, "age", swapped))),
    Fault("a column of extents is mixed", "cuts", ASSEMBLE, found(lambda t: column_of(t, "age", swapped))),
    Fault("an identifier is written", "pseudonyms", ASSEMBLE,
          with_column("person", "name")),
    Fault("a column too many", "cuts", ASSEMBLE, found(lambda t: t.append_column("place", pa.array(range(len(t)))))),
    Fault("a column is lost", "cuts", ASSEMBLE, found(lambda t: t.drop_columns("illness"))),
    Fault("the unit is written", "patients", ASSEMBLE,
          with_column("hid", "hid")),
    Fault("a blank is written as the cell above", "blanks", "shoal.sources.csv_out.to_cells",
          lambda real: lambda name, cells, options: real(name, pc.fill_null_forward(cells), options)),
    Fault("names are written in capitals", "means", WRITE,
          renamed(lambda names: [name.upper() for name in names])),
    Fault("two columns have one name", "means", WRITE,
          renamed(lambda names: ["age", "age", "sex"])),
    Fault("the header is the first record", "means", WRITE,
          renamed(lambda names: ["31", "2000", "f"])),
    Fault("a pseudonym is the plain number", "pseudonyms", "shoal.release.assemble.pseudonyms",
          instead(lambda column, cells: cells)),
    Fault("all pseudonyms are one", "pseudonyms", "shoal.release.assemble.pseudonyms",
          found(lambda names: pa.array([names[0].as_py()] * len(names)))),
    Fault("a pseudonym is cut short", "pseudonyms", "shoal.release.assemble.pseudonyms",
          found(lambda names: pc.utf8_slice_codeunits(names, 0, 8))),
    # units
    Fault("households are not linked by their members", "households", f"{PROTECT}.protected_table.apply_to_units",
          instead(lambda original, frame: UnitResult(frame, None, ())),
          ((f"{PROTECT}.microaggregation_step.BlockMicroaggregation._households", instead(lambda self, block: None)),)),
    Fault("numbers of households collide", "households", "shoal.release.assemble.HouseholdNumbers.of_cells",
          found(lambda numbers: pc.divide(numbers, 2))),
    Fault("units are counted as records", "numbers", "shoal.requirements.groups.first_of_units",
          instead(lambda labels, n, units: n)),
    # anatomy
    Fault("group numbers are mixed", "anatomy", f"{ANATOMY}.records",
          found(lambda t: column_of(t, "group", lambda of: [min(set(of) - {of[0]}), *of[1:]]))),
    Fault("a count is off by one", "anatomy", f"{ANATOMY}.sensitive",
          found(lambda t: column_of(t, "count", lambda n: [n[0] + 1, *n[1:]]))),
    Fault("a row is repeated", "anatomy", f"{ANATOMY}.sensitive",
          found(lambda t: pa.concat_tables([t, t.slice(0, 1)]))),
    Fault("a row is lost", "anatomy", f"{ANATOMY}.sensitive", found(lambda t: t.slice(1))),
    Fault("groups of single records", "anatomy", f"{ANATOMY}.with_group_numbers",
          lambda real: lambda self, t, groups: t.append_column("group", pa.array(range(len(t)), pa.int64()))),
    Fault("the sensitive column stays", "anatomy", f"{ANATOMY}.records", instead(lambda self, numbered: numbered)),
]  # fmt: skip


def plant(monkeypatch: pytest.MonkeyPatch, where: str, wrap: Wrap) -> None:
    owner, _, name = where.rpartition(".")
    of = pkgutil.resolve_name(owner)
    monkeypatch.setattr(of, name, wrap(getattr(of, name)))


@pytest.fixture(autouse=True)
def without_linkage(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is measured of a release changes nothing in it. The lock stays on."""
    monkeypatch.setattr(own_assessment, "_with_linkage", lambda assessment, *_: assessment)


@pytest.fixture
def open_gate(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The gate proves whatever it is given; what the verifier then finds is written down."""
    found: list[str] = []

    def faults_of(real: Any) -> Any:
        def noted(*given: Any) -> list[str]:
            found.extend(real(*given))
            return found

        return noted

    plant(monkeypatch, f"{PROTECT}.proven_release.prove_with_units", instead(lambda *given: Proof(0, 0, 0, ())))
    plant(monkeypatch, "shoal.pipeline.verify.second_lock.faults_of_verifier", faults_of)
    return found


def released(policy: str, folder: Path) -> None:
    """The release of the persons under a policy, by the same draws in every case."""
    asked = copy.deepcopy(POLICIES[policy])
    (folder / "key").write_bytes(bytes(32))
    for column in asked["columns"].values():
        if "pseudonym" in column:
            column["pseudonym"] = str(folder / "key")
    table = persons().select(list(asked["columns"]))
    shoal.protect(table, asked, output=folder / "release.csv", key=bytes(32))


def costly(policy: str) -> tuple[pytest.MarkDecorator, ...]:
    """Groups that are merged until a requirement holds take longest: most of them are run by make gate."""
    return (pytest.mark.gate,) if policy in tuple(POLICIES)[tuple(POLICIES).index("entropy") :] else ()


@pytest.mark.parametrize("fault", [pytest.param(each, marks=costly(each.policy), id=each.name) for each in FAULTS])
def test_the_verifier_alone_refuses(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_gate: list[str]
) -> None:
    plant(monkeypatch, fault.where, fault.wrap)
    for where, wrap in fault.also:
        plant(monkeypatch, where, wrap)
    with pytest.raises(RequirementError):
        released(fault.policy, tmp_path)
    assert open_gate, "it was refused before the file was written"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["key"]


@pytest.mark.parametrize("policy", [pytest.param(each, marks=costly(each)) for each in POLICIES])
def test_without_a_fault_the_policy_is_released(policy: str, tmp_path: Path) -> None:
    released(policy, tmp_path)
    assert (tmp_path / "release.csv").exists()


def test_what_is_proved_is_the_policy_as_it_was_given() -> None:
    """A changed policy is no more what its author wrote; objects of Shoal have no text but that of the policy."""
    given = load(POLICIES["means"])
    assert tomllib.loads(text_as_given(given)) == POLICIES["means"]
    assert text_as_given(load_text("# mine\n" + dump(given))).startswith("# mine")
    stricter = given.model_copy(update={"requirements": (shoal.KAnonymity(7),)})
    assert tomllib.loads(text_as_given(stricter))["requirements"] == [{"k": 7, "name": "k_anonymity"}]
    for objects in ({"requirements": [shoal.KAnonymity(7)]}, {"requirements": (k(7),), "local_suppression": None}):
        written = tomllib.loads(text_as_given(load({**POLICIES["means"], **objects})))
        assert written["requirements"] == [{"k": 7, "name": "k_anonymity"}]
