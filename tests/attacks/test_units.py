"""A patient's stays are no class: on a release that counts stays they are, on one that counts patients never."""

from collections import Counter

import numpy as np
import pytest

from attacks import compositions, units
from attacks.members import publish_in_order
from attacks.rates import Rate
from attacks.tables import HOSPITAL, hospital
from shoal.errors import TableError

K = 3
NEVER = 0.0  # a class of k patients is never that of one
OTHER_METHODS = ("mu_approx", "micro_som", "microaggregate")
METHODS = ["mdav", "vmdav", "mondrian", *(pytest.param(name, marks=pytest.mark.long) for name in OTHER_METHODS)]
AS_THEY_ARE = {"admitted": {"role": "other", "kind": "date"}, "cost": {"role": "other", "kind": "numeric"}}


def spelled(patients: list[str]) -> list[str]:
    """As several clerks write them."""
    ways = np.random.default_rng(0).integers(0, 3, len(patients))
    return [(name, name.lower(), f"{name} ")[way] for name, way in zip(patients, ways, strict=True)]


def attacked(folder, role: str, method: str, write=None, as_written=None, **how) -> Rate:
    """Those who were there k times or more are looked for by age, sex and district."""
    rule = {"role": role} if as_written is None else {"role": role, "as_written": as_written}
    table = hospital(4000)
    policy = {
        "requirements": [{"name": "k_anonymity", "k": K}],
        "columns": HOSPITAL | AS_THEY_ARE | {"patient": rule},
        "method": {"name": method},
        "output": {"representation": "centroids"},
    }
    patients = table["patient"].to_pylist()
    written = table.set_column(table.column_names.index("patient"), "patient", [write(patients)]) if write else table
    published, original_of = publish_in_order(written, policy, folder, **how)
    n_stays = Counter(patients)
    names, firsts = np.unique(np.array(patients), return_index=True)
    firsts = firsts[[n_stays[name] >= K for name in names]]
    guessed = units.guesses(published, table.take(firsts), ["age"], ["sex", "district"])
    return units.rate(guessed, [patients[at] for at in firsts], [patients[at] for at in original_of])


@pytest.mark.gate(but="mondrian")
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_where_stays_are_counted_a_patient_can_be_a_class(tmp_path, method):
    assert attacked(tmp_path, "identifier", method).succeeds(NEVER)


@pytest.mark.gate(but="mdav")
@pytest.mark.parametrize("method", METHODS)
def test_where_patients_are_counted_no_class_is_of_one(tmp_path, method):
    assert attacked(tmp_path, "unit", method).fails(NEVER)


@pytest.mark.gate(but="unit-mdav")
@pytest.mark.parametrize(("role", "method"), [("unit", "mdav"), ("unit", "mondrian"), ("household", "mdav")])
def test_who_is_spelled_in_several_ways_is_one_patient(tmp_path, role, method):
    """Counted as they are written a patient can be a class again."""
    for name in ("weak", "made"):
        (tmp_path / name).mkdir()
    weak = attacked(tmp_path / "weak", role, method, spelled, as_written=True)
    assert weak.succeeds(NEVER)
    assert attacked(tmp_path / "made", role, method, spelled).fails(NEVER)


def stays_under(folder, **rule):
    """The release of stays whose patients are named as ``rule`` says, and the stays."""
    table = hospital(1000)
    columns = HOSPITAL | {"admitted": {"role": "other", "kind": "date"}, "patient": rule}
    policy = {"requirements": [{"name": "k_anonymity", "k": K}], "columns": columns, "method": {"name": "mdav"}}
    return publish_in_order(table, policy, folder)[0], table


def test_stays_that_a_name_ties_tell_patients_apart(tmp_path):
    """Every class has k records, and the classes of a patient's stays together are those of nobody else."""
    published, table = stays_under(tmp_path, role="other")
    targets = [name for name, n in Counter(table["patient"].to_pylist()).items() if n > 1]
    guessed = compositions.guesses(published, table, "patient", ["age", "cost"], ["sex", "district"])
    assert compositions.rate(guessed, {name: {name} for name in targets}, targets).succeeds(1 / K)


def test_a_pseudonym_ties_no_stays(tmp_path):
    (tmp_path / "secret.key").write_bytes(bytes(32))
    with pytest.raises(TableError, match="would link the records of a person"):
        stays_under(tmp_path, role="identifier", pseudonym=str(tmp_path / "secret.key"))
    (tmp_path / "units").mkdir()
    assert "patient" not in stays_under(tmp_path / "units", role="unit")[0].records.column_names
