"""The method "none": values are released unchanged, or as perturbations left them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from shoal.methods.method import Method


@dataclass(frozen=True)
class NoMethod(Method):
    """Forms no groups and no cuts."""

    name: Literal["none"] = "none"

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}
