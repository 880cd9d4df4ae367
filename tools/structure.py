"""Counts the house: how large it is, what a command runs of it, and how many files every kind of change takes.

    tools/structure.py [--check | --renew | --drawing]

Today's figures stand beside those of structure.toml next to this file, which were kept last. A figure is worse than the
kept one if it is beyond it; those that every change moves a little (LOOSE), if they are beyond it by more than one in a
hundred. ``--check`` prints what is worse and fails; ``--renew`` keeps today's figures, in a commit that says why. CPU
seconds are printed and never compared. How long the tests take is not among the figures: make test says it.
``--drawing`` prints instead which package imports which, as a Mermaid graph: an arrow is left out where a longer way of
arrows implies it.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from statistics import median

from names import ROOT, SOURCE, Files, files_here
from traced_commands import COMMANDS, cpu_seconds, traces

KEPT = Path(__file__).with_suffix(".toml")
RENEW = "Make it better again; or else run make structure ARGS=--renew, and commit structure.toml with the reason."
Imports = Mapping[str, set[str]]  # by module or package: what it imports
Modules = Mapping[str, ast.Module]  # by path from src/shoal
Figures = dict[str, dict[str, int]]  # by section and name

SECTIONS = {
    "size": "How large it is",
    **{name: f"What {name} runs" for name in COMMANDS},
    "edited": "Files that are edited where one is added, besides its own tests",
    "written": "Files that make schema writes anew then",
    "features": "Files that speak of a feature",
    "circles": "Modules that import each other in a circle",
    "face": "What a newcomer meets",
}
FEATURES = {
    "units and households": r"household|unit_|units_",
    "extents": r"\bextents?\b|_extent",
    "recoding by hand": r"recod",
    "earlier releases": r"\bearlier\b",
}
MORE_IS_BETTER = {"median lines of a file", "median lines of a function body"}  # a chapter, a paragraph
LOOSE = {
    *("functions", "functions whose name is used once", "classes", "functions that ran"),
    *("lines", "lines of code", "lines of imports", "lines of C++", "words of docs"),
}


def today() -> Figures:
    """All figures that are compared. The commands take some twenty seconds of CPU."""
    files = files_here(ROOT)
    modules = parsed(files)
    toys = added()
    return {
        "size": sizes(files, modules) | kernel_sizes(),
        **traces(),
        "edited": {what: n_edited for what, (n_edited, _) in toys.items()},
        "written": {what: n_written for what, (_, n_written) in toys.items()},
        "features": scatter(files),
        "circles": circle_figures(modules),
        "face": face(files),
    }


def parsed(files: Files) -> dict[str, ast.Module]:
    """The modules by path from src/shoal."""
    return {name.removeprefix(SOURCE): ast.parse(text) for name, text in files.items() if name.startswith(SOURCE)}


# --- How large it is.


def sizes(files: Files, modules: Modules) -> dict[str, int]:
    """Files, functions, classes and lines of src/shoal; a line of code is neither an import nor a signature, a
    docstring, a comment or blank."""
    texts = {path: files[SOURCE + path].splitlines() for path in modules}
    functions: list[str] = []
    bodies: list[int] = []  # lines of each function
    used: Counter[str] = Counter()  # how often a name stands anywhere; an import is no use of it
    n_classes = n_imports = n_code = 0
    for path, tree in modules.items():
        blank = {at for at, line in enumerate(texts[path], 1) if not line.strip() or line.lstrip().startswith("#")}
        wrapping = set(blank)
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    used[name] += 1
                case ast.Import() | ast.ImportFrom():
                    wrapping |= lines_of(node)
                    n_imports += len(lines_of(node))
                case ast.Expr(value=ast.Constant(value=str())):  # also below a field
                    wrapping |= lines_of(node)
                case ast.ClassDef():
                    n_classes += 1
                    wrapping |= signature_and_body(node)[0]
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    signature, body = signature_and_body(node)
                    wrapping |= signature
                    functions.append(name)
                    bodies.append(len(body - blank))
        n_code += len(texts[path]) - len(wrapping)
    return {
        "files": len(modules),
        "functions": len(functions),
        "functions whose name is used once": sum(used[name] == 1 for name in functions),
        "functions that nothing names": len(unnamed(modules)),
        "classes": n_classes,
        "lines": sum(map(len, texts.values())),
        "lines of code": n_code,
        "lines of imports": n_imports,
        "median lines of a file": int(median(map(len, texts.values()))),
        "median lines of a function body": int(median(bodies)),
    }


def unnamed(modules: Modules) -> list[str]:
    """Functions that their module does not name and nobody imports, and methods whose name is no attribute: a library
    calls them, a stub or a template names them, or nobody does."""
    imported: set[str] = set()  # by name, or as an attribute of what is imported
    attributes: set[str] = set()
    own: list[tuple[str, str, bool]] = []  # path and name, and whether it is a function of the module
    for path, tree in modules.items():
        nodes = list(ast.walk(tree))
        aliases = [alias for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names]
        known = {alias.asname or alias.name for alias in aliases}
        read = [node for node in nodes if isinstance(node, ast.Attribute)]
        attributes |= {node.attr for node in read}
        imported |= {alias.name for alias in aliases}
        imported |= {node.attr for node in read if isinstance(node.value, ast.Name) and node.value.id in known}
        named = {node.id for node in nodes if isinstance(node, ast.Name)}
        defined = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        own += [(path, node.name, node in tree.body) for node in defined if node.name not in named]
    return [
        f"{path}: {name}"
        for path, name, is_of_module in own
        if name not in (imported if is_of_module else attributes) and not name.startswith("__")
    ]


def lines_of(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def signature_and_body(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> tuple[set[int], set[int]]:
    """Lines of the decorators and the signature, and of the body without a docstring; no line is in both."""
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    begins = max(node.body[0].lineno, node.lineno + 1)
    statements = node.body if ast.get_docstring(node, clean=False) is None else node.body[1:]
    body = set().union(*map(lines_of, statements))
    return set(range(first, begins)) - body, body  # a body may stand in the line of the signature


def kernel_sizes() -> dict[str, int]:
    found = [path for path in sorted((ROOT / "src" / "kernels").rglob("*")) if path.suffix in (".hpp", ".cpp")]
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in found)
    return {"files of C++": len(found), "lines of C++": lines}


# --- Who imports whom.


def module_imports(modules: Modules, *, for_types: bool = False) -> Imports:
    """The modules that each module imports, wherever in its text; ``for_types``: for type checkers, too. A name is that
    of a module of the package, or is defined in the package itself."""
    names = {
        ".".join(["shoal", *path.removesuffix(".py").split("/")]).removesuffix(".__init__"): path for path in modules
    }
    found: dict[str, set[str]] = {}
    for module, path in names.items():
        pairs = imported_names(modules[path], for_types=for_types)
        meant = {f"{other}.{name}" if f"{other}.{name}" in names else other for other, name in pairs}
        found[module] = (meant & names.keys()) - {module}
    return found


def imported_names(tree: ast.Module, *, for_types: bool) -> Iterator[tuple[str, str]]:
    """Modules of shoal and names that are imported from them."""
    checked = {
        each
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for line in node.body
        for each in ast.walk(line)
    }
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    for node in imports:
        if (node.module or "").split(".")[0] == "shoal" and (for_types or node not in checked):
            yield from ((str(node.module), alias.name) for alias in node.names)


def package_imports(modules: Modules) -> Imports:
    """The packages, or modules directly below shoal, that each of them imports when the program runs."""
    found: dict[str, set[str]] = {}
    for module, others in module_imports(modules).items():
        package, *named = (f"{name}.".split(".")[1] for name in (module, *others))
        found.setdefault(package, set()).update(set(named) - {package, ""})
    return {package: others for package, others in found.items() if package}


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
    with_types, at_run_time = (circles(module_imports(modules, for_types=each)) for each in (True, False))
    return {
        "circles": len(with_types),
        "modules in them": sum(map(len, with_types)),
        "modules in the largest": max(map(len, with_types), default=0),
        "circles without imports for types": len(at_run_time),
        "modules in them without imports for types": sum(map(len, at_run_time)),
    }


def listed(found: Sequence[Sequence[str]]) -> str:
    """Circles, one a line: how many modules of which packages."""
    lines = ["", "The circles"]
    for each in found:
        packages = Counter(".".join(module.split(".")[1:3]) for module in each)
        lines.append(f"  {len(each)}: {', '.join(f'{n} of {name}' for name, n in packages.most_common())}")
    return "\n".join(lines) + "\n"


def drawing(imports: Imports) -> str:
    """A Mermaid graph without the arrows that a longer way implies. There must be no circle."""
    reached: dict[str, set[str]] = {}
    for package in TopologicalSorter(imports).static_order():
        below = imports.get(package, set())
        reached[package] = below.union(*(reached[other] for other in below))
    lines = ["graph TD"]
    for package in sorted(imports):
        implied = set().union(*(reached[other] for other in imports[package]))
        lines += [f"    {package} --> {other}" for other in sorted(imports[package] - implied)]
    return "\n".join(lines) + "\n"


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


def scatter(files: Files) -> dict[str, int]:
    texts = [text for name, text in files.items() if name.startswith(SOURCE)]
    return {name: sum(bool(re.search(words, text)) for text in texts) for name, words in FEATURES.items()}


def added() -> dict[str, tuple[int, int]]:
    """By what can be added: how many files its toy edits, and how many of the others make schema writes anew."""
    sys.path[:0] = [str(ROOT / "tests")]
    from registry.toys import TOYS

    return {what: (len(toy.files), len({*toy.schema} - {*toy.files})) for what, toy in TOYS.items()}


# --- Today's figures beside the kept ones.


def kept() -> Figures:
    return tomllib.loads(KEPT.read_text(encoding="utf-8"))


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
    rows = [(section, name) for each in (now, before) for section in each for name in each[section]]
    for section, name in dict.fromkeys(rows):
        value, was = (each.get(section, {}).get(name) for each in (now, before))
        if value is None or was is None:
            said.append(f"{section}, {name}: {'not counted any more' if value is None else 'not kept yet'}")
        elif (was - value if name in MORE_IS_BETTER else value - was) > (was // 100 if name in LOOSE else 0):
            said.append(f"{section}, {name}: {value:,} instead of {was:,}")
    return said


def table(now: Figures, before: Figures, seconds: Mapping[str, float] | None = None) -> str:
    lines = [f"{'':<46}{'kept':>9}{'today':>9}"]
    for section, found in now.items():
        lines += ["", SECTIONS[section]]
        for name, value in found.items():
            was = before.get(section, {}).get(name)
            lines.append(f"  {name:<44}{'-' if was is None else format(was, ','):>9}{value:>9,}")
        if seconds and section in seconds:
            lines.append(f"  {'CPU s':<44}{'':>9}{seconds[section]:>9.2f}")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument("--check", action="store_true", help="fail where a figure is worse than the kept one")
    asked.add_argument("--renew", action="store_true", help="keep today's figures")
    asked.add_argument("--drawing", action="store_true", help="the imports as a Mermaid graph")
    options = parser.parse_args()
    modules = parsed(files_here(ROOT))
    if options.drawing:
        sys.stdout.write(drawing(package_imports(modules)))
        return 0
    now, before = today(), kept()
    sys.stdout.write(table(now, before, None if options.check or options.renew else cpu_seconds()))
    sys.stdout.write(listed(circles(module_imports(modules, for_types=True))))
    said = worse(now, before)
    if said:
        sys.stdout.write("\n".join(["", "Worse, or not in both:", *(f"  {each}" for each in said), ""]))
    if options.renew:
        KEPT.write_text(as_toml(now), encoding="utf-8")
    elif said:
        sys.stdout.write(f"{RENEW}\n")
    return int(options.check and bool(said))


if __name__ == "__main__":
    sys.exit(main())
