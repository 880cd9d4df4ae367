"""Runs the notebooks of examples/ and writes them with what their cells print now.

The cells share one namespace, in a folder of their own. A cell shows what it prints and the value of its last line, as
Jupyter does: as text, and as HTML where the value has a short form of it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
MOST_HTML = 60_000  # characters; more is shown as text alone


def executed(notebook: Path) -> dict[str, Any]:
    """The notebook with the output of every cell of code."""
    content: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        cells = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
        for number, cell in enumerate(cells, start=1):
            cell["execution_count"] = number
            cell["outputs"] = list(_outputs("".join(cell["source"]), number, names))
    return content


def text_of(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _outputs(code: str, number: int, names: dict[str, Any]) -> Iterator[dict[str, Any]]:
    body = ast.parse(code).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    if printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
    if value is not None:
        yield {"data": dict(_forms(value)), "execution_count": number, "metadata": {}, "output_type": "execute_result"}


def _forms(value: object) -> Iterator[tuple[str, list[str]]]:
    html = getattr(value, "_repr_html_", lambda: None)()
    if html and len(html) <= MOST_HTML:
        yield "text/html", _lines(html)
    yield "text/plain", _lines(repr(value))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    for notebook in NOTEBOOKS:
        notebook.write_text(text_of(executed(notebook)), encoding="utf-8")


if __name__ == "__main__":
    main()
