"""The number of a person within the household does not narrow down whose record it is."""

from attacks import member_numbers
from attacks.members import publish_in_order
from attacks.rates import Rate
from shoal import datasets

K = 5
KNOWN = ["region", "sex", "age", "activity"]
ROLES = {
    "hid": {"role": "household"},
    "pid": {"role": "other", "kind": "numeric"},
    "region": {"role": "quasi_identifier", "level": "household"},
    "relation": {"role": "identifier"},
    "sex": {"role": "quasi_identifier"},
    "age": {"role": "quasi_identifier", "kind": "numeric"},
    "activity": {"role": "quasi_identifier"},
    "education": {"role": "identifier"},
    "income": {"role": "identifier"},
}


def attacked(folder):
    table = datasets.household_survey(1500, seed=3)
    policy = {
        "requirements": [{"name": "k_anonymity", "k": K}],
        "columns": ROLES,
        "output": {"household": "unlinked"},
    }
    published, original_of = publish_in_order(table, policy, folder)
    own = table["pid"].take(original_of).to_pylist()
    classes = list(zip(*(published.records[name].to_pylist() for name in KNOWN), strict=True))
    shown = published.records["pid"].to_pylist()
    found = member_numbers.guesses(classes, original_of.tolist(), own, shown)
    return Rate(sum(guess == person for guess, person in zip(found, original_of.tolist(), strict=True)), len(found))


def test_numbers_of_members_without_that_of_the_household_tell_persons(tmp_path, monkeypatch):
    monkeypatch.setattr("shoal.pipeline.protect.unit_release.member_numbers", lambda *_: ())
    monkeypatch.setattr("shoal.pipeline.verify.unit_counts.is_numbering", lambda _: False)
    assert attacked(tmp_path).succeeds(1 / K)


def test_numbers_of_members_are_released_only_with_that_of_the_household(tmp_path):
    assert attacked(tmp_path).fails(1 / K)
