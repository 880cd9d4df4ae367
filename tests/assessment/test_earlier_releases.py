"""Figures of what earlier releases reveal, on releases small enough to count by hand."""

from dataclasses import replace

import pyarrow as pa
import pytest

from shoal.assessment.risk.earlier_releases import earlier_release_attacks
from shoal.errors import EarlierReleaseError
from shoal.findings import UnmeasuredFigure
from shoal.gate.person_records import ComparedReleases, PersonRecords

# Two classes of three then; now p3 is in the other class, p6 is gone and p7 is new.
OLD = {"age": ["30"] * 3 + ["60"] * 3, "illness": list("abccde"), "visits": [1, 2, 3, 4, 5, 6]}
NEW = {"age": ["31"] * 2 + ["61"] * 4, "illness": list("abccde"), "visits": [9, 8, 7, 6, 5, 4]}
THEN, NOW = ["p1", "p2", "p3", "p4", "p5", "p6"], ["p1", "p2", "p3", "p4", "p5", "p7"]


def release(name, cells, persons):
    return PersonRecords(name, pa.table(cells), ("age",), None if persons is None else pa.array(persons))


def figures(k=2, then=THEN, now=NOW, **how):
    compared = ComparedReleases(release("new.csv", NEW, now), (release("old.csv", OLD, then),), **how)
    attacks = earlier_release_attacks(compared, k, ["illness"])
    assert {attack.subject for attack in attacks} == {"earlier releases"}
    return compared, {attack.figure.name: attack.figure for attack in attacks}


def test_records_left_are_those_with_values_of_both_classes():
    """p1, p2: a and b of both classes. p3: c of three then, twice c of four now. p4, p5: all of both classes."""
    compared, found = figures()
    assert compared.stable == ("illness",)
    assert found["fewest records left, earlier releases"].estimate == 1
    assert found["persons below k, earlier releases"].estimate == pytest.approx(20)
    assert found["persons below k, earlier releases"].baseline == 0


def test_a_value_is_pinned_down_where_it_alone_is_left():
    _, found = figures()
    assert found["illness pinned down by earlier releases"].estimate == pytest.approx(20)  # p3: c
    assert found["illness pinned down by earlier releases"].baseline == 0


def test_linked_records_leave_those_who_share_all_classes():
    _, found = figures()
    assert found["persons below k, linked records"].estimate == pytest.approx(20)  # p3 alone
    assert found["new persons below k, linked records"].estimate == 100


def test_departed_persons_are_counted_by_their_former_class():
    _, found = figures()
    assert found["departed persons below k, linked records"].estimate == 100
    assert "(1)" in found["departed persons below k, linked records"].meaning


def test_who_is_apart_from_most_of_the_former_class_has_moved():
    _, found = figures()
    assert found["persons who changed class"].estimate == pytest.approx(20)


def test_the_same_release_twice_reveals_nothing_more():
    old = release("old.csv", OLD, THEN)
    attacks = earlier_release_attacks(ComparedReleases(old, (old,)), 3, ["illness"])
    found = {attack.figure.name: attack.figure for attack in attacks}
    assert found["fewest records left, earlier releases"].estimate == 3
    assert found["persons below k, earlier releases"].estimate == 0
    assert found["persons who changed class"].estimate == 0
    assert "new persons below k, linked records" not in found
    assert "departed persons below k, linked records" not in found  # nobody left


def test_a_column_that_changes_is_not_compared_unless_it_is_declared():
    compared, _ = figures()
    assert compared.agreements["visits"] < 0.5
    declared, found = figures(declared=("illness", "visits"))
    assert declared.stable == ("illness", "visits")
    assert found["fewest records left, earlier releases"].estimate == 0


def test_missing_values_do_not_make_a_column_change():
    gaps = {**NEW, "illness": ["a", None, "c", None, "d", "e"]}
    compared = ComparedReleases(release("new.csv", gaps, NOW), (release("old.csv", OLD, THEN),))
    assert compared.agreements["illness"] == 1
    assert "illness" in compared.stable


def test_a_declared_column_that_a_release_does_not_show_is_an_error():
    with pytest.raises(EarlierReleaseError, match=r"old\.csv does not show 'income'|new\.csv does not show 'income'"):
        figures(declared=("income",))


def test_without_persons_only_what_links_the_files_is_counted():
    _, found = figures(then=None, declared=("illness",))
    assert found["records that link the releases"].estimate == pytest.approx(100 * 4 / 6)  # a, b, d, e
    unmeasured = [name for name, figure in found.items() if isinstance(figure, UnmeasuredFigure)]
    assert len(unmeasured) == 7


def test_releases_without_a_common_person_are_an_error():
    strangers = [f"q{at}" for at in range(6)]
    with pytest.raises(EarlierReleaseError, match="nobody has a record in"):
        figures(then=strangers)
    with pytest.raises(EarlierReleaseError, match="have no person in common"):
        compared(strangers, [], []).candidates  # noqa: B018
    assert not compared(strangers, [], ["q1"]).has_common_persons  # suppressed in the new release
    assert not compared(strangers, ["p1"], []).has_common_persons  # in the earlier one


def compared(then, suppressed_then, suppressed_now):
    """Releases of which it is known who is suppressed in them."""
    of_old, of_new = (pa.array(each, pa.string()) for each in (suppressed_then, suppressed_now))
    new = replace(release("new.csv", NEW, NOW), suppressed=of_new)
    return ComparedReleases(new, (replace(release("old.csv", OLD, then), suppressed=of_old),))


def test_where_all_common_persons_are_suppressed_the_figures_say_so():
    attacks = earlier_release_attacks(compared([f"q{at}" for at in range(6)], ["p1"], []), 2, ["illness"])
    unmeasured = [a.figure.reason for a in attacks if isinstance(a.figure, UnmeasuredFigure)]
    assert len(unmeasured) == 5
    assert all("suppressed in one of them" in reason for reason in unmeasured)


def test_values_of_who_left_and_who_joined_follow_from_the_counts():
    """p6 had e and p7 has e, in one class: who left can have had c, d or e. Without p7 it is e."""
    _, found = figures()
    assert found["illness of departed persons pinned down"].estimate == 0
    assert found["illness of new persons pinned down"].estimate == 0
    fewer = {name: cells[:5] for name, cells in NEW.items()}
    pair = ComparedReleases(release("new.csv", fewer, NOW[:5]), (release("old.csv", OLD, THEN),))
    found = {each.figure.name: each.figure for each in earlier_release_attacks(pair, 2, ["illness"])}
    assert found["illness of departed persons pinned down"].estimate == 100
    assert found["illness of departed persons pinned down"].baseline == 0
    assert "illness of new persons pinned down" not in found


def test_case_and_blanks_of_values_do_not_hide_a_person():
    spelled = {**NEW, "illness": [" A", "B", "c", "C ", "D", "e"]}
    compared = ComparedReleases(release("new.csv", spelled, NOW), (release("old.csv", OLD, THEN),))
    assert compared.stable == ("illness",)
    assert (
        compared.candidates.left[compared.candidates.joint_class].tolist()
        == figures()[0].candidates.left[figures()[0].candidates.joint_class].tolist()
    )
