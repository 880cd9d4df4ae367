"""What a policy can name is registered once, and has an example that the tests of all of them take."""

import re
from importlib import import_module
from inspect import isabstract
from pathlib import Path
from pkgutil import walk_packages

import pytest

import method_examples
import perturbation_examples
import requirement_examples
import shoal
from shoal import methods, requirements
from shoal.errors import PolicyError
from shoal.methods import METHODS, perturbation
from shoal.methods.method import Method
from shoal.methods.perturbation import PERTURBATIONS
from shoal.methods.perturbation.perturbation_method import PerturbationMethod
from shoal.policy import json_schema, load
from shoal.report.words import requirement_words
from shoal.requirements import REQUIREMENTS
from survey_example import survey_policy

REGISTERED = [
    (METHODS, method_examples.METHODS),
    (PERTURBATIONS, perturbation_examples.PERTURBATIONS),
    (REQUIREMENTS, requirement_examples.REQUIREMENTS),
]
KEYS = ["method", "perturbations", "requirements"]


@pytest.mark.parametrize(("classes", "found"), REGISTERED, ids=KEYS)
def test_every_class_has_an_example_and_every_example_a_class(classes, found):
    assert sorted(found) == sorted(each.name for each in classes)


@pytest.mark.parametrize(
    "example", requirement_examples.REQUIREMENTS.values(), ids=list(requirement_examples.REQUIREMENTS)
)
def test_an_example_of_a_requirement_is_one_of_its_class(example):
    name = example.written["name"]
    (known,) = (each for each in REQUIREMENTS if each.name == name)
    listed = [*example.laws, *example.mergers, *example.proved, *example.cut]
    assert {type(each) for each in (example.read, example.of_s, *listed)} == {known}
    assert {entry["name"] for entry in (example.written, *example.survey, *example.loose)} == {name}


def classes_in(package):
    """Every class that is defined below a package."""
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        for each in vars(import_module(module.name)).values():
            if isinstance(each, type) and each.__module__ == module.name:
                yield each


@pytest.mark.parametrize(
    ("package", "is_one", "registered"),
    [
        (methods, lambda each: issubclass(each, Method), METHODS),
        (perturbation, lambda each: issubclass(each, PerturbationMethod), PERTURBATIONS),
        (requirements, lambda each: hasattr(each, "holds") and not each.__dict__.get("_is_protocol"), REQUIREMENTS),
    ],
    ids=KEYS,
)
def test_nothing_that_is_written_is_left_unregistered(package, is_one, registered):
    written = {each for each in classes_in(package) if is_one(each) and not isabstract(each)}
    assert written == set(registered)


@pytest.mark.parametrize(("key", "classes"), list(zip(KEYS, (METHODS, PERTURBATIONS, REQUIREMENTS), strict=True)))
def test_the_schema_and_a_complaint_name_them_all(key, classes):
    at = json_schema()["properties"][key]
    names = [each.name for each in classes]
    assert [one["$ref"].rsplit("/", 1)[-1] for one in at.get("items", at)["oneOf"]] == [c.__name__ for c in classes]
    strange = {"name": "nothing"}
    with pytest.raises(PolicyError, match=f"It can be: {re.escape(', '.join(sorted(names)))}"):
        load(survey_policy() | {key: strange if key == "method" else [strange]})


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=lambda each: each.name)
def test_the_report_calls_a_requirement_by_its_title(requirement):
    words = requirement_words(requirement.name)
    assert (words.name, words.symbol) == (requirement.title, requirement.measure)
    assert requirement.measure in requirement.__dataclass_fields__


def test_the_report_of_a_release_with_an_unknown_requirement_keeps_its_name():
    words = requirement_words("some_promise")
    assert (words.name, words.symbol) == ("some promise", "value")


def test_no_stage_asks_for_the_class_of_a_requirement():
    """Whoever needs to know something of a requirement asks the requirement."""
    names = "|".join(each.__name__ for each in REQUIREMENTS)
    asks = re.compile(rf"isinstance\([^)]*\b({names})\b|case ({names})\(")
    folder = Path(str(shoal.__file__)).parent
    assert [path.name for path in folder.rglob("*.py") if asks.search(path.read_text(encoding="utf-8"))] == []
