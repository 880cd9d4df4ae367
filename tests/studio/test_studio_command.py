"""``shoal studio``: started and stopped as a user does."""

import asyncio
import re
import signal
import subprocess
import sys
import threading
from http.client import HTTPConnection

import pytest

from shoal.studio import server
from survey_example import desk, shell

pytestmark = [pytest.mark.loopback]


def started(*words, **settings):
    command = [sys.executable, "-c", "from shoal.cli import main; main()", "studio", *map(str, words), "--no-browser"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings)


def address_of(process):
    return next(
        found for line in process.stdout if (found := re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line))
    )


def ask(port, path, cookie=""):
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    found = answer.status, answer.getheader("Set-Cookie", ""), answer.read().decode()
    connection.close()
    return found


@pytest.mark.gate
@pytest.mark.usefixtures("ctrl_c_heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_starts_and_stops_cleanly(tmp_path, number):
    there = desk(tmp_path)
    before = set(tmp_path.iterdir())
    with started(there.data) as process:
        found = address_of(process)
        port = int(found[1])
        status, cookie, _ = ask(port, f"/?token={found[2]}")
        assert status == 200
        assert "survey.csv" in ask(port, "/data", cookie.split(";")[0])[2]
        assert ask(port, "/data")[0] == 401
        process.send_signal(number)
        out, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert "Studio has stopped." in out
    assert set(tmp_path.iterdir()) == before


def test_what_is_not_there_is_said(tmp_path):
    said = shell("studio", tmp_path / "no.csv")
    assert (said.code, "there is no such file" in said.err) == (2, True)
    said = shell("studio", "--folder", tmp_path / "nowhere")
    assert (said.code, "is not a folder" in said.err) == (2, True)
    there = desk(tmp_path)
    (tmp_path / "other").mkdir()
    said = shell("studio", there.data, "--folder", tmp_path / "other")
    assert (said.code, "outside of the folders" in said.err) == (2, True)
    (tmp_path / "table.exe").write_text("a\n1\n")
    said = shell("studio", tmp_path / "table.exe")
    assert (said.code, "not the extension of a format" in said.err) == (2, True)


def test_a_table_that_cannot_be_opened_is_said(tmp_path):
    there = desk(tmp_path)
    there.key.write_bytes(b"short")
    before = set(tmp_path.iterdir())
    said = shell("studio", there.data, "--no-browser")
    assert (said.code, "policy.key" in said.err) == (2, True)
    assert set(tmp_path.iterdir()) == before


def test_without_its_packages_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr("shoal.cli.studio_command.find_spec", lambda name: None)
    said = shell("studio")
    assert (said.code, "pip install 'shoal[studio]'" in said.err) == (2, True)


def test_the_browser_is_opened_with_the_address(tmp_path, monkeypatch):
    """Or the address is printed, and no browser opened: it is valid once."""
    opened, said, has_opened = [], [], threading.Event()

    def open_browser(address):
        opened.append(address)
        has_opened.set()

    def run(self, sockets):
        """Starts and stops without a request."""

        async def start_and_stop():
            self.config.load()
            lifespan = self.config.lifespan_class(self.config)
            await lifespan.startup()
            await lifespan.shutdown()

        asyncio.run(start_and_stop())

    monkeypatch.setattr("webbrowser.open", open_browser)
    monkeypatch.setattr(server.StudioServer, "run", run)
    server.serve(None, [tmp_path], shows=True, say=said.append)
    assert has_opened.wait(60)
    assert "token=" not in "".join(said)
    server.serve(None, [tmp_path], shows=False, say=said.append)
    (address,) = opened
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{43}", address)
    assert address not in "".join(said)
    assert len([line for line in said if "token=" in line]) == 1
