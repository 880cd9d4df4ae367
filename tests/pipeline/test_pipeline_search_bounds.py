"""Lower bounds of a search: how far they are proved again, and what is said of a search that ended early."""

import json
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from certificate_example import certificate_desk, outcomes, protected, rules
from shoal import progress
from shoal.methods.generalization.certificate import FULL
from shoal.pipeline.protect.plan_report import search_notes
from survey_example import Desk, shell, write_csv, write_policy


@pytest.fixture
def place(tmp_path):
    return certificate_desk(tmp_path)


@pytest.mark.parametrize("more", [{"output": {"representation": "centroids"}}, {"method": {"loss": "volume"}}])
def test_what_a_release_does_not_tell_stays_open(tmp_path, more):
    desk = certificate_desk(tmp_path, **more)
    _, path = protected(desk)
    proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
    assert proof.holds
    assert outcomes(proof)["cost of the release"] is None
    assert outcomes(proof)["bound"] is True


def test_a_large_problem_leaves_the_bound_open(place, monkeypatch):
    from shoal.methods.generalization import certificate
    from shoal.pipeline.verify import check_on_original as recounting

    _, path = protected(place)
    monkeypatch.setattr(recounting, "check", lambda *a, **b: certificate.check(*a, **b, most_boxes=3))
    proof = shoal.verify(place.release, place.policy, certificate=path, original=place.data)
    (bound,) = (check for check in proof.checks if check.what == "bound")
    assert (bound.holds, bound.detail, proof.holds) == (None, "too large to prove again", True)
    said = shell("verify", place.release, "-p", place.policy, "--certificate", path, "--original", place.data)
    assert said.out.endswith("Proven. What is open is neither proven nor refuted.\n")


def test_strata_share_the_work_and_a_large_one_leaves_the_others_theirs(tmp_path, monkeypatch):
    """Of the two strata one takes 5.2 million cells of work, the other 4.6."""
    from shoal.pipeline.verify import check_on_original as recounting

    desk = certificate_desk(tmp_path, within=["region"])
    _, path = protected(desk)
    bounds = {}
    for most in (10**4, 10**7, 10**9):
        monkeypatch.setattr(recounting, "MOST_WORK", most)
        proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
        bounds[most] = [check.holds for check in proof.checks if check.what == "bound"]
    assert bounds == {10**4: [None, None], 10**7: [None, True], 10**9: [True, True]}


def test_proving_the_bound_anew_is_heard(place):
    _, path = protected(place)
    heard = {}

    @contextmanager
    def listen(what, total):
        heard[what] = told = []
        yield lambda done: told.append((done, total))

    with progress.report_to(listen):
        shoal.verify(place.release, place.policy, certificate=path, original=place.data)
    done = [number for number, total in heard["verifying the bound"] if number <= total]
    assert done == list(range(1, len(done) + 1))
    assert len(done) > 100


@pytest.mark.gate
def test_a_search_whose_memory_is_full_says_so(tmp_path):
    """Distinct from a budget of boxes that is spent."""
    chance, desk = np.random.default_rng(1), Desk(tmp_path)
    columns = [f"c{j}" for j in range(6)]
    write_csv(pa.table({name: chance.integers(0, 40, 12_000) for name in columns}), desk.data)
    asked = rules(k=5, columns={name: {"role": "quasi_identifier", "kind": "numeric"} for name in columns})
    write_policy(asked | {"method": {"name": "gensearch", "nodes": 3}}, desk.policy)
    release, path = protected(desk)
    assert "memory" not in release.certificates[0].certificate.how + "".join(release.manifest.notes)
    write_policy(asked | {"method": {"name": "gensearch", "nodes": 10**9, "memory": 1}}, desk.policy)
    release, path = protected(desk, force=True)
    assert "memory was full" in json.loads(path.read_text())["certificates"][0]["how"]
    (note,) = (note for note in release.manifest.notes if "memory" in note)
    assert note.startswith("The search ended because the memory was full")
    said = shell("protect", desk.data, "-p", desk.policy, "-o", desk.folder / "again.csv")
    assert f"note: {note}" in said.out


def test_one_search_of_many_whose_memory_is_full_is_counted(tmp_path):
    release, _ = protected(certificate_desk(tmp_path, within=["region"], method={"nodes": 1}))
    one, other = release.certificates
    full = replace(one, certificate=replace(one.certificate, how=FULL))
    assert search_notes([one, other]) == ()
    (note,) = search_notes([full, other])
    assert note.startswith("1 of 2 searches ended because the memory was full")


@pytest.mark.parametrize("loss", ["discernibility", "volume"])
def test_the_gap_is_told_with_its_loss(tmp_path, loss):
    """The costs of strata add up, and so do their bounds."""
    release, _ = protected(certificate_desk(tmp_path, within=["region"], method={"nodes": 1, "loss": loss}))
    proved = [one.certificate for one in release.certificates]
    cost, bound = sum(one.cost for one in proved), sum(one.lower_bound for one in proved)
    finding = release.findings[f"{loss} above its bound"]
    assert finding.estimate == pytest.approx(100 * (cost / bound - 1))
    assert loss in finding.meaning
