"""Draws which package imports which, and counts the modules through which the nouns of a release pass.

    tools/structure.py [--against REV] [--drawing]

Without options a table is printed. A module is on the path of a noun if it names its class or reads an attribute of a
variable that holds one, outside the package that defines it. ``--against`` puts the figures of another commit next to
those of the checkout. ``--drawing`` prints the imports as a Mermaid graph instead: an arrow is left out where a longer
way of arrows implies it.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from names import ROOT, SOURCE, Files, files_at, files_here

Imports = Mapping[str, set[str]]  # by package: the packages it imports


@dataclass(frozen=True)
class Noun:
    """A class of a release: the package that defines it, and the usual names of variables that hold one."""

    name: str
    home: str
    variables: frozenset[str]


NOUNS = (
    Noun("Policy", "policy", frozenset({"policy"})),
    Noun("Table", "pyarrow", frozenset({"table"})),
    Noun("Partition", "plan", frozenset({"partition"})),
    Noun("CutTree", "plan", frozenset({"tree"})),
)


def parsed(files: Files) -> dict[str, ast.Module]:
    """The modules by path from src/shoal."""
    return {name.removeprefix(SOURCE): ast.parse(text) for name, text in files.items() if name.startswith(SOURCE)}


def package_of(path: str) -> str:
    """The package, or module, directly below shoal; empty for shoal itself."""
    return path.split("/")[0].removesuffix(".py").removesuffix("__init__")


def imports_of(modules: Mapping[str, ast.Module]) -> Imports:
    found: dict[str, set[str]] = {}
    for path, tree in modules.items():
        found.setdefault(package_of(path), set()).update(_imported(tree))
    return {package: (others & found.keys()) - {package, ""} for package, others in found.items() if package}


def _imported(tree: ast.Module) -> Iterator[str]:
    """Packages of shoal that are imported when the program runs."""
    typed = {
        each
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for each in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node not in typed and (node.module or "").split(".")[0] == "shoal":
            parts = (node.module or "").split(".")
            yield from parts[1:2] or [alias.name for alias in node.names]


def path_of(noun: Noun, modules: Mapping[str, ast.Module]) -> list[str]:
    """The modules outside its home that name the class or read an attribute of one."""
    members = _members(noun, modules)
    return [path for path, tree in modules.items() if package_of(path) != noun.home and _holds(tree, noun, members)]


def _members(noun: Noun, modules: Mapping[str, ast.Module]) -> set[str]:
    """The attributes of the class: a variable of the same name may hold something else, such as a path."""
    found = [node for tree in modules.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    bodies = [line for node in found if node.name == noun.name for line in node.body]
    fields = {
        line.target.id for line in bodies if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    }
    return fields | {line.name for line in bodies if isinstance(line, ast.FunctionDef)}


def _holds(tree: ast.Module, noun: Noun, members: set[str]) -> bool:
    return any(
        (isinstance(node, ast.Name) and node.id == noun.name)
        or (isinstance(node, ast.Attribute) and node.attr == noun.name)
        or (isinstance(node, ast.Attribute) and node.attr in members and _called(node.value) in noun.variables)
        for node in ast.walk(tree)
    )


def _called(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


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


def figures(modules: Mapping[str, ast.Module]) -> dict[str, int]:
    imports = imports_of(modules)
    return {
        "modules": len(modules),
        "packages": len(imports),
        "imports between packages": sum(map(len, imports.values())),
        "packages in a circle": len(set(circle(imports))),
        **{f"modules on the path of {noun.name}": len(path_of(noun, modules)) for noun in NOUNS},
    }


def table(columns: Mapping[str, Mapping[str, int]]) -> str:
    rows = list(columns["now"])
    lines = [f"{row:<34}" + "".join(f"{found[row]:>9}" for found in columns.values()) for row in rows]
    return "\n".join([" " * 34 + "".join(f"{name:>9}" for name in columns), *lines, ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", metavar="REV", help="a commit whose figures are put next to those of the checkout")
    parser.add_argument("--drawing", action="store_true", help="the imports as a Mermaid graph")
    asked = parser.parse_args()
    now = parsed(files_here(ROOT))
    if asked.drawing:
        sys.stdout.write(drawing(imports_of(now)))
        return 0
    before = {asked.against: figures(parsed(files_at(ROOT, asked.against)))} if asked.against else {}
    sys.stdout.write(table({**before, "now": figures(now)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
