#!/usr/bin/env python3
"""Questions that people said cannot be answered, from public data, for `dragoman eval --brain auto --json`.

python3 tests/trust/public.py DATA OUT

DATA holds dialogues-train.json and ehrsql-train/ (as for train/all). OUT gets cannot_answer.json and ambiguous.json (asides of CoSQL
with what was said before them), unanswerable.json and answerable.json (EHRSQL, 600 each by the lowest SHA-256). No word is marked in
them, so what counts is the share with a word in `unplaced`, or with a score below 0.5, which is asked back.
"""

import hashlib
import json
import pathlib
import sys

MOST = 600


def said(question):
    parts = [part.strip() for part in question.split("|")]
    return " ".join(parts if len(parts) == 1 else [parts[0], parts[-1]])


def asides(dialogues, intent):
    for dialogue in dialogues:
        for aside in dialogue.get("asides", []):
            if aside["intent"] == intent:
                before = dialogue["turns"][: aside["before_turn"]]
                yield {"db_id": dialogue["db_id"], "question": aside["question"], "query": "SELECT 1",
                       "history": [{"question": said(turn["question"])} for turn in before]}  # fmt: skip


def some(items):
    def key(item):
        return hashlib.sha256((item["db_id"] + "\n" + item["question"]).encode()).hexdigest()

    return sorted(items, key=key)[:MOST]


def main(data, out):
    data, out = pathlib.Path(data), pathlib.Path(out)
    dialogues = json.loads((data / "dialogues-train.json").read_text(encoding="utf-8"))
    lines = (data / "ehrsql-train" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [{"db_id": q["db_id"], "question": q["question"], "query": q["query"]} for q in map(json.loads, lines)]
    sets = {
        "cannot_answer": list(asides(dialogues, "CANNOT_ANSWER")),
        "ambiguous": list(asides(dialogues, "AMBIGUOUS")),
        "answerable": some([q for q in asked if q["query"]]),
        "unanswerable": some([q | {"query": "SELECT 1"} for q in asked if not q["query"]]),
    }
    for name, questions in sets.items():
        (out / f"{name}.json").write_text(json.dumps(questions), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
