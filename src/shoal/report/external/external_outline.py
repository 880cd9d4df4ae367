"""The external edition of the three pages: on a release, on a release compared with its original, on policies.

``k``: the fewest records, or units, that anything on the page may be about.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from shoal.assessment.assessment import Assessment
from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.linkage.linkage_risk import NOT_COMPARED
from shoal.release.manifest import Manifest
from shoal.report.external import (
    public_attacks,
    public_columns,
    public_distributions,
    public_earlier,
    public_losses,
    public_provenance,
    public_requirements,
)
from shoal.report.external.share_steps import ShareSteps
from shoal.report.outline_nodes import Caution, Headline, Outline, Section
from shoal.report.pictures.frontier import Frontier, Spot
from shoal.report.sections.glossary import WORDS
from shoal.report.text_nodes import Cell, Paragraph, Table, Terms
from shoal.report.words import number_of

RELEASE, ASSESSMENT, COMPARISON = "Release report", "Risk and utility", "Comparison of policies"
EDITION = "external edition"
COMPARED = "a release, compared with its original"
FRONTIER = (
    "Each point is a release: farther left, less information is lost; farther down, the disclosure risk is lower. The "
    "numbers are those of the table. Shares are rounded up."
)
FIGURES = "Loss: information loss over all quasi-identifiers. Linked: persons found by the best linkage."
WARNED = ("With warnings", "The release discloses more than the policy accepts without a warning.")
UNNAMED = "A warning that is not written for this edition."
PUBLIC_SETTINGS = ("method.k", "method.name")  # of a grid, that this edition shows


def external_release(manifest: Manifest, assessment: Assessment, k: int) -> Outline:
    n = manifest.output.n_records
    steps, policy = ShareSteps(min(n, manifest.counts["n_records"]), k), manifest.policy
    released = public_columns.released_names(policy)
    warnings = public_attacks.warnings(assessment.exposures, steps)
    measured = _measured(assessment, steps, released, counts_units=_counts_units(policy)) if n else ()
    return _outline(
        RELEASE,
        f"{number_of(n, 'record')}, {EDITION}, produced {manifest.made[:10]}",
        public_requirements.section(manifest),
        public_columns.section(manifest, steps),
        *measured,
        public_provenance.section(manifest),
        headline=public_requirements.headline(manifest, warnings, has_warnings=bool(assessment.exposures)),
    )


def external_assessment(assessment: Assessment, k: int, released: Collection[str]) -> Outline:
    """``released``: names of the columns that the release has."""
    sizes = assessment.original_sizes, assessment.released_sizes
    steps = ShareSteps(min(each.n_candidates for each in sizes), k)
    counts_units = any(each.noun != "record" for each in sizes)
    measured = _measured(assessment, steps, released, counts_units=counts_units)
    return _outline(ASSESSMENT, f"{COMPARED}, {EDITION}", *measured, headline=_caution(assessment, steps))


def _caution(assessment: Assessment, steps: ShareSteps) -> Headline | None:
    if not assessment.exposures:
        return None
    warnings = public_attacks.warnings(assessment.exposures, steps)
    return Headline("warns", *WARNED, tuple(Caution(text, ()) for text in warnings))


def _measured(
    assessment: Assessment, steps: ShareSteps, released: Collection[str], *, counts_units: bool
) -> tuple[Section | None, ...]:
    return (
        public_attacks.section(assessment, steps),
        public_earlier.section(assessment.earlier, steps),
        public_losses.section(assessment, steps, released),
        public_distributions.section(assessment, steps, released, counts_units=counts_units),
    )


def _counts_units(policy: Mapping[str, Any]) -> bool:
    return any(rule["role"] in ("household", "unit") for rule in policy.get("columns", {}).values())


def _outline(title: str, subtitle: str, *sections: Section | None, headline: Any = None) -> Outline:
    glossary = Section("glossary", "Glossary", (Terms(WORDS),))
    found = (*sections, public_provenance.omitted(), glossary)
    return Outline(title, subtitle, headline, tuple(section for section in found if section))


def external_comparison(comparison: Comparison, n_records: int, k: int) -> Outline:
    steps = ShareSteps(n_records, k)
    return _outline(
        COMPARISON, EDITION, _frontier(comparison, steps), _figures(comparison, steps), _warnings(comparison, steps)
    )


def _frontier(comparison: Comparison, steps: ShareSteps) -> Section | None:
    if not comparison.points:
        return None
    on_it = {point.index for point in comparison.frontier}
    bounds = [_linked_bound(tried.outcome) for tried in comparison.policies]
    spots = tuple(
        Spot(p.index + 1, "", steps.at_most(p.loss), steps.at_most(bounds[p.index] or p.risk), p.index in on_it)
        for p in comparison.points
    )
    chart = Frontier("Risk and loss", "Shares are rounded up.", spots, "information loss, percent", "risk, percent")
    return Section("frontier", "The frontier", (Paragraph(FRONTIER), chart))


def _figures(comparison: Comparison, steps: ShareSteps) -> Section:
    rows = tuple(_row(at, tried, steps) for at, tried in enumerate(comparison.policies, start=1))
    table = Table(("Policy", "Proven", "Suppressed", "Loss", "Linked"), rows, "lrrrr")
    return Section("figures", "The figures", (Paragraph(FIGURES), table))


def _row(number: int, tried: ComparedPolicy, steps: ShareSteps) -> tuple[Cell, ...]:
    settings = ", ".join(f"{key} = {value}" for key, value in tried.settings.items() if key in PUBLIC_SETTINGS)
    head, made = Cell(f"policy {number}", note=settings), tried.outcome
    if made is None:
        return head, Cell("not met"), Cell(""), Cell(""), Cell("")
    suppressed, loss = (Cell(steps.up_to(share)) for share in (made.suppressed, made.information_loss))
    return head, Cell("yes" if made.proven else "none"), suppressed, loss, _linked(made, steps)


def _linked(made: PolicyOutcome, steps: ShareSteps) -> Cell:
    bound = _linked_bound(made)
    if bound is None:
        return Cell("not tried")
    return Cell(steps.up_to(bound), note=NOT_COMPARED if made.leaves_out_pairs else "")


def _linked_bound(made: PolicyOutcome | None) -> float | None:
    """Percent of the persons whom a linkage finds at most: an estimate is no bound, the end of its interval is one."""
    return None if made is None else made.linked_persons if made.linked_bound is None else made.linked_bound


def _warnings(comparison: Comparison, steps: ShareSteps) -> Section | None:
    """What limits and the table do not show: a release of little risk by linkage may expose its records otherwise."""
    rows = tuple(
        (Cell(f"policy {number}"), Cell(text))
        for number, tried in enumerate(comparison.policies, start=1)
        if tried.outcome and tried.outcome.exposures
        for text in public_attacks.warnings(tried.outcome.exposures, steps) or (UNNAMED,)
    )
    return Section("warnings", "Warnings", (Table(("Policy", "Warning"), rows, "ll"),)) if rows else None
