"""Every advice, followed to the letter through every method: its keys exist, and it leads to a release or to another
true message, never back to itself."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest

import shoal
from advice_example import (
    NAMES,
    Content,
    absent_keys,
    advised,
    all_texts,
    as_text,
    changed,
    named_keys,
    sentences,
    with_lines,
)
from method_examples import METHODS, methods_of
from shoal.errors import PolicyError, ShoalError
from shoal.pipeline.protect import exposures
from shoal.policy import load
from shoal.policy.change.candidate_changes import RiskyColumns, candidate_changes, joint_changes
from shoal.policy.change.policy_change import policy_of_text, policy_source

N = 24
TABLE = pa.table(
    {
        "person": [f"P{at}" for at in range(N)],
        "house": [f"H{at // 2}" for at in range(N)],
        "firm": [f"F{at % 2}" for at in range(N)],
        "age": [20 + (7 * at) % 40 for at in range(N)],
        "zip": [f"{at % 3}{at % 2}" for at in range(N)],
        "town": ["A"] * 11 + ["B"] * 11 + ["C"] * 2,
        "born": [date(1980, 1, 1) + timedelta(31 * (at % 9)) for at in range(N)],
        "ill": ["flu" if at % 4 else "cold" for at in range(N)],
        "street": [f"S{at // 2 % 3}" for at in range(N)],
        "rare": ["none"] * (N - 1) + ["some"],
        "same": ["one"] * N,
        "pay": [1000.0 + 13 * at for at in range(N)],
        "turnover": [10.0] * (N - 1) + [9000.0],
        "huge": [1e200] * N,
        "w": [1.5 + at % 3 for at in range(N)],
    }
)
COLUMNS: Content = {
    **{name: {"role": "identifier"} for name in TABLE.column_names},
    "age": {"role": "quasi_identifier", "kind": "numeric"},
    "zip": {"role": "quasi_identifier", "kind": "nominal"},
    "ill": {"role": "sensitive"},
}
K = {"name": "k_anonymity", "k": 3}
L = {"name": "distinct_l_diversity", "column": "ill", "l": 2}


def column(name: str, **rule: object) -> tuple[str, object]:
    return f"columns.{name}", rule


def asks(*requirements: Content) -> tuple[str, object]:
    return "requirements", list(requirements)


def role(name: str, given: str, **more: object) -> tuple[str, object]:
    kind = {"kind": "numeric"} if pa.types.is_floating(TABLE.schema.field(name).type) else {}
    return column(name, role=given, **kind, **more)


HOUSEHOLD, UNIT = role("house", "household"), role("firm", "unit")
RISKS = {"records_at_risk": {"share": 0.1, "threshold": 0.3}, "marketer_risk": {"average": 0.2}}
ON_SOME = [{**K, "columns": ["age"]}, {**L, "columns": ["zip"]}]

# What somebody writes into a policy, by a name that says it; each is tried with every method.
WRITTEN: dict[str, list[tuple[str, object]]] = {
    "as it is": [],
    "no requirement": [asks()],
    "l alone": [asks(L)],
    "t alone": [asks({"name": "t_closeness", "column": "ill", "t": 0.3})],
    "beta alone": [asks({"name": "beta_likeness", "column": "ill", "beta": 1.0})],
    "k too large": [asks({"name": "k_anonymity", "k": 30})],
    "k of risk too large": [asks({"name": "prosecutor_risk", "maximum": 0.03})],
    "k of alpha too large": [asks({"name": "alpha_k_anonymity", "column": "ill", "alpha": 0.9, "k": 30})],
    "k above units": [UNIT, asks(K)],
    "prosecutor above units": [UNIT, asks({"name": "prosecutor_risk", "maximum": 0.3})],
    "k of one": [asks({"name": "k_anonymity", "k": 1})],
    "method.k below": [("method.k", 2)],
    "method.k alone": [("method.k", 3), asks(L)],
    "l unattainable": [asks(K, {**L, "l": 5})],
    "l of one value": [role("same", "sensitive"), asks(K, {**L, "column": "same"})],
    "l of one value, suppressed": [
        role("same", "sensitive"), asks(K, {**L, "column": "same"}), ("suppression.limit", 0.5)
    ],
    "l unattainable, suppressed": [asks(K, {**L, "l": 5}), ("suppression.limit", 0.5)],
    "entropy unattainable, suppressed": [
        asks(K, {"name": "entropy_l_diversity", "column": "ill", "l": 3}), ("suppression.limit", 0.5)
    ],
    "entropy unattainable": [asks(K, {"name": "entropy_l_diversity", "column": "ill", "l": 3})],
    "recursive unattainable": [asks(K, {"name": "recursive_l_diversity", "column": "rare", "c": 1, "l": 2}),
                               role("rare", "sensitive")],
    "alpha unattainable": [asks({"name": "alpha_k_anonymity", "column": "ill", "alpha": 0.2, "k": 3})],
    "alpha unattainable, suppressed": [
        asks({"name": "alpha_k_anonymity", "column": "ill", "alpha": 0.2, "k": 3}), ("suppression.limit", 0.5)
    ],
    "l of a rare value": [role("rare", "sensitive"), asks(K, {**L, "column": "rare"})],
    "l of a rare value, not merged": [
        role("rare", "sensitive"), asks(K, {**L, "column": "rare"}), ("method.merge", False)
    ],
    "l alone of a rare value, not merged": [
        role("rare", "sensitive"), asks({**L, "column": "rare"}), ("method.merge", False), ("method.k", 4)
    ],
    "tight t": [asks(K, {"name": "t_closeness", "column": "ill", "t": 0.01})],
    "tight t, not merged": [asks(K, {"name": "t_closeness", "column": "ill", "t": 0.01}), ("method.merge", False)],
    "dominance": [role("turnover", "sensitive"),
                  asks(K, {"name": "dominance", "column": "turnover", "contributors": 1, "share": 0.3})],
    "p percent within": [role("turnover", "sensitive"), role("town", "other"), ("within", ["town"]),
                         asks(K, {"name": "p_percent", "column": "turnover", "p": 50})],
    "ordered t of texts": [asks(K, {"name": "t_closeness", "column": "ill", "t": 0.3, "distance": "ordered"})],
    "tree without taxonomy": [asks(K, {"name": "t_closeness", "column": "ill", "t": 0.3, "distance": "hierarchical"})],
    "length": [asks(K, {"name": "minimum_length", "column": "age", "width": 5})],
    "length of points": [asks(K, {"name": "minimum_length", "column": "age", "width": 5}),
                         ("output.representation", "centroids")],
    "length too wide": [asks(K, {"name": "minimum_length", "column": "age", "width": 500})],
    "length of a generated taxonomy": [asks(K, {"name": "minimum_length", "column": "zip", "width": 1}),
                                       column("zip", role="quasi_identifier", taxonomy={"prefixes": [1]})],
    "journalist without population": [asks(K, {"name": "journalist_risk", "maximum": 0.2})],
    "journalist of two": [role("w", "weight"), asks(K, {"name": "journalist_risk", "maximum": 0.2, "column": "w",
                                                        "sampling_fraction": 0.5})],
    "journalist": [asks({"name": "journalist_risk", "maximum": 0.2, "sampling_fraction": 0.9})],
    "journalist by weights alone": [role("w", "weight"),
                                    asks({"name": "journalist_risk", "maximum": 0.1, "column": "w"})],
    **{name: [asks({"name": name, **limit})] for name, limit in RISKS.items()},
    **{f"{name} by weights": [role("w", "weight"), asks({"name": name, "column": "w", **limit})]
       for name, limit in RISKS.items()},
    **{f"{name} by weights and k": [role("w", "weight"), asks({"name": name, "column": "w", "share": 0.1,
       "threshold": 0.05} if name == "records_at_risk" else {"name": name, "column": "w", "average": 0.05}, K)]
       for name in RISKS},
    "key sets": [asks(*ON_SOME)],
    "a key set without k": [asks(ON_SOME[0], {**L, "columns": ["zip"]})],
    "in no key set": [asks(ON_SOME[0])],
    "permuted key sets": [asks(*ON_SOME), ("output.permute", True)],
    "anatomy of key sets": [asks(*ON_SOME), ("output.representation", "anatomy")],
    "repair of key sets": [asks(*ON_SOME), ("method.k", 3), ("blocking.repair", True), ("blocking.method", "twod_tree"),
                             ("blocking.limit", 8)],
    "strata": [role("town", "other"), ("within", ["town"])],
    "strata of sensitive": [role("town", "other"), ("within", ["town"]), role("rare", "sensitive"),
                            asks(K, {**L, "column": "rare"})],
    "all strata fail": [role("town", "other"), ("within", ["town"]), role("same", "sensitive"),
                        asks(K, {**L, "column": "same"}), ("suppression.limit", 0.9)],
    "unknown stratum": [("within", ["village"])],
    "method suppresses more": [("method.suppression", 0.3)],
    "method suppresses": [("method.suppression", 0.3), ("suppression.limit", 0.3)],
    "method suppresses, tight t": [("method.suppression", 0.3), ("suppression.limit", 0.3),
                                   asks(K, {"name": "t_closeness", "column": "ill", "t": 0.01})],
    "ends of points": [("output.ends", True), ("output.representation", "centroids")],
    "ends": [("output.ends", True)],
    "permute": [("output.permute", True)],
    "extents": [("output.representation", "extents")],
    "anatomy": [("output.representation", "anatomy")],
    "controlled categories": [("output.categories", "controlled")],
    "controlled categories of extents": [("output.categories", "controlled"), ("output.representation", "extents")],
    "weights without weight": [("output.weights", "rounded")],
    "households unlinked without one": [("output.household", "unlinked")],
    "totals of a sensitive amount": [("output.totals_by", ["age"])],
    "univariate blocks": [("blocking.method", "univariate"), ("blocking.dimensions", ["age", "zip"])],
    "small blocks": [("blocking.limit", 4), ("blocking.method", "twod_tree")],
    "blocks of households": [HOUSEHOLD, ("blocking.method", "twod_tree"), ("blocking.limit", 8)],
    "blocks of units": [HOUSEHOLD, asks(K, L), ("blocking.method", "univariate"), ("blocking.dimensions", ["age"])],
    "households": [HOUSEHOLD],
    "wildcards of units": [HOUSEHOLD, ("local_suppression", {"blanks": "wildcard"})],
    "no weight at all": [column("age", role="quasi_identifier", kind="numeric", weight=0),
                         column("zip", role="quasi_identifier", weight=0)],
    "a weight": [column("age", role="quasi_identifier", kind="numeric", weight=2)],
    "a free blank": [column("age", role="quasi_identifier", kind="numeric", weight=0), ("local_suppression", {})],
    "level of a household": [column("age", role="quasi_identifier", kind="numeric", level="household")],
    "min level": [column("zip", role="quasi_identifier", taxonomy={"prefixes": [1]}, min_level=1)],
    "min level of extents": [column("zip", role="quasi_identifier", taxonomy={"prefixes": [1]}, min_level=1),
                             ("output.representation", "extents")],
    "min level above root": [column("zip", role="quasi_identifier", taxonomy={"prefixes": [1]}, min_level=4),
                             ("output.representation", "extents")],
    "max level": [column("zip", role="quasi_identifier", taxonomy={"prefixes": [1]}, max_level=0),
                  ("output.representation", "extents"), asks({"name": "k_anonymity", "k": 8})],
    "max level, l alone": [column("zip", role="quasi_identifier", taxonomy={"prefixes": [1]}, max_level=0),
                           ("output.representation", "extents"), role("rare", "sensitive"),
                           asks({**L, "column": "rare"}), ("method.k", 3)],
    "min above max": [column("zip", role="quasi_identifier", taxonomy={"prefixes": [1]}, min_level=2, max_level=1),
                      ("output.representation", "extents")],
    "local suppression": [("local_suppression", {})],
    "local suppression of l": [("local_suppression", {}), asks(K, L)],
    "wildcards of l": [("local_suppression", {"blanks": "wildcard"}), asks(K, L)],
    "local suppression in vain": [("local_suppression", {}), role("same", "sensitive"), asks({**L, "column": "same"}),
                                  ("suppression.limit", 0.5)],
    "perturbed": [("perturbations", [{"name": "noise", "columns": ["age"]}])],
    "perturbed, l alone": [("perturbations", [{"name": "noise", "columns": ["age"]}]), asks(L)],
    "rank swap of few": [("perturbations", [{"name": "rank_swap", "columns": ["age"], "p": 1}])],
    "noise of two levels": [HOUSEHOLD, column("age", role="quasi_identifier", kind="numeric", level="household"),
                            role("pay", "quasi_identifier"),
                            ("perturbations", [{"name": "noise", "kind": "correlated", "columns": ["age", "pay"]}])],
    "pram below a node": [("perturbations", [{"name": "pram", "columns": ["zip"], "level": 1}])],
    "noise of a nominal": [("perturbations", [{"name": "noise", "columns": ["zip"]}])],
    "shifted months": [role("firm", "unit"), asks({"name": "k_anonymity", "k": 2}),
                       column("born", role="other", kind="date"),
                       ("perturbations", [{"name": "date_shift", "columns": ["born"], "days": 20}])],
    "a pseudonym of repeated values": [column("house", role="identifier", pseudonym="name.key")],
    "earlier without person": [("earlier", {"releases": []})],
    "number of texts": [column("zip", role="quasi_identifier", kind="numeric")],
    "date of numbers": [column("age", role="quasi_identifier", kind="date")],
    "order that lacks values": [column("zip", role="quasi_identifier", kind="ordinal", order=["00", "01"])],
    "taxonomy of other cells": [column("age", role="quasi_identifier", kind="nominal", taxonomy={"intervals": [5]})],
    "recoded otherwise": [column("age", role="quasi_identifier", kind="numeric", recode={"prefix": 1})],
    "recoded under a taxonomy": [column("zip", role="quasi_identifier", taxonomy={"prefixes": [1]},
                                        recode={"prefix": 1})],
    "merged apart": [column("zip", role="quasi_identifier", kind="ordinal", order=["00", "01", "10", "11", "20", "21"],
                            recode={"merge": {"x": ["00", "20"]}})],
    "a pseudonym without key": [column("person", role="identifier", pseudonym="none.key")],
    "merged into missing": [column("zip", role="quasi_identifier", recode={"merge": {"NA": ["00", "01"]}}),
                            ("source.missing", ["NA"])],
    "numbers that are too large": [role("huge", "quasi_identifier")],
    "a taxonomy of intervals of texts": [column("zip", role="quasi_identifier", taxonomy={"intervals": [5]})],
    "a taxonomy file that is not there": [column("zip", role="quasi_identifier", taxonomy={"file": "none.csv"})],
    "values of households": [HOUSEHOLD, role("street", "sensitive"), asks({"name": "k_anonymity", "k": 2},
                                                                     {**L, "column": "street"})],
    "weights that are none": [column("age", role="weight", kind="numeric"), ("columns.pay.role", "quasi_identifier"),
                              ("columns.pay.kind", "numeric")],
    "classification without target": [("method.loss", "classification")],
    "certainty": [("method.loss", "certainty")],
    "a target": [("method.target", "ill")],
    "no such key": [("method.kk", 3)],
    "decoys without merging": [("method.decoys", "auto"), ("method.merge", False)],
    "odd toroid": [("method.map", {"size": [3, 4], "shape": "toroid", "lattice": "hexagonal"})],
}  # fmt: skip


MOST_STEPS = 10


# What a release warns of, by the remedies of shoal.policy.policy_advice.
WARNED: dict[str, list[tuple[str, object]]] = {
    "a column that singles out": [role("pay", "other")],
    "one with other keys": [column("pay", role="other", kind="numeric", decimals=1)],
    "one under key sets": [role("pay", "other"), asks(*ON_SOME)],
    "a weight that singles out": [role("w", "weight"), ("warn.unique", 0.0)],
    "a weight within strata": [role("w", "weight"), role("town", "other"), ("within", ["town"]), ("warn.unique", 0.0),
                               ("suppression.limit", 0.5)],
    "a sensitive column that singles out": [role("pay", "sensitive")],
    "a stratum": [role("firm", "other"), ("within", ["firm"]), ("warn.unique", 0.0), role("pay", "other")],
    "classes of one value": [("warn.homogeneous", 0.0)],
    "classes of one value, wildcards": [("warn.homogeneous", 0.0), ("local_suppression", {"blanks": "wildcard"})],
    "classes of one value, perturbed": [("warn.homogeneous", 0.0), asks(), ("local_suppression", None),
                                        ("perturbations", [{"name": "noise", "columns": ["age"]}])],
    "means that tell values": [("warn.determined", 0.0), role("pay", "quasi_identifier")],
    "merged classes": [asks(K, {**L, "column": "rare"}), role("rare", "sensitive"), ("warn.minimality", 0.0)],
    "suppressed classes": [asks(K, L), ("method.suppression", 0.3), ("suppression.limit", 0.3),
                           ("warn.minimality", 0.0)],
    "ends at the least value": [column("age", role="quasi_identifier", kind="numeric", recode={"width": 10}),
                                ("output.representation", "extents")],
    "no k, one value": [asks({"name": "beta_likeness", "column": "ill", "beta": 3.0}), ("warn.homogeneous", 0.0)],
}  # fmt: skip
ELSEWHERE = {
    "RequirementError.fail_together": "of searches in several strata that suppress, and rarely fail together",
    "PolicyError.no_second_table": "of the function that proves a table, in tests/gate",
    "ColumnError.short_key": "needs a key file, in tests/pipeline/test_pipeline_bad_input.py",
    "TableError.not_in_order": "of columns that are encoded in Python, in tests/encode",
    "TableError.not_compared": "of an analysis, in a report that is made all the same",
    "TableError.blurred_target": "of an analysis, in a report that is made all the same",
    "TableError.too_few_for_analysis": "of an analysis, in a report that is made all the same",
    "TableError.no_features": "of an analysis, in a report that is made all the same",
    "TaxonomyError.not_covered": "needs a hierarchy file, in tests/schema",
}


def written(method: str, provocation: str) -> Content:
    """The policy of a method with what somebody writes into it."""
    policy: Content = {"columns": copy.deepcopy(COLUMNS), "requirements": [K], "method": dict(METHODS[method].runs[0])}
    if method == "none":
        policy["method"] = {"name": "none"}
        policy["local_suppression"] = {}
    for path, value in (WRITTEN | WARNED)[provocation]:
        policy = changed(policy, path, value)
    return policy


@dataclass
class Outcome:
    """What a policy leads to: a message, or a release and the lines that its warnings advise."""

    message: str = ""
    remedies: tuple[str, ...] = ()

    @classmethod
    def of(cls, policy: Content) -> Outcome:
        try:
            found = shoal.protect(TABLE, policy, key=bytes(32))
        except ShoalError as said:
            return cls(str(said))
        return cls(remedies=tuple(each.remedy for each in found.assessment.exposures if each.remedy))


@dataclass
class Walk:
    """All policies that advice leads to from some policies, each tried once, with what is wrong about the advice."""

    known: dict[str, Outcome] = field(default_factory=dict)  # by policy
    followed: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def outcome(self, policy: Content) -> Outcome:
        text = _text(policy)
        if text not in self.known:
            self.known[text] = Outcome.of(policy)
        return self.known[text]

    def follow(self, policy: Content, before: tuple[Content, ...] = ()) -> None:
        found, method = self.outcome(policy), policy.get("method", {}).get("name", "mdav")
        if policy in before or len(before) > MOST_STEPS:
            said = (self.outcome(each).message or "released" for each in (*before, policy))
            self.faults.append(f"{method}: advice leads nowhere: {' -> '.join(said)}")
        elif _text(policy) not in self.followed:
            self.followed.add(_text(policy))
            self.faults += [f"{method} has no {key}: {found.message}" for key in absent_keys(found.message, method)]
            for words, next_policy in (*advised(found.message, policy), *self.remedied(found, policy)):
                if next_policy is None or next_policy == policy:
                    self.faults.append(f"{method}: nothing to change by '{words}': {found.message}")
                else:
                    self.follow(next_policy, (*before, policy))

    def remedied(self, found: Outcome, policy: Content) -> Iterator[tuple[str, Content]]:
        """The policy with the lines of each warning. A key that is not there is a fault, whatever else is wrong."""
        for lines in found.remedies:
            then = with_lines(policy, lines)
            if "there is no such key" in self.outcome(then).message:
                self.faults.append(f"{policy['method']['name']}: {self.outcome(then).message} after {lines}")
            yield lines, then

    @property
    def messages(self) -> set[str]:
        return {line for found in self.known.values() for line in found.message.split("\n  ")}


def _text(policy: Content) -> str:
    return json.dumps(policy, sort_keys=True, default=str)


@cache
def walked(method: str, names: tuple[str, ...] = tuple(WRITTEN | WARNED)) -> Walk:
    walk = Walk()
    for name in names:
        walk.follow(written(method, name))
    return walk


FEW = ("as it is", "l alone", "k of risk too large", "l of one value, suppressed", "marketer_risk by weights",
       "wildcards of l", "method suppresses more", "local suppression in vain", "classes of one value")  # fmt: skip


@pytest.mark.parametrize("method", ["mdav", "global_recoding", "none"])
def test_advice_leads_to_a_release_or_to_another_true_message(method):
    assert not walked(method, FEW).faults


WHOLE = ("mdav", "mondrian", "global_recoding", "none")  # methods that together provoke every message


@pytest.mark.gate
@pytest.mark.parametrize("method", [name for name in NAMES if name not in WHOLE])
def test_every_advice_through_every_method(method):
    """Methods that form groups read a policy alike, and are walked by what names a key of the method."""
    of_method = tuple(name for name, rules in WRITTEN.items() if any("method." in path for path, _ in rules))
    is_like_mdav = method in methods_of("groups")
    assert not (walked(method, (*FEW, *of_method)) if is_like_mdav else walked(method)).faults


@pytest.mark.gate
def test_every_sentence_that_names_a_key_was_walked():
    assert not [fault for method in WHOLE for fault in walked(method).faults]
    said = set().union(*(walked(method).messages for method in WHOLE))
    for name, pattern in sentences().items():
        if named_keys(as_text(pattern.pattern)):
            assert any(map(pattern.search, said)) != (name in ELSEWHERE), name


def test_every_key_that_a_sentence_names_exists():
    """Of some method; what is said to which is walked above. Names of a manifest have the form of keys, too."""
    root = Path(shoal.__file__).parent
    files = [file for file in root.rglob("*.py") if file.name != "manifest_figures.py"]
    texts = {text for file in files for text in all_texts(file.read_text(encoding="utf-8")) if named_keys(text)}
    assert len(texts) > 150
    absent = {key for text in texts for key in set.intersection(*(absent_keys(text, name) for name in NAMES))}
    assert {key for key in absent if not key.endswith(".x")} == set()


PLANTED = {
    "set k under [method]": "method: no k is given. Require k-anonymity: [[requirements]] name = 'k_anonymity', k = 5; "
    "or set k under [method].",
    "a key that no method has": "method: there is no k. Set method.size = 5.",
    "what changes nothing": "method: there is no k. Raise k.",
    "what helps nobody": "requirements: there is none. Set suppression.limit = 0.5, or set suppression.limit = 0.4.",
}


@pytest.mark.parametrize("said", PLANTED.values(), ids=PLANTED)
def test_wrong_advice_is_seen(said, monkeypatch):
    monkeypatch.setattr(PolicyError, "no_class_fails", classmethod(lambda cls, _: cls(said)))
    walk = Walk()
    walk.follow(written("mondrian", "no requirement"))
    assert walk.faults


def test_a_warning_that_names_another_key_is_seen(monkeypatch):
    monkeypatch.setattr(exposures, "advice_to_protect", lambda *_: "[method]\nmerge = true")
    walk = Walk()
    walk.follow(written("mondrian", "a column that singles out"))
    assert any("there is no such key" in fault for fault in walk.faults)


@pytest.mark.parametrize("method", NAMES)
def test_every_change_that_mend_tries_has_keys_of_the_method(method):
    """Each may fail, which mend finds out; none writes a key that is not there."""
    policy = load(written(method, "as it is") | {"columns": {**COLUMNS, "pay": {"role": "other", "kind": "numeric"}}})
    limits = {"prosecutor_risk": 0.1, "attribute_disclosure": 0.2}
    risky, text = RiskyColumns(("pay", "age", "zip"), ("pay",), None, ("ill",), limits=limits), policy_source(policy)
    changes = [*candidate_changes(policy, risky), *joint_changes(policy, risky)]
    assert len(changes) > 5
    assert not any("there is no such key" in _refusal(change, text, policy) for change in changes)


def _refusal(change, text, policy):
    try:
        policy_of_text(change.text(text), policy)
    except PolicyError as said:
        return str(said)
    return ""
