"""Question families: each writes one kind of question and its SQL over any schema."""

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import Callable

from maker import Maker
from query import Query

Pair = tuple[str, Query | str]  # the question; its query, or SQL where one Query cannot say it


@dataclass
class Family:
    name: str
    weight: float
    write: Callable[[Maker], Pair]

    @property
    def group(self) -> str:
        """The file it stands in: basic, joins, dates …"""
        return self.write.__module__.rsplit(".", 1)[-1]


FAMILIES: list[Family] = []


def family(weight: float) -> Callable:
    """Registers a family; it is drawn in proportion to `weight`."""

    def register(write: Callable[[Maker], Pair]) -> Callable[[Maker], Pair]:
        FAMILIES.append(Family(write.__name__, weight, write))
        return write

    return register


def load() -> list[Family]:
    """All families, in an order that does not depend on the machine."""
    if not FAMILIES:
        for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
            importlib.import_module(f"families.{module}")
    return FAMILIES


@cache
def of_groups(*groups: str) -> list[Family]:
    return [family for family in load() if family.group in groups]
