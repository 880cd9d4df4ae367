"""No value of the data in errors, logs, addresses or files left behind."""

import logging

import pytest

from studio_example import studio
from survey_example import desk, write_policy

pytestmark = [pytest.mark.loopback]

CANARIES = ("Zyxwvut Quatsch", "Kanarienstadt", "Schwindsucht")


@pytest.fixture
def table(tmp_path):
    """A file without names: its first record is where others have their names."""
    path = tmp_path / "headless.csv"
    others = "ann,x,flu\nbob,y,cold\n" * 15
    path.write_text(",".join(CANARIES) + "\n" + others)
    return path


def assert_silent(*texts):
    for text in texts:
        for canary in CANARIES:
            assert canary not in text


def test_errors_show_no_cell(tmp_path, table, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    write_policy(
        {"columns": {"name": {"role": "identifier"}, "city": {"role": "quasi_identifier"}}}, tmp_path / "p.toml"
    )
    with studio(tmp_path) as opened:
        opened.open(table)
        state = opened.ask("GET", "/api/state").text
        assert_silent(state)
        assert opened.get("/api/state")["jobs"][0]["status"] == "failed"
        assert_silent(opened.ask("GET", "/run").text, opened.ask("GET", "/policy").text)
        for path, body in (
            ("/api/jobs", {"kind": "protect"}), ("/api/jobs", {"kind": "forecast"}),
            ("/api/policy/save", {"revision": 1}), ("/api/taxonomy", {"column": CANARIES[0]}),
        ):  # fmt: skip
            said = opened.ask("POST", path, body)
            assert said.status >= 400
            assert_silent(said.text)
        assert CANARIES[0] in opened.ask("GET", "/api/preview").text  # which is what it is for
    assert_silent(caplog.text, *capfd.readouterr())


def test_an_error_of_studio_itself_is_said_without_its_text(tmp_path, monkeypatch, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    there = desk(tmp_path)
    with studio(tmp_path) as opened:
        opened.open(there.data)

        def fail(self):
            raise ValueError(CANARIES[0])

        monkeypatch.setattr("shoal.studio.opened_file.OpenedFile.preview", fail)
        for path in ("/api/preview", "/data"):
            said = opened.ask("GET", path)
            assert said.status == 500
            assert "this should not happen: ValueError" in said.text
            assert_silent(said.text)
    assert_silent(caplog.text, *capfd.readouterr())


@pytest.mark.gate
def test_nothing_is_left_when_studio_stops(tmp_path):
    there = desk(tmp_path)
    before = set(tmp_path.iterdir())
    with studio(tmp_path) as opened:
        opened.open(there.data)
        assert opened.protect()["status"] == "done"
        assert (opened.sitting.private.stat().st_mode & 0o777) == 0o700
        assert opened.sitting.private.parent == tmp_path.resolve()
    assert set(tmp_path.iterdir()) == before
