"""Studio as a process of its own, and a browser that opens its pages."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

import page_views

PAGES = ("data", "policy", "run", "result", "compare", "export")
SERIOUS = ("serious", "critical")
FLAGS = [flag for flag in page_views.FLAGS if flag not in ("--headless", "--remote-debugging-pipe")]
PATIENCE = 120_000  # milliseconds until something that does not come is a failure
HEIGHT = {1280: 900, 390: 844}
COLORS = 128  # of a picture for the documents
SHOWN_FOLDER = "/home/ada/survey"  # there, in place of the temporary one of the tests
RENAME = """([folder, shown]) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(folder, shown);
    for (const control of document.querySelectorAll("input[type=text], textarea"))
        control.value = control.value.replaceAll(folder, shown);
}"""


expect.set_options(timeout=PATIENCE)


@contextmanager
def running_studio(*words: str | Path) -> Iterator[str]:
    """The address of a Studio with these words on its command line; it is stopped as Ctrl-C does."""
    command = [sys.executable, "-c", "from shoal.cli import main; main()", "studio", *map(str, words), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "")
            yield next(found[0] for line in lines if (found := re.search(r"http://\S+token=\S+", line)))
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        assert "Traceback" not in errors, errors


@contextmanager
def opened_chromium(program: str) -> Iterator[Browser]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Sitting:
    """A browser that Studio let in; its token is valid once, so every tab has the same cookie."""

    address: str  # without the token
    context: BrowserContext
    folder: str  # whose files are opened

    @classmethod
    def enter(cls, browser: Browser, address: str, folder: str) -> Sitting:
        context = browser.new_context(viewport={"width": 1280, "height": HEIGHT[1280]}, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(address)
        page.wait_for_url("**/data")
        page.close()
        return cls(re.sub(r"/\?.*", "", address), context, folder)

    def page(self, name: str) -> Tab:
        tab = Tab(self.context.new_page(), self.folder)
        tab.page.goto(f"{self.address}/{name}")
        return tab

    def post(self, path: str, /, **body: Any) -> Any:
        """What Studio answers to a request that a page could make."""
        answer = self.context.request.post(f"{self.address}{path}", data=body, headers={"Origin": self.address})
        assert answer.ok, answer.text()
        return answer.json()

    def get(self, path: str) -> Any:
        answer = self.context.request.get(f"{self.address}{path}")
        assert answer.ok, answer.text()
        return answer.json()


class Tab:
    """A page, with what its browser complained about."""

    def __init__(self, page: Page, folder: str) -> None:
        self.page, self.folder, self.complaints = page, folder, list[str]()
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def show(self, width: int, scheme: Any) -> None:
        self.page.set_viewport_size({"width": width, "height": HEIGHT[width]})
        self.page.emulate_media(color_scheme=scheme)

    @property
    def overflow(self) -> int:
        """Pixels by which the page is wider than its window."""
        root = "document.documentElement"
        return int(self.page.evaluate(f"{root}.scrollWidth - {root}.clientWidth"))

    @property
    def violations(self) -> list[str]:
        """What a reader with a screen reader or keyboard could not use, with the elements."""
        found = Axe().run(self.page, options={"resultTypes": ["violations"]}).response["violations"]
        return [
            f"{each['id']}: {[node['target'] for node in each['nodes']]}" for each in found if each["impact"] in SERIOUS
        ]

    def draw_charts(self) -> None:
        """Scrolls to every chart, so that it is drawn."""
        for chart in self.page.locator(".chart").all():
            if chart.is_visible():
                chart.scroll_into_view_if_needed()
        expect(self.page.locator(".chart[data-drawn=waiting]")).to_have_count(0)
        self.page.evaluate("scrollTo(0, 0)")

    def picture(self, name: str, *, whole: bool = False) -> None:
        """Writes a picture of the page to the folder SHOAL_PICTURES, where that is set."""
        folder = os.environ.get("SHOAL_PICTURES")
        if folder:
            path = Path(folder) / f"studio-{name}.png"
            self.page.evaluate(RENAME, [self.folder, SHOWN_FOLDER])
            self.page.screenshot(path=path, full_page=whole)
            with Image.open(path) as drawn:
                drawn.convert("RGB").quantize(COLORS).save(path, optimize=True)
