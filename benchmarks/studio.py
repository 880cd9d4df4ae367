"""Studio on a large file: seconds from the choice of its path to the page with its first records.

    python benchmarks/studio.py [N_RECORDS]

The synthetic census as Parquet and as CSV, opened by path in a Studio that has just been started. Wall seconds of the
request that opens the file and of the page after it, as a browser would ask for them. The bar for 1,000,000 records of
Parquet: 3 s.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from shoal import datasets

BAR = 3.0
START = [sys.executable, "-c", "from shoal.cli import main; main()", "studio"]


def main() -> None:
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    table = datasets.synthetic_census(n)
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "census.parquet", Path(folder) / "census.csv"
        pq.write_table(table, files[0])
        pacsv.write_csv(table, files[1])
        for file in files:
            said = f"first records after {seconds(file):.2f} s"
            print(f"{n:,} x {table.num_columns}, {file.suffix[1:]}: {said} (bar {BAR:g} s)")


def seconds(file: Path) -> float:
    with subprocess.Popen(
        [*START, "--folder", str(file.parent), "--no-browser"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+token=\S+", line)))
        try:
            browser = build_opener(HTTPCookieProcessor())
            browser.open(address).read()
            return time_to_preview(browser, address.partition("/?")[0], file)
        finally:
            process.send_signal(signal.SIGINT)


def time_to_preview(browser: OpenerDirector, origin: str, file: Path) -> float:
    headers = {"Origin": origin, "Content-Type": "application/json"}
    opening = Request(f"{origin}/api/open", json.dumps({"path": str(file)}).encode(), headers)
    started_at = time.perf_counter()
    browser.open(opening).read()
    page = browser.open(f"{origin}/data").read().decode()
    taken = time.perf_counter() - started_at
    assert 'id="preview-title"' in page
    return taken


if __name__ == "__main__":
    main()
