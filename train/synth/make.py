#!/usr/bin/env python3
"""Writes the training questions: public ones, changed ones, and ones made up from templates.

    python3 train/synth/make.py --spider DIR --out FOLDER [--seed N] [--scale X]

FOLDER/questions.jsonl holds one {db_id, question, query, source, weight} per line,
FOLDER/databases/<db_id>/<db_id>.sqlite every database they ask about (links for Spider's).
"""

import argparse
import json
import multiprocessing
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import jobs  # noqa: E402
import own  # noqa: E402
import spider  # noqa: E402
import written  # noqa: E402

SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"
QUESTIONS = Path(__file__).resolve().parent.parent / "questions"

# source: (examples at scale 1, total weight of all of them); the mixture does not depend on the scale
PLAN = {
    "surface": (60_000, 10_000),
    "value_swap": (40_000, 9_000),
    "column_swap": (40_000, 10_000),
    "transplant": (60_000, 14_000),
    "template": (220_000, 26_000),
    "related": (90_000, 12_000),
    "own": (170_000, 18_000),
    "analytic": (110_000, 13_000),
    "everyday": (80_000, 9_000),
    "dates": (70_000, 8_000),
    "shares": (50_000, 5_000),
    "ranks": (25_000, 2_500),
    "selves": (15_000, 1_500),
    "facts": (110_000, 12_000),
    "finer": (110_000, 12_500),
    "contrasts": (120_000, 14_000),
    "office": (140_000, 15_000),
    "across": (90_000, 9_000),
    "analyst": (160_000, 20_000),
    "talk": (250_000, 45_000),
    "anew": (60_000, 9_000),
}
PLAIN = {"spider": 3.0, "syn": 2.0, "reworded": 3.0, "written": 1.5, "dialogue": 3.0}
VARIANTS = 6
STYLES = 2  # other styles of names that written questions are asked in
CHUNK = 2_000  # examples per job


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--spider", type=Path, required=True, help="folder with train_spider.json, tables.json, database/",
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    return parser.parse_args()


def link_databases(folder: Path, out: Path) -> None:
    """Spider's databases are only linked: they are big and never changed."""
    for source in sorted(folder.iterdir()):
        link = out / source.name
        if not link.exists():
            link.symlink_to(source.resolve(), target_is_directory=True)


def make_own(out: Path, variants: int) -> dict:
    schemas = {}
    for place, (name, (style, text)) in enumerate(own.read_files(SCHEMAS).items()):
        for variant in range(variants):
            named = style if variant == 0 else own.STYLES[(place + variant) % len(own.STYLES)]
            schema = own.make(out, name, text, named, variant)
            schemas[schema.db_id] = schema
    return schemas


def add_written(questions: dict[str, list[dict]], ours: dict, databases: Path) -> None:
    found = written.read(QUESTIONS)
    sisters = written.in_style(databases, SCHEMAS, STYLES)
    questions["reworded"] = found["reworded"]
    first, later = written.turns_of(found["dialogues"])
    everyday = found["everyday"] + first
    questions["written"] = everyday + written.moved(everyday, ours, sisters)
    questions["dialogue"] = later + written.moved_turns(later, ours, sisters)


def plan_jobs(scale: float, seed: int) -> list[jobs.Job]:
    work = []
    for source, (count, _) in PLAN.items():
        left = int(count * scale)
        while left > 0:
            work.append(jobs.Job(source, min(CHUNK, left), f"{seed}/{source}/{len(work)}"))
            left -= CHUNK
    return work


def plain_examples(questions: dict[str, list[dict]]) -> list[dict]:
    """As published; those that show a key nobody asked for or sort the wrong way count little."""
    return [{**q, "source": source, "weight": PLAIN[source] * (0.2 if jobs.is_doubtful(q["question"], q["query"]) else 1)}
            for source in PLAIN for q in questions[source]]


def weigh(examples: list[dict]) -> dict[str, int]:
    """Shares each source's weight out among its examples; counts them."""
    counts: dict[str, int] = {}
    for example in examples:
        counts[example["source"]] = counts.get(example["source"], 0) + 1
    for example in examples:
        if example["source"] in PLAN:
            example["weight"] = round(PLAN[example["source"]][1] / counts[example["source"]], 5)
    return counts


def main() -> None:
    started = time.monotonic()
    arguments = parse_arguments()
    databases = arguments.out / "databases"
    databases.mkdir(parents=True, exist_ok=True)
    link_databases(arguments.spider / "database", databases)
    schemas = spider.read_schemas(arguments.spider)
    away = spider.held_out(list(schemas))
    questions = {
        "spider": spider.read_questions(arguments.spider / "train_spider.json"),
        "syn": spider.read_questions(arguments.spider / "train_synonyms.json"),
    }
    ours = make_own(databases, VARIANTS)
    add_written(questions, ours, databases)
    for source in ("syn", "reworded"):
        questions[source] = [q for q in questions[source] if q["db_id"] not in away]
    jobs.prepare(
        {name: schema for name, schema in schemas.items() if name not in away},
        ours,
        {source: [q for q in asked if q["db_id"] not in away] for source, asked in questions.items() if source != "dialogue"},
    )
    with multiprocessing.get_context("fork").Pool(arguments.processes) as pool:
        parts = pool.map(jobs.run, plan_jobs(arguments.scale, arguments.seed), chunksize=1)
    examples, seen = plain_examples(questions), set()
    for example in (e for part in parts for e in part):
        key = (example["db_id"], example["question"], str(example.get("history", "")))
        if key not in seen:
            seen.add(key)
            examples.append(example)
    counts = weigh(examples)
    with open(arguments.out / "questions.jsonl", "w") as file:
        for example in examples:
            file.write(json.dumps(example, ensure_ascii=False) + "\n")
    for source, count in counts.items():
        print(f"{source:12} {count:8}")
    print(f"{'all':12} {len(examples):8}  in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
