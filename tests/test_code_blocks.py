"""The fenced blocks of the documents are run as a reader would, or say why not."""

import tomllib
from dataclasses import replace

import pytest

from code_blocks import PAGES, CodeBlock, agrees
from page_names import page_names
from run_blocks import run_block, tells_a_story
from shoal.policy import load

BLOCKS = {page: CodeBlock.all_of(page.read_text(encoding="utf-8")) for page in PAGES}
COLUMNS = {
    "age": {"role": "quasi_identifier", "kind": "numeric"},
    "income": {"role": "quasi_identifier", "kind": "numeric"},
    "zip": {"role": "quasi_identifier"},
    "sex": {"role": "quasi_identifier"},
    "region": {"role": "quasi_identifier"},
    "diagnosis": {"role": "sensitive"},
    "condition": {"role": "sensitive"},
    "patient": {"role": "identifier"},
    "occupation": {"role": "other"},
    "education": {"role": "other"},
    "turnover": {"role": "sensitive", "kind": "numeric"},
    "admitted": {"role": "quasi_identifier", "kind": "date"},
    "discharged": {"role": "quasi_identifier", "kind": "date"},
}

OTHERS = {"requirements": {"income": {"role": "sensitive", "kind": "numeric"}}}  # on a page, other than above


def with_language(name):
    pages = {
        page: [each for each in blocks if each.language == name and not each.reason] for page, blocks in BLOCKS.items()
    }
    return [pytest.param(page, blocks, id=page.name) for page, blocks in pages.items() if blocks]


def shorter(block):
    """The same with a budget that a test can wait for."""
    return replace(block, code=block.code.replace("seconds=60", "seconds=1").replace("seconds=10", "seconds=1"))


PRINTING = [
    pytest.param(page, blocks, id=page.name)
    for page, blocks in BLOCKS.items()
    if any(not each.reason and (each.language == "python" or each.output is not None) for each in blocks)
]


@pytest.mark.gate(but=("vmdav.md", "imputation.md"))
@pytest.mark.parametrize(("page", "blocks"), PRINTING)
def test_blocks_run_and_print_what_is_shown(page, blocks, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {} if tells_a_story(blocks) else page_names(tmp_path, page.stem)
    for block in blocks:
        printed = run_block(shorter(block), names) if not block.reason else ""
        if block.output is not None and not agrees(printed, block.output):
            assert printed == block.output


@pytest.mark.parametrize(("page", "blocks"), with_language("toml"))
def test_blocks_of_a_policy_are_valid(page, blocks):
    for block in blocks:
        found = tomllib.loads(block.code)
        load(
            {
                "requirements": [{"name": "k_anonymity", "k": 5}],
                **found,
                "columns": {**COLUMNS, **OTHERS.get(page.stem, {}), **found.get("columns", {})},
            }
        )


def test_every_block_is_run_or_says_why():
    silent = [
        (page.name, block.code[:60])
        for page, blocks in BLOCKS.items()
        for block in blocks
        if not block.is_run and not block.reason
    ]
    assert silent == []


def test_blocks_are_found_with_their_reason_and_their_output():
    text = "```python\nprint(1)\n```\n\n```text\n1\n```\n\n<!-- not run: a drawing -->\n```\n-->\n```\n"
    text += "\n```toml\nk = 1\n```\n"
    shown, output, drawing, policy = CodeBlock.all_of(text)
    assert (shown.output, shown.is_run, output.is_output, output.is_run) == ("1\n", True, True, True)
    assert (drawing.reason, drawing.is_run, policy.is_run) == ("a drawing", False, True)


def test_commands_have_an_output_and_files_a_name():
    text = '```toml title="one.toml"\nk = 1\n```\n\n```console\n$ shoal --version\n```\n\n```text\nshoal 1\n```\n'
    file, command, output = CodeBlock.all_of(text)
    assert (file.file, file.output, command.file) == ("one.toml", None, None)
    assert (command.output, output.is_output) == ("shoal 1\n", True)


def test_an_output_may_leave_out_lines_and_nothing_else():
    printed = "a\nb\nc\nd\n"
    assert all(
        agrees(printed, shown) for shown in (printed, "a\n...\nd\n", "...\nd\n", "a\n...\n", "a\n...\nb\nc\nd\n")
    )
    assert not any(agrees(printed, shown) for shown in ("a\nd\n", "a\nb\n", "a\n...\nD\n", "a\n...\nc\n", "a...\n"))


def test_a_block_with_a_title_is_a_file_and_an_error_is_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = '```toml title="one.toml"\nk = 1\n```\n\n```console\n$ shoal verify none.csv --policy one.toml\n```\n'
    text += "\n```text\nerror: ...\n```\n"
    file, command, _ = CodeBlock.all_of(text)
    assert run_block(file, {}) == ""
    assert (tmp_path / "one.toml").read_text() == "k = 1\n"
    assert run_block(command, {}).startswith("error: ")
