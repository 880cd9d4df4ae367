"""The net of messages: what a sentence is, what it lets pass, and how it is recorded over several workers."""

from types import SimpleNamespace

import pytest

from golden import messages
from golden.messages import ALL, COMPLETE, PARTIAL, REPEAT, MessageNet, keep, kept, sentence_of
from shoal.errors import PolicyError, SourceError

SENTENCES = [
    (
        "policy.toml, columns.agee: the table has no column 'agee'. Did you mean 'age'? It has: age, sex, zip.",
        "columns.NAME: the table has no column '...'. It has: NAMES.",
    ),
    (
        "/tmp/x/data.csv: there is no such file. Check the path, which is relative to the current folder.",
        "there is no such file. Check the path, which is relative to the current folder.",
    ),
    (
        "method.k must be 5 or more, got 3: k_anonymity requires k = 5.",
        "method.k must be 0 or more, got 0: k_anonymity requires k = 0.",
    ),
    ("policy: 2 problems.\n  seed must be at least 0, got -1.", "0 problems. | seed must be at least 0, got 0."),
    ("X has int64, got 1.5e-3 of [1, 2, 3].", "X has int64, got 0 of [0]."),
    ("Leave out the columns. Then try again.", "Leave out the columns. Then try again."),
    ("pay\x85 is \u202ebad.", r"pay\x85 is \u202ebad."),
]


@pytest.mark.parametrize(("message", "sentence"), SENTENCES)
def test_a_sentence_is_a_message_without_what_changes(message, sentence):
    assert sentence_of(message) == sentence


@pytest.fixture
def drawn(monkeypatch, tmp_path):
    """A net of its own, which knows one sentence."""
    monkeypatch.setattr(messages, "FILE", tmp_path / "messages.txt")
    monkeypatch.setattr(messages.kept, "__defaults__", (messages.FILE,))
    monkeypatch.setattr(messages.keep, "__defaults__", (messages.FILE,))
    keep(COMPLETE, {"this is known."})
    return MessageNet("", REPEAT)


def test_a_message_that_is_not_kept_fails_the_test_and_is_named(drawn):
    drawn.check({"this is known."})
    with pytest.raises(pytest.fail.Exception, match=r"names the cause\.\n  this is new\."):
        drawn.check({"this is known.", "this is new."})
    drawn.check({"this is new."}, is_held=False)  # of make gate


@pytest.mark.parametrize(
    ("head", "renewed", "profile"), [(PARTIAL, "", REPEAT), (COMPLETE, "", "explore"), (COMPLETE, ALL, REPEAT)]
)
def test_no_net_is_drawn_before_all_is_known(drawn, head, renewed, profile):
    keep(head, set())
    assert not MessageNet(renewed, profile).is_drawn


def test_what_workers_found_is_all_that_is_kept(drawn):
    here = SimpleNamespace(config=SimpleNamespace())
    for given_up in (False, True):
        net = MessageNet(ALL, REPEAT)
        for found in ({"one."}, {"two.", "one."}):
            worker, config = MessageNet(ALL, REPEAT), SimpleNamespace(workeroutput={})
            worker.check(found)
            worker.pytest_sessionfinish(SimpleNamespace(config=config), 0)
            net.pytest_testnodedown(SimpleNamespace(workeroutput={} if given_up else config.workeroutput))
        net.pytest_sessionfinish(here, 0)
        assert kept() == (COMPLETE, {"one.", "two."})  # that of a worker that has died would not be all


def test_some_tests_add_to_what_is_kept(drawn):
    net = MessageNet(messages.ADDED, REPEAT)
    net.check({"this is new."})
    net.pytest_sessionfinish(SimpleNamespace(config=SimpleNamespace()), 0)
    assert kept() == (COMPLETE, {"this is known.", "this is new."})


def test_errors_are_heard_when_shoal_makes_them(pytestconfig):
    (net,) = [each for each in pytestconfig.pluginmanager.get_plugins() if isinstance(each, MessageNet)]
    assert net.said == []
    SourceError.same_target()
    PolicyError("made by a test")
    PolicyError.of_all("policy", ["one.", "two."])
    assert net.said[0] == "release, manifest, report and mapping must be different files."
    assert net.said[1:] == ["policy: 2 problems.", "one.", "two."]
    net.said.clear()
