"""Public training dialogues as questions with what was said before.

python3 train/dialogues.py DIALOGUES TABLES OUT [--held-out]

DIALOGUES holds {db_id, source, turns: [{question, query}]}, TABLES Spider's tables.json. OUT gets a JSON line for each turn:
{db_id, question, query, source, weight, history: [{question, query}]} for `dragoman features`. Turns over the databases
that held_out.py keeps get the source "later": train.py only looks at them. With --held-out only they are taken, as a JSON list for `dragoman eval`, and
OUT.own with histories whose queries are missing, so that the program goes by its own answers.
"""

import json
import random
import sys

import held_out

WEIGHT = 3.0  # of a later turn; a first turn is a plain question like others
FIRST = 1.5
LOST = 0.06  # histories without their query: it may be beyond what the parser can read
ALONE = 0.15  # histories without the older question


def said(question):
    """What was asked back and answered stands in one line: the question and the last answer."""
    parts = [part.strip() for part in question.split("|")]
    return " ".join(parts if len(parts) == 1 else [parts[0], parts[-1]])


def turns_of(dialogue):
    """(turn, the turns before) with plain questions."""
    turns = [{"question": said(t["question"]), "query": t["query"]} for t in dialogue["turns"]]
    return [(turn, turns[:i]) for i, turn in enumerate(turns)]


def examples(dialogues, rng):
    for dialogue in dialogues:
        for turn, before in turns_of(dialogue):
            history = [dict(t) for t in before[-2:]]
            if history and rng.random() < LOST:
                del history[-1]["query"]
            if len(history) == 2 and rng.random() < ALONE:
                history = history[1:]
            yield {"db_id": dialogue["db_id"], **turn, "source": "dialogue" if history else "opening",
                   "weight": WEIGHT if history else FIRST, "history": history}


def checks(dialogues, own):
    """Later turns only; own: histories without queries, so that the program goes by its own."""
    for dialogue in dialogues:
        for turn, before in turns_of(dialogue):
            if before:
                history = [{"question": t["question"]} for t in before] if own else before
                yield {"db_id": dialogue["db_id"], **turn, "source": dialogue["source"], "history": history}


def main(path, tables, out, *rest):
    with open(tables, encoding="utf-8") as file:
        away = held_out.names({entry["db_id"] for entry in json.load(file)})
    with open(path, encoding="utf-8") as file:
        dialogues = json.load(file)
    if "--held-out" in rest:
        kept = [d for d in dialogues if d["db_id"] in away]
        for name, own in ((out, False), (f"{out}.own", True)):
            with open(name, "w", encoding="utf-8") as file:
                json.dump(list(checks(kept, own)), file)
        return
    with open(out, "w", encoding="utf-8") as file:
        for example in examples(dialogues, random.Random(11)):
            if example["db_id"] in away:
                if not example["history"]:
                    continue
                example |= {"source": "later", "weight": 0.0}  # to look at while training, not to learn from
            file.write(json.dumps(example, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
