"""The base of all tables of a policy."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class PolicyPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
