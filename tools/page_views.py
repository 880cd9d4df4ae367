"""Opens pages in headless Chromium: screenshots of the whole page in two widths and two schemes, and the printed pages.

    python tools/page_views.py --folder views page.html ...

Writes PAGE-1280-light.png, PAGE-1280-dark.png, PAGE-390-light.png, PAGE-390-dark.png and PAGE.pdf, and prints for each
page its size, what the browser complained about, what it requested, and whether anything is wider than the window. Exit
code 1 where a page is larger than 3 MB, complains, requests something, or has to be scrolled sideways.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

WIDTHS, SCHEMES = (1280, 390), ("light", "dark")
MOST_BYTES = 3_000_000
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


def find_browser() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@dataclass
class Browser:
    """Chromium, spoken to by its debugging protocol over two pipes."""

    to_browser: int
    from_browser: int
    n_calls: int = 0
    session: str = ""
    rest: bytes = b""
    events: list[dict[str, Any]] = field(default_factory=list)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        self.n_calls += 1
        message = {"id": self.n_calls, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.n_calls:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def wait_for(self, method: str) -> None:
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self._next())

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            read = os.read(self.from_browser, 1 << 20)
            if not read:
                raise RuntimeError("the browser has ended")
            self.rest += read
        message, self.rest = self.rest.split(b"\0", 1)
        found: dict[str, Any] = json.loads(message)
        return found

    def open_page(self, page: Path) -> None:
        self.session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")
        self.load(page.resolve().as_uri())

    def load(self, url: str) -> None:
        """Opens a page in the window that is there, with the width and the scheme that it has."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")

    @property
    def complaints(self) -> list[str]:
        """Messages of the console and errors since the page was opened."""
        logged = [event["params"]["entry"]["text"] for event in self._events("Log.entryAdded")]
        told = [str(event["params"]["args"]) for event in self._events("Runtime.consoleAPICalled")]
        thrown = [str(event["params"]) for event in self._events("Runtime.exceptionThrown")]
        return [*logged, *told, *thrown]

    @property
    def requests(self) -> list[str]:
        """What was asked for, other than the page itself."""
        urls = [event["params"]["request"]["url"] for event in self._events("Network.requestWillBeSent")]
        return urls[1:]

    def _events(self, method: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event.get("method") == method]

    def show(self, width: int, scheme: str) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media="screen", features=features)

    def evaluate(self, expression: str) -> Any:
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def overflow(self) -> int:
        """Pixels by which the page is wider than the window."""
        return int(self.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))

    def screenshot(self) -> bytes:
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"])

    def printed(self) -> bytes:
        self.call("Emulation.setEmulatedMedia", media="", features=[])
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"])


@contextmanager
def opened_browser(program: str) -> Iterator[Browser]:
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()

    def attach() -> None:  # Chromium reads from 3 and writes to 4; copies first, since either may be one of the four
        copies = os.dup2(to_read, 100), os.dup2(from_write, 101)
        os.dup2(copies[0], 3)
        os.dup2(copies[1], 4)

    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        running = subprocess.Popen(command, preexec_fn=attach, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        try:
            yield Browser(to_write, from_read)
        finally:
            os.close(to_write)
            os.close(from_read)
            running.terminate()
            running.wait(timeout=20)


def faults_of(browser: Browser, page: Path, folder: Path | None) -> list[str]:
    """What is wrong with a page. ``folder``: where its pictures are written."""
    browser.open_page(page)
    found = [f"{page.stat().st_size:,} bytes"] if page.stat().st_size > MOST_BYTES else []
    for width in WIDTHS:
        for scheme in SCHEMES:
            browser.show(width, scheme)
            wide = browser.overflow()
            found += [f"{wide} pixels wider than {width}"] if wide > 0 else []
            if folder:
                (folder / f"{page.stem}-{width}-{scheme}.png").write_bytes(browser.screenshot())
    pdf = browser.printed()
    if folder:
        (folder / f"{page.stem}.pdf").write_bytes(pdf)
    return [*found, *browser.complaints, *browser.requests]


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("pages", nargs="+", type=Path)
    asked.add_argument("--folder", type=Path, default=Path("views"))
    given = asked.parse_args()
    program = find_browser()
    if program is None:
        print("no Chromium was found")  # noqa: T201
        return 1
    given.folder.mkdir(parents=True, exist_ok=True)
    n_faults = 0
    with opened_browser(program) as browser:
        for page in given.pages:
            faults = faults_of(browser, page, given.folder)
            n_faults += len(faults)
            print(f"{page.name}: {page.stat().st_size:,} bytes; {'; '.join(faults) or 'nothing wrong'}")  # noqa: T201
    return int(n_faults > 0)


if __name__ == "__main__":
    sys.exit(main())
