"""Fits how likely a left-over word says which rows are meant (src/parser/coverage/coverage_weigh.c).

python3 train/restricts.py --weights models/parser.dgw --tool build/left_over --set QUESTIONS DATABASES TRANSPLANTS …
    [--marked QUESTIONS DATABASES …] [--write]

A set is a JSON list of {db_id, question, query}. What its own SQL leaves over asks for nothing more. Words that say which rows are meant, and that no
data can place, are made: words of other databases are put into its questions (TRANSPLANTS of them). --marked: questions with SQL that passes over
a word, which is named (unplaced), or over none that matters. The figures are cross-validated by database. --write puts the weights into
coverage_weights.def; do this after each training, because they belong to the words of one network.
"""

import argparse
import json
import os
import random
import re
import struct
import subprocess
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "../src/parser/coverage/coverage_weights.def")
STATE = os.path.join(HERE, "../src/parser/coverage/coverage_state.h")
ROLES = ("subject", "restriction")
FOLDS = 5
STEPS, RATE = 400, 0.03
SMALL, SMALL_MEANING = 1e-4, 5e-3  # what large weights cost: of traits, of the meaning
MARKED, TRANSPLANTED = 10.0, 2.0  # what a word of a marked set weighs, and one from another database
SAMPLES = (("student", "pupil"), ("price", "cost"), ("city", "green"), ("visit", "buy"))
START_BYTES, ALIGN = 28, 64


class Words:
    """The vectors of a weights file."""

    def __init__(self, path):
        data = open(path, "rb").read()
        size = struct.unpack_from("<I", data, 8)[0]
        header = json.loads(data[START_BYTES : START_BYTES + size].rstrip(b"\0 "))
        entry = next(t for t in header["tensors"] if t["name"] == "w")
        rows, columns = entry["shape"]
        start = START_BYTES + size
        numbers = np.frombuffer(data, np.int8, rows * columns, start + entry["offset"])
        self.numbers = numbers.reshape(rows, columns).astype(np.float32)
        self.rows = {word: row + 2 for row, word in enumerate(header["words"]) if word}

    def vector(self, word):
        """With a mean square of 1, as the program has it; zeros for an unknown word."""
        if word not in self.rows:
            return np.zeros(self.numbers.shape[1], np.float32)
        vector = self.numbers[self.rows[word]]
        return vector / max(np.sqrt((vector**2).mean()), 1e-9)

    def likeness(self, one, other):
        return float(self.vector(one) @ self.vector(other) / self.numbers.shape[1])


def singular(word):
    return word[:-1] if word.endswith("s") else word


def tables_of(sql):
    names = re.findall(r"(?:FROM|JOIN)\s+([A-Za-z_]\w*)", sql, re.I)
    return {singular(name.lower().split("_")[-1]) for name in names}


def conditions_of(item):
    """Words of the question that are literals of its SQL: they say which rows are meant."""
    literals = " ".join(re.findall(r"'([^']*)'", item["query"])).lower()
    words = set(re.findall(r"[a-z]{4,}", item["question"].lower()))
    return {word for word in words if re.search(rf"\b{word}\b", literals)}


def measures_of(item):
    names = re.findall(r"(?:AVG|SUM|MAX)\((?:\w+\.)?([A-Za-z_]+)\)", item["query"])
    return {name.lower().split("_")[0] for name in names}


def of_others(found, database, chance):
    names = sorted(name for name in found if name != database and found[name])
    return chance.choice(sorted(found[chance.choice(names)]))


def transplanted(items, most, seed=7):
    """Questions with a word of another database: as an adjective, behind a preposition, for the thing or for the measure."""
    chance = random.Random(seed)
    conditions, nouns, measures = {}, {}, {}
    for item in items:
        for found, words in ((conditions, conditions_of(item)), (nouns, tables_of(item["query"])), (measures, measures_of(item))):
            found.setdefault(item["db_id"], set()).update(w for w in words if w.isalpha() and len(w) > 3)
    order = list(items)
    chance.shuffle(order)
    out = []
    for item in order:
        text, database, kind, made = item["question"], item["db_id"], chance.random(), None
        tables = tables_of(item["query"])
        places = [m for m in re.finditer(r"[A-Za-z]+", text) if singular(m.group().lower()) in tables]
        place = chance.choice(places) if places else None
        if kind < 0.45 and place:
            word = of_others(conditions, database, chance)
            made = f"{text[:place.start()]}{word} {text[place.start():]}"
        elif kind < 0.6 and place:
            word = of_others(conditions, database, chance)
            made = f"{text[:place.end()]}{chance.choice((' with ', ' with a ', ' from ', ' for '))}{word}{text[place.end():]}"
        elif kind < 0.8 and len(places) == 1:
            word = of_others(nouns, database, chance) + ("s" if place.group().endswith("s") else "")
            made = text[:place.start()] + word + text[place.end():]
        else:
            measure = re.search(r"\b(average|total|highest|lowest|maximum|minimum) ([a-z]+)\b", text)
            if measure:
                word = of_others(measures, database, chance)
                made = text[:measure.start(2)] + word + text[measure.end(2):]
        if made:
            out.append({"db_id": database, "question": made, "query": item["query"], "unplaced": word})
        if len(out) == most:
            break
    return out


