"""Installs libraries for the Python that runs this: with uv, or with pip where uv cannot be had or fails.

    .venv/bin/python tools/install.py --constraint constraints.txt --editable '.[report]'

The words are those that `pip install` and `uv pip install` share. uv loads several wheels at a time, and builds Shoal
meanwhile. It reads neither the files nor the variables that configure pip: what they say is handed on here.
"""

from __future__ import annotations

import ast
import ensurepip
import os
import subprocess
import sys
import sysconfig
from argparse import ArgumentParser
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

UV = Path(sysconfig.get_path("scripts"), f"uv{sysconfig.get_config_var('EXE')}")
PIP = [sys.executable, "-m", "pip"]
# Most modules of libraries are never loaded: they are compiled when they are, as uv does it too.
PIP_INSTALL = [*PIP, "install", "-q", "--no-compile"]

SECTIONS = (":env:", "install", "global")  # of pip's configuration: the first that has an option wins
OPTIONS = {  # of pip: the variable of uv, and what it puts between several values
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "no-index": ("UV_NO_INDEX", " "),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "proxy": ("ALL_PROXY", " "),
    "cert": ("SSL_CERT_FILE", " "),
    "client-cert": ("SSL_CLIENT_CERT", " "),
    "timeout": ("UV_HTTP_TIMEOUT", " "),
    "default-timeout": ("UV_HTTP_TIMEOUT", " "),
}


def provide_pip() -> None:
    """The pip that comes with Python, unpacked only: its own installation compiles all of its modules."""
    if find_spec("pip"):
        return
    folders = (sysconfig.get_config_var("WHEEL_PKG_DIR"), Path(ensurepip.__file__).with_name("_bundled"))
    wheels = [wheel for folder in folders if folder for wheel in Path(folder).glob("pip-*.whl")]
    if wheels:
        ZipFile(wheels[0]).extractall(sysconfig.get_path("purelib"))
    else:
        subprocess.run([sys.executable, "-m", "ensurepip"], check=True)


def variables_of_uv(configuration: str) -> dict[str, str]:
    """What `pip config list` says, in the variables of uv."""
    settings = dict(line.split("=", 1) for line in configuration.splitlines())
    variables = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # a library is looked for in every index, as pip does it
    for section in reversed(SECTIONS):
        for option, (variable, between) in OPTIONS.items():
            if found := settings.get(f"{section}.{option}"):
                variables[variable] = between.join(ast.literal_eval(found).split())
    return variables


def install_with_uv(limits: list[str], words: list[str]) -> bool:
    """Whether that went well. A variable of uv that is set already is left as it is."""
    if not UV.exists() and subprocess.run([*PIP_INSTALL, *limits, "uv"], check=False).returncode:
        return False
    said = subprocess.run([*PIP, "config", "list"], check=True, capture_output=True, text=True).stdout
    install = [UV, "pip", "install", "-q", "--python", sys.executable, *limits, *words]
    return not subprocess.run(install, env={**variables_of_uv(said), **os.environ}, check=False).returncode


def main() -> None:
    asked = ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    asked.add_argument("--constraint", help="a file of versions to take, also of uv")
    given, words = asked.parse_known_args()
    limits = ["--constraint", given.constraint] if given.constraint else []
    provide_pip()
    if not install_with_uv(limits, words):
        print("It could not be installed with uv; now with pip.", file=sys.stderr)  # noqa: T201
        sys.exit(subprocess.run([*PIP_INSTALL, *limits, *words], check=False).returncode)


if __name__ == "__main__":
    main()
