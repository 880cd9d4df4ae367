"""The codebook of the synthetic census: columns, values and taxonomies, all fictitious."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

# column -> (role, kind)
CENSUS_COLUMNS = {
    "person_id": ("identifier", "nominal"),
    "household_id": ("household", "nominal"),
    "region": ("quasi_identifier", "nominal"),
    "municipality": ("quasi_identifier", "nominal"),
    "sex": ("quasi_identifier", "nominal"),
    "age": ("quasi_identifier", "numeric"),
    "marital_status": ("quasi_identifier", "nominal"),
    "education": ("quasi_identifier", "ordinal"),
    "occupation": ("quasi_identifier", "nominal"),
    "moved_in": ("quasi_identifier", "date"),
    "hours_per_week": ("other", "numeric"),
    "income": ("sensitive", "numeric"),
    "rent": ("other", "numeric"),
    "health_condition": ("sensitive", "nominal"),
    "weight": ("weight", "numeric"),
}

# prefix of the municipality code -> (region, share of households, rent level)
REGIONS = {
    "01": ("Alderfen", 0.19, 1.30),
    "02": ("Brackmoor", 0.15, 1.00),
    "03": ("Corrie Bay", 0.13, 1.15),
    "04": ("Dunmere", 0.11, 0.90),
    "05": ("Eastholt", 0.10, 0.95),
    "06": ("Fallowdale", 0.08, 0.80),
    "07": ("Greyhaven", 0.07, 1.10),
    "08": ("Highmarch", 0.06, 0.75),
    "09": ("Innisvale", 0.05, 0.85),
    "10": ("Juniper Coast", 0.03, 1.05),
    "11": ("Kestrel Isles", 0.02, 0.70),
    "12": ("Lowater", 0.01, 0.65),
}
CENSUS_REGIONS = {prefix: name for prefix, (name, _, _) in REGIONS.items()}

# A municipality code is region (2 digits), district (1), number (2). Prefix lengths, from fine to coarse.
CENSUS_MUNICIPALITY_PREFIXES = (3, 2)

SEXES = ("female", "male")
MARITAL_STATUSES = ("never married", "married", "separated", "divorced", "widowed")
CENSUS_EDUCATION_ORDER = (
    "none",
    "primary",
    "lower secondary",
    "upper secondary",
    "bachelor",
    "master or higher",
)

# occupation -> its generalizations, from fine to coarse; those at work come first
OCCUPATIONS = {
    "manager": ("knowledge work", "at work"),
    "professional": ("knowledge work", "at work"),
    "technician": ("knowledge work", "at work"),
    "clerk": ("office and service", "at work"),
    "service worker": ("office and service", "at work"),
    "craft worker": ("manual work", "at work"),
    "machine operator": ("manual work", "at work"),
    "laborer": ("manual work", "at work"),
    "preschool child": ("child or student", "not at work"),
    "student": ("child or student", "not at work"),
    "not employed": ("out of work", "not at work"),
    "retired": ("out of work", "not at work"),
}
AREAS = {
    "north": ("Alderfen", "Brackmoor", "Highmarch", "Lowater"),
    "south": ("Dunmere", "Eastholt", "Fallowdale", "Innisvale"),
    "coast": ("Corrie Bay", "Greyhaven", "Juniper Coast", "Kestrel Isles"),
}
HEALTH_CONDITIONS = (
    "none",
    "asthma",
    "back pain",
    "cancer",
    "depression",
    "diabetes",
    "heart disease",
    "hypertension",
)


def municipalities() -> dict[str, float]:
    """Code -> share of households; within a region, the town of rank r has a share proportional to 1 / r (Zipf)."""
    shares = {}
    for prefix, (_, share, _) in REGIONS.items():
        n_towns = 6 + round(100 * share)
        total = sum(1 / rank for rank in range(1, n_towns + 1))
        for town in range(n_towns):
            district, number = divmod(town, 6)
            shares[f"{prefix}{district + 1}{number + 1:02}"] = share / (town + 1) / total
    return shares


def census_taxonomies(folder: str | Path) -> dict[str, Path]:
    """Writes the hierarchy files (``value;parent;...;*``) of region and occupation; returns column -> file."""
    lines: dict[str, list[tuple[str, ...]]] = {
        "region": [(name, area) for area, names in AREAS.items() for name in names],
        "occupation": [(name, *parents) for name, parents in OCCUPATIONS.items()],
    }
    return {column: _write(Path(folder) / f"hierarchy_{column}.csv", rows) for column, rows in lines.items()}


def _write(path: Path, rows: Iterable[tuple[str, ...]]) -> Path:
    text = "".join(";".join((*row, "*")) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path
