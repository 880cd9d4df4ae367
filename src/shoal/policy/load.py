"""Reading and writing of policy.toml. Error messages name the file, the key and the remedy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from shoal.blocking.som.map_rules import MapRules
from shoal.errors import PolicyError, listed, nearest
from shoal.methods import METHODS
from shoal.methods.perturbation import PERTURBATIONS
from shoal.policy.key_descriptions import key_descriptions
from shoal.policy.key_path import key_path
from shoal.policy.policy import Policy
from shoal.policy.types_of_keys import wrong_types_in

TYPE_TAG = re.compile(r"literal\[.*\]|(constrained-)?(int|float|str|bool)")  # of a key that may be of several types
KEY_TWICE = re.compile(r'Key "(.*)" already exists')  # a message of tomlkit
LINE = re.compile(r"at line (\d+)")  # in a message of tomllib
EXPECTED = {"int_parsing": "a whole number", "float_parsing": "a number"}  # instead of a text, by the names of pydantic
BOUNDS = {  # of numbers, by the names of pydantic
    "greater_than": "above",
    "greater_than_equal": "at least",
    "less_than": "below",
    "less_than_equal": "at most",
}
TABLES_WITH_NAME = {"method", "perturbations", "requirements"}  # tables whose ``name`` selects the model


def load(policy: Policy | Mapping[str, Any] | str | Path, rules: str | Path | None = None) -> Policy:
    """A policy from a policy.toml or from a dictionary of the same shape; a Policy is returned as it is. ``rules``: the
    file of rules that users wrote, which may run."""
    return _read(policy) if rules is None else _read(policy).with_rules(rules)


def _read(policy: Policy | Mapping[str, Any] | str | Path) -> Policy:
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, Mapping):
        return _validate("policy", {**policy}).given_as(deepcopy({**policy}))
    path = Path(policy)
    return load_text(_text(path), path)


def load_text(text: str, file: Path | None = None) -> Policy:
    """A policy from the text of a policy.toml; ``file``: where it is, or will be, kept."""
    where = file.name if file else "policy"
    policy = _validate(where, parsed(text, where)).given_as(text)
    return policy.read_from(file) if file else policy


def dump(policy: Policy) -> str:
    """The policy as the text of a policy.toml."""
    import tomlkit

    content = policy.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    written = content.keys() | {"method"}  # left out, it may be another one: see Policy
    named = policy.model_dump(mode="json", exclude_none=True, include=TABLES_WITH_NAME & written)
    return tomlkit.dumps(content | named)  # ``name`` is a default, but is needed to select the class


def text_as_given(policy: Policy) -> str:
    """The policy as its author wrote it, so that whoever proves a release reads it anew; where there is no such text,
    as it was read."""
    import tomlkit

    if isinstance(policy.given, str):
        return policy.given
    try:
        return dump(policy) if policy.given is None else tomlkit.dumps(_plain(policy.given))
    except (TypeError, ValueError):  # a dictionary may hold objects of Shoal
        return dump(policy)


def _plain(content: Any) -> Any:
    """Tables and lists as TOML has them: it has no missing value and no path."""
    if isinstance(content, Mapping):
        return {str(key): _plain(value) for key, value in content.items() if value is not None}
    if isinstance(content, list | tuple):
        return [_plain(value) for value in content]
    return str(content) if isinstance(content, Path) else content


def json_schema() -> dict[str, Any]:
    """JSON Schema of policy.toml, for completion and validation in editors."""
    return deepcopy(_schema())


@cache
def _schema() -> dict[str, Any]:
    """The same, built once; whoever reads it does not change it."""
    schema = Policy.model_json_schema()
    for key in ("requirements", "perturbations"):
        for reference in _models_by_name(schema, key).values():  # ``name`` selects the model, so it is required
            schema["$defs"][reference.rsplit("/", 1)[-1]].setdefault("required", []).append("name")
    for cls in (*METHODS, *PERTURBATIONS, MapRules):
        for key, meaning in key_descriptions(cls).items():
            schema["$defs"][cls.__name__]["properties"][key].setdefault("description", meaning)
    return schema


def parsed(text: str, where: str) -> dict[str, Any]:
    """The tables of a policy.toml, not validated yet; ``where``: the name of its file."""
    import tomlkit
    from tomlkit.exceptions import KeyAlreadyPresent, ParseError

    try:
        return tomlkit.parse(text).unwrap()
    except (KeyAlreadyPresent, ParseError) as reason:
        twice = KEY_TWICE.search(str(reason))
        if twice:
            raise PolicyError.key_twice(where, _line_of_error(text), twice[1]) from None
        raise PolicyError.no_toml(where, str(reason)) from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as reason:
        raise PolicyError.unreadable(path, reason.strerror or "unreadable") from None
    except UnicodeDecodeError:
        raise PolicyError.unreadable(path, "it is not UTF-8 text") from None


def _line_of_error(text: str) -> int:
    """The line that is not valid TOML; tomlkit does not always say it."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as reason:
        if found := LINE.search(str(reason)):
            return int(found[1])
    return len(text.splitlines())


