"""An option of ``shoal protect`` that does not exist yet: by the steps of CONTRIBUTING.md it reaches the pipeline."""

import pytest

from registry.package_copy import Edit, PackageCopy, steps_in_contributing
from survey_example import shell

MOST = 6  # edits: a new file or a place in a file; documents and changelog together

POLICY = '''    def shuffled(self) -> Policy:
        """The same policy, with the records in random order."""
        return self.model_copy(update={"output": self.output.model_copy(update={"shuffle": True})})

'''
OPTION = (
    '    shuffle: Annotated[bool, typer.Option("--shuffle", help="Release the records in random order.")] = False,\n'
)
APPLIED = "    loaded = loaded.shuffled() if shuffle else loaded\n"
RESTORED = '    policy = policy.shuffled() if isinstance(output, dict) and output.get("shuffle") else policy\n'
PROTECT, COMMAND = "src/shoal/pipeline/protect/protect.py", "src/shoal/cli/protect_command.py"
EARLIER = "    loaded = loaded.with_earlier(tuple(map(Path, earlier)), person)\n"
STEPS = [
    [Edit("src/shoal/policy/policy.py", POLICY, before="    def with_earlier(self, releases: Sequence[Path]")],
    [
        Edit(
            PROTECT,
            "    shuffle: bool = False,\n",
            before="    key: KeyLike | None = None,\n    population: Any = None",
        ),
        Edit(
            PROTECT,
            "    ``shuffle`` releases the records in random order.\n",
            before="    ``population``: everybody whom",
        ),
        Edit(PROTECT, APPLIED, before=EARLIER),
    ],
    [
        Edit(
            COMMAND,
            OPTION,
            before='    force: Annotated[bool, typer.Option("--force"',
        ),
        Edit(COMMAND, "                shuffle=shuffle,\n", before="                key=key,\n"),
    ],
    [Edit("src/shoal/pipeline/replay.py", RESTORED, before="    return policy.spreadsheet_safe() if")],
    [
        Edit("docs/values.md", "`shoal protect --shuffle` does so, too. ", before="With `shuffle = false` under"),
        Edit("CHANGELOG.md", "- A new option: `shoal protect --shuffle`.\n"),
    ],
]
SCRIPT = """
from pathlib import Path
from survey_example import shell, survey, survey_policy, write_csv, write_policy

data, policy = write_csv(survey(60), Path("data.csv")), write_policy(survey_policy(), Path("policy.toml"))
for name, options in (("plain.csv", ()), ("mixed.csv", ("--shuffle",))):
    made = shell("protect", data, "--policy", policy, "--output", name, *options)
    assert made.code == 0, made
plain, mixed = (Path(name).read_text().splitlines() for name in ("plain.csv", "mixed.csv"))
assert sorted(plain) == sorted(mixed) and plain != mixed  # the policy keeps the order of the input

proved = shell("verify", "mixed.csv", "--policy", policy)
assert proved.code == 0 and "note: " not in proved.out, proved
again = shell("protect", "--replay", "mixed.manifest.json", "--output", "again.csv")
assert again.code == 0 and Path("again.csv").read_text().splitlines() == mixed, again
"""


def test_the_steps_are_those_of_contributing_and_few():
    assert len(STEPS) <= MOST
    assert steps_in_contributing("option of the command line") == (len(STEPS), len(STEPS))


def test_without_its_steps_the_option_is_unknown():
    assert "--shuffle" in shell("protect", "--shuffle").err


@pytest.mark.gate
def test_an_option_reaches_the_pipeline_by_its_steps(tmp_path):
    copy = PackageCopy.of(tmp_path)
    copy.take(STEPS, "command_pages", "stable_interface")
    for page in ("docs/commands.md", "tests/stable_interface.txt"):
        assert "--shuffle" in copy.read(page)
    copy.python(SCRIPT)
