"""A usual word for missing that counts as a value of diversity is named, with the line that declares it."""

import pyarrow as pa
import pytest

import shoal

WORDS = ["NA", "N/A", "?", "Unknown ", "-", "missing"]


def noted(word, *, kind=None, **more):
    table = pa.table(
        {"age": [30, 31, 32, 33] * 3, "v": pa.array(["flu", word, "gout", word] * 3).cast(kind or pa.string())}
    )
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "v": {"role": "sensitive"}}
    asked = [{"name": "k_anonymity", "k": 3}, {"name": "distinct_l_diversity", "l": 2, "column": "v"}]
    release = shoal.protect(table, {"columns": columns, "requirements": asked, **more})
    return [note for note in release.manifest.notes if note.startswith("v: ") and "source.missing" in note]


@pytest.mark.gate(but=("string-NA", "string-N/A", "string-?"))
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("kind", [pa.string(), pa.binary()], ids=str)
def test_it_is_named_with_the_line_that_declares_it(word, kind):
    (note,) = noted(word, kind=kind)
    told = word.strip().lower()
    assert f"'{told}' counts as a value of diversity" in note
    assert f'source.missing = ["", "{told}"]' in note


def test_what_is_declared_or_is_no_such_word_is_not():
    assert not noted("unknown", source={"missing": ["", "unknown"]})
    assert not noted("cold")
    assert not noted("none")  # of an illness: there is none, and that is known


def test_of_columns_that_no_requirement_reads_nothing_is_said():
    assert not noted("NA", requirements=[{"name": "k_anonymity", "k": 3}])
