"""From a policy and a written file to a proof: what is proved of a release, in the order in which it is read.

policy as text, file, manifest -> Proof

Nothing of Shoal is used but this package, so that a fault of what made the release cannot hide in what proves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb

from shoal.verifier import anatomy
from shoal.verifier.cells import database, read_cells
from shoal.verifier.counting import Counter
from shoal.verifier.notation import Grammar, Tree, tree_of
from shoal.verifier.policy import Asked, Rule, read_policy
from shoal.verifier.proof import Proof, Verdict
from shoal.verifier.readings import Reading, amounts_of, near, readings, with_nodes
from shoal.verifier.refused import RefusedError
from shoal.verifier.rules import (
    VALUES,
    Judged,
    judge_amounts,
    judge_lengths,
    judge_release,
    judge_sizes,
    judge_values,
    judge_weights,
)
from shoal.verifier.stated import Manifest, count_faults, promised_faults
from shoal.verifier.structure import cell_faults, column_faults

OWN_RULE = "your own rule, which must be run: nobody can read what it promises"
AMOUNTS = ("dominance", "p_percent", "minimum_contributors")
RISKS = ("journalist_risk", "marketer_risk", "records_at_risk")
# What holds for records if it holds for units: all that can be said where the file does not show whose a record is.
OF_RECORDS = ("k_anonymity", "prosecutor_risk", "distinct_l_diversity", "minimum_length")


def verify(
    policy: str,
    release: Any,
    *,
    folder: Path | None = None,
    second: Any = None,
    manifest: Manifest | None = None,
    memory: str | None = None,
    queries: list[str] | None = None,
) -> Proof:
    """The proof of a release, a file or an Arrow table, under the text of a policy. Raises RefusedError.

    ``folder``: that of the policy, in which its taxonomies lie. ``second``: the sensitive values of an anatomy, by
    default in the file beside the first. ``queries``: gets every query that was counted by.
    """
    asked = read_policy(policy, folder or Path())
    with database(memory) as at:
        cells = read_cells(at, release, asked)
        counter = Counter(at, cells, counts_units=False, queries=[] if queries is None else queries)
        path = Path(release) if isinstance(release, str | Path) else None
        other = manifest.name if manifest and not manifest.is_of(asked) else ""
        found = _Release(asked, counter, path, None if other else manifest, other)
        try:
            return found.proof() if asked.form != "anatomy" else found.proof_of_anatomy(second)
        except (LookupError, ArithmeticError, TypeError, ValueError, AttributeError, duckdb.Error) as reason:
            raise RefusedError(f"the release cannot be judged to its end: {type(reason).__name__}") from reason


@dataclass(frozen=True)
class _Release:
    asked: Asked
    counter: Counter
    path: Path | None
    manifest: Manifest | None
    other: str  # a manifest of another policy

    def proof(self) -> Proof:
        asked, cells = self.asked, self.counter.cells
        faults = list(column_faults(cells.names, asked, asked.released))
        hidden = {name for name in asked.counted if asked.columns[name].role in ("identifier", "unit")}
        if not asked.counted - hidden <= set(cells.names) or len(set(cells.names)) < len(cells.names):
            return self._proof(faults)
        trees = {name: tree_of(column, asked) for name, column in asked.columns.items()}
        counter = self._with_units()
        faults += cell_faults(counter, asked, trees)
        promises = list(promised_faults(counter, asked, self.manifest))
        faults += [words for is_fault, words in promises if is_fault]
        keys = self._with_ends(asked.keys)
        if asked.blanks_are_wildcards:
            return self._proof_of_wildcards(faults, promises, keys)
        n_classes, k = self._sizes(counter, keys)
        verdicts, unproved = self._verdicts(counter, trees, keys)
        # A manifest counts classes of quasi-identifiers, which may lie in several strata.
        stated = (n_classes, k) if not asked.within else self._sizes(counter, self._with_ends(asked.keys, ()))
        return self._proof(faults, verdicts, promises, unproved, (n_classes, k), stated)

    def _sizes(self, counter: Counter, names: tuple[str, ...]) -> tuple[int, int]:
        """How many classes there are on these columns, and the size of the smallest."""
        counter.make_classes(names, by_household=self._links_households)
        rows = counter.rows(_SIZES.format(size=counter.size))
        if sum(int(row[1]) for row in rows) != counter.cells.n_records:
            raise RefusedError("the counts of the classes do not add up to the records of the file")
        return sum(int(row[2]) for row in rows), min((int(row[0]) for row in rows), default=0)

    def _verdicts(
        self, counter: Counter, trees: Mapping[str, Tree | None], keys: tuple[str, ...]
    ) -> tuple[list[Verdict], list[str]]:
        """The verdicts on all rules, each class made once for all rules on the same columns."""
        verdicts: dict[int, Verdict] = {}
        unproved = [f"{name}: {OWN_RULE}" for name in self.asked.own_rules]
        by_columns = sorted(
            self.asked.rules, key=lambda rule: (self._columns_of(rule, keys) != keys, self._columns_of(rule, keys))
        )
        made = keys
        for columns, rules in groupby(by_columns, key=lambda rule: self._columns_of(rule, keys)):
            if columns != made:
                counter.make_classes(columns, by_household=self._links_households)
                made = columns
            for rule in rules:
                why = self._why_unproved(rule)
                if why:
                    unproved.append(f"{rule}: {why}")
                else:
                    verdicts[rule.at] = self._verdict(counter, rule, trees)
        return [verdicts[at] for at in sorted(verdicts)], unproved

    def _columns_of(self, rule: Rule, keys: tuple[str, ...]) -> tuple[str, ...]:
        return keys if rule.columns is None else self._with_ends(rule.columns)

    def _with_ends(self, names: Sequence[str], within: Sequence[str] | None = None) -> tuple[str, ...]:
        """The columns by which an intruder tells classes apart: with those of ends, and with the strata."""
        shown = [end for name in names for end in (name, *self.asked.columns[name].ends)]
        strata = self.asked.within if within is None else within
        return tuple(name for name in dict.fromkeys([*shown, *strata]) if name in self.counter.cells)

    def _why_unproved(self, rule: Rule) -> str:
        """Why the file alone cannot show that a rule holds; empty where it can."""
        if rule.figures.get("population"):
            return "it reads a population, which is counted where the release is made"
        if rule.name in AMOUNTS and self.asked.columns[str(rule.column)].role == "quasi_identifier":
            return "the release shows classes, not the single amounts of this column"
        if self._hides_units and rule.name not in OF_RECORDS:
            return f"{self.asked.unit!r} is not in the release, so nobody can count its units in the file"
        return ""

    @property
    def _hides_units(self) -> bool:
        return self.asked.unit is not None and self.asked.unit not in self.counter.cells

    @property
    def _links_households(self) -> bool:
        asked = self.asked
        return (
            asked.shows_units and not self._hides_units and any(rule.name != "minimum_length" for rule in asked.rules)
        )

    def _with_units(self) -> Counter:
        asked, counter = self.asked, self.counter
        if asked.unit is None or self._hides_units:
            return counter
        counter.make_units(asked.unit, asked)
        for name, column in asked.columns.items():
            if column.is_shared and name in counter.cells:
                counter.fill_shared(name)
        return replace(counter, counts_units=True)

    def _verdict(self, counter: Counter, rule: Rule, trees: Mapping[str, Tree | None]) -> Verdict:
        """The verdict on the classes in the table ``members``."""
        if rule.name in VALUES:
            return self._verdict_on_values(counter, rule, trees.get(str(rule.column)))
        if rule.name in AMOUNTS or (rule.name in RISKS and rule.column):
            name = str(rule.column)
            counter.make_amounts(name, amounts_of(counter.texts(name), self.asked.columns[name], self.asked.missing))
            judged = judge_amounts(rule, counter) if rule.name in AMOUNTS else judge_weights(rule, counter)
        elif rule.name == "minimum_length":
            judged = judge_lengths(rule, self._lengths(counter, rule, trees.get(str(rule.column))))
        elif rule.name in ("marketer_risk", "records_at_risk"):
            rows = counter.rows(_SIZES.format(size=counter.size))
            share = rule.figures.get("sampling_fraction") or 1
            judged = judge_release(rule, [(size, n, classes, size / share) for size, n, classes in rows])
        else:
            judged = judge_sizes(rule, counter.rows(_SIZES.format(size=counter.size)))
        return _as_verdict(rule, judged, "")

    def _verdict_on_values(self, counter: Counter, rule: Rule, tree: Tree | None) -> Verdict:
        """The verdict in the reading in which the rule holds least."""
        asked, name = self.asked, str(rule.column)
        texts, column = counter.texts(name), asked.columns[name]
        tolerance = rule.figures.get("tolerance")
        found: list[Reading] = (
            readings(texts, column, asked.missing, asked.date_format)
            if tolerance is None
            else near(texts, column, asked.missing, tolerance)
        )
        if rule.figures.get("distance") == "hierarchical":
            if tree is None:
                tree = generated_tree(texts, column.tree or {}, asked.missing)
            found = [with_nodes(reading, tree) for reading in found]
        verdicts = []
        for reading in found:
            counter.make_values(name, reading)
            verdicts.append(_as_verdict(rule, judge_values(rule, counter, reading), reading.name))
        return min(verdicts, key=lambda verdict: (verdict.holds, -verdict.n_failing))

    def _lengths(self, counter: Counter, rule: Rule, tree: Tree | None) -> list[tuple[Any, ...]]:
        name = str(rule.column)
        grammar, lengths = Grammar(self.asked.columns[name], tree), list[tuple[str, object]]()
        for text in counter.texts(name):
            extent = grammar.read(text)
            # A text that is no extent says a value: it has no length.
            lengths.append((text, 0.0 if extent is None else None if extent.length is None else float(extent.length)))
        counter.make_amounts(name, lengths)
        return counter.rows(
            "SELECT x, sum(n), count(*) FROM (SELECT k, min(x) AS x, count(*) AS n FROM valued GROUP BY k) GROUP BY x"
        )

    def _proof_of_wildcards(self, faults: list[str], promises: list[tuple[bool, str]], keys: tuple[str, ...]) -> Proof:
        verdicts, unproved = [], [f"{name}: {OWN_RULE}" for name in self.asked.own_rules]
        sizes = {keys: self.counter.wildcard_sizes(keys)}
        for rule in self.asked.rules:
            if rule.name not in ("k_anonymity", "prosecutor_risk"):
                unproved.append(f"{rule}: where a blank may be any value, only sizes of classes can be counted")
                continue
            columns = self._columns_of(rule, keys)
            if columns not in sizes:
                sizes[columns] = self.counter.wildcard_sizes(columns)
            judged = judge_sizes(rule, sizes[columns])
            verdicts.append(_as_verdict(rule, judged, "a blank may be any value"))
        smallest = min((int(row[0]) for row in sizes[keys]), default=0)
        return self._proof(faults, verdicts, promises, unproved, (sum(int(row[2]) for row in sizes[keys]), smallest))

    def proof_of_anatomy(self, second: Any) -> Proof:
        """The groups take the part of classes: the group is all that links a person to a sensitive value."""
        asked, first = self.asked, self.counter
        second = anatomy.beside(self.path) if second is None and self.path else second
        if second is None:
            raise RefusedError("the table of sensitive values of the anatomy is not there")
        values = replace(first, cells=read_cells(first.at, second, asked, "second"))
        faults = [*column_faults(first.cells.names, asked, (*asked.released, anatomy.GROUP))]
        faults += column_faults(
            values.cells.names, asked, (anatomy.GROUP, *asked.sensitive, anatomy.COUNT), "second table: "
        )
        if faults:
            return self._proof(faults)
        faults += anatomy.link_faults(first, values, asked)
        if faults:
            return self._proof(faults)
        trees = {name: tree_of(column, asked) for name, column in asked.columns.items()}
        faults += [*cell_faults(first, asked, trees), *cell_faults(values, asked, trees)]
        promises = [*promised_faults(first, asked, self.manifest), *promised_faults(values, asked, self.manifest)]
        faults += [words for is_fault, words in promises if is_fault]
        counter = anatomy.expanded(values)
        counter.make_classes([anatomy.GROUP], by_household=False)
        rows = counter.rows(_SIZES.format(size=counter.size))
        units = self._with_units()
        verdicts, unproved = list[Verdict](), [f"{name}: {OWN_RULE}" for name in asked.own_rules]
        for rule in asked.rules:
            why = self._why_unproved(rule)
            if not why and units.counts_units and rule.name not in OF_RECORDS:
                why = "the two tables do not show which values belong to one unit"
            if why:
                unproved.append(f"{rule}: {why}")
                continue
            of_sizes = units.counts_units and rule.name not in VALUES
            made = units if of_sizes else counter
            made.make_classes([anatomy.GROUP], by_household=False)
            verdicts.append(self._verdict(made, rule, trees))
        smallest = min((int(row[0]) for row in rows), default=0)
        return self._proof(faults, verdicts, promises, unproved, (len(counter.texts(anatomy.GROUP)), smallest))

    def _proof(
        self,
        faults: Sequence[str],
        verdicts: Sequence[Verdict] = (),
        promises: Sequence[tuple[bool, str]] = (),
        unproved: Sequence[str] = (),
        sizes: tuple[int, int] = (0, 0),
        stated: tuple[int, int] | None = None,
    ) -> Proof:
        """``sizes``: the number of classes and the smallest; ``stated``: what a manifest says of these."""
        cells, said = self.counter.cells, self.manifest
        n_classes, k = stated or sizes
        # Where the file does not show units, or not whose a value is, only the run that made it could count them.
        if self._hides_units or (self.asked.unit and self.asked.form == "anatomy"):
            k = 0
        against = list(count_faults(said, self.path, cells, (n_classes, k))) if said else []
        return Proof(
            cells.n_records,
            *sizes,
            f" units of {self.asked.unit!r}" if self.asked.unit and not self._hides_units else "",
            cells.reader,
            tuple(verdicts),
            (*faults, *against),
            tuple(words for is_fault, words in promises if not is_fault),
            tuple(unproved),
            tuple(self._not_looked_at()),
        )

    def _not_looked_at(self) -> Iterator[str]:
        if self.other:
            yield f"{self.other}, which describes a release under another policy"
        elif self.manifest is None:
            yield "there is no manifest beside the release: nobody says whether records or files are missing"
        if self._hides_units:
            yield f"units of {self.asked.unit!r}, which are not in the file: classes were counted in records"
        if self.asked.left_out:
            yield f"classes by {', '.join(self.asked.left_out)}: no requirement counts them"
        if self.asked.earlier:
            yield "earlier releases of the same persons"
        generated = [name for name, column in self.asked.columns.items() if column.is_extent and column.has_rule]
        if generated:
            yield f"how the nodes of {', '.join(generated)} are written, whose taxonomy is made from values"
        yield "whether the protection happened: values may be the original ones"
        yield "what the file holds besides its cells: metadata, labels, comments"


_SIZES = (
    "SELECT size, sum(n), count(*) FROM (SELECT k, count(*) AS n, {size} AS size FROM members GROUP BY k) GROUP BY size"
)


def _as_verdict(rule: Rule, judged: Judged, reading: str) -> Verdict:
    return Verdict(
        str(rule),
        not judged.n_failing,
        judged.reached,
        judged.n_classes,
        judged.n_failing,
        judged.n_records_failing,
        reading,
    )


def generated_tree(texts: Sequence[str], rule: Mapping[str, Any], missing: Sequence[str]) -> Tree:
    """The taxonomy of prefixes above codes; other rules generate none that a requirement reads."""
    if "prefixes" not in rule:
        raise RefusedError("a distance by a taxonomy of intervals or parts of dates is not known to the verifier")
    return Tree(
        tuple(
            (text, *(text[:n] + "*" * len(text[n:]) for n in rule["prefixes"]), "*")
            for text in sorted(texts)
            if text not in missing
        )
    )
