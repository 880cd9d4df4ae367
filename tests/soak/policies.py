"""Policies: what is loaded comes back as it was, all else is refused by naming a key."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tomlkit
from hypothesis import given, note
from hypothesis import strategies as st

import method_examples
import perturbation_examples
import requirement_examples
from shoal.errors import ShoalError
from shoal.policy import Policy, dump, json_schema, load
from soak.mutations import damaged, disturbed, places
from survey_example import survey_policy

METHODS = [entry for example in method_examples.METHODS.values() for entry in (example.written, *example.runs)]
REQUIREMENTS = [example.surveyed or example.written for example in requirement_examples.REQUIREMENTS.values()]
PERTURBATIONS = [entry for example in perturbation_examples.PERTURBATIONS.values() for entry in example.survey]
SOURCE = {"delimiter": ";", "encoding": "cp1252", "decimal": ",", "missing": ["", "NA"], "date_format": "%d.%m.%Y"}
KEYS = {str(key) for path in places(json_schema()) for key in path}


@st.composite
def policies(draw: st.DrawFn) -> dict[str, Any]:
    """A policy that fits together, but for what names too small a k."""
    policy = survey_policy(requirements=draw(st.lists(st.sampled_from(REQUIREMENTS), max_size=3)))
    parts = {
        "method": st.sampled_from(METHODS),
        "perturbations": st.lists(st.sampled_from(PERTURBATIONS), max_size=2),
        "source": st.just(SOURCE),
        "blocking": st.just({"method": "twod_tree", "limit": 5000, "repair": True}),
        "suppression": st.just({"limit": 0.25}),
        "output": st.just({"shuffle": True, "representation": "extents", "ends": True, "permute": True}),
        "within": st.just(["zip"]),
        "local_suppression": st.just({"importance": {"age": 2.0}, "blanks": "value"}),
        "seed": st.just(7),
    }
    return policy | {key: draw(part) for key, part in parts.items() if draw(st.booleans())}


def loaded(source: Any) -> Policy | None:
    try:
        return load(source)
    except ShoalError as error:
        complaint = str(error)
    words = set(re.split(r"[\s.,:;'\"=()\[\]]+", complaint))
    assert words & (KEYS | {"policy", "toml"}), f"no key is named: {complaint}"
    note(complaint)
    return None


def there_and_back(policy: Policy) -> None:
    again = load(tomlkit.parse(dump(policy)).unwrap())
    assert repr(again.model_dump()) == repr(policy.model_dump())  # which takes NaN for NaN


@given(st.data())
def fuzz(data: st.DataObject) -> None:
    policy = data.draw(policies())
    if data.draw(st.booleans()):
        found = loaded(data.draw(disturbed(policy)))
    else:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "policy.toml"
            path.write_bytes(data.draw(damaged(tomlkit.dumps(policy).encode())))
            found = loaded(path)
    if found is not None:
        there_and_back(found)
