"""Dates and times of another unit are the same dates and times: no attack and no loss may miss them."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.linkage.linkage_tables import have_comparable_types
from shoal.schema import Column, Schema
from survey_example import shell

N = 120
DAYS = np.random.default_rng(0).integers(-7000, 12_000, N).astype(np.int32)
SEX = np.random.default_rng(1).choice(["m", "f"], N).tolist()
TYPES = (
    pa.date32(),
    pa.date64(),
    pa.timestamp("s"),
    pa.timestamp("ns"),
    pa.timestamp("us", "UTC"),
    pa.timestamp("ns", "Europe/Berlin"),
)
POLICY = {
    "columns": {"born": {"role": "quasi_identifier", "kind": "date"}, "sex": {"role": "quasi_identifier"}},
    "requirements": [{"name": "k_anonymity", "k": 4}],
}
ROLES = Schema([Column("born", "quasi_identifier", "date"), Column("sex", "quasi_identifier", "nominal")])


def persons(type_, days=DAYS):
    return pa.table({"born": pa.array(days).cast(pa.date32()).cast(type_), "sex": SEX})


def moved(days):
    """By up to a year, so that some persons are lost."""
    return (days + np.random.default_rng(2).integers(-365, 366, N)).astype(np.int32)


@pytest.mark.gate(but=("timestamp[us]-date32[day]", "timestamp[us]-date64[ms]"))
@pytest.mark.parametrize("original", TYPES, ids=str)
@pytest.mark.parametrize("released", [pa.timestamp("us"), pa.date32()], ids=str)
def test_every_unit_of_time_gives_the_same_figures(original, released):
    before, after = persons(original), persons(released, moved(DAYS))
    same = persons(pa.timestamp("us")), persons(pa.timestamp("us"), moved(DAYS))
    for by in ("distance", "rank"):
        found, known = (shoal.link(*two, ROLES, by=by, truth="position") for two in ((before, after), same))
        assert found.columns == ("born", "sex")
        assert found.risk == known.risk > 0.05
    found, known = (shoal.assess(*two, ROLES, truth="position") for two in ((before, after), same))
    for figure in known.findings:
        assert found.findings[figure.name].estimate == pytest.approx(figure.estimate, rel=1e-9), figure.name
    assert len(found.findings) == len(known.findings)
    assert [d.released for d in found.distributions] == [d.released for d in known.distributions]
    assert found.notes == known.notes


def test_times_that_are_categories_are_alike_in_every_unit():
    roles = Schema([Column("born", "quasi_identifier", "nominal"), Column("sex", "quasi_identifier", "nominal")])
    before, after = persons(pa.timestamp("ns"), DAYS // 2000), persons(pa.timestamp("us"), DAYS // 2000)
    found = shoal.assess(before, after, roles, truth="position")
    assert found.losses == {"born": 0.0, "sex": 0.0}
    assert shoal.link(before, after, roles, truth="position").columns == ("born", "sex")


@pytest.mark.gate(but="mdav")
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_a_release_of_nanoseconds_tells_its_linkage(method, tmp_path):
    """Means of nanoseconds are told in microseconds."""
    policy = {**POLICY, "method": {"name": method}}
    figures = {}
    for unit in ("ns", "us"):
        table = persons(pa.timestamp(unit))
        release = shoal.protect(table, policy)
        assert all("needs --population" in figure.reason for figure in release.assessment.not_measured)
        found = shoal.assess(table, release.records, policy)
        linked = shoal.link(table, release.records, policy)
        assert "born" in linked.columns
        assert linked.risk == found.linkages["distance"].risk == release.assessment.linkages["distance"].risk
        figures[unit] = [(f.name, f.estimate) for f in found.findings]
        pq.write_table(table, tmp_path / f"{unit}.parquet")
    assert figures["ns"] == figures["us"]


def test_the_shell_assesses_its_own_release_of_nanoseconds(tmp_path):
    pq.write_table(persons(pa.timestamp("ns")), tmp_path / "o.parquet")
    (tmp_path / "p.toml").write_text(
        '[columns.born]\nrole="quasi_identifier"\nkind="date"\n[columns.sex]\nrole="quasi_identifier"\n'
        '[[requirements]]\nname="k_anonymity"\nk=4\n'
    )
    at = [tmp_path / name for name in ("o.parquet", "r.parquet", "p.toml")]
    assert shell("protect", at[0], "-p", at[2], "-o", at[1]).code == 0
    assert "linked persons, distance" in shell("assess", at[0], at[1], "-p", at[2]).out


def test_the_reason_names_both_types():
    table = persons(pa.date32())
    numbers = table.set_column(0, "born", [np.arange(N)])
    (note, *_) = shoal.link(table, numbers, ROLES, truth="position").notes
    assert note == "born is left out: it holds date32[day] in the original and int64 in the release."
    assert not have_comparable_types(table["born"], numbers["born"])
    assert have_comparable_types(table["born"], persons(pa.timestamp("ns", "UTC"))["born"])


def test_a_release_in_another_unit_is_the_same_release():
    table = persons(pa.timestamp("us"))
    records = shoal.protect(table, POLICY).records
    finer = records.set_column(0, "born", records["born"].cast(pa.timestamp("ns")))
    assert shoal.link(table, finer, POLICY).to_dict() == shoal.link(table, records, POLICY).to_dict()
