"""An engine that does not exist yet: the steps of CONTRIBUTING.md are enough for protect, verify and the contract."""

import pytest

from registry.package_copy import Edit, PackageCopy, steps_in_contributing
from shoal.errors import PolicyError
from shoal.pipeline.protect.protect import protect
from survey_example import survey, survey_policy

TOY = '''"""The memory engine under another name."""

from __future__ import annotations

from shoal.engines.memory import MemoryEngine


class ToyEngine(MemoryEngine):
    name = "toy"
'''
OPENED = """\
    if choice.name == "toy":
        from shoal.engines.toy_engine import ToyEngine

        yield ToyEngine()
        return
"""
CHOOSE = "src/shoal/engines/choose.py"
STEPS = [
    [Edit("src/shoal/engines/toy_engine.py", TOY)],
    [
        Edit(CHOOSE, '"toy", ', before='"memory", "duckdb", "processes", "spark"]\n\nBYTES_OF_WORK'),
        Edit(CHOOSE, '"toy", ', before='"memory", "duckdb", "processes", "spark"]\n    reason'),
        Edit(CHOOSE, OPENED, before="    check_database()\n    from shoal.engines.duckdb"),
    ],
    [
        Edit("src/shoal/pipeline/protect/forecast.py", '"toy": 1.0, ', before='"memory": 1.0'),
        Edit("src/shoal/errors/engine_error.py", '"toy": "", ', before='"memory": f" {IN_PIECES}"'),
    ],
    [Edit("src/shoal/cli/protect_command.py", "toy, ", before="memory, duckdb for a table")],
    [],  # it needs no package
    [
        Edit(
            "tests/engines/test_engines_contract.py",
            '"toy", ',
            before='"memory", "duckdb", "processes", SPARK]\nIN_PIECES',
        ),
        Edit(
            "tests/survey_example.py",
            OPENED.replace("choice.name", "name"),
            before='    if name == "memory":\n',
        ),
        Edit("docs/engines.md", "\n`--engine toy` is the memory engine under another name.\n"),
    ],
]
SCRIPT = """
import shoal
from pathlib import Path
from shoal.pipeline.protect.forecast import forecast
from survey_example import survey, survey_policy, write_csv

data, policy, key = write_csv(survey(60), Path("data.csv")), survey_policy(), bytes(32)
made = shoal.protect(data, policy, output="toy.csv", engine="toy", key=key)
shoal.protect(data, policy, output="memory.csv", engine="memory", key=key)
assert made.manifest.engine == "toy"
assert Path("toy.csv").read_bytes() == Path("memory.csv").read_bytes()
assert shoal.verify("toy.csv", policy, engine="toy").holds
assert forecast(data, policy, engine="toy").engine == "toy"
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the tree in which the steps are taken."""
    found = PackageCopy.of(tmp_path_factory.mktemp("engine"))
    found.take(STEPS, "policy_schema")
    return found


def test_the_steps_are_those_of_contributing():
    assert steps_in_contributing("engine") == (len(STEPS), len(STEPS))


@pytest.mark.gate
def test_an_engine_is_registered_by_its_steps(copy):
    with pytest.raises(PolicyError, match="engine is 'toy'"):  # here, without them
        protect(survey(), survey_policy(), engine="toy")
    copy.python(SCRIPT)


@pytest.mark.long
def test_the_contract_of_engines_holds_for_it(copy):
    copy.test("tests/engines/test_engines_contract.py::test_what_is_read_is_what_sources_read[toy-csv]")
