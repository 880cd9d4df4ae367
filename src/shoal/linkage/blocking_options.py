"""A blocking for linkage as it is written in a policy or in the shell, and the blocking that it stands for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from shoal.errors import LinkageError, PolicyError
from shoal.kernels import Labels
from shoal.linkage.blocking_choice import choose_blocking
from shoal.linkage.blocking_passes import BlockingPasses
from shoal.linkage.fuzzy_blocking import FuzzyBlocking
from shoal.linkage.key_bins import KeyBins
from shoal.linkage.linkage_blocking import LinkageBlocking
from shoal.linkage.linkage_tables import LinkageTables
from shoal.linkage.quantifiers import Power, quantifier_of
from shoal.linkage.sorted_neighborhood import SortedNeighborhood
from shoal.linkage.standard_blocking import Key, StandardBlocking
from shoal.linkage.tree_blocking import MapBlocking, TreeBlocking

LinkageBlockingMethod = Literal["none", "standard", "sorted", "fuzzy", "auto", "twod_tree", "som"]
BLOCKINGS: tuple[LinkageBlockingMethod, ...] = get_args(LinkageBlockingMethod)
METHODS_WITH: dict[str, tuple[LinkageBlockingMethod, ...]] = {  # option -> methods that have it
    "quantifier": ("fuzzy",),
    "decimals": ("standard", "fuzzy"),
    "n_blocks": ("standard", "fuzzy", "twod_tree", "som"),
    "keys": ("standard", "sorted", "fuzzy"),
    "window": ("sorted",),
}


@dataclass(frozen=True)
class BlockingOptions:
    """One blocking. ``where``: how its options are called in error messages, such as "linkage.blocking"."""

    method: str
    quantifier: Sequence[str] = ()
    decimals: int | None = None
    n_blocks: int | None = None
    keys: Sequence[Key] = ()
    window: float | int | None = None
    where: str = "blocking"

    def __post_init__(self) -> None:
        if self.method not in BLOCKINGS:
            raise PolicyError.unknown_choice(f"{self.where}.method", self.method, BLOCKINGS)
        for name, methods in METHODS_WITH.items():
            if getattr(self, name) not in (None, ()) and self.method not in methods:
                allowed = f"{self.where}.method = {' or '.join(map(repr, methods))}"
                raise PolicyError.only_for(f"{self.where}.{name}", allowed, repr(self.method))
        if self.method == "fuzzy" and not all(isinstance(key, str) for key in self.keys):
            raise LinkageError.nested_keys(self.where)
        self.blocking  # noqa: B018  an error where an option is wrong
        if self.decimals is not None or self.n_blocks is not None:
            KeyBins(self.decimals, self.n_blocks)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that its keys name."""
        return tuple(name for key in self.keys for name in ([key] if isinstance(key, str) else key))

    @property
    def blocking(self) -> LinkageBlocking | None:
        """None where every pair is compared, and for "auto", which depends on the files."""
        match self.method:
            case "standard":
                return StandardBlocking(tuple(self.keys), self.decimals, self.n_blocks)
            case "sorted":
                return SortedNeighborhood(self.columns, 0.1 if self.window is None else self.window)
            case "fuzzy":
                quantifiers = tuple(map(quantifier_of, self.quantifier)) or (Power(1.0),)
                return FuzzyBlocking(quantifiers, self.decimals, self.n_blocks, self.columns)
            case "twod_tree":
                return TreeBlocking(self.n_blocks)
            case "som":
                return MapBlocking(self.n_blocks)
        return None


def unknown_keys(blocking: Iterable[BlockingOptions], known: Collection[str]) -> tuple[str, ...]:
    """The keys of blockings of a policy that an intruder who knows ``known`` cannot use, so that they compare all
    pairs."""
    return tuple(dict.fromkeys(name for rule in blocking for name in rule.columns if name not in known))


def all_pairs_notes(by: str, unknown: Sequence[str]) -> tuple[str, ...]:
    """A note where there are such keys."""
    compared = f"{by.capitalize()} linkage compared all pairs: [linkage.blocking] has keys that it cannot use"
    return (f"{compared}, {', '.join(unknown)}.",) if unknown else ()


AnyBlocking = LinkageBlocking | BlockingOptions | str


def resolve_blocking(
    blocking: AnyBlocking | Sequence[AnyBlocking] | None, tables: LinkageTables, truth: Labels, seed: int
) -> LinkageBlocking | None:
    """The blocking to use; several are several passes. None: every pair is compared."""
    if blocking is None:
        return None
    several = list(blocking) if isinstance(blocking, Sequence) and not isinstance(blocking, str) else [blocking]
    resolved = [_resolve_one(each, tables, truth, seed) for each in several]
    passes = [each for each in resolved if each is not None]
    if len(passes) < len(resolved):  # every pair is compared anyway
        return None
    return passes[0] if len(passes) == 1 else BlockingPasses(tuple(passes))


def _resolve_one(blocking: AnyBlocking, tables: LinkageTables, truth: Labels, seed: int) -> LinkageBlocking | None:
    if isinstance(blocking, str):
        if blocking not in BLOCKINGS:
            raise PolicyError.unknown_choice("blocking", blocking, BLOCKINGS)
        blocking = BlockingOptions(blocking)
    if not isinstance(blocking, BlockingOptions):
        return blocking
    if blocking.method == "auto":
        return choose_blocking(tables, truth, seed=seed).blocking
    return blocking.blocking
