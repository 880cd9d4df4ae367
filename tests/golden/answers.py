"""What Shoal says of one case: the figures of its release, the report, and the answers of the shell.

    findings/CASE.txt       a section for each question, of lines (``lines.py``)
    findings/help.txt       the help of every command

All of it is asked in one process, and only through public names: ``shoal.protect``, ``Release.report``, the shell. So
files may be merged, moved and renamed below them, and the same is said.
"""

from __future__ import annotations

import csv
import dataclasses
import json
import re
import shlex
import shutil
from contextlib import chdir
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import tomlkit

import shoal
from golden.lines import Lines, Said
from golden.policies import LABELS, NET, Case
from survey_example import shell

HERE = Path(__file__).parent
TABLES, INPUTS, KEPT = HERE / "tables", HERE / "inputs", HERE / "findings"
KEY = bytes(range(32))
HELP = "help"
PAGES = {".md", ".html", ".json", ".toml"}
UNSAID = ("style", "script", "svg", "head")  # of a page: what a reader does not see, and the words of drawings


def ask(name: str, folder: Path) -> Said:
    """The answers on a case, from files in ``folder``; paths in them are relative to it."""
    case, lines = NET[name], Lines({str(folder): "FOLDER", str(folder.resolve()): "FOLDER"})
    with chdir(folder):
        data = _inputs(case)
        try:
            release = _released(case, data)
        except shoal.ShoalError as refusal:
            lines.add_text(f"protect: {type(refusal).__name__}", str(refusal))
            return lines.sections
        lines.add("protect", _of_release(release))
        if case.reports:
            for edition in ("internal", "external"):
                lines.add_text(f"report, {edition}", release.report("md", edition))
        if case.html:
            lines.add_text("report, as a page", visible_text(release.report("html")))
        names = {"DATA": data, "RELEASE": release.path, "POPULATION": "population.csv"}
        for command in case.asked:
            _answer(command, names | {"FOREIGN": f"{case.table}_by_another_tool.csv"}, lines)
    return lines.sections


def _inputs(case: Case) -> Path:
    """Everything in this folder; the name of the table."""
    for path in (*TABLES.glob("*.csv"), INPUTS / "pseudonym.key"):
        shutil.copy(path, path.name)
    Path("policy.key").write_bytes(KEY)
    for path in Path().glob("*.key"):
        path.chmod(0o600)  # a checkout has modes of its own
    Path("policy.toml").write_text(tomlkit.dumps(case.policy), encoding="utf-8")
    return _with_labels(case.table) if case.table == "labelled" else Path(f"{case.table}.csv")


def _with_labels(table: str) -> Path:
    """The table as a file of Stata, whose codes have labels."""
    import pandas as pd
    import pyreadstat

    with Path(f"{table}.csv").open(encoding="utf-8") as file:
        records = pd.DataFrame([{name: int(cell) for name, cell in row.items()} for row in csv.DictReader(file)])
    pyreadstat.write_dta(records, f"{table}.dta", variable_value_labels=LABELS)
    return Path(f"{table}.dta")


def _released(case: Case, data: Path) -> shoal.Release:
    earlier = {}
    for table in case.earlier:
        shoal.protect(f"{table}.csv", "policy.toml", output="earlier.csv", engine="memory")
        earlier = {"earlier": ["earlier.csv"], "person": "person"}
    return shoal.protect(data, "policy.toml", output=f"release{data.suffix}", engine="memory", **earlier)


def _of_release(release: shoal.Release) -> dict[str, Any]:
    """Manifest, private notes, and the figures that nobody but the owner sees."""
    manifest = json.loads(json.dumps(dataclasses.asdict(release.manifest), default=str))
    for table in ("input", "output", "files"):  # of hashes and formats
        del manifest[table]
    del manifest["policy"]["columns"]  # as the case has them
    return {"manifest": manifest, "private notes": list(release.private.notes), **release.assessment.to_dict()}


def _answer(command: str, names: dict[str, Any], lines: Lines) -> None:
    """What the shell prints, and the page that it writes."""
    words = [str(names.get(each, each)) for each in shlex.split(command)]
    before = {path.name for path in Path().iterdir()}
    said = shell(*words)
    title = f"shoal {' '.join(words)}" + (f": exit code {said.code}" if said.code else "")
    if "--json" in words and said.out.strip():
        lines.add(title, json.loads(said.out))
    else:
        lines.add_text(title, said.out)
    if said.err:
        lines.add_text(f"{title}, on stderr", said.err)
    for path in [Path(each) for each in words if Path(each).suffix in PAGES]:
        if path.name in before or not path.exists():
            continue
        if path.suffix == ".json":
            lines.add(f"{title}: {path}", json.loads(path.read_text(encoding="utf-8")))
        else:
            lines.add_text(f"{title}: {path}", path.read_text(encoding="utf-8"))


def ask_for_help() -> Said:
    """The help of the shell and of every command, 80 columns wide."""
    lines = Lines()
    commands = re.findall(r"(?m)^│ ([a-z]+) {2,}\S", shell("--help").out)
    for command in ([], *([each] for each in commands)):
        said = re.sub(r"(?m)^ Usage: .*?shoal ", " Usage: shoal ", shell(*command, "--help").out)  # not: pytest
        lines.add_text(" ".join(["shoal", *command, "--help"]), said)
    return lines.sections


class _Page(HTMLParser):
    """The text of a page, an element a line."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._unsaid = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._unsaid += tag in UNSAID

    def handle_endtag(self, tag: str) -> None:
        self._unsaid -= tag in UNSAID

    def handle_data(self, data: str) -> None:
        if not self._unsaid and data.strip():
            self.said.append(" ".join(data.split()))


def visible_text(page: str) -> str:
    reader = _Page()
    reader.feed(page)
    return "\n".join(reader.said)
