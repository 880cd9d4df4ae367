"""Options that cannot be wrong."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from shoal.sources import ReadOptions


def test_all_is_sniffed_by_default() -> None:
    assert ReadOptions().model_dump(exclude_none=True) == {"missing": ("",), "apostrophes": False, "trim": False}
    assert all(field.description for field in ReadOptions.model_fields.values())


@pytest.mark.parametrize(
    "wrong",
    [
        {"delimiter": ",,"},
        {"delimiter": ""},
        {"decimal": ";"},
        {"encoding": "utf-9"},
        {"date_format": "dd.mm.yyyy"},
        {"delimiter": "'", "quote": "'"},
        {"delimeter": ","},
    ],
)
def test_wrong_options_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        ReadOptions(**wrong)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"delimiter": ",,"}, "a delimiter is one ASCII character"),
        ({"delimiter": ""}, "a delimiter is one ASCII character"),
        ({"delimiter": "§"}, "a delimiter is one ASCII character"),
        ({"delimiter": "\n"}, "a delimiter is one ASCII character"),
        ({"quote": "«"}, "a quote is one ASCII character"),
        ({"quote": "''"}, "a quote is one ASCII character"),
        ({"delimiter": '"'}, "must be different characters"),
        ({"delimiter": ";", "quote": ";"}, "must be different characters"),
        ({"encoding": "hex"}, "there is no encoding 'hex'"),
    ],
)
def test_wrong_options_are_refused_with_a_reason(wrong: dict[str, str], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        ReadOptions(**wrong)


def test_a_quote_may_be_none_and_its_character_a_delimiter() -> None:
    assert ReadOptions(delimiter='"', quote="").delimiter == '"'


def test_encodings_have_one_name() -> None:
    assert ReadOptions(encoding="UTF8").encoding == "utf-8"
