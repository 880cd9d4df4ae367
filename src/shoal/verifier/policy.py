"""The verifier's own reading of a policy.

the text of a policy.toml -> what the released file must be like

Every key is listed here. One that is not is refused, never skipped: it might ask for something that nobody would prove.
Numbers are read as decimals, so that 0.1 is a tenth.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any
from unicodedata import normalize

from shoal.verifier.refused import RefusedError

CLASSES = "column columns name"
PERSONS = f"sampling_fraction population {CLASSES}"
GROUPS = "k merge decoys split_households name"
# The keys of every table; a dot leads to a table inside, a star stands for any name, ``name`` selects among tables.
KEYS = {
    "": "columns requirements rules perturbations within method blocking suppression local_suppression source output "
    "warn limits scenario analyses earlier linkage seed",
    "source": "format delimiter quote encoding decimal thousands trim header names missing date_format apostrophes "
    "sheet",
    "columns.*": "role kind taxonomy order decimals grid pseudonym level members min_level max_level weight as_written "
    "recode reason",
    "columns.*.taxonomy": "file prefixes intervals date_parts",
    "columns.*.recode": "level intervals width date_part prefix merge top bottom",
    "columns.*.recode.merge": "*",
    "suppression": "limit",
    "local_suppression": "importance blanks",
    "local_suppression.importance": "*",
    "output": "shuffle representation categories ends spreadsheet_safe permute household weights totals_by",
    "blocking": "method limit dimensions fuse whole map repair passes",
    "blocking.map": "size lattice shape start training epochs",
    "method.map": "size lattice shape start training epochs",
    "warn": "unique dependent homogeneous determined",
    "limits": "linked_persons prosecutor_risk attribute_disclosure suppressed",
    "analyses": "name formula target features",
    "earlier": "releases person stable",
    "linkage": "blocking",
    "linkage.blocking": "method quantifier decimals n_blocks keys window",
    "rules": "file sha256 requirements loss",
    "rules.requirements": "rule column columns parameters",
    "rules.requirements.parameters": "*",
    "rules.loss": "rule target parameters",
    "rules.loss.parameters": "*",
}
NAMED = {
    "requirements": {
        "k_anonymity": "k columns name",
        "prosecutor_risk": "maximum columns name",
        "journalist_risk": f"maximum {PERSONS}",
        "marketer_risk": f"average {PERSONS}",
        "records_at_risk": f"share threshold {PERSONS}",
        "distinct_l_diversity": f"l tolerance {CLASSES}",
        "entropy_l_diversity": f"l tolerance {CLASSES}",
        "recursive_l_diversity": f"c l tolerance {CLASSES}",
        "alpha_k_anonymity": f"alpha k tolerance {CLASSES}",
        "m_invariance": f"m {CLASSES}",
        "t_closeness": f"t distance {CLASSES}",
        "beta_likeness": f"beta enhanced tolerance {CLASSES}",
        "delta_disclosure": f"delta tolerance {CLASSES}",
        "epsilon_privacy": f"epsilon sigma b {CLASSES}",
        "minimum_length": f"width {CLASSES}",
        "dominance": f"share contributors {CLASSES}",
        "p_percent": f"p {CLASSES}",
        "minimum_contributors": f"n {CLASSES}",
    },
    "method": {
        **dict.fromkeys(("mdav", "mst_partition", "mu_approx"), GROUPS),
        "vmdav": f"gamma distance leftovers split {GROUPS}",
        "mhm": f"path {GROUPS}",
        "micro_som": f"refined grow fusing map {GROUPS}",
        "microaggregate": f"proposals {GROUPS}",
        "genetic": f"generations population crossover mutation {GROUPS}",
        "mondrian": "mode loss target cuts unordered name",
        "gensearch": "loss target cuts empty_blocks nodes memory suppression name",
        "global_recoding": "scheme loss suppression widths name",
        "none": "name",
    },
    "perturbations": {
        "rank_swap": "columns p window name",
        "noise": "columns alpha kind corrected name",
        "pram": "columns stay invariant level name",
        "rounding": "columns base unbiased name",
        "top_bottom_code": "columns bottom top bottom_share top_share put name",
        "date_shift": "columns days step name",
        "data_swap": "columns rate within level name",
        "imputation": "columns how by sums name",
        "lossy_image": "columns quality image height name",
        "mic": "columns v k name",
        "record_swap": "columns region keys similar k rate name",
    },
}
# Values that change what is proved; the first is that of a policy that does not say.
CHOICES = (
    ("output", "household", ("linked", "unlinked")),
    ("output", "weights", ("kept", "rounded", "stratum")),
    ("local_suppression", "blanks", ("value", "wildcard")),
)
FREE = ("method.cuts", "method.widths")  # tables by column
CUTTING = ("mondrian", "gensearch", "global_recoding")
MEASURED = ("numeric", "date")
CALENDAR = ("hour", "day", "week", "month", "quarter", "year", "decade")


@dataclass(frozen=True)
class Column:
    """A column of the release: its kind, order and taxonomy are those of its values after recoding by hand."""

    name: str
    role: str
    kind: str
    order: tuple[str, ...] | None
    tree: Mapping[str, Any] | None  # its taxonomy: file, prefixes, intervals or date_parts
    recode: Mapping[str, Any] | None
    is_extent: bool  # an interval, node, span or set
    is_mean: bool
    is_replaced: bool  # its cells are means or were changed by a perturbation: no values of the recoding
    as_written: bool
    is_shared: bool  # all members of a household have the same value
    is_pseudonym: bool
    decimals: int | None
    grid: Fraction | str | None  # where intervals end, if the policy says so and the method chooses the ends
    is_on_grid: bool
    ends: tuple[str, ...]  # names of the columns of its ends
    min_level: int
    max_level: int | None

    @property
    def is_number(self) -> bool:
        return self.kind == "numeric" or self.role == "weight"

    @property
    def has_rule(self) -> bool:
        """Whether a rule makes its taxonomy from values."""
        return self.tree is not None and self.tree_file is None

    @property
    def tree_file(self) -> str | None:
        return self.tree.get("file") if self.tree else None


@dataclass(frozen=True)
class Rule:
    """A requirement. ``figures``: its parameters, exact."""

    name: str
    at: int  # its place in the policy, from 1
    column: str | None
    columns: tuple[str, ...] | None  # the quasi-identifiers that make a class; None: all of them
    figures: Mapping[str, Any]

    def __str__(self) -> str:
        known = {key: value for key, value in self.figures.items() if value is not None}
        asked = ", ".join(f"{key} = {_shown(value)}" for key, value in known.items())
        return f"{self.name}{f' of {self.column!r}' if self.column else ''} ({asked})"


def _shown(value: Any) -> str:
    return f"{float(value):g}" if isinstance(value, Fraction) else str(value)


@dataclass(frozen=True)
class Asked:
    """What the policy asks of the file."""

    columns: Mapping[str, Column]
    rules: tuple[Rule, ...]
    own_rules: tuple[str, ...]  # classes that the user wrote: nobody can read them, they must be run
    within: tuple[str, ...]
    form: str  # centroids, extents or anatomy
    unit: str | None  # the column whose values are counted
    shows_units: bool
    blanks_are_wildcards: bool
    missing: tuple[str, ...]  # words that mean "not known"
    date_format: str | None
    delimiter: str | None
    quote: str
    has_apostrophes: bool
    rounds_weights: bool
    earlier: int  # number of earlier releases
    folder: Path  # paths of the policy are relative to it

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(name for name, column in self.columns.items() if column.role == "quasi_identifier")

    @property
    def released(self) -> tuple[str, ...]:
        """All columns of the table of records, in the order of the policy."""
        return tuple(
            each
            for name, column in self.columns.items()
            if column.is_pseudonym or column.role not in ("identifier", "unit")
            for each in (name, *column.ends)
            if not (self.form == "anatomy" and column.role == "sensitive")
        )

    @property
    def counted(self) -> set[str]:
        """The columns of which classes are made, or that rules read."""
        read = {rule.column for rule in self.rules if rule.column}
        return {*self.keys, *self.within, *read, *([self.unit] if self.unit else [])}

    @property
    def left_out(self) -> tuple[str, ...]:
        """The quasi-identifiers that no requirement counts."""
        return tuple(
            name
            for name in self.keys
            if self.rules and not any(name in (rule.columns or self.keys) for rule in self.rules)
        )

    @property
    def sensitive(self) -> tuple[str, ...]:
        return tuple(name for name, column in self.columns.items() if column.role == "sensitive")


def read_policy(text: str, folder: Path) -> Asked:
    """Raises RefusedError for a policy that cannot be read to its last key."""
    try:
        policy = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as reason:
        raise RefusedError(f"the policy is no TOML: {reason}") from None
    unknown = sorted(_unknown_keys(policy, ""))
    if unknown:
        raise RefusedError(f"the policy has keys that the verifier does not know: {', '.join(unknown)}")
    try:
        return _asked(policy, folder)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as reason:
        raise RefusedError(f"the policy cannot be read: {type(reason).__name__} {reason}") from None


def _unknown_keys(table: Any, at: str, shown: str = "") -> Iterator[str]:
    """The keys of a table, or of a list of tables, that are not listed, with those of the tables inside."""
    if isinstance(table, list):
        for each in table:
            yield from _unknown_keys(each, at, shown)
        return
    if not isinstance(table, Mapping) or at in FREE:
        return
    if at in NAMED:
        name = table.get("name", "mdav" if at == "method" else None)
        if name not in NAMED[at]:
            yield f"{shown}.name = {name!r}"
            return
        known = NAMED[at][str(name)].split()
    else:
        known = KEYS.get(at, "").split()
    for key, value in table.items():
        inside, own = ("columns.*" if at == "columns" else f"{at}.{key}".lstrip(".")), f"{shown}.{key}".lstrip(".")
        if at != "columns" and "*" not in known and key not in known:
            yield own
        elif isinstance(value, Mapping | list):
            yield from _unknown_keys(value, inside, own)


def _asked(policy: Mapping[str, Any], folder: Path) -> Asked:
    output, source, given = policy.get("output", {}), policy.get("source", {}), policy.get("columns", {})
    others = "perturbations" in policy or "local_suppression" in policy
    method = policy.get("method", {"name": "none"} if others else {})
    name = method.get("name", "mdav")
    form = output.get("representation", "extents" if name in CUTTING else "centroids")
    if form not in ("centroids", "extents", "anatomy"):
        raise RefusedError(f"output.representation = {form!r} is not known")
    within, hides = tuple(policy.get("within", ())), output.get("household", "linked") == "unlinked"
    plan = _Plan(policy, method, name, form, within)
    columns = {column: _column(column, entry, plan, hides=hides) for column, entry in given.items()}
    check_names(columns)
    strange = [each for each in within if each not in columns]
    if strange:
        raise RefusedError(f"within names {', '.join(map(repr, strange))}, which the policy does not list")
    units = [column for column in columns.values() if column.role in ("household", "unit")]
    if len(units) > 1:
        raise RefusedError("the policy has more than one column of units")
    if units and policy.get("local_suppression", {}).get("blanks") == "wildcard":
        raise RefusedError("units cannot be counted where a blank may be any value")
    for table, key, known in CHOICES:
        chosen = policy.get(table, {}).get(key, known[0])
        if chosen not in known:
            raise RefusedError(f"{table}.{key} = {chosen!r} is not known")
    rules = tuple(_rule(at, entry, columns) for at, entry in enumerate(policy.get("requirements", ()), 1))
    _check_classes(rules, tuple(name for name, column in columns.items() if column.role == "quasi_identifier"))
    missing = tuple(source.get("missing", ("",)))
    return Asked(
        columns,
        rules,
        tuple(str(each["rule"]) for each in policy.get("rules", {}).get("requirements", ())),
        within,
        form,
        units[0].name if units else None,
        bool(units) and units[0].role == "household",
        policy.get("local_suppression", {}).get("blanks", "value") == "wildcard",
        missing,
        source.get("date_format"),
        source.get("delimiter"),
        source.get("quote") or '"',
        bool(output.get("spreadsheet_safe", False)),
        output.get("weights", "kept") == "rounded",
        len(policy.get("earlier", {}).get("releases", ())),
        folder,
    )


@dataclass(frozen=True)
class _Plan:
    """What a column needs to know of the other parts of a policy."""

    policy: Mapping[str, Any]
    method: Mapping[str, Any]
    method_name: str
    form: str
    within: tuple[str, ...]

    def chooses_ends(self, name: str, *, has_tree: bool) -> bool:
        """Whether the method chooses where intervals of a column end."""
        if self.method_name not in CUTTING:
            return True
        cuts = self.method.get("cuts", {}).get(name, 1)
        chosen = self.method.get("scheme") == "cuts" if self.method_name == "global_recoding" else isinstance(cuts, int)
        return not has_tree and chosen

    def perturbs(self, name: str, role: str) -> bool:
        """Whether a perturbation changes the column; one that names no columns changes the quasi-identifiers."""
        for each in self.policy.get("perturbations", ()):
            named = each.get("columns") or ([each["region"]] if each["name"] == "record_swap" else None)
            if name in named if named else role == "quasi_identifier":
                return True
        return False


def _column(name: str, entry: Mapping[str, Any], plan: _Plan, *, hides: bool) -> Column:
    role, kind, recode = entry["role"], entry.get("kind", "nominal"), entry.get("recode")
    if role not in ("identifier", "quasi_identifier", "sensitive", "weight", "household", "unit", "other"):
        raise RefusedError(f"columns.{name}.role = {role!r} is not known")
    if kind not in (*MEASURED, "ordinal", "nominal"):
        raise RefusedError(f"columns.{name}.kind = {kind!r} is not known")
    tree = entry.get("taxonomy")
    tree = {"file": tree} if isinstance(tree, str) else tree
    order = tuple(entry["order"]) if "order" in entry else None
    kind, order, tree, recode = _recoded(kind, order, tree, recode)
    is_key, is_kept = role == "quasi_identifier", name in plan.within
    groups = plan.method_name != "none"
    is_extent = is_key and plan.form == "extents" and not is_kept
    is_mean = is_key and kind in MEASURED and plan.form == "centroids" and groups and not is_kept
    is_on_grid = is_extent and kind in MEASURED and plan.chooses_ends(name, has_tree=tree is not None)
    of_tree = (tree.get("intervals") or tree.get("date_parts")) if tree else None
    grid = entry.get("grid", of_tree[0] if of_tree else None)
    has_ends = is_extent and kind in MEASURED and plan.policy.get("output", {}).get("ends", False)
    return Column(
        name,
        "unit" if role == "household" and hides else role,
        kind,
        order,
        tree,
        recode,
        is_extent,
        is_mean,
        is_mean or plan.perturbs(name, role),
        bool(entry.get("as_written", False)),
        entry.get("level") == "household",
        "pseudonym" in entry,
        entry.get("decimals"),
        grid if grid is None or grid in CALENDAR else Fraction(grid),
        is_on_grid,
        (f"{name}_min", f"{name}_max") if has_ends else (),
        entry.get("min_level", 0),
        entry.get("max_level"),
    )


def column_of_numbers() -> Column:
    """A column of which nothing is known but that it holds numbers."""
    return _column("", {"role": "other", "kind": "numeric"}, _Plan({}, {}, "none", "centroids", ()), hides=False)


def _recoded(
    kind: str, order: tuple[str, ...] | None, tree: Mapping[str, Any] | None, recode: Mapping[str, Any] | None
) -> tuple[str, tuple[str, ...] | None, Mapping[str, Any] | None, Mapping[str, Any] | None]:
    """Kind, order, taxonomy and recoding of the values that are left once a column was recoded by hand."""
    if recode is None:
        return kind, order, tree, None
    level = recode.get("level")
    if level is not None and tree and "file" not in tree:
        key, steps = next((key, tree[key]) for key in ("prefixes", "intervals", "date_parts") if key in tree)
        above = tree if key != "prefixes" else {"prefixes": steps[level:]} if steps[level:] else None
        if level <= len(steps):
            rule = {"prefixes": "prefix", "intervals": "width", "date_parts": "date_part"}[key]
            recode, tree = {rule: steps[level - 1]}, above if key == "prefixes" else None
    if order is not None and "merge" in recode:
        new = {value: label for label, values in recode["merge"].items() for value in values}
        order = tuple(dict.fromkeys(new.get(value, value) for value in order))
    if "intervals" in recode:
        return "ordinal", interval_labels(recode["intervals"]), tree, recode
    if "width" in recode or "date_part" in recode:
        return ("numeric" if recode.get("date_part") == "year" else "ordinal"), order, tree, recode
    if "level" in recode:
        return "nominal", None, tree, recode
    return kind, order, tree, recode


def interval_labels(bounds: list[Any]) -> tuple[str, ...]:
    """The intervals between bounds, in their order: [-inf, 0), [0, 18), [18, inf)."""
    ends = ["-inf", *(number_text(each) for each in bounds), "inf"]
    return tuple(f"[{low}, {high})" for low, high in pairwise(ends))


def number_text(number: Any) -> str:
    """As the grammar writes numbers: whole ones without a point, others as their shortest float."""
    value = float(number)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def _rule(at: int, entry: Mapping[str, Any], columns: Mapping[str, Column]) -> Rule:
    figures = {
        key: Fraction(value) if isinstance(value, Decimal) else value
        for key, value in entry.items()
        if key not in ("name", "column", "columns")
    }
    rule = Rule(
        entry["name"], at, entry.get("column"), tuple(entry["columns"]) if "columns" in entry else None, figures
    )
    for name in (*(rule.columns or ()), *([rule.column] if rule.column else [])):
        if name not in columns:
            raise RefusedError(f"requirements[{at}] names {name!r}, which the policy does not list")
    if rule.name == "t_closeness" and "distance" not in figures:
        column = columns[str(rule.column)]
        is_ordered = column.kind in MEASURED or (column.kind == "ordinal" and column.order is not None)
        distance = "ordered" if is_ordered else "hierarchical" if column.tree else "equal"
        return replace(rule, figures={**figures, "distance": distance})
    return rule


def _check_classes(rules: tuple[Rule, ...], keys: tuple[str, ...]) -> None:
    """Raises RefusedError where a requirement makes classes of other columns than the quasi-identifiers."""
    if rules and not keys:
        raise RefusedError("the policy has requirements, but no quasi-identifier")
    for rule in rules:
        if rule.columns is not None and (not rule.columns or not set(rule.columns) <= set(keys)):
            raise RefusedError(f"requirements[{rule.at}].columns are not quasi-identifiers of the policy")


def check_names(names: Mapping[str, Any] | tuple[str, ...] | list[str]) -> None:
    """Raises RefusedError where two names differ only in case or in how their letters are encoded: a database or a
    reader may take them for one."""
    seen: dict[str, str] = {}
    for name in names:
        plain = normalize("NFKC", normalize("NFKC", name).casefold())
        if plain in seen:
            raise RefusedError(
                f"the columns {seen[plain]!r} and {name!r} differ only in case or in how they are encoded"
            )
        seen[plain] = name
