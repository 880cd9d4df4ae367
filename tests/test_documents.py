"""The documents are held to the code."""

import re
from pathlib import Path

import pytest

from method_pages import METHOD_PAGES

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_exported_schema_is_current():
    from policy_schema import PAGE, schema_text

    if PAGE.read_text(encoding="utf-8") != schema_text():
        pytest.fail("docs/policy.schema.json is not that of the model: run make schema, and read what it changed.")


def test_the_page_of_all_keys_is_current():
    from policy_keys import PAGE, page_text

    if PAGE.read_text(encoding="utf-8") != page_text():
        pytest.fail("docs/policy_keys.md is not that of the model: run make schema, and read what it changed.")


def test_the_policy_of_the_documents_is_a_policy():
    import tomlkit

    from shoal.policy import load

    text = (ROOT / "docs" / "policy.md").read_text()
    policy = load(tomlkit.parse(re.search(r"```toml\n(.*?)```", text, re.S)[1]).unwrap())
    assert policy.k == 5


def test_the_example_of_the_editions_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "editions.md").read_text(), re.S)
    exec(code, {})
    assert (tmp_path / "page.md").exists()


def test_the_example_of_own_rules_runs_and_is_that_of_the_files(tmp_path, capsys):
    from shoal.policy import ReleasePlan, load

    text, folder = (ROOT / "docs" / "user_rules.md").read_text(), ROOT / "examples"
    (code,) = re.findall(r"```python\n(.*?)```", text, re.S)
    exec(compile(code, "user_rules.md", "exec"), {"__name__": "user_rules_page"})
    assert capsys.readouterr().out in text
    for shown in re.findall(r"^    def .*?(?=\n\n)", code, re.M | re.S):
        assert shown in (folder / "own_rules.py").read_text()
    plan = ReleasePlan.of(load(folder / "own_rules.toml", rules=folder / "own_rules.py"))
    assert [each.name for each in plan.requirements] == ["k_anonymity", "Minority"]


def test_every_requirement_is_told_and_worded():
    from shoal.policy import json_schema
    from shoal.requirements import REQUIREMENTS

    names = json_schema()["properties"]["requirements"]["items"]["discriminator"]["mapping"]
    assert {each.name for each in REQUIREMENTS} == set(names)
    assert all(each.title != each.name for each in REQUIREMENTS)
    for page in ("requirements.md", "policy.md"):
        assert all(f"`{name}`" in (ROOT / "docs" / page).read_text() for name in names), page


def test_every_formula_is_that_of_the_page_of_requirements():
    from shoal.requirements import REQUIREMENTS

    text = (ROOT / "docs" / "requirements.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if re.match(r"\| `\w+` \(`", line)]
    written = {re.match(r"`(\w+)`", row[0])[1]: row[2].replace("`", "") for row in rows if len(row) == 4}
    assert {each.name: each.formula for each in REQUIREMENTS} == written


@pytest.mark.gate(but=("README.md", "CONTRIBUTING.md", "SECURITY.md"))
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_links_exist(page):
    from typer.main import get_command

    from shoal.cli.commands import app

    text = page.read_text()
    commands = get_command(app).commands
    for line in re.findall(r"^\$ shoal (.*?)(?:\s#.*)?$", text, re.M):
        name, *words = line.split()
        known = {option for parameter in commands[name].params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, line
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_targets_of_make_exist(page):
    makefile = (ROOT / "Makefile").read_text()
    targets = {target for line in re.findall(r"^\.PHONY: (.*)$", makefile, re.M) for target in line.split()}
    assert all(re.search(rf"^{target}:", makefile, re.M) for target in targets)
    assert set(re.findall(r"`make ([a-z]+)", page.read_text())) <= targets


def test_files_that_a_contributor_edits_exist():
    named = re.findall(r"`((?:src|tests|tools|docs)/[\w/.]+)`", (ROOT / "CONTRIBUTING.md").read_text())
    assert len(named) > 50
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_map_of_packages_is_whole():
    listed = re.findall(r"^\| `(\w+)` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.M)
    found = {path.stem for path in (ROOT / "src/shoal").glob("[a-z]*") if path.is_dir() or path.suffix == ".py"}
    assert sorted(listed) == sorted(found)


def test_public_names_of_the_documents_exist():
    import shoal

    for page in PAGES:
        for name in re.findall(r"\bshoal\.([a-z_]+|[A-Z]\w+)\(", page.read_text()):
            assert hasattr(shoal, name), f"{page.name}: shoal.{name}"


def test_every_exported_name_is_there():
    import shoal

    for name in shoal.__all__:
        assert getattr(shoal, name) is not None
    with pytest.raises(AttributeError):
        shoal.no_such_name  # noqa: B018


def test_every_data_set_and_generator_is_listed():
    """Those that are also generated in batches or as arrays are listed once."""
    import shoal

    listed = (ROOT / "docs" / "api.md").read_text()
    for name in shoal.datasets.__all__:
        if name.islower() and not name.endswith(("_batches", "_array", "_taxonomies")) and name != "available":
            assert f"`{name}`" in listed, name


def test_the_compiled_module_stays_behind_kernels():
    for file in (ROOT / "src" / "shoal").rglob("*.py"):
        if file.parent.name != "kernels":
            assert "_compiled" not in file.read_text(), file


COLUMNS = {
    "age": {"role": "quasi_identifier", "kind": "numeric"},
    "income": {"role": "quasi_identifier", "kind": "numeric"},
    "sex": {"role": "quasi_identifier"},
    "region": {"role": "quasi_identifier"},
    "admitted": {"role": "quasi_identifier", "kind": "date"},
    "discharged": {"role": "quasi_identifier", "kind": "date"},
}


def test_every_method_has_a_page():
    from shoal.methods import METHODS
    from shoal.methods.perturbation import PERTURBATIONS

    described = {name for names in METHOD_PAGES.values() for name in names}
    assert described == {each.name for each in (*METHODS, *PERTURBATIONS)}


@pytest.mark.parametrize("page", METHOD_PAGES)
def test_a_page_of_a_method_opens_with_its_use_its_policy_and_its_cost(page):
    import tomlkit

    from shoal.policy import load

    text = (ROOT / "docs" / f"{page}.md").read_text()
    opening = re.search(r"\*\*When to use it\.\*\* .*?\n```toml\n(.*?)```\n\n\*\*What it costs\.\*\* ", text, re.S)
    assert opening
    assert text[: opening.start()].count("\n\n") == 2  # a title and what it is
    policy = load({"columns": COLUMNS, **tomlkit.parse(opening[1]).unwrap()})
    names = {policy.method.name, *(each.name for each in policy.perturbations)}
    assert not METHOD_PAGES[page] or names & set(METHOD_PAGES[page])
