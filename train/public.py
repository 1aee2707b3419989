"""Further public training questions beside Spider's: python3 train/public.py KIND FOLDER OUT DATABASES

KIND: bird, wikisql or ehrsql; FOLDER: questions.jsonl and database/. OUT gets a JSON line for each question that is taken,
DATABASES a link for each database. Names get the kind in front, so that no two databases are called alike. Every query
runs; those that the parser's language cannot say are left out by `dragoman features`.
"""

import hashlib
import json
import random
import sys
from pathlib import Path

# questions at most, and what one weighs
KINDS = {"bird": (20_000, 1.0), "wikisql": (15_000, 0.7), "ehrsql": (2_500, 0.7)}
# databases whose questions are the published training part; of the others only valid, dev or test parts are there
TRAINING = {"ehrsql": {"mimic_iv"}}
AWAY = {"bird": 8, "wikisql": 60, "ehrsql": 0}  # databases to measure with: those with the lowest SHA-256
HINTED = 0.25  # how many of bird's questions keep the hint of those who wrote them


def kind_of(database):
    return database.partition("_")[0]


def read(kind, folder):
    """Questions that may be used, and the names of all databases in the order of their digests."""
    with open(Path(folder) / "questions.jsonl", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    taken = TRAINING.get(kind)
    found = [q for q in found if q.get("query") and (not taken or q["db_id"] in taken)]
    return found, sorted({q["db_id"] for q in found}, key=lambda n: hashlib.sha256(n.encode()).hexdigest())


def questions_of(kind, folder, rng):
    """Those over databases that are kept to measure with are left out."""
    most, weight = KINDS[kind]
    found, ids = read(kind, folder)
    away = set(ids[: AWAY[kind]])
    found = [q for q in found if q["db_id"] not in away]
    rng.shuffle(found)
    for item in found[:most]:
        question = item["question"]
        if item.get("evidence") and rng.random() < HINTED:
            question = f"{question} {item['evidence']}"
        yield {"db_id": f"{kind}_{item['db_id']}", "question": question, "query": item["query"], "source": kind,
               "weight": weight}


def link_databases(kind, folder, databases, names):
    for name in names:
        plain = name[len(kind) + 1 :]
        place = Path(databases) / name
        place.mkdir(parents=True, exist_ok=True)
        link = place / f"{name}.sqlite"
        if not link.exists():
            link.symlink_to((Path(folder) / "database" / plain / f"{plain}.sqlite").resolve())


def main(kind, folder, out, databases):
    folder, used = Path(folder), set()
    with open(out, "w", encoding="utf-8") as file:
        for question in questions_of(kind, folder, random.Random(13)):
            used.add(question["db_id"])
            file.write(json.dumps(question, ensure_ascii=False) + "\n")
    link_databases(kind, folder, databases, sorted(used))


if __name__ == "__main__":
    main(*sys.argv[1:])
