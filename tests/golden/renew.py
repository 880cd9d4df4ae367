"""make golden: every kept release made anew; which cells differ is printed, and the new ones are kept."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from golden.cases import CASES
from golden.releases import HASHES, KEPT, differences, hashes, keep, kept, make

SHOWN = 20  # differences of a release


def renew(name: str) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        files = make(name, Path(folder))
    found = list(differences(kept(name), files))
    lines = [f"{name}: {len(found) or 'no'} differences", *(f"  {line}" for line in found[:SHOWN])]
    sys.stdout.write("\n".join([*lines, *(["  ..."] if len(found) > SHOWN else [])]) + "\n")
    keep(name, files)
    return hashes(files)


def main() -> None:
    for path in KEPT.glob("*"):
        if path.name not in CASES:
            shutil.rmtree(path)
    found = {name: renew(name) for name in CASES}
    HASHES.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
