"""The packages of `benchmarks/` under the names that they have there. The folder itself is not on the path: its single
files are named like packages of these tests."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"

for name in ("bench", "peers"):
    folder = BENCHMARKS / name
    spec = spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
    package = module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
