"""A page that compares a release with its original."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.assessment.risk_limits import check_limits
from shoal.assessment.score import BOUNDED_SCORE, Score
from shoal.report.attack_table import attack_table, strongest_linkage_text
from shoal.report.class_size_nodes import class_sizes
from shoal.report.exposure_words import exposure_caution
from shoal.report.finding_subjects import is_part_of_score
from shoal.report.findings_table import findings_table
from shoal.report.limit_table import limit_parts
from shoal.report.outline_nodes import Headline, Outline, Section
from shoal.report.sections import before_after, information_loss
from shoal.report.sections.information_loss import is_about_loss
from shoal.report.sections.usefulness_section import usefulness_section
from shoal.report.text_nodes import Items, Paragraph, Table, Tile, Tiles, facts
from shoal.report.words import number_of, percent

WARNED = "The release discloses more than the policy accepts without a warning."


def assessment_outline(assessment: Assessment, name: str) -> Outline:
    sections = (
        _score(assessment),
        _disclosure_risk(assessment),
        _information_loss(assessment),
        usefulness_section(assessment),
        before_after.distribution_section(assessment),
        _notes(assessment),
    )
    sizes = assessment.released_sizes
    size = f", {number_of(sizes.n_records, 'record')}" if sizes.noun == "record" else ""
    return Outline(
        "Risk and utility",
        f"{name}{size}, compared with its original",
        _warning(assessment),
        tuple(section for section in sections if section),
    )


def _warning(assessment: Assessment) -> Headline | None:
    """The warnings of the release, which its figures do not show at a glance; None without any."""
    cautions = tuple(map(exposure_caution, assessment.exposures))
    return Headline("warns", _number_of_warnings(len(cautions)), WARNED, cautions) if cautions else None


def _number_of_warnings(n: int) -> str:
    return "A warning" if n == 1 else f"{n} warnings"


def _score(assessment: Assessment) -> Section | None:
    score = assessment.score
    if score is None:
        return None
    text = Paragraph(
        "The score is the mean of the information loss and of the disclosure risk from an intruder who knows all "
        "numeric quasi-identifiers. Lower is better. Compare it with the scores of other releases of the same table; a "
        "single score says little."
    )
    bounded = assessment.findings[BOUNDED_SCORE].estimate
    return Section("score", "The score", (text, _tiles(score, bounded), _parts(score)))


def _tiles(score: Score, bounded: float) -> Tiles:
    return Tiles(
        (
            Tile("Score", f"{score.value:.1f}", "as published; lower is better"),
            Tile("Bounded score", f"{bounded:.1f}", "with IL1s, every cell 100 % at most; of shoal compare"),
            Tile("Mean variation", percent(score.information_loss), "the information loss of the score"),
            Tile("Disclosure risk", percent(score.bounded_risk), "interval disclosure and the strongest linkage"),
        )
    )


def _parts(score: Score) -> Table:
    return facts(
        ("Interval disclosure", percent(score.interval_disclosure)),
        ("Linkage by distance", percent(score.distance_linkage)),
        ("Probabilistic linkage", percent(score.probabilistic_linkage)),
        ("Strongest linkage, of the bounded score", percent(score.strongest_linkage)),
        ("Disclosure risk of the published score", percent(score.disclosure_risk)),
    )


def _disclosure_risk(assessment: Assessment) -> Section:
    others = {attack.figure.name for attack in assessment.attacks}
    risks = [
        f for f in assessment.findings if not is_about_loss(f) and not is_part_of_score(f.name) and f.name not in others
    ]
    text = Paragraph(
        "A class contains the records that are equal on all quasi-identifiers. Linkage assigns every person of the "
        "original to the most likely record of the release; the baseline is the result of chance alone."
    )
    required_k = next((int(f.goal) for f in risks if f.name == "k reached" and f.goal is not None), None)
    chart = class_sizes(assessment.original_sizes, assessment.released_sizes, required_k)
    attacks = (attack_table(assessment.attacks),) if assessment.attacks else ()
    linkage, limits = strongest_linkage_text(assessment), limit_parts(check_limits(assessment.limits, assessment))
    parts = (text, *linkage, *limits, findings_table(risks), *attacks, chart)
    return Section("intruder", "Remaining disclosure risk", parts)


def _information_loss(assessment: Assessment) -> Section:
    whole = [f for f in assessment.findings if is_about_loss(f) and not f.name.startswith("information loss of ")]
    chart = (information_loss.loss_by_column(assessment.losses),) if assessment.losses else ()
    return Section("lost", "Information loss", (findings_table(whole), *chart))


def _notes(assessment: Assessment) -> Section | None:
    return Section("notes", "How it was measured", (Items(assessment.notes),)) if assessment.notes else None
