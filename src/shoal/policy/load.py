"""Reading and writing of policy.toml. Error messages name the file, the key and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from shoal.errors import PolicyError, listed, nearest
from shoal.policy.policy import Policy

TABLES_WITH_NAME = {"method", "perturbations", "requirements"}  # tables whose ``name`` selects the model


def load(policy: Policy | Mapping[str, Any] | str | Path) -> Policy:
    """A policy from a policy.toml or from a dictionary of the same shape; a Policy is returned as it is."""
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, Mapping):
        return _validate("policy", {**policy})
    path = Path(policy)
    return _validate(path.name, _parse(path)).read_from(path)


def load_text(text: str) -> Policy:
    """A policy from the text of a policy.toml."""
    import tomlkit

    return _validate("policy", tomlkit.parse(text).unwrap())


def dump(policy: Policy) -> str:
    """The policy as the text of a policy.toml."""
    import tomlkit

    content = policy.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    named = policy.model_dump(mode="json", exclude_none=True, include=TABLES_WITH_NAME & content.keys())
    return tomlkit.dumps(content | named)  # ``name`` is a default, but is needed to select the class


def json_schema() -> dict[str, Any]:
    """JSON Schema of policy.toml, for completion and validation in editors."""
    schema = Policy.model_json_schema()
    for key in ("requirements", "perturbations"):
        for reference in _models_by_name(schema, key).values():  # ``name`` selects the model, so it is required
            schema["$defs"][reference.rsplit("/", 1)[-1]].setdefault("required", []).append("name")
    return schema


def _parse(path: Path) -> dict[str, Any]:
    import tomlkit
    from tomlkit.exceptions import KeyAlreadyPresent, ParseError

    try:
        return tomlkit.parse(path.read_text(encoding="utf-8")).unwrap()
    except OSError as reason:
        raise PolicyError.unreadable(path, reason.strerror or "unreadable") from None
    except UnicodeDecodeError:
        raise PolicyError.unreadable(path, "it is not UTF-8 text") from None
    except KeyAlreadyPresent as reason:
        raise PolicyError.key_twice(path.name, str(reason)) from None
    except ParseError as reason:
        if "already exists" in str(reason):
            raise PolicyError.key_twice(path.name, f"{reason}.") from None
        raise PolicyError.no_toml(path.name, str(reason)) from None


def _validate(where: str, content: dict[str, Any]) -> Policy:
    try:
        return Policy.model_validate(content)
    except ValidationError as invalid:
        raise PolicyError(f"{where}, " + " ".join(_message(error) for error in invalid.errors())) from None


def _message(error: Any) -> str:
    """A validation error of pydantic in Shoal's wording, starting with the key."""
    key = ".".join(_key(error["loc"]))
    if error["type"] == "value_error":
        return f"{key}: {error['ctx']['error']}" if key else str(error["ctx"]["error"])
    if error["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        known = _known_keys(error["loc"][:-1])
        return f"{key}: there is no such key.{nearest(str(error['loc'][-1]), known)} It can be: {listed(known)}."
    if error["type"] in ("union_tag_not_found", "union_tag_invalid"):
        got, known = error["ctx"].get("tag"), list(_models_by_name(json_schema(), error["loc"][0]))
        is_ = f"is {got!r}.{nearest(got, known)}" if got else "is missing."
        return f"{key}.name {is_} It can be: {listed(known)}."
    if error["type"] == "missing":
        return f"{key} is missing. Add it."
    return f"{key}: {error['msg'][0].lower()}{error['msg'][1:]}."


def _key(location: tuple[int | str, ...]) -> list[str]:
    """The key as in the file, without the tag that pydantic adds for the method or requirement it selected."""
    tag_at = {"method": 1, "perturbations": 2, "requirements": 2}.get(str(location[0])) if location else None
    return [str(part) for at, part in enumerate(location) if at != tag_at]


def _models_by_name(schema: dict[str, Any], key: str) -> dict[str, str]:
    """References to the definitions of methods, perturbations or requirements in the schema, by name."""
    at = schema["properties"][key]
    mapping: dict[str, str] = at.get("items", at)["discriminator"]["mapping"]
    return mapping


def _known_keys(location: tuple[int | str, ...]) -> list[str]:
    """The keys allowed in the table at ``location``, from the exported schema."""
    schema = json_schema()
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


def _dereference(schema: dict[str, Any], at: Any) -> Any:
    while isinstance(at, dict) and ("$ref" in at or "anyOf" in at):
        at = at["anyOf"][0] if "anyOf" in at else schema["$defs"][at["$ref"].rsplit("/", 1)[-1]]
    return at if isinstance(at, dict) else {}
