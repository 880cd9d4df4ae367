"""What a bug report needs to say about the machine: versions and limits, no path, no name, no value of any data."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from shoal.engines.memory_budget import free_memory
from shoal.operating_system import address_space_limit

NAME = re.compile(r"[\w.-]+")
EXTRA = re.compile(r"""extra == ['"]([\w-]+)['"]""")
OF_DEVELOPERS = ("dev", "docs", "wheel")


def about() -> Iterator[str]:
    """Lines: Python and system, what is free, and every library with its version."""
    yield f"Python {platform.python_version()} ({platform.python_implementation()}, {platform.python_compiler()})"
    yield f"{platform.system()} {platform.release()}, {platform.machine()}, {' '.join(platform.libc_ver())}".rstrip(
        ", "
    )
    yield f"{os.cpu_count()} processors, {free_memory() / 1e9:.1f} GB of memory free, address space {_address_space()}"
    for extra, packages in _packages().items():
        yield f"{extra or 'always'}: {', '.join(f'{name} {_version(name)}' for name in packages)}"


def _address_space() -> str:
    limit = address_space_limit()
    return "without limit" if limit == float("inf") else f"limited to {limit / 1e9:.0f} GB"


def _packages() -> dict[str, list[str]]:
    """Names of libraries by the extra that needs them; "" for those that are always installed."""
    found: dict[str, list[str]] = {}
    for requirement in requires("shoal") or ():
        extra, name = EXTRA.search(requirement), NAME.match(requirement)
        key = extra[1] if extra else ""
        if name and name[0] != "shoal" and key not in OF_DEVELOPERS:
            found.setdefault(key, []).append(name[0])
    return found


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "is not installed"
