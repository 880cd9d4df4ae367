"""A policy to start from, with the reason for every guess as a comment. Nothing of it is applied by itself."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.schema.suggest import Suggestion

FIRST_K = 5


def propose(name: str, suggestions: Sequence[Suggestion], missing: Sequence[str] = ()) -> str:
    """The text of a policy.toml for the file ``name``."""
    import tomlkit
    from tomlkit import comment, document, nl, table

    policy = document()
    for line in (
        f"A first policy for {name}, guessed from names and values: read every line before you use it.",
        f"Then: shoal protect {name} --policy policy.toml --output release.csv",
    ):
        policy.add(comment(line))
    policy.add(nl())
    policy["seed"] = 0
    policy["seed"].comment("same policy, same data, same seed: same release")

    if missing:
        source = table()
        source["missing"] = ["", *missing]
        source["missing"].comment("these words were seen; do they all mean 'not known'?")
        policy["source"] = source

    requirements = tomlkit.aot()
    requirement = table()
    requirement["name"] = "k_anonymity"
    requirement["k"] = FIRST_K
    requirement["k"].comment("every record shares its quasi-identifiers with k - 1 others")
    requirements.append(requirement)
    sensitive = [s.name for s in suggestions if s.role == "sensitive"]
    policy["requirements"] = requirements
    policy["method"] = _method()
    policy["suppression"] = _suppression()
    policy["columns"] = _columns(suggestions)
    text = tomlkit.dumps(policy)
    return text + _diversity_hint(sensitive)


def _method() -> object:
    from tomlkit import table

    method = table()
    method["name"] = "mdav"
    method["name"].comment("microaggregation: groups of k alike records, released as their centroid")
    return method


def _suppression() -> object:
    from tomlkit import table

    suppression = table()
    suppression["limit"] = 0.0
    suppression["limit"].comment("share of the records that may be dropped where a requirement fails otherwise")
    return suppression


def _columns(suggestions: Sequence[Suggestion]) -> object:
    from tomlkit import comment, table

    columns = table(is_super_table=True)
    for suggestion in suggestions:
        column = table()
        column.add(comment(suggestion.reason))
        column["role"] = suggestion.role
        column["kind"] = suggestion.kind
        columns[suggestion.name] = column
    return columns


def _diversity_hint(sensitive: Sequence[str]) -> str:
    if not sensitive:
        return ""
    from tomlkit import string

    name = string(sensitive[0]).as_string()  # quoted, on one line, whatever is in it
    return (
        f"\n# To ask also that every class shows several values of {name}:\n"
        f'# [[requirements]]\n# name = "distinct_l_diversity"\n# l = 2\n# column = {name}\n'
    )
