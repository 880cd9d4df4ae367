"""Counts names and words of the source that a reader of the disclosure-control literature would not know.

    tools/names.py [--against REV] [--places]

What is counted, and what is passed over with which reason, is in names.toml next to this file. ``--against`` adds
the counts of another commit; ``--places`` lists every place.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tarfile
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = Path(__file__).with_suffix(".toml")
SOURCE = "src/shoal/"

PARTICIPLES = "classes named by a participle or gerund"
CLASSES = "class names of more than one module"
MODULES = "module names that occur twice or more"
TYPE_TESTS = "tests of method or representation elsewhere"
WORDS = "private words in prose"

Files = Mapping[str, str]  # text by path from the root of the repository


@dataclass(frozen=True)
class Rules:
    """What names.toml says."""

    irregular: frozenset[str]
    exceptions: Mapping[str, str]
    rooms: Mapping[str, str]
    compared: Mapping[str, str]
    words: Mapping[str, str]
    data: Mapping[str, str]

    @classmethod
    def read(cls, path: Path) -> Rules:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        participles, tests = found["participles"], found["type_tests"]
        irregular = frozenset(participles["irregular"])
        return cls(
            irregular, participles["exceptions"], tests["rooms"], tests["compared"], found["words"], found["data"]
        )

    def is_participle(self, name: str) -> bool:
        last = re.split(r"(?=[A-Z])", name)[-1]
        return last not in self.exceptions and (last.endswith(("ed", "ing")) or last in self.irregular)

    @cached_property
    def comparison(self) -> re.Pattern[str]:
        return re.compile("|".join(self.compared))

    @cached_property
    def prose(self) -> re.Pattern[str]:
        """Any of the private words, however it is broken over lines."""
        phrases = sorted(self.words, key=len, reverse=True)
        return re.compile(r"\b(" + "|".join(r"\W+".join(phrase.split()) for phrase in phrases) + r")\b", re.IGNORECASE)


@dataclass(frozen=True)
class Module:
    """One file of src/shoal, parsed."""

    path: str  # from src/shoal
    tree: ast.Module

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @property
    def classes(self) -> Iterator[ast.ClassDef]:
        return (node for node in self.nodes if isinstance(node, ast.ClassDef))


def files_here(root: Path) -> Files:
    """The checkout at ``root``: source and documents."""
    found = [*root.glob(f"{SOURCE}**/*.py"), *root.glob("docs/*.md"), *root.glob("*.md")]
    return _counted_files({str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in found})


def files_at(root: Path, revision: str) -> Files:
    """The same of another commit of the repository at ``root``."""
    ran = subprocess.run(["git", "-C", str(root), "archive", "--format=tar", revision], capture_output=True)
    if ran.returncode:
        raise SystemExit(f"{root} has no commit '{revision}' that git can read")
    with tarfile.open(fileobj=io.BytesIO(ran.stdout)) as archive:
        held = {member.name: archive.extractfile(member) for member in archive if member.isfile()}
        return _counted_files({name: file.read().decode(errors="replace") for name, file in held.items() if file})


def _counted_files(files: Files) -> Files:
    """Sorted; only what is counted. The changelog is history and stays as it is."""
    counted = re.compile(rf"{SOURCE}.*\.py|(docs/)?(?!CHANGELOG)[^/]+\.md")
    return {name: files[name] for name in sorted(files) if counted.fullmatch(name)}


def count(files: Files, rules: Rules) -> dict[str, list[str]]:
    """The places of everything that is counted."""
    modules = [
        Module(name.removeprefix(SOURCE), ast.parse(text)) for name, text in files.items() if name.startswith(SOURCE)
    ]
    return {
        PARTICIPLES: participles(modules, rules),
        CLASSES: repeated((node.name, module.path) for module in modules for node in module.classes),
        MODULES: repeated((Path(module.path).stem, module.path) for module in modules),
        TYPE_TESTS: type_tests(modules, rules),
        WORDS: private_words(files, rules),
    }


def participles(modules: Sequence[Module], rules: Rules) -> list[str]:
    return sorted(
        f"{node.name}  {module.path}:{node.lineno}"
        for module in modules
        for node in module.classes
        if rules.is_participle(node.name)
    )


def repeated(named: Iterable[tuple[str, str]]) -> list[str]:
    """The names that occur in more than one file, with these files."""
    files = defaultdict(set)
    for name, path in named:
        files[name].add(path)
    return [
        f"{name}  {', '.join(sorted(paths))}"
        for name, paths in sorted(files.items())
        if len(paths) > 1 and name != "__init__"
    ]


def type_tests(modules: Sequence[Module], rules: Rules) -> list[str]:
    methods = method_classes(modules)
    found = [
        (module.path, line, test)
        for module in modules
        if not module.path.startswith(tuple(rules.rooms))
        for line, test in _tests(module, methods, rules)
    ]
    return [f"{path}:{line}  {test}" for path, line, test in sorted(found)]


def method_classes(modules: Sequence[Module]) -> frozenset[str]:
    """Classes of methods/ that derive from one called ...Method, by whatever way."""
    bases = {
        node.name: {ast.unparse(base).split("[")[0] for base in node.bases}
        for module in modules
        if module.path.startswith("methods/")
        for node in module.classes
    }
    found = {name for name in bases if name.endswith("Method")}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return frozenset(found)


def _tests(module: Module, methods: frozenset[str], rules: Rules) -> Iterator[tuple[int, str]]:
    for node in module.nodes:
        match node:
            case ast.Call(func=ast.Name("isinstance"), args=[_, types]) if methods & _names(types):
                yield node.lineno, ast.unparse(node)
            case ast.MatchClass(cls=type_) if methods & _names(type_):
                yield node.lineno, f"case {ast.unparse(node)}"
            case ast.Compare() if rules.comparison.search(ast.unparse(node)):
                yield node.lineno, ast.unparse(node)


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def private_words(files: Files, rules: Rules) -> list[str]:
    found = []
    for name, text in files.items():
        for first, prose in () if name in rules.data else _prose(name, text):
            for match in rules.prose.finditer(prose):
                phrase = " ".join(re.findall(r"\w+", match[0].lower()))
                found.append((phrase, name, first + prose.count("\n", 0, match.start())))
    return [f"{phrase}  {name}:{line}" for phrase, name, line in sorted(found)]


def _prose(name: str, text: str) -> Iterator[tuple[int, str]]:
    """First line and text of a whole document; of a module, of its strings and comments."""
    if not name.endswith(".py"):
        yield 1, text
        return
    spoken = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in spoken:
            yield token.start[0], token.string


def table(counts: Mapping[str, Mapping[str, list[str]]]) -> str:
    """A line for every count, a column for every tree."""
    heads = list(counts)
    widths = [max(6, len(head)) for head in heads]
    lines = [f"{'':<46}" + "  ".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True))]
    for kind in counts[heads[0]]:
        figures = [f"{len(counts[head][kind]):>{width}}" for head, width in zip(heads, widths, strict=True)]
        lines.append(f"{kind:<46}" + "  ".join(figures))
    return "\n".join(lines) + "\n"


def main(words: Sequence[str] | None = None, root: Path = ROOT) -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("--against", metavar="REV", help="also the counts of this commit")
    reader.add_argument("--places", action="store_true", help="list every place")
    options = reader.parse_args(words)
    rules = Rules.read(RULES)
    now = count(files_here(root), rules)
    before = {options.against: count(files_at(root, options.against), rules)} if options.against else {}
    sys.stdout.write(table({**before, "now": now}))
    if options.places:
        for kind, places in now.items():
            sys.stdout.write(f"\n{kind}\n" + "".join(f"  {place}\n" for place in places))
    return 0


if __name__ == "__main__":
    sys.exit(main())
