"""The planted faults are those of the code as it is, and the table of what notices them is of all of them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import move_faults
from fault_table import FAULTS, ROOT, TABLE, Fault, Row, complaints, read_faults, read_rows, write_rows

LISTED = read_faults(FAULTS)
KEYS = [(fault.room, fault.name) for fault in LISTED]


def test_every_text_occurs_once_in_its_file() -> None:
    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in {fault.file for fault in LISTED}}
    assert [f"{fault.room}: {fault.name}" for fault in LISTED if texts[fault.file].count(fault.find) != 1] == []
    assert [f"{fault.room}: {fault.name}" for fault in LISTED if fault.find == fault.replace] == []


def test_every_named_test_exists() -> None:
    files = {test.split("::")[0] for fault in LISTED for test in fault.tests}
    names = {file: move_faults.test_names((ROOT / file).read_text(encoding="utf-8")) for file in files}
    for fault in LISTED:
        assert fault.tests, fault.name
        for test in fault.tests:
            file, _, rest = test.partition("::")
            assert not rest or rest.split("[")[0] in names[file], (fault.room, fault.name, test)


def test_the_table_has_one_row_of_every_fault() -> None:
    rows = read_rows(TABLE)
    assert sorted({*KEYS} ^ {(row.room, row.name) for row in rows}) == [], "make mutants ARGS=--missing renews it"
    assert len(rows) == len(KEYS) == len(set(KEYS))
    assert not [row for row in rows if row.verdict == "stale"]


def test_a_table_that_is_read_is_the_one_that_was_written(tmp_path: Path) -> None:
    rows = [Row(fault.room, "test", fault.name, "tests/x.py::test_y[a | b]") for fault in LISTED[:9]]
    write_rows(tmp_path / "table.txt", [*rows[::-1], Row("gone", "test", "gone", "gone")], LISTED)
    assert read_rows(tmp_path / "table.txt") == rows


@pytest.mark.parametrize(("verdict", "n", "said"), [("gate", 1, 0), ("gate", 11, 1), ("none", 2, 0), ("none", 3, 1)])
def test_few_may_go_unnoticed(verdict: str, n: int, said: int) -> None:
    rows = [Row("pages", verdict if at < n else "test", f"{at}", "") for at in range(100)]
    assert len(complaints(rows, [])) == said


def test_what_protects_somebody_is_noticed_by_make_test() -> None:
    faults = [
        Fault("gate", "a", "src/shoal/pipeline/x.py", "", "", ()),
        Fault("means", "b", "src/shoal/release/x.py", "", "", ()),
    ]
    rows = [Row(fault.room, "gate", fault.name, "") for fault in faults]
    others = [Row("pages", "test", f"{at}", "") for at in range(100)]
    assert len(complaints([*rows, *others], faults)) == 2


TOML = """\
# A remark.

[[fault]]
name = "a limit is passed"
file = "src/shoal/old.py"
find = "    if n > most:\\n        raise ValueError(\\"\\\\n\\")"
replace = "    if n > most + 1:\\n        raise ValueError"
tests = ["tests/test_old.py::test_a_limit[a-1]"]  # and another remark

[[fault]]
name = "it stays where it is"
file = "src/shoal/new.py"
find = "return n"
replace = "return -n"
tests = ["tests/test_new.py::test_a_limit"]
"""
CODE = """\
class Limit:
    def check(self, n, most):
        if n > most:
            raise ValueError("\\n")
        return n
"""


def test_faults_move_with_the_code_and_the_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path, {"src/shoal/new.py": CODE, "tests/test_new.py": "def test_a_limit(): ...\n"})
    table = tmp_path / "tools/faults/pages.toml"
    assert move_faults.main(tmp_path) == 0
    first, _ = tomllib.loads(table.read_text())["fault"]
    assert (first["file"], first["tests"]) == ("src/shoal/new.py", ["tests/test_new.py::test_a_limit[a-1]"])
    assert CODE.count(first["find"]) == 1
    assert first["replace"] == "        if n > most + 1:\n            raise ValueError"
    assert table.read_text().count("remark") == 2
    assert table.read_text().split("[[fault]]")[2] == TOML.split("[[fault]]")[2]
    assert capsys.readouterr().out.startswith("moved  pages: a limit is passed")
    assert move_faults.main(tmp_path) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "more",
    [
        {"src/shoal/newer.py": CODE},
        {"src/shoal/new.py": "return n"},
        {"tests/test_other.py": "def test_a_limit(): ..."},
    ],
)
def test_what_is_in_several_places_or_in_none_stays(tmp_path: Path, more: dict[str, str]) -> None:
    _write(tmp_path, {"src/shoal/new.py": CODE, "tests/test_new.py": "def test_a_limit(): ...\n", **more})
    assert move_faults.main(tmp_path) == 1
    assert (tmp_path / "tools/faults/pages.toml").read_text() == TOML


def _write(root: Path, texts: dict[str, str]) -> None:
    for name, text in {"tools/faults/pages.toml": TOML, **texts}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


TIERS = """\
import pytest
from planted import N
@pytest.mark.gate
def test_of_the_gate(): assert N < 2
def test_first(): assert N < 3
@pytest.mark.gate
def test_endless():
    while N == 1: pass
"""


@pytest.mark.gate
def test_a_fault_is_noticed_by_the_first_tier_that_goes_red(tmp_path: Path) -> None:
    settings = '[tool.pytest.ini_options]\nmarkers = ["gate: later"]\npythonpath = ["."]\n'
    for name, text in {"pyproject.toml": settings, "test_it.py": TIERS}.items():
        (tmp_path / name).write_text(text)
    words = [sys.executable, str(ROOT / "tools/fault_server.py")]
    with subprocess.Popen(words, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin
        assert server.stdout
        found = []
        for n in (0, 1, 2, 3):
            # Of another size each time: Python knows a changed file by its size and the second of its change.
            (tmp_path / "planted.py").write_text(f"N = {n}\n" + "#" * n)
            tiers = ["test", "gate", "long", "spark"]
            asked = {
                "tests": ["test_it.py"],
                "tiers": tiers,
                "left_out": [],
                "until_red": True,
                "seconds": 2 if n == 1 else 60,
            }
            server.stdin.write(json.dumps(asked) + "\n")
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
            found.append((answer["code"], *answer["events"][-1][:2]))  # of the last test that was begun
    assert found == [
        (0, "test_it.py::test_endless", "gate"),
        (124, "test_it.py::test_endless", "gate"),
        (1, "test_it.py::test_of_the_gate", "gate"),
        (1, "test_it.py::test_first", "test"),
    ]
