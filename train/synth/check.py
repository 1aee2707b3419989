#!/usr/bin/env python3
"""Runs a sample of the questions' SQL: how much of it runs, and how much of it finds something.

    python3 train/synth/check.py --out FOLDER [--sample N] [--seed N]
"""

import argparse
import json
import random
import sqlite3
import sys
import time
from collections import defaultdict
from pathlib import Path

import ir_words

LIMIT_SECONDS = 2.0


def run(base: sqlite3.Connection, sql: str) -> tuple[str, bool]:
    """("", has rows), ("slow", False) or (the error, False)."""
    ends = time.monotonic() + LIMIT_SECONDS
    base.set_progress_handler(lambda: time.monotonic() > ends, 10_000)
    try:
        row = base.execute(sql).fetchone()
    except sqlite3.Error as error:
        return ("slow" if "interrupted" in str(error) else str(error)), False
    return "", row is not None and any(cell is not None for cell in row)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lines = (arguments.out / "questions.jsonl").read_text().splitlines()
    rng = random.Random(arguments.seed)
    bases: dict[str, sqlite3.Connection] = {}
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    errors: dict[str, str] = {}
    for line in rng.sample(lines, min(arguments.sample, len(lines))):
        example = json.loads(line)
        name = example["db_id"]
        if name not in bases:
            path = arguments.out / "databases" / name / f"{name}.sqlite"
            bases[name] = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            bases[name].text_factory = lambda raw: raw.decode("utf-8", "replace")
            ir_words.register(bases[name])
        error, found = run(bases[name], example["query"])
        count = counts[example["source"]]
        count[0] += 1
        count[1] += not error
        count[2] += found
        if error and error != "slow":
            errors[error[:60]] = f"{name}: {example['query']}"
    print(f"{'source':12} {'sample':>7} {'runs %':>7} {'finds %':>8}")
    total = [sum(c[i] for c in counts.values()) for i in range(3)]
    for source, (asked, ran, found) in [*sorted(counts.items()), ("all", total)]:
        print(f"{source:12} {asked:7} {100 * ran / asked:7.2f} {100 * found / asked:8.2f}")
    for error, query in list(errors.items())[:20]:
        print(f"{error}\n    {query}")
    return 0 if total[1] >= 0.99 * total[0] else 1


if __name__ == "__main__":
    sys.exit(main())
