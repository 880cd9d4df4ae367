"""Who is let in: the browser that opens the address of Studio with its token, once. A cookie takes its place.

Cookies of 127.0.0.1 are shared by all ports, so the name of the cookie has the port in it.
"""

from __future__ import annotations

import secrets
from hmac import compare_digest

N_BYTES = 32


class Access:
    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie_name = f"shoal-studio-{port}"
        self.cookie = secrets.token_urlsafe(N_BYTES)
        self._token: str | None = secrets.token_urlsafe(N_BYTES)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names by which a browser may call this server: with any other, a foreign site has rebound its name."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def address(self) -> str:
        """The address with the token."""
        return f"{self.origin}/?token={self._token}"

    def admits(self, token: str) -> bool:
        """Whether this is the token, which is valid once; compared in constant time."""
        is_right = self._token is not None and compare_digest(token.encode(), self._token.encode())
        if is_right:
            self._token = None
        return is_right

    def knows(self, cookie: str | None) -> bool:
        """Whether this is the cookie; compared in constant time."""
        return cookie is not None and compare_digest(cookie.encode(), self.cookie.encode())
