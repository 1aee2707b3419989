"""Whole public questions moved to another schema of the same shape."""

import random

from mentions import Span, find_column, find_table, find_value, in_form_of, put, split_words
from resolve import Resolved, literal_text
from schema import Column, Key, Schema, own_words, quote
from swap import falls, other_cell, written


class Plan:
    """What a question mentions, and which role each of its columns plays."""

    def __init__(self, schema: Schema, question: str, resolved: Resolved):
        self.schema, self.question, self.resolved = schema, question, resolved
        self.words = split_words(question)
        self.columns = sorted(set(resolved.columns.values()))
        self.tables = sorted(set(resolved.tables.values()))
        self.keys = [k for k in schema.keys if k.child in self.columns and k.parent in self.columns
                     and schema.columns[k.child].table != schema.columns[k.parent].table]
        self.roles: dict[int, str] = {}
        self.spans: list[tuple[Span, str, int]] = []
        self.values: dict[int, int] = {}  # literal token -> column

    def read(self) -> bool:
        """False when some part of the question could not follow the schema."""
        edges = {c for k in self.keys for c in (k.child, k.parent)}
        for number in self.columns:
            column = self.schema.columns[number]
            spans = find_column(self.schema, self.words, column)
            if number in edges:
                self.roles[number] = "edge"
            elif column.primary:
                self.roles[number] = "primary"
            elif column.foreign:
                return False
            elif spans:
                self.roles[number] = "plain"
            elif column.words[-1] in ("name", "title"):
                self.roles[number] = "name"
            else:
                return False
            if self.roles[number] in ("plain", "primary"):
                self.spans += [(s, "column", number) for s in spans]
        return self.read_tables() and self.read_values() and self.is_connected()

    def read_tables(self) -> bool:
        for number in self.tables:
            found = [s for s in find_table(self.words, self.schema.tables[number])
                     if not any(s.start < o.end and o.start < s.end for o, _, _ in self.spans)]
            plain = any(self.roles[c] != "edge" and self.schema.columns[c].table == number for c in self.columns)
            if not found and (plain or len(self.tables) == 1):
                return False
            self.spans += [(s, "table", number) for s in found]
        return any(kind == "table" for _, kind, _ in self.spans)

    def read_values(self) -> bool:
        for i, target in self.resolved.literals.items():
            text = literal_text(self.resolved.tokens[i].text)
            if isinstance(target, int):
                found = find_value(self.question, self.words, text)
                if len(found) != 1 or "%" in text:
                    return False
                self.values[i] = target
                self.spans.append((found[0], "value", i))
            elif target not in ("limit", "count"):
                return False
        self.spans.sort(key=lambda s: s[0].start)
        return all(a[0].end <= b[0].start for a, b in zip(self.spans, self.spans[1:]))

    def is_connected(self) -> bool:
        reached = {self.tables[0]} if self.tables else set()
        for _ in self.tables:
            for key in self.keys:
                ends = {self.schema.columns[key.child].table, self.schema.columns[key.parent].table}
                if ends & reached:
                    reached |= ends
        return reached == set(self.tables) and len(self.tables) <= 4


def match_tables(
    rng: random.Random, plan: Plan, other: Schema,
) -> tuple[dict[int, int], dict[int, int]] | None:
    """Tables and key columns of the other schema for those of the plan, along its keys."""
    if len(plan.tables) == 1:
        return {plan.tables[0]: rng.choice([t.id for t in other.tables if t.columns])}, {}
    tables: dict[int, int] = {}
    columns: dict[int, int] = {}
    pending: list[Key] = list(plan.keys)
    rng.shuffle(pending)
    for _ in range(20):
        if not pending:
            break
        key = pending.pop(0)
        child, parent = plan.schema.columns[key.child].table, plan.schema.columns[key.parent].table
        if tables and child not in tables and parent not in tables:
            pending.append(key)
            continue
        fits = []
        for candidate in other.single_keys:
            a, b = other.columns[candidate.child].table, other.columns[candidate.parent].table
            good = tables.get(child, a) == a and tables.get(parent, b) == b
            fresh = (child in tables or a not in tables.values()) and (parent in tables or b not in tables.values())
            if good and fresh and columns.get(key.parent, candidate.parent) == candidate.parent \
                    and columns.get(key.child, candidate.child) == candidate.child:
                fits.append(candidate)
        if not fits:
            return None
        chosen = rng.choice(fits)
        columns[key.child], columns[key.parent] = chosen.child, chosen.parent
        tables[child] = other.columns[chosen.child].table
        tables[parent] = other.columns[chosen.parent].table
    return (tables, columns) if set(tables) == set(plan.tables) else None


def match_columns(rng: random.Random, plan: Plan, other: Schema, tables: dict, columns: dict) -> bool:
    """Fills `columns` with a column of the same role and type for each of the plan's."""
    compared = set(plan.values.values())
    for number in plan.columns:
        if plan.roles[number] == "edge":
            if number not in columns:
                return False
            continue
        source = plan.schema.columns[number]
        table = other.tables[tables[source.table]]
        if plan.roles[number] == "primary":
            if table.primary is None:
                return False
            columns[number] = table.primary.id
            continue
        fits = [c for c in table.columns if c.kind != "key" and c.id not in columns.values() and c.type == source.type
                and len(c.words) <= 4 and (number not in compared or c.values)]
        if plan.roles[number] == "name":
            fits = [c for c in fits if c.words[-1] in ("name", "title")]
        if not fits:
            return False
        columns[number] = rng.choice(fits).id
    return True


def said(rng: random.Random, schema: Schema, column: Column) -> str:
    return " ".join(own_words(schema.tables[column.table], column) if rng.random() < 0.7 else column.words)


def transplant(rng: random.Random, plan: Plan, other: Schema) -> tuple[str, str] | None:
    """The question over the other schema, or None when its shape does not fit."""
    matched = match_tables(rng, plan, other)
    if matched is None:
        return None
    tables, columns = matched
    if not match_columns(rng, plan, other, tables, columns):
        return None
    literals: dict[int, tuple[str, str]] = {}
    for i, number in plan.values.items():
        value = other_cell(rng, other.columns[columns[number]], plan.resolved.tokens[i].text)
        if value is None:
            return None
        literals[i] = written(value)
    changes: list[tuple[Span, str]] = []
    for span, kind, number in plan.spans:
        original = plan.question[span.start: span.end]
        if kind == "value":
            changes.append((span, literals[number][0]))
        elif kind == "column":
            changes.append((
                span,
                in_form_of(
                    original, said(rng, other, other.columns[columns[number]]),
                    plan.schema.columns[number].words,
                ),
            ))
        else:
            changes.append((
                span,
                in_form_of(original, other.tables[tables[number]].phrase, plan.schema.tables[number].words),
            ))
    sql = {i: quote(other.tables[tables[t]].name) for i, t in plan.resolved.tables.items()}
    sql |= {i: quote(other.columns[columns[c]].name) for i, c in plan.resolved.columns.items()}
    sql |= {i: text for i, (_, text) in literals.items()}
    for i, token in enumerate(plan.resolved.tokens):  # a table's own name in front of a column
        if i not in sql and i + 1 < len(plan.resolved.tokens) and plan.resolved.tokens[i + 1].text == ".":
            named = next((t for t in plan.tables if plan.schema.tables[t].name.lower() == token.word), None)
            if named is not None:
                sql[i] = quote(other.tables[tables[named]].name)
    if falls(plan.resolved, {i: sql[i] for i in literals}):
        return None
    question = put(plan.question, changes)
    return (question, plan.resolved.replace(sql)) if question else None
