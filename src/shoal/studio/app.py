"""The application: addresses and their handlers, behind the guard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from shoal.errors import StudioError
from shoal.report.html import page_style
from shoal.studio import pages, requests
from shoal.studio.access import Access
from shoal.studio.answers import Handler, answered, refusal
from shoal.studio.chart_scripts import chart_scripts
from shoal.studio.guard import Guard
from shoal.studio.sitting import Sitting

# Kept by the browser: the address changes with the script.
KEPT = {"cache-control": "private, max-age=31536000, immutable"}
SCRIPT, STYLE = "text/javascript", "text/css"
MEDIA_TYPES = {".mjs": SCRIPT, ".js": SCRIPT, ".css": STYLE, ".svg": "image/svg+xml", ".png": "image/png"}
PAGES: dict[str, Handler] = {
    "/": pages.start,
    "/data": pages.data,
    "/policy": pages.policy,
    "/run": pages.run,
    "/result": pages.result,
    "/result/{run:int}": pages.result,
    "/compare": pages.compare,
    "/export": pages.export,
    "/export/{run:int}": pages.export,
}
REQUESTS: dict[tuple[str, str], Handler] = {
    ("GET", "/api/state"): requests.state,
    ("GET", "/api/events"): requests.events,
    ("POST", "/api/folder"): requests.folder,
    ("POST", "/api/open"): requests.open_file,
    ("POST", "/api/upload"): requests.upload,
    ("POST", "/api/close"): requests.close,
    ("GET", "/api/preview"): requests.preview,
    ("GET", "/api/policy"): requests.policy,
    ("PUT", "/api/policy"): requests.write_policy,
    ("POST", "/api/policy/edits"): requests.edit_policy,
    ("POST", "/api/policy/save"): requests.save_policy,
    ("GET", "/api/choices"): requests.choices,
    ("POST", "/api/taxonomy"): requests.taxonomy,
    ("PUT", "/api/taxonomy"): requests.write_taxonomy,
    ("POST", "/api/jobs"): requests.order,
    ("POST", "/api/jobs/{job:int}/cancel"): requests.cancel,
    ("POST", "/api/runs/{run:int}/take"): requests.take_over,
    ("GET", "/api/runs/{run:int}/files/{name}"): requests.download,
    ("GET", "/api/export/{run:int}"): requests.export,
    ("POST", "/api/export"): requests.write_export,
}


def studio_app(sitting: Sitting, access: Access, start: Callable[[], Awaitable[None]]) -> ASGIApp:
    """``start``: called when jobs can be ordered."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        work = asyncio.create_task(sitting.queue.work())
        await start()
        yield
        sitting.events.end()
        await sitting.queue.close()
        work.cancel()
        with suppress(asyncio.CancelledError):
            await work

    app = Starlette(routes=list(_routes()), lifespan=lifespan, exception_handlers={HTTPException: _not_found})
    app.state.sitting = sitting
    return Guard(app, access)


def _routes() -> list[BaseRoute]:
    return [
        *(Route(path, answered(handler), methods=["GET"]) for path, handler in PAGES.items()),
        *(Route(path, answered(handler), methods=[method]) for (method, path), handler in REQUESTS.items()),
        Route("/static/vega.js", answered(_vega)),
        Route("/static/report.css", answered(_report_style)),
        Route("/static/{name:path}", answered(_static)),
    ]


async def _not_found(request: Request, error: Exception) -> Response:
    """No such page, or not with this method."""
    return refusal(request, StudioError.no_page())


async def _vega(request: Request) -> Response:
    return Response(await asyncio.to_thread(chart_scripts), media_type=SCRIPT, headers=KEPT)


async def _report_style(request: Request) -> Response:
    return Response(page_style(), media_type=STYLE)


async def _static(request: Request) -> Response:
    """A file of the package; names that lead out of its folder are unknown."""
    folder = files("shoal.studio").joinpath("static")
    name = request.path_params["name"]
    found = {each.name: each for each in folder.iterdir() if each.is_file()}
    suffix = "." + name.rpartition(".")[2]
    if name not in found or suffix not in MEDIA_TYPES:
        raise StudioError.no_page()
    return Response(found[name].read_bytes(), media_type=MEDIA_TYPES[suffix])
