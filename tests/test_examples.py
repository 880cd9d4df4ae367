"""The examples are run: every script, and every notebook, whose stored output is what its cells print now."""

import json
import re
import runpy

import pytest

from notebooks import EXAMPLES, NOTEBOOKS, executed, text_of

SCRIPTS = sorted(EXAMPLES.glob("*.py"))
LIBRARIES = ("polars", "pandas")  # that an example is about


@pytest.mark.gate(but=("own_rules", "dataframes"))
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_scripts_run(script, tmp_path, monkeypatch, capsys):
    for library in LIBRARIES:
        if f"import {library}" in script.read_text(encoding="utf-8"):
            pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name="__main__")
    assert bool(capsys.readouterr().out) == (script.stem != "own_rules")  # which only defines


@pytest.mark.gate(but="methods_and_loss")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_notebooks_show_what_they_print(notebook):
    if notebook.read_text(encoding="utf-8") != text_of(executed(notebook)):
        pytest.fail(f"{notebook.name} is not as it runs: run make notebooks, and read what it changed.")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_notebooks_are_small_and_well_formed(notebook):
    text = notebook.read_text(encoding="utf-8")
    content = json.loads(text)
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    assert all({"id", "cell_type", "metadata", "source"} <= set(cell) for cell in content["cells"])
    assert len(text) < 250_000
    assert all(cell["source"] for cell in content["cells"])


FILES = sorted(path for path in EXAMPLES.iterdir() if path.is_file())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_example_names_a_folder_of_a_machine(file):
    assert not re.search(r"/(?:home|root|tmp|Users|usr|work)/", file.read_text(encoding="utf-8"))


def test_every_example_is_in_the_list():
    listed = re.findall(r"\]\(([\w.]+)\)", (EXAMPLES / "README.md").read_text(encoding="utf-8"))
    files = {file.name for file in FILES} - {"README.md"}
    assert set(listed) >= files
    assert all((EXAMPLES / name).exists() for name in listed)
