"""Requirements on values of units hold for the classes of all records of a unit together, in every representation."""

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import RequirementError, TableError
from shoal.methods.microaggregation.unit_vectors import UnitVectors

K, ALPHA = 3, 0.5
ALPHA_K = {"name": "alpha_k_anonymity", "alpha": ALPHA, "k": K, "column": "disease"}


def stays(seed=0, n=60):
    """Patients with one to three stays, and some with many; every fifth record of the smallest has no patient."""
    draw = np.random.default_rng(seed)
    sizes = np.where(np.arange(n) < n - 9, draw.integers(1, 4, n), draw.integers(6, 20, n))
    patient = np.repeat(np.arange(n), sizes)
    disease = draw.choice(["a", "b", "c", "d"], n)[patient]
    alone = np.isin(patient, np.flatnonzero(sizes == 1)[::5])
    age, day = draw.integers(20, 90, patient.size), draw.integers(0, 365, patient.size)
    return pa.table({"patient": pa.array(patient, mask=alone), "age": age, "day": day, "disease": disease})


def rules(role="unit", *, limit=0.6, level=None, **output):
    number = {"role": "quasi_identifier", "kind": "numeric"}
    sensitive = {"role": "sensitive"} | ({"level": level} if level else {})
    return {
        "requirements": [ALPHA_K],
        "columns": {"patient": {"role": role}, "age": number, "day": number, "disease": sensitive},
        "output": {"shuffle": False, **output},
        "suppression": {"limit": limit},
    }


CASES = {
    "unit": rules(),
    "extents": rules(representation="extents"),
    "anatomy": rules(representation="anatomy"),
    "unlinked": rules("household", level="household", household="unlinked"),
    "linked": rules("household", level="household"),
}


def largest_share(table, release):
    """Slowly: among units whose records are in the same groups, the largest share of units with one value."""
    names = [f"u{name}" if name is not None else f"r{at}" for at, name in enumerate(table["patient"].to_pylist())]
    groups, values = defaultdict(Counter), {}
    for name, group, value in zip(
        names, release.groups["group"].to_pylist(), table["disease"].to_pylist(), strict=True
    ):
        if group is not None:
            groups[name][group] += 1
            values[name] = value
    alike = defaultdict(list)
    for name, counted in groups.items():
        alike[frozenset(counted.items())].append(values[name])
    assert min(map(len, alike.values())) >= K
    return max(max(Counter(each).values()) / len(each) for each in alike.values())


@pytest.mark.gate(but=("0-unit", "0-extents", "0-anatomy"))
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("seed", range(3))
def test_units_with_the_same_classes_are_k_and_of_several_values(case, seed):
    table = stays(seed)
    assert largest_share(table, shoal.protect(table, CASES[case])) <= ALPHA


def test_records_one_by_one_are_what_it_is_needed_for():
    table = stays()
    policy = CASES["unit"] | {"method": {"name": "mdav", "split_households": True}}
    with pytest.raises(AssertionError):
        largest_share(table, shoal.protect(table, policy))


@pytest.mark.gate(but=("unit", "extents", "anatomy"))
@pytest.mark.parametrize("case", CASES)
def test_the_gate_closes_where_units_of_rare_sizes_are_grouped_one_by_one(case, monkeypatch):
    nothing = "shoal.pipeline.protect.microaggregation_step.BlockMicroaggregation._surplus"
    monkeypatch.setattr(nothing, lambda _, block: np.zeros(len(block), dtype=bool))
    judge = "shoal.pipeline.protect.unit_release.Units._failing_as_units"
    monkeypatch.setattr(judge, lambda _, kept: np.zeros(len(kept), dtype=bool))
    with pytest.raises(RequirementError, match="all records of a unit of 'patient' together: alpha_k_anonymity"):
        shoal.protect(stays(), CASES[case])


def test_no_more_is_suppressed_than_shortening_needs_and_a_note_says_so():
    table, release = stays(), shoal.protect(stays(), CASES["unit"])
    lost = len(table) - len(release.records)
    of_large = sum(n for n in Counter(table["patient"].drop_null().to_pylist()).values() if n > 3)
    assert 0 < lost < of_large / 2
    assert (
        sum(f"records, {lost} in all: too few other units have as many" in note for note in release.manifest.notes) == 1
    )


def test_a_limit_that_is_too_low_is_refused_with_the_share_that_is_needed():
    with pytest.raises(RequirementError, match="or of units of 'patient' with more records than enough others have"):
        shoal.protect(stays(), rules(limit=0.0))


@pytest.mark.parametrize("output", [{}, {"household": "unlinked"}], ids=["linked", "unlinked"])
def test_a_value_that_all_members_share_must_be_declared(output):
    with pytest.raises(TableError, match=r"columns.disease.level = 'household', so that households are grouped"):
        shoal.protect(stays(), rules("household", **output))


def test_shortened_units_keep_records_from_the_first_to_the_last():
    rows = np.arange(14).reshape(2, 7)
    assert UnitVectors(rows).shortened(3).rows.tolist() == [[0, 3, 6], [7, 10, 13]]
    for size in range(2, 8):
        kept = UnitVectors(rows).shortened(size).rows
        assert kept.shape == (2, size)
        assert (np.diff(kept, axis=1) > 0).all()
