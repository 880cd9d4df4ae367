"""Diagnoses of the synthetic hospital: three-character categories of ICD-10 with their wards, ages and days of stay."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class IcdCategory:
    code: str  # three characters; a fourth follows after a point
    ward: str
    share: float  # of the stays at the ages where it is usual, relative to the others
    youngest: int  # age in years, inclusive
    oldest: int
    days: float  # mean length of stay
    women_only: bool = False


DIAGNOSES = (
    IcdCategory("I50", "internal medicine", 9.0, 60, 105, 9.5),
    IcdCategory("I48", "internal medicine", 5.0, 50, 105, 4.0),
    IcdCategory("I21", "cardiology", 4.5, 40, 105, 6.5),
    IcdCategory("I25", "cardiology", 4.5, 45, 105, 3.5),
    IcdCategory("I63", "neurology", 5.0, 50, 105, 10.0),
    IcdCategory("I10", "internal medicine", 3.5, 35, 105, 3.5),
    IcdCategory("I70", "surgery", 3.0, 50, 105, 8.0),
    IcdCategory("J18", "internal medicine", 4.5, 0, 105, 8.5),
    IcdCategory("J44", "internal medicine", 4.5, 45, 105, 7.5),
    IcdCategory("J20", "pediatrics", 6.0, 0, 9, 3.0),
    IcdCategory("J35", "surgery", 6.0, 2, 30, 3.5),
    IcdCategory("A09", "pediatrics", 4.0, 0, 17, 2.5),
    IcdCategory("A41", "internal medicine", 2.0, 40, 105, 12.0),
    IcdCategory("B34", "pediatrics", 3.0, 0, 17, 2.0),
    IcdCategory("C34", "oncology", 2.5, 45, 90, 7.0),
    IcdCategory("C50", "oncology", 2.5, 35, 95, 5.0, women_only=True),
    IcdCategory("C18", "oncology", 2.0, 50, 95, 9.5),
    IcdCategory("C61", "oncology", 1.5, 55, 90, 5.5),
    IcdCategory("D64", "internal medicine", 1.0, 55, 105, 5.0),
    IcdCategory("E11", "internal medicine", 3.0, 45, 105, 8.0),
    IcdCategory("E86", "internal medicine", 1.5, 70, 105, 5.5),
    IcdCategory("F10", "internal medicine", 4.0, 18, 70, 6.0),
    IcdCategory("F32", "neurology", 2.0, 18, 80, 20.0),
    IcdCategory("G40", "neurology", 2.0, 0, 90, 5.0),
    IcdCategory("G45", "neurology", 2.0, 50, 105, 4.0),
    IcdCategory("G47", "internal medicine", 2.0, 35, 75, 2.0),
    IcdCategory("H25", "surgery", 2.0, 60, 95, 1.5),
    IcdCategory("K35", "surgery", 4.0, 8, 60, 4.0),
    IcdCategory("K40", "surgery", 2.5, 30, 90, 2.5),
    IcdCategory("K56", "surgery", 1.5, 40, 105, 7.5),
    IcdCategory("K57", "surgery", 2.0, 40, 100, 6.5),
    IcdCategory("K80", "surgery", 4.0, 25, 95, 5.0),
    IcdCategory("K29", "internal medicine", 2.0, 18, 100, 3.5),
    IcdCategory("M16", "orthopedics", 3.0, 50, 90, 8.5),
    IcdCategory("M17", "orthopedics", 3.0, 50, 90, 8.0),
    IcdCategory("M51", "orthopedics", 3.0, 30, 80, 6.0),
    IcdCategory("M54", "orthopedics", 2.5, 20, 90, 4.5),
    IcdCategory("N39", "internal medicine", 2.5, 30, 105, 5.5),
    IcdCategory("N20", "surgery", 2.0, 25, 80, 3.0),
    IcdCategory("O80", "gynecology", 40.0, 18, 43, 3.0, women_only=True),
    IcdCategory("O34", "gynecology", 10.0, 20, 43, 4.5, women_only=True),
    IcdCategory("P07", "pediatrics", 8.0, 0, 0, 20.0),
    IcdCategory("Z38", "pediatrics", 90.0, 0, 0, 3.0),
    IcdCategory("R07", "cardiology", 2.0, 25, 85, 1.5),
    IcdCategory("R55", "internal medicine", 2.0, 15, 105, 3.5),
    IcdCategory("S06", "surgery", 5.0, 0, 105, 2.5),
    IcdCategory("S52", "orthopedics", 3.0, 4, 95, 3.5),
    IcdCategory("S72", "orthopedics", 3.5, 65, 105, 13.0),
    IcdCategory("S82", "orthopedics", 2.5, 15, 85, 6.0),
    IcdCategory("T81", "surgery", 1.5, 20, 95, 8.0),
)
