"""Counts the house: how large it is, what a command runs of it, and how many files every kind of change takes.

    tools/structure.py [--check | --renew | --drawing]

Today's figures stand beside those of structure.toml next to this file, which were kept last. A figure is worse than the
kept one if it is beyond it by more than one in a hundred: small figures must not get worse at all. ``--check`` prints
what is worse and fails; ``--renew`` keeps today's figures, in a commit that says why. CPU seconds are printed and never
compared. ``--drawing`` prints instead which package imports which, as a Mermaid graph: an arrow is left out where a
longer way of arrows implies it.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median
from typing import Any

from names import ROOT, SOURCE, Files, files_here
from traced_commands import COMMANDS, cpu_seconds, traces

KEPT = Path(__file__).with_suffix(".toml")
Imports = Mapping[str, set[str]]  # by module or package: what it imports
Modules = Mapping[str, ast.Module]  # by path from src/shoal
Figures = dict[str, dict[str, int]]  # by section and name

SIZE, CIRCLES, FACE = "size", "circles", "face"
SECTIONS = {
    SIZE: "How large it is",
    CIRCLES: "Modules that import each other in a circle",
    **{name: f"What {name} runs" for name in COMMANDS},
    FACE: "What a newcomer meets",
    "changes": "Files that a change touches, besides its own tests and what make schema writes",
}
MORE_IS_BETTER = {"median lines of a file", "median lines of a function body"}  # a chapter, a paragraph


def today() -> Figures:
    """All figures that are compared. The commands take some twenty seconds of CPU."""
    files = files_here(ROOT)
    modules = parsed(files)
    return {
        SIZE: sizes(files, modules) | _kernels(),
        CIRCLES: circle_figures(modules),
        **traces(),
        FACE: face(files),
        "changes": changes(),
    }


def parsed(files: Files) -> dict[str, ast.Module]:
    """The modules by path from src/shoal."""
    return {name.removeprefix(SOURCE): ast.parse(text) for name, text in files.items() if name.startswith(SOURCE)}


# --- How large it is.


@dataclass(frozen=True)
class DefinitionLines:
    """Line numbers of a function or class: its decorators and signature, and its body without a docstring."""

    signature: set[int]
    body: set[int]

    @classmethod
    def of(cls, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> DefinitionLines:
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        begins = max(node.body[0].lineno, node.lineno + 1)  # a body may stand in the line of the signature
        body = node.body[1:] if _is_docstring(node.body[0]) else node.body
        lines = _lines(body[0], body[-1]) if body else set()
        return cls(set(range(first, begins)), lines)


def sizes(files: Files, modules: Modules) -> dict[str, int]:
    """Files, functions, classes and lines of src/shoal; a line of code is neither an import nor a signature, a
    docstring, a comment or blank."""
    texts = {path: files[SOURCE + path].splitlines() for path in modules}
    n_code, n_classes, bodies = 0, 0, []
    defined: list[str] = []  # names of functions
    named: Counter[str] = Counter()  # wherever a name stands; an import is no use of it
    for path, tree in modules.items():
        blank = {at for at, line in enumerate(texts[path], 1) if not line.strip() or line.lstrip().startswith("#")}
        wrapping = set(blank)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                named[node.id] += 1
            elif isinstance(node, ast.Attribute):
                named[node.attr] += 1
            elif isinstance(node, ast.Import | ast.ImportFrom) or _is_docstring(node):
                wrapping |= _lines(node, node)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found = DefinitionLines.of(node)
                wrapping |= found.signature - found.body
                if isinstance(node, ast.ClassDef):
                    n_classes += 1
                else:
                    defined.append(node.name)
                    bodies.append(len(found.body - blank))
        n_code += len(texts[path]) - len(wrapping)
    return {
        "files": len(modules),
        "functions": len(defined),
        "functions whose name is used once": sum(named[name] == 1 for name in defined),
        "classes": n_classes,
        "lines": sum(map(len, texts.values())),
        "lines of code": n_code,
        "median lines of a file": int(median(map(len, texts.values()))),
        "median lines of a function body": int(median(bodies)),
    }


def _is_docstring(node: ast.AST) -> bool:
    """A string that is a statement: of a module, a class, a function or, below it, a field."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _lines(first: Any, last: Any) -> set[int]:
    return set(range(first.lineno, last.end_lineno + 1))


