"""Bytes, and trees of keys and values, a little damaged."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

TELLING = (b"\0", b'"', b"\n", b"\r", b",", b";", b"\xff", b"\xef\xbb\xbf", b"\xfe\xff", b"PK\x03\x04", b"PAR1")


@st.composite
def damaged(draw: st.DrawFn, whole: bytes, first: int = 0) -> bytes:
    """``whole`` with some changes, none of them before byte ``first``."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(first, max(first, len(whole))))
        upto = min(len(whole), at + draw(st.sampled_from([0, 1, 1, 1, 2, 7, 100, 10_000])))
        kind = draw(st.sampled_from(["replace", "insert", "remove", "repeat", "cut"]))
        if kind == "cut":
            whole = whole[:at]
            continue
        put = {
            "remove": lambda: b"",
            "repeat": lambda: whole[at:upto] * 2,  # noqa: B023 called at once
            "replace": lambda: draw(st.binary(max_size=upto - at)),  # noqa: B023
            "insert": lambda: draw(st.sampled_from(TELLING) | st.binary(max_size=8)) + whole[at:upto],  # noqa: B023
        }[kind]()
        whole = whole[:at] + put + whole[upto:]
    return whole


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.sampled_from([2**31, 2**63, -(2**70), 1e300, float("inf"), float("-inf"), float("nan"), 0.5, -0.0])
    | st.sampled_from(["", " ", "*", "age", "disease", "nobody", "k", "name", "auto", "é", "\0", "a.b", "[0, 5)"])
    | st.text(max_size=5)
)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)


def places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a tree of dictionaries and lists."""
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [each for key, value in inside for each in ((*path, key), *places(value, (*path, key)))]


def at(tree: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        tree = tree[key]
    return tree


@st.composite
def disturbed(draw: st.DrawFn, tree: Any, most: int = 3) -> Any:
    """The tree with some values replaced, moved, renamed, repeated or gone."""
    tree = copy.deepcopy(tree)
    for _ in range(draw(st.integers(1, most))):
        known = places(tree)
        if not known:
            break
        *above, key = draw(st.sampled_from(known))
        room = at(tree, tuple(above))
        kind = draw(st.sampled_from(["replace", "replace", "borrow", "remove", "rename", "add"]))
        if kind == "replace":
            room[key] = draw(anything)
        elif kind == "borrow":
            room[key] = copy.deepcopy(at(tree, draw(st.sampled_from(known))))
        elif kind == "remove":
            del room[key]
        elif isinstance(room, list):
            room.append(copy.deepcopy(room[key]))
        elif kind == "rename":
            room[draw(st.text(max_size=6) | st.sampled_from([str(path[-1]) for path in known]))] = room.pop(key)
        else:
            room[draw(st.text(max_size=6))] = draw(anything)
    return tree
