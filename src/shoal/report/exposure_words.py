"""Wording of exposures: the share of records, the columns, and lines for the policy that reduce it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shoal.assessment.exposure import Exposure, ExposureKind
from shoal.report.outline_nodes import Caution
from shoal.report.words import isolate, percent

IN_THE_POLICY = "These lines in the policy resolve it, each in its section; add a section that is not there yet:"
IN_ALL_POLICIES = "These lines exclude it if all releases are made with them, the first one included:"
MOST_BLOCKS = 5
ALL_OF_THEM = (
    "release.assessment.exposures in Python lists all. A column that nobody needs is dropped by role = 'identifier'."
)


def exposure_sentence(exposure: Exposure) -> str:
    """What is exposed, without the lines that resolve it."""
    return SENTENCES[exposure.kind](exposure)


def exposure_caution(exposure: Exposure) -> Caution:
    sentence = exposure_sentence(exposure)
    lines = tuple(map(_line, _first_blocks(exposure.remedy.split("\n")))) if exposure.remedy else ()
    lead_in = IN_ALL_POLICIES if exposure.kind == "pinned" else IN_THE_POLICY
    return Caution(f"{sentence} {lead_in}" if lines else sentence, lines)


def _line(line: str) -> str:
    """The line; the head of a section, of which a policy has only one, is a comment."""
    return f"# in {line}:" if line.startswith("[") and not line.startswith("[[") else line


def _first_blocks(lines: Sequence[str]) -> tuple[str, ...]:
    """The first blocks of TOML and the number of further ones, since a wide table would fill the screen."""
    starts = [at for at, line in enumerate(lines) if line.startswith("[")]
    if len(starts) <= MOST_BLOCKS:
        return tuple(lines)
    rest = f"# and {len(starts) - MOST_BLOCKS:,} more blocks like these: {ALL_OF_THEM}"
    return (*lines[: starts[MOST_BLOCKS]], rest)


def _named(exposure: Exposure, conjunction: str) -> str:
    return f" {conjunction} ".join(f"'{isolate(name)}'" for name in exposure.columns)


def _unique(exposure: Exposure) -> str:
    named = _named(exposure, "and")
    have = "which have the most distinct values" if len(exposure.columns) > 1 else "which is not protected"
    return (
        f"{percent(exposure.share)} of the released records are unique on columns that are released unchanged "
        f"({percent(exposure.limit)} is accepted without a warning), mainly because of {named}, {have}. "
        "Anyone who knows these values of a person finds the record."
    )


def _dependent(exposure: Exposure) -> str:
    named = _named(exposure, "and")
    depend = "depend" if len(exposure.columns) > 1 else "depends"
    return (
        f"Who learns from the release how {named} {depend} on the quasi-identifiers tells records "
        f"of a class apart and finds {percent(exposure.share)} of the persons; without such columns it is "
        f"{percent(exposure.limit)}."
    )


def _homogeneous(exposure: Exposure) -> str:
    named = _named(exposure, "or")
    up_to = "Up to " if len(exposure.columns) > 1 else ""
    return (
        f"{up_to}{percent(exposure.share)} of the released records are in classes whose records all share one value of "
        f"{named} ({percent(exposure.limit)} is accepted without a warning). Anyone who finds the class of a person "
        "learns this value without knowing which record is the person's."
    )


def _determined(exposure: Exposure) -> str:
    named = _named(exposure, "and")
    up_to = "Up to " if len(exposure.columns) > 1 else ""
    return (
        f"{up_to}{percent(exposure.share)} of the released values of {named} can be computed from the release, or it "
        f"could not be decided whether they can ({percent(exposure.limit)} is accepted without a warning): what the "
        "release shows about a class leaves only one possible value for each. Fewer digits (decimals), rounded weights "
        "(output.weights) or a larger k resolve it; representation = 'centroids' hides the ends of intervals."
    )


def _unit_revealed(exposure: Exposure) -> str:
    return (
        f"In {percent(exposure.share)} of the records, '{isolate(exposure.columns[0])}' has a value that only records "
        f"of the same unit have ({percent(exposure.limit)} is accepted without a warning): it shows which records "
        "belong to one person, firm or household, although the unit itself is not released."
    )


def _outermost(exposure: Exposure) -> str:
    return (
        f"Intervals of '{isolate(exposure.columns[0])}' end at the least or the greatest values, which fewer than k "
        "records have: anyone who knows who has the least or the most learns this value as finely as the column is "
        "recoded. Without the recoding, intervals on a grid of the same step leave these ends open."
    )


def _intersected(exposure: Exposure) -> str:
    return (
        "An intruder who knows all records of a person, firm or household compares their classes, and infers "
        f"'{isolate(exposure.columns[0])}' correctly for {percent(exposure.share)} of those with several records; from "
        f"a single class it is {percent(exposure.limit)}. Microaggregation without split_households groups whole units "
        "and excludes this."
    )


def _pinned(exposure: Exposure) -> str:
    return (
        f"Who compares this release with earlier ones learns '{isolate(exposure.columns[0])}' for certain of up to "
        f"{percent(exposure.share)} of the persons who stayed, left or joined ({percent(exposure.limit)} more than "
        "from one release alone is accepted without a warning)."
    )


def _unrecognized(exposure: Exposure) -> str:
    return (
        f"No column is stable: even '{isolate(exposure.columns[0])}' differs between the releases for "
        f"{percent(exposure.share)} of the persons whom both have, so that nothing was compared with earlier releases. "
        "Is --person right, and are these the same people?"
    )


def _minimality(exposure: Exposure) -> str:
    return _claim_sentence(exposure, "classes", "merged")


def _suppressed(exposure: Exposure) -> str:
    return _claim_sentence(exposure, "records", "suppressed")


def _blanked(exposure: Exposure) -> str:
    return (
        f"{_claim_sentence(exposure, 'cells', 'blanked')} A larger k, recoding columns before cells are blanked, or "
        "microaggregation with decoys = 'auto' instead of blanks leaves fewer of them, or none."
    )


def _claim_sentence(exposure: Exposure, what: str, why: str) -> str:
    named = f"'{isolate(exposure.columns[0])}'"
    return (
        "An intruder who knows the policy and the quasi-identifiers of everybody can form the groups again, sees "
        f"which {what} were {why} because of {named}, and infers its value correctly for {percent(exposure.share)} "
        f"of the persons about whom this permits a claim; from the release alone it is {percent(exposure.limit)}."
    )


SENTENCES: dict[ExposureKind, Callable[[Exposure], str]] = {
    "unique": _unique,
    "dependent": _dependent,
    "homogeneous": _homogeneous,
    "determined": _determined,
    "minimality": _minimality,
    "suppressed": _suppressed,
    "blanked": _blanked,
    "retied": _unit_revealed,
    "outermost": _outermost,
    "intersected": _intersected,
    "pinned": _pinned,
    "unrecognized": _unrecognized,
}
