"""Suggested policy changes, as lines of TOML, that remedy the disclosure risks reported for a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from shoal.policy.release_plan import ReleasePlan
from shoal.schema.column import MOST_DECIMALS

DEFAULT_K = 3  # suggested where the policy requires no k


def advice_to_protect(plan: ReleasePlan, names: Sequence[str]) -> str:
    """Lines by which these columns are no longer released unchanged; empty where a requirement needs one's role."""
    sensitive = [name for name in names if plan.columns[name].role == "sensitive"]
    permutes = bool(sensitive) and _forms_groups(plan) and not _has_key_sets(plan)
    weights = [name for name in names if plan.columns[name].role == "weight" and plan.weights != "stratum"]
    others = [name for name in names if name not in weights and not (permutes and name in sensitive)]
    read = {requirement.column for requirement in plan.requirements}
    if read & set(others):  # a requirement needs the present role of the column
        return ""
    role = (
        "quasi_identifier"
        if plan.requirements and _protects_records(plan) and not _has_key_sets(plan)
        else "identifier"
    )
    columns = {name: {"role": role, **_kind(plan, name)} for name in others}
    output = {**({"permute": True} if permutes else {}), **({"weights": "stratum"} if weights else {})}
    return _toml({**({"output": output} if output else {}), **({"columns": columns} if columns else {})})


def advice_to_diversify(plan: ReleasePlan, names: Sequence[str]) -> str:
    """Lines that require two distinct values of each of these sensitive columns in every class."""
    requirements = [{"name": "distinct_l_diversity", "column": name, "l": 2} for name in names]
    tables: dict[str, Any] = {}
    if plan.local_suppression and plan.local_suppression.are_wildcards:
        tables["local_suppression"] = {"blanks": "value"}
    if not _protects_records(plan):
        tables["method"] = {"name": "mdav", **({} if plan.k else {"k": DEFAULT_K})}
    return _toml({**tables, "requirements": requirements})


def advice_to_keep_values(plan: ReleasePlan, name: str) -> str:
    """Lines that require all classes of a person to show the same values of this sensitive column, two at least; empty
    where the policy already does."""
    if any(each.column == name for each in plan.invariances):
        return ""
    return _toml({"requirements": [{"name": "m_invariance", "column": name, "m": 2}]})


def advice_to_round(plan: ReleasePlan, steps: Mapping[str, Fraction]) -> str:
    """Lines by which means of these columns are no finer than the values; ``steps``: the least distance of these."""
    numbers = [name for name in steps if plan.columns[name].kind == "numeric"]
    found = {name: _decimals(steps[name]) for name in numbers}
    columns = {name: {"decimals": decimals} for name, decimals in found.items() if decimals is not None}
    return _toml({"columns": columns} if columns else {})


def advice_to_use_a_grid(plan: ReleasePlan, name: str) -> str:
    """Lines by which the intervals of a column end on a grid, with open ends, instead of being recoded."""
    rule = plan.columns[name].recode
    step = rule and (rule.width or rule.date_part)
    return _toml({"columns": {name: {"kind": "numeric" if rule and rule.width else "date", "grid": step}}})


def _decimals(step: Fraction) -> int | None:
    """The most decimal places whose last digit is worth at least ``step``; None where there is no such number."""
    found = (at for at in range(-MOST_DECIMALS, MOST_DECIMALS) if Fraction(10) ** -at >= step)
    return max(found, default=None)


def advice_to_hide_merging(plan: ReleasePlan) -> str:
    """Lines by which merged or suppressed groups do not reveal which of them failed a requirement; empty where none
    would help."""
    method = plan.method
    if method.suppression:
        return _toml({"method": {"name": method.name, "suppression": 0.0}})
    if not method.forms_groups or method.pairs_groups:
        return ""
    return _toml(
        {"method": {"name": method.name, **({} if method.merges_groups else {"merge": True}), "decoys": "auto"}}
    )


def _forms_groups(plan: ReleasePlan) -> bool:
    return plan.method.forms_classes


def _protects_records(plan: ReleasePlan) -> bool:
    return _forms_groups(plan) or plan.local_suppression is not None


def _has_key_sets(plan: ReleasePlan) -> bool:
    return any(requirement.columns for requirement in plan.requirements)


def _kind(plan: ReleasePlan, name: str) -> dict[str, str]:
    kind = plan.columns[name].kind
    return {} if kind == "nominal" else {"kind": kind}


def _toml(content: dict[str, Any]) -> str:
    import tomlkit

    tables = {key: value for key, value in content.items() if key != "requirements"}
    lines = tomlkit.dumps({key: value for key, value in tables.items() if value})
    for requirement in content.get("requirements", ()):
        lines += f"\n[[requirements]]\n{tomlkit.dumps(requirement)}"
    return lines.strip()
