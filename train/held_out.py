"""Writes the questions of the held-out databases: python3 train/held_out.py QUESTIONS OUT"""

import hashlib
import json
import sys

COUNT = 20


def names(databases):
    """Those with the lowest SHA-256 are never trained on."""
    return set(sorted(databases, key=lambda n: hashlib.sha256(n.encode()).hexdigest())[:COUNT])


def main(path, out):
    with open(path, encoding="utf-8") as file:
        questions = json.load(file)
    away = names({q["db_id"] for q in questions})
    with open(out, "w", encoding="utf-8") as file:
        json.dump([q for q in questions if q["db_id"] in away], file)


if __name__ == "__main__":
    main(*sys.argv[1:])
