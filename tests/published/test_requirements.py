"""Examples of the papers that brought the requirements."""

import numpy as np
import pytest

import shoal
from shoal.requirements.groups import Groups


def groups_of(*groups, tree=None):
    values = sorted({value for group in groups for value in group})
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    codes = np.array([values.index(value) for group in groups for value in group])
    return Groups.of(labels, np.ones(codes.size, dtype=np.int64), codes, tree)


def test_salaries_of_the_t_closeness_paper():
    """Nine salaries from 3,000 to 11,000: the three lowest are 0.375 from all, and 6, 8 and 11 thousand 0.167."""
    ordered = shoal.TCloseness(0.2, "salary", "ordered")
    lowest, spread = groups_of([3, 4, 5], [6, 8, 11], [7, 9, 10]), groups_of([6, 8, 11], [3, 5, 9], [4, 7, 10])
    assert ordered.reached(lowest) == pytest.approx(0.375)
    assert ordered.holds(lowest).tolist() == [False, True, False]
    assert ordered.reached(spread) == pytest.approx(1 / 6)
    assert ordered.holds(spread).all()


def test_diseases_of_the_t_closeness_paper():
    """Flu is 1/3 from bronchitis, 2/3 from a pulmonary embolism and 1 from stomach cancer."""
    diseases = ["bronchitis", "flu", "pulmonary embolism", "stomach cancer"]  # in the order of their numbers
    nodes = {"bronchitis": (0, 0, 0), "flu": (1, 0, 0), "pulmonary embolism": (2, 1, 0), "stomach cancer": (3, 2, 1)}
    tree = np.array([nodes[disease] for disease in diseases])
    for other, distance in (("bronchitis", 1 / 3), ("pulmonary embolism", 2 / 3), ("stomach cancer", 1)):
        whole = np.zeros(4, dtype=np.int64)
        whole[diseases.index(other)] = 1
        flu = Groups.of(np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64), np.array([1]), tree)
        against = Groups(flu.totals, flu.counts, whole, tree)
        assert shoal.TCloseness(0.5, "disease", "hierarchical").reached(against) == pytest.approx(distance)


def test_inpatients_of_the_l_diversity_paper():
    """Twelve patients in three groups of heart disease, viral infection and cancer, one of them twice: 2.8-diverse."""
    patients = groups_of(
        ["heart", "viral", "cancer", "cancer"],
        ["cancer", "heart", "viral", "viral"],
        ["heart", "viral", "cancer", "cancer"],
    )
    assert shoal.DistinctLDiversity(3, "condition").holds(patients).all()
    assert shoal.EntropyLDiversity(2.8, "condition").holds(patients).all()
    assert not shoal.EntropyLDiversity(3, "condition").holds(patients).any()
    assert shoal.EntropyLDiversity(3, "condition").reached(patients) == pytest.approx(2.83, abs=0.005)
    assert shoal.RecursiveLDiversity(3, 3, "condition").holds(patients).all()
    assert not shoal.RecursiveLDiversity(2, 3, "condition").holds(patients).any()  # 2 is not less than 2 times 1


def test_without_records_that_are_known_epsilon_privacy_needs_sigma_over_epsilon_minus_1_records():
    """R1 with b = 0: at epsilon 10 and a stubbornness of 10,000, groups of 1,112 records."""
    requirement = shoal.EpsilonPrivacy(10, 10_000, 0, "income")
    halves = np.tile(np.array([0, 1]), 2)
    for n, holds in ((1110, False), (1112, True)):
        groups = Groups.of(np.zeros(2, dtype=np.int64), np.full(2, n // 2), halves[:2])
        assert requirement.holds(groups).all() == holds
