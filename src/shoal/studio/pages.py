"""The pages, as whole HTML: each handler gives its template what it shows."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shoal.studio.answers import page
from shoal.studio.exported_run import Export
from shoal.studio.policy_choices import policy_choices
from shoal.studio.policy_state import policy_state
from shoal.studio.run import Run
from shoal.studio.sitting import Sitting

FIRST_OPEN = "Open a table first."
FIRST_RUN = "Run the policy first."
TITLES = {
    "data": "Data",
    "policy": "Policy",
    "run": "Run",
    "result": "Result",
    "compare": "Compare",
    "export": "Export",
}


def sitting_of(request: Request) -> Sitting:
    found: Sitting = request.app.state.sitting
    return found


def _shown(sitting: Sitting) -> list[tuple[str, str, str, bool, str]]:
    """The pages with what is missing to use them."""
    has_release = any(run.has_release for run in sitting.runs)
    missing = {
        "policy": "" if sitting.is_open else FIRST_OPEN,
        "run": "" if sitting.is_open else FIRST_OPEN,
        "result": "" if sitting.runs else FIRST_RUN,
        "compare": "" if sitting.is_open else FIRST_OPEN,
        "export": "" if has_release else FIRST_RUN,
    }
    return [(name, f"/{name}", title, not missing.get(name), missing.get(name, "")) for name, title in TITLES.items()]


def _page(name: str, sitting: Sitting, **context: Any) -> Response:
    return page(name, state=sitting.state(), shown=_shown(sitting), **context)


def _policy(sitting: Sitting) -> dict[str, Any] | None:
    return policy_state(sitting) if sitting.is_open and sitting.work.document is not None else None


async def start(request: Request) -> Response:
    return RedirectResponse("/data", 303)


async def data(request: Request) -> Response:
    sitting = sitting_of(request)
    work = sitting.work if sitting.is_open else None
    profiled = work.profiled if work else None
    return _page(
        "data",
        sitting,
        preview=work.file.preview() if work else None,
        profile=profiled.outline if profiled else None,
        columns=profiled.columns if profiled else (),
    )


async def policy(request: Request) -> Response:
    sitting = sitting_of(request)
    return _page("policy", sitting, policy=_policy(sitting), choices=policy_choices())


async def run(request: Request) -> Response:
    sitting = sitting_of(request)
    return _page("run", sitting, policy=_policy(sitting))


async def result(request: Request) -> Response:
    sitting = sitting_of(request)
    found = _run(request, [each for each in sitting.runs if each.release is not None])
    outline = found.released.outline if found and found.released else None
    return _page("result", sitting, run=found.to_dict() if found else None, outline=outline)


async def compare(request: Request) -> Response:
    from shoal.report.comparison_outline import comparison_outline

    sitting = sitting_of(request)
    found = sitting.comparison()
    outline = comparison_outline(found[0], sitting.work.file.path.name) if found else None
    points = sitting.points()
    return _page("compare", sitting, outline=outline, points=points, policy=_policy(sitting), choices=policy_choices())


async def export(request: Request) -> Response:
    sitting = sitting_of(request)
    found = _run(request, [each for each in sitting.runs if each.has_release])
    plan = Export(found, sitting.export_folder(found)).to_dict() if found and found.has_release else None
    return _page("export", sitting, run=found.to_dict() if found else None, export=plan)


def _run(request: Request, runs: list[Run]) -> Run | None:
    """The run in the address, else the latest."""
    number = request.path_params.get("run")
    if number is not None:
        return sitting_of(request).run(number)
    return runs[-1] if runs else None
