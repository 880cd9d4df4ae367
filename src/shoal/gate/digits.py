"""The gate for digits: released means, and weights, have no more digits than promised.

Decimal places are counted in the written text up to the last digit that is not 0: 20.60 has one like 20.6, 1e-3 has
three, 1200 has minus two. Numbers of a typed file are counted in their shortest text.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from shoal.gate.written_counts import WrittenCounts
from shoal.sources.compute import pc

NUMBER = r"^[+-]?(?P<whole>[0-9]*)(?:[.,](?P<part>[0-9]*))?(?:[eE](?P<power>[+-]?[0-9]+))?$"
OF_A_WEIGHT = 2  # significant digits of rounded weights
LONGEST = 10  # an exponent with this many characters or more is not that of a number


def digit_faults(name: str, counts: pa.Table, decimals: int) -> tuple[str, ...]:
    """Faults of cells with more than ``decimals`` decimal places or without a number. ``counts``: of this column."""
    known = WrittenCounts.of(counts).known
    is_finer: Any = pc.fill_null(pc.greater(_places(known.values.cast(pa.string())), decimals), True)
    n_records = known.only(is_finer).n_records
    fault = f"the column '{name}' has more digits than decimals = {decimals}, in {n_records} records"
    return (fault,) if n_records else ()


def weight_faults(name: str, counts: pa.Table) -> tuple[str, ...]:
    """Faults of weights with more than two significant digits. ``counts``: of this column."""
    known = WrittenCounts.of(counts).known
    is_finer: Any = pc.fill_null(pc.greater(_significant(known.values.cast(pa.string())), OF_A_WEIGHT), True)
    n_records = known.only(is_finer).n_records
    return (f"the column '{name}' has weights of more than two digits, in {n_records} records",) if n_records else ()


def digits_note(name: str) -> str:
    """The note on a column for which neither policy nor manifest limits the digits."""
    return f"{name}: neither policy nor manifest says how many digits its numbers may have, so they are not counted."


def _significant(texts: Any) -> Any:
    """Number of significant digits, without leading and trailing zeros; null where a text is not a number."""
    parts: Any = pc.extract_regex(texts, NUMBER)
    digits: Any = pc.binary_join_element_wise(pc.struct_field(parts, "whole"), pc.struct_field(parts, "part"), "")
    n_digits = pc.utf8_length(pc.utf8_trim(digits, "0"))
    return pc.if_else(pc.is_valid(_places(texts)), n_digits, pa.scalar(None, n_digits.type))


def _places(texts: Any) -> Any:
    """Decimal places up to the last digit that is not 0, negative before the point; null where not a number."""
    parts: Any = pc.extract_regex(texts, NUMBER)
    whole, part, power = (pc.struct_field(parts, field) for field in ("whole", "part", "power"))
    part, power = pc.utf8_rtrim(part, "0"), pc.utf8_ltrim(power, "+")
    power = pc.if_else(pc.equal(power, ""), "0", pc.if_else(pc.less(pc.utf8_length(power), LONGEST), power, None))
    before = pc.subtract(pc.utf8_length(pc.utf8_rtrim(whole, "0")), pc.utf8_length(whole))
    places = pc.if_else(pc.equal(part, ""), before, pc.utf8_length(part))
    is_zero = pc.equal(pc.utf8_trim(pc.binary_join_element_wise(whole, part, ""), "0"), "")
    has_digits = pc.greater(pc.binary_length(pc.binary_join_element_wise(whole, pc.struct_field(parts, "part"), "")), 0)
    n_decimals = pc.if_else(is_zero, pa.scalar(-(10**6), pa.int64()), pc.subtract(places, pc.cast(power, pa.int64())))
    return pc.if_else(pc.and_(has_digits, pc.is_valid(power)), n_decimals, pa.scalar(None, pa.int64()))
