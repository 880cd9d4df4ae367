"""Releases of gensearch with suppression: on every engine, replayed, and their certificates honest or forged."""

import json

import numpy as np
import pytest
from pyarrow import csv

import shoal
from certificate_example import changed, outcomes, protected, suppression_desk, table_of_rare_jobs
from shoal.plan import CutTree

OF_LOSSES = pytest.mark.parametrize(
    "method",
    [{"loss": "discernibility"}, {"loss": "classification", "target": "income"}, {"loss": "certainty"}],
    ids=lambda method: method["loss"],
)


@pytest.mark.gate(but="whole-discernibility")
@OF_LOSSES
@pytest.mark.parametrize("within", [[], ["region"]], ids=["whole", "strata"])
def test_an_honest_certificate_holds_without_and_with_the_original(tmp_path, method, within):
    desk = suppression_desk(tmp_path, share=0.05 if within else 0.02, method=method, within=within)
    release, path = protected(desk)
    assert sum(one.certificate.n_suppressed for one in release.certificates) > 0
    alone = shoal.verify(desk.release, desk.policy, certificate=path)
    assert alone.holds
    assert outcomes(alone)["cost of the release"] is (None if method["loss"] == "certainty" else True)
    proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
    assert proof.holds
    assert all(outcomes(proof)[what] for what in ("bound", "classes are the blocks", "cost of the original"))


@pytest.mark.gate
def test_every_engine_releases_the_same_without_the_blocks_that_fail(tmp_path):
    written = {}
    for engine in ("memory", "duckdb"):
        folder = tmp_path / engine
        folder.mkdir()
        desk = suppression_desk(folder, method={"loss": "certainty"})
        release, _ = protected(desk, engine=engine, mapping=folder / "mapping.csv", key=bytes(32))
        written[engine] = desk.release.read_bytes()
        shoal.replay(desk.manifest, output=folder / "again.csv", key=bytes(32))
        assert (folder / "again.csv").read_bytes() == written[engine]
    assert written["memory"] == written["duckdb"]
    counts = json.loads(desk.manifest.read_text())["counts"]
    assert (counts["n_suppressed"], counts["n_released"]) == (3, 154)
    assert release.certificates[0].certificate.n_suppressed == 3
    mapped = [line.split(",") for line in (folder / "mapping.csv").read_text().splitlines()[1:]]
    gone = {int(record) - 1 for record, group in mapped if not group}
    tree, table = CutTree.from_json(release.certificates[0].certificate.tree), table_of_rare_jobs()
    blocks = tree.block_of(table)
    sizes = np.bincount(blocks, minlength=tree.n_blocks)
    assert gone == set(np.flatnonzero(sizes[blocks] < 8).tolist())
    released = csv.read_csv(desk.release).group_by(["age", "job", "town"]).aggregate([([], "count_all")])
    assert sorted(released["count_all"].to_pylist()) == sorted(sizes[sizes >= 8].tolist())


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """A desk, its release, and the file of a certificate that is proven at a price."""
    desk = suppression_desk(tmp_path_factory.mktemp("honest"))
    release, path = protected(desk)
    proved = release.certificates[0].certificate
    assert proved.is_optimal
    assert (proved.n_suppressed, proved.most_suppressed) == (3, 3)
    assert proved.price > 0
    return desk, path, proved


ON_RELEASE = {"cost of the release", "records of the release"}
FORGERIES = {
    "fewer suppressed": (lambda one: {"n_suppressed": 2}, {*ON_RELEASE, "cost of the original"}),
    "more suppressed": (
        lambda one: {"n_suppressed": 4},
        {*ON_RELEASE, "cost of the original", "matches the policy"},
    ),
    "more allowed": (lambda one: {"most_suppressed": 4}, {"matches the policy", "bound"}),
    "fewer allowed": (
        lambda one: {"most_suppressed": 2},
        {"matches the policy", "bound", "requirements of its blocks"},
    ),
    "cost": (
        lambda one: {"cost": one.cost - 1, "lower_bound": one.cost - 1},
        {"cost of the release", "cost of the original"},
    ),
    "no price": (lambda one: {"price": 0.0}, {"bound"}),
    "higher price": (lambda one: {"price": 10 * one.price}, {"bound"}),
    "price below 0": (lambda one: {"price": -one.price}, {"cost and bound agree", "bound"}),
}


@pytest.mark.gate(but=("more suppressed", "fewer suppressed", "more allowed"))
@pytest.mark.parametrize(("forge", "found"), FORGERIES.values(), ids=FORGERIES)
def test_a_forged_certificate_is_found_out(honest, tmp_path, forge, found):
    desk, path, proved = honest
    forged = tmp_path / "forged.json"
    forged.write_bytes(path.read_bytes())
    changed(forged, **forge(proved))
    proof = shoal.verify(desk.release, desk.policy, certificate=forged, original=desk.data)
    assert {check.what for check in proof.checks if check.holds is False} == found
    alone = shoal.verify(desk.release, desk.policy, certificate=forged)
    on_original = {"bound", "cost of the original", "requirements of its blocks"}
    assert {check.what for check in alone.checks if check.holds is False} == found - on_original


def test_suppressed_records_are_not_moved_from_stratum_to_stratum(tmp_path):
    desk = suppression_desk(tmp_path, share=0.05, within=["region"])
    _, path = protected(desk)
    content = json.loads(path.read_text())
    first, second = content["certificates"]
    assert first["n_suppressed"] > 0
    for one, step in ((first, -1), (second, 1)):
        one["n_suppressed"] = one.get("n_suppressed", 0) + step
        one["cost"] += step * one["n_records"]
        one["lower_bound"] = one["cost"]
    path.write_text(json.dumps(content))
    proof = shoal.verify(desk.release, desk.policy, certificate=path)
    assert {check.what for check in proof.checks if check.holds is False} == {"records of the release"}


def test_a_share_of_more_records_than_there_are_is_found_out(tmp_path):
    desk = suppression_desk(tmp_path, method={"loss": "certainty"})
    _, path = protected(desk)
    changed(path, n_records=2 * 157, most_suppressed=6)
    proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
    assert {check.what for check in proof.checks if check.holds is False} == {"cost of the original", "bound"}
