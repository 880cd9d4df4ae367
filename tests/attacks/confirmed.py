"""Suppressed cells confirmed: the intruder holds the input but for one cell, and looks for its hash in the manifest.

For every candidate the input is written as it would be with it; the one whose hash, or keyed hash with a guessed key,
stands anywhere in the manifest is the true one.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Any

from attacks.rates import Rate

GUESSED_KEYS = (b"", bytes(32), b"shoal")


def guess(manifest: dict[str, Any], inputs: Sequence[bytes]) -> int | None:
    """Which of ``inputs`` it was, where exactly one fits."""
    words = json.dumps(manifest)
    fits = [at for at, content in enumerate(inputs) if any(digest in words for digest in _digests(content))]
    return fits[0] if len(fits) == 1 else None


def _digests(content: bytes) -> list[str]:
    plain = hashlib.sha256(content).hexdigest()
    keyed = [hmac.new(key, text, "sha256").hexdigest() for key in GUESSED_KEYS for text in (content, plain.encode())]
    tagged = [hmac.new(key, b"input/" + plain.encode(), "sha256").hexdigest() for key in GUESSED_KEYS]
    return [plain, *keyed, *tagged]


def rate(manifests: Sequence[dict[str, Any]], candidates: Sequence[Sequence[bytes]], truth: Sequence[int]) -> Rate:
    guesses = [guess(manifest, inputs) for manifest, inputs in zip(manifests, candidates, strict=True)]
    return Rate(sum(guessed == true for guessed, true in zip(guesses, truth, strict=True)), len(truth))
