"""Moves the faults of tools/faults along with the code and the tests that they name.

    tools/move_faults.py

Where the text of a fault is gone from its file, it is looked for in src, tools and tests: the one file that has it once
takes its place, also with all its lines indented otherwise, and what replaces it is indented alike. A named test that
is gone is looked for by the name of its function. Nothing else in the files of faults is changed. Exit code 1 where
something was not found, or in several places.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from fault_table import ROOT, Fault

SUFFIXES = (".py", ".cpp", ".hpp", ".j2", ".js", ".mjs", ".css", ".html", ".toml", ".json")
ENTRY = re.compile(r"^\[\[fault\]\]$", re.MULTILINE)
STRING = r"\"{3}.*?\"{3}|'{3}.*?'{3}|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'"
MOST_INDENT = 24


def main(root: Path = ROOT) -> int:
    folders = ("src", "tools", "tests")
    paths = [path for folder in folders for path in sorted((root / folder).rglob("*")) if path.suffix in SUFFIXES]
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in paths
        if root / "tools/faults" not in path.parents
    }
    tests = {name: test_names(text) for name, text in texts.items() if re.search(r"(^|/)test_\w+\.py$", name)}
    n_lost = 0
    for path in sorted((root / "tools/faults").glob("*.toml")):
        before = path.read_text(encoding="utf-8")
        starts = [found.start() for found in ENTRY.finditer(before)]
        entries = [before[start:end] for start, end in zip(starts, [*starts[1:], len(before)], strict=True)]
        for n, entry in enumerate(entries):
            (fields,) = tomllib.loads(entry)["fault"]
            fault = Fault(path.stem, **{**fields, "tests": tuple(fields["tests"])})
            try:
                moved = with_tests_moved(with_text_moved(fault, texts), tests)
            except LookupError as error:
                n_lost += 1
                sys.stdout.write(f"NOT MOVED  {fault.room}: {fault.name}: {error.args[0]}\n")
                continue
            if moved != fault:
                sys.stdout.write(f"moved  {fault.room}: {fault.name}: {moved.file}, {', '.join(moved.tests)}\n")
                entries[n] = rewritten(entry, fault, moved)
        after = "".join([before[: starts[0]], *entries]) if starts else before
        if after != before:
            path.write_text(after, encoding="utf-8")
    return int(n_lost > 0)


def with_text_moved(fault: Fault, texts: Mapping[str, str]) -> Fault:
    """The fault in the file that has its text once: as it is, or else shifted by the fewest blanks."""
    n_times = texts.get(fault.file, "").count(fault.find)
    if n_times == 1:
        return fault
    if n_times > 1:
        raise LookupError(f"{fault.file} has its text {n_times} times")
    alike = {name: text for name, text in texts.items() if Path(name).suffix == Path(fault.file).suffix}
    for n_blanks in sorted(range(-MOST_INDENT, MOST_INDENT + 1), key=abs):
        find = shifted(fault.find, n_blanks)
        instead = shifted(fault.replace, n_blanks)
        places = [name for name, text in alike.items() if text.count(find) == 1] if find.strip() else []
        if len(places) > 1 and fault.file not in places:
            raise LookupError(f"its text is in {', '.join(places)}")
        if places:
            place = fault.file if fault.file in places else places[0]
            return replace(fault, file=place, find=find, replace=instead)
    raise LookupError(f"{fault.file} has its text no more, and no other file has it once")


def shifted(text: str, n_blanks: int) -> str:
    """With so many blanks more or less before every line; a first line that begins in the middle of one stays."""
    first, *others = text.split("\n")
    moved = [_shifted_line(line, n_blanks) for line in others]
    return "\n".join([_shifted_line(first, n_blanks) if first.startswith(" ") else first, *moved])


def _shifted_line(line: str, n_blanks: int) -> str:
    indent = len(line) - len(line.lstrip(" "))
    return " " * max(0, indent + n_blanks) + line[indent:] if line.strip() else line


def with_tests_moved(fault: Fault, tests: Mapping[str, set[str]]) -> Fault:
    return replace(fault, tests=tuple(_moved_test(test, tests) for test in fault.tests))


def _moved_test(test: str, tests: Mapping[str, set[str]]) -> str:
    file, _, rest = test.partition("::")
    function = rest.split("[")[0]
    if file in tests and (not rest or function in tests[file]):
        return test
    places = [
        name for name, names in tests.items() if (function in names if rest else Path(name).name == file.split("/")[-1])
    ]
    if len(places) != 1:
        raise LookupError(f"the test {test} is gone, and {len(places)} other files have one of this name")
    return f"{places[0]}::{rest}" if rest else places[0]


def test_names(text: str) -> set[str]:
    """The names of functions as pytest is told them, those of classes with the name of the class."""
    body = ast.parse(text).body
    classes = [node for node in body if isinstance(node, ast.ClassDef)]
    of_classes = {
        f"{node.name}::{each.name}" for node in classes for each in node.body if isinstance(each, ast.FunctionDef)
    }
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)} | of_classes


def rewritten(entry: str, before: Fault, after: Fault) -> str:
    """The entry with what has moved, and all else to the letter."""
    for name in ("file", "find", "replace"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            line = re.compile(rf"^{name} = (?:{STRING})", re.MULTILINE | re.DOTALL)
            entry = line.sub(f"{name} = {json.dumps(new, ensure_ascii=False)}".replace("\\", "\\\\"), entry, count=1)
    for old, new in zip(before.tests, after.tests, strict=True):
        entry = entry.replace(f'"{old}"', f'"{new}"')
    return entry


if __name__ == "__main__":
    sys.exit(main())
