#!/bin/sh
# Says what is missing on this machine to build Shoal, and how to install it. Silent when nothing is.
python=${1:-python3}
missing=0

lacks() {
    printf 'Shoal cannot be built here: %s\n  Debian, Ubuntu: %s\n  Fedora:         %s\n  macOS:          %s\n' "$1" "$2" "$3" "$4" >&2
    missing=1
}

if ! command -v "$python" >/dev/null 2>&1; then
    lacks "there is no $python." "sudo apt install python3 python3-venv python3-dev" "sudo dnf install python3-devel" "brew install python"
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    lacks "$python is older than 3.11 (choose another one with: make PYTHON=python3.12 ...)." \
        "sudo apt install python3.11 python3.11-venv python3.11-dev" "sudo dnf install python3.11-devel" "brew install python@3.12"
elif ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    lacks "$python has no venv module." "sudo apt install python3-venv" "sudo dnf install python3" "brew install python"
elif ! "$python" -c 'import sysconfig, pathlib, sys; sys.exit(not pathlib.Path(sysconfig.get_paths()["include"], "Python.h").exists())'; then
    lacks "the headers of $python (Python.h) are missing." "sudo apt install python3-dev" "sudo dnf install python3-devel" "brew install python"
fi

if ! command -v "${CXX:-c++}" >/dev/null 2>&1; then
    lacks "there is no C++ compiler (${CXX:-c++})." "sudo apt install g++" "sudo dnf install gcc-c++" "xcode-select --install"
fi

exit $missing
