"""Errors of the private key of a release."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError


class KeyFileError(ShoalError):
    """The private key is missing, invalid, readable by others, or not that of the release."""

    @classmethod
    def unreadable(cls, path: Path, reason: str) -> Self:
        return cls(
            f"{path}: the key cannot be read: {reason}. With another key the release is another one; leave the key "
            "out to have one made beside the policy."
        )

    @classmethod
    def not_a_key(cls, path: Path, n_bytes: int, n_wanted: int) -> Self:
        return cls(
            f"{path} is no key of Shoal: it has {n_bytes} bytes instead of {n_wanted}. Take the key back from where "
            "you keep a copy, or move the file away to have a new one made; a release made with it is another one."
        )

    @classmethod
    def wrong_length(cls, n_bytes: int, n_wanted: int) -> Self:
        return cls(f"key: a key has {n_wanted} bytes, got {n_bytes}. secrets.token_bytes({n_wanted}) makes one.")

    @classmethod
    def readable_by_others(cls, path: Path) -> Self:
        return cls(
            f"{path}: others may read the key, and so undo what chance hides. Give it the mode 0600: chmod 600 {path}. "
            "If somebody has read it, move it away and make the release anew."
        )

    @classmethod
    def not_created(cls, path: Path, reason: str) -> Self:
        return cls(f"{path}: no key can be made there: {reason}. Name another place by --key.")

    @classmethod
    def wrong_type(cls, kind: str) -> Self:
        return cls(f"key: a file or 32 bytes are a key, got {kind}.")

    @classmethod
    def conflicts_with_output(cls, path: Path) -> Self:
        return cls(f"{path}: a key cannot lie where a file of the release goes. Name another place by --key.")

    @classmethod
    def created_meanwhile(cls, path: Path) -> Self:
        return cls(f"{path}: another run made this key meanwhile. Run once more, and it is taken.")

    @classmethod
    def missing(cls, path: Path) -> Self:
        return cls(
            f"{path}: the key that the release was made with is not there. Only with it can the release be made once "
            "more; bring the file back, or name it by --key. 'shoal verify' needs no key."
        )

    @classmethod
    def wrong_key(cls, path: Path | None) -> Self:
        where = f"{path}: this" if path else "this"
        return cls(f"{where} is not the key that the release was made with. Name that one by --key.")
