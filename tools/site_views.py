"""Opens pages of the site (`make docs`) in headless Chromium, in two widths and two schemes.

    python tools/site_views.py --folder views index.html mdav.html ...

Writes PAGE-WIDTH-SCHEME.png; exit code 1 where the browser complains, something is asked of a network, or a page has to
be scrolled sideways.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from page_views import SCHEMES, WIDTHS, Browser, find_browser, opened_browser

SITE = Path(__file__).resolve().parent.parent / "build" / "site"


def faults_of(browser: Browser, page: Path, folder: Path) -> Iterator[str]:
    for width in WIDTHS:
        for scheme in SCHEMES:
            browser.open_page(page)
            browser.show(width, scheme)
            browser.load(page)
            wide = browser.overflow()
            if wide > 0:
                yield f"{wide} pixels wider than {width}"
            yield from browser.complaints
            yield from (url for url in browser.requests if not url.startswith(("file:", "data:", "blob:")))
            (folder / f"{page.stem}-{width}-{scheme}.png").write_bytes(browser.screenshot())


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("pages", nargs="+", type=Path, help="relative to build/site")
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
            faults = sorted(set(faults_of(browser, SITE / page, given.folder)))
            n_faults += len(faults)
            print(f"{page}: {'; '.join(faults) or 'nothing wrong'}")  # noqa: T201
    return int(n_faults > 0)


if __name__ == "__main__":
    sys.exit(main())
