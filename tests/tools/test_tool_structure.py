"""tools/structure.py counts the house: lines, imports and circles, what a command runs, and what got worse."""

import ast
import sys

import pytest

import structure
from traced_commands import Trace

TEXTS = {
    "__init__.py": "from shoal.pipeline.protect import protect",
    "policy/policy.py": "class Policy:\n    seed: int",
    "plan/__init__.py": "",
    "plan/cut_tree.py": "class CutTree: ...",
    "pipeline/protect.py": "from shoal.policy.policy import Policy\nfrom shoal import plan\np: Policy",
    "pipeline/lazy.py": "def late():\n    from shoal.pipeline import early\n",
    "pipeline/early.py": "from shoal.pipeline.lazy import late\nlate()",
    "cli/file.py": "def there(policy):\n    return policy.is_file()",
    "report/page.py": "import typing\nfrom shoal.pipeline import protect\n",
    "methods/search.py": "if TYPE_CHECKING:\n    from shoal.methods.found import Found\nfrom shoal import plan",
    "methods/found.py": "from shoal.methods.search import Search",
}
MODULES = {path: ast.parse(text) for path, text in TEXTS.items()}
PARAGRAPH = '''"""A module."""

import ast
from shoal import plan


class Paragraph:
    """A class."""

    n: int  # of lines
    """What it counts."""

    @property
    def twice(
        self,
    ) -> int:
        """A number."""

        # an explanation
        doubled = 2 * self.n
        return doubled


def one_line(): return Paragraph().twice
'''
IMPORTS = {"cli": {"report", "plan"}, "report": {"pipeline"}, "pipeline": {"plan"}, "plan": set[str]()}


def test_a_line_of_code_is_no_wrapping():
    found = structure.sizes({"src/shoal/plan/text.py": PARAGRAPH}, {"plan/text.py": ast.parse(PARAGRAPH)})
    assert found == {
        "files": 1,
        "functions": 2,
        "functions whose name is used once": 1,
        "functions that nothing names": 1,
        "classes": 1,
        "lines": len(PARAGRAPH.splitlines()),
        "lines of code": 4,  # n, doubled, return, and the line that holds a whole function
        "lines of imports": 2,
        "median lines of a file": len(PARAGRAPH.splitlines()),
        "median lines of a function body": 1,
    }


def test_imports_are_those_of_packages_at_run_time():
    found = structure.package_imports(MODULES)
    assert found == {
        "policy": set(),
        "plan": set(),
        "cli": set(),
        "pipeline": {"policy", "plan"},
        "report": {"pipeline"},
        "methods": {"plan"},
    }


def test_an_arrow_that_a_longer_way_implies_is_not_drawn():
    assert structure.drawing(IMPORTS).splitlines() == [
        "graph TD",
        "    cli --> report",
        "    pipeline --> plan",
        "    report --> pipeline",
    ]


def test_modules_of_a_circle_are_found_with_what_is_imported_late_and_for_types():
    lazy, typed = ["shoal.pipeline.early", "shoal.pipeline.lazy"], ["shoal.methods.found", "shoal.methods.search"]
    assert structure.circles(structure.module_imports(MODULES)) == [lazy]
    assert structure.circles(structure.module_imports(MODULES, for_types=True)) == [typed, lazy]


def test_circles_of_several_ways_are_one():
    imports = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"b"}, "e": {"a", "f"}, "f": set()}
    assert structure.circles(imports) == [["a", "b", "c", "d"]]
    assert structure.circles({"a": {"b", "d"}, "b": set(), "d": {"b"}}) == []


@pytest.fixture(scope="module")
def imports():
    return structure.package_imports(structure.parsed(structure.files_here(structure.ROOT)))


@pytest.mark.gate
def test_the_packages_of_shoal_form_no_circle(imports):
    assert structure.circles(imports) == []


@pytest.mark.gate
def test_the_drawing_of_the_documents_is_that_of_the_code(imports):
    assert f"```mermaid\n{structure.drawing(imports)}```" in (structure.ROOT / "docs" / "flow.md").read_text()


def test_a_feature_is_spoken_of_in_files_of_the_source_alone():
    texts = {"src/shoal/a.py": "an extent", "src/shoal/b.py": "to_extents; recode", "docs/c.md": "earlier extents"}
    found = structure.scatter(texts)
    assert list(found.values()) == [0, 2, 1, 0]


def test_nothing_may_get_worse_and_what_every_change_moves_hardly():
    before = {"size": {"files": 200, "lines": 9_000, "median lines of a file": 85}}
    assert structure.worse(before, before) == []
    assert structure.worse({"size": {"files": 1, "lines": 9_090, "median lines of a file": 150}}, before) == []
    assert structure.worse({"size": {"files": 201, "lines": 9_091, "median lines of a file": 84}}, before) == [
        "size, files: 201 instead of 200",
        "size, lines: 9,091 instead of 9,000",
        "size, median lines of a file: 84 instead of 85",
    ]


def test_a_figure_that_is_new_or_gone_must_be_renewed():
    assert structure.worse({"size": {"files": 1}}, {"face": {"pages": 2}}) == [
        "size, files: not kept yet",
        "face, pages: not counted any more",
    ]


def test_figures_are_read_as_they_were_kept(tmp_path, monkeypatch):
    figures = {"size": {"files": 1_000}, "protect by MDAV": {"functions that ran": 20}}
    monkeypatch.setattr(structure, "KEPT", tmp_path / "kept.toml")
    structure.KEPT.write_text(structure.as_toml(figures))
    assert structure.kept() == figures
    assert "1,000    1,000" in structure.table(figures, figures, {"protect by MDAV": 1.5})


def test_functions_that_a_module_calls_when_it_is_imported_do_not_count(tmp_path, monkeypatch):
    """Nor does what has no name; what the import was for counts."""
    (tmp_path / "traced_example.py").write_text(
        "def at_import(): pass\n"
        "def asked(): return [each for each in map(lambda n: n, (1, 2))]\n"
        "def never(): pass\n"
        "at_import()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    trace = Trace(tmp_path)
    before = sys.getprofile()
    sys.setprofile(trace)
    try:
        import traced_example

        traced_example.asked()
    finally:
        sys.setprofile(before)
    assert [name for _, name, _ in trace.ran] == ["asked"]


@pytest.mark.gate
def test_no_figure_of_the_house_is_worse_than_the_kept_one():
    said = structure.worse(structure.today(), structure.kept())
    if said:
        pytest.fail("\n".join(["The house got worse:", *said, structure.RENEW]), pytrace=False)
