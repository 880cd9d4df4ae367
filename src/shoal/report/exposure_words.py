"""Wording of exposures: the share of records, the columns, and lines for the policy that reduce it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shoal.assessment.exposure import Exposure, ExposureKind
from shoal.report.outline_nodes import Caution
from shoal.report.words import isolated, percent

IN_THE_POLICY = "These lines in the policy mend it; where a table of theirs is there already, change it there:"
MOST_BLOCKS = 5
ALL_OF_THEM = (
    "release.assessment.exposures in Python has all. A column that nobody needs is dropped by role = 'identifier'."
)


def caution(exposure: Exposure) -> Caution:
    told = TOLD[exposure.kind](exposure)
    lines = _few(exposure.remedy.split("\n")) if exposure.remedy else ()
    return Caution(f"{told} {IN_THE_POLICY}" if lines else told, lines)


def _few(lines: Sequence[str]) -> tuple[str, ...]:
    """The first blocks of TOML and the number of further ones, since a wide table would fill the screen."""
    starts = [at for at, line in enumerate(lines) if line.startswith("[")]
    if len(starts) <= MOST_BLOCKS:
        return tuple(lines)
    rest = f"# and {len(starts) - MOST_BLOCKS:,} more blocks like these: {ALL_OF_THEM}"
    return (*lines[: starts[MOST_BLOCKS]], rest)


def _unique(exposure: Exposure) -> str:
    named = " and ".join(f"'{isolated(name)}'" for name in exposure.columns)
    have = "which have the most different values" if len(exposure.columns) > 1 else "which nothing protects"
    return (
        f"{percent(exposure.share)} of the released records are unique on columns that are released as they are "
        f"({percent(exposure.limit)} pass without a warning), most of all by {named}, {have}. "
        "Who knows these values of a person finds the record."
    )


def _homogeneous(exposure: Exposure) -> str:
    named = " or ".join(f"'{isolated(name)}'" for name in exposure.columns)
    up_to = "Up to " if len(exposure.columns) > 1 else ""
    return (
        f"{up_to}{percent(exposure.share)} of the released records lie in classes that all share one value of {named} "
        f"({percent(exposure.limit)} pass without a warning). Who finds the class of a person learns it, without "
        "knowing which record is the right one."
    )


def _determined(exposure: Exposure) -> str:
    named = " and ".join(f"'{isolated(name)}'" for name in exposure.columns)
    up_to = "Up to " if len(exposure.columns) > 1 else ""
    return (
        f"{up_to}{percent(exposure.share)} of the released values of {named} can be computed back, or it could not be "
        f"decided whether they can ({percent(exposure.limit)} pass without a warning): what the release tells of a "
        "class leaves them one value each. Fewer digits (decimals), rounded weights (output.weights) or a larger k "
        "mend it; ends are hidden by representation = 'centroids'."
    )


def _retied(exposure: Exposure) -> str:
    return (
        f"In {percent(exposure.share)} of the records '{isolated(exposure.columns[0])}' has a value that only records "
        f"of the same unit have ({percent(exposure.limit)} pass without a warning): it tells which records are of one "
        "person, firm or household, though the unit itself is not released."
    )


def _minimality(exposure: Exposure) -> str:
    return _accused(exposure, "classes", "merged")


def _suppressed(exposure: Exposure) -> str:
    return _accused(exposure, "records", "suppressed")


def _blanked(exposure: Exposure) -> str:
    return (
        f"{_accused(exposure, 'cells', 'blanked')} A larger k, columns recoded before they are blanked, or a method of "
        "microaggregation with decoys = 'auto' in the place of blanks leave fewer of them, or none."
    )


def _accused(exposure: Exposure, what: str, why: str) -> str:
    named = f"'{isolated(exposure.columns[0])}'"
    return (
        f"Who knows the quasi-identifiers of everybody and the policy can form the groups anew, sees which {what} were "
        f"{why} because of {named}, and names it rightly for {percent(exposure.share)} of those who can be accused so; "
        f"the release itself says {percent(exposure.limit)}."
    )


TOLD: dict[ExposureKind, Callable[[Exposure], str]] = {
    "unique": _unique,
    "homogeneous": _homogeneous,
    "determined": _determined,
    "minimality": _minimality,
    "suppressed": _suppressed,
    "blanked": _blanked,
    "retied": _retied,
}
