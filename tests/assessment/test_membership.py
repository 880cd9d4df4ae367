"""Membership: delta-presence against a population."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference.attribute import presence_twin
from shoal.assessment.risk.membership import (
    HIGHEST,
    JOURNALIST,
    LIKELY,
    NEARLY_SURE,
    NEEDS_POPULATION,
    Presence,
    membership_attacks,
)
from shoal.assessment.risk.population_match import PopulationMatch
from shoal.assessment.risk.release_counts import RecordsInMemory, ReleaseCounts
from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.errors import TableError
from shoal.findings import UnmeasuredFigure

AGE, TOWN = shoal.Column("age", "quasi_identifier", "numeric"), shoal.Column("town", "quasi_identifier")


def release_of(table, *columns):
    schema = shoal.Schema(columns)
    return ReleaseCounts(RecordsInMemory(table), schema, (schema.quasi_identifiers,), len(table))


def figures(release, population, *more):
    counted = count_combinations(population, release.schema.quasi_identifiers)
    return {attack.figure.name: attack.figure for attack in membership_attacks(release, counted, *more)}


def presence(population, released, by_extents, *columns, blanked=()):
    schema = shoal.Schema(columns)
    persons, classes = (count_combinations(table, schema.quasi_identifiers) for table in (population, released))
    return persons, Presence.of(
        PopulationMatch.of(persons, classes, schema, by_extents, blanked), classes.n.astype(float)
    )


def test_presence_by_hand():
    """Two of three in the south, one of four in the north: who is from the south is in the file with 67 %."""
    released = pa.table({"town": ["south", "south", "north"]})
    found = figures(release_of(released, TOWN), pa.table({"town": ["south"] * 3 + ["north"] * 4 + ["east"]}))
    assert found[HIGHEST].estimate == pytest.approx(200 / 3)
    assert found[HIGHEST].baseline == pytest.approx(300 / 8)
    assert "the lowest is 0 %" in found[HIGHEST].meaning  # nobody from the east
    assert found[LIKELY].estimate == pytest.approx(200 / 3)
    assert found[NEARLY_SURE].estimate == 0
    assert found[JOURNALIST].estimate == pytest.approx(100 / 3)


@pytest.mark.parametrize("seed", range(8))
def test_presence_agrees_with_its_twin(seed):
    chance = np.random.default_rng(seed)
    people = [
        (int(age), str(town)) for age, town in zip(chance.integers(0, 4, 80), chance.integers(0, 3, 80), strict=True)
    ]
    inside = [people[at] for at in np.flatnonzero(chance.random(80) < 0.4)] or people[:1]
    population, released = (
        pa.table({"age": [age for age, _ in rows], "town": [town for _, town in rows]}) for rows in (people, inside)
    )
    persons, found = presence(population, released, (), AGE, TOWN)
    of_combination = dict(
        zip(zip(*(persons[name].to_pylist() for name in ("age", "town")), strict=True), found.chances, strict=True)
    )
    assert [of_combination[person] for person in people] == pytest.approx(presence_twin(people, inside))


def test_an_interval_holds_the_persons_between_its_ends():
    released = pa.table({"age": ["[20, 30)"] * 3 + ["[30, 40]"] * 2, "town": ["a"] * 5})
    population = pa.table({"age": [20, 25, 29, 29, 30, 35, 40, 41], "town": ["a"] * 7 + ["b"]})
    persons, found = presence(population, released, ("age",), AGE, TOWN)
    by_age = dict(zip(persons["age"].to_pylist(), found.chances, strict=True))
    assert by_age == pytest.approx({20: 0.75, 25: 0.75, 29: 0.75, 30: 2 / 3, 35: 2 / 3, 40: 2 / 3, 41: 0})


def test_where_classes_overlap_expected_records_are_added():
    """Four persons fit the wide class, two of them the narrow one as well."""
    released = pa.table({"age": ["[20, 40)", "[20, 40)", "[20, 30)"]})
    persons, found = presence(pa.table({"age": [20, 25, 30, 35]}), released, ("age",), AGE)
    by_age = dict(zip(persons["age"].to_pylist(), found.chances, strict=True))
    assert by_age == pytest.approx({20: 2 / 4 + 1 / 2, 25: 2 / 4 + 1 / 2, 30: 2 / 4, 35: 2 / 4})
    assert (found.n_population * found.chances).sum() == pytest.approx(3)


@pytest.mark.parametrize(
    ("blanked", "chances"), [(("town",), {"a": 1.0, "b": 0.2, None: 0.2}), ((), {"a": 1, "b": 0, None: 1})]
)
def test_a_blank_may_be_any_value_and_a_missing_one_is_missing(blanked, chances):
    """One blanked cell is one of five persons; a cell that was missing before is the person whose value is."""
    released = pa.table({"town": ["a", "a", None]})
    population = pa.table({"town": ["a", "a", "b", "b", None]})
    persons, found = presence(population, released, (), TOWN, blanked=blanked)
    assert dict(zip(persons["town"].to_pylist(), found.chances, strict=True)) == pytest.approx(chances)


@pytest.mark.parametrize(
    ("blanked", "chances"), [(("age",), {20: 1, 50: 0.25, None: 0.25}), ((), {20: 1, 50: 0, None: 1})]
)
def test_a_missing_cell_among_intervals(blanked, chances):
    released = pa.table({"age": ["[20, 30)", "[20, 30)", None]})
    population = pa.table({"age": [20, 20, 50, None]})
    persons, found = presence(population, released, ("age",), AGE, blanked=blanked)
    assert dict(zip(persons["age"].to_pylist(), found.chances, strict=True)) == pytest.approx(chances)


def test_a_node_holds_the_values_below_it():
    towns = shoal.Taxonomy((("a", "west", "*"), ("b", "west", "*"), ("c", "east", "*")))
    column = shoal.Column("town", "quasi_identifier", "nominal", towns)
    persons, found = presence(pa.table({"town": [*"aabbcc"]}), pa.table({"town": ["west", "c"]}), ("town",), column)
    assert dict(zip(persons["town"].to_pylist(), found.chances, strict=True)) == {"a": 0.25, "b": 0.25, "c": 0.5}


def test_without_a_population_it_is_not_measured():
    found = membership_attacks(release_of(pa.table({"town": ["a"]}), TOWN), None)
    assert all(attack.figure == UnmeasuredFigure(attack.figure.name, NEEDS_POPULATION) for attack in found)
    assert {attack.subject for attack in found} == {"identity", "membership"}


def test_means_are_no_values_of_persons():
    found = figures(release_of(pa.table({"age": [1.5, 1.5]}), AGE), pa.table({"age": [1, 2, 3]}), (), (), ("age",))
    assert "released values are not those of the persons" in found[HIGHEST].reason


def test_a_population_smaller_than_the_release_is_an_error():
    with pytest.raises(TableError, match="the population has 1 persons and the release 2"):
        figures(release_of(pa.table({"town": ["a", "a"]}), TOWN), pa.table({"town": ["a"]}))


def test_a_population_of_other_values_is_not_measured():
    found = figures(release_of(pa.table({"town": ["a", "a"]}), TOWN), pa.table({"town": ["A"] * 3}))
    assert "100 % of the records are in classes with fewer persons" in found[HIGHEST].reason


def test_a_few_persons_who_are_not_in_the_population_count_as_present():
    release = release_of(pa.table({"town": ["a", "a", "b"]}), TOWN)
    found = figures(release, pa.table({"town": ["a"] * 4}))
    assert "33.33 % are in classes with fewer persons" in found[HIGHEST].meaning
    assert found[HIGHEST].estimate == 50  # of a person of the population
    assert found[LIKELY].estimate == pytest.approx(100 / 3)


def test_who_is_in_a_class_of_more_persons_than_the_population_has_counts_as_present():
    release = release_of(pa.table({"town": ["a"] * 5 + ["b"] * 15}), TOWN)
    found = figures(release, pa.table({"town": ["a"] * 2 + ["b"] * 150}))
    assert [found[name].estimate for name in (LIKELY, NEARLY_SURE)] == pytest.approx([25, 25])


TWICE = pa.table({"town": ["a", "a", "b", "b"], "who": ["x", "x", "y", "y"]})


@pytest.mark.parametrize(("are_persons", "presence"), [(True, 50), (False, 100)])
def test_members_of_a_household_are_persons_and_stays_of_a_patient_are_one(are_persons, presence):
    release = replace(release_of(TWICE, TOWN), unit="who", units_are_persons=are_persons)
    found = figures(release, pa.table({"town": ["a", "a", "b", "b"]}))
    assert found[HIGHEST].estimate == found[HIGHEST].baseline == presence


def test_a_person_with_records_in_several_classes_is_not_measured():
    """A population has one row for the person, who fits one of the classes only."""
    moved = TWICE.set_column(1, "who", pa.array(["x", "y", "x", "y"]))
    release = replace(release_of(moved, TOWN), unit="who", units_are_persons=True)
    assert "in several classes" in figures(release, pa.table({"town": ["a", "b", "b"]}))[HIGHEST].reason


def test_in_a_release_of_households_everybody_of_a_population_of_the_same_persons_is_present():
    people = pa.table({"town": [str(at // 9) for at in range(27)], "home": [str(at // 3) for at in range(27)]})
    roles = shoal.Schema([TOWN, shoal.Column("home", "household")])
    found = shoal.assess(people, people, roles, truth="position", population=people)
    assert [a.figure.estimate for a in found.attacks if a.subject == "membership"] == [100, 100, 100]


def test_too_many_overlapping_classes_are_not_compared(monkeypatch):
    monkeypatch.setattr("shoal.assessment.risk.membership.MOST_COMPARED", 7)
    released = pa.table({"age": ["[20, 40)", "[20, 30)"]})
    found = figures(release_of(released, AGE), pa.table({"age": [20, 25, 30, 35]}), ("age",))
    assert "too many" in found[HIGHEST].reason


def test_too_many_values_and_extents_are_not_compared(monkeypatch):
    monkeypatch.setattr("shoal.assessment.risk.membership.MOST_CELLS", 7)
    released = pa.table({"age": ["[20, 30)", "[30, 40)"]})
    found = figures(release_of(released, AGE), pa.table({"age": [20, 25, 30, 35]}), ("age",))
    assert "too many" in found[HIGHEST].reason


def test_the_persons_of_a_population_are_stated_exactly():
    """Their number is in the file that its owner gives: 30,162 persons are not 30,160."""
    release = release_of(pa.table({"town": ["south", "north"]}), TOWN)
    persons = CountTable(pa.table({"town": ["south", "north"]}), np.array([30_000, 162]))
    found = {attack.figure.name: attack.figure for attack in membership_attacks(release, persons)}
    assert "one of 30,162 in" in found[JOURNALIST].meaning
    assert "share of the 30,162 persons" in found[HIGHEST].meaning
