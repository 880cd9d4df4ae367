"""Ordinal vocabularies: values whose order is known from their words or from the numbers in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf

from shoal.schema.suggest.name_patterns import words

# From lowest to highest; synonyms share a place. A column must use at least two places and no other word.
VOCABULARIES: tuple[tuple[str, ...], ...] = (
    ("very low", "low|niedrig|faible|bajo|baja", "medium|middle|moderate|mittel|moyen|medio|media|average",
     "high|hoch|eleve|alto|alta", "very high"),
    ("very small|micro|tiny", "small|klein|petit|pequeno", "medium|mittel|moyen|mediano",
     "large|big|gross|grand|grande", "very large|huge"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl"),
    ("never|nie|jamais|nunca", "rarely|seldom|selten|rarement|raramente",
     "sometimes|occasionally|manchmal|parfois|a veces",
     "often|frequently|oft|souvent|a menudo", "very often|usually|mostly|meistens",
     "always|immer|toujours|siempre"),
    ("very poor|very bad", "poor|bad|schlecht|mauvais|malo", "fair|average|regular|neither good nor bad|mittelmassig",
     "good|gut|bon|bueno", "very good|sehr gut|tres bon|muy bueno", "excellent|ausgezeichnet"),
    ("strongly disagree|disagree strongly", "disagree|tend to disagree|somewhat disagree|rather disagree",
     "neither agree nor disagree|neutral|neither|undecided", "agree|tend to agree|somewhat agree|rather agree",
     "strongly agree|agree strongly"),
    ("very dissatisfied|very unsatisfied", "dissatisfied|rather dissatisfied|somewhat dissatisfied|unsatisfied",
     "neither satisfied nor dissatisfied|neutral|neither", "satisfied|rather satisfied|somewhat satisfied",
     "very satisfied"),
    ("trifft nicht zu|trifft gar nicht zu", "trifft eher nicht zu", "teils teils", "trifft eher zu",
     "trifft zu|trifft voll zu"),
    ("none|no|keine", "minimal", "mild|slight|leicht", "moderate|mittel", "severe|schwer", "very severe"),
    ("not at all", "a little|slightly", "somewhat|moderately", "quite a lot|quite a bit|very",
     "a lot|extremely|very much"),
    ("none|no education|illiterate|no schooling|no formal education|no degree|no qualification|keine|keiner"
     "|kein abschluss|ohne abschluss|ohne schulabschluss|kein schulabschluss",
     "preschool|pre primary|early childhood|less than primary|below primary",
     "primary|elementary|primary school|primary education|grundschule|primaire|primaria",
     "1st 4th", "5th 6th", "7th 8th",
     "lower secondary|lower secondary education|middle school|hauptschule|hauptschulabschluss|volksschule"
     "|volks hauptschule|less than high school|some high school", "9th",
     "10th|mittlere reife|realschule|realschulabschluss|mittlerer abschluss|mittlerer schulabschluss", "11th", "12th",
     "fachhochschulreife|fachabitur",
     "secondary|secondary education|upper secondary|upper secondary education|high school|high school graduate|hs grad"
     "|abitur|hochschulreife|allgemeine hochschulreife|secondaire|secundaria",
     "post secondary|post secondary non tertiary|vocational|vocational training|lehre|berufsausbildung|ausbildung",
     "meister|techniker|meister techniker", "some college", "assoc voc|associate|associate degree",
     "assoc acdm|short cycle tertiary",
     "tertiary|tertiary education|bachelor|bachelors|bachelor degree|bachelors degree|bachelor s degree"
     "|bachelor or higher|bachelor or equivalent|college|college graduate|university|university degree|superior"
     "|hochschule|studium|hochschulabschluss",
     "master|masters|master degree|masters degree|master s degree|master or higher|masters or higher"
     "|master or equivalent|graduate|graduate degree|postgraduate|diplom|magister", "prof school|professional degree",
     "doctorate|doctoral|doctorate or equivalent|phd|doctor|promotion"),
    ("never smoker|nonsmoker", "former smoker|ex smoker", "current smoker|smoker"),
    ("child|children", "adolescent|teenager|youth", "young adult", "adult", "middle aged",
     "senior|elderly|older adult"),
    ("monday|mon", "tuesday|tue", "wednesday|wed", "thursday|thu", "friday|fri", "saturday|sat", "sunday|sun"),
    ("january|jan", "february|feb", "march|mar", "april|apr", "may", "june|jun", "july|jul", "august|aug",
     "september|sep", "october|oct", "november|nov", "december|dec"),
)  # fmt: skip
MOST = 60  # values of an ordinal vocabulary
NUMBER = r"[0-9]+(?:[.,' ][0-9]{3})*(?:\.[0-9]+)?"
UNIT = r"\s*(?:k|m|%|years?|yrs?|jahre?|ans|anos|eur|usd|€|\$|employees|persons?|personen)?"
BELOW = re.compile(rf"(?:<=?|≤|under|less than|below|up to|unter|bis|moins de|menos de)\s*\$?({NUMBER}){UNIT}")
ABOVE = re.compile(rf"(?:>=?|≥|over|more than|above|from|uber|ab|plus de|mas de)\s*\$?({NUMBER}){UNIT}")
OPEN = re.compile(
    rf"\$?({NUMBER}){UNIT}\s*(?:\+|and (?:over|more|older|above)|or (?:more|older|over)|und (?:mehr|alter))"
)
BETWEEN = re.compile(rf"[\[(]?\$?({NUMBER}){UNIT}\s*(?:-|\u2013|\u2014|to|bis|until|a|,|;)\s*\$?({NUMBER}){UNIT}[\])]?")
STEP = re.compile(
    r"(?:isced|level|grade|stage|class|step|quintile|quartile|decile|stufe|klasse|niveau|q) ?([0-9]{1,2})"
)


def known_order(values: Sequence[str]) -> tuple[str, ...] | None:
    """The values from lowest to highest; None where their order is not known."""
    if not 2 <= len(values) <= MOST:
        return None
    return _by_words(values) or _by_numbers(values)


def _by_words(values: Sequence[str]) -> tuple[str, ...] | None:
    """In the order of the first vocabulary that has all of them."""
    plain = {value: words(value) for value in values}
    for vocabulary in VOCABULARIES:
        place = {word: at for at, synonyms in enumerate(vocabulary) for word in synonyms.split("|")}
        if all(word in place for word in plain.values()) and len({place[word] for word in plain.values()}) == len(
            values
        ):
            return tuple(sorted(values, key=lambda value: place[plain[value]]))
    return None


def _by_numbers(values: Sequence[str]) -> tuple[str, ...] | None:
    """In the order of their lower ends, where all are ranges or numbered steps; plain numbers are none."""
    starts = {value: _start(value.strip().casefold()) for value in values}
    known = {value: start for value, start in starts.items() if start is not None}
    if len(known) < len(values) or len(set(known.values())) < len(values):
        return None
    if all(re.fullmatch(NUMBER, value.strip()) for value in values):
        return None
    return tuple(sorted(values, key=lambda value: known[value]))


def _start(text: str) -> tuple[float, float] | None:
    """The lower end of a range and its rank among ranges that begin there; None where it is no range."""
    if found := BELOW.fullmatch(text):
        return -inf, _value(found[1])
    if found := BETWEEN.fullmatch(text):
        low, high = _value(found[1]), _value(found[2])
        return (low, high) if low <= high else None
    if found := ABOVE.fullmatch(text) or OPEN.fullmatch(text):
        return _value(found[1]), inf
    if found := STEP.fullmatch(text):
        return float(found[1]), 0.0
    return (_value(text), 0.0) if re.fullmatch(NUMBER, text) else None


def _value(number: str) -> float:
    return float(re.sub(r"[,' ](?=[0-9]{3})|[.](?=[0-9]{3}(?![0-9]))", "", number))
