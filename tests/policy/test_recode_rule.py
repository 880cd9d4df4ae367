"""Global recoding in the policy: what fits together, what follows for kind and order, and what the digest covers."""

import pytest

from shoal.errors import PolicyError
from shoal.policy import Policy, load
from shoal.policy.release_plan import ReleasePlan


def column(recode, kind="nominal", role="quasi_identifier", **more):
    return load({"columns": {"x": {"role": role, "kind": kind, "recode": recode, **more}, "y": {"role": "other"}}})


@pytest.mark.parametrize(
    ("recode", "kind", "more", "words"),
    [
        ({}, "numeric", {}, "columns.x.recode: recode needs exactly one of"),
        ({"width": 5, "prefix": 2}, "numeric", {}, "got width, prefix"),
        ({"width": 5}, "date", {}, "recode.width needs kind = 'numeric'"),
        ({"date_part": "year"}, "nominal", {}, "recode.date_part needs kind = 'date'"),
        ({"prefix": 2}, "numeric", {}, "recode.prefix needs kind = 'nominal'"),
        ({"merge": {"other": ["a"]}}, "numeric", {}, "recode.merge needs kind = 'nominal' or 'ordinal'"),
        ({"top": 5}, "ordinal", {}, "recode.top needs kind = 'numeric'"),
        ({"level": 1}, "nominal", {}, "Declare 'taxonomy'"),
        ({"level": 4}, "nominal", {"taxonomy": {"prefixes": [3, 1]}}, "recode.level must be from 1 to 3, got 4"),
        ({"intervals": [18, 0]}, "numeric", {}, "ascending"),
        ({"width": 0}, "numeric", {}, "columns.x.recode.width"),
        ({"width": float("inf")}, "numeric", {}, "infinite"),
        ({"date_part": "month", "bottom": 1937}, "date", {}, "got date_part, bottom"),
        ({"date_part": "year", "bottom": 1937}, "numeric", {}, "recode.date_part needs kind = 'date'"),
        ({"date_part": "year", "bottom": 1936.5}, "date", {}, "must be a whole year, got 1936.5"),
        ({"top": 1, "bottom": 2}, "numeric", {}, "recode.top must be a number above 2"),
        ({"merge": {"a": ["b"], "c": ["b"]}}, "nominal", {}, "recode.merge contains a value twice"),
        ({"merge": {"other": []}}, "nominal", {}, "at least one category"),
        ({"width": 5}, "numeric", {"taxonomy": {"intervals": [5, 10]}}, "recode.level, which keeps the levels above"),
        ({"prefix": 2}, "nominal", {"taxonomy": {"prefixes": [3, 1]}}, "not in the taxonomy"),
        ({"merge": {"m": ["a", "c"]}}, "ordinal", {"order": ["a", "b", "c"]}, "neighbors"),
        ({"width": 5}, "numeric", {"role": "weight"}, "recode is only allowed with role"),
        ({"merge": {"": ["a"]}}, "nominal", {}, "must be a name"),
    ],
)
def test_what_does_not_fit_is_refused_by_key_and_remedy(recode, kind, more, words):
    with pytest.raises(PolicyError) as refused:
        column(recode, kind, **more)
    assert words in str(refused.value)


def test_a_merged_category_must_not_be_a_word_for_missing():
    with pytest.raises(PolicyError, match="word for missing"):
        load(
            {
                "columns": {"x": {"role": "quasi_identifier", "recode": {"merge": {"NA": ["a"]}}}},
                "source": {"missing": ["NA"]},
            }
        )


@pytest.mark.parametrize(
    ("recode", "kind", "more", "kind_after", "order"),
    [
        ({"date_part": "year"}, "date", {}, "numeric", None),
        ({"date_part": "year", "bottom": 1937, "top": 2020}, "date", {}, "numeric", None),
        ({"date_part": "month"}, "date", {}, "ordinal", None),
        ({"intervals": [0, 18]}, "numeric", {}, "ordinal", ("[-inf, 0)", "[0, 18)", "[18, inf)")),
        ({"width": 5}, "numeric", {}, "ordinal", None),
        ({"prefix": 2}, "nominal", {}, "nominal", None),
        ({"merge": {"m": ["a", "b"]}}, "ordinal", {"order": ["a", "b", "c"]}, "ordinal", ("m", "c")),
        ({"top": 9}, "numeric", {}, "numeric", None),
        ({"level": 1}, "numeric", {"taxonomy": {"intervals": [5, 10]}}, "ordinal", None),
        ({"level": 2}, "date", {"taxonomy": {"date_parts": ["month", "year"]}}, "numeric", None),
        ({"level": 3}, "date", {"taxonomy": {"date_parts": ["month", "year"]}}, "nominal", None),
    ],
)
def test_later_stages_use_the_kind_and_order_of_the_recoded_values(recode, kind, more, kind_after, order):
    policy = column(recode, kind, **more)
    declared = policy.declared_schema["x"]
    assert (declared.kind, declared.order) == (kind_after, order)
    assert ReleasePlan.of(policy).columns["x"].kind == kind_after


def test_decimals_belong_to_the_recoded_values():
    assert column({"date_part": "year"}, "date", decimals=0).columns["x"].decimals == 0
    with pytest.raises(PolicyError, match="decimals"):
        column({"width": 5}, "numeric", decimals=0)


def test_a_reason_changes_no_digest():
    plain, with_reason = (
        Policy.model_validate({"columns": {"x": {"role": "other"} | more}}) for more in ({}, {"reason": "May"})
    )
    assert plain.digest() == with_reason.digest()
    assert plain.digest_of_values() == with_reason.digest_of_values()


def test_a_recoding_changes_the_digest():
    assert column({"prefix": 2}).digest() != column({"prefix": 3}).digest()


def test_the_public_summary_names_recodings_but_neither_merged_categories_nor_reasons():
    merged = column({"merge": {"other": ["rare", "rarer"]}}, reason="as the board decided").summary()
    assert merged["columns"]["x"]["recode"] == {"merge": {"other": 2}}
    assert "rare" not in str(merged)
    assert "board" not in str(merged)
    assert column({"date_part": "year"}, "date").summary()["columns"]["x"]["recode"] == {"date_part": "year"}
