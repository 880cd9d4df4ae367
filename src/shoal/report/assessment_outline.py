"""A page that compares a release with its original."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.assessment.score import Score
from shoal.report.class_size_nodes import class_sizes
from shoal.report.findings_table import findings_table
from shoal.report.outline_nodes import Outline, Section
from shoal.report.sections import before_after, information_loss
from shoal.report.sections.information_loss import is_about_loss
from shoal.report.text_nodes import Items, Paragraph, Table, Tile, Tiles, facts
from shoal.report.words import number_of, percent


def assessment_outline(assessment: Assessment, name: str) -> Outline:
    sections = (
        _score(assessment),
        _intruder(assessment),
        _lost(assessment),
        before_after.distribution_section(assessment),
        _notes(assessment),
    )
    n_records = assessment.released_sizes.n_records
    return Outline(
        "Risk and utility",
        f"{name}, {number_of(n_records, 'record')}, beside its original",
        None,
        tuple(section for section in sections if section),
    )


def _score(assessment: Assessment) -> Section | None:
    score = assessment.score
    if score is None:
        return None
    told = Paragraph(
        "Half what was lost, half what an intruder who holds all numeric quasi-identifiers can learn: the lower, the "
        "better. Compare it with the score of other releases of the same table; by itself it says little."
    )
    return Section("score", "The score", (told, _tiles(score), _parts(score)))


def _tiles(score: Score) -> Tiles:
    return Tiles(
        (
            Tile("Score", f"{score.value:.1f}", "the lower, the better"),
            Tile("Mean variation", percent(score.information_loss), "what the score takes for loss"),
            Tile("Disclosure risk", percent(score.disclosure_risk), "intervals and linkage"),
        )
    )


def _parts(score: Score) -> Table:
    return facts(
        ("Interval disclosure", percent(score.interval_disclosure)),
        ("Linkage by distance", percent(score.distance_linkage)),
        ("Probabilistic linkage", percent(score.probabilistic_linkage)),
    )


def _intruder(assessment: Assessment) -> Section:
    risks = [f for f in assessment.findings if not is_about_loss(f) and not _is_of_the_score(f.name)]
    told = Paragraph(
        "Classes are records that are equal on all quasi-identifiers. Linkage takes every person of the original for "
        "the most likely record of the release; the baseline is what chance alone would do."
    )
    asked = next((int(f.goal) for f in risks if f.name == "k reached" and f.goal is not None), None)
    chart = class_sizes(assessment.original_sizes, assessment.released_sizes, asked)
    return Section("intruder", "What an intruder could still do", (told, findings_table(risks), chart))


def _lost(assessment: Assessment) -> Section:
    whole = [f for f in assessment.findings if is_about_loss(f) and not f.name.startswith("information loss of ")]
    chart = (information_loss.loss_by_column(assessment.losses),) if assessment.losses else ()
    return Section("lost", "What was lost", (findings_table(whole), *chart))


def _is_of_the_score(name: str) -> bool:
    return name == "score" or name.endswith(" of the score")


def _notes(assessment: Assessment) -> Section | None:
    return Section("notes", "How it was measured", (Items(assessment.notes),)) if assessment.notes else None
