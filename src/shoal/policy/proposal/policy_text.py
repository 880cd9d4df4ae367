"""A draft policy as the text of a policy.toml, with the reason of every guess as a comment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shoal.errors import visible
from shoal.policy.proposal.stratum_column import StratumColumn
from shoal.policy.scenarios import Scenario, ScenarioThreshold
from shoal.schema.suggest.suggestion import Suggestion

PLEASE_DECIDE = "please decide: "
FIRST_LOOKS = 3
LEAST_L = 2  # different values of sensitive columns in every class
NEAR = "5%"  # amounts that count as one of these values
LOST_BY_UNITS = 0.05  # of the records, where values of units are protected as a whole
MOST_NAMES = 3  # of columns in a line of the first looks
FOR_GENERALIZATION = "for methods that generalize, such as mondrian; mdav needs none here"


@dataclass(frozen=True)
class PolicyDraft:
    """What a draft policy says."""

    title: str
    command: str
    k: int
    suggestions: tuple[Suggestion, ...]
    source: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    """The [source] table: each key with its value and a comment."""
    stratum: StratumColumn | None = None
    scenario: Scenario | None = None
    amounts: tuple[str, ...] = ()
    """Amounts of firms, whose totals a competitor may use."""
    questions: tuple[str, ...] = ()
    """What the data steward has to decide about the table as a whole."""

    def names(self, role: str) -> list[str]:
        return [each.name for each in self.suggestions if each.role == role]

    def uses_taxonomy(self, column: Suggestion) -> bool:
        """Whether the method of the draft, microaggregation, uses the taxonomy of a column: only in distances of
        nominal quasi-identifiers."""
        is_stratum = self.stratum is not None and self.stratum.is_possible and self.stratum.name == column.name
        return column.role == "quasi_identifier" and column.kind == "nominal" and not is_stratum

    @property
    def all_questions(self) -> tuple[str, ...]:
        """All questions, those of columns with the name of the column."""
        of_columns = (f"{visible(each.name)}: {question}" for each in self.suggestions for question in each.questions)
        return (*self.questions, *of_columns)

    @property
    def first_looks(self) -> tuple[str, ...]:
        """The few things that a data steward should look at first: open questions, columns released unchanged, and
        columns dropped for their values although their names do not say that they identify."""
        n = len(self.all_questions)
        dropped = [each.name for each in self.suggestions if each.role == "identifier" and not each.is_named]
        looks = (
            f"the lines marked '{PLEASE_DECIDE.strip(': ')}': {n}" if n else "",
            _look(
                "sensitive columns, released unchanged (a column that others may know should be a quasi_identifier)",
                self.names("sensitive"),
            ),
            _look("columns of role other, released unchanged", self.names("other")),
            _look("columns dropped for their values", dropped),
        )
        return tuple(look for look in looks if look)[:FIRST_LOOKS]


def _look(meaning: str, names: Sequence[str]) -> str:
    shown = ", ".join(map(visible, names[:MOST_NAMES]))
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{meaning}: {shown}{more}" if names else ""


def policy_text(draft: PolicyDraft) -> str:
    import tomlkit
    from tomlkit import comment, document, nl

    policy = document()
    for line in (
        draft.title,
        f"Then: {draft.command}",
        *(f"Look first at {look}" for look in draft.first_looks),
        *(PLEASE_DECIDE + question for question in draft.questions),
    ):
        policy.add(comment(line))
    policy.add(nl())
    policy["seed"] = 0
    policy["seed"].comment("the same policy, data, seed and key give the same release")
    if draft.scenario:
        policy["scenario"] = draft.scenario.name
        policy["scenario"].comment("the report compares its thresholds with what was reached")
    _add_strata(policy, draft)
    if draft.source:
        policy["source"] = _commented(draft.source)
    policy["requirements"] = _requirements(draft)
    policy["method"] = _commented(
        {"name": ("mdav", "microaggregation: groups of at least k similar records, released as their centroid")}
    )
    policy["suppression"] = _commented({"limit": _suppression_limit(draft)})
    policy["output"] = _commented(_output(draft))
    policy["columns"] = _columns(draft)
    return tomlkit.dumps(policy) + _diversity_hint(draft) + _dominance_hint(draft)


def _suppression_limit(draft: PolicyDraft) -> tuple[float, str]:
    """A share of records, with the reason. Diversity of values of units cannot be met for numbers of records that few
    units have."""
    asks = draft.scenario is not None and draft.scenario.asks("diversity")
    of_units = [
        each
        for each in draft.suggestions
        if each.role == "sensitive" and (draft.names("unit") or each.settings.get("level"))
    ]
    if asks and of_units:
        return (
            LOST_BY_UNITS,
            "largest share of the records that may be suppressed, such as those of units with rarely many",
        )
    return 0.0, "largest share of the records that may be suppressed where a requirement fails"


def _add_strata(policy: Any, draft: PolicyDraft) -> None:
    """``within``, as a comment where some stratum has fewer than k records."""
    from tomlkit import array, comment

    if draft.stratum is None:
        return
    names = array()
    names.append(draft.stratum.name)
    if draft.stratum.is_possible:
        policy["within"] = names
        policy["within"].comment(f"groups stay within one {draft.stratum.what}, so that its totals change little")
        return
    policy.add(
        comment(
            f"within = {names.as_string()}  # keeps totals by {draft.stratum.what}; {draft.stratum.n_small} of its "
            f"values have fewer than {draft.k} records: recode it first"
        )
    )


def _requirements(draft: PolicyDraft) -> Any:
    import tomlkit

    found = tomlkit.aot()
    found.append(_requirement({"name": "k_anonymity", "k": draft.k}, draft, "k"))
    if draft.scenario and draft.scenario.asks("diversity"):
        for each in draft.suggestions:
            if each.role == "sensitive":
                found.append(_requirement({"name": "distinct_l_diversity", **_diversity(each)}, draft, "diversity"))
    return found


def _diversity(column: Suggestion) -> dict[str, Any]:
    """Amounts count as different where they are further apart than a tolerance: nearly all of them are, else."""
    is_amount = column.kind == "numeric" and "recode" not in column.settings
    return {"l": LEAST_L, "column": column.name, **({"tolerance": NEAR} if is_amount else {})}


def _requirement(keys: Mapping[str, Any], draft: PolicyDraft, check: str) -> Any:
    from tomlkit import comment, table

    made = table()
    for threshold in draft.scenario.thresholds if draft.scenario else ():
        if threshold.check == check:
            made.add(comment(_threshold(threshold)))
    for key, value in keys.items():
        made[key] = value
    if not draft.scenario:
        made["k"].comment("every record shares its quasi-identifiers with k - 1 others")
    return made


def _threshold(threshold: ScenarioThreshold) -> str:
    return f"{threshold.words}{f': {threshold.asked:g}' if threshold.asked else ''}; {threshold.source}"


def _output(draft: PolicyDraft) -> dict[str, tuple[Any, str]]:
    output: dict[str, tuple[Any, str]] = {
        "shuffle": (True, "random order: the original order of the records may reveal who is who")
    }
    if draft.scenario and draft.scenario.asks("weights") and draft.names("weight"):
        output["weights"] = ("rounded", "weights with all digits tell records apart")
    return output


def _commented(lines: Mapping[str, tuple[Any, str]]) -> Any:
    """A TOML table: each key with its value and a comment, which may be empty."""
    from tomlkit import item, table

    made = table()
    for key, (value, comment) in lines.items():
        entry = item(value)
        made.add(key, entry.comment(comment) if comment else entry)
    return made


def _columns(draft: PolicyDraft) -> object:
    from tomlkit import comment, table

    columns = table(is_super_table=True)
    for suggestion in draft.suggestions:
        column = table()
        for line in (
            suggestion.reason,
            *(PLEASE_DECIDE + question for question in suggestion.questions),
            *suggestion.hints,
        ):
            column.add(comment(line))
        column["role"] = suggestion.role
        column["kind"] = suggestion.kind
        for key, value in suggestion.settings.items():
            if key == "taxonomy" and not draft.uses_taxonomy(suggestion):
                column.add(comment(f"taxonomy = {_inline(value).as_string()}  # {FOR_GENERALIZATION}"))
            else:
                column[key] = _inline(value)
        columns[suggestion.name] = column
    return columns


def _inline(value: Any) -> Any:
    from tomlkit import inline_table

    if not isinstance(value, Mapping):
        return value
    table = inline_table()
    table.update(value)
    return table


def _diversity_hint(draft: PolicyDraft) -> str:
    sensitive = [each for each in draft.suggestions if each.role == "sensitive"]
    if not sensitive or (draft.scenario and draft.scenario.asks("diversity")):
        return ""
    of_all = (_hint("distinct_l_diversity", _diversity(each)) for each in sensitive)
    return "\n# To require also several values of sensitive columns in every class:\n" + "".join(of_all)


def _dominance_hint(draft: PolicyDraft) -> str:
    """Rules for the totals of firms, for the first amount."""
    if not draft.amounts:
        return ""
    column, *others = draft.amounts
    also = f"; also for {', '.join(map(visible, others))}" if others else ""
    return (
        f"\n# To limit what one firm has of the total of a class, and how few firms it may be of{also}:\n"
        + _hint("dominance", {"column": column, "contributors": 1, "share": 0.8})
        + _hint("minimum_contributors", {"column": column, "n": 3})
    )


def _hint(name: str, keys: Mapping[str, Any]) -> str:
    """A requirement as lines of comment, valid once the signs are removed."""
    from tomlkit import item

    lines = [
        "[[requirements]]",
        *(f"{key} = {item(value).as_string()}" for key, value in {"name": name, **keys}.items()),
    ]
    return "".join(f"# {line}\n" for line in lines)
