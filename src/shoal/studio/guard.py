"""The guard in front of every page: host, origin and cookie are checked, and every answer gets the headers that keep it
where it belongs.

A foreign page can make a browser send requests to this machine. It cannot name our host after its own name was rebound
to it (Host), not write (Origin, and a cookie that only requests of our own pages carry), and not read.
"""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoal.errors import StudioError
from shoal.studio.access import Access
from shoal.studio.answers import page, refusal

READING = ("GET", "HEAD")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            answer = self._answer(request)
            await (answer or self.app)(scope, receive, _with_headers(send))
        elif scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    def _answer(self, request: Request) -> Response | None:
        """The answer where the request goes no further: it is refused, or brings the token."""
        if request.headers.getlist("host") not in [[host] for host in self.access.hosts]:
            return refusal(request, StudioError.wrong_host())
        if not self._is_own(request):
            return refusal(request, StudioError.wrong_origin())
        is_known = self.access.knows(request.cookies.get(self.access.cookie_name))
        if request.url.path == "/" and "token" in request.query_params:
            return self._entry(request, is_known=is_known)
        return None if is_known else refusal(request, StudioError.no_token())

    def _is_own(self, request: Request) -> bool:
        """Whether a page of ours sent it, as far as the browser says; what writes must say so."""
        origins = request.headers.getlist("origin")
        if not origins:
            return request.method in READING
        return origins == [f"http://{request.headers['host']}"]

    def _entry(self, request: Request, *, is_known: bool) -> Response:
        """The cookie for the token. The page goes on by itself: only requests of our own pages send the cookie."""
        if is_known:
            return RedirectResponse("/", 303)
        if not self.access.admits(request.query_params["token"]):
            return refusal(request, StudioError.no_token())
        answer = page("entry")
        answer.set_cookie(self.access.cookie_name, self.access.cookie, httponly=True, samesite="strict", path="/")
        return answer


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return send_with_headers
