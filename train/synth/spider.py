"""The public training questions: reading them, and which databases are kept for validation."""

import hashlib
import json
from pathlib import Path

from schema import Schema, from_tables_json

HELD_OUT = 20


def held_out(names: list[str]) -> set[str]:
    """The databases with the lowest SHA-256 of their name: nobody chose them."""
    return set(sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:HELD_OUT])


def read_schemas(folder: Path) -> dict[str, Schema]:
    entries = json.loads((folder / "tables.json").read_text())
    return {entry["db_id"]: from_tables_json(entry, folder / "database") for entry in entries}


def read_questions(path: Path) -> list[dict]:
    """Without doubles: the synonym file repeats questions that have none."""
    seen = set()
    questions = []
    for entry in json.loads(path.read_text()):
        key = (entry["db_id"], entry["question"], entry["query"])
        if key not in seen:
            seen.add(key)
            questions.append({"db_id": key[0], "question": tidy(key[1]), "query": key[2]})
    return questions


def tidy(text: str) -> str:
    for curly, plain in (("\u2018", "'"), ("\u2019", "'"), ("\u201c", '"'), ("\u201d", '"')):
        text = text.replace(curly, plain)
    return " ".join(text.split())
