"""Nouns that mean the same, from nouns.txt (which make_nouns.py made)."""

from functools import cache
from pathlib import Path

FILE = Path(__file__).resolve().parent / "nouns.txt"


@cache
def table() -> dict[str, list[str]]:
    lines = (line.partition(": ") for line in FILE.read_text().splitlines() if not line.startswith("#"))
    return {word: others.split(", ") for word, _, others in lines}


def synonyms(word: str, avoid: set[str]) -> list[str]:
    """Those that are not names of something else in the schema."""
    return [other for other in table().get(word, []) if other not in avoid]
