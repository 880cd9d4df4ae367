"""The checklist of the scenario that the policy names: every threshold, what was reached, whether it is met."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from shoal.assessment.assessment import Assessment
from shoal.gate.sensitive_values import promises_little
from shoal.policy.scenarios import SCENARIOS, Check, ScenarioName, ScenarioThreshold
from shoal.release.manifest import Manifest
from shoal.report.outline_nodes import Section
from shoal.report.text_nodes import Cell, Paragraph, Table
from shoal.report.words import name_list
from shoal.schema.suggest.name_patterns import BIRTH, matches

Judgment = tuple[str, bool | None]  # what was reached, and whether the threshold is met; None: to be judged by hand
NOT_RELEASED = ("identifier", "unit")  # roles of columns that are dropped, unless they get a pseudonym
DIVERSE = ("l_diversity", "disclosure", "privacy", "alpha")  # in the names of requirements that one value fails
CLOSE = ("t_closeness", "likeness")  # of those that a class of one value may satisfy, where it is frequent enough


def section(manifest: Manifest, assessment: Assessment) -> Section | None:
    name: ScenarioName | None = manifest.policy.get("scenario")
    if name is None:
        return None
    scenario = SCENARIOS[name]
    text = Paragraph(
        f"The policy names the scenario {scenario.name}. {scenario.meaning} The scenario changes nothing about the "
        "release: these are its thresholds, and what was reached. A threshold that is met is no legal opinion."
    )
    rows = tuple(_row(threshold, manifest, assessment) for threshold in scenario.thresholds)
    return Section(
        "scenario", "Scenario checklist", (text, Table(("Threshold", "Asked", "Reached", "Met"), rows, "lrll"))
    )


def _row(threshold: ScenarioThreshold, manifest: Manifest, assessment: Assessment) -> tuple[Cell, ...]:
    reached, is_met = JUDGMENTS[threshold.check](threshold, manifest, assessment)
    return (
        Cell(threshold.words, note=threshold.source),
        Cell("" if threshold.asked is None else f"{threshold.asked:g}"),
        Cell(reached),
        Cell({True: "yes", False: "no", None: "check by hand"}[is_met]),
    )


def _k(threshold: ScenarioThreshold, manifest: Manifest, assessment: Assessment) -> Judgment:
    return f"{manifest.k_reached:,}", manifest.k_reached >= (threshold.asked or 0)


def _risk(threshold: ScenarioThreshold, manifest: Manifest, assessment: Assessment) -> Judgment:
    risk = next((each for each in assessment.findings if each.name == "highest prosecutor risk"), None)
    if risk is None:
        return "not measured", None
    return risk.shown(risk.estimate), risk.estimate <= 100 * (threshold.asked or 0)


def _diversity(threshold: ScenarioThreshold, manifest: Manifest, assessment: Assessment) -> Judgment:
    """Whether a proved requirement covers every sensitive column, and whether it excludes classes of a single value.
    One that compares amounts by equality, so that nearly any class satisfies it, covers none."""
    sensitive = [name for name, rule in _columns(manifest).items() if rule["role"] == "sensitive"]
    asked = [(str(each.get("column")), each["name"]) for each in manifest.policy["requirements"]]
    little = {each for each in asked if promises_little(manifest.notes, *each)}
    diverse, close = (
        {column for column, name in asked if any(word in name for word in words) and (column, name) not in little}
        for words in (DIVERSE, CLOSE)
    )
    bare = [name for name in sensitive if name not in diverse | close]
    if not sensitive:
        return "no sensitive column", True
    if bare:
        hollow = [name for name in bare if name in dict(little)]
        what = f"what is required promises little of {name_list(hollow)}"
        return what if hollow else f"no requirement on {name_list(bare)}", False
    near = [name for name in sensitive if name not in diverse]
    return (f"near the whole release: {name_list(near)}", None) if near else ("required and proved", True)


def _weights(threshold: ScenarioThreshold, manifest: Manifest, assessment: Assessment) -> Judgment:
    if not any(rule["role"] == "weight" for rule in _columns(manifest).values()):
        return "no weights", True
    weights = str(manifest.policy["output"]["weights"])
    return f"weights are {weights}", weights != "kept"


def _order(threshold: ScenarioThreshold, manifest: Manifest, assessment: Assessment) -> Judgment:
    is_shuffled = bool(manifest.policy["output"]["shuffle"])
    return "shuffled" if is_shuffled else "in the order of the input", is_shuffled


def _identifiers(threshold: ScenarioThreshold, manifest: Manifest, assessment: Assessment) -> Judgment:
    """Dropped columns are; whether others identify persons, too, only the data steward can say."""
    identifiers = {name: rule for name, rule in _columns(manifest).items() if rule["role"] in NOT_RELEASED}
    kept = [name for name, rule in identifiers.items() if rule["pseudonym"]]
    if not identifiers:
        return "no column has this role", None
    return (f"pseudonyms: {name_list(kept)}", None) if kept else ("dropped", True)


def _absent(threshold: ScenarioThreshold, manifest: Manifest, assessment: Assessment) -> Judgment:
    """Names alone cannot show that something is absent: a column that sounds like it is named, the rest is by hand."""
    named = [
        name
        for name, rule in _columns(manifest).items()
        if matches(threshold.hints, name) and (rule["role"] not in NOT_RELEASED or rule["pseudonym"])
    ]
    return (f"released: {name_list(named)}", False) if named else ("no column is named so", None)


def _recoded(threshold: ScenarioThreshold, manifest: Manifest, assessment: Assessment) -> Judgment:
    """Whether every released column that the line concerns has the recoding it asks for."""
    released = {name: rule for name, rule in _columns(manifest).items() if rule["role"] not in NOT_RELEASED}
    concerned = {name: rule for name, rule in released.items() if _concerns(threshold, name, rule)}
    if not concerned:
        return ("no column is named so", None) if threshold.hints else ("no such column is released", True)
    year = datetime.fromisoformat(manifest.made).year
    bare = [name for name, rule in concerned.items() if not _has(threshold, name, rule.get("recode") or {}, year)]
    if bare:
        return f"not recoded: {name_list(bare)}", False
    return f"recoded: {name_list(tuple(concerned))}", None if threshold.recode == "prefix" else True


def _concerns(threshold: ScenarioThreshold, name: str, rule: dict[str, Any]) -> bool:
    if threshold.recode in ("date_part", "month"):
        return bool(rule["kind"] == "date")
    return matches(threshold.hints, name) or (threshold.recode == "top" and matches(BIRTH, name))


def _has(threshold: ScenarioThreshold, name: str, recode: dict[str, Any], year: int) -> bool:
    """Whether a recoding is at least as coarse as asked of a release of this year."""
    if threshold.recode == "month" and not matches(BIRTH, name):
        return recode.get("date_part") is not None
    if threshold.recode in ("date_part", "month"):
        return recode.get("date_part") in ("year", "decade")
    if threshold.recode == "prefix":
        return 0 < (recode.get("prefix") or 0) <= 3
    oldest = threshold.asked or 0
    if matches(BIRTH, name):
        return recode.get("bottom") is not None and recode["bottom"] >= year - oldest
    return recode.get("top") is not None and recode["top"] <= oldest


def _by_hand(threshold: ScenarioThreshold, manifest: Manifest, assessment: Assessment) -> Judgment:
    return "", None


def _columns(manifest: Manifest) -> dict[str, dict[str, Any]]:
    columns: dict[str, dict[str, Any]] = manifest.policy["columns"]
    return columns


JUDGMENTS: dict[Check, Callable[[ScenarioThreshold, Manifest, Assessment], Judgment]] = {
    "k": _k,
    "risk": _risk,
    "diversity": _diversity,
    "weights": _weights,
    "order": _order,
    "identifiers": _identifiers,
    "absent": _absent,
    "recoded": _recoded,
    "by hand": _by_hand,
}
