"""Advice, followed to the letter: which keys a message names, and the policies that it advises.

A message is read as by somebody who does what it says and nothing else: "Set method.k = 5, or require ..." are two
policies. What is read here is the form of words of `shoal.errors`; ``tests/pipeline/test_pipeline_advice.py`` walks it.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

import tomlkit

import shoal.errors
from shoal.methods import METHODS
from shoal.policy import Policy

Content = dict[str, Any]  # of a policy

TABLES = ("method", "suppression", "output", "blocking", "local_suppression", "source", "earlier", "linkage", "warn",
          "limits", "rules", "requirements", "perturbations", "analyses", "columns", "within")  # fmt: skip
VALUE = r"'[^']*'|\"[^\"]*\"|true|false|-?\d[\d.]*(?<!\.)(?:e-?\d+)?|\{[^}]*\}"
DOTTED = re.compile(rf"(?<![\w.])((?:{'|'.join(TABLES)})(?:\[\d+\])?(?:\.[A-Za-z_]\w*)+)")
IN_TABLE = re.compile(
    rf"(?:(?P<before>\b[a-z_]+)`?(?: = (?:{VALUE}))? (?:under|in|to) )?\[+(?P<table>{'|'.join(TABLES)})\]"
)
NAMES = tuple(sorted(("none", *(each.name for each in METHODS if each.name != "none"))))


def all_texts(source: str) -> Iterator[str]:
    """Every text that a module writes, with x for a value; no docstring."""
    tree = ast.parse(source)
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in documents:
            yield as_text(_template(node))


def as_text(pattern: str) -> str:
    return re.sub(r"\\(.)", r"\1", pattern).replace(".*?", "x")


@cache
def sentences() -> dict[str, re.Pattern[str]]:
    """The messages of errors about policies and tables, by constructor, with a gap for every value."""
    found = {}
    for file in ("policy", "column", "release", "table", "taxonomy", "perturbation"):
        source = Path(shoal.errors.__file__).with_name(f"{file}_error.py").read_text(encoding="utf-8")
        for kind in (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)):
            for made in (node for node in kind.body if isinstance(node, ast.FunctionDef)):
                texts = [_template(node.args[0]) for node in ast.walk(made) if _makes(node)]
                if texts and kind.name not in ("ManifestError", "CertificateError"):
                    found[f"{kind.name}.{made.name}"] = re.compile("|".join(texts), re.DOTALL)
    return found


def _makes(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cls" and bool(node.args)


def _template(node: ast.expr) -> str:
    """A pattern of what an expression can be."""
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    return "".join(_template(part) for part in node.values) if isinstance(node, ast.JoinedStr) else ".*?"


@cache
def schema() -> Content:
    return Policy.model_json_schema()


def _resolved(node: Content) -> list[Content]:
    """The tables that a node of the schema can be."""
    if "$ref" in node:
        return _resolved(schema()["$defs"][node["$ref"].rsplit("/", 1)[-1]])
    options = [*node.get("oneOf", ()), *node.get("anyOf", ()), *node.get("allOf", ())]
    if options:
        return [each for option in options for each in _resolved(option)]
    return _resolved(node["items"]) if "items" in node else [node]


def keys_at(path: Sequence[str], method: str) -> set[str]:
    """The keys that a policy of this method has at a place; those of any requirement, perturbation and column."""
    tables = [schema()]
    for at, name in enumerate(path):
        if at == 1 and path[0] == "columns":  # the name of a column
            tables = [each for table in tables for each in _resolved(table["additionalProperties"])]
            continue
        tables = [found for table in tables if name in table.get("properties", {})
                  for found in _resolved(table["properties"][name])]  # fmt: skip
        if path[: at + 1] == ["method"]:
            tables = [each for each in tables if each["properties"]["name"].get("const") == method]
    return {key for table in tables for key in table.get("properties", {})}


@cache
def _keys_of_any(table: str) -> frozenset[str]:
    return frozenset().union(*(keys_at([table], name) for name in NAMES))


def named_keys(message: str) -> set[tuple[str, ...]]:
    """The keys that a message names with their table, as paths without places in lists."""
    found = {tuple(re.sub(r"\[\d+\]", "", text).split(".")) for text in DOTTED.findall(message)}
    for match in IN_TABLE.finditer(message):
        is_key = match["before"] in _keys_of_any(match["table"]) or f"et {match[0]}" in message
        found.add((match["table"], *([match["before"]] if is_key else [])))
    return {path for path in found if path[0] != "columns" or len(path) > 2}


def absent_keys(message: str, method: str) -> set[str]:
    """Keys named in a message that a policy of this method does not have. A key of another method may be named where
    its sentence names that method, too."""
    absent = set()
    message = re.sub(r"[^\s:]+(?=: there is no such key)", "", message)  # what is there is no advice
    for path in named_keys(message):
        sentences = [each for each in re.split(r"(?<=[.;])\s", message) if ".".join(path[-2:]) in each] or [message]
        others = [name for name in NAMES if all(re.search(rf"\b{name}\b", each) for each in sentences)]
        if not any(path[-1] in keys_at(list(path[:-1]), name) for name in (method, *others)):
            absent.add(".".join(path))
    return absent


def changed(policy: Content, path: str, value: Any) -> Content:
    """The policy with another value at a place, such as requirements[0].k; None removes the key."""
    found = copy.deepcopy(policy)
    keys = [int(key) if key.isdigit() else key for key in re.findall(r"[^.\[\]]+", path)]
    table: Any = found
    for key in keys[:-1]:
        table = table.setdefault(key, {}) if isinstance(table, dict) else table[key]
    if value is not None:
        table[keys[-1]] = value
    elif isinstance(table, list) or keys[-1] in table:
        del table[keys[-1]]
    return found


def _from_0(path: str) -> str:
    """A path of a message, which counts the entries of a list from 1."""
    return re.sub(r"\[(\d+)\]", lambda at: f"[{int(at[1]) - 1}]", path)


def _parsed(text: str) -> Any:
    return tomlkit.parse(f"value = {text}").unwrap()["value"]


def _places_of_k(policy: Content) -> list[str]:
    places = [f"requirements[{at}].k" for at, each in enumerate(policy.get("requirements", ())) if "k" in each]
    return [*places, *(["method.k"] if policy.get("method", {}).get("k") else [])]


def _requirements_named(policy: Content, message: str) -> list[int]:
    return [at for at, each in enumerate(policy.get("requirements", ())) if re.search(rf"\b{each['name']}\b", message)]


def advised(message: str, policy: Content) -> Iterator[tuple[str, Content | None]]:
    """Every policy that a message advises, after the words that do; None where these cannot be followed. Of several
    problems each has its own advice."""
    for line in message.split("\n  ")[1:] if " problems.\n" in message else [message]:
        yield from _advised(line, policy)


def _advised(advice: str, policy: Content) -> Iterator[tuple[str, Content | None]]:
    message = advice
    subject = re.match(r"(?:policy(?:\.toml)?, )?([a-z_]+(?:\[\d+\])?(?:\.[^\s:.,]+(?:\[\d+\])?)*)", message)
    where = _from_0(subject[1]) if subject else ""
    column = re.search(r"columns\.([^\s:.,;]+)", message)
    at_column = f"columns.{column[1]}" if column else ""
    for words, path, value in re.findall(
        rf"((?:[Ss]et|or|as) ((?:{'|'.join(TABLES)})(?:\[\d+\])?(?:\.\w+)+) = ({VALUE}))(?! with a method)", advice
    ):
        if path == "method.name":
            yield words, {**policy, "method": {"name": _parsed(value)}}
        else:
            given = _parsed(value)
            added = policy.get(path.split(".")[0], {}).get(path.split(".")[1], {}) if isinstance(given, dict) else {}
            yield words, changed(policy, _from_0(path), {**added, **given} if isinstance(given, dict) else given)
    for words, names in re.findall(r"(with a method that uses its taxonomy \(([\w, ]+);)", advice):
        for name in names.split(", "):
            yield words, {**changed(policy, "output.representation", "extents"), "method": {"name": name}}
    for words, name in re.findall(r"(method\.name = '(\w+)', with output\.representation = 'extents')", advice):
        yield words, {**changed(policy, "output.representation", "extents"), "method": {"name": name}}
    for words, table, key, least in re.findall(r"\b(([a-z_]+)\.(\w+) must be ([\d.]*\d) or more)", advice):
        path = f"{table}.{key}" if table in TABLES else where if where.endswith(f".{key}") else f"{where}.{key}"
        yield words, changed(policy, path, _parsed(least))
    for words, k in re.findall(r"(Require k_anonymity with (?:k = (\d+)|a larger k))", advice):
        size = int(k or 2 * max(_ks(policy), default=1))
        others = [each for each in policy["requirements"] if each["name"] != "k_anonymity"]
        yield words, {**policy, "requirements": [*others, {"name": "k_anonymity", "k": size}]}
    for words, path in re.findall(r"(Declare one as (columns\.\w+\.taxonomy))", advice):
        yield words, changed(policy, path, {"prefixes": [1]})
    if re.search(r"\b[Rr]emove it\b|\bLeave it out\b|there is no such key", advice) and where:
        yield "Remove it", changed(policy, where, None)
    for words, name, k in re.findall(
        r"([Rr]equire k-anonymity: \[\[requirements\]\] name = '(\w+)', k = (\d+))", advice
    ):
        yield words, {**policy, "requirements": [*policy.get("requirements", ()), {"name": name, "k": int(k)}]}
    for words, measure, value in re.findall(r"([Rr]equire (?!k-anon)(\w+) = ([\d.e+-]*\d))", advice):
        for at in _requirements_named(policy, message):
            of_asked = {measure: _parsed(value)}
            yield words, changed(policy, f"requirements[{at}].{measure}", of_asked[measure])
    if re.search(r"\b[Rr]emove the requirement\b", advice):
        rest = [
            each for at, each in enumerate(policy["requirements"]) if at not in _requirements_named(policy, message)
        ]
        yield "Remove the requirement", {**policy, "requirements": rest}
    for words, key in re.findall(r"([Rr]emove (max_level|min_level|the weight|the level|the pseudonym))", advice):
        yield words, changed(policy, f"{at_column}.{key.removeprefix('the ')}", None)
    for words, k in re.findall(r"([Ss]et k = (\d+))", advice):
        yield words, _with_k(policy, lambda _, k=int(k): k)
    for words in re.findall(r"\b[Rr]aise (?:method\.)?k\b", advice):
        yield words, _with_k(policy, lambda k: 2 * k)
    for words in re.findall(r"\b[Ll]ower k\b", advice):
        yield words, _with_k(policy, lambda k: k - 1) if max(map(int, _ks(policy)), default=3) > 2 else policy
    for words, key, value, besides in re.findall(
        r"([Ss]et (kind|role|level) = ('[^']*')( and remove 'order')?)", advice
    ):
        found = changed(policy, f"{at_column}.order", None) if besides else policy
        if column:
            yield words, changed(found, f"{at_column}.{key}", _parsed(value))
    for words, value in re.findall(r"((?:or|give the column) role = ('[^']*'))", advice):
        yield words, changed(policy, f"{at_column}.role", _parsed(value))
    if "set distance = 'equal'" in advice:
        yield "set distance = 'equal'", changed(policy, re.sub(r"\.distance.*", ".distance", where), "equal")
    if "Set blanks = 'value'" in advice:
        yield "Set blanks = 'value'", changed(policy, "local_suppression.blanks", "value")
    if "set kind = 'independent'" in advice:
        yield "set kind = 'independent'", changed(policy, "perturbations[0].kind", "independent")
    for words, names in re.findall(r"((?:[Uu]se|such as) ((?:\w+(?:, | or ))*\w+)(?: with suppression)?\.)", advice):
        for name in (name for name in re.split(r", | or ", names) if name in NAMES):
            yield words, {**policy, "method": {"name": name}}
    for words, table in re.findall(r"([Rr]emove (?:\[(\w+)\]|the perturbations))", advice):
        yield words, changed(policy, table or "perturbations", None)
    if re.search(r"[Rr]emove 'columns' from (?:the|one)|give all requirements the same columns", advice):
        names = [{key: value for key, value in each.items() if key != "columns"} for each in policy["requirements"]]
        yield "remove 'columns'", {**policy, "requirements": names}
    if "Raise max_level" in advice:
        limits = {name: rule["max_level"] + 1 for name, rule in policy["columns"].items() if "max_level" in rule}
        found = policy
        for name, level in limits.items():
            found = changed(found, f"columns.{name}.max_level", level)
        yield "Raise max_level", found
    if "raise method.suppression" in advice:
        yield "raise method.suppression", changed(changed(policy, "method.suppression", 0.9), "suppression.limit", 0.9)


def _ks(policy: Content) -> list[int]:
    return [each["k"] for each in [*policy.get("requirements", ()), policy.get("method", {})] if each.get("k")]


def _with_k(policy: Content, of: Any) -> Content | None:
    """The policy with another k wherever it has one; None where nothing in it has a k."""
    places = _places_of_k(policy)
    for place in places:
        at, key = place.rsplit(".", 1)
        table = policy["method"] if at == "method" else policy["requirements"][int(re.findall(r"\d+", at)[0])]
        policy = changed(policy, place, of(table[key]))
    return policy if places else None


def with_lines(policy: Content, lines: str) -> Content:
    """The policy with lines of TOML, each in its section, in place of a line of the same key; lists grow."""
    found = copy.deepcopy(policy)
    _merge(found, tomlkit.parse(lines).unwrap())
    return found


def _merge(into: Content, added: Content) -> None:
    for key, value in added.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = [*into.get(key, ()), *value] if isinstance(value, list) and key == "requirements" else value
