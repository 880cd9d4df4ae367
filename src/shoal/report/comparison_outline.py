"""A page that compares policies: a chart of risk and loss, and the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.report.exposure_words import exposure_sentence
from shoal.report.outline_nodes import Outline, Section
from shoal.report.pictures.frontier import Frontier, Spot
from shoal.report.text_nodes import Cell, Items, Paragraph, Table
from shoal.report.words import name_list, number_of, rounded_percent

HEAD = ("Policy", "k", "Proven", "Suppressed", "Loss", "Linked", "IL1s", "DR", "Bounded score", "Time")
NONE = "none"


def comparison_outline(comparison: Comparison, name: str) -> Outline:
    return _outline(comparison, name, (_frontier(comparison), _figures(comparison)))


def narrow_comparison_outline(comparison: Comparison, name: str) -> Outline:
    """The same for a screen of 80 columns: policies are listed first, so that the table has only their numbers."""
    frontier = Section("frontier", "The frontier", (Paragraph(_unbeaten(comparison)),)) if comparison.points else None
    return _outline(comparison, name, (_policies(comparison), _figures(comparison, with_names=False), frontier))


def _outline(comparison: Comparison, name: str, of_releases: tuple[Section | None, ...]) -> Outline:
    sections = (*of_releases, _not_met(comparison), _warnings(comparison), _notes(comparison))
    return Outline(
        "Comparison of policies",
        f"{name}, {number_of(len(comparison.policies), 'policy', 'policies')}, {len(comparison.points)} could be met",
        None,
        tuple(section for section in sections if section),
    )


def _policies(comparison: Comparison) -> Section:
    names = tuple(
        f"{at + 1}. {tried.name}{f' ({tried.settings_text})' if tried.settings else ''}"
        for at, tried in enumerate(comparison.policies)
    )
    return Section("policies", "The policies", tuple(map(Paragraph, names)))


def _unbeaten(comparison: Comparison) -> str:
    names = [str(point.index + 1) for point in comparison.frontier]
    return f"No other release beats {name_list(names)} in both risk and loss. {_best(comparison)}".strip()


def _frontier(comparison: Comparison) -> Section | None:
    if not comparison.points:
        return None
    on_it = {point.index for point in comparison.frontier}
    spots = tuple(
        Spot(p.index + 1, comparison.policies[p.index].name, p.loss, p.risk, p.index in on_it)
        for p in comparison.points
    )
    text = Paragraph(
        "Each point is a release: farther left, less information is lost; farther down, the disclosure risk is lower. "
        "The connected points are the frontier; every other release is beaten by one of them. The numbers are those of "
        "the table."
    )
    chart = Frontier(
        "Risk and loss",
        _unbeaten(comparison),
        spots,
        "information loss (IL1s, capped), percent" if comparison.by_score else "information loss, percent",
        "disclosure risk (DR), percent" if comparison.by_score else "persons linked, percent",
    )
    return Section("frontier", "The frontier", (text, chart))


def _best(comparison: Comparison) -> str:
    best = comparison.best
    return "" if best is None else f"{comparison.policies.index(best) + 1} has the lowest bounded score."


def _figures(comparison: Comparison, *, with_names: bool = True) -> Section:
    text = Paragraph(
        "Proven: none if the policy sets no requirement. Loss: information loss over all quasi-identifiers; at 100 %, "
        "all records are alike. Linked: persons found by the strongest linkage. For numeric quasi-identifiers: IL1s, "
        "an information loss in which every cell counts as 100 % at most; DR, half interval disclosure and half the "
        "strongest linkage; Bounded score, the mean of IL1s and DR."
    )
    rows = tuple(_row(at, tried, with_names) for at, tried in enumerate(comparison.policies))
    return Section("figures", "The figures", (text, Table(HEAD, rows, "l" + "r" * (len(HEAD) - 1))))


def _row(at: int, tried: ComparedPolicy, with_name: bool) -> tuple[Cell, ...]:
    head = Cell(f"{at + 1}. {tried.name}", note=tried.settings_text) if with_name else Cell(str(at + 1))
    if tried.outcome is None:
        return (head, *(Cell(word) for word in ("", "not met", *[""] * (len(HEAD) - 3))))
    return (head, *map(Cell, _cells(tried.outcome)))


def _cells(made: PolicyOutcome) -> tuple[str, ...]:
    halves = (made.bounded_loss, made.score.bounded_risk, made.bounded_score) if made.score else ()
    return (
        f"{made.k_reached:,}",
        "yes" if made.proven else NONE,
        rounded_percent(made.suppressed),
        rounded_percent(made.information_loss),
        rounded_percent(made.linked_persons),
        *((f"{half:,.1f}" for half in halves) if halves else (NONE,) * 3),
        f"{made.seconds:,.1f}\u00a0s",
    )


def _not_met(comparison: Comparison) -> Section | None:
    reasons = tuple(f"{at + 1}: {t.reason}" for at, t in enumerate(comparison.policies) if t.outcome is None)
    return Section("not_met", "Policies that could not be met", (Items(reasons),)) if reasons else None


def _warnings(comparison: Comparison) -> Section | None:
    found = {
        at: [exposure_sentence(exposure) for exposure in tried.outcome.exposures]
        for at, tried in enumerate(comparison.policies)
        if tried.outcome
    }
    texts = _numbered(found)
    return Section("warnings", "Warnings", (Items(texts),)) if texts else None


def _notes(comparison: Comparison) -> Section | None:
    texts = _numbered({at: tried.outcome.notes for at, tried in enumerate(comparison.policies) if tried.outcome})
    return Section("notes", "How it was measured", (Items(texts),)) if texts else None


def _numbered(texts: Mapping[int, Sequence[str]]) -> tuple[str, ...]:
    """Each text once, with the numbers of the releases that it applies to."""
    about: dict[str, list[str]] = {}
    for at, of_release in texts.items():
        for text in of_release:
            about.setdefault(text, []).append(str(at + 1))
    return tuple(f"{name_list(numbers)}: {text}" for text, numbers in about.items())
