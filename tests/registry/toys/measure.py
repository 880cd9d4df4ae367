"""A measure: the share of the records in the largest class, in shell, JSON and both editions."""

from registry.package_copy import Edit, Toy

MODULE = '''"""The largest class: where it holds most of the records, a release tells little of how these differ."""

from __future__ import annotations

from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.findings import Finding, Findings


def largest_class(original: ClassSizes, released: ClassSizes) -> Findings:
    """The share of the records in the largest class, with that of the original as baseline."""
    if not released.n_records or not original.n_records:
        return Findings()
    meaning = f"Share of {released.noun}s in the largest class."
    before, after = (100 * float(sizes.sizes[-1]) / sizes.n_records for sizes in (original, released))
    return Findings((Finding("largest class", after, meaning, baseline=before, unit="%"),))
'''
HOME = "assessment/utility/largest_class"
ASSESSMENT = "src/shoal/assessment/assessment.py"
STEPS = [
    [Edit(f"src/shoal/{HOME}.py", MODULE)],
    [
        Edit(
            ASSESSMENT,
            f"from shoal.{HOME.replace('/', '.')} import largest_class\n",
            before="from shoal.assessment.utility.loss import",
        ),
        Edit(ASSESSMENT, "        + largest_class(before, after)\n", before="        + (unique_on_untouched(released"),
        Edit(ASSESSMENT, "        + largest_class(before, after)\n", before="        + unique_on_untouched(released"),
    ],
    [
        Edit(
            "src/shoal/report/sections/information_loss.py",
            '    "largest class",\n',
            before='    "suppressed records",',
        )
    ],
    [
        Edit(
            "src/shoal/report/external/public_losses.py",
            '    "largest class": ("Largest class", "share of the records whose quasi-identifiers are all alike"),\n',
            before='    "suppressed records": (',
        )
    ],
    [],  # no test asks for its documents
]
SCRIPT = """
from pathlib import Path
import shoal
from survey_example import of_records, shell, survey, survey_policy, write_csv, write_policy

data = write_csv(survey(60), Path("data.csv"))
policy = write_policy(of_records(survey_policy(k=7)), Path("policy.toml"))
release = shoal.protect(data, policy, output="release.csv", report="report.md", key="policy.key")
found = release.findings["largest class"]
assert found.baseline < found.estimate <= 100, found
shown = f"largest class: {found.shown(found.estimate)}, baseline"

# the report: the internal edition has the figure, the external one rounds it up
lost = Path("report.md").read_text().split("## Information loss")[1].split("\\n## ")[0]
assert "largest class" in lost
shoal.protect(data, policy, output="again.csv", report="external.md", edition="external")
external = Path("external.md").read_text()
assert "Largest class" in external
assert found.shown(found.estimate) not in external

# JSON and shell, of a release and of any other file
listed = [each["name"] for each in shoal.assess(data, "release.csv", policy=policy).to_dict()["findings"]]
assert "largest class" in listed
assert shown in shell("assess", data, "release.csv", "--policy", policy).out
assert "largest class" in shell("assess", data, "release.csv", "--policy", policy, "--json").out
"""

TOY = Toy(STEPS, SCRIPT, schema=("src/shoal/gate/page/fixed_texts.json",))
