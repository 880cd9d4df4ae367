"""Public names: one table, src/shoal/__init__.pyi, for readers, type checkers and imports alike."""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import shoal
from namespaces import names_of

ROOT = Path(__file__).parent.parent
STUB = ROOT / "src" / "shoal" / "__init__.pyi"
WORKFLOW = {
    "Policy",
    "Release",
    "assess",
    "check_page",
    "compare",
    "datasets",
    "errors",
    "link",
    "mend",
    "blocking_table",
    "profile",
    "propose",
    "protect",
    "read",
    "replay",
    "verify",
}
NAMESPACES = {
    "generalization",
    "linkage",
    "microaggregation",
    "perturbation",
    "requirements",
    "risk",
    "utility",
}


def table() -> set[str]:
    """Names that the stub imports."""
    imports = [node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in imports for alias in node.names}


def test_the_stub_is_the_only_list_of_names():
    assert set(shoal.__all__) == table()
    assert set(dir(shoal)) >= table()
    source = (ROOT / "src" / "shoal" / "__init__.py").read_text()
    assert [name for name in table() if f'"{name}"' in source] == []


def test_the_workflow_and_the_namespaces_are_on_top():
    assert table() >= WORKFLOW | NAMESPACES


def test_a_star_import_takes_all_names():
    taken: dict[str, object] = {}
    exec("from shoal import *", taken)
    assert set(taken) - {"__builtins__"} == set(shoal.__all__)


@pytest.mark.parametrize("name", sorted(NAMESPACES | {"datasets", "errors"}))
def test_a_namespace_holds_what_it_lists(name):
    namespace = getattr(shoal, name)
    assert inspect.ismodule(namespace)
    assert names_of(namespace)
    assert all(hasattr(namespace, each) for each in names_of(namespace))


@pytest.mark.parametrize("name", sorted(NAMESPACES | {"datasets", "errors"}))
def test_a_namespace_shows_nothing_of_other_libraries(name):
    """What a reader is offered after the dot is Shoal's own."""
    shown = {key: value for key, value in vars(getattr(shoal, name)).items() if not key.startswith("_")}
    things = {key: value for key, value in shown.items() if inspect.isclass(value) or inspect.isroutine(value)}
    assert [key for key, value in things.items() if not (value.__module__ or "").startswith("shoal.")] == []


def test_the_namespace_of_errors_lists_errors_only():
    assert all(issubclass(getattr(shoal.errors, name), shoal.ShoalError) for name in shoal.errors.__all__)


@pytest.mark.parametrize("name", sorted(NAMESPACES))
def test_no_public_name_of_a_namespace_is_also_a_module_of_it(name):
    """Importing such a module would replace the function by the module."""
    namespace = getattr(shoal, name)
    modules = {path.stem for folder in getattr(namespace, "__path__", ()) for path in Path(folder).iterdir()}
    assert modules & names_of(namespace) == set()


def test_no_public_name_is_also_a_module_of_the_package():
    modules = {path.stem for path in (ROOT / "src" / "shoal").iterdir()}
    functions = {name for name in table() if not inspect.ismodule(getattr(shoal, name))}
    assert modules & functions == set()


def test_a_short_name_is_that_of_its_namespace():
    for namespace in map(import_module, (f"shoal.{name}" for name in sorted(NAMESPACES))):
        for name in names_of(namespace) & table():
            assert getattr(shoal, name) is getattr(namespace, name)


def test_every_public_function_and_class_is_in_a_namespace_or_on_top():
    """What has no namespace is named here: the workflow, and the values that all namespaces share."""
    shared = {"Column", "Finding", "Findings", "Rng", "Schema", "ShoalError", "Taxonomy", "standardize"}
    results = {"Assessment", "Comparison", "Mends", "PageProof", "Profile", "Proof", "Proposal", "ReadOptions"}
    placed = {name for space in NAMESPACES for name in names_of(getattr(shoal, space))}
    assert table() - placed == WORKFLOW | NAMESPACES | shared | results


def test_the_wheel_holds_the_stubs():
    """The table is read at run time: without it nothing can be imported."""
    from scikit_build_core.settings.skbuild_read_settings import SettingsReader

    settings = SettingsReader.from_file(ROOT / "pyproject.toml", {}).settings
    assert settings.wheel.packages == ["src/shoal"]
    assert settings.wheel.exclude == []
    assert not [rule for rule in settings.sdist.exclude if "pyi" in rule]
    assert {path.relative_to(ROOT / "src/shoal").as_posix() for path in (ROOT / "src/shoal").rglob("__init__.pyi")} == {
        "__init__.pyi",
        "datasets/__init__.pyi",
        "linkage/__init__.pyi",
    }


PAGE = (ROOT / "docs" / "api.md").read_text()


def rows(text: str) -> dict[str, bool]:
    """Names in the first column of the tables, and whether the last one says that there is a short name."""
    return {name: row.endswith("| yes |") for row, name in re.findall(r"^(\| `(\w+)` \|.*)$", text, re.M)}


def sections() -> dict[str, dict[str, bool]]:
    parts = re.split(r"^### `shoal\.(\w+)`$", PAGE, flags=re.M)
    return {name: rows(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def test_the_page_lists_every_public_name():
    assert set(rows(PAGE)) | NAMESPACES >= table()
    assert set(rows(PAGE.split("## Namespaces")[0])) == table() - NAMESPACES - set().union(*sections().values())


@pytest.mark.parametrize("name", sorted(NAMESPACES))
def test_the_page_lists_every_name_of_a_namespace(name):
    listed, namespace = sections()[name], getattr(shoal, name)
    assert {each for each in names_of(namespace) if each in table() or name != "requirements"} == set(listed)
    assert {each for each, is_short in listed.items() if is_short} == set(listed) & table()
    assert all(hasattr(namespace, each) for each in listed)


@pytest.mark.gate
def test_the_examples_of_the_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    known: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    assert len(blocks) == 2 + len(NAMESPACES)
    for block in blocks:
        exec(block, known)
