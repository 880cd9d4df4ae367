"""tools/structure.py finds the path of a noun and the imports of packages."""

import ast

import pytest

import structure

MODULES = {
    path: ast.parse(text)
    for path, text in {
        "__init__.py": "from shoal.pipeline.protect import protect",
        "policy/policy.py": "class Policy:\n    seed: int",
        "plan/cut_tree.py": "class CutTree: ...",
        "pipeline/protect.py": "from shoal.policy.policy import Policy\nfrom shoal import plan\np: Policy",
        "pipeline/seed.py": "def seed(original):\n    return original.policy.seed",
        "cli/file.py": "def there(policy):\n    return policy.is_file()",
        "pipeline/quiet.py": "def quiet(policy):\n    return policy",
        "report/page.py": "import typing\nfrom shoal.pipeline import protect\n",
        "methods/search.py": "if TYPE_CHECKING:\n    from shoal.policy.policy import P\nfrom shoal import plan",
    }.items()
}
IMPORTS = {"cli": {"report", "plan"}, "report": {"pipeline"}, "pipeline": {"plan"}, "plan": set[str]()}


def test_a_module_is_on_the_path_where_it_names_the_class_or_reads_one():
    noun = next(each for each in structure.NOUNS if each.name == "Policy")
    assert structure.path_of(noun, MODULES) == ["pipeline/protect.py", "pipeline/seed.py"]


def test_imports_are_those_of_packages_at_run_time():
    found = structure.imports_of(MODULES)
    assert found == {
        "policy": set(),
        "plan": set(),
        "cli": set(),
        "pipeline": {"policy", "plan"},
        "report": {"pipeline"},
        "methods": {"plan"},
    }


def test_an_arrow_that_a_longer_way_implies_is_not_drawn():
    assert structure.reduced(IMPORTS) == [("cli", "report"), ("pipeline", "plan"), ("report", "pipeline")]
    assert structure.drawing(IMPORTS).splitlines()[:2] == ["graph TD", "    cli --> report"]


def test_a_circle_is_found():
    assert structure.circle(IMPORTS) == []
    assert {"a", "b", "c"} == set(structure.circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}))


@pytest.fixture(scope="module")
def imports():
    return structure.imports_of(structure.parsed(structure.files_here(structure.ROOT)))


@pytest.mark.gate
def test_the_packages_of_shoal_form_no_circle(imports):
    assert structure.circle(imports) == []


@pytest.mark.gate
def test_the_drawing_of_the_documents_is_that_of_the_code(imports):
    assert f"```mermaid\n{structure.drawing(imports)}```" in (structure.ROOT / "docs" / "flow.md").read_text()
