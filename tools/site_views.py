"""Opens pages of the site (`make docs`) in headless Chromium, in two widths and two schemes.

    python tools/site_views.py --folder views index.html mdav.html ...

Writes PAGE-WIDTH-SCHEME.png; exit code 1 where the browser complains, something is asked of a network, or a page has to
be scrolled sideways.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from page_views import SCHEMES, WIDTHS, Browser, find_browser, opened_browser

SITE = Path(__file__).resolve().parent.parent / "build" / "site"


@contextmanager
def served_site() -> Iterator[str]:
    """The address of the site while the block lasts."""
    handler = partial(QuietHandler, directory=str(SITE))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing: what is asked for is told by the browser."""


def faults_of(browser: Browser, site: str, page: str, folder: Path) -> Iterator[str]:
    for width in WIDTHS:
        for scheme in SCHEMES:
            browser.show(width, scheme)
            browser.load(site + page)
            browser.evaluate("localStorage.clear()")  # where the page remembers a scheme
            browser.load(site + page)
            wide = browser.overflow()
            if wide > 0:
                yield f"{wide} pixels wider than {width}"
            yield from browser.complaints
            yield from (url for url in browser.requests if not url.startswith((site, "data:", "blob:")))
            (folder / f"{Path(page).stem}-{width}-{scheme}.png").write_bytes(browser.screenshot())


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("pages", nargs="+", help="relative to build/site")
    asked.add_argument("--folder", type=Path, default=Path("views"))
    given = asked.parse_args()
    program = find_browser()
    if program is None:
        print("no Chromium was found")  # noqa: T201
        return 1
    given.folder.mkdir(parents=True, exist_ok=True)
    n_faults = 0
    with opened_browser(program) as browser, served_site() as site:
        browser.open_page(SITE / "index.html")
        for page in given.pages:
            faults = sorted(set(faults_of(browser, site, page, given.folder)))
            n_faults += len(faults)
            print(f"{page}: {'; '.join(faults) or 'nothing wrong'}")  # noqa: T201
    return int(n_faults > 0)


if __name__ == "__main__":
    sys.exit(main())
