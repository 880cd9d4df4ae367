"""One toy of everything that CONTRIBUTING.md says how to add: what it costs today is what its steps edit."""

from registry.package_copy import Toy
from registry.toys import chart, engine, file_format, key, measure, method, option, requirement, warning

TOYS: dict[str, Toy] = {  # by the title of the section of CONTRIBUTING.md
    "method": method.TOY,
    "requirement": requirement.TOY,
    "measure": measure.TOY,
    "warning": warning.TOY,
    "policy key": key.TOY,
    "option of the command line": option.TOY,
    "file format": file_format.TOY,
    "engine": engine.TOY,
    "chart": chart.TOY,
}
