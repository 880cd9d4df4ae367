"""Two yearly releases of a growing population reveal persons together, unless the second one keeps the groups."""

import pytest
import tomlkit

import shoal
from attacks import repeats
from attacks.published import as_texts
from attacks.rates import Rate
from yearly_example import policy, two_years, write_years

K = 5


@pytest.fixture(scope="module")
def releases(tmp_path_factory):
    """The release of the first year, and two of the second: made alone, and keeping the groups of the first."""
    folder = tmp_path_factory.mktemp("years")
    first, second = write_years(folder)
    rules = folder / "policy.toml"
    rules.write_text(tomlkit.dumps(policy(K, output={"representation": "extents"})), encoding="utf-8")
    keeps = {"key": folder / "policy.key"}
    shoal.protect(first, rules, output=folder / "old.csv", **keeps)
    shoal.protect(second, rules, output=folder / "alone.csv", **keeps)
    keeps |= {"earlier": [folder / "old.csv"], "mapping": folder / "groups.csv"}
    shoal.protect(second, rules, output=folder / "kept.csv", **keeps)
    return folder


def attacked(folder, release):
    """What is left of everybody who is in both years and in the release."""
    before, now = ({each["person"]: each for each in year.to_pylist()} for year in two_years())
    both = [person for person in now if person in before]
    if release == "kept.csv":
        groups = as_texts(folder / "groups.csv")["group"].to_pylist()
        released = {person for person, group in zip(now, groups, strict=True) if group}
        both = [person for person in both if person in released]
    tables = (as_texts(folder / name) for name in ("old.csv", release))
    return repeats.compare(*tables, [before[each] for each in both], [now[each] for each in both])


@pytest.mark.gate
def test_two_releases_made_alone_leave_few_records_of_many(releases):
    left = attacked(releases, "alone.csv")
    below = Rate(sum(each < K for each in left), len(left))
    assert below.succeeds(0.0)  # the promise of each release alone: k records of everybody


def test_a_release_that_keeps_the_groups_leaves_k_records_of_everybody(releases):
    left = attacked(releases, "kept.csv")
    assert len(left) > 1700
    assert min(left) >= K


@pytest.mark.gate
def test_the_steward_is_told_at_least_what_the_intruder_finds(releases):
    left = attacked(releases, "alone.csv")
    told = shoal.assess(
        releases / "year2.csv", releases / "alone.csv", releases / "policy.toml", earlier=[releases / "old.csv"]
    ).findings
    found = 100 * sum(each < K for each in left) / len(left)
    assert told["persons below k, earlier releases"].estimate >= found
    assert told["fewest records left, earlier releases"].estimate <= min(left)
