"""Puts questions to the wrong database: python3 train/elsewhere.py QUESTIONS OUT COUNT

Nothing can be right there; what chooses among candidates learns to doubt from them.
"""

import json
import random
import sys

NOTHING = "SELECT 'there is no such answer'"


def main(path, out, count):
    with open(path, encoding="utf-8") as file:
        questions = json.load(file)
    rng = random.Random(5)
    databases = sorted({q["db_id"] for q in questions})
    moved = []
    for question in rng.sample(questions, int(count)):
        other = rng.choice([d for d in databases if d != question["db_id"]])
        moved.append({"db_id": other, "question": question["question"], "query": NOTHING})
    with open(out, "w", encoding="utf-8") as file:
        json.dump(moved, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
