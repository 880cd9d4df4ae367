"""The suite itself: two runs do the same, and other examples come where they are asked for."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
CHANCE = """
from hypothesis import given, strategies as st

@given(st.integers())
def test_of_chance(number):
    print("DRAWN", number)
"""


def drawn(folder: Path, *options: str, **more: str) -> list[str]:
    """What a test of chance is shown, in a run of its own under the settings of this suite."""
    folder.mkdir(exist_ok=True)
    (folder / "test_of_chance.py").write_text(CHANCE)
    words = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "conftest", "-p", "no:cacheprovider", *options, "."]
    env = os.environ | {"PYTHONPATH": str(TESTS), "SHOAL_HYPOTHESIS": ""} | more
    ran = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return [line for line in ran.stdout.splitlines() if "DRAWN" in line]


@pytest.mark.gate
def test_two_runs_are_alike_whatever_the_environment(tmp_path: Path) -> None:
    one = drawn(tmp_path / "one", PYTHONHASHSEED="1")
    other = drawn(tmp_path / "one", PYTHONHASHSEED="2", CI="true", TZ="Asia/Kolkata", LC_ALL="C")
    assert one == other
    assert len(one) == settings.get_profile("repeat").max_examples


@pytest.mark.long
def test_a_seed_explores_and_can_be_repeated(tmp_path: Path) -> None:
    one, again, other = (drawn(tmp_path, f"--hypothesis-seed={seed}") for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert drawn(tmp_path, "--hypothesis-seed=1", SHOAL_HYPOTHESIS="explore") == one


@pytest.mark.gate
@pytest.mark.parametrize("asked", [{"SHOAL_HYPOTHESIS": "soak"}, {}])
def test_a_profile_is_asked_for_by_name(tmp_path: Path, asked: dict[str, str]) -> None:
    options = [] if asked else ["--hypothesis-profile=soak"]
    assert len(drawn(tmp_path, *options, **asked)) > 100


def functions(path: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


TESTED = sorted(TESTS.rglob("test_*.py"))


def test_no_test_sleeps() -> None:
    """In processes that it starts neither: what is waited for is an event."""
    sleeping = re.compile(r"\bsleep\(")
    assert [path.name for path in TESTED if sleeping.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.gate
def test_no_property_returns_before_it_asserts() -> None:
    """``if ...: return`` counts as an example that held; ``assume`` looks for another one."""
    early = [
        f"{path.name}: {function.name}"
        for path in TESTED
        for function in functions(path)
        if any("given" in ast.unparse(decorator) for decorator in function.decorator_list)
        for node in ast.walk(function)
        if isinstance(node, ast.If) and any(isinstance(line, ast.Return) for line in node.body)
    ]
    assert early == []
