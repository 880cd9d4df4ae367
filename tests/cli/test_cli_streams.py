"""What becomes of a command whose streams are closed, full, or cannot show a letter; and of links that lead nowhere."""

import errno
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import shoal
from survey_example import Desk, desk, shell

MAIN = "from shoal.cli import main; main()"


class Full(io.TextIOWrapper):
    """As /dev/full: takes words, and fails when they are to be written."""

    def __init__(self):
        self.has_words = False
        super().__init__(io.BytesIO(), encoding="utf-8")

    def write(self, words):
        self.has_words = self.has_words or bool(words)
        return super().write(words)

    def flush(self):
        if self.has_words:
            raise OSError(errno.ENOSPC, "No space left on device")

    def close(self):
        pass


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    made = desk(tmp_path_factory.mktemp("streams"))
    shoal.protect(made.data, made.policy, output=made.release, key=made.key)
    return made


def commands(place: Desk):
    numbers = ["--known", "age", "--known", "amount"]
    return {
        "init": ["init", place.data, "-o", place.folder / "init.toml"],
        "protect": ["protect", place.data, "-p", place.policy, "-o", place.folder / "again.csv"],
        "replay": ["protect", "--replay", place.manifest, "--json"],
        "dry run": ["protect", place.data, "-p", place.policy, "--dry-run"],
        "verify": ["verify", place.release, "-p", place.policy],
        "assess": ["assess", place.data, place.data, *numbers],
        "compare": ["compare", place.data, "-p", place.policy],
        "mend": ["mend", place.data, "-p", place.policy],
        "link": ["link", place.data, place.data, "--truth", "position", *numbers],
        "som": ["som", place.data, "-o", place.folder / "map.html"],
        "demo": ["demo", "--persons", "1000", "--folder", place.folder / "demo"],
        "help": ["protect", "--help"],
        "version": ["--version"],
    }


def run_with(monkeypatch, words, out, err):
    """The exit code of a command with these streams."""
    from shoal.cli import main

    monkeypatch.setattr(sys, "argv", ["shoal", *map(str, words)])
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    before = signal.getsignal(signal.SIGTERM)
    try:
        main()
    except SystemExit as left:
        return left.code
    finally:
        signal.signal(signal.SIGTERM, before)
        monkeypatch.undo()
    return 0


NAMES = [pytest.param(name, marks=[pytest.mark.long] * (name == "mend")) for name in commands(Desk(Path()))]


@pytest.mark.gate(but=("verify", "init", "link"))
@pytest.mark.parametrize("name", NAMES)
def test_a_full_stdout_is_said(place, monkeypatch, name):
    err = io.StringIO()
    assert run_with(monkeypatch, commands(place)[name], Full(), err) == 2
    assert err.getvalue().startswith(
        "error: the result could not be written to standard output: No space left on device"
    )
    written = place.folder / "again.csv"
    if name == "protect":
        assert shoal.verify(written, place.policy).notes == ()


@pytest.mark.parametrize("name", commands(Desk(Path())))
def test_a_closed_stdout_is_refused_before_anything_is_done(place, monkeypatch, name):
    before, err = place.files(), io.StringIO()
    assert run_with(monkeypatch, commands(place)[name], None, err) == 2
    assert err.getvalue().startswith("error: standard output is closed")
    assert run_with(monkeypatch, commands(place)[name], None, None) == 2
    assert place.files() == before


def test_a_closed_or_full_stderr_costs_the_words_alone(place, monkeypatch):
    nothing = ["verify", place.folder / "none.csv", "-p", place.policy]
    assert run_with(monkeypatch, nothing, io.StringIO(), None) == 2
    assert run_with(monkeypatch, nothing, io.StringIO(), Full()) == 2
    assert run_with(monkeypatch, commands(place)["verify"], io.StringIO(), None) == 0


@pytest.mark.gate
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_full_stdout_of_a_process_is_said_whatever_its_encoding(place, encoding):
    line = f'"{sys.executable}" -c "{MAIN}" verify release.csv -p policy.toml > /dev/full'
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    ran = subprocess.run(
        ["bash", "-c", line], cwd=place.folder, capture_output=True, text=True, check=False, env=environment
    )
    assert (ran.returncode, "the result could not be written" in ran.stderr) == (2, True)


