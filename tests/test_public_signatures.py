"""Public functions have one order of arguments, one word per thing, and one type of result.

Data come first, then k or the requirements; whatever has a default is given by its name.
"""

import inspect
import typing

import pytest

import shoal
from namespaces import names_of

DATA = {
    "X", "x", "codes", "matrix", "counts", "table", "schema", "tree", "queries", "original", "released", "partition",
    "regions", "households", "units", "keys", "risks", "f", "population", "manifest", "text",
    "class_sizes", "sampling_fraction", "page",
}  # fmt: skip
ASKED = {"k", "requirements", "policy", "policies", "base"}
POSITIONAL = {
    ("assess", "policy"),
    ("check_page", "policy"),
    ("blocking_table", "policy"),
    ("link", "policy"),
    ("profile", "policy"),
    ("read", "source"),
    ("read", "options"),
}  # with a default all the same
OTHER_WORDS = {
    "wanted", "data", "records", "values", "points", "given", "rng", "random_state", "n_threads", "timeout", "budget",
}  # fmt: skip


def functions() -> dict[str, typing.Any]:
    spaces = (getattr(shoal, name) for name in shoal.__all__ if inspect.ismodule(getattr(shoal, name)))
    modules = [shoal, *(space for space in spaces if space.__name__ not in ("shoal.datasets", "shoal.errors"))]
    found = {name: getattr(module, name) for module in modules for name in names_of(module)}
    return {name: each for name, each in found.items() if inspect.isfunction(each)}


@pytest.mark.parametrize("name", sorted(functions()))
def test_what_has_a_default_is_given_by_name(name):
    for parameter in inspect.signature(functions()[name]).parameters.values():
        has_default = parameter.default is not parameter.empty
        if (name, parameter.name) not in POSITIONAL:
            assert has_default == (parameter.kind is parameter.KEYWORD_ONLY) or not has_default, parameter


@pytest.mark.parametrize("name", sorted(functions()))
def test_data_come_first_then_what_is_asked(name):
    parameters = inspect.signature(functions()[name]).parameters.values()
    leading = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    leading = [each for each in leading if (name, each) not in POSITIONAL]
    data = [each for each in leading if each not in ASKED]
    assert set(data) <= DATA
    assert leading == data + [each for each in leading if each in ASKED]


@pytest.mark.parametrize("name", sorted(functions()))
def test_one_word_means_one_thing(name):
    annotations = {each: str(what) for each, what in inspect.get_annotations(functions()[name]).items()}
    assert not annotations.keys() & OTHER_WORDS
    words = {
        "k": ("int",),
        "seed": ("int",),
        "threads": ("int | None",),
        "seconds": ("float", "float | None"),
        "requirements": ("Sequence[Requirement]",),
        "policy": ("PolicyLike", "PolicyLike | None", "Schema | PolicyLike | None", "str | Path"),
        "key": ("KeyLike | None",),
        "schema": ("Schema",),
        "X": ("ArrayLike",),
    }
    for word, meanings in words.items():
        assert annotations.get(word, meanings[0]) in meanings, word


@pytest.mark.parametrize("name", sorted(functions()))
def test_the_type_of_a_result_does_not_depend_on_an_argument(name):
    function = functions()[name]
    assert not typing.get_overloads(function)
    assert "|" not in str(inspect.get_annotations(function)["return"])
