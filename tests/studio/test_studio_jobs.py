"""Jobs of Studio: a process each, one at a time; canceled without a trace, said when they die, seen by every tab."""

import os
import signal
from contextlib import closing
from multiprocessing import Pipe

import pyarrow as pa
import pytest

from shoal.datasets import uniform
from shoal.studio import worker
from shoal.studio.job_process import JobStarter
from shoal.studio.messages import Canceled, Failed, StageBegan
from shoal.studio.policy_document import PolicyDocument
from shoal.studio.tasks import ForecastTask, ProtectTask
from studio_example import job_of, job_starter, studio
from survey_example import desk, in_order, of_records, survey_policy, write_csv, write_policy

pytestmark = [pytest.mark.loopback]

ENDLESS = {"name": "microaggregate", "proposals": 10**12}


def endless_desk(folder, n=3000):
    """A table and a policy whose search ends only when it is stopped."""
    table = uniform(n, 3)
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in table.column_names}
    policy = {"requirements": [{"name": "k_anonymity", "k": 5}], "method": ENDLESS, "columns": columns}
    return desk(folder, table, in_order(policy))


@pytest.fixture
def endless(tmp_path):
    """A Studio with a search that has begun, and its job."""
    there = endless_desk(tmp_path)
    with studio(tmp_path) as opened:
        opened.open(there.data)
        assert opened.get("/api/policy")["text"] == there.policy.read_text()
        job = opened.post("/api/jobs", {"kind": "protect"})
        opened.until(lambda state: bool(job_of(state, job["id"])["stages"]))
        yield opened, job["id"]


