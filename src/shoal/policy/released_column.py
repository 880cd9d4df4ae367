"""How one column of a table is released."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.methods.perturbation import PerturbingMethod
from shoal.policy.fates import Summary, is_as_it_is, is_permuted, perturbations_of
from shoal.policy.parts import ColumnRule
from shoal.policy.policy import Policy
from shoal.release.generalize import end_names
from shoal.schema import Kind, Role
from shoal.schema.grid import Step
from shoal.sources import CellKind

MEASURED: tuple[Kind, ...] = ("numeric", "date")


@dataclass(frozen=True)
class ReleasedColumn:
    """What is decided by the rule of a column, its role, the method and the representation together."""

    role: Role
    kind: Kind
    cells: CellKind  # of the original
    as_mean: bool  # a number or a date: the mean of its class
    has_made_numbers: bool  # among its values are some that a perturbation makes
    as_made: bool  # every value is made by a perturbation, and released so: not by classes, nor on another base
    as_extent: bool  # from where to where its class reaches
    on_grid: bool  # extents of numbers and dates that end neither where the policy says nor where a taxonomy does
    ends: tuple[str, ...]  # the columns that release the ends of its extents
    as_it_is: bool  # no quasi-identifier, and shows what the original has
    is_perturbed: bool
    is_permuted: bool  # its values change places within a class
    is_separated: bool  # in a second table, counted by group
    decimals: int | None  # digits of means that the policy declares
    step: Step | None  # of the grid that the policy declares
    has_taxonomy: bool
    has_tree_file: bool  # its taxonomy is written down, and not made from values that a release does not show
    uses_taxonomy: bool  # a perturbation, a requirement or the method looks at it

    @classmethod
    def of(cls, policy: Policy, name: str, summary: Summary) -> ReleasedColumn:
        """``summary``: of the policy."""
        rule, method, form = policy.columns[name], policy.method, policy.representation
        is_known, is_sensitive = rule.role == "quasi_identifier", rule.role == "sensitive"
        as_extent = is_known and form.releases_extents and name not in policy.within
        is_measured, has_taxonomy = rule.kind in MEASURED, rule.taxonomy is not None
        forms_means = method.forms_classes and form.releases_means
        forms_classes = method.forms_classes and not form.separates_sensitive
        changing = [each for each in policy.perturbations if each.changes(name, is_quasi_identifier=is_known)]
        return cls(
            rule.role,
            rule.kind,
            policy.cell_kinds[name],
            as_mean=is_known and is_measured and forms_means and name not in policy.within,
            has_made_numbers=is_measured and any(each.makes_numbers for each in changing),
            as_made=is_measured and _is_remade(changing) and not (is_known and forms_classes),
            as_extent=as_extent,
            on_grid=as_extent and is_measured and method.chooses_ends(name, has_taxonomy=has_taxonomy),
            ends=end_names(name) if policy.output.ends and as_extent and is_measured else (),
            as_it_is=is_as_it_is(name, summary),
            is_perturbed=bool(perturbations_of(name, summary)),
            is_permuted=is_sensitive and is_permuted(summary),
            is_separated=is_sensitive and form.separates_sensitive,
            decimals=rule.decimals,
            step=rule.step,
            has_taxonomy=has_taxonomy,
            has_tree_file=rule.taxonomy is not None and rule.taxonomy.file is not None,
            uses_taxonomy=_uses_taxonomy(policy, name, rule),
        )

    @property
    def is_readable(self) -> bool:
        """Whether the gate can read its extents: what a rule made of values (prefixes and the like) can be any text."""
        return self.as_extent and (self.has_tree_file or not self.has_taxonomy)

    @property
    def has_length(self) -> bool:
        """Whether an extent has a length: that of an interval, or a level of a tree that the gate can read."""
        return not self.has_taxonomy or (self.has_tree_file and self.kind not in MEASURED)


def _is_remade(methods: Sequence[PerturbingMethod]) -> bool:
    last = max((place for place, each in enumerate(methods) if each.remakes_all), default=len(methods))
    return last < len(methods) and all(each.keeps_steps for each in methods[last:])


def _uses_taxonomy(policy: Policy, name: str, rule: ColumnRule) -> bool:
    is_known = rule.role == "quasi_identifier"
    changing = [each for each in policy.perturbations if each.changes(name, is_quasi_identifier=is_known)]
    if any(getattr(each, "level", None) is not None for each in changing):  # swapped below a node
        return True
    if any(wanted.column == name and wanted.reads == "tree" for wanted in policy.requirements):
        return True
    return is_known and name not in policy.within and policy.method.uses_taxonomy(rule.kind)