def _kernels() -> dict[str, int]:
    found = [path for path in sorted((ROOT / "src" / "kernels").rglob("*")) if path.suffix in (".hpp", ".cpp")]
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in found)
    return {"files of C++": len(found), "lines of C++": lines}


# --- Who imports whom.


def package_of(path: str) -> str:
    """The package, or module, directly below shoal; empty for shoal itself."""
    return path.split("/")[0].removesuffix(".py").removesuffix("__init__")


def imports_of(modules: Modules) -> Imports:
    """The packages that each package imports when the program runs."""
    found: dict[str, set[str]] = {}
    for path, tree in modules.items():
        named = {f"{module}.{name}".split(".")[1] for module, name in _imported(tree)}
        found.setdefault(package_of(path), set()).update(named)
    return {package: (others & found.keys()) - {package, ""} for package, others in found.items() if package}


def module_imports(modules: Modules, *, for_types: bool = False) -> Imports:
    """The modules that each module imports, wherever in its text; ``for_types``: for type checkers, too. A name is that
    of a module of the package, or is defined in the package itself."""
    names = {_dotted(path): path for path in modules}
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        pairs = _imported(modules[path], for_types=for_types)
        meant = {f"{module}.{each}" if f"{module}.{each}" in names else module for module, each in pairs}
        found[name] = (meant & names.keys()) - {name}
    return found


def _dotted(path: str) -> str:
    return ".".join(["shoal", *path.removesuffix(".py").split("/")]).removesuffix(".__init__")


