"""A policy key: the columns of a release in the order of their names, proved on the written file."""

from registry.package_copy import Edit, Toy

PARTS, PLAN, PROOF = (
    f"src/shoal/{each}.py" for each in ("policy/parts", "policy/release_plan", "pipeline/verify/prove_file")
)
KEY = '''    sorted_columns: bool = False
    """true: the columns in the order of their names; false: in the order of the input."""
'''
SORTED = """        if self.sorts_columns:
            schema = Schema(sorted(schema.columns, key=lambda column: column.name))
"""
FAULT = """def _order_faults(written: WrittenRelease[F], plan: ReleasePlan) -> Iterator[str]:
    names = [name for name in written.records.names if name in plan.columns]
    if plan.sorts_columns and names != sorted(names):
        yield "the columns are not in the order of their names"


"""
STEPS = [
    [
        Edit(PARTS, KEY, before="    permute: bool = False\n"),
        Edit("src/shoal/verifier/policy.py", "sorted_columns ", before="shuffle representation categories ends"),
    ],
    [
        Edit(
            PLAN, "    sorts_columns         columns are released by name\n", before="    shuffles              records"
        ),
        Edit(PLAN, "    sorts_columns: bool\n", before="    shuffles: bool\n"),
        Edit(PLAN, "            sorts_columns=policy.output.sorted_columns,\n", before="            shuffles=policy."),
        Edit(PLAN, SORTED, before="        return Schema(\n            each\n"),
    ],
    [
        Edit(PROOF, FAULT, before="def _weight_faults(written"),
        Edit(PROOF, "        *_order_faults(written, plan),\n", before="        *_pseudonym_faults(written, schema,"),
    ],
    [Edit("tests/policy_examples.py", '        "sorted_columns": True,\n', before='        "shuffle": True,\n')],
    [],  # no test asks for its documents, besides those that make schema writes
]
SCRIPT = """
from pathlib import Path
import shoal
from shoal.policy import json_schema
from survey_example import shell, survey, survey_policy, write_csv, write_policy

data, plain = write_csv(survey(60), Path("data.csv")), write_policy(survey_policy(), Path("plain.toml"))
asked = write_policy(survey_policy(output={"sorted_columns": True}), Path("policy.toml"))
names = {}
for policy in (plain, asked):
    release = shoal.protect(data, policy, output=f"{policy.stem}.csv", key=bytes(32))
    names[policy] = Path(f"{policy.stem}.csv").read_text().splitlines()[0].split(",")
assert names[plain] != sorted(names[plain]) and names[asked] == sorted(names[plain])

# proved, and stated
assert shoal.verify("policy.csv", asked).holds
assert any("order of their names" in fault for fault in shoal.verify("plain.csv", asked).faults)
assert release.manifest.policy["output"]["sorted_columns"] is True
shoal.protect(data, asked, output="memory.csv", key=bytes(32), engine="duckdb")
assert Path("memory.csv").read_bytes() == Path("policy.csv").read_bytes()

# validated
wrong = shell("protect", data, "--policy", write_policy(survey_policy(output={"sorted_columns": 1}), Path("w.toml")),
              "--output", "wrong.csv")
assert wrong.code == 2 and "output.sorted_columns must be true or false, got 1" in wrong.err, wrong
assert "sorted_columns" in json_schema()["$defs"]["Output"]["properties"]
"""

TOY = Toy(
    STEPS,
    SCRIPT,
    checks=("tests/policy/test_policy_schema.py::test_the_schema_names_every_key_and_no_other",),
    schema=("docs/policy.schema.json", "docs/policy_keys.md", "tests/stable_interface.txt"),
)
