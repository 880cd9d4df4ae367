"""Figures of cut trees for the report: sizes, the top of the largest tree, errors of count queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shoal import progress
from shoal.assessment.assessment import FEWEST_SHOWN
from shoal.assessment.utility.cut_plan import CutPlan
from shoal.assessment.utility.cut_tree_summary import DrawnTree
from shoal.assessment.utility.query_errors import Stratum, query_findings
from shoal.encode.count_table import CountTable
from shoal.findings import Finding, Findings
from shoal.kernels import Labels
from shoal.methods.generalization.certificate import FULL
from shoal.methods.generalization.generalization_method import GeneralizationMethod
from shoal.methods.generalization.gensearch_result import GensearchResult
from shoal.pipeline.files.certificates import PlanCertificate
from shoal.pipeline.protect.key_set_counts import KeySetCounts
from shoal.plan import CutTree
from shoal.policy import ReleasePlan

MONDRIAN, ONE_BLOCK = "strict Mondrian's", "that of all records in one block"


@dataclass(frozen=True)
class ReleasedBlocks:
    """What is needed to release the records of a stratum by its plan."""

    tree: CutTree
    totals: Labels  # (n_blocks,) released records; 0 where a block is suppressed


@dataclass(frozen=True, eq=False)
class Plan:
    """The cut tree of a stratum, the number of released records of its blocks, and the counts it was found from."""

    tree: CutTree
    totals: Labels  # (n_blocks,) released records
    counts: CountTable
    found: GensearchResult | None = None

    @cached_property
    def counted(self) -> Labels:
        """(n_blocks,) records of its blocks, suppressed or not."""
        blocks = self.tree.block_of(self.counts.combinations)
        return np.bincount(blocks, weights=self.counts.n, minlength=self.tree.n_blocks).astype(np.int64)


@dataclass(frozen=True)
class PlanReport:
    """Figures, findings and certificates of the cut trees of one key set, or of all."""

    plans: tuple[CutPlan, ...] = ()
    findings: Findings = field(default_factory=Findings)
    certificates: tuple[PlanCertificate, ...] = ()

    def __add__(self, further: PlanReport) -> PlanReport:
        return PlanReport(
            self.plans + further.plans, self.findings + further.findings, self.certificates + further.certificates
        )


def report_plans(
    key_counts: KeySetCounts, plans: Mapping[int, Plan], method: GeneralizationMethod, plan: ReleasePlan, seed: int
) -> PlanReport:
    return PlanReport(
        tuple(_cut_plans(key_counts, plans, plan)),
        Findings(
            (
                *_query_findings(key_counts, plans, method, plan, seed),
                *_search_findings(plans, _key_set_suffix(key_counts, plan)),
            )
        ),
        tuple(
            PlanCertificate(
                each.tree.columns, key_counts.strata.values_of(stratum), each.found.certificate, key_counts.in_part
            )
            for stratum, each in plans.items()
            if each.found
        ),
    )


def search_notes(certified: Sequence[PlanCertificate]) -> tuple[str, ...]:
    """A note if searches ended because memory was full, before their budget of boxes was used up."""
    n_full = sum(one.certificate.how == FULL for one in certified)
    searches = f"{n_full} of {len(certified)} searches" if len(certified) > 1 else "The search"
    note = f"{searches} ended because the memory was full, before the budget of boxes was used up."
    return (f"{note} With more memory (method.memory) more may be found and proved.",) if n_full else ()


def _cut_plans(key_counts: KeySetCounts, plans: Mapping[int, Plan], release_plan: ReleasePlan) -> Iterator[CutPlan]:
    """Figures of each plan; the tree of the largest stratum is prepared for drawing."""
    largest = max(plans, key=lambda stratum: (int(key_counts.strata.sizes[stratum]), -stratum), default=None)
    for stratum, plan in plans.items():
        drawn = DrawnTree(plan.tree, plan.totals, plan.counts, key_counts.schema, release_plan.k or FEWEST_SHOWN)
        nodes = drawn.nodes() if stratum == largest and release_plan.releases_cuts else ()
        name = key_counts.strata.values_of(stratum)
        yield CutPlan.of(plan.tree, plan.totals, name, plan.found, nodes)


def _query_findings(
    key_counts: KeySetCounts,
    plans: Mapping[int, Plan],
    method: GeneralizationMethod,
    release_plan: ReleasePlan,
    seed: int,
) -> Findings:
    if not release_plan.releases_cuts or not plans:
        return Findings()
    baseline = method.baseline
    if baseline and not all(key_counts.coded(plan.counts).can_hold for plan in plans.values()):
        baseline = None
    with progress.stage("asking count queries", 0):
        strata = [
            Stratum(
                plan.counts, plan.tree, plan.totals, _baseline_tree(key_counts, plan, baseline) if baseline else None
            )
            for plan in plans.values()
        ]
        beside = MONDRIAN if baseline else ONE_BLOCK
        return query_findings(
            strata,
            fewest=release_plan.k or FEWEST_SHOWN,
            baseline=beside,
            suffix=_key_set_suffix(key_counts, release_plan),
            seed=seed,
        )


def _key_set_suffix(key_counts: KeySetCounts, release_plan: ReleasePlan) -> str:
    """The columns of a key set as a suffix of names, where there are several sets."""
    of_several = len(key_counts.key_set.columns) < len(release_plan.extents)
    return f" of {', '.join(key_counts.schema.quasi_identifiers)}" if of_several else ""


def _search_findings(plans: Mapping[int, Plan], suffix: str) -> Iterator[Finding]:
    """The gap between cost and lower bound, both summed over strata; no finding where the bound is not informative."""
    found = [plan.found for plan in plans.values() if plan.found]
    cost, bound = sum(one.cost for one in found), sum(one.lower_bound for one in found)
    if not found or (cost > 0 and bound <= 0):
        return
    loss = found[0].certificate.loss
    yield Finding(
        f"{loss} above its bound{suffix}",
        100 * (cost / bound - 1) if cost > bound else 0.0,
        f"What the plan costs, counted by the loss {loss}, above what no plan with these cuts can go below; "
        "0 % where it is proven to be the least.",
        unit="%",
    )


def _baseline_tree(key_counts: KeySetCounts, plan: Plan, baseline: GeneralizationMethod) -> CutTree:
    """The tree of the baseline method, for the same counts and requirements."""
    return baseline.cut(plan.counts, key_counts.schema, key_counts.key_set.requirements, key_counts.whole)
