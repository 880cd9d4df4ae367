"""How values are written: numbers that identify persons, and codes of known classifications."""

from __future__ import annotations

from shoal.schema.suggest import name_patterns
from shoal.schema.suggest.column_evidence import ColumnEvidence

FITS = 0.99  # share of the known cells that a pattern must fit
FITS_MOST = 0.9  # the same for direct identifiers: a tenth may be damaged

IDENTIFIERS = {
    "e-mail addresses": r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}",
    "IBANs": r"[A-Z]{2}[0-9]{2}( ?[0-9A-Z]{4}){3,7}( ?[0-9A-Z]{1,3})?",
    "phone numbers": r"(\+|00)[0-9]{1,3}[ /()0-9.-]{6,18}|\(?0[0-9]{1,5}\)?[ /-][0-9][ 0-9/-]{4,14}"
    r"|(\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[0-9]{3}[ .-][0-9]{4}",
    "social security numbers": r"[0-9]{3}-[0-9]{2}-[0-9]{4}",
    "UUIDs": r"[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}",
    "IP addresses": r"([0-9]{1,3}\.){3}[0-9]{1,3}",
    "web addresses": r"https?://\S+",
}
TIME_OF_DAY = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?"
ICD_10 = r"[A-TV-Z][0-9][0-9A-Z](\.?[0-9A-Z]{1,4})?[-+*!]?"
NACE = r"[A-U]?[0-9]{2}(\.?[0-9]{1,2}(\.[0-9])?)?"
ISCO = r"[0-9]{4}"
NUTS = (
    r"(AT|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IS|IT|LI|LT|LU|LV|MT|NL|NO|PL|PT|RO|RS|SE|SI|SK|TR|UK)"
    r"[0-9A-Z]{1,3}"
)
POSTAL_LETTERS = r"[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]|[0-9]{4} ?[A-Z]{2}"
LENGTHS = range(4, 9)  # digits of a postal or municipality code


def identifying(column: ColumnEvidence) -> str | None:
    """The kind of identifier that nearly all of its texts are; None for other columns."""
    if not column.is_text or not column.n_known:
        return None
    return next((what for what, pattern in IDENTIFIERS.items() if column.fits(pattern, FITS_MOST)), None)


def is_time_of_day(column: ColumnEvidence) -> bool:
    return column.is_text and column.fits(TIME_OF_DAY, 1)


def prefixes(column: ColumnEvidence) -> tuple[str, tuple[int, ...]] | None:
    """The classification of its codes and the lengths of its coarser levels; None where no pattern fits."""
    if not (column.is_text or column.is_whole):
        return None
    if column.says(name_patterns.DIAGNOSIS) and column.is_text and column.fits(ICD_10, FITS):
        return "ICD-10", (3, 1)
    if column.says(name_patterns.INDUSTRY) and column.fits(NACE, FITS) and column.n_values > 2:
        return "industry", _shorter(column, (2,), sections=column.fits(r"[A-U].*", FITS))
    if column.says(name_patterns.OCCUPATION) and column.fits(ISCO, FITS):
        return "occupation", (3, 2, 1)
    if column.is_text and column.says(name_patterns.REGION) and column.fits(NUTS, FITS):
        return "NUTS", _shorter(column, (4, 3, 2))
    return _place(column)


def _place(column: ColumnEvidence) -> tuple[str, tuple[int, ...]] | None:
    is_postal, is_place = column.says(name_patterns.POSTAL), column.says(name_patterns.PLACES)
    if not (is_postal or is_place):
        return None
    what = "postal" if is_postal else "place"
    for length in LENGTHS:
        if column.fits(f"[0-9]{{{length}}}", FITS):
            return what, (3, 2, 1) if length > 4 else (2, 1)
    if is_postal and column.fits(POSTAL_LETTERS, FITS):
        return what, (3, 1)
    return None


def _shorter(column: ColumnEvidence, lengths: tuple[int, ...], *, sections: bool = False) -> tuple[int, ...]:
    """Those lengths that shorten some code; one more character where codes begin with the letter of a section."""
    longest = max(map(len, column.texts.to_pylist()))
    return tuple(n + sections for n in lengths if n + sections < longest) or (1,)
