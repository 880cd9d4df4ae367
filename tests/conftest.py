"""What every test shares: how chance is drawn, where the reference sets are, and that nothing calls home.

Two runs of the suite do the same. Other examples are asked for by ``--hypothesis-seed=7``, or by a profile: of the
variable SHOAL_HYPOTHESIS or of ``--hypothesis-profile``, "explore" (new examples at every run) or "soak" (many more).
"""

from __future__ import annotations

import gc
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from golden import messages

# Every core runs tests, so threads of linear algebra would wait for each other. Read when numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A busy machine is no reason to fail, and no run leaves examples to the next one.
REPEATED = settings(
    settings.get_profile("default"),
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
EXPLORING = settings(REPEATED, max_examples=100, derandomize=False, print_blob=True)
settings.register_profile("repeat", REPEATED)
settings.register_profile("explore", EXPLORING)
settings.register_profile("soak", EXPLORING, max_examples=500)
settings.load_profile("repeat")


def pytest_addoption(parser: pytest.Parser) -> None:
    renewed = {"nargs": "?", "const": messages.ADDED, "default": "", "choices": [messages.ADDED, messages.ALL]}
    parser.addoption("--renew-messages", **renewed, help="keep the messages of errors, see tests/golden/messages.py")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all tests are collected
    config.addinivalue_line("markers", "loopback: talks to a server of its own on this machine")
    config.addinivalue_line("markers", "new_keys: draws keys as they are drawn outside of the suite")
    config.addinivalue_line("markers", "any_message: provokes errors whose messages are not kept")
    settings.load_profile(_profile(config))
    net = messages.MessageNet(config.getoption("--renew-messages"), _profile(config))
    if config.pluginmanager.register(net, "messages"):  # unless -p no:messages
        net.listen()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """``gate(but="csv")``: the case of this name, or of these names, is for make test, all others for make gate."""
    absent: set[str] = set()
    for item in items:
        for mark in [mark for mark in item.own_markers if mark.name == "gate" and mark.kwargs]:
            kept = [mark.kwargs["but"]] if isinstance(mark.kwargs["but"], str) else mark.kwargs["but"]
            named = {f"{item.nodeid.split('[')[0]}[{case}]" for case in kept}
            absent |= named
            if item.nodeid in named:
                item.own_markers.remove(mark)
    absent -= {item.nodeid for item in items}
    if absent and not any("::" in asked for asked in config.args):  # otherwise not all cases were collected
        raise pytest.UsageError(f"a mark 'gate' leaves cases to make test that are not there: {sorted(absent)}")


def pytest_collection_finish() -> None:
    """Modules and tests live to the end: they are not searched for garbage while tests run."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_unconfigure() -> None:
    gc.unfreeze()  # so that at the end all of it is freed


def _profile(config: pytest.Config) -> str:
    """By its name; a seed explores, since the examples of a repeated run know no seed."""
    named = config.getoption("--hypothesis-profile") or os.environ.get("SHOAL_HYPOTHESIS")
    return str(named or ("explore" if config.getoption("--hypothesis-seed") else "repeat"))


def lacking(what: str, reason: str) -> None:
    """Skip a test that cannot run here, or fail it where SHOAL_REQUIRE (comma-separated) asks for it."""
    required = [name.strip() for name in os.environ.get("SHOAL_REQUIRE", "").split(",")]
    if what in required:
        pytest.fail(f"{reason}, and SHOAL_REQUIRE asks for '{what}'.")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of the public reference sets."""
    folder = os.environ.get("SHOAL_DATA")
    if not folder:
        lacking("data", "SHOAL_DATA is not set: the public reference sets are not here")
    return Path(str(folder))


@pytest.fixture
def ctrl_c_heard() -> Iterator[None]:
    """Here and in processes started from here, also where the suite runs in the background of a shell, deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are wrapped and colored alike wherever the suite runs."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("FORCE_COLOR", "NO_COLOR", "SHOAL_TRACEBACK", "TERMINAL_WIDTH"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def one_key(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every key that is drawn is the same, so that two runs of the suite make the same releases."""
    if not request.node.get_closest_marker("new_keys"):
        monkeypatch.setattr("shoal.sources.key_file.new_secret", lambda: bytes(range(32)))


@pytest.fixture(autouse=True)
def no_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shoal never calls home: a socket other than AF_UNIX fails the test."""
    if request.node.get_closest_marker("loopback"):
        return
    create = socket.socket.__init__

    def guarded(
        self: socket.socket, family: int = -1, kind: int = -1, proto: int = -1, fileno: int | None = None
    ) -> None:
        if fileno is None and family != socket.AF_UNIX:
            pytest.fail("a network socket was opened; Shoal never calls home.")
        create(self, family, kind, proto, fileno)

    monkeypatch.setattr(socket.socket, "__init__", guarded)