def _validate(where: str, content: dict[str, Any]) -> Policy:
    """The policy; raises one PolicyError that names everything wrong with its keys."""
    wrong_types = {found.key: found.error for found in wrong_types_in(content, _schema())}
    try:
        policy, others = Policy.model_validate(content), list[Any]()
    except ValidationError as invalid:
        others = [error for error in invalid.errors() if _written_key(error["loc"]) not in wrong_types]
    if wrong_types or others:
        raise PolicyError.of_all(where, [*map(str, wrong_types.values()), *_messages(others)])
    return policy


def _messages(errors: Sequence[Any]) -> list[str]:
    """One message for each key; a key that may be of several types has one error for each of them."""
    by_key: dict[str, list[Any]] = {}
    for error in errors:
        by_key.setdefault(_written_key(error["loc"]), []).append(error)
    return [
        message
        for key, found in by_key.items()
        for message in ([_wrong_type(key, found)] if all(_expected(error) for error in found) else map(_message, found))
    ]


def _wrong_type(key: str, errors: Sequence[Any]) -> str:
    expected = list(dict.fromkeys(text for error in errors if (text := _expected(error))))
    return str(PolicyError.wrong_type(key, expected, errors[0]["input"]))


def _expected(error: Any) -> str | None:
    """What should be there instead of a value of another type; None for errors of another sort."""
    if error["type"] == "literal_error":
        return str(error["ctx"]["expected"])
    return EXPECTED.get(error["type"])


def _message(error: Any) -> str:
    """A validation error of pydantic in Shoal's wording, starting with the key."""
    key = _written_key(error["loc"])
    if error["type"] == "value_error":
        return f"{key}: {error['ctx']['error']}" if key else str(error["ctx"]["error"])
    if error["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        known = _known_keys(error["loc"][:-1])
        return f"{key}: there is no such key.{nearest(str(error['loc'][-1]), known)} It can be: {listed(known)}."
    if error["type"] in ("union_tag_not_found", "union_tag_invalid"):
        got, known = error["ctx"].get("tag"), list(_models_by_name(_schema(), error["loc"][0]))
        is_ = f"is {got!r}.{nearest(got, known)}" if got else "is missing."
        return f"{key}.name {is_} It can be: {listed(known, most=len(known))}."
    if error["type"] == "missing":
        return f"{key} is missing. Add it."
    if (bound := BOUNDS.get(error["type"])) is not None:
        return _out_of_range(key, bound, next(iter(error["ctx"].values())), error["input"])
    return f"{key}: {error['msg'][0].lower()}{error['msg'][1:]}."


def _out_of_range(key: str, bound: str, limit: float, got: float) -> str:
    """A share that was written in percent gets the number that was meant."""
    meant = f" For {got:g} %, write {got / 100:g}." if bound == "at most" and limit == 1 and 1 < got <= 100 else ""
    return f"{key} must be {bound} {limit:g}, got {got:g}.{meant}"


def _written_key(location: tuple[int | str, ...]) -> str:
    """The key of the file, without the tags that pydantic adds for the method, requirement or type it selected."""
    tag_at = {"method": 1, "perturbations": 2, "requirements": 2}.get(str(location[0])) if location else None
    return key_path(part for at, part in enumerate(location) if at != tag_at and not TYPE_TAG.fullmatch(str(part)))


def _models_by_name(schema: dict[str, Any], key: str) -> dict[str, str]:
    """References to the definitions of methods, perturbations or requirements in the schema, by name."""
    at = schema["properties"][key]
    mapping: dict[str, str] = at.get("items", at)["discriminator"]["mapping"]
    return mapping


def _known_keys(location: tuple[int | str, ...]) -> list[str]:
    """The keys allowed in the table at ``location``, from the exported schema."""
    schema = _schema()
    at: Any = schema
    for part in location:
        at = _schema_at(schema, at, part)
    return list(_dereference(schema, at).get("properties", ()))


def _schema_at(schema: dict[str, Any], at: Any, part: int | str) -> Any:
    at = _dereference(schema, at)
    if isinstance(part, int):
        return at["items"]
    if "mapping" in at.get("discriminator", {}):
        return {"$ref": at["discriminator"]["mapping"][part]}
    return at["properties"][part] if part in at.get("properties", {}) else at.get("additionalProperties", {})


def _table_of(choices: Sequence[Any]) -> Any:
    """The table among several shapes that a key may have; the first of them where none is a table."""
    return next((choice for choice in choices if "$ref" in choice), choices[0])


def _dereference(schema: dict[str, Any], at: Any) -> Any:
    while isinstance(at, dict) and ("$ref" in at or "anyOf" in at):
        at = _table_of(at["anyOf"]) if "anyOf" in at else schema["$defs"][at["$ref"].rsplit("/", 1)[-1]]
    return at if isinstance(at, dict) else {}
