"""What is odd about the way the values of a column are written, as questions to the data steward."""

from __future__ import annotations

from shoal.schema.suggest import name_patterns
from shoal.schema.suggest.column_evidence import ColumnEvidence
from shoal.schema.suggest.value_patterns import FITS, FITS_MOST, ICD_10

DATE_FORMS = {
    "year-month-day": r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([T ].*)?",
    "year/month/day": r"[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}",
    "yearmonthday": r"(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])",
    "day.month.year": r"[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}",
    "day.month.year of two digits": r"[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{2}",
    "day/month/year or month/day/year": r"[0-9]{1,2}/[0-9]{1,2}/([0-9]{2}|[0-9]{4})",
    "day-month-year": r"[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}",
}
ICD_DOTTED, ICD_LONG = r".{3}[.].+", r"[A-TV-Z][0-9][0-9A-Z][0-9A-Z]{1,4}[-+*!]?"
DIGITS, WITHOUT_ZERO = r"[0-9]{5}", r"[0-9]{4}"  # of postal codes


def value_questions(column: ColumnEvidence) -> tuple[str, ...]:
    """All questions about the values of one column; none of them shows a value."""
    return (*_forms_of_dates(column), *_dots(column), *_lost_zeros(column))


def _forms_of_dates(column: ColumnEvidence) -> tuple[str, ...]:
    if not column.is_text or column.is_date or not column.fits("|".join(DATE_FORMS.values()), FITS_MOST):
        return ()
    forms = [form for form, pattern in DATE_FORMS.items() if column.share(pattern)]
    if len(forms) < 2:
        return ()
    return (
        f"its dates are written in several ways ({', '.join(forms)}), so they are read as texts: write all in one way",
    )


def _dots(column: ColumnEvidence) -> tuple[str, ...]:
    is_icd = column.is_text and column.says(name_patterns.DIAGNOSIS) and column.fits(ICD_10, FITS)
    if not is_icd or not column.share(ICD_DOTTED) or not column.share(ICD_LONG):
        return ()
    return ("ICD-10 codes are written with and without a dot, so one diagnosis counts as two: write all in one way",)


def _lost_zeros(column: ColumnEvidence) -> tuple[str, ...]:
    """Postal codes of five digits, some of which have four: a program took them for numbers."""
    if not column.says(name_patterns.POSTAL):
        return ()
    whole, short = column.share(DIGITS), column.share(WITHOUT_ZERO)
    if not 0 < short < whole or whole + short < FITS:
        return ()
    return ("postal codes of four digits are among those of five: they have lost a leading zero, write it again",)
