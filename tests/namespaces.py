"""The public names of a namespace."""

from __future__ import annotations

import inspect
from types import ModuleType


def names_of(namespace: ModuleType) -> set[str]:
    """The classes and functions that a namespace holds: those of __all__ where it has one."""
    found = [name for name, value in vars(namespace).items() if _is_public(name, value)]
    return set(getattr(namespace, "__all__", found))


def _is_public(name: str, value: object) -> bool:
    is_defined = inspect.isclass(value) or inspect.isfunction(value)
    return is_defined and not name.startswith("_") and value.__module__.startswith("shoal.")
