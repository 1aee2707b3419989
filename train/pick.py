"""Which share of a training run is best: python3 train/pick.py OUT SHARE …

Reads what `dragoman eval --candidates` wrote of each set (OUT/SET.SHARE.jsonl) and writes OUT/picked.json: the share with the most
answers right, each set counted alike, and the figures of all. Later turns have a vote, too: their member is mixed like the others.
"""

import json
import sys
from pathlib import Path

import judge

FIRST = ("held_out", "everyday", "strange", "bird-away")
LATER = ("later", "later-own")


def figures(path, score):
    """How many questions, and how often the chosen one, the first and any of the candidates is right."""
    if not path.exists() or not path.stat().st_size:
        return {"questions": 0, "chosen": 0.0, "first": 0.0, "best": 0.0}
    judge.SCORE = score
    questions, names = judge.load([path])
    asked = [q for q in questions if q[1] is not None]
    right = {
        "chosen": sum(judge.choose(q, names)[1] for q in asked),
        "first": sum(q[2][0] for q in asked),
        "best": sum(q[2].max() for q in asked),
    }
    return {"questions": len(questions)} | {k: round(float(v) / max(len(questions), 1), 4) for k, v in right.items()}


def main(out, *shares):
    found, plain, trust = {}, judge.SCORE, judge.TRUST
    for share in shares:
        judge.TRUST = trust
        table = {name: figures(Path(out) / f"{name}.{share}.jsonl", plain) for name in FIRST}
        judge.TRUST = tuple(n for n in trust if n not in ("verified", "believed"))
        table |= {name: figures(Path(out) / f"{name}.{share}.jsonl", judge.TALK) for name in LATER}
        found[share] = table
        print(share, table, flush=True)
    best = max(shares, key=lambda share: sum(f["chosen"] for f in found[share].values()))
    (Path(out) / "picked.json").write_text(json.dumps({"share": best, "figures": found}, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
