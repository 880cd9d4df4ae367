"""The benchmark of attacks asks the modules of the attacks for what they have."""

import ast
import importlib
from pathlib import Path

BENCHMARK = Path(__file__).parent.parent.parent / "benchmarks" / "attacks.py"


def test_whatever_the_benchmark_takes_from_an_attack_is_there():
    tree = ast.parse(BENCHMARK.read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "attacks"]
    modules = {name.name: importlib.import_module(f"attacks.{name.name}") for each in imports for name in each.names}
    taken = {
        (node.value.id, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules
    }
    assert len(taken) > 20
    assert [(module, name) for module, name in sorted(taken) if not hasattr(modules[module], name)] == []
