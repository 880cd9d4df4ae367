"""The protected table: the records after all stages that protect them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic

from shoal.engines.protocol import F
from shoal.errors import PolicyError, RequirementError, ShoalError, rounded_away
from shoal.methods.method import Method
from shoal.pipeline.files.manifest_content import release_notes
from shoal.pipeline.protect.certified_plans import CertifiedPlans
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.generalization_step import AS_ASKED, Caution, GroupedTable, generalize_table
from shoal.pipeline.protect.group_index import GroupIndex
from shoal.pipeline.protect.grouped_rows import in_one_group
from shoal.pipeline.protect.linking_columns import LinkingColumns, find_linking_columns
from shoal.pipeline.protect.local_suppression_step import SuppressionResult, suppress_cells
from shoal.pipeline.protect.microaggregation_step import microaggregate_table
from shoal.pipeline.protect.perturbation_step import n_imputed, perturb_table
from shoal.pipeline.protect.plan_report import PlanReport, search_notes
from shoal.pipeline.protect.released_weights import replace_weights
from shoal.pipeline.protect.repeated_identifiers import repeated_identifiers
from shoal.pipeline.protect.unattainable import check_attainable, check_suppression
from shoal.pipeline.protect.unit_release import UnitResult, apply_to_units
from shoal.policy.keys import check_k


@dataclass(frozen=True)
class ProtectedTable(Generic[F]):
    """The records after every stage, with a group for each released record, and what the stages found."""

    original: FittedTable[F]
    perturbed: FittedTable[F]  # the original after perturbation
    plans: PlanReport  # of the cut trees
    suppression: SuppressionResult[F]
    units: UnitResult[F]
    frame: F
    index: GroupIndex
    identifier_notes: tuple[str, ...]

    @classmethod
    def of(cls, original: FittedTable[F], certified: CertifiedPlans | None = None) -> ProtectedTable[F]:
        """All stages in their order; raises an error if the policy cannot be satisfied. ``certified``: the plans of an
        earlier search, which are applied instead of searching again.

        A search suppresses no more than it may, but what its plan suppresses can make other classes fail: those of
        other strata and key sets, or counted by units. Then plans that suppress less are tried, at last none."""
        check_k(original.plan)
        notes, perturbed = repeated_identifiers(original), perturb_table(original)
        try:
            check_attainable(perturbed)
            return cls._with_care(original, perturbed, notes, certified)
        except (RequirementError, PolicyError) as error:
            for named in _settings_that_release(original, perturbed, notes) if not certified else ():
                raise type(error)(f"{error} {named}") from None
            raise

    @classmethod
    def _with_care(
        cls,
        original: FittedTable[F],
        perturbed: FittedTable[F],
        identifier_notes: tuple[str, ...],
        certified: CertifiedPlans | None,
    ) -> ProtectedTable[F]:
        """With a search as the policy asks for it, else with a more careful one; raises the first error where none will
        do."""
        method, refused = perturbed.plan.method.generalization, list[ShoalError]()
        for caution in Caution.from_least(perturbed, method) if method and not certified else (AS_ASKED,):
            try:
                return cls._with(original, perturbed, identifier_notes, certified, caution)
            except (RequirementError, PolicyError) as error:
                refused.append(error)
        raise refused[0]

    @classmethod
    def _with(
        cls,
        original: FittedTable[F],
        perturbed: FittedTable[F],
        identifier_notes: tuple[str, ...],
        certified: CertifiedPlans | None,
        caution: Caution,
    ) -> ProtectedTable[F]:
        grouped = _grouped_table(perturbed, certified, caution)
        suppression = suppress_cells(perturbed, grouped.frame)
        units = apply_to_units(perturbed, suppression.frame)
        frame = replace_weights(perturbed, units.frame)
        index = GroupIndex.of(original.engine, frame)
        check_suppression(perturbed, index.n_suppressed)
        return cls(original, perturbed, grouped.report, suppression, units, frame, index, identifier_notes)

    @cached_property
    def linking(self) -> LinkingColumns:
        """The columns that link records of a unit whose number is not released."""
        return find_linking_columns(self.perturbed, self.frame, self.units.linked)

    @property
    def notes(self) -> tuple[str, ...]:
        """What source and stages tell a reader of the release."""
        return (
            *self.original.frame.origin.notes,
            *self._notes_of_plan,
            *self.identifier_notes,
            *search_notes(self.plans.certificates),
            *self.suppression.notes,
            *self.units.notes,
            *self.linking.notes,
        )

    @property
    def _notes_of_plan(self) -> tuple[str, ...]:
        records, linked = self.perturbed, self.units.linked
        divided = records.division.notes if records.plan.method.forms_groups else ()
        is_linked = linked is None or len(linked) > 0
        return (*release_notes(records.schema, records.plan, n_imputed(records), linked=is_linked), *divided)


def _settings_that_release(
    original: FittedTable[F], perturbed: FittedTable[F], notes: tuple[str, ...]
) -> Iterator[str]:
    """The other settings of the method that were tried and release records, as sentences for the error."""
    n_records = perturbed.n_records

    def tried(method: Method, limit: float) -> GroupIndex:
        plan = replace(perturbed.plan, method=method, suppression_limit=limit)
        return ProtectedTable._with_care(original, replace(perturbed, plan=plan), notes, None).index

    for setting, method in perturbed.plan.method.other_settings:
        with suppress(RequirementError, PolicyError):
            least = float(rounded_away(tried(method, 1.0).n_suppressed / n_records, up=True))
            # With less to suppress another plan may be found, or none: then what was tried is named.
            for share in dict.fromkeys((least, 1.0)):
                own = method.suppressing(share) if setting else method
                limit = max(share, own.suppression)
                with suppress(RequirementError, PolicyError):
                    found = tried(own, limit)
                    needed = [f"suppression.limit = {limit:g}"] if found.n_suppressed else []
                    settings = " and ".join([*filter(None, [setting.format(share=f"{share:g}")]), *needed])
                    released = f"{n_records - found.n_suppressed} of {n_records} records are released"
                    yield f"With {settings}, {released}."
                    break


def _grouped_table(original: FittedTable[F], certified: CertifiedPlans | None, caution: Caution) -> GroupedTable[F]:
    """The records after microaggregation or generalization; unchanged for a method that does neither."""
    method = original.plan.method
    if method.generalization:
        return generalize_table(original, method.generalization, certified, caution)
    if method.microaggregation:
        return GroupedTable(microaggregate_table(original, method.microaggregation))
    return GroupedTable(original.engine.map_rows(original.frame, in_one_group))
