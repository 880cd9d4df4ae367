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
            f"{path}: the key cannot be read: {reason}. Another key gives another release. Omit the key to have "
            "one created next to the policy."
        )

    @classmethod
    def not_a_key(cls, path: Path, n_bytes: int, n_expected: int) -> Self:
        return cls(
            f"{path} is not a key of Shoal: it has {n_bytes} bytes instead of {n_expected}. Restore the key from your "
            "copy, or move the file away to have a new key created; a new key gives another release."
        )

    @classmethod
    def wrong_length(cls, n_bytes: int, n_expected: int) -> Self:
        return cls(f"key: a key has {n_expected} bytes, got {n_bytes}. secrets.token_bytes({n_expected}) creates one.")

    @classmethod
    def readable_by_others(cls, path: Path) -> Self:
        return cls(
            f"{path}: others can read the key, and with it undo the random changes. Set its mode to 0600: chmod 600 "
            f"{path}. If somebody has read it, move it away and produce the release again."
        )

    @classmethod
    def not_created(cls, path: Path, reason: str) -> Self:
        return cls(f"{path}: the key cannot be created: {reason}. Name another file with --key.")

    @classmethod
    def wrong_type(cls, kind: str) -> Self:
        return cls(f"key: expected a file or 32 bytes, got {kind}.")

    @classmethod
    def conflicts_with_output(cls, path: Path) -> Self:
        return cls(f"{path}: the key cannot have the name of a file of the release. Name another file with --key.")

    @classmethod
    def created_meanwhile(cls, path: Path) -> Self:
        return cls(f"{path}: another run created this key in the meantime. Run the command again to use it.")

    @classmethod
    def not_found(cls, path: Path) -> Self:
        """No key was given and none is next to the policy; nobody knows whether one was ever stored there."""
        return cls(
            f"{path}: there is no such key, and without its key the release cannot be repeated. Where it was made in "
            f"Python without a key, none was stored: give key = release.key. Else restore the file, or name it with "
            f"--key. To do without, state which records belong together by --id or --truth."
        )

    @classmethod
    def missing(cls, path: Path) -> Self:
        return cls(
            f"{path}: the key of the release is missing. Only with it can the release be repeated. Restore the file, "
            "or name it with --key. 'shoal verify' needs no key."
        )

    @classmethod
    def wrong_key(cls, path: Path | None) -> Self:
        where = f"{path}: this" if path else "this"
        return cls(f"{where} is not the key of the release. Name the right one with --key.")
