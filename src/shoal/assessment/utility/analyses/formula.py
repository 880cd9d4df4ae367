"""Formulas of regressions, such as ``income ~ age + sex + age:sex``.

    formula  = name "~" term { "+" term }
    term     = name { ":" name }
    name     = letters, digits and other signs without blanks, or anything between backticks

A term of one column is its effect, one of several their interaction. There is always an intercept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from shoal.errors import PolicyError

TOKEN = re.compile(r"\s*(?:(?P<quoted>`[^`]*`)|(?P<sign>[~+:])|(?P<name>[^\s~+:`*^()|/]+)|(?P<other>\S))")
WRITTEN_OTHERWISE = {
    "*": "write 'a + b + a:b' for 'a * b'",
    "^": "write every interaction as 'a:b'",
    "(": "functions are not known; transform the column in the table, or write its name in `backticks`",
    ")": "functions are not known; transform the column in the table, or write its name in `backticks`",
    "|": "groups of effects are not known",
    "/": "write 'a + a:b' for 'a / b'",
    "`": "a backtick is not closed",
}


@dataclass(frozen=True)
class Token:
    text: str  # a sign, or the name of a column
    is_name: bool
    at: int  # position in the formula, from 1


@dataclass(frozen=True)
class Formula:
    target: str
    terms: tuple[tuple[str, ...], ...]  # columns of each

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns on the right of the tilde, once each."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term))

    @classmethod
    def parse(cls, text: str) -> Formula:
        """Raises PolicyError with the position of what cannot be read."""
        tokens = _tokens(text)
        tildes = [at for at, token in enumerate(tokens) if token.text == "~" and not token.is_name]
        if len(tildes) != 1:
            raise PolicyError.unreadable_formula(text, f"it has {len(tildes)} tildes (~) instead of one", None)
        left, right = tokens[: tildes[0]], tokens[tildes[0] + 1 :]
        if len(left) != 1 or not left[0].is_name:
            raise PolicyError.unreadable_formula(text, f"one column must be before the tilde (~){_quoting(left)}", None)
        terms = _terms(text, right)
        target = left[0].text
        for term in terms:
            if target in term:
                raise PolicyError.unreadable_formula(text, f"'{target}' is on both sides of the tilde", None)
        return cls(target, terms)


def _tokens(text: str) -> list[Token]:
    found, at = list[Token](), 0
    while match := TOKEN.match(text, at):
        place, at = match.start(match.lastgroup or 0) + 1, match.end()
        if match["other"]:
            raise PolicyError.unreadable_formula(text, WRITTEN_OTHERWISE.get(match["other"], "it is not known"), place)
        if match["quoted"] == "``":
            raise PolicyError.unreadable_formula(text, "a name is missing between the backticks", place)
        name = match["name"] or (match["quoted"] or "")[1:-1]
        found.append(Token(name or match["sign"], bool(name), place))
    return found


def _quoting(tokens: list[Token]) -> str:
    """How to write a name with blanks, where two names follow each other."""
    follow = any(one.is_name and other.is_name for one, other in pairwise(tokens))
    return "; a name with blanks is written in `backticks`" if follow else ""


def _terms(text: str, tokens: list[Token]) -> tuple[tuple[str, ...], ...]:
    """Names and signs take turns; a colon joins names to one term, a plus begins the next one."""
    terms = list[list[str]]()
    for number, token in enumerate(tokens):
        if token.is_name != (number % 2 == 0):
            expected = "a sign (+ or :)" if token.is_name else "the name of a column"
            reason = f"{expected} is expected{_quoting(tokens[: number + 1])}"
            raise PolicyError.unreadable_formula(text, reason, token.at)
        if token.is_name and token.text in ("0", "1", "-1"):
            raise PolicyError.unreadable_formula(text, "there is always an intercept, which is not written", token.at)
        if token.is_name and number and tokens[number - 1].text == ":":
            terms[-1].append(token.text)
        elif token.is_name:
            terms.append([token.text])
    if not tokens or not tokens[-1].is_name:
        raise PolicyError.unreadable_formula(text, "the name of a column is expected at its end", None)
    unique = [tuple(dict.fromkeys(term)) for term in terms]
    return tuple(dict.fromkeys(unique))
