"""Tables with thousands of columns: the work grows as they do, and not as their square.

What is counted is no time but steps of Python inside of Shoal, and how often a whole table is made anew for the sake of
one column, which costs as much as it has columns.
"""

import dis
import sys
from collections import Counter
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shoal.pipeline.protect.protect import protect
from shoal.pipeline.verify.verify import verify
from shoal.policy.propose import propose
from survey_example import write_csv

N_RECORDS = 12
BEFORE = {"verify": ["protect"], "extents": ["tell extents"]}
REBUILDS = {"set_column", "append_column", "add_column", "remove_column", "drop_columns", "with_columns"}
REREADS = {"column_names", "by_extents", "cell_kinds", "released_kinds"}  # each makes a list of all columns


def wide(n_columns):
    """Three quasi-identifiers; the others are carried along."""
    known = {
        "age": [20 + i % 5 for i in range(N_RECORDS)],
        "sex": ["m", "f"] * (N_RECORDS // 2),
        "zip": [f"z{i % 3}" for i in range(N_RECORDS)],
    }
    more = {f"c{j}": [f"w{i}" if j % 2 else i + j / 2 for i in range(N_RECORDS)] for j in range(n_columns)}
    return pa.table(known | more)


def policy_of(table):
    known = {name: {"role": "quasi_identifier"} for name in table.column_names[:3]} | {
        "age": {"role": "quasi_identifier", "kind": "numeric"}
    }
    more = {
        name: {"role": "other", "kind": "nominal" if j % 2 else "numeric"}
        for j, name in enumerate(table.column_names[3:])
    }
    return {"requirements": [{"name": "k_anonymity", "k": 3}], "columns": known | more}


@cache
def names_at(code):
    """Which name a step loads, by its place."""
    return {step.offset: step.argval for step in dis.get_instructions(code) if isinstance(step.argval, str)}


def steps(work):
    """All steps of Shoal's own functions, and those that load one of the names."""
    counted = Counter()

    def follow(frame, event, arg):
        if "/src/shoal/" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            counted["steps"] += 1
            name = names_at(frame.f_code).get(frame.f_lasti)
            if name in REBUILDS | REREADS:
                counted[name] += 1
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


def works(folder, table):
    path, policy = write_csv(table, folder / f"t{table.num_columns}.csv"), policy_of(table)
    out = folder / f"r{table.num_columns}.csv"
    typed = folder / f"t{table.num_columns}.parquet"
    pq.write_table(table, typed)
    extents = policy | {"method": {"name": "mondrian"}, "output": {"ends": True}}
    return {
        "init": lambda: propose(path, policy=folder / "p.toml"),
        "protect": lambda: protect(path, policy, output=out, force=True),
        "verify": lambda: verify(out, policy),
        "tell extents": lambda: protect(typed, extents, output=folder / "extents.csv", force=True),
        "extents": lambda: verify(folder / "extents.csv", extents),
        "pieces": lambda: protect(path, policy, output=out, force=True, engine="duckdb"),
        "typed": lambda: protect(typed, policy, output=out.with_suffix(".parquet"), force=True),
        "frame": lambda: protect(table, policy).table,
    }


OTHER_FORMS = [pytest.param(what, marks=pytest.mark.long) for what in ("init", "extents", "pieces", "typed", "frame")]


@pytest.mark.gate
@pytest.mark.parametrize("what", ["protect", "verify", *OTHER_FORMS])
def test_work_grows_with_the_columns_and_not_with_their_square(tmp_path, what):
    works(tmp_path, wide(4))["protect"]()  # what is imported and made once
    counted = []
    for n in (8, 16, 32):
        there = works(tmp_path, wide(n))
        for before in BEFORE.get(what, ()):
            there[before]()
        counted.append(steps(there[what]))
    few, more, most = (each["steps"] for each in counted)
    assert most - more <= 2.2 * (more - few)  # 2 where it grows evenly, 4 where it grows as the square
    for name in REBUILDS | REREADS:
        assert counted[0][name] == counted[2][name], name
