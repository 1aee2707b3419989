"""Public questions with their exact column and table mentions put in other words."""

import random

from lexicon import COLUMN_NOUNS, TABLE_NOUNS
from mentions import Span, find_column, find_table, find_value, in_form_of, put, split_words
from resolve import Resolved, literal_text
from schema import Schema
from thesaurus import synonyms
from words import singular


def other_words(
    rng: random.Random, schema: Schema, phrase: list[str], lists: dict[str, list[str]],
) -> str | None:
    """A related noun for the whole phrase, or for its last word."""
    whole = " ".join(phrase)
    if whole in lists:
        return rng.choice(lists[whole])
    last = singular(phrase[-1])
    found = lists.get(last, []) if rng.random() < 0.6 else synonyms(last, schema.words)
    if not found:
        return None
    noun = rng.choice(found)
    return " ".join([*phrase[:-1], noun]) if len(phrase) > 1 and rng.random() < 0.75 else noun


def reword(rng: random.Random, schema: Schema, question: str, resolved: Resolved) -> tuple[str, str] | None:
    """Some mentions exchanged; those inside a value stay."""
    words = split_words(question)
    fixed: list[Span] = []
    for i in resolved.literals:
        fixed += find_value(question, words, literal_text(resolved.tokens[i].text).strip("%"))
    changes: list[tuple[Span, str]] = []
    taken = list(fixed)

    def offer(spans: list[Span], phrase: str | None, base: list[str]) -> None:
        for span in spans if phrase else []:
            if not any(span.start < t.end and t.start < span.end for t in taken):
                changes.append((span, in_form_of(question[span.start: span.end], phrase, base)))
                taken.append(span)

    for number in sorted(set(resolved.columns.values())):
        column = schema.columns[number]
        if column.kind != "key" and rng.random() < 0.75:
            offer(
                find_column(schema, words, column), other_words(rng, schema, column.words, COLUMN_NOUNS),
                column.words,
            )
    for number in sorted(set(resolved.tables.values())):
        table = schema.tables[number]
        if rng.random() < 0.6:
            offer(find_table(words, table), other_words(rng, schema, table.words, TABLE_NOUNS), table.words)
    if not changes:
        return None
    text = put(question, changes)
    return (text, resolved.sql) if text else None
