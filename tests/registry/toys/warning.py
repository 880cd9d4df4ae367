"""A warning: one class holds most of the records, in shell, JSON and both editions."""

from registry.package_copy import Edit, Toy

MODULE = '''"""A warning where one class holds most of the records: the release says little about how these differ."""

from __future__ import annotations

from shoal.assessment.exposure import Exposure
from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.schema import Schema

MOST = 50.0  # percent of the records


def crowded_class(released: ClassSizes, schema: Schema) -> tuple[Exposure, ...]:
    share = 100 * float(released.sizes[-1]) / released.n_records if released.n_records else 0.0
    return (Exposure("crowded", share, MOST, schema.quasi_identifiers, ""),) if share > MOST else ()
'''
SENTENCE = """def _crowded(exposure: Exposure) -> str:
    return f"One class holds {percent(exposure.share)} of the records, which are all alike."


"""
HOME = "assessment/crowded_class"
OWN, OTHERS = "src/shoal/pipeline/protect/own_assessment.py", "src/shoal/pipeline/assessment_tables.py"
IMPORT = f"from shoal.{HOME.replace('/', '.')} import crowded_class\n"
WORDS, PUBLIC = "src/shoal/report/exposure_words.py", "src/shoal/report/external/public_attacks.py"
STEPS = [
    [Edit("src/shoal/assessment/exposure.py", '    "crowded",\n', '    "dependent",\n')],
    [Edit(f"src/shoal/{HOME}.py", MODULE)],
    [
        Edit(OWN, IMPORT, before="from shoal.assessment.linkage_attacks import FEWEST"),
        Edit(
            OWN,
            "    assessment = assessment.with_exposures(crowded_class(assessment.released_sizes, original.schema))\n",
            before="    grouped = before if changed is original",
        ),
        Edit(OTHERS, IMPORT, before="from shoal.assessment.full_assessment import"),
        Edit(
            OTHERS,
            "        dependent = (*dependent, *crowded_class(found.released_sizes, tables.schema))\n",
            before="        exposures = (*unique, *homogeneous,",
        ),
    ],
    [
        Edit(WORDS, SENTENCE, before="def _pinned(exposure: Exposure)"),
        Edit(WORDS, '    "crowded": _crowded,\n', before='    "dependent": _dependent,\n'),
        Edit(
            PUBLIC,
            '    "crowded": "Records in one class, which are all alike: {share}.",\n',
            before='    "homogeneous": "Records in classes',
        ),
    ],
    [],  # no test asks for its documents
]
SCRIPT = """
import json
from pathlib import Path
import shoal
from survey_example import of_records, shell, survey, survey_policy, write_csv, write_policy

sentence = "One class holds 100 % of the records, which are all alike."
data = write_csv(survey(60), Path("data.csv"))
policy = write_policy(of_records(survey_policy(k=40)), Path("policy.toml"))
release = shoal.protect(data, policy, output="release.csv", report="report.md", key="policy.key")
assert "crowded" in [exposure.kind for exposure in release.assessment.exposures]
assert sentence in Path("report.md").read_text()
shoal.protect(data, policy, output="again.csv", report="external.md", edition="external", key="policy.key")
assert "Records in one class, which are all alike: " in Path("external.md").read_text()

made = shell("protect", data, "--policy", policy, "--output", "third.csv")
assert sentence in " ".join(made.out.split()), made
made = shell("protect", data, "--policy", policy, "--output", "fourth.csv", "--json")
assert "crowded" in [each["kind"] for each in json.loads(made.out)["warnings"]]
assert sentence in " ".join(shell("assess", data, "release.csv", "--policy", policy).out.split())

small = shoal.protect(data, write_policy(survey_policy(k=3), Path("small.toml")), output="small.csv")
assert "crowded" not in [exposure.kind for exposure in small.assessment.exposures]
"""

TOY = Toy(STEPS, SCRIPT, typed=(f"src/shoal/{HOME}.py",), schema=("src/shoal/gate/page/fixed_texts.json",))
