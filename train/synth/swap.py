"""Public questions with other values or other columns of the same table."""

import random

from mentions import Span, find_column, find_table, find_value, in_form_of, put, split_words
from resolve import Resolved, literal_text
from schema import Column, Schema, literal, number_text, quote

SMALL = [2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20]


def other_cell(rng: random.Random, column: Column, like: str):
    """Another cell of the same sort (text or number) as the literal token `like`."""
    is_text = like[0] in "'\""
    cells = [v for v in column.values if isinstance(v, str) == is_text and (is_text or v >= 0)]
    if is_text:
        cells = [v for v in cells if any(c.isalnum() for c in v)]
    cells = [v for v in cells if str(v) != literal_text(like)]
    return rng.choice(cells) if cells else None


def written(value) -> tuple[str, str]:
    """A value as it stands in a question and in SQL."""
    text = value if isinstance(value, str) else number_text(value)
    return text, literal(value) if isinstance(value, str) else text


def value_swap(
    rng: random.Random, schema: Schema, question: str, resolved: Resolved,
) -> tuple[str, str] | None:
    words = split_words(question)
    changes: list[tuple[Span, str]] = []
    sql: dict[int, str] = {}
    chosen: dict[str, tuple[str, str]] = {}
    for i, target in resolved.literals.items():
        token = resolved.tokens[i].text
        text = literal_text(token)
        if "%" in text:
            continue
        spans = find_value(question, words, text)
        if len(spans) != 1:
            continue
        if text not in chosen:
            if target in ("limit", "count"):
                if not text.isdigit() or text == "1":
                    continue
                value: object = rng.choice(SMALL)
            elif isinstance(target, int):
                value = other_cell(rng, schema.columns[target], token)
            else:
                continue
            if value is None:
                continue
            chosen[text] = written(value)
            shown = chosen[text][0]
            changes.append((spans[0], shown if rng.random() < 0.85 else shown.lower()))
        sql[i] = chosen[text][1]
    if not changes or falls(resolved, sql):
        return None
    swapped = put(question, changes)
    return (swapped, resolved.replace(sql)) if swapped else None


def falls(resolved: Resolved, sql: dict[int, str]) -> bool:
    """Whether a BETWEEN got its bounds the wrong way round."""
    for i, low in sql.items():
        if resolved.tokens[i - 1].word == "between" and i + 2 in sql:
            high = sql[i + 2]
            if (low > high) if low[0] == "'" else (float(low) > float(high)):
                return True
    return False


def column_swap(
    rng: random.Random, schema: Schema, question: str, resolved: Resolved,
) -> tuple[str, str] | None:
    words = split_words(question)
    used = set(resolved.columns.values())
    changes: list[tuple[Span, str]] = []
    mapped: dict[int, Column] = {}
    sql: dict[int, str] = {}
    tables = [span for t in set(resolved.tables.values()) for span in find_table(words, schema.tables[t])]
    for number in sorted(used):
        column = schema.columns[number]
        if column.kind == "key" or rng.random() < 0.25:
            continue
        spans = find_column(schema, words, column)
        if not spans or any(s.start < t.end and t.start < s.end for s in spans for t in tables):
            continue
        literals = [i for i, target in resolved.literals.items() if target == number or target == ("aggregate", number)]
        others = [c for c in schema.tables[column.table].columns if c.id not in used and c.kind != "key"
                  and c not in mapped.values() and (c.type == column.type) and (c.values or not literals)]
        if not others:
            continue
        other = rng.choice(others)
        values = swap_literals(rng, question, words, resolved, literals, other)
        if values is None:
            continue
        mapped[number] = other
        changes += [(
            s, in_form_of(question[s.start: s.end], " ".join(other.words), column.words),
        ) for s in spans]
        changes += values[0]
        sql |= values[1]
    if not mapped:
        return None
    for i, number in resolved.columns.items():
        if number in mapped:
            sql[i] = quote(mapped[number].name)
    swapped = put(question, changes)
    return (swapped, resolved.replace(sql)) if swapped else None


def swap_literals(rng, question, words, resolved, literals, column):
    """New values for the literals compared with an exchanged column; None when that fails."""
    changes, sql = [], {}
    for i in literals:
        token = resolved.tokens[i].text
        spans = find_value(question, words, literal_text(token))
        value = other_cell(rng, column, token)
        if len(spans) != 1 or value is None or "%" in token:
            return None
        text, code = written(value)
        changes.append((spans[0], text))
        sql[i] = code
    return changes, sql
