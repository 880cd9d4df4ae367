"""The net of messages: an error that a test provokes says one of the sentences of messages.txt, else the test fails.

messages.txt has the sentences of all tests of make test and make gate, without what changes from test to test: names,
numbers, paths. Its first line says whether that is all of them; only then the net is drawn, for the tests of make test.

    make messages                              every sentence anew; those that nobody provokes any more are dropped
    pytest --renew-messages tests/policy       adds those of some tests

Left out are tests that draw examples, those of make long and make spark, and other profiles than "repeat". A test that
provokes errors with words of its own is left out by ``@pytest.mark.any_message``. Errors in other processes are not
seen. Each worker of xdist hands its sentences to the process that started it, which writes the file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).parent / "messages.txt"
COMPLETE, PARTIAL = "# all of make test and make gate", "# of some tests: make messages records all of them"
LEFT_OUT = ("any_message", "hypothesis", "long", "spark")  # marks
REPEAT = "repeat"
ADDED, ALL = "added", "all"
NEW = "A message that no test provoked so far. If it is meant: --renew-messages, and a commit that names the cause."
PASSED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)

WORD = r"[\w'\"+*\[\]-](?:[\w.'\"+*\[\]-]*[\w'\"+*\[\]-])?"
CHANGING = {
    re.compile(pattern): instead
    for pattern, instead in (
        (r"\n\s*", " | "),
        (r" Did you mean '[^']*'\?", ""),
        (r"(?<!\w)'[^']*'(?!\w)|(?<!\w)\"[^\"]*\"(?!\w)", "'...'"),
        (
            r"[^\s:,']*/[^\s:,']*|(?<![\w.])[\w-]+\.(?:csv|toml|parquet|json|key|py|xlsx|dta|sav|html|md|arrow)\b",
            "PATH",
        ),
        (r"\bcolumns\.(?:[^\s:,.]+|(?=:))", "columns.NAME"),
        (r"^(?:PATH|policy)[,:] ", ""),
        (r"\b[0-9a-f]{64}\b", "SHA-256"),
        (r"(?<!\w)[-+]?\d(?:[\d.,_]*\d)?(?:e[-+]?\d+)?(?!\w)", "0"),
        (r"0(?:, 0)+", "0"),
        (rf"{WORD}(?:, {WORD}){{2,}}(?: and 0 more)?", "NAMES"),
        (rf": {WORD}(?:, {WORD})*(?: and 0 more)?(?=\.?$|\. )", ": NAMES"),
        (r"(?:NAMES, )+NAMES", "NAMES"),
    )
}


def sentence_of(message: str) -> str:
    """A message without what changes from test to test, in one line of printable characters."""
    for changing, instead in CHANGING.items():
        message = changing.sub(instead, message)
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in message)


def kept(file: Path = FILE) -> tuple[str, set[str]]:
    """The first line, and all sentences."""
    head, *sentences = file.read_text(encoding="utf-8").splitlines() if file.exists() else [PARTIAL]
    return head, set(sentences)


def keep(head: str, sentences: set[str], file: Path = FILE) -> None:
    file.write_text("\n".join([head, *sorted(sentences), ""]), encoding="utf-8")


class MessageNet:
    """A plugin of pytest.

    renewed  "": messages are checked; ADDED or ALL: they are recorded
    """

    def __init__(self, renewed: str, profile: str) -> None:
        head, self.known = kept()
        self.renewed = renewed
        self.is_drawn = head == COMPLETE and profile == REPEAT and not renewed
        self.said = list[str]()  # messages of the running test
        self.found = set[str]()  # sentences, where they are recorded
        self.lost = False  # whether a worker ended before it handed over what it found

    def listen(self) -> None:
        """From now on every error is heard when it is made by the code of Shoal."""
        from shoal.errors import ShoalError

        make, make_of_all, said = ShoalError.__init__, ShoalError.of_all.__func__, self.said

        def heard(error: ShoalError, message: str = "") -> None:
            make(error, message)
            if sys._getframe(1).f_globals.get("__name__", "").startswith("shoal."):
                said.append(message)

        def heard_of_all(kind: type[ShoalError], *about: Any) -> ShoalError:
            error = make_of_all(kind, *about)
            said.extend(error.lines[1:])
            return error

        ShoalError.__init__, ShoalError.of_all = heard, classmethod(heard_of_all)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        self.said.clear()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        yield
        if not any(item.get_closest_marker(mark) for mark in LEFT_OUT):
            self.check({sentence_of(message) for message in self.said}, is_held=not item.get_closest_marker("gate"))

    def check(self, sentences: set[str], *, is_held: bool = True) -> None:
        if self.renewed:
            self.found |= sentences
        elif self.is_drawn and is_held and not sentences <= self.known:
            new = "\n  ".join(sorted(sentences - self.known))
            pytest.fail(f"{NEW}\n  {new}", False)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of xdist has ended."""
        handed = getattr(node, "workeroutput", {}).get("messages")
        self.lost |= handed is None
        self.found |= set(handed or ())

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if not self.renewed:
            return
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["messages"] = sorted(self.found)
        elif self.renewed == ADDED:
            keep(kept()[0], self.known | self.found)
        elif exitstatus in PASSED and not self.lost:
            keep(COMPLETE, self.found)
