"""Fits how much the score of the answer before says about a change of it.

python3 train/turns.py EVAL.json …

EVAL.json is written by `dragoman eval --brain auto --json` on later turns (dialogues.py --held-out, the set OUT.own). A change's odds are
multiplied by exp(A + B * min(score before, 0.7)); A and B stand in src/agent/confidence_turn.c. Scores that hold such a factor
already give A and B near 0. Prints both, and the reliability of changes by the score before.
"""

import json
import math
import sys

SURE = 0.7


def logit(share):
    share = min(0.99, max(0.01, share))
    return math.log(share / (1 - share))


def fit(rows, steps=30):
    """Newton's method for two numbers; the logit of the score is an offset."""
    a = b = 0.0
    for _ in range(steps):
        ga = gb = 0.0
        haa = hab = hbb = 1e-6
        for row in rows:
            x = min(row["score_before"], SURE)
            share = 1 / (1 + math.exp(-(logit(row["score"]) + a + b * x)))
            miss, weight = row["right"] - share, share * (1 - share)
            ga, gb = ga + miss, gb + miss * x
            haa, hab, hbb = haa + weight, hab + weight * x, hbb + weight * x * x
        whole = haa * hbb - hab * hab
        a, b = a + (hbb * ga - hab * gb) / whole, b + (haa * gb - hab * ga) / whole
    return a, b


def main(*paths):
    rows = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            rows += [row for row in json.load(file)["answers"] if row.get("changes") and row["score"] > 0]
    print("changes %d, A %.2f, B %.2f" % (len(rows), *fit(rows)))
    for low, high in ((0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 1.01)):
        part = [row for row in rows if low <= row["score_before"] < high]
        if part:
            stated = sum(row["score"] for row in part) / len(part)
            right = sum(row["right"] for row in part) / len(part)
            print("before %.1f to %.1f: %d, stated %.0f %%, right %.0f %%" % (low, high, len(part), 100 * stated, 100 * right))


if __name__ == "__main__":
    main(*sys.argv[1:])
