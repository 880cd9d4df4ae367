"""A blank is not read off a sibling: members are tied only where all of them show the cell, or none."""

from collections import Counter

import pytest

from attacks import siblings
from attacks.members import publish_in_order
from attacks.tables import NAME, SURVEY, survey

BLANKED = {"household_id": {"role": "household"}, "municipality": {"role": "other"}}


def attacked(folder, role: str, region: dict[str, str], **how):
    """The rate, and the share of the most frequent region."""
    table = survey(4000)
    columns = SURVEY | BLANKED | {"household_id": {"role": role}, "region": NAME | region}
    policy = {"requirements": [{"name": "k_anonymity", "k": 3}], "columns": columns, "local_suppression": {}}
    published, original_of = publish_in_order(table, policy | {"suppression": {"limit": 0.3}}, folder, **how)
    truth = table["region"].to_pylist()
    usual = Counter(truth).most_common(1)[0][1] / len(truth)
    return siblings.rate(siblings.guesses(published, "region", "household_id"), truth, original_of), usual


def test_numbers_as_they_are_show_what_was_blanked(tmp_path):
    rate, usual = attacked(tmp_path, "other", {})
    assert rate.succeeds(usual)


@pytest.mark.gate(but="of the household")
@pytest.mark.parametrize("region", [{}, {"level": "household"}], ids=["undeclared", "of the household"])
def test_new_numbers_do_not(tmp_path, region):
    rate, usual = attacked(tmp_path, "household", region)
    assert rate.fails(usual)