def files_below(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_canceled_job_leaves_no_file(endless, tmp_path):
    opened, job = endless
    assert any(opened.sitting.private.iterdir())
    assert opened.post(f"/api/jobs/{job}/cancel")["status"] == "running"
    assert opened.job(job)["status"] == "canceled"
    assert not any(opened.sitting.private.iterdir())
    assert files_below(tmp_path) == ["policy.toml", "survey.csv"]
    assert opened.get("/api/state")["runs"] == []
    assert opened.post(f"/api/jobs/{job}/cancel")["status"] == "canceled"


def test_a_dead_worker_is_said(endless, tmp_path):
    opened, job = endless
    os.kill(opened.sitting.queue.process.pid, signal.SIGKILL)
    found = opened.job(job)
    assert found["status"] == "dead"
    assert "signal SIGKILL" in found["error"]["lines"][0]
    assert files_below(tmp_path) == ["policy.toml", "survey.csv"]
    assert opened.job(opened.post("/api/jobs", {"kind": "profile"})["id"])["status"] == "done"  # the queue goes on


@pytest.mark.gate
def test_jobs_wait_for_each_other(endless):
    opened, job = endless
    waiting = [opened.post("/api/jobs", {"kind": "profile"})["id"] for _ in range(3)]
    state = opened.get("/api/state")
    assert [job_of(state, number)["status"] for number in (job, *waiting)] == ["running", *["waiting"] * 3]
    assert opened.post(f"/api/jobs/{waiting[1]}/cancel")["status"] == "canceled"
    opened.post(f"/api/jobs/{job}/cancel")
    state = opened.idle()
    assert [job_of(state, number)["status"] for number in waiting] == ["done", "canceled", "done"]
    first, last = (job_of(state, number) for number in (waiting[0], waiting[2]))
    assert first["started"] < last["started"]


@pytest.mark.gate
def test_a_forecast_says_what_a_run_takes(tmp_path):
    there = desk(tmp_path)
    with studio(tmp_path) as opened:
        opened.open(there.data)
        found = opened.job(opened.post("/api/jobs", {"kind": "forecast"})["id"])
        assert found["result"]["lines"][0].startswith("about 40 records x 11 columns")
        assert any("CPU time" in line for line in found["result"]["lines"])
        assert files_below(opened.sitting.private) == []


@pytest.mark.gate
def test_every_tab_is_told_the_same(endless):
    opened, job = endless
    with closing(opened.events()) as one, closing(opened.events()) as other:
        first, second = next(one), next(other)
        assert job_of(first, job)["status"] == job_of(second, job)["status"] == "running"
        opened.post(f"/api/jobs/{job}/cancel")
        ends = [next(s for s in tab if job_of(s, job)["status"] == "canceled") for tab in (one, other)]
    assert ends[0]["jobs"] == ends[1]["jobs"]
    assert opened.get("/api/state")["jobs"] == ends[0]["jobs"]  # as after a reload


@pytest.mark.gate
def test_who_leaves_in_mid_stream_disturbs_nobody(endless):
    opened, job = endless
    for _ in range(20):
        with closing(opened.events()) as events:
            next(events)
    assert opened.get("/api/state")["jobs"][-1]["id"] == job
    opened.post(f"/api/jobs/{job}/cancel")
    assert opened.job(job)["status"] == "canceled"


def test_an_upload_that_breaks_off_leaves_nothing(tmp_path):
    with studio(tmp_path) as opened:
        with closing(opened.connection()) as connection:
            connection.putrequest("POST", "/api/upload")
            for name, value in (
                ("Cookie", f"{opened.access.cookie_name}={opened.access.cookie}"),
                ("Origin", opened.access.origin), ("X-File-Name", "x.csv"), ("Content-Length", "1000"),
            ):  # fmt: skip
                connection.putheader(name, value)
            connection.endheaders(b"a,b\n1,2\n")
        assert opened.get("/api/state")["file"] is None
        with closing(opened.events()) as events:
            next(events)
        assert not list(opened.sitting.private.rglob("*.csv"))


@pytest.mark.gate
def test_studio_stops_with_a_running_job_and_open_streams(tmp_path):
    there = endless_desk(tmp_path)
    with studio(tmp_path) as opened:
        opened.open(there.data)
        job = opened.post("/api/jobs", {"kind": "protect"})["id"]
        events = opened.events()
        next(state for state in events if job_of(state, job)["stages"])
        pid = opened.sitting.queue.process.pid
    last = list(events)
    assert all(state["jobs"] for state in last)  # the stream has ended by itself
    assert files_below(tmp_path) == ["policy.toml", "survey.csv"]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_worker_stops_where_studio_is_gone(tmp_path):
    there = endless_desk(tmp_path)
    folder = tmp_path / "run"
    folder.mkdir()
    document = PolicyDocument(there.policy.read_text(), there.policy)
    process = job_starter().start(ProtectTask(there.data, document, bytes(32), folder / "release.csv", "run"))
    messages = process.messages()
    next(message for message in messages if isinstance(message, StageBegan))
    process._connection.close()
    assert process.ended() == "exit code 0"
    assert files_below(folder) == []


def test_a_worker_that_says_nothing_is_stopped_where_studio_is_gone(monkeypatch):
    killed = []
    monkeypatch.setattr(worker.os, "kill", lambda *how: killed.append(how))
    ours, theirs = Pipe()
    with theirs:
        ours.close()
        worker._watch(theirs)
    assert killed == [(os.getpid(), signal.SIGTERM)]


@pytest.mark.gate
def test_a_job_that_is_not_possible_says_so_without_a_cell(tmp_path):
    there = desk(tmp_path, policy=of_records(survey_policy(k=1000)))
    with studio(tmp_path) as opened:
        opened.open(there.data)
        found = opened.protect()
        assert found["status"] == "failed"
        assert "1000" in " ".join(found["error"]["lines"])
        (run,) = opened.get("/api/state")["runs"]
        assert (run["has_release"], run["id"]) == (False, found["run"])
        assert run["reason"] == " ".join(found["error"]["lines"])
        assert files_below(opened.sitting.private) == []
        assert opened.ask("GET", f"/result/{run['id']}").status == 200
        compared = opened.ask("GET", "/compare")
        assert compared.status == 200
        assert f'id="run-{run["id"]}"' in compared.text
        assert "data-number" not in compared.text
        assert opened.ask("GET", f"/api/export/{run['id']}").status == 409


def test_messages_of_a_worker(tmp_path):
    there = desk(tmp_path)
    missing = ForecastTask(tmp_path / "no.csv", PolicyDocument(there.policy.read_text(), there.policy))
    process = job_starter().start(missing)
    last = list(process.messages())[-1]
    assert isinstance(last, Failed)
    assert "no.csv" in last.lines[0]
    assert process.ended() == "exit code 0"
    process = job_starter().start(ForecastTask(there.data, missing.document))
    process.stop()
    assert all(not isinstance(message, Canceled) for message in list(process.messages())[:-1])
    process.ended()


@pytest.mark.gate
def test_a_file_in_the_current_folder_is_no_module(tmp_path, monkeypatch):
    """Neither for the process that starts jobs, nor for the one that takes its place when it was killed."""
    there = desk(tmp_path)
    (tmp_path / "pyarrow.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    with JobStarter() as starter:
        starter._process.kill()
        starter._process.wait()
        task = ForecastTask(there.data, PolicyDocument(there.policy.read_text(), there.policy))
        assert starter.start(task).ended() == "exit code 0"


@pytest.mark.gate
def test_a_table_without_policy_is_looked_at(tmp_path):
    there = desk(tmp_path)
    there.policy.unlink()
    with studio(tmp_path) as opened:
        state = opened.open(there.data)
        assert [(job["kind"], job["status"]) for job in state["jobs"]] == [("propose", "done"), ("profile", "done")]
        assert state["file"]["n_records"] == 40
        assert opened.get("/api/policy")["suggestions"]["person"]["role"] == "identifier"
        assert "Which keys single people out" in opened.ask("GET", "/data").text


def test_another_table_ends_the_jobs_of_the_first(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    first, second = desk(one), desk(other)
    write_csv(pa.table({"a": list(range(20))}), second.data)
    write_policy({"columns": {"a": {"role": "quasi_identifier", "kind": "numeric"}}}, second.policy)
    with studio(tmp_path) as opened:
        opened.post("/api/open", {"path": str(first.data)})
        opened.post("/api/open", {"path": str(second.data)})
        state = opened.idle()
        assert state["file"]["path"] == str(second.data)
        assert state["jobs"][0]["status"] in ("done", "canceled")
        assert list(opened.get("/api/policy")["content"]["columns"]) == ["a"]
