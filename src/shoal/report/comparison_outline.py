"""A page that compares policies: the recommended one, a chart of risk and loss, which of two is better, the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.assessment.risk_limits import LimitCheck
from shoal.linkage.linkage_risk import NOT_COMPARED
from shoal.report.exposure_words import exposure_sentence
from shoal.report.limit_table import RULE, met_word
from shoal.report.outline_nodes import Caution, Headline, Outcome, Outline, Section
from shoal.report.pictures.frontier import Frontier, Spot
from shoal.report.text_nodes import Cell, Items, Paragraph, Table
from shoal.report.words import isolate, name_list, number_of, percent, rounded_percent

HEAD = ("Policy", "k", "Proven", "Suppressed", "Loss", "Linked", "IL1s", "DR", "Score", "Time")
NONE = "none"
MOST_PAIRS = 10  # of releases of the frontier that are all compared; of more, neighbors and the recommended one
WARNED = "But it has warnings, which no limit covers: read them below before it is released."
HOW_TO_READ = (
    "Each point is a release: farther left, less information is lost; farther down, fewer persons are found. The "
    "connected points are the frontier; every other release, in gray, is beaten by one of them. The numbers are those "
    "of the table; points that nearly coincide share a label."
)
LIMITS_EXAMPLE = ("[limits]", "linked_persons = 0.05", "prosecutor_risk = 0.2")


def comparison_outline(comparison: Comparison, name: str) -> Outline:
    sections = (_frontier(comparison), _pairs(comparison), _figures(comparison), _limits(comparison))
    return _outline(comparison, name, _headline(comparison), sections)


def narrow_comparison_outline(
    comparison: Comparison, name: str, pairs: Sequence[tuple[int, int]] | None = None
) -> Outline:
    """The same for a screen of 80 columns: policies are listed first, so that the table has only their numbers.
    ``pairs``: the releases to compare two by two, by their numbers; by default those of the frontier."""
    frontier = Section("frontier", "The frontier", (Paragraph(_unbeaten(comparison)),)) if comparison.points else None
    sections = (
        _recommendation(comparison),
        _policies(comparison),
        _figures(comparison, with_names=False),
        frontier,
        _pair_sentences(comparison, pairs),
        _limits(comparison, with_intervals=False),
    )
    return _outline(comparison, name, None, sections)


def _outline(
    comparison: Comparison, name: str, headline: Headline | None, of_releases: tuple[Section | None, ...]
) -> Outline:
    sections = (*of_releases, _not_met(comparison), _warnings(comparison), _notes(comparison))
    return Outline(
        "Comparison of policies",
        f"{name}, {number_of(len(comparison.policies), 'policy', 'policies')}, {comparison.n_releases} could be met",
        headline,
        tuple(section for section in sections if section),
    )


def _headline(comparison: Comparison) -> Headline:
    at, sentence = comparison.recommended, _recommendation_sentence(comparison)
    if at is not None:
        outcome: Outcome = "warns" if _has_warnings(comparison, at) else "holds"
        return Headline(outcome, f"Recommended: {isolate(comparison.name_of(at))}", sentence)
    if comparison.limits:
        return Headline("fails", "No release is recommended", sentence)
    caution = Caution("Limits are shares of 1, for example:", LIMITS_EXAMPLE)
    return Headline("open", "No release is recommended", sentence, (caution,))


def _recommendation(comparison: Comparison) -> Section:
    return Section("recommendation", "The recommendation", (Paragraph(_recommendation_sentence(comparison)),))


def _recommendation_sentence(comparison: Comparison) -> str:
    if not comparison.limits:
        return (
            "Which release to choose depends on the risk that you accept. Write it into the policy under [limits], "
            "and the release that loses least within these limits is recommended."
        )
    limits = name_list([f"{name} at most {percent(100 * most)}" for name, most in comparison.limits.items()])
    at = comparison.recommended
    if at is None:
        return f"No release meets all limits: {limits}."
    point = next(point for point in comparison.points if point.index == at)
    meeting = sum(policy.outcome is not None and policy.outcome.meets_limits for policy in comparison.policies)
    name, loss = isolate(comparison.name_of(at)), f"{rounded_percent(point.loss)} {_measure(comparison)}"
    warned = f" {WARNED}" if _has_warnings(comparison, at) else ""
    if meeting == 1:
        return f"Only {name} meets all limits: {limits}. It loses {loss}.{warned}"
    return f"{name} loses least ({loss}) of the {meeting:,} releases that meet all limits: {limits}.{warned}"


def _has_warnings(comparison: Comparison, at: int) -> bool:
    outcome = comparison.policies[at].outcome
    return outcome is not None and bool(outcome.exposures)


def _measure(comparison: Comparison) -> str:
    return "by IL1s, of numbers only" if comparison.by_bounded_loss else "of the information"


def _policies(comparison: Comparison) -> Section:
    names = tuple(
        f"{at + 1}. {tried.name}{f' ({tried.settings_text})' if tried.settings else ''}"
        for at, tried in enumerate(comparison.policies)
    )
    return Section("policies", "The policies", tuple(map(Paragraph, names)))


def _unbeaten(comparison: Comparison) -> str:
    names = [str(point.index + 1) for point in comparison.frontier]
    return f"No other release beats {name_list(names)} in both risk and loss."


def _frontier(comparison: Comparison) -> Section | None:
    if not comparison.points:
        return None
    on_it = {point.index for point in comparison.frontier}
    spots = tuple(
        Spot(
            p.index + 1,
            comparison.settings_of(p.index),
            p.loss,
            p.risk,
            p.index in on_it,
            p.index == comparison.recommended,
        )
        for p in comparison.points
    )
    text = Paragraph(f"{_unbeaten(comparison)} Risk: the persons found by the strongest linkage.")
    ring = " The ring marks the recommended release." if comparison.recommended is not None else ""
    chart = Frontier(
        "Risk and loss",
        HOW_TO_READ + ring,
        spots,
        "information loss of numbers (IL1s, capped), percent"
        if comparison.by_bounded_loss
        else "information loss, percent",
        "persons found, percent",
    )
    return Section("frontier", "The frontier", (text, chart))


def _pairs(comparison: Comparison) -> Section | None:
    pairs = _frontier_pairs(comparison)
    rows = tuple((_pair_cell(comparison, a, b), Cell(comparison.pair(a, b).sentence)) for a, b in pairs)
    return Section("pairs", PAIRS, (Paragraph(PAIRED), Table(("Releases", "Better"), rows, "ll"))) if rows else None


def _pair_cell(comparison: Comparison, one: int, other: int) -> Cell:
    names = (comparison.settings_of(number - 1) for number in (one, other))
    return Cell(f"{one} and {other}", note="; ".join(map(isolate, names)))


def _pair_sentences(comparison: Comparison, pairs: Sequence[tuple[int, int]] | None) -> Section | None:
    chosen = _frontier_pairs(comparison) if pairs is None else pairs
    sentences = tuple(comparison.pair(a, b).sentence for a, b in chosen)
    return Section("pairs", PAIRS, (Items(sentences),)) if sentences else None


PAIRS = "Which of two is better"
PAIRED = (
    "Points are percentage points. The range is the 95 % interval of the difference of the persons found. Every person "
    "is searched for in both releases: it is the interval of the mean difference of their two chances to be found. "
    "Losses are counted, not estimated. For any other two, give --pair 2,5 in the shell, or comparison.pair(2, 5) in "
    "Python."
)


def _frontier_pairs(comparison: Comparison) -> list[tuple[int, int]]:
    """The releases of the frontier two by two; of many, only neighbors and those next to the recommended one."""
    numbers = [point.index + 1 for point in comparison.frontier]
    pairs = list(combinations(sorted(numbers), 2))
    if len(pairs) <= MOST_PAIRS:
        return pairs
    chosen = comparison.recommended
    recommended = [(chosen + 1, number) for number in numbers if number != chosen + 1] if chosen is not None else []
    return sorted({(min(pair), max(pair)) for pair in (*recommended, *pairwise(numbers))})


def _limits(comparison: Comparison, *, with_intervals: bool = True) -> Section | None:
    """For every limit, what each release reaches."""
    made = [(at, tried.outcome) for at, tried in enumerate(comparison.policies) if tried.outcome]
    if not comparison.limits or not made:
        return None
    names = tuple(comparison.limits)
    rows = tuple(
        (
            Cell(str(at + 1)),
            *(_limit_cell(check, with_interval=with_intervals) for check in outcome.limit_checks),
            Cell("yes" if outcome.meets_limits else "no"),
        )
        for at, outcome in made
    )
    head = ("Release", *(f"{name} \u2264 {percent(100 * comparison.limits[name])}" for name in names), "All met")
    text = Paragraph(f"The strictest limits of all policies count for every release. {RULE}")
    return Section("limits", "The limits", (text, Table(head, rows, "l" + "r" * len(names) + "l")))


def _limit_cell(check: LimitCheck, *, with_interval: bool) -> Cell:
    if check.figure is None:
        return Cell("not measured")
    word = "" if check.is_met else f" ({met_word(check)})"
    notes = (_range(check.figure.interval), check.figure.caveat) if with_interval else ()
    return Cell(f"{rounded_percent(check.figure.estimate)}{word}", note="; ".join(filter(None, notes)))


def _range(interval: tuple[float, float] | None) -> str:
    return f"{interval[0]:.1f} to {interval[1]:.1f}" if interval else ""


def _figures(comparison: Comparison, *, with_names: bool = True) -> Section:
    text = Paragraph(
        "Proven: none if the policy sets no requirement. Loss: information loss over all quasi-identifiers; at 100 %, "
        "all records are alike. Linked: persons found by the strongest linkage. For numeric quasi-identifiers: IL1s, "
        "an information loss in which every cell counts as 100 % at most; DR, half interval disclosure and half the "
        "strongest linkage; Score, the bounded score, which is the mean of IL1s and DR and recommends nothing."
    )
    rows = tuple(_row(at, tried, with_names) for at, tried in enumerate(comparison.policies))
    return Section("figures", "The figures", (text, Table(HEAD, rows, "l" + "r" * (len(HEAD) - 1))))


def _row(at: int, tried: ComparedPolicy, with_name: bool) -> tuple[Cell, ...]:
    head = Cell(f"{at + 1}. {tried.name}", note=tried.settings_text) if with_name else Cell(str(at + 1))
    if tried.outcome is None:
        return (head, *(Cell(word) for word in ("", "not met", *[""] * (len(HEAD) - 3))))
    return (head, *_cells(tried.outcome, with_interval=with_name))


def _cells(made: PolicyOutcome, *, with_interval: bool) -> tuple[Cell, ...]:
    halves = (made.bounded_loss, made.score.bounded_risk, made.bounded_score) if made.score else ()
    return (
        Cell(f"{made.k_reached:,}"),
        Cell("yes" if made.proven else NONE),
        Cell(rounded_percent(made.suppressed)),
        Cell(rounded_percent(made.information_loss)),
        _linked_cell(made, with_interval=with_interval),
        *(map(Cell, (f"{half:,.1f}" for half in halves) if halves else (NONE,) * 3)),
        Cell(f"{made.seconds:,.1f}\u00a0s"),
    )


def _linked_cell(made: PolicyOutcome, *, with_interval: bool) -> Cell:
    if made.linked_persons is None:
        return Cell("not tried")
    if made.linked_bound is None or not made.leaves_out_pairs:
        return Cell(rounded_percent(made.linked_persons), note=_range(made.linked_interval) if with_interval else "")
    highest = f"up to {rounded_percent(made.linked_bound)}"
    if not with_interval:
        return Cell(highest)
    return Cell(rounded_percent(made.linked_persons), note=f"{highest}; {NOT_COMPARED}")


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
        for text in dict.fromkeys(of_release):
            about.setdefault(text, []).append(str(at + 1))
    return tuple(f"{name_list(numbers)}: {text}" for text, numbers in about.items())
