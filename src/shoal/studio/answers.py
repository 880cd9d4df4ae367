"""Answers: pages from templates, JSON, and refusals as either of them. An error is answered in the project's own words,
never in those of a library, which may quote a cell."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from functools import cache, wraps
from typing import Any

from jinja2 import Environment, PackageLoader
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from shoal.errors import ShoalError, StudioError
from shoal.errors.plain_error import plain_error
from shoal.report.html import environment
from shoal.studio.chart_markup import chart_markup
from shoal.studio.chart_scripts import chart_scripts_address

UNPROCESSABLE, INTERNAL = 422, 500
Handler = Callable[[Request], Awaitable[Response]]


@cache
def _templates() -> Environment:
    """The templates of Studio, then those of the report, whose parts they show."""
    found = environment(PackageLoader("shoal.studio"), PackageLoader("shoal.report"))
    found.globals.update(svg=chart_markup, vega_address=chart_scripts_address)
    found.filters["list_text"] = _list_text
    return found


def _list_text(items: Iterable[Any]) -> str:
    """A list as the forms show it and `list_text.mjs` reads it: texts that would be read otherwise are in quotes."""
    return ", ".join(_item_text(item) for item in items)


def _item_text(item: Any) -> str:
    text = str(item)
    if not isinstance(item, str) or re.fullmatch(r'[^\d\W][^,"]*(?<!\s)', text):
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def page(name: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    text = _templates().get_template(f"{name}.html.j2").render(page=name, status=status, **context)
    return HTMLResponse(text, status)


def problem(error: ShoalError) -> dict[str, list[str]]:
    """An error for pages: its sentence, then a line for every problem."""
    return {"lines": list(error.lines)}


def refusal(request: Request, error: ShoalError) -> Response:
    status = error.status if isinstance(error, StudioError) else UNPROCESSABLE
    return _refusal(request, error, status)


def _refusal(request: Request, error: ShoalError, status: int) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": problem(error)}, status)
    return page("error", status=status, title="Not possible", lines=list(error.lines))


def answered(handler: Handler) -> Handler:
    """The handler, with every error turned into a refusal: nothing is raised, so nothing is logged."""

    @wraps(handler)
    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except ShoalError as error:
            return refusal(request, error)
        except (HTTPException, ClientDisconnect):
            raise
        except Exception as error:
            return _refusal(request, plain_error(error), INTERNAL)

    return answer
