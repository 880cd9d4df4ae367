"""The lowest version that pyproject.toml names of every library, one line each, for pip's --constraint."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

EXTRAS = ("linkage", "report", "stat")  # `make floors` installs these
LIMIT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)>=(?P<version>[0-9.]+)$")


def main() -> None:
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    required = [*project["dependencies"], *(library for name in EXTRAS for library in extras[name])]
    found = {match["name"]: match["version"] for match in map(LIMIT.match, required) if match}
    if len(found) != len(set(required)):
        sys.exit("pyproject.toml: every library needs a lowest version, as in numpy>=2.0.")
    sys.stdout.write("".join(f"{name}=={version}\n" for name, version in sorted(found.items())))


if __name__ == "__main__":
    main()
