"""How work is divided: blocks of records, handled one by one, and the rule that puts a record into its block.

For linkage, blocks are pairs of records worth comparing (`LinkageBlocking` -> `Candidates`).
"""

from __future__ import annotations

from shoal.blocking.blocks import Blocks, Rule
from shoal.blocking.rules import rule_from_json

__all__ = ["Blocks", "Rule", "rule_from_json"]
