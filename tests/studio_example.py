"""A Studio of the tests: a real server at a port of this machine, and whoever talks to it."""

from __future__ import annotations

import atexit
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from shoal.engines.private_folder import PrivateFolder
from shoal.studio.access import Access
from shoal.studio.allowed_folders import AllowedFolders
from shoal.studio.job_process import JobStarter
from shoal.studio.opened_file import OpenedFile
from shoal.studio.server import listening_socket, studio_server
from shoal.studio.sitting import Sitting

State = dict[str, Any]


@dataclass(frozen=True)
class Said:
    status: int
    headers: dict[str, str]
    content: bytes = field(repr=False)

    @property
    def text(self) -> str:
        return self.content.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.content)


@dataclass(frozen=True)
class Studio:
    sitting: Sitting
    access: Access

    def ask(
        self, method: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None, known: bool = True
    ) -> Said:
        """The answer to one request, as a page of Studio sends it; ``headers`` replace its own, without those that are
        empty. ``known``: with the cookie."""
        sent = {
            "Host": f"127.0.0.1:{self.access.port}",
            **({"Cookie": f"{self.access.cookie_name}={self.access.cookie}"} if known else {}),
            **({"Origin": self.access.origin} if method != "GET" else {}),
            **(headers or {}),
        }
        content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        with closing(self.connection()) as connection:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value:
                    connection.putheader(name, value)
            if content is not None and "Content-Length" not in sent:
                connection.putheader("Content-Length", str(len(content)))
            connection.endheaders(content)
            answer = connection.getresponse()
            return Said(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())

    def connection(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.access.port, timeout=120)

    def get(self, path: str) -> Any:
        said = self.ask("GET", path)
        assert said.status == 200, said.text
        return said.json

    def post(self, path: str, body: Any = None) -> Any:
        said = self.ask("POST", path, {} if body is None else body)
        assert said.status == 200, said.text
        return said.json

    def events(self) -> Iterator[State]:
        """The states that the stream of events tells, until it is closed."""
        with closing(self.connection()) as connection:
            cookie = f"{self.access.cookie_name}={self.access.cookie}"
            connection.request("GET", "/api/events", headers={"Cookie": cookie})
            answer = connection.getresponse()
            assert answer.status == 200
            name = ""
            for line in answer:
                if line.startswith(b"event: "):
                    name = line[7:].decode().strip()
                elif line.startswith(b"data: ") and name == "state":
                    yield json.loads(line[6:])

    def until(self, holds: Callable[[State], bool]) -> State:
        """The first state of which this holds."""
        with closing(self.events()) as states:
            return next(state for state in states if holds(state))

    def job(self, number: int) -> dict[str, Any]:
        """The job, when it is over."""
        over = ("done", "failed", "canceled", "dead")
        state = self.until(lambda state: job_of(state, number)["status"] in over)
        return job_of(state, number)

    def idle(self) -> State:
        """The state in which no job waits or runs."""
        return self.until(lambda state: not any(job["status"] in ("waiting", "running") for job in state["jobs"]))

    def open(self, path: Path) -> State:
        """The state when the table is open, and everything known about it."""
        self.post("/api/open", {"path": str(path)})
        return self.idle()

    def protect(self) -> dict[str, Any]:
        """A job that protects the open table, when it is over."""
        return self.job(self.post("/api/jobs", {"kind": "protect"})["id"])


def job_of(state: State, number: int) -> dict[str, Any]:
    return next(job for job in state["jobs"] if job["id"] == number)


@cache
def job_starter() -> JobStarter:
    """One for all tests: it takes seconds of imports until its first job."""
    starter = JobStarter()
    atexit.register(starter.close)
    return starter


@contextmanager
def studio(*folders: Path, table: Path | None = None) -> Iterator[Studio]:
    """A Studio that may open these folders, until the block ends."""
    allowed = AllowedFolders.of(folders)
    private = PrivateFolder.create_in(allowed.roots[0])
    try:
        with listening_socket() as listening:
            access, ready = Access(listening.getsockname()[1]), threading.Event()
            sitting = Sitting(allowed, private.path, job_starter())
            server = studio_server(sitting, access, OpenedFile.open(table) if table else None, ready.set)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
            thread.start()
            try:
                assert ready.wait(60)
                yield Studio(sitting, access)
            finally:
                server.stop()
                thread.join()
    finally:
        private.remove()