@pytest.mark.gate(but=">&-")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("streams", [">&-", "> /dev/full", ">&- 2>&-"])
def test_a_process_with_such_streams(place, tmp_path, streams):
    """Closed for the process itself: no file of the release may get the number of a stream."""
    command = f'"{sys.executable}" -c "{MAIN}" protect survey.csv -p policy.toml -o "{tmp_path}/r.csv" {streams}'
    ran = subprocess.run(["bash", "-c", command], cwd=place.folder, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == (["r.csv", "r.manifest.json", "r.private.json"] if "full" in streams else [])


@pytest.mark.gate
@pytest.mark.parametrize("encoding", ["ascii", pytest.param("latin-1", marks=pytest.mark.long)])
def test_names_that_a_stream_cannot_show_are_escaped(place, tmp_path, encoding):
    data = tmp_path / "Łódź-ü.csv"
    data.write_bytes(place.data.read_bytes())
    words = ["protect", data, "-p", place.policy, "-o", tmp_path / "Łódź-out.csv", "--json"]
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys; {MAIN}", *map(str, words)],
        capture_output=True,
        check=False,
        env=environment,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    told = json.loads(ran.stdout.decode("utf-8" if encoding == "ascii" else encoding))
    assert told["output"]["path"] == "Łódź-out.csv"
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    with pytest.MonkeyPatch.context() as patched:
        assert run_with(patched, ["verify", tmp_path / "Łódź-out.csv", "-p", place.policy], out, io.StringIO()) == 0
    out.flush()
    assert b"records in" in out.buffer.getvalue()


@pytest.mark.gate
def test_a_file_whose_name_is_not_unicode(place, tmp_path):
    data = tmp_path / os.fsdecode(b"caf\xe9.csv")
    data.write_bytes(place.data.read_bytes())
    release, report = tmp_path / os.fsdecode(b"out\xff.csv"), tmp_path / "report.html"
    said = shell("protect", data, "-p", place.policy, "-o", release, "--report", report)
    assert (said.code, said.err) == (0, "")
    assert shoal.verify(release, place.policy).notes == ()
    manifest = tmp_path / os.fsdecode(b"out\xff.manifest.json")
    assert shell("protect", "--replay", manifest).code == 0


@pytest.mark.parametrize("what", ["data", "policy", "output", "report", "manifest"])
def test_links_that_lead_back_to_themselves(place, tmp_path, what):
    loop = tmp_path / "loop.csv"
    loop.symlink_to(tmp_path / "other.csv")
    (tmp_path / "other.csv").symlink_to(loop)
    given = {"data": place.data, "policy": place.policy, "output": tmp_path / "r.csv", "report": tmp_path / "r.html"}
    given |= {what: loop}
    words = ["protect", given["data"], "-p", given["policy"], "-o", given["output"], "--report", given["report"]]
    said = shell(*(["protect", "--replay", loop] if what == "manifest" else words))
    assert said.code == 2
    assert "should not happen" not in said.err
    assert "loop.csv" in said.err
    assert "points back to itself" in said.err or "Too many levels of symbolic links" in said.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["loop.csv", "other.csv"]


@pytest.mark.gate
@pytest.mark.parametrize("command", [pytest.param("assess", marks=pytest.mark.long), "link"])
def test_a_temporary_folder_without_room_is_not_stdout(place, command):
    """A release is written once more, to be held against the one at hand."""
    words = [command, "survey.csv", "release.csv", "-p", "policy.toml"]
    line = f'ulimit -f 2; "{sys.executable}" -c "{MAIN}" {" ".join(words)}'
    ran = subprocess.run(["bash", "-c", line], cwd=place.folder, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "standard output" not in ran.stderr
    assert f"{tempfile.gettempdir()}: there is not enough space for the release" in ran.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF])
def test_what_fails_elsewhere_is_not_told_as_stdout(place, monkeypatch, number):
    """A file without a name, while what was said came through."""

    def full(*args, **how):
        raise OSError(number, "No room")

    monkeypatch.setattr("shoal.pipeline.verify.verify.verify", full)
    said = shell(*commands(place)["verify"])
    assert (said.code, "No room" in said.err, "standard output" in said.err) == (2, True, False)
