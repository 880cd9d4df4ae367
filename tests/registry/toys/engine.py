"""An engine: that of memory under another name."""

from registry.package_copy import Edit, Toy

MODULE = '''"""The memory engine under another name."""

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
CONTRACT, TABLE = "tests/engines/test_engines_contract.py", "tools/engine_table.py"
STEPS = [
    [Edit("src/shoal/engines/toy_engine.py", MODULE)],
    [
        Edit(CHOOSE, ', "toy"', before="]\n\nBYTES_OF_WORK"),
        Edit(CHOOSE, ', "toy"', before="]\n    reason"),
        Edit(CHOOSE, OPENED, before="    check_database()\n    from shoal.engines.duckdb"),
    ],
    [
        Edit("src/shoal/pipeline/protect/forecast.py", '"toy": 1.0, ', before='"memory": 1.0'),
        Edit("src/shoal/errors/engine_error.py", '"toy": "", ', before='"memory": f" {IN_PIECES}"'),
    ],
    [],  # no test asks for it in the help
    [],  # it needs no package
    [
        Edit(CONTRACT, '"toy", ', before='"memory", "duckdb", "processes", SPARK]'),
        Edit(CONTRACT, "1 + ", before="1:]\n"),  # as that of memory it takes no table in pieces
        Edit(TABLE, '"toy", ', before='"memory", "duckdb", "processes", "spark")'),
        Edit(TABLE, "1 + ", before="1:]\n"),
        Edit("tests/survey_example.py", OPENED.replace("choice.name", "name"), before='    if name == "memory":\n'),
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
assert "no memory left" in str(shoal.errors.EngineError.none_left("toy"))
assert forecast(data, policy, engine="toy").engine == "toy"
"""

TOY = Toy(
    STEPS,
    SCRIPT,
    checks=(
        f"{CONTRACT}::test_what_is_read_is_what_sources_read[toy-csv]",
        "tests/tools/test_tool_engine_table.py",
    ),
    schema=("docs/engines.md",),
)
