"""Linkage in fractions: no rounding, so equal distances are equal. Numbers are what is written: 0.1 is 1/10."""

from __future__ import annotations

from fractions import Fraction


def chances(distances, truth, k):
    """Per record the chance that its true candidate is among the k nearest; distances[i][j]."""
    found = []
    for own, true in zip(distances, truth, strict=True):
        n_closer = sum(each < own[true] for each in own)
        n_as_near = sum(each == own[true] for each in own)
        found.append(min(Fraction(1), max(Fraction(0), Fraction(k - n_closer, n_as_near))))
    return found


def distances(columns, of_column):
    """The sum over (original, released) columns; ``of_column`` gives a table of squared distances."""
    tables = [of_column(*column) for column in columns]
    n, m = len(columns[0][0]), len(columns[0][1])
    return [[sum(table[i][j] for table in tables) for j in range(m)] for i in range(n)]


def by_value(original, released):
    """Of z-scores over both files together; a missing value sits at the mean and is 1 from a known one."""
    known = [number(value) for value in (*original, *released) if value is not None]
    mean = sum(known) / len(known)
    variance = sum((value - mean) ** 2 for value in known) / len(known)
    return _squares(*([value if value is None else number(value) for value in f] for f in (original, released)), mean,
                    variance)  # fmt: skip


def as_they_are(original, released):
    return [[(number(a) - number(b)) ** 2 for b in released] for a in original]


def number(value):
    return Fraction(repr(float(value)))


def by_rank(original, released):
    """Of mean ranks as shares of their own file, over the variance 1 / 12 of evenly spread ones."""
    return _squares(_shares(original), _shares(released), Fraction(1, 2), Fraction(1, 12))


def by_category(original, released):
    return [[Fraction(a != b) for b in released] for a in original]


def _shares(values):
    known = [number(value) for value in values if value is not None]
    return [None if value is None else _mean_rank(number(value), known) / len(known) for value in values]


def _mean_rank(value, known):
    return Fraction(sum(other < value for other in known) + sum(other <= value for other in known), 2)


def _squares(original, released, middle, variance):
    """A missing value is in the middle, and 1 from a known one."""

    def squared(a, b):
        apart = (middle if a is None else a) - (middle if b is None else b)
        return (apart**2 / variance if variance else 0) + ((a is None) != (b is None))

    return [[squared(a, b) for b in released] for a in original]
