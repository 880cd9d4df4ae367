"""Writes a folder from which Shoal is installed without a network: all wheels, their checksums, and the line to type.

    python tools/bundle.py dist/shoal-*.whl --folder dist/bundle

The wheels are those for this Python and this platform. Whoever installs checks every file: pip compares each wheel with
the SHA-256 in requirements.txt.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

INSTALL = "python3 -m pip install --no-index --find-links wheels --require-hashes --requirement requirements.txt"
PAGE = """# Shoal without a network

Everything that `shoal[{extra}]` needs, for Python {python} on {platform}. Copy this folder, then, inside of it:

```console
$ sha256sum --check SHA256SUMS
$ python3 -m venv shoal-venv && . shoal-venv/bin/activate
$ {install}
$ shoal demo
```

Nothing is fetched and nothing is compiled. pip refuses a wheel whose SHA-256 is not that of requirements.txt.
"""


def build(shoal: Path, extra: str, folder: Path, constraints: Path | None) -> None:
    """Fills a new folder."""
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    limits = ["--constraint", str(constraints)] if constraints else []
    wanted = f"shoal[{extra}] @ {shoal.resolve().as_uri()}"
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", *limits, "--wheel-dir", wheels, wanted], check=True)
    hashes = {wheel.name: sha256(wheel.read_bytes()).hexdigest() for wheel in sorted(wheels.iterdir())}
    (folder / "SHA256SUMS").write_text("".join(f"{found}  wheels/{name}\n" for name, found in hashes.items()))
    (folder / "requirements.txt").write_text("".join(_requirement(*each) for each in hashes.items()))
    (folder / "INSTALL.md").write_text(_page(extra))


def _requirement(wheel: str, digest: str) -> str:
    name, version = wheel.split("-")[:2]
    return f"{name}=={version} --hash=sha256:{digest}\n"


def _page(extra: str) -> str:
    python = ".".join(map(str, sys.version_info[:2]))
    return PAGE.format(extra=extra, python=python, platform=sys.platform, install=INSTALL)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("wheel", type=Path, help="the wheel of Shoal for this Python")
    asked.add_argument("--folder", type=Path, default=Path("dist/bundle"))
    asked.add_argument("--extra", default="all")
    asked.add_argument("--constraint", type=Path, help="a file of versions to take")
    given = asked.parse_args()
    build(given.wheel, given.extra, given.folder, given.constraint)
    n_bytes = sum(path.stat().st_size for path in given.folder.rglob("*"))
    print(f"{given.folder}: {len(list((given.folder / 'wheels').iterdir()))} wheels, {n_bytes / 1e6:.0f} MB")  # noqa: T201


if __name__ == "__main__":
    main()
