"""The IR's own words as functions of SQLite, good enough to run queries that use them: some only stand in."""

import sqlite3
import statistics
from typing import Any, Callable


def gathered(figure: Callable[[list, list], Any], arguments: int) -> type:
    """An aggregate over all values; a second argument is the same in every row."""

    class Gathered:
        def __init__(self) -> None:
            self.values: list = []
            self.rest: list = []

        def step(self, value, *rest) -> None:
            self.rest = list(rest)
            if isinstance(value, (int, float)):
                self.values.append(value)

        def finalize(self):
            return figure(sorted(self.values), self.rest) if self.values else None

    Gathered.arguments = arguments
    return Gathered


AGGREGATES = {
    "ir_median": gathered(lambda values, rest: statistics.median(values), 1),
    "ir_percentile": gathered(lambda values, rest: values[min(len(values) - 1, int(len(values) * rest[0] / 100))], 2),
    "ir_stddev": gathered(lambda values, rest: statistics.stdev(values) if len(values) > 1 else None, 1),
    "ir_variance": gathered(lambda values, rest: statistics.variance(values) if len(values) > 1 else None, 1),
}

# what needs other rows stands in for itself, and conditions on a period hold
SCALARS: dict[str, tuple[int, Callable]] = {
    "ir_during": (2, lambda column, period: 1),
    "ir_moving": (2, lambda value, count: value),
    "ir_cumulative": (1, lambda value: value),
    "ir_year_ago": (1, lambda value: value),
    "ir_change_year": (1, lambda value: value),
    "ir_growth_year": (1, lambda value: value),
    "ir_earliest": (2, lambda date, key: date),
    "ir_latest": (2, lambda date, key: date),
    "ir_prior": (2, lambda date, key: date),
    "ir_days": (2, lambda later, earlier: 1.0),
    "ir_shift": (3, lambda date, number, unit: date),
    "ir_month": (1, lambda date: date and str(date)[:7]),
    "ir_quarter": (1, lambda date: date and str(date)[:7]),
    "ir_year": (1, lambda date: date and str(date)[:4]),
    "ir_left_of": (2, lambda text, count: text and str(text)[:count]),
    "ir_right_of": (2, lambda text, count: text and str(text)[-count:]),
    "ir_before_sign": (2, lambda text, sign: text and str(text).split(sign)[0]),
    "ir_after_sign": (2, lambda text, sign: text and str(text).split(sign)[-1]),
    "ir_per": (1, lambda value: value),
}


def register(base: sqlite3.Connection) -> None:
    for name, (arguments, function) in SCALARS.items():
        base.create_function(name, arguments, function)
    for name, kind in AGGREGATES.items():
        base.create_aggregate(name, kind.arguments, kind)
