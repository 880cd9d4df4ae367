"""An option of ``shoal protect``: records in random order, whatever the policy says."""

from registry.package_copy import Edit, Toy

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
    [],  # no test asks for its documents, besides those that make schema writes
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

TOY = Toy(STEPS, SCRIPT, schema=("docs/commands.md", "tests/stable_interface.txt"))
