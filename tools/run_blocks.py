"""Runs the blocks of a page in the working folder, as a reader would: Python, files with a name, commands."""

from __future__ import annotations

import contextlib
import io
import shlex
from pathlib import Path
from typing import Any

from code_blocks import CodeBlock
from shoal.cli.commands import app
from shoal.cli.console import print_error
from shoal.errors import ShoalError

PROMPT = "$ shoal "


def tells_a_story(blocks: list[CodeBlock]) -> bool:
    """Whether a page begins with nothing and makes its own files."""
    return any(block.file for block in blocks)


def run_block(block: CodeBlock, names: dict[str, Any]) -> str:
    """What the block prints; ``names``: those that Python blocks before it left."""
    if block.file:
        Path(block.file).write_text(block.code, encoding="utf-8")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        if block.language == "python":
            exec(compile(block.code, "page", "exec"), names)
        if block.language == "console" and block.output is not None:
            for line in block.code.splitlines():
                _run_command(line)
    return printed.getvalue()


def _run_command(line: str) -> None:
    words = shlex.split(line.removeprefix(PROMPT), comments=True)
    try:
        app(words, standalone_mode=False)
    except ShoalError as error:
        print_error(*error.lines)
