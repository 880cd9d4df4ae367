"""Candidates: small changes of a policy that could remove a disclosure risk. Whether they do is tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import ceil

from shoal.policy.change.coarser_rules import coarser_rules
from shoal.policy.change.policy_change import ChangeStep, PolicyChange
from shoal.policy.change.policy_edit import PolicyEdit, edits_of
from shoal.policy.change.value_facts import ValueFacts
from shoal.policy.policy import Policy
from shoal.policy.policy_advice import advice_to_diversify
from shoal.policy.release_plan import ReleasePlan
from shoal.requirements.shares import SLACK

WEIGHTS = {"rounded": "weights rounded to two digits", "stratum": "every weight replaced by the mean of its stratum"}
PERMUTED = "sensitive values permuted within classes"
CHANCE_LIMITS = ("linked_persons", "prosecutor_risk")  # nobody in a class of k is found with a chance above 1 / k
KEPT_OF_DROPPED = ("role", "kind", "reason")  # keys of a column that is dropped; all others would mean nothing


@dataclass(frozen=True)
class RiskyColumns:
    """The columns that a risk comes from.

    singling     those that single records out, the one that contributes most first
    outside      all that are released as they are although an intruder may know them, in the same order
    facts        of the values of these columns, by name
    homogeneous  sensitive columns of which whole classes share one value
    remedies     lines of TOML that warnings of the release advise
    limits       limits of the policy that the release exceeds, by name, as shares
    """

    singling: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    facts: Mapping[str, ValueFacts] | None = None
    homogeneous: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()
    limits: Mapping[str, float] = field(default_factory=dict)


def candidate_changes(policy: Policy, risky: RiskyColumns) -> tuple[PolicyChange, ...]:
    """Every change once, the smallest ones first: of one column, then of k and requirements."""
    plan = ReleasePlan.of(policy)
    found = [
        *(change for name in risky.singling for change in _of_column(policy, plan, risky, name)),
        *_larger_k(policy, plan, risky),
        *_for_sensitive(plan, risky),
        *_closer(plan, risky),
        *(change for lines in risky.remedies for change in advised_change(lines)),
    ]
    return each_once(found)


def joint_changes(policy: Policy, risky: RiskyColumns) -> tuple[PolicyChange, ...]:
    """Changes of several columns at once, for risks that no change of a single column removes: of the first two
    columns, the first three, and so on; coarser, protected or dropped."""
    plan, names = ReleasePlan.of(policy), risky.singling
    by_column = [_without_bounds(_coarser(policy, plan, risky, name)) for name in names]
    rows = (
        [changes[0] for changes in by_column if changes],
        [changes[-1] for changes in by_column if changes],
        [change for name in risky.outside for change in _protected(policy, plan, name)],
        [_dropped(policy, name) for name in risky.outside],
    )
    return each_once([joint for row in rows for joint in _joined_step_by_step(row)])


def _joined_step_by_step(changes: Sequence[PolicyChange]) -> list[PolicyChange]:
    """The first two changes as one, the first three, and so on."""
    return list(accumulate(changes, PolicyChange.joined))[1:]


def _without_bounds(changes: Iterator[PolicyChange]) -> list[PolicyChange]:
    """The changes of a column without its top and bottom codes."""
    return [change for change in changes if not {"top", "bottom"} & _recoding_keys(change)]


def _recoding_keys(change: PolicyChange) -> set[str]:
    return {key for edit in change.edits for key in edit.content.get("recode") or {}}


def each_once(changes: Sequence[PolicyChange]) -> tuple[PolicyChange, ...]:
    """The changes without those that edit the same as an earlier one."""
    edits = [change.edits for change in changes]
    return tuple(change for at, change in enumerate(changes) if change.edits not in edits[:at])


def _of_column(policy: Policy, plan: ReleasePlan, risky: RiskyColumns, name: str) -> Iterator[PolicyChange]:
    yield from _coarser(policy, plan, risky, name)
    yield from _protected(policy, plan, name)
    yield from _weights(policy, plan, name)
    yield _dropped(policy, name)


def _coarser(policy: Policy, plan: ReleasePlan, risky: RiskyColumns, name: str) -> Iterator[PolicyChange]:
    rule = policy.columns[name]
    if rule.role not in ("quasi_identifier", "sensitive", "other") or name in policy.within:
        return
    for coarser in coarser_rules(plan, name, rule, (risky.facts or {}).get(name, ValueFacts())):
        yield PolicyChange.of(f"{name} {coarser.words}", PolicyEdit(("columns", name), coarser.content))


def _protected(policy: Policy, plan: ReleasePlan, name: str) -> Iterator[PolicyChange]:
    """An outside column as a quasi-identifier, where a method or local suppression protects these."""
    if policy.columns[name].role != "other" or not plan.requirements or any(each.columns for each in plan.requirements):
        return
    role = PolicyEdit(("columns", name), {"role": "quasi_identifier"})
    if plan.method.forms_classes or plan.local_suppression:
        yield PolicyChange.of(f"{name} as a quasi-identifier", role)
    else:
        blanks = PolicyEdit(("local_suppression",), {"blanks": "value"})
        yield PolicyChange.of(f"{name} as a quasi-identifier, by local suppression", role, blanks)


def _weights(policy: Policy, plan: ReleasePlan, name: str) -> Iterator[PolicyChange]:
    if policy.columns[name].role == "weight":
        for form in ("rounded", "stratum"):
            if plan.weights == "kept" or (plan.weights, form) == ("rounded", "stratum"):
                yield PolicyChange.of(WEIGHTS[form], PolicyEdit(("output",), {"weights": form}))


def _dropped(policy: Policy, name: str) -> PolicyChange:
    unfit = [key for key in policy.columns[name].model_fields_set if key not in KEPT_OF_DROPPED]
    content = {"role": "identifier", **dict.fromkeys(sorted(unfit))}
    return PolicyChange.of(f"{name} dropped", PolicyEdit(("columns", name), content))


def _larger_k(policy: Policy, plan: ReleasePlan, risky: RiskyColumns) -> Iterator[PolicyChange]:
    """k + 1, 2 k, and the least k with which the chance to be found is within its limit for certain; k-anonymity is
    required where nothing has a k of its own."""
    if not (plan.method.forms_classes or plan.blanks_cells):
        return
    k = policy.k or 1
    certain = [ceil(1 / most - SLACK) for name, most in risky.limits.items() if name in CHANCE_LIMITS and most]
    for larger in sorted({k + 1, 2 * k, *(each for each in certain if each > k)}):
        edits = [
            PolicyEdit(("requirements", at), {"k": larger})
            for at, requirement in enumerate(policy.requirements)
            if getattr(requirement, "k", None) == k
        ]
        if policy.method.k is not None:
            edits.append(PolicyEdit(("method",), {"k": larger}))
        required = PolicyEdit(("requirements",), {"name": "k_anonymity", "k": larger}, is_new=True)
        yield PolicyChange.of(f"k = {larger}", *(edits or [required]))


def _for_sensitive(plan: ReleasePlan, risky: RiskyColumns) -> Iterator[PolicyChange]:
    """Requirements on sensitive columns of which whole classes share one value, or these columns dropped."""
    for name in risky.homogeneous:
        lines = advice_to_diversify(plan, [name])
        yield PolicyChange.of(_two_values(name), *edits_of(lines))
    shown = [name for name in (*risky.singling, *risky.homogeneous) if plan.columns[name].role == "sensitive"]
    if shown and plan.method.forms_classes and not plan.permutes and not plan.representation.separates_sensitive:
        yield PolicyChange.of(PERMUTED, PolicyEdit(("output",), {"permute": True}))
    for name in risky.homogeneous:
        yield PolicyChange.of(f"{name} dropped", PolicyEdit(("columns", name), {"role": "identifier"}))


def _closer(plan: ReleasePlan, risky: RiskyColumns) -> Iterator[PolicyChange]:
    """t-closeness of sensitive columns, where more is learned of their values than the limit allows: no value is more
    frequent in a class, by more than t, than among all records. Amounts and dates, which are rarely equal, are compared
    by size."""
    t = risky.limits.get("attribute_disclosure")
    names = [name for name, column in plan.columns.items() if column.role == "sensitive"]
    for name in names if t and plan.method.forms_classes else ():
        by_size = plan.columns[name].kind in ("numeric", "date")
        distance, what = ("ordered", "values") if by_size else ("equal", "shares")
        content = {"name": "t_closeness", "column": name, "t": t, "distance": distance}
        words = f"{what} of {name} in every class hardly other than among all (t = {t:g})"
        yield PolicyChange.of(words, PolicyEdit(("requirements",), content, is_new=True))


def advised_change(lines: str) -> tuple[PolicyChange, ...]:
    """The change that a warning advises, one step for every key of output and for every other table; none without
    ``lines``."""
    edits = [each for edit in edits_of(lines) for each in _by_key(_without_kind(edit))]
    steps = tuple(ChangeStep(_edit_words(edit), (edit,)) for edit in edits)
    return (PolicyChange(steps),) if steps else ()


def _by_key(edit: PolicyEdit) -> list[PolicyEdit]:
    is_divided = edit.table == ("output",)
    return [PolicyEdit(edit.table, {key: edit.content[key]}) for key in edit.content] if is_divided else [edit]


def _without_kind(edit: PolicyEdit) -> PolicyEdit:
    """The kind of a column stays the one that is declared, which is that of its values before they are recoded."""
    if edit.table[0] != "columns" or "grid" in edit.content:
        return edit
    return PolicyEdit(edit.table, {key: value for key, value in edit.content.items() if key != "kind"})


def _edit_words(edit: PolicyEdit) -> str:
    match dict(edit.content):
        case {"name": "distinct_l_diversity", "column": str(name), "l": 2}:
            return _two_values(name)
        case {"role": "identifier"}:
            return f"{edit.table[-1]} dropped"
        case {"role": "quasi_identifier"}:
            return f"{edit.table[-1]} as a quasi-identifier"
        case {"permute": True}:
            return PERMUTED
        case {"weights": str(form)}:
            return WEIGHTS[form]
        case keys:
            table = ".".join(map(str, edit.table))
            return ", ".join(f"{table}.{key} = {value}" for key, value in keys.items() if key != "name")


def _two_values(name: str) -> str:
    return f"at least 2 different values of {name} in every class"


def combination_of(changes: Sequence[PolicyChange]) -> PolicyChange | None:
    """All of these changes as one; None where two of them contradict each other."""
    joined: PolicyChange | None = None
    for change in changes:
        if joined is not None and joined.contains(change):
            continue
        if joined is not None and joined.contradicts(change):
            return None
        joined = change if joined is None else joined.joined(change)
    return joined
