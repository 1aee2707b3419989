"""Questions written by people: rewordings of public ones, and everyday ones over our own schemas.

The files lie in train/questions, one {db_id, question, query} per line, and dialogues with {db_id, turns}. Everyday ones are asked of
the same rows under names in other styles too, so that the network learns their words and not the
spelling of one schema.
"""

import json
from pathlib import Path

import own
import resolve
from schema import Schema, quote

FILES = {"reworded": "reworded.jsonl", "everyday": "everyday.jsonl", "dialogues": "dialogues.jsonl"}
BEFORE = 2  # turns that a later one remembers


def read(folder: Path) -> dict[str, list[dict]]:
    found = {}
    for source, name in FILES.items():
        path = folder / name
        found[source] = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return found


def in_style(out: Path, schemas: Path, styles: int) -> dict[str, list[Schema]]:
    """name of a schema as written -> the same with names in some other styles."""
    sisters: dict[str, list[Schema]] = {}
    for place, (name, (style, text)) in enumerate(own.read_files(schemas).items()):
        others = [s for s in own.STYLES if s != style]
        for turn in range(styles):
            schema = own.make(out, name, text, others[(place + turn) % len(others)], 0, f"w{turn}")
            sisters.setdefault(f"own_{name}_0", []).append(schema)
    return sisters


def move(question: dict, schema: Schema, sister: Schema) -> dict | None:
    """The same question asked of the sister, whose columns have the same places."""
    try:
        resolved = resolve.resolve(question["query"], schema)
    except resolve.Unclear:
        return None
    changes = {i: quote(sister.tables[table].name) for i, table in resolved.tables.items()}
    changes |= {i: quote(sister.columns[column].name) for i, column in resolved.columns.items()}
    named = {schema.tables[table].name.lower(): table for table in resolved.tables.values()}
    for i, token in enumerate(resolved.tokens[:-1]):  # a table in front of its column
        if resolved.tokens[i + 1].text == "." and token.word in named:
            changes[i] = quote(sister.tables[named[token.word]].name)
    return {"db_id": sister.db_id, "question": question["question"], "query": resolved.replace(changes)}


def turns_of(dialogues: list[dict]) -> tuple[list[dict], list[dict]]:
    """First turns as plain questions, and later ones with what was said before."""
    first, later = [], []
    for dialogue in dialogues:
        for i, turn in enumerate(dialogue["turns"]):
            question = {"db_id": dialogue["db_id"], **turn}
            if i:
                later.append(question | {"history": dialogue["turns"][max(0, i - BEFORE) : i]})
            else:
                first.append(question)
    return first, later


def move_turn(turn: dict, schema: Schema, sister: Schema) -> dict | None:
    """A later turn, and all that was said before it."""
    asked = [move({"question": t["question"], "query": t["query"]}, schema, sister) for t in (*turn["history"], turn)]
    if not all(asked):
        return None
    before = [{"question": t["question"], "query": t["query"]} for t in asked[:-1]]
    return asked[-1] | {"history": before}


def moved_turns(turns: list[dict], schemas: dict[str, Schema], sisters: dict[str, list[Schema]]) -> list[dict]:
    pairs = ((t, sister) for t in turns for sister in sisters.get(t["db_id"], []))
    return [m for t, sister in pairs if (m := move_turn(t, schemas[t["db_id"]], sister))]


def moved(questions: list[dict], schemas: dict[str, Schema], sisters: dict[str, list[Schema]]) -> list[dict]:
    pairs = ((q, sister) for q in questions for sister in sisters.get(q["db_id"], []))
    return [m for q, sister in pairs if (m := move(q, schemas[q["db_id"]], sister))]
