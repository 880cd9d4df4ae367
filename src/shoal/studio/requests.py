"""What pages ask for and change, as JSON: each handler a few lines over the sitting."""

from __future__ import annotations

import asyncio
from pathlib import Path
from shutil import rmtree
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse

from shoal.assessment.comparison import ComparedPolicy
from shoal.errors import PolicyError, ShoalError, StudioError
from shoal.policy.change.policy_edit import PolicyEdit
from shoal.sources import whole_file
from shoal.sources.key_file import Key, key_path
from shoal.studio.column_taxonomy import ColumnTaxonomy, hierarchy_file, write_hierarchy
from shoal.studio.exported_run import Export
from shoal.studio.opened_file import OpenedFile
from shoal.studio.pages import sitting_of
from shoal.studio.policy_choices import policy_choices
from shoal.studio.policy_document import PolicyDocument
from shoal.studio.policy_state import policy_state
from shoal.studio.request_body import json_body, upload_name, value_of, write_upload
from shoal.studio.sitting import POLICY_NAME, Sitting

BYTES = "application/octet-stream"
LARGEST_TEXT = 10**6  # characters of a policy


async def state(request: Request) -> Response:
    return JSONResponse(sitting_of(request).state())


async def events(request: Request) -> Response:
    return StreamingResponse(sitting_of(request).events.listen(), media_type="text/event-stream")


# The table.


async def folder(request: Request) -> Response:
    path = (await json_body(request)).get("path")
    return JSONResponse(await asyncio.to_thread(sitting_of(request).folders.listing, path and str(path)))


async def open_file(request: Request) -> Response:
    sitting, body = sitting_of(request), await json_body(request)
    return await _opened(sitting, sitting.folders.table(value_of(body, "path", str)), is_upload=False)


async def upload(request: Request) -> Response:
    sitting, name = sitting_of(request), upload_name(request)
    folder = sitting.new_folder("upload")
    try:
        await write_upload(request, folder / name)
        return await _opened(sitting, folder / name, is_upload=True)
    except ShoalError as error:
        raise StudioError.of_upload(error, folder) from None
    finally:
        if not sitting.is_open or sitting.work.file.folder != folder:
            rmtree(folder)


async def _opened(sitting: Sitting, path: Path, *, is_upload: bool) -> Response:
    file = await asyncio.to_thread(OpenedFile.open, path, is_upload=is_upload)
    await open_in(sitting, file)
    return JSONResponse(sitting.state())


async def open_in(sitting: Sitting, file: OpenedFile) -> None:
    """Opens the table, with the policy beside it where there is one in the folders."""
    beside = file.folder / POLICY_NAME
    is_there = not file.is_upload and beside.is_file() and sitting.folders.hold(beside)
    sitting.open(file, _text(beside) if is_there else None)


