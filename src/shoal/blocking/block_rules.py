"""Parsing of blocking rules from JSON."""

from __future__ import annotations

import json

from shoal.blocking.blocks import BlockRule
from shoal.blocking.twod_rule import TwodRule
from shoal.blocking.univariate_blocks import IntervalRule, RunRule
from shoal.errors import PolicyError

RULES: dict[str, type[TwodRule] | type[IntervalRule] | type[RunRule]] = {
    "twod_tree": TwodRule,
    "intervals": IntervalRule,
    "runs": RunRule,
}


def rule_from_json(text: str) -> BlockRule:
    """The blocking rule serialized by ``rule.to_json()``."""
    table = json.loads(text)
    if table.get("rule") not in RULES:
        raise PolicyError.unknown_choice("rule", table.get("rule"), tuple(RULES))
    return RULES[table["rule"]].from_table(table)
