"""Draft policies for a table, with the reason for every guess as a comment; each is tried before it is returned."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import PrivateAttr

from shoal.errors import PolicyError, SourceError, TableError, visible
from shoal.policy.load import load_text
from shoal.policy.policy import Policy
from shoal.policy.proposal.column_settings import with_settings
from shoal.policy.proposal.policy_text import LEAST_L, PolicyDraft, policy_text
from shoal.policy.proposal.scenario_rules import with_scenario
from shoal.policy.proposal.source_table import SourceTable, name_of
from shoal.policy.proposal.stratum_column import amounts_of_firms, stratum_column
from shoal.policy.proposal.trial import Trial
from shoal.policy.scenarios import SCENARIO_NAMES, SCENARIOS, Scenario
from shoal.schema.suggest import ColumnEvidence, Suggestion, suggestion, with_single_roles
from shoal.sources import ReadOptions, check_writable, compression_of
from shoal.sources.options import SNIFF
from shoal.sources.table_parts import EXTENSION, has_parts

DEFAULT_K = 5
LEAST_K = 2


class Proposal(Policy):
    """A draft policy with its reasons. It is a policy itself: ``protect`` accepts it, and so does ``verify``."""

    _text: str = PrivateAttr(default="")
    _suggestions: tuple[Suggestion, ...] = PrivateAttr(default=())
    _notes: tuple[str, ...] = PrivateAttr(default=())
    _questions: tuple[str, ...] = PrivateAttr(default=())
    _first_looks: tuple[str, ...] = PrivateAttr(default=())

    @property
    def text(self) -> str:
        """The text of the policy.toml."""
        return self._text

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """Role, kind and settings of every column, with the reason."""
        return self._suggestions

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user about what was decided while reading the file."""
        return self._notes

    @property
    def questions(self) -> tuple[str, ...]:
        """What only the data steward can decide; each is marked 'please decide' in the text."""
        return self._questions

    @property
    def hints(self) -> tuple[str, ...]:
        """What may be worth a look, such as codes that may mean "missing"."""
        return tuple(f"{visible(each.name)}: {hint}" for each in self._suggestions for hint in each.hints)

    @property
    def first_looks(self) -> tuple[str, ...]:
        """The two or three things to look at first."""
        return self._first_looks

    def lines(self) -> list[str]:
        """One line for every column: name, role, kind, reason."""
        width = max(len(visible(each.name)) for each in self._suggestions)
        return [f"  {visible(s.name):{width}}  {s.role:16}  {s.kind:8}  {s.reason}" for s in self._suggestions]

    def __repr__(self) -> str:
        questions = (f"  please decide: {question}" for question in self._questions)
        return "\n".join([super().__repr__(), *self.lines(), *questions])

    __str__ = __repr__


def propose(
    table: Any,
    *,
    policy: str | Path = "policy.toml",
    options: ReadOptions = SNIFF,
    scenario: str | None = None,
) -> Proposal:
    """A draft policy for ``table`` (a file or any dataframe): a role and a kind for every column, with the reasons.

    ``policy`` is the file that the draft is meant for; nothing is written. ``options`` of reading are kept, the others
    are detected. ``scenario`` sets the thresholds: public-use, scientific-use, internal or hipaa-safe-harbor. What
    ``protect`` would refuse is found before, and every open question is listed.
    """
    chosen = _scenario(scenario)
    source = SourceTable.of(table, options)
    if not len(source.loaded.table):
        raise TableError.no_records()
    evidence = source.evidence()
    found = with_single_roles([suggestion(each) for each in evidence.values()], evidence)
    remedy = source.missing_remedy
    found = with_scenario([with_settings(each, evidence[each.name], remedy) for each in found], evidence, chosen)
    title = f"Draft policy for {_shown(name_of(table))}, guessed from names and values: check it before you use it."
    command = protect_command_line(table, Path(policy))
    k = (chosen and chosen.k) or DEFAULT_K
    draft = PolicyDraft(title, command, k, tuple(found), source.keys(), None, chosen, questions=source.questions)
    final = _asked(_tried(draft, source), evidence)
    return _proposal(final, source.notes)


def _scenario(name: str | None) -> Scenario | None:
    if name is not None and name not in SCENARIOS:
        raise PolicyError.unknown_choice("scenario", name, SCENARIO_NAMES)
    return next((each for each in SCENARIOS.values() if each.name == name), None)