def _text(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None  # another one is proposed


async def close(request: Request) -> Response:
    sitting = sitting_of(request)
    sitting.close()
    return JSONResponse(sitting.state())


async def preview(request: Request) -> Response:
    return JSONResponse(sitting_of(request).work.file.preview())


# The policy.


async def policy(request: Request) -> Response:
    return JSONResponse(policy_state(sitting_of(request)))


async def choices(request: Request) -> Response:
    return JSONResponse(policy_choices())


async def write_policy(request: Request) -> Response:
    sitting, body = sitting_of(request), await json_body(request)
    text = value_of(body, "text", str)
    if len(text) > LARGEST_TEXT:
        raise StudioError.body_too_large(LARGEST_TEXT)
    sitting.write_policy(sitting.document.with_text(text), value_of(body, "revision", int))
    return JSONResponse(policy_state(sitting))


async def edit_policy(request: Request) -> Response:
    sitting, body = sitting_of(request), await json_body(request)
    edits = [_edit(each) for each in value_of(body, "edits", list)]
    sitting.edit_policy(edits, value_of(body, "revision", int))
    return JSONResponse(policy_state(sitting))


def _edit(given: Any) -> PolicyEdit:
    """Keys of a table; without content the table itself is removed."""
    if not isinstance(given, dict):
        raise StudioError.malformed("an edit must be a JSON object")
    table, content = value_of(given, "table", list), given.get("content")
    if not all(isinstance(part, str | int) for part in table) or not isinstance(content, dict | None):
        raise StudioError.malformed("an edit has a 'table', a list of names, and a 'content', an object or null")
    if content is not None:
        return PolicyEdit(tuple(table), content, is_new=given.get("new") is True)
    if not table:
        raise StudioError.malformed("the whole policy cannot be removed")
    return PolicyEdit(tuple(table[:-1]), {table[-1]: None})


async def save_policy(request: Request) -> Response:
    """Writes the policy, and its key where that is new."""
    sitting, body = sitting_of(request), await json_body(request)
    sitting.check_revision(value_of(body, "revision", int))
    document, secret = sitting.document, sitting.work.secret
    sitting.folders.check_targets([document.file, key_path(document.file)])
    _check_replaceable(document, force=body.get("force") is True)
    await asyncio.to_thread(_save, document, secret)
    sitting.saved(document)
    return JSONResponse(policy_state(sitting))


def _check_replaceable(document: PolicyDocument, *, force: bool) -> None:
    if document.file.exists() and not document.was_read and not force:
        raise StudioError.policy_exists(document.file)


def _save(document: PolicyDocument, secret: bytes) -> None:
    with whole_file(document.file, force=True) as draft:
        draft.write_text(document.text, encoding="utf-8")
    Key(secret, key_path(document.file)).store()


async def taxonomy(request: Request) -> Response:
    sitting, body = sitting_of(request), await json_body(request)
    return JSONResponse(await _taxonomy(sitting, value_of(body, "column", str)))


async def _taxonomy(sitting: Sitting, column: str) -> dict[str, Any]:
    checked = sitting.checked_policy()
    if column not in checked.columns:
        raise PolicyError.unknown_column("columns", column, tuple(checked.columns))
    found = await asyncio.to_thread(ColumnTaxonomy.of, sitting.work.file.path, checked, column)
    return {**found.to_dict(), "revision": sitting.policy_revision}


async def write_taxonomy(request: Request) -> Response:
    sitting, body = sitting_of(request), await json_body(request)
    column, paths = value_of(body, "column", str), value_of(body, "paths", list)
    if not all(isinstance(path, list) and all(isinstance(cell, str) for cell in path) for path in paths):
        raise StudioError.malformed("'paths' must be lists of texts")
    checked, document = sitting.checked_policy(), sitting.document
    if column not in checked.columns:
        raise PolicyError.unknown_column("columns", column, tuple(checked.columns))
    is_known = checked.columns[column].taxonomy is not None
    file = hierarchy_file(checked, column, document.file.parent)
    sitting.folders.check_targets([file])
    await asyncio.to_thread(write_hierarchy, file, paths, force=is_known)
    if not is_known:
        sitting.edit_policy([PolicyEdit(("columns", column), {"taxonomy": file.name})], sitting.policy_revision)
    return JSONResponse(await _taxonomy(sitting, column))


# Jobs and runs.


async def order(request: Request) -> Response:
    sitting, body = sitting_of(request), await json_body(request)
    left_out: list[ComparedPolicy] = []
    match body.get("kind"):
        case "forecast":
            job = sitting.forecast()
        case "profile":
            job = sitting.look()
        case "protect":
            job = sitting.protect()
        case "grid":
            job, left_out = sitting.compare(_grid(body))
        case _:
            raise StudioError.malformed("'kind' must be forecast, profile, protect or grid")
    told = [f"{each.settings_text}: {each.reason}" for each in left_out]
    return JSONResponse({**job.to_dict(), "left_out": told})


def _grid(body: dict[str, Any]) -> dict[str, list[Any]]:
    grid = value_of(body, "grid", dict)
    if not grid or not all(isinstance(values, list) for values in grid.values()):
        raise StudioError.malformed("'grid' must give a list of values for every setting")
    return grid


async def cancel(request: Request) -> Response:
    return JSONResponse(sitting_of(request).queue.cancel(request.path_params["job"]).to_dict())


async def take_over(request: Request) -> Response:
    sitting, body = sitting_of(request), await json_body(request)
    sitting.take_over(request.path_params["run"], value_of(body, "revision", int))
    return JSONResponse(policy_state(sitting))


async def export(request: Request) -> Response:
    sitting = sitting_of(request)
    run = sitting.run(request.path_params["run"])
    return JSONResponse(Export(run, sitting.export_folder(run)).to_dict())


async def write_export(request: Request) -> Response:
    sitting, body = sitting_of(request), await json_body(request)
    folder = sitting.kept_folder(value_of(body, "folder", str))
    planned = Export(sitting.run(value_of(body, "run", int)), folder)
    sitting.folders.check_targets(file.path for file in planned.files)
    written = await asyncio.to_thread(planned.write, force=body.get("force") is True)
    return JSONResponse({**planned.to_dict(), "written": [str(path) for path in written]})


async def download(request: Request) -> Response:
    """A file of a run as it would be exported; only names of its own files are known."""
    sitting, name = sitting_of(request), request.path_params["name"]
    run = sitting.run(request.path_params["run"])
    files = Export(run, sitting.export_folder(run)).files
    source = next((file.source for file in files if file.is_single and file.path.name == name), None)
    if source is None:
        raise StudioError.no_page()
    if isinstance(source, Path):
        return FileResponse(source, filename=name, media_type=BYTES)
    return Response(source, media_type=BYTES, headers={"content-disposition": f'attachment; filename="{name}"'})
