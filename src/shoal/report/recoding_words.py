"""Wording of global recoding by hand, from the policy summary of a manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.report.words import name_list, number_of

PARTS = {"year": "years", "quarter": "quarters", "month": "months", "decade": "decades"}


def recoding_text(recode: Mapping[str, Any] | None) -> str:
    """What values are recoded to, such as: recoded to years; empty if they are not recoded."""
    if not recode:
        return ""
    codes = " and ".join(f"{key} coded at {recode[key]:g}" for key in ("bottom", "top") if key in recode)
    if recode.keys() <= {"top", "bottom"}:
        return codes
    if codes:
        return f"recoded to {PARTS[recode['date_part']]}, {codes}"
    ((key, value),) = recode.items()
    match key:
        case "intervals":
            return f"recoded to intervals between {name_list([f'{bound:g}' for bound in value])}"
        case "width":
            return f"recoded to intervals of width {value:g}"
        case "date_part":
            return f"recoded to {PARTS[value]}"
        case "prefix":
            return f"recoded to {'the first character' if value == 1 else f'the first {value} characters'}"
        case "level":
            return f"recoded to level {value} of its taxonomy"
        case _:
            merged = [f"{number_of(n, 'category', 'categories')} into '{name}'" for name, n in value.items()]
            return f"merged: {name_list(merged)}"
