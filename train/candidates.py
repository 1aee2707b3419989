"""What the verifier learns from: questions over schemas that the network never saw, and all it made of them.

python3 train/candidates.py questions FOLDER OUT PARTS        OUT.written.N.json and OUT.made.N.json from make.py's FOLDER
python3 train/candidates.py public KIND FOLDER OUT DATABASES  OUT.KIND.json (bird, wikisql, ehrsql) and OUT.KIND-away.json
python3 train/candidates.py lines QUESTIONS OUT               a list as lines, for `dragoman features`
python3 train/candidates.py strange QUESTIONS OUT             what people wrote over schemas that nothing learns from
python3 train/candidates.py cut QUESTIONS OUT MOST            slices of it, OUT.FIRST.json; prints the number of each one's first
python3 train/candidates.py pack OUT CANDIDATES …             what `dragoman eval --candidates` wrote, as numbers

The schemas are those of verifier_schemas.txt; train.py leaves them out until the verifier has learnt (`seen=1`). Those of
strange_schemas.txt neither ever sees: what both make of them is what to expect elsewhere. Questions whose SQL only the
program's own language can say are left out: it cannot be run to see what is right. Of the public kinds the databases
with the lowest SHA-256 are kept away, to measure with.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np

import public

MADE = 36_000  # questions from templates, beside all that were written by hand
MOST = 30  # candidates of a question: a beam of 24, and its variants
SLICE = 100
STRANGE = 900
PUBLIC = ("spider", "syn", "reworded")


def listed(name):
    return set((Path(__file__).parent / name).read_text().split())


def verifier_schemas():
    return listed("verifier_schemas.txt")


def strange_schemas():
    return listed("strange_schemas.txt")


def is_of(database, schemas):
    return database.startswith("own_") and database[4:].rsplit("_", 1)[0] in schemas


def write_list(path, items):
    print(f"{path}: {len(items)} questions")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(items, file)


def write_questions(folder, out, parts):
    schemas, written, made = verifier_schemas(), [], []
    for line in open(Path(folder) / "questions.jsonl", encoding="utf-8"):
        item = json.loads(line)
        plain = "ir_" not in item["query"] and not item.get("history")
        if is_of(item["db_id"], schemas) and plain and item["source"] not in PUBLIC:
            kind = written if item["source"] == "written" else made
            kind.append({key: item[key] for key in ("db_id", "question", "query")})
    rng = random.Random(5)
    rng.shuffle(written)
    made = rng.sample(made, min(MADE, len(made)))
    for name, items in (("written", written), ("made", made)):
        for part in range(parts):
            write_list(f"{out}.{name}.{part}.json", items[part::parts])


def write_strange(questions, out):
    found = [json.loads(line) for line in open(questions, encoding="utf-8")]
    schemas = strange_schemas()
    kept = [{key: q[key] for key in ("db_id", "question", "query")} for q in found
            if q["source"] == "written" and is_of(q["db_id"], schemas) and "ir_" not in q["query"]]
    random.Random(3).shuffle(kept)
    write_list(out, kept[:STRANGE])


def write_public(kind, folder, out, databases):
    """Each question with a hint stands twice: with it, and as a user would ask it."""
    found, ids = public.read(kind, folder)
    away, kept = set(ids[: public.AWAY[kind]]), {"": [], "-away": []}
    for item in found:
        question = {"db_id": f"{kind}_{item['db_id']}", "question": item["question"], "query": item["query"]}
        kept["-away" if item["db_id"] in away else ""].append(question)
        if item.get("evidence") and item["db_id"] not in away:
            kept[""].append(question | {"question": f"{item['question']} {item['evidence']}"})
    for part, items in kept.items():
        random.Random(7).shuffle(items)
        if items:
            write_list(f"{out}.{kind}{part}.json", items)
    public.link_databases(kind, folder, databases, [f"{kind}_{name}" for name in ids])


def write_lines(path, out):
    with open(path, encoding="utf-8") as file, open(out, "w", encoding="utf-8") as lines:
        for item in json.load(file):
            lines.write(json.dumps(item | {"source": "candidate", "weight": 1.0}) + "\n")


def cut(path, out, most):
    """The first MOST of them. So that many processes share the work; whoever reads the packs knows a slice by its first question."""
    with open(path, encoding="utf-8") as file:
        items = json.load(file)[: int(most)]
    for first in range(0, len(items), SLICE):
        with open(f"{out}.{first}.json", "w", encoding="utf-8") as part:
            json.dump(items[first : first + SLICE], part)
        print(first)


def candidates_of(item):
    """Those that ran: what did not cannot be chosen."""
    return [c for c in item["candidates"] if c["runs"] and c.get("numbers")][:MOST]


def pack(out, paths):
    """One row per candidate; `question` is the number of its question in its list."""
    names, rows, numbers, tokens = None, [], [], []
    for path in paths:
        for line in open(path, encoding="utf-8"):
            item = json.loads(line)
            for candidate in candidates_of(item):
                names = names or list(candidate["numbers"])
                outputs = candidate["outputs"]
                rows.append((item["number"], candidate["right"], candidate["empty"], candidate["group"], len(outputs)))
                numbers.append([candidate["numbers"][name] for name in names])
                tokens.extend(outputs)
    question, right, empty, group, length = np.array(rows, np.int32).reshape(-1, 5).T
    np.savez(out, names=np.array(names or []), question=question, right=right.astype(bool), empty=empty.astype(bool),
             group=group.astype(np.int16), length=length.astype(np.int16),
             numbers=np.array(numbers, np.float32), tokens=np.array(tokens, np.int16))  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1] == "questions":
        write_questions(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    elif sys.argv[1] == "strange":
        write_strange(*sys.argv[2:])
    elif sys.argv[1] == "public":
        write_public(*sys.argv[2:])
    elif sys.argv[1] == "lines":
        write_lines(*sys.argv[2:])
    elif sys.argv[1] == "cut":
        cut(*sys.argv[2:])
    else:
        pack(sys.argv[2], sys.argv[3:])