def _imported(tree: ast.Module, *, for_types: bool = False) -> Iterator[tuple[str, str]]:
    """Modules of shoal and names that are imported from them."""
    nodes = list(ast.walk(tree))
    checked = [node for node in nodes if isinstance(node, ast.If) and _is_type_checking(node.test)]
    typed = set() if for_types else {each for node in checked for line in node.body for each in ast.walk(line)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node not in typed and (node.module or "").split(".")[0] == "shoal":
            yield from ((str(node.module), alias.name) for alias in node.names)


def _is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def circles(imports: Imports) -> list[list[str]]:
    """The largest sets of modules each of which imports all others, directly or by others; the largest set first.

    Tarjan (1972): a module belongs to the circle of the earliest module, of those still open, that it reaches.
    """
    order: dict[str, int] = {}  # the modules that were entered -> when
    earliest: dict[str, int] = {}
    opened: list[str] = []
    found: list[list[str]] = []

    def enter(module: str) -> None:
        order[module] = earliest[module] = len(order)
        opened.append(module)
        for other in sorted(imports.get(module, ())):
            if other not in order:
                enter(other)
            if other in opened:
                earliest[module] = min(earliest[module], earliest[other])
        if earliest[module] == order[module]:
            at = opened.index(module)
            found.append(sorted(opened[at:]))
            del opened[at:]

    for module in sorted(imports):
        if module not in order:
            enter(module)
    return sorted((each for each in found if len(each) > 1), key=lambda each: (-len(each), each))


def circle_figures(modules: Modules) -> dict[str, int]:
    at_run_time, with_types = (circles(module_imports(modules, for_types=each)) for each in (False, True))
    return {
        "circles": len(at_run_time),
        "modules in them": sum(map(len, at_run_time)),
        "modules in the largest": max(map(len, at_run_time), default=0),
        "circles, imports for types included": len(with_types),
        "modules in them, imports for types included": sum(map(len, with_types)),
    }


def circle(imports: Imports) -> list[str]:
    """Packages that import each other in a circle; empty if there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def reduced(imports: Imports) -> list[tuple[str, str]]:
    """The arrows without those that a longer way implies. There must be no circle."""
    reached: dict[str, set[str]] = {}
    for package in TopologicalSorter(imports).static_order():
        below = imports.get(package, set())
        reached[package] = below.union(*(reached[other] for other in below))
    return [
        (package, other)
        for package in sorted(imports)
        for other in sorted(imports[package])
        if not any(other in reached[between] for between in imports[package])
    ]


def drawing(imports: Imports) -> str:
    return "\n".join(["graph TD", *(f"    {package} --> {other}" for package, other in reduced(imports)), ""])


# --- What a newcomer meets, and what a change costs.


def face(files: Files) -> dict[str, int]:
    stub = ast.parse((ROOT / SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    pages = [text for name, text in files.items() if name.startswith("docs/")]
    return {
        "names at top level": len({alias.name for node in imports for alias in node.names}),
        "pages of docs": len(pages),
        "words of docs": sum(len(text.split()) for text in pages),
        "links of README": len(re.findall(r"\]\(", files["README.md"])),
    }


def changes() -> dict[str, int]:
    """How many files the steps of CONTRIBUTING.md edit, by the toys that take them."""
    sys.path[:0] = [str(ROOT / "tests")]
    from registry.toys import TOYS

    return {what: len(toy.files) for what, toy in TOYS.items()}


# --- Today's figures beside the kept ones.


def kept() -> Figures:
    return tomllib.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}


def as_toml(figures: Figures) -> str:
    lines = [
        "# The figures that make structure compares; ARGS=--renew writes them. Say in the commit why one got worse."
    ]
    for section, found in figures.items():
        lines += ["", f'["{section}"]' if " " in section else f"[{section}]"]
        lines += [f'"{name}" = {value}' for name, value in found.items()]
    return "\n".join(lines) + "\n"


def worse(now: Figures, before: Figures) -> list[str]:
    """What to say of the figures that got worse than they were, and of those that are not in both."""
    said = []
    for section, name in _rows(now, before):
        value, was = (each.get(section, {}).get(name) for each in (now, before))
        if value is None or was is None:
            said.append(f"{section}, {name}: {'not counted any more' if value is None else 'not kept yet'}")
        elif (was - value if name in MORE_IS_BETTER else value - was) > was // 100:
            said.append(f"{section}, {name}: {value:,} instead of {was:,}")
    return said


def _rows(*figures: Figures) -> list[tuple[str, str]]:
    return list(dict.fromkeys((section, name) for each in figures for section in each for name in each[section]))


def table(now: Figures, before: Figures, seconds: Mapping[str, float] | None = None) -> str:
    lines = [f"{'':<46}{'kept':>9}{'today':>9}"]
    for section, found in now.items():
        lines += ["", SECTIONS.get(section, section)]
        for name, value in found.items():
            was = before.get(section, {}).get(name)
            lines.append(f"  {name:<44}{'-' if was is None else format(was, ','):>9}{value:>9,}")
        if seconds and section in seconds:
            lines.append(f"  {'CPU s':<44}{'':>9}{seconds[section]:>9.2f}")
    return "\n".join(lines) + "\n"


def listed(found: Iterable[Sequence[str]]) -> str:
    """Circles, one a line: how many modules of which packages."""
    lines = ["", "The circles"]
    for each in found:
        packages = Counter(".".join(module.split(".")[1:3]) for module in each)
        lines.append(f"  {len(each)}: {', '.join(f'{n} of {name}' for name, n in packages.most_common())}")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument("--check", action="store_true", help="fail where a figure is worse than the kept one")
    asked.add_argument("--renew", action="store_true", help="keep today's figures")
    asked.add_argument("--drawing", action="store_true", help="the imports as a Mermaid graph")
    options = parser.parse_args()
    if options.drawing:
        sys.stdout.write(drawing(imports_of(parsed(files_here(ROOT)))))
        return 0
    now, before = today(), kept()
    sys.stdout.write(table(now, before, None if options.check or options.renew else cpu_seconds()))
    sys.stdout.write(listed(circles(module_imports(parsed(files_here(ROOT))))))
    said = worse(now, before)
    if options.renew:
        KEPT.write_text(as_toml(now), encoding="utf-8")
    elif said:
        sys.stdout.write("\nWorse, or not in both:\n" + "".join(f"  {each}\n" for each in said))
    return int(options.check and bool(said))


if __name__ == "__main__":
    sys.exit(main())
