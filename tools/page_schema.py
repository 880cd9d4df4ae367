"""Writes docs/page.schema.json: the JSON Schema of a report written as JSON, from the models that write it."""

from __future__ import annotations

import json
from pathlib import Path

from shoal.report.page_json import page_schema

PAGE = Path(__file__).resolve().parent.parent / "docs" / "page.schema.json"


def schema_text() -> str:
    return json.dumps(page_schema(), indent=2) + "\n"


if __name__ == "__main__":
    PAGE.write_text(schema_text(), encoding="utf-8")
