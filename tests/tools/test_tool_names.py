"""tools/names.py counts what it says, of a checkout and of another commit."""

import subprocess
from pathlib import Path

import pytest

import names
from conftest import lacking

RULES = names.Rules.read(names.RULES)

SOURCE = {
    "src/shoal/run/told.py": '''
"""What is told,
inside
of a road."""
from shoal.methods import Mondrian

class Told: ...
class GroupsMade: ...
class Blocks: ...
class FuzzyBlocking: ...
class Speed: ...

def both(policy):
    match policy.method:
        case Mondrian():
            return policy.representation == "anatomy"
    return isinstance(policy.method, int | Mondrian) or isinstance(policy, Blocks)
''',
    "src/shoal/blocking/blocks.py": "class Blocks: ...\n",
    "src/shoal/engines/blocks.py": "told = 1  # a name is no word\n",
    "src/shoal/engines/__init__.py": "",
    "src/shoal/blocking/__init__.py": "",
    "src/shoal/methods/mondrian.py": """
class CuttingMethod: ...
class Mondrian(CuttingMethod): ...
def same(method):
    return isinstance(method, Mondrian)
""",
    "docs/flow.md": "The Road, and a broad road.\n",
    "CHANGELOG.md": "told\n",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name, text in SOURCE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def counted(root: Path) -> dict[str, list[str]]:
    return names.count(names.files_here(root), RULES)


def test_participles_are_counted_and_nouns_of_the_field_are_not(checkout: Path) -> None:
    assert counted(checkout)[names.PARTICIPLES] == ["GroupsMade  run/told.py:8", "Told  run/told.py:7"]


def test_one_name_of_two_classes_or_modules(checkout: Path) -> None:
    found = counted(checkout)
    assert found[names.CLASSES] == ["Blocks  blocking/blocks.py, run/told.py"]
    assert found[names.MODULES] == ["blocks  blocking/blocks.py, engines/blocks.py"]


def test_tests_of_a_method_or_representation_count_outside_their_rooms(checkout: Path) -> None:
    assert [line.split("  ")[1] for line in counted(checkout)[names.TYPE_TESTS]] == [
        "case Mondrian()",
        "policy.representation == 'anatomy'",
        "isinstance(policy.method, int | Mondrian)",
    ]


def test_words_count_in_prose_across_lines_and_not_in_code(checkout: Path) -> None:
    found = counted(checkout)[names.WORDS]
    assert found == [
        "inside of  src/shoal/run/told.py:3",
        "road  docs/flow.md:1",
        "road  docs/flow.md:1",
        "road  src/shoal/run/told.py:4",
        "told  src/shoal/run/told.py:2",
    ]


def test_every_exception_and_word_has_its_reason() -> None:
    assert all(RULES.exceptions.values())
    assert all(RULES.rooms.values())
    assert all(RULES.words.values())


def test_another_commit_stands_beside(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(checkout, "init", "-q")
    git(checkout, "add", "-A")
    git(checkout, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first")
    (checkout / "src/shoal/run/told.py").write_text("class Assembly: ...\n")
    assert names.main(["--against", "HEAD"], checkout) == 0
    rows = [line.rsplit(maxsplit=2) for line in capsys.readouterr().out.splitlines()]
    assert ["HEAD", "now"] in [row[-2:] for row in rows]
    assert {row[0]: row[1:] for row in rows}[names.PARTICIPLES] == ["2", "0"]
    assert {row[0]: row[1:] for row in rows}[names.WORDS] == ["5", "2"]


def test_a_commit_that_is_not_there_is_said(checkout: Path) -> None:
    git(checkout, "init", "-q")
    with pytest.raises(SystemExit, match="no commit 'nowhere'"):
        names.main(["--against", "nowhere"], checkout)


def git(folder: Path, *words: str) -> None:
    try:
        subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)
    except FileNotFoundError:
        lacking("git", "git is not installed")
