"""Figures of risk where several records are of one household or person: protect and assess state the same ones."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference.attribute import right_of_persons
from shoal.assessment.exposure import UNIQUE
from shoal.assessment.risk.attribute_attacks import RIGHT

KEY = b"k" * 32
COUNTED = ("attribute", "partial knowledge", "outside columns")
LINKED = {"method": {"name": "none"}}
KEYS = ["region", "sex"]
POLICIES = {
    "some numbers lost": ("household", LINKED),
    "grouped one by one": ("household", {"method": {"name": "mdav", "split_households": True}}),
    "no numbers": ("household", {"output": {"household": "unlinked", "shuffle": False}}),
    "patients": ("unit", {}),
}


def people(seed):
    """Members of households of one to four, some without a number, some without an illness."""
    chance = np.random.default_rng(seed)
    sizes = chance.integers(1, 5, int(chance.integers(20, 50)))
    n, households = int(sizes.sum()), np.repeat(np.arange(len(sizes)), sizes)
    return pa.table(
        {
            "household": pa.array([f"h{each}" for each in households], mask=chance.random(n) < 0.05),
            "region": [f"r{each}" for each in np.repeat(chance.integers(0, 2, len(sizes)), sizes)],
            "sex": [f"s{each}" for each in chance.integers(0, 2, n)],
            "ill": pa.array(chance.choice(["flu", "gout", "cold"], n, p=[0.5, 0.3, 0.2]), mask=chance.random(n) < 0.1),
            "pay": chance.integers(0, 30, n),
            "town": [f"t{each}" for each in chance.integers(0, 6, n)],
        }
    )


def policy_of(role, more):
    key = {"role": "quasi_identifier"}
    return {
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "suppression": {"limit": 0.5},
        "output": {"shuffle": False},
        "columns": {
            "household": {"role": role},
            "region": key,
            "sex": key,
            "ill": {"role": "sensitive"},
            "pay": {"role": "sensitive", "kind": "numeric"},
            "town": {"role": "other"},
        },
    } | more


def figures(assessment):
    return {attack.figure.name: attack.figure for attack in assessment.attacks if attack.subject in COUNTED}


@pytest.mark.gate(but=("0-some numbers lost", "0-grouped one by one"))
@pytest.mark.parametrize("case", POLICIES)
@pytest.mark.parametrize("seed", range(3))
def test_protect_and_assess_state_the_same_figures(seed, case):
    table, policy = people(seed), policy_of(*POLICIES[case])
    release = shoal.protect(table, policy, key=KEY)
    told, found = figures(release.assessment), figures(shoal.assess(table, release.records, policy, key=KEY))
    assert len(told) >= 9
    assert found.keys() == told.keys()
    for name, figure in found.items():
        assert (figure.estimate, figure.baseline) == pytest.approx((told[name].estimate, told[name].baseline)), name
        assert figure.meaning == told[name].meaning


@pytest.mark.parametrize("seed", range(3))
def test_households_without_a_number_are_households(seed):
    """Also where the release shows no number; the figure is that of persons or of households, whichever is higher."""
    table, policy = people(seed), policy_of("household", LINKED)
    release = shoal.protect(table, policy, key=KEY)
    records = release.records
    assert records["household"].null_count > table["household"].null_count
    assert len(records) == len(table)  # in order
    classes = [tuple(row.values()) for row in records.select(KEYS).to_pylist()]
    true = [each or at for at, each in enumerate(table["household"].to_pylist())]
    twins = [
        right_of_persons(list(zip(classes, records["ill"].to_pylist(), persons, strict=True)))
        for persons in (true, range(len(true)))
    ]
    found = figures(release.assessment)[f"{RIGHT} ill"]
    assert (found.estimate, found.baseline) == pytest.approx([100 * each for each in max(twins)])


def test_neither_counting_is_the_higher_one_always():
    """Five members of a household are ill of one illness, or two households of two members each of another one."""
    of_persons = {"household": [*"aaaaabc"], "ill": [*"1111123"]}
    of_households = {"household": [*"aaaabc"], "ill": [*"123344"]}
    for columns, expected in ((of_persons, 5 / 7), (of_households, 2 / 3)):
        table = pa.table(columns | {"town": ["x"] * len(columns["ill"])})
        roles = shoal.Schema(
            [
                shoal.Column("household", "household"),
                shoal.Column("town", "quasi_identifier"),
                shoal.Column("ill", "sensitive"),
            ]
        )
        found = figures(shoal.assess(table, table, roles, truth="position"))[f"{RIGHT} ill"]
        assert found.estimate == pytest.approx(100 * expected)
        assert "Persons or households are counted" in found.meaning


def test_without_pairs_the_records_of_unknown_persons_are_counted_and_that_is_said():
    table = pa.table({"who": [*"aab"], "town": [*"xxx"], "ill": [*"112"]})
    roles = shoal.Schema(
        [shoal.Column("who", "unit"), shoal.Column("town", "quasi_identifier"), shoal.Column("ill", "sensitive")]
    )
    paired, unpaired = (
        figures(shoal.assess(table, table.drop_columns("who"), roles, truth=truth))[f"{RIGHT} ill"]
        for truth in ("position", None)
    )
    assert (paired.estimate, unpaired.estimate) == pytest.approx((50, 200 / 3))
    assert "Records are counted" in unpaired.meaning
    assert "Records are counted" not in paired.meaning


@pytest.mark.parametrize("truth", ["position", None])
def test_records_of_one_household_do_not_hide_each_other(truth):
    """Both records of the first household have values that no other household has."""
    table = pa.table({"home": [*"aabc"], "sex": [*"ffff"], "town": [*"xxyy"]})
    roles = shoal.Schema(
        [shoal.Column("home", "household"), shoal.Column("sex", "quasi_identifier"), shoal.Column("town", "other")]
    )
    assert shoal.assess(table, table, roles, truth=truth).findings[UNIQUE].estimate == 50


def test_stays_of_one_patient_do_not_hide_each_other():
    table = pa.table({"who": [*"aabc"], "sex": [*"ffff"], "town": [*"xxyy"]})
    columns = {"who": {"role": "unit"}, "sex": {"role": "quasi_identifier"}, "town": {"role": "other"}}
    policy = {"requirements": [{"name": "k_anonymity", "k": 3}], "columns": columns, "output": {"shuffle": False}}
    release = shoal.protect(table, policy, key=KEY)
    again = shoal.assess(table, release.records, policy, key=KEY)
    assert [found.findings[UNIQUE].estimate for found in (release.assessment, again)] == [50, 50]
