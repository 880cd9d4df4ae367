"""Digits: the means of a release show no further ones than were promised, as they are written.

A text tells how far its digits go: 20.60 as far as 20.6, 1e-3 three places after the point, 1200 two before it. Numbers
of a file with types count by their shortest text.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from shoal.release.written_counts import WrittenCounts
from shoal.sources.compute import pc

NUMBER = r"^[+-]?(?P<whole>[0-9]*)(?:[.,](?P<part>[0-9]*))?(?:[eE](?P<power>[+-]?[0-9]+))?$"
OF_A_WEIGHT = 2  # digits, as weights are rounded
LONGEST = 10  # a power of so many digits is that of no number


def digit_faults(name: str, counts: pa.Table, decimals: int) -> tuple[str, ...]:
    """Where a column promises ``decimals`` nothing finer may stand, and no word. ``counts``: of this column."""
    known = WrittenCounts.of(counts).known
    fine: Any = pc.fill_null(pc.greater(_places(known.values.cast(pa.string())), decimals), True)
    n_records = known.only(fine).n_records
    fault = f"the column '{name}' tells more digits than decimals = {decimals}, in {n_records} records"
    return (fault,) if n_records else ()


def weight_faults(name: str, counts: pa.Table) -> tuple[str, ...]:
    """Weights of more digits than two, from the first that is not 0 to the last. ``counts``: of this column."""
    known = WrittenCounts.of(counts).known
    fine: Any = pc.fill_null(pc.greater(_significant(known.values.cast(pa.string())), OF_A_WEIGHT), True)
    n_records = known.only(fine).n_records
    return (f"the column '{name}' has weights of more than two digits, in {n_records} records",) if n_records else ()


def not_promised(name: str) -> str:
    """What is said of a column whose digits nobody limits."""
    return f"{name}: neither policy nor manifest says how many digits its numbers may have, so they are not counted."


def _significant(texts: Any) -> Any:
    """How many digits there are from the first to the last that is not 0; null where a text is no number."""
    parts: Any = pc.extract_regex(texts, NUMBER)
    digits: Any = pc.binary_join_element_wise(pc.struct_field(parts, "whole"), pc.struct_field(parts, "part"), "")
    told = pc.utf8_length(pc.utf8_trim(digits, "0"))
    return pc.if_else(pc.is_valid(_places(texts)), told, pa.scalar(None, told.type))


def _places(texts: Any) -> Any:
    """How many places after the point the last digit stands that is not 0; null where a text is no number."""
    parts: Any = pc.extract_regex(texts, NUMBER)
    whole, part, power = (pc.struct_field(parts, field) for field in ("whole", "part", "power"))
    part, power = pc.utf8_rtrim(part, "0"), pc.utf8_ltrim(power, "+")
    power = pc.if_else(pc.equal(power, ""), "0", pc.if_else(pc.less(pc.utf8_length(power), LONGEST), power, None))
    before = pc.subtract(pc.utf8_length(pc.utf8_rtrim(whole, "0")), pc.utf8_length(whole))
    places = pc.if_else(pc.equal(part, ""), before, pc.utf8_length(part))
    is_zero = pc.equal(pc.utf8_trim(pc.binary_join_element_wise(whole, part, ""), "0"), "")
    has_digits = pc.greater(pc.binary_length(pc.binary_join_element_wise(whole, pc.struct_field(parts, "part"), "")), 0)
    told = pc.if_else(is_zero, pa.scalar(-(10**6), pa.int64()), pc.subtract(places, pc.cast(power, pa.int64())))
    return pc.if_else(pc.and_(has_digits, pc.is_valid(power)), told, pa.scalar(None, pa.int64()))
