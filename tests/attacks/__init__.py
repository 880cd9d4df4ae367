"""Attacks on releases: programs that hold what is published, and what the policy says an intruder knows; nothing else.

    tables.py      whom they attack: Adult, Census, a survey of households with weights, stays in a hospital
    published.py   a release as a stranger receives it
    rates.py       how often an attack was right, and what that shows
    members.py     what attacks on units share

Every attack is a module of its own without a test in it; ``test_<attack>.py`` beside it runs it twice: on a release
that is weak on purpose, where it must succeed, and on releases as they are made, where it must not beat the
stated risk.
"""
