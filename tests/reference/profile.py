"""The figures of a profile by counting records one by one. A record is a dictionary; unit and weight are columns."""

from __future__ import annotations

from itertools import combinations
from math import prod

from reference.individual_risk import individual_risk


def unit_of(at, record):
    """The unit of the record at this place; a record without one is a unit of its own."""
    return ("alone", at) if record.get("unit") is None else ("unit", record["unit"])


def sharers(records, at, keys):
    """Positions of the records that share these keys with a record, its own among them."""
    own = [records[at][key] for key in keys]
    return [other for other, record in enumerate(records) if [record[key] for key in keys] == own]


def n_units(records, positions):
    return len({unit_of(at, records[at]) for at in positions})


def persons(records, positions, *, of_units=False):
    """Persons of the sample and of the population; the records of a unit may be of one person."""
    weights = {}
    for at in positions:
        person = unit_of(at, records[at]) if of_units else at
        weights.setdefault(person, []).append(records[at].get("weight", 1))
    return len(weights), max(len(weights), sum(map(min, weights.values())))


def violations(records, keys, k, *, of_units=False):
    """Records in classes of fewer than k records, of fewer than k units, and with fewer than k persons."""
    classes = [sharers(records, at, keys) for at in range(len(records))]
    return (
        sum(len(each) < k for each in classes),
        sum(n_units(records, each) < k for each in classes),
        sum(persons(records, each, of_units=of_units)[1] < k for each in classes),
    )


def risks(records, keys, *, of_units=False):
    found = []
    for at in range(len(records)):
        n, population = persons(records, sharers(records, at, keys), of_units=of_units)
        found.append(individual_risk(n, n / population))
    return found


def unit_risks(records, keys, *, of_units=False):
    """The risk of the unit of every record: one minus the chance that none of its records is linked. Where a unit is a
    person, its records with the same keys are one."""
    own = risks(records, keys, of_units=of_units)
    linked = {}
    for at, record in enumerate(records):
        link = tuple(record[key] for key in keys) if of_units else at
        linked.setdefault(unit_of(at, record), {})[link] = own[at]
    return [1 - prod(1 - risk for risk in linked[unit_of(at, record)].values()) for at, record in enumerate(records)]


def singled_out(records, keys):
    """Positions of the records whose values on the keys no other unit has."""
    found = [at for at in range(len(records)) if n_units(records, sharers(records, at, keys)) == 1]
    return {at for at in found if records[at].get("unit") is not None or len(sharers(records, at, keys)) == 1}


def minimal_sets(records, keys, largest=3):
    """For every set of up to three keys the records that it singles out, and those that no part of it does."""
    sets = [each for size in range(1, largest + 1) for each in combinations(keys, size)]
    all_of = {each: singled_out(records, each) for each in sets}
    parts = {each: set().union(*(all_of[other] for other in sets if set(other) < set(each))) for each in sets}
    return {each: (all_of[each], all_of[each] - parts[each]) for each in sets}