def left_over(tool, questions, databases):
    """number of the question -> its left-over words"""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(questions, file)
        file.flush()
        out = subprocess.run([tool, file.name, databases], capture_output=True, text=True, check=True).stdout
    lines = [json.loads(line) for line in out.splitlines()]
    return {line["n"]: [w for w in line["words"] if w["role"] in ROLES and w["traits"]] for line in lines}


def examples_of(tool, path, databases, transplants):
    """(database, word, traits, restricts, weight) of each left-over word."""
    asked = [q for q in json.load(open(path, encoding="utf-8")) if q.get("query")]
    found = left_over(tool, [dict(q, n=i) for i, q in enumerate(asked)], databases)
    for i, item in enumerate(asked):
        for word in found.get(i, []):
            yield item["db_id"], word["word"].lower(), word["traits"], 0.0, 1.0
    yield from marked_examples(tool, transplanted(asked, transplants), databases, TRANSPLANTED)


def marked_examples(tool, questions, databases, weight):
    asked = [dict(q, n=i) for i, q in enumerate(questions)]
    found = left_over(tool, asked, databases)
    for i, item in enumerate(asked):
        marked = (item.get("unplaced") or "").lower()
        for word in found.get(i, []):
            text = word["word"].lower()
            if not marked or text in marked or marked in text:
                yield item["db_id"], text, word["traits"], float(bool(marked)), weight


def fit(inputs, right, weight, cost):
    values = np.zeros(inputs.shape[1])
    first, second = np.zeros_like(values), np.zeros_like(values)
    weight = weight / weight.sum()
    for step in range(1, STEPS + 1):
        chance = 1 / (1 + np.exp(-inputs @ values))
        slope = inputs.T @ (weight * (chance - right)) + cost * values
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        values -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return values


def report(chance, right, weight, name):
    for least in (0.02, 0.045, 0.1, 0.25, 0.5):
        told = (weight * right * (chance >= least)).sum() / max((weight * right).sum(), 1e-9)
        spared = (weight * (1 - right) * (chance < least)).sum() / max((weight * (1 - right)).sum(), 1e-9)
        print(f"{name} threshold {least}: {100 * told:.1f} % still told, {100 * spared:.1f} % spared")


def write(words, names, values):
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write("/* Written by train/restricts.py. SAMPLE: words of the network that it was fitted to, and how alike they are;\n"
                   " * WEIGHT: of a trait (coverage_state.h); MEANING: of each number of a word's vector. */\n#ifdef SAMPLE\n")
        for one, other in SAMPLES:
            file.write(f'SAMPLE("{one}", "{other}", {words.likeness(one, other):.4f})\n')
        file.write("#endif\n#ifdef WEIGHT\n")
        for name, value in zip(names, values):
            file.write(f"WEIGHT({name}, {value:.4f})\n")
        file.write("#endif\n#ifdef MEANING\n")
        meaning = [f"MEANING({value:.4f}F)" for value in values[len(names):]]
        for at in range(0, len(meaning), 6):
            file.write(" ".join(meaning[at:at + 6]) + "\n")
        file.write("#endif\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", required=True)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--set", nargs=3, metavar=("QUESTIONS", "DATABASES", "TRANSPLANTS"), action="append", default=[])
    parser.add_argument("--marked", nargs=2, action="append", default=[])
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    words = Words(args.weights)
    names = re.findall(r"COVERAGE_TRAIT_(\w+),", open(STATE, encoding="utf-8").read())
    examples = []
    for path, folder, transplants in args.set:
        examples += examples_of(args.tool, path, folder, int(transplants))
    for path, folder in args.marked:
        with open(path, encoding="utf-8") as file:
            examples += marked_examples(args.tool, json.load(file), folder, MARKED)
    databases = sorted({e[0] for e in examples})
    fold = np.array([databases.index(e[0]) % FOLDS for e in examples])
    traits = np.array([e[2] for e in examples], np.float32)
    meaning = np.array([words.vector(e[1]) for e in examples], np.float32)
    inputs = np.concatenate([traits, meaning], axis=1)
    right = np.array([e[3] for e in examples])
    weight = np.array([e[4] for e in examples])
    cost = np.concatenate([np.full(len(names), SMALL), np.full(meaning.shape[1], SMALL_MEANING)])
    print(f"{len(examples)} words, {int(right.sum())} of them say which rows are meant")
    chance = np.zeros(len(examples))
    for k in range(FOLDS):
        values = fit(inputs[fold != k], right[fold != k], weight[fold != k], cost)
        chance[fold == k] = 1 / (1 + np.exp(-inputs[fold == k] @ values))
    report(chance, right, weight * (weight < MARKED), "sets")
    report(chance, right, weight * (weight == MARKED), "marked")
    values = fit(inputs, right, weight, cost)
    for name, value in zip(names, values):
        print(f"  {name} {value:.2f}")
    if args.write:
        write(words, names, values)


if __name__ == "__main__":
    main()
