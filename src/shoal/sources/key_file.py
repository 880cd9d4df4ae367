"""The private key of a policy: 32 random bytes in a file that only its owner may read. All random draws derive from it.

It is stored next to its policy, is created once, and is never overwritten: another key gives another release.
"""

from __future__ import annotations

import hmac
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from shoal.errors import KeyFileError
from shoal.sources.private import create_private, is_private

N_BYTES = 32
SUFFIX = ".key"


def new_secret() -> bytes:
    return secrets.token_bytes(N_BYTES)


def key_path(policy: Path) -> Path:
    """The path of the key: policy.key for policy.toml."""
    return policy.with_suffix(SUFFIX)


@dataclass(frozen=True)
class Key:
    """``file``: where it is stored; None where it is not, so that only the holder of this object can repeat a
    release."""

    secret: bytes = field(repr=False)
    file: Path | None = None

    def __post_init__(self) -> None:
        if len(self.secret) != N_BYTES:
            raise KeyFileError.wrong_length(len(self.secret), N_BYTES)

    @classmethod
    def read(cls, path: Path) -> Self:
        try:
            n_bytes = path.stat().st_size
            if not path.is_file():
                raise KeyFileError.unreadable(path, "it is not a regular file")
            with path.open("rb") as file:
                secret = file.read(N_BYTES + 1)
        except OSError as reason:
            raise KeyFileError.unreadable(path, reason.strerror or "unreadable") from None
        if len(secret) != N_BYTES:
            raise KeyFileError.not_a_key(path, n_bytes, N_BYTES)
        if not is_private(path):
            raise KeyFileError.readable_by_others(path)
        return cls(secret, path)

    @classmethod
    def for_file(cls, path: Path) -> Self:
        """The key in the file, or a new one that is not stored yet."""
        return cls.read(path) if os.path.lexists(path) else cls(new_secret(), path)

    @property
    def is_new(self) -> bool:
        """Whether it has a file that does not exist yet."""
        return self.file is not None and not os.path.lexists(self.file)

    def store(self) -> Self:
        """Stores a new key. An existing file is never overwritten; raises KeyFileError where it holds another key."""
        if self.file is not None:
            if self.is_new:
                _create(self.file, self.secret)
            if type(self).read(self.file).secret != self.secret:
                raise KeyFileError.created_meanwhile(self.file)
        return self

    @classmethod
    def from_argument(cls, key: KeyLike | None, policy: Path | None) -> Self:
        """The key that the caller passed, or the one next to the policy; else a new one that is not stored."""
        if isinstance(key, Key | bytes):
            return cls(key) if isinstance(key, bytes) else cls(key.secret, key.file)
        file = key_file(key, policy)
        return cls.read(file) if file else cls(new_secret())

    @classmethod
    def for_release(cls, key: KeyLike | None, policy: Path | None) -> Self:
        """The same, but a named file that does not exist is created with the release."""
        return cls.for_file(Path(key)) if isinstance(key, str | os.PathLike) else cls.from_argument(key, policy)

    def tag(self, purpose: str, text: str) -> str:
        """A keyed hash, which shows the holder of the key that two texts are the same, and nothing to anybody else."""
        return hmac.digest(self.secret, f"{purpose}/{text}".encode(), "sha256").hex()


KeyLike = Key | bytes | str | os.PathLike[str]


def key_file(key: KeyLike | None, policy: Path | None) -> Path | None:
    """The file of the key that the caller passed, or of the one next to the policy."""
    match key:
        case Key():
            return key.file
        case bytes():
            return None
        case None:
            next_to_policy = key_path(policy) if policy else None
            return next_to_policy if next_to_policy and os.path.lexists(next_to_policy) else None
        case str() | os.PathLike():
            return Path(key)
    raise KeyFileError.wrong_type(type(key).__name__)


def _create(path: Path, secret: bytes) -> None:
    """Creates the file completely or not at all: written under another name, then linked; an existing file is kept."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        create_private(draft)
        try:
            draft.write_bytes(secret)
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    except OSError as reason:
        raise KeyFileError.not_created(path, reason.strerror or "no permission") from None
