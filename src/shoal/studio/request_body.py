"""The body of a request: JSON with the keys that a handler needs, or the bytes of an upload, both up to a size."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

from starlette.requests import Request

from shoal.errors import StudioError
from shoal.sources.formats import BY_EXTENSION, COMPRESSED

MOST_JSON = 4 * 10**6  # bytes
MOST_UPLOADED = 50 * 10**6
LONGEST_NAME = 200  # bytes; drafts of files have longer names
T = TypeVar("T")


async def json_body(request: Request) -> dict[str, Any]:
    parts = [part async for part in _limited(request, MOST_JSON, StudioError.body_too_large(MOST_JSON))]
    try:
        found = json.loads(b"".join(parts) or b"{}")
        json.dumps(found, ensure_ascii=False).encode()  # half of a pair of surrogates is no text
    except (ValueError, RecursionError):
        raise StudioError.malformed("it is not JSON") from None
    if not isinstance(found, dict):
        raise StudioError.malformed("it is not a JSON object")
    return found


def value_of(body: dict[str, Any], key: str, kind: type[T]) -> T:
    """The value of a key of this type; raises StudioError where it has another one or is missing."""
    value = body.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise StudioError.malformed(f"'{key}' must be given, as {kind.__name__}")
    return value


def upload_name(request: Request) -> str:
    """The name of an uploaded file, without any folder. Raises StudioError where it is no table."""
    given = unquote(request.headers.get("x-file-name", ""))
    name = Path(given.replace("\\", "/")).name
    if not name or not name.isprintable() or name.startswith(".") or len(name.encode()) > LONGEST_NAME:
        raise StudioError.no_name()
    _check_type(Path(name))
    return name


def _check_type(path: Path) -> None:
    suffix = path.suffix.lower()
    inner = path.with_suffix("").suffix.lower() if suffix in COMPRESSED else suffix
    found = BY_EXTENSION.get(inner)
    if found is None or inner == ".parts" or (suffix in COMPRESSED and not found.compressible):
        raise StudioError.wrong_type(path.suffix, BY_EXTENSION)


async def write_upload(request: Request, path: Path) -> None:
    """Writes the body to ``path``; raises StudioError where it is too large."""
    with path.open("wb") as file:
        async for part in _limited(request, MOST_UPLOADED, StudioError.too_large(MOST_UPLOADED)):
            file.write(part)


async def _limited(request: Request, most: int, error: StudioError) -> AsyncIterator[bytes]:
    """The parts of the body. A length that is announced is judged before anything is read."""
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced) > most:
        raise error
    n_bytes = 0
    async for part in request.stream():
        n_bytes += len(part)
        if n_bytes > most:
            raise error
        yield part
