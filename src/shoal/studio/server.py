"""Studio as a server of this machine: started, shown in the browser, and stopped without leaving anything behind."""

from __future__ import annotations

import asyncio
import signal
import socket
import tempfile
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import uvicorn

from shoal.engines.private_folder import PrivateFolder
from shoal.errors import ShoalError, StudioError
from shoal.studio.access import Access
from shoal.studio.allowed_folders import AllowedFolders
from shoal.studio.app import studio_app
from shoal.studio.job_process import JobStarter
from shoal.studio.opened_file import OpenedFile, is_writable
from shoal.studio.requests import open_in
from shoal.studio.sitting import Sitting

HOST = "127.0.0.1"
SIGNALS = (signal.SIGINT, signal.SIGTERM)
SECONDS_IDLE = 600  # longer than browsers keep a connection, so that none sends a request into one that ends
SECONDS_TO_CLOSE = 3  # for answers under way


class StudioServer(uvicorn.Server):
    """Stops at a signal as at any other end: open streams of events are ended first."""

    def __init__(self, config: uvicorn.Config, sitting: Sitting) -> None:
        super().__init__(config)
        self._sitting = sitting
        self._refusal: ShoalError | None = None

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The handlers of the shell are back afterwards, but a signal is not raised again: the stop was clean."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.stop()

    def stop(self, refusal: ShoalError | None = None) -> None:
        """``refusal``: why it cannot go on, which `run` raises."""
        self.should_exit, self._refusal = True, refusal

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        super().run(sockets)
        if self._refusal is not None:
            raise self._refusal

    async def main_loop(self) -> None:
        await super().main_loop()
        self._sitting.events.end()
        await asyncio.sleep(0)


def serve(file: Path | None, folders: Sequence[Path], *, shows: bool, say: Callable[[str], None]) -> None:
    """Runs Studio until it is stopped. ``file``: the table to open; ``folders``: whose files it may open, by default
    that of the table, else the current one; ``shows``: opens the browser, else only the address is said."""
    if file is not None and not file.exists():
        raise StudioError.file_not_found(file)
    allowed = AllowedFolders.of(folders or [file.resolve().parent if file else Path.cwd()])
    table = OpenedFile.open(allowed.table(str(file.resolve()))) if file else None
    private = PrivateFolder.create_in(_place(allowed))
    try:
        with listening_socket() as listening, JobStarter() as starter:
            _serve(Sitting(allowed, private.path, starter), listening, table, shows=shows, say=say)
    finally:
        private.remove()


def _serve(
    sitting: Sitting, listening: socket.socket, table: OpenedFile | None, *, shows: bool, say: Callable[[str], None]
) -> None:
    access = Access(listening.getsockname()[1])

    def started() -> None:
        if shows:
            threading.Thread(target=webbrowser.open, args=[access.address], daemon=True).start()

    say(f"Studio runs at {access.origin}, for this machine only. Ctrl-C stops it.")
    if not shows:
        say(f"Open it, once, at {access.address}")
    studio_server(sitting, access, table, started).run(sockets=[listening])


def listening_socket() -> socket.socket:
    """At a free port of this machine alone."""
    found = socket.socket()
    found.bind((HOST, 0))
    found.listen()
    return found


def studio_server(
    sitting: Sitting, access: Access, table: OpenedFile | None = None, started: Callable[[], None] = lambda: None
) -> StudioServer:
    """A server that opens ``table`` when it has started. It writes no log."""

    async def start() -> None:
        try:
            if table is not None:
                await open_in(sitting, table)
            started()
        except ShoalError as error:
            server.stop(error)

    config = uvicorn.Config(
        studio_app(sitting, access, start),
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_CLOSE,
        timeout_keep_alive=SECONDS_IDLE,
    )
    server = StudioServer(config, sitting)
    return server


def _place(allowed: AllowedFolders) -> Path:
    """Where the private folder is: in the first folder that can be written, so that large releases have room."""
    writable = [root for root in allowed.roots if is_writable(root)]
    return writable[0] if writable else Path(tempfile.gettempdir())
