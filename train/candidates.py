"""What the verifier learns from: questions over schemas that the network never saw, and all it made of them.

python3 train/candidates.py questions FOLDER OUT PARTS   OUT.written.N.json and OUT.made.N.json from make.py's FOLDER
python3 train/candidates.py queries CANDIDATES OUT       each candidate as a question of its own, for `dragoman features`

The schemas are those of verifier_schemas.txt; train.py leaves them out until the verifier has learnt (`seen=1`). Those of
strange_schemas.txt neither ever sees: what both make of them is what to expect elsewhere. Questions whose SQL only the
program's own language can say are left out: it cannot be run to see what is right.
"""

import json
import random
import sys
from pathlib import Path

MADE = 36_000  # questions from templates, beside all that were written by hand
MOST = 11  # candidates of a question
PUBLIC = ("spider", "syn", "reworded")


def listed(name):
    return set((Path(__file__).parent / name).read_text().split())


def verifier_schemas():
    return listed("verifier_schemas.txt")


def strange_schemas():
    return listed("strange_schemas.txt")


def is_of(database, schemas):
    return database.startswith("own_") and database[4:].rsplit("_", 1)[0] in schemas


def candidates_of(item):
    """Those that ran: what did not cannot be chosen."""
    return [c for c in item["candidates"] if c["runs"]][:MOST]


def write_questions(folder, out, parts):
    schemas, written, made = verifier_schemas(), [], []
    for line in open(Path(folder) / "questions.jsonl", encoding="utf-8"):
        item = json.loads(line)
        if is_of(item["db_id"], schemas) and "ir_" not in item["query"] and item["source"] not in PUBLIC:
            kind = written if item["source"] == "written" else made
            kind.append({key: item[key] for key in ("db_id", "question", "query")})
    rng = random.Random(5)
    rng.shuffle(written)
    made = rng.sample(made, min(MADE, len(made)))
    for name, items in (("written", written), ("made", made)):
        print(f"{name}: {len(items)} questions")
        for part in range(parts):
            with open(f"{out}.{name}.{part}.json", "w", encoding="utf-8") as file:
                json.dump(items[part::parts], file)


def write_queries(path, out):
    with open(out, "w", encoding="utf-8") as file:
        for line in open(path, encoding="utf-8"):
            item = json.loads(line)
            for candidate in candidates_of(item):
                query = {"db_id": item["db_id"], "question": item["question"], "query": candidate["sql"]}
                file.write(json.dumps(query | {"source": "candidate", "weight": 1.0}) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "questions":
        write_questions(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        write_queries(sys.argv[2], sys.argv[3])
