"""What Shoal says of the stored tables is what is kept: every figure, sentence, warning and help."""

import re

import pytest

from golden.answers import HELP, KEPT, ask, ask_for_help
from golden.lines import Lines, differences, from_text, is_same, to_text
from golden.policies import NET, SHOWN_MOST

SHOWN = 20  # differences
NEXT = "If this is meant: make golden, and a commit that names the cause."


def kept(name):
    return from_text((KEPT / f"{name}.txt").read_text(encoding="utf-8"))


@pytest.mark.gate(but=SHOWN_MOST)
@pytest.mark.parametrize("name", NET)
def test_the_same_is_said(tmp_path, name):
    found = list(differences(kept(name), ask(name, tmp_path)))
    assert not found, "\n".join([NEXT, *found[:SHOWN], *["..."][: len(found) - SHOWN]])


def test_the_same_help_is_given():
    found = list(differences(kept(HELP), ask_for_help()))
    assert not found, "\n".join([NEXT, *found[:SHOWN]])


def test_every_case_is_kept_and_no_other():
    assert {path.stem for path in KEPT.iterdir()} == {*NET, HELP}


def test_nothing_is_kept_that_is_another_tomorrow():
    texts = "\n".join(path.read_text(encoding="utf-8") for path in KEPT.iterdir())
    assert "produced TIME" in texts
    assert "produced DAY" in texts
    assert not re.search(r"produced \d|\d\d:\d\d UTC", texts)


SAID = Lines()
SAID.add(
    "protect",
    {
        "findings": [
            {"name": "k reached", "estimate": 4, "meaning": "Shared with 3 others.", "goal": 4, "unit": ""},
            {"name": "information loss", "estimate": 26.636043649, "meaning": "All columns.", "baseline": None},
        ],
        "attacks": [{"figure": {"name": "k reached", "estimate": 4, "meaning": "Shared with 3 others.", "goal": 4}}],
        "warnings": [{"kind": "unique", "share": 95.0, "limit": 5.0}, {"kind": "dependent", "share": 1e-17}],
        "notes": ["No weights are known.", "Two columns are alike."],
    },
)
SAID.add_text("shoal protect --help", "--seed  Seed of the random numbers.\n--json  Print JSON.")
TEXT = """\
[protect]
findings.k reached = 4; meaning Shared with 3 others.; goal 4
findings.information loss = 26.6360436; meaning All columns.
attacks.k reached = figure as above
warnings.unique = share 95; limit 5
warnings.dependent = share 0
notes.1 = No weights are known.
notes.2 = Two columns are alike.

[shoal protect --help]
| --seed  Seed of the random numbers.
| --json  Print JSON.
"""


def test_what_is_said_is_written_and_read_again():
    assert to_text(SAID.sections) == TEXT
    assert from_text(TEXT) == SAID.sections
    assert list(differences(from_text(TEXT), SAID.sections)) == []


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("Two columns", "Three columns", "[protect]: notes.2: Two columns are alike. -> Three columns are alike."),
        ("26.6360436", "26.6360536", "[protect]: findings.information loss: 26.6360436 -> 26.6360536"),
        ("warnings.unique = share 95; limit 5\n", "", "[protect]: warnings.unique: gone, was share 95; limit 5"),
        ("figure as above", "figure 5", "[protect]: attacks.k reached: figure as above -> figure 5"),
        ("--seed", "--start", "[shoal protect --help]: +| --start  Seed of the random numbers."),
        ("[shoal protect --help]", "[shoal make --help]", "[shoal protect --help]: gone"),
        ("notes.1 = No weights are known.\nnotes.2", "notes.2", "notes.1: gone, was No weights are known."),
        ("share 95", "share 96", "[protect]: warnings.unique: share 95 -> share 96"),
    ],
)
def test_an_edit_is_found_and_its_place_is_named(old, new, named):
    assert TEXT.count(old) == 1
    assert any(named in line for line in differences(SAID.sections, from_text(TEXT.replace(old, new))))


def test_an_order_is_part_of_what_is_said():
    one, other = "notes.1 = No weights are known.\n", "notes.2 = Two columns are alike.\n"
    turned = from_text(TEXT.replace(one + other, other + one))
    assert list(differences(SAID.sections, turned)) == ["[protect]: notes.1: said in another order"]


def test_figures_are_equal_up_to_their_ninth_digit_and_words_to_the_letter():
    assert is_same("risk 0.123456789; baseline 1", "risk 0.12345679; baseline 1")
    assert is_same("1.00000000", "0.999999999")
    assert is_same("1.5e-08", "1.50000001e-08")
    assert not is_same("risk 0.1234567", "risk 0.1234568")
    assert not is_same("123456789 records", "123456790 records")  # whole numbers are counted, not computed
    assert not is_same("Found by 12.5 %.", "found by 12.5 %.")
    assert not is_same("from -0.25", "from 0.25")
