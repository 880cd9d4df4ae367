"""Files of two folders that take their names together, of which one is away when a run after a crash tidies up."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from naming_stops import MOST_STEPS, Contents, contents, is_killed, no_links, steps
from shoal.sources import Target, whole_files
from shoal.sources.leftovers import remove_leftovers


@pytest.fixture(params=["links", "no links"])
def two(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Two folders, neither of them in the other, of which one can be away."""
    if request.param == "no links":
        monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    folders = tmp_path / "near", tmp_path / "far"
    for folder in folders:
        folder.mkdir()
    return folders


def write_apart(near: Path, far: Path, text: str) -> None:
    places = [near / "release.csv", far / "report.html", near / "manifest.json"]
    with whole_files([Target.of(place) for place in places], force=True) as drafts:
        for place, draft in zip(places, drafts, strict=True):
            draft.write_text(f"{text} {place.name}")


def killed_apart(near: Path, far: Path, after: int) -> bool:
    return is_killed(after, lambda: write_apart(near, far, "new"))


def apart(text: str) -> Contents:
    return {"near/release.csv": f"{text} release.csv", "near/manifest.json": f"{text} manifest.json",
            "far/report.html": f"{text} report.html"}  # fmt: skip


@contextlib.contextmanager
def away(folder: Path) -> Iterator[None]:
    """As a disk that is not mounted."""
    elsewhere = folder.with_name("away")
    folder.rename(elsewhere)
    yield
    elsewhere.rename(folder)


@pytest.mark.gate(but=("links-near-far", "links-near-near"))
@pytest.mark.parametrize("missing", ["near", "far"])
@pytest.mark.parametrize("first_back", ["near", "far"])
def test_killed_after_any_step_nothing_is_lost_where_a_folder_is_away(
    two: tuple[Path, Path], missing: str, first_back: str
) -> None:
    """When it is back the old files are there, or the new ones, whoever comes first."""
    near, far = two
    for after in steps():
        write_apart(near, far, "old")
        if not killed_apart(near, far, after):
            break
        gone, there = (near, far) if missing == "near" else (far, near)
        with away(gone):
            remove_leftovers(there)
            remove_leftovers(there)
            left = {name.split(".")[-1] for name in contents(there) if name.startswith(".shoal-")}
            assert left <= {"journal", "old"}
        for folder in (near, far) if first_back == "near" else (far, near):
            remove_leftovers(folder)
        remove_leftovers(near)
        assert contents(near.parent) in (apart("old"), apart("new"))
    assert 9 < after < MOST_STEPS - 1


@pytest.mark.gate(but="links")
def test_whoever_writes_meanwhile_is_not_kept_from_it_and_keeps_what_they_wrote(two: tuple[Path, Path]) -> None:
    near, far = two
    for after in steps():
        write_apart(near, far, "old")
        if not killed_apart(near, far, after):
            break
        with away(far):
            targets = [Target.of(near / name) for name in ("release.csv", "manifest.json")]
            with whole_files(targets, force=True) as drafts:
                for draft in drafts:
                    draft.write_text("next")
        remove_leftovers(far)
        remove_leftovers(near)
        seen = contents(near.parent)
        assert {seen.pop("near/release.csv"), seen.pop("near/manifest.json")} == {"next"}
        assert seen in ({"far/report.html": "old report.html"}, {"far/report.html": "new report.html"})
    assert 9 < after < MOST_STEPS - 1
