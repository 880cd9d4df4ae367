"""Formulas: what they mean, and what is said of those that cannot be read."""

from __future__ import annotations

import pytest

from shoal.assessment.utility.analyses.formula import Formula
from shoal.errors import PolicyError


@pytest.mark.parametrize(
    ("text", "target", "terms"),
    [
        ("income ~ age + sex", "income", (("age",), ("sex",))),
        ("income~age+age:sex", "income", (("age",), ("age", "sex"))),
        (" y ~ a:b:c ", "y", (("a", "b", "c"),)),
        ("`hours per week` ~ `a + b` + marital-status", "hours per week", (("a + b",), ("marital-status",))),
        ("y ~ a + a + a:a", "y", (("a",),)),
        ("größe ~ 年齢 + q1.2", "größe", (("年齢",), ("q1.2",))),
    ],
)
def test_what_it_means(text, target, terms):
    found = Formula.parse(text)
    assert (found.target, found.terms) == (target, terms)


def test_a_column_of_several_terms_is_listed_once():
    assert Formula.parse("y ~ a + b + a:b").columns == ("a", "b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "0 tildes"),
        ("income", "0 tildes"),
        ("a ~ b ~ c", "2 tildes"),
        ("~ b", "before the tilde"),
        ("a + b ~ c", "before the tilde (~). "),
        ("a b ~ c", "before the tilde (~); a name with blanks is written in `backticks`. "),
        ("a ~", "the name of a column is expected at its end"),
        ("a ~ b +", "the name of a column is expected at its end"),
        ("a ~ b c", "at character 7: a sign (+ or :) is expected; a name with blanks is written in `backticks`. "),
        ("a ~ + b", "at character 5: the name of a column is expected. "),
        ("a ~ b * c", "at character 7: write 'a + b + a:b' for 'a * b'"),
        ("a ~ log(b)", "at character 8: functions are not known"),
        ("a ~ b^2", "at character 6: write every interaction"),
        ("a ~ `b", "at character 5: a backtick is not closed"),
        ("a ~ ``", "at character 5: a name is missing"),
        ("a ~ 1 + b", "at character 5: there is always an intercept"),
        ("a ~ b + a:c", "'a' is on both sides"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text, said):
    with pytest.raises(PolicyError) as raised:
        Formula.parse(text)
    assert said in str(raised.value)
    assert "Write it as: income ~ age + sex + age:sex" in str(raised.value)
