"""Writes docs/policy.schema.json: the JSON Schema of a policy, from the model that reads it."""

from __future__ import annotations

import json
from pathlib import Path

from shoal.policy import json_schema

PAGE = Path(__file__).resolve().parent.parent / "docs" / "policy.schema.json"


def schema_text() -> str:
    return json.dumps(json_schema(), indent=2) + "\n"


if __name__ == "__main__":
    PAGE.write_text(schema_text(), encoding="utf-8")
