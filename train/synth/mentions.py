"""Where a question mentions a column, a table or a value."""

import re
from dataclasses import dataclass

from schema import Column, Schema, Table, own_words
from words import plural, singular

WORD = re.compile(r"[A-Za-z]+|\d[\d,]*\.?\d*|[^\sA-Za-z\d]")
NUMBERS = {word: str(i) for i, word in enumerate("zero one two three four five six seven eight nine ten".split())}


@dataclass
class Word:
    text: str
    stem: str
    start: int
    end: int


@dataclass
class Span:
    start: int  # in characters
    end: int


def split_words(question: str) -> list[Word]:
    return [Word(m[0], singular(m[0].lower()), m.start(), m.end()) for m in WORD.finditer(question)]


def find_words(words: list[Word], wanted: list[str]) -> list[Span]:
    """Every run of words equal to `wanted` but for plurals."""
    stems = [singular(w) for w in wanted]
    runs = []
    for i in range(len(words) - len(stems) + 1):
        if [w.stem for w in words[i: i + len(stems)]] == stems:
            runs.append(Span(words[i].start, words[i + len(stems) - 1].end))
    return runs


def find_column(schema: Schema, words: list[Word], column: Column) -> list[Span]:
    """Mentions by the full name, else by the name without its table's."""
    found = find_words(words, column.words)
    if found:
        return found
    short = own_words(schema.tables[column.table], column)
    return find_words(words, short) if short != column.words else []


def find_table(words: list[Word], table: Table) -> list[Span]:
    return find_words(words, table.words)


def find_value(question: str, words: list[Word], value: str) -> list[Span]:
    """A literal in the question, whatever its letter case; small numbers also as words."""
    pattern = r"(?<![A-Za-z0-9])" + re.escape(value) + r"(?![A-Za-z0-9])"
    found = [Span(m.start(), m.end()) for m in re.finditer(pattern, question, re.IGNORECASE)]
    if not found and re.fullmatch(r"\d+", value):
        found = [Span(w.start, w.end) for w in words if NUMBERS.get(w.text.lower()) == value]
    return found


def put(question: str, changes: list[tuple[Span, str]]) -> str | None:
    """The question with spans exchanged; None when they overlap."""
    changes = sorted(changes, key=lambda change: change[0].start)
    if any(a[0].end > b[0].start for a, b in zip(changes, changes[1:])):
        return None
    for span, text in reversed(changes):
        question = question[: span.start] + text + question[span.end:]
    return question


def in_form_of(original: str, phrase: str, base: list[str]) -> str:
    """`phrase` in the plural where `original` was one (and its base was not)."""
    last = original.lower().split()[-1]
    words = phrase.split()
    if last != singular(last) and base[-1] == singular(base[-1]):
        words[-1] = plural(words[-1])
    elif last == singular(last):
        words[-1] = singular(words[-1])
    text = " ".join(words)
    return text[:1].upper() + text[1:] if original[:1].isupper() and original[1:2].islower() else text
