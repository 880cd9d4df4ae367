"""Whatever can be added: the steps of CONTRIBUTING.md are enough, and no file that they edit is for nothing."""

import pytest

from registry.package_copy import PackageCopy, steps_in_contributing
from registry.toys import TOYS


@pytest.mark.parametrize("what", TOYS)
def test_the_steps_are_those_of_contributing(what):
    assert steps_in_contributing(what) == (len(TOYS[what].steps),) * 2


@pytest.mark.gate
@pytest.mark.parametrize("what", TOYS)
def test_the_steps_are_enough(tmp_path, what):
    copy, toy = PackageCopy.of(tmp_path), TOYS[what]
    copy.take(toy.steps)
    if toy.schema:
        assert copy.make_schema() == sorted(toy.schema)
    copy.python(toy.script)


@pytest.mark.long
@pytest.mark.parametrize("what", TOYS)
def test_the_tests_of_its_kind_know_it_and_no_step_is_for_nothing(tmp_path, what):
    copy, toy = PackageCopy.of(tmp_path), TOYS[what]
    copy.take(toy.steps)
    assert copy.make_schema() == sorted(toy.schema)
    assert copy.failure(toy) == ""
    idle = []
    for file in toy.files:
        with copy.without(file):
            idle += [] if copy.failure(toy) else [file]
    assert idle == []
