"""What the manifest beside a release states: compared with the file where that can be, taken over and said where not.

the manifest, the policy, the cells -> faults; sentences on what was taken over

A manifest is as little trusted as the file. Its hash of the file, its counts and its k are counted again. Decimals,
steps and grids of columns are promises on how values were rounded: the file is checked against them, but nobody can
see in the file alone that these are the right ones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from shoal.verifier.cells import Cells
from shoal.verifier.counting import Counter
from shoal.verifier.policy import CALENDAR, Asked, Rule
from shoal.verifier.readings import amount, moment
from shoal.verifier.refused import RefusedError
from shoal.verifier.structure import grid_faults, places

MICROSECONDS = 86_400 * 10**6  # of a day


@dataclass(frozen=True)
class Manifest:
    """The entries of a manifest that speak of the file."""

    name: str
    content: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def beside(cls, release: Path) -> Manifest | None:
        """That named after the release, else that of its folder where it describes the release; None: there is none."""
        stem = release.name
        for suffix in reversed(release.suffixes):
            stem = stem.removesuffix(suffix)
        named, of_folder = release.with_name(f"{stem}.manifest.json"), release.with_name("manifest.json")
        if named.exists() and ((found := cls.read(named)).describes(release) or not found.describes_another(release)):
            return found
        if of_folder.exists() and (found := cls.read(of_folder)).describes(release):
            return found
        return None

    @classmethod
    def read(cls, path: Path) -> Manifest:
        try:
            content = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        except (OSError, ValueError):
            raise RefusedError(f"{path.name} is no manifest") from None
        if not isinstance(content, dict) or not isinstance(content.get("output"), dict):
            raise RefusedError(f"{path.name} is no manifest")
        return cls(path.name, content)

    def describes(self, release: Path) -> bool:
        output = self.content["output"]
        return bool(output.get("path") == release.name or output.get("sha256") == digest(release))

    def describes_another(self, release: Path) -> bool:
        """Whether it describes another file that lies beside the release."""
        name = self.content["output"].get("path")
        return isinstance(name, str) and release.with_name(Path(name).name).exists()

    def is_of(self, asked: Asked) -> bool:
        """Whether it describes a release under this policy, as far as a manifest shows the policy."""
        if "policy" not in self.content:
            return True
        policy = self.content["policy"]
        roles = {name: entry.get("role") for name, entry in policy.get("columns", {}).items()}
        form, within = policy.get("representation"), tuple(policy.get("within", ()))
        own, stated = {name: column.role for name, column in asked.columns.items()}, policy.get("requirements", ())
        same = (roles, form, within, len(stated)) == (own, asked.form, asked.within, len(asked.rules))
        return same and all(map(_is_same_rule, stated, asked.rules))

    def of_columns(self, key: str) -> Mapping[str, Any]:
        """The entries of all columns: decimals, steps or grids."""
        found = self.content.get(key, {})
        if not isinstance(found, dict):
            raise RefusedError(f"{self.name} states {key} in a way that the verifier does not know")
        return found


def _is_same_rule(entry: Mapping[str, Any], rule: Rule) -> bool:
    """Whether a manifest states this requirement, with its figures."""
    numbers = {key: value for key, value in entry.items() if isinstance(value, int | Decimal) and key in rule.figures}
    return entry.get("name") == rule.name and all(
        float(rule.figures[key]) == float(value) for key, value in numbers.items()
    )


def digest(path: Path) -> str:
    """SHA-256 of a file; of a folder, of the hashes of its files."""
    if path.is_dir():
        return ""
    found = hashlib.sha256()
    with path.open("rb") as stream:
        while some := stream.read(1 << 20):
            found.update(some)
    return found.hexdigest()


def count_faults(manifest: Manifest, release: Path | None, cells: Cells, sizes: tuple[int, int]) -> Iterator[str]:
    """Figures of the manifest that the file does not have. ``sizes``: the number of classes, and the smallest; 0:
    not counted."""
    n_records, (n_classes, k) = cells.n_records, sizes
    output, counts = manifest.content["output"], manifest.content.get("counts", {})
    is_file = release is not None and not release.is_dir() and "sha256" in output
    if release and is_file and output["sha256"] != digest(release):
        yield f"{release.name} is not the file that {manifest.name} describes (SHA-256 differs)"
    found = {
        "n_records of the release": (output.get("n_records"), n_records),
        "n_columns of the release": (output.get("n_columns"), len(cells.names)),
        "n_released": (counts.get("n_released"), n_records),
    }
    if n_classes:
        found["n_classes"] = counts.get("n_classes"), n_classes
    if k:
        found["k_reached"] = manifest.content.get("k_reached"), k
    for what, (said, seen) in found.items():
        if said is not None and said != seen:
            yield f"{manifest.name} states {what} = {said}, the file has {seen}"
    listed = [entry for entry in manifest.content.get("files", ()) if entry.get("what") == "release"]
    if any(entry.get("sha256") != output.get("sha256") for entry in listed):
        yield f"{manifest.name} states two hashes of the release"
    total, suppressed = counts.get("n_records"), counts.get("n_suppressed")
    if total is not None and suppressed is not None and total - suppressed != n_records:
        yield f"{manifest.name} states {total} records of which {suppressed} are suppressed; the file has {n_records}"


def promised_faults(counter: Counter, asked: Asked, manifest: Manifest | None) -> Iterator[tuple[bool, str]]:
    """Of each column that promises decimals, steps or a grid: (True, a fault), or (False, what is only stated)."""
    said = manifest or Manifest("")
    for name, column in asked.columns.items():
        if name not in counter.cells:
            continue
        stated = said.of_columns("decimals").get(name)
        limits = [each for each in (column.decimals, stated) if each is not None]
        if (column.is_mean and column.kind == "numeric") or stated is not None:
            yield from _decimals(counter, name, limits, is_declared=column.decimals is not None)
        step = said.of_columns("steps").get(name)
        if step is not None:
            yield from _steps(counter, asked, name, step)
        if column.is_on_grid:
            yield from _grid(counter, asked, name, said.of_columns("grids").get(name))


def _decimals(counter: Counter, name: str, limits: list[Any], *, is_declared: bool) -> Iterator[tuple[bool, str]]:
    if not limits:
        yield False, f"{name}: neither policy nor manifest says how many digits its numbers may have"
        return
    if not all(isinstance(each, int) for each in limits):
        raise RefusedError(f"the decimals stated of {name!r} are no whole number")
    finer = sum((found := places(text)) is None or found > min(limits) for text in counter.texts(name))
    if finer:
        yield True, f"the column {name!r} has {finer} values with more digits than decimals = {min(limits)}"
    elif not is_declared:
        yield False, f"{name}: its means have {min(limits)} decimals, as its values are said to have"


def _steps(counter: Counter, asked: Asked, name: str, entry: Any) -> Iterator[tuple[bool, str]]:
    try:
        step, offset = Fraction(entry["step"]), Fraction(entry["offset"])
        of_times = entry.get("unit") == "microseconds"
    except (KeyError, TypeError, ValueError, ZeroDivisionError, AttributeError):
        raise RefusedError(f"the steps stated of {name!r} cannot be read") from None
    if not 0 <= offset < step:
        raise RefusedError(f"the steps stated of {name!r} cannot be read")
    n = 0
    for text in counter.texts(name):
        at = moment(text, asked.date_format) if of_times else None
        number = (at * MICROSECONDS if at is not None else None) if of_times else _exact(text)
        n += number is None or not _is_step(number, step, offset)
    if n:
        yield True, f"the column {name!r} has {n} values off the steps of {float(step):g}"
    else:
        yield False, f"{name}: its values are steps of {float(step):g}{' microseconds' if of_times else ''}"


def _exact(text: str) -> Fraction | None:
    found = amount(text)
    return None if found is None else Fraction(text.replace(",", ".").strip())


def _is_step(number: Fraction, step: Fraction, offset: Fraction) -> bool:
    """Whether a number is the offset and a multiple of the step, or the nearest float of one."""
    nearest = round((number - offset) / step) * step + offset
    return number == nearest or float(number) == float(nearest)


def _grid(counter: Counter, asked: Asked, name: str, entry: Any) -> Iterator[tuple[bool, str]]:
    column = asked.columns[name]
    if entry is None:
        if column.grid is None:
            yield False, f"{name}: neither policy nor manifest says where its intervals may end"
            return
        entry = {"step": column.grid}
    try:
        step = entry["step"] if entry["step"] in CALENDAR else Fraction(entry["step"])
        low, high = (None if entry.get(end) is None else Fraction(entry[end]) for end in ("low", "high"))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise RefusedError(f"the grid stated of {name!r} cannot be read") from None
    if isinstance(step, Fraction) and step <= 0:
        raise RefusedError(f"the grid stated of {name!r} has a step that is not above 0")
    shown = step if isinstance(step, str) else f"{float(step):g}"
    if column.grid is not None and step != column.grid and not _is_same(step, column.grid):
        yield True, f"the manifest says that intervals of {name!r} end on a grid of {shown}, the policy says another"
    faults = list(grid_faults(counter, column, (step, low, high)))
    yield from ((True, fault) for fault in faults)
    if not faults and column.grid is None:
        yield False, f"{name}: its intervals end on a grid of {shown}"


def _is_same(one: Fraction | str, other: Fraction | str) -> bool:
    return isinstance(one, Fraction) and isinstance(other, Fraction) and float(one) == float(other)