def _tried(draft: PolicyDraft, source: SourceTable) -> PolicyDraft:
    """The draft without the columns that protect would refuse, each with the question what to do about it; a column
    that is refused for its taxonomy only is kept without it."""
    policy = load_text(policy_text(draft))
    records = source.read(policy.source, policy.cell_kinds).table
    trial = Trial.of(policy, records)
    if trial.refusals:
        found = [_without_taxonomy(each) if each.name in trial.refusals else each for each in draft.suggestions]
        draft = replace(draft, suggestions=tuple(found))
        trial = Trial.of(load_text(policy_text(draft)), records)
    wide = dict.fromkeys(trial.too_wide(len(records)), "too many different values for the memory: release coarser ones")
    reasons = {**wide, **trial.refusals}
    found = [
        each.dropped("it cannot be protected as it is", reasons[each.name]) if each.name in reasons else each
        for each in draft.suggestions
    ]
    return replace(draft, suggestions=tuple(_with_quasi_identifier(found)))


def _without_taxonomy(found: Suggestion) -> Suggestion:
    return replace(found, settings={key: value for key, value in found.settings.items() if key != "taxonomy"})


def _with_quasi_identifier(found: Sequence[Suggestion]) -> Sequence[Suggestion]:
    """At least one column is protected: if none is a quasi-identifier, those released unchanged are."""
    if any(each.role == "quasi_identifier" for each in found):
        return found
    reason = "an intruder may know it, and no other column is protected"
    return [
        each.with_role("quasi_identifier", reason) if each.role in ("other", "sensitive") else each for each in found
    ]


def _asked(draft: PolicyDraft, evidence: Mapping[str, ColumnEvidence]) -> PolicyDraft:
    """The draft with its strata, and with questions about what the table cannot keep. Nothing that is required is
    lowered: protect refuses until the data steward has decided."""
    questions = list(draft.questions)
    unit = next((each.name for each in draft.suggestions if each.role in ("household", "unit")), None)
    n = max(len(each.cells) for each in evidence.values())
    things, remedy = "records", "add records"
    if unit:
        n = evidence[unit].n_values + evidence[unit].cells.null_count
        things, remedy = f"units in '{visible(unit)}'", f"if it numbers no units, give it another role; else {remedy}"
    if n < draft.k:
        alone = "; no k-anonymity protects a single one"
        smaller = f", or set k = {n} or less yourself, which makes all alike" if n >= LEAST_K else alone
        needed = f"k = {draft.k} needs {draft.k} {things}, and the table has {n}"
        questions.append(f"{needed}, so protect refuses: {remedy}{smaller}")
    if draft.scenario and draft.scenario.asks("diversity"):
        questions += [
            f"l = {LEAST_L} needs {LEAST_L} different values of '{visible(name)}', and the table has "
            f"{evidence[name].n_values}, so protect refuses: make it other if everybody may know its value, or drop it"
            for name in draft.names("sensitive")
            if evidence[name].n_values < LEAST_L
        ]
    if not draft.names("quasi_identifier"):
        questions.append(
            "no column is left to protect, so protect refuses: give those that others may know, and that may be "
            "released, the role quasi_identifier"
        )
    stratum = stratum_column(draft.suggestions, evidence, draft.k)
    amounts = amounts_of_firms(draft.suggestions, evidence)
    return replace(draft, stratum=stratum, amounts=amounts, questions=tuple(questions))


def _proposal(draft: PolicyDraft, notes: tuple[str, ...]) -> Proposal:
    text = policy_text(draft)
    proposal = Proposal.model_validate(load_text(text).model_dump(exclude_unset=True))
    proposal._text, proposal._suggestions, proposal._notes = text, draft.suggestions, notes
    proposal._questions, proposal._first_looks = draft.all_questions, draft.first_looks
    return proposal


def protect_command_line(table: Any, policy: Path) -> str:
    """The command that produces a release once the policy is finished: of the shell, or of Python for a dataframe."""
    if not isinstance(table, str | os.PathLike):
        return f"shoal.protect(table, {str(policy)!r})"
    data = Path(table)
    return (
        f"shoal protect {_shell_word(data)} --policy {_shell_word(policy)} --output {_shell_word(_release_path(data))}"
    )


def _shown(name: str) -> str:
    return name if name.isprintable() else ascii(name)


def _shell_word(path: Path) -> str:
    """The path quoted for a shell, on one line."""
    return shlex.quote(str(path)) if str(path).isprintable() else ascii(str(path))


def _release_path(data: Path) -> Path:
    """A file name with the extension of the data, or that of a folder; release.csv where Shoal cannot write that
    format."""
    if has_parts(data):
        return Path("release" + EXTENSION)
    release = Path("release" + "".join(data.suffixes[-2:] if compression_of(data) else data.suffixes[-1:]))
    try:
        check_writable(release)
    except SourceError:
        return Path("release.csv")
    return release
