"""Fits how sure the parser is of what it chose, and writes how it chooses.

python3 train/judge.py --candidates FILE … [--elsewhere FILE …] --weights FILE [--talk] [--width N] [--write]

The candidates come from `dragoman eval --candidates` on databases that neither the network nor the
verifier was trained on. Which one is taken is not fitted: what the network thought and what the
verifier says count the same, and a query that passes over words of the question counts less (SCORE). Whether it is right is a logistic model over a few numbers of
src/parser/judge/judge.def (TRUST). Figures are from cross-validation by database: what is judged was not
fitted on. --elsewhere names candidates for questions put to the wrong database (elsewhere.py makes
them): no answer is right, so they teach to doubt what has nothing to do with a schema. --talk: the
candidates are of later turns, which are chosen and judged apart (TALK). --write puts the model, fitted
on everything, into the weights file; --width is the beam that it was fitted on, which answers then use.
"""

import argparse
import json

import numpy as np

import export

FOLDS = 5
ELSEWHERE = 0.5  # what a question to the wrong database weighs
EXTRA = ("trust_share", "trust_ahead")
SCORE = {"log_probability": 0.5, "verified": 0.5, "missed_partial": -1.0, "silent_words": -1.0}
TRUST = (
    "log_probability", "mean_log_probability", "behind", "empty", "group_size",
    "group_log_probability", "verified", "believed", "unlinked_columns", "weak_columns",
    "unlinked_tables", "silent_words",
)  # fmt: skip

# Later turns have no verifier; a change that finds nothing was probably not meant.
TALK = {"log_probability": 1.0, "empty": -1.0}


def load(paths):
    """Questions as (database, numbers of each candidate, right, group)."""
    questions, names = [], None
    for path in paths:
        for line in open(path, encoding="utf-8"):
            item = json.loads(line)
            runs = [c for c in item["candidates"] if c["runs"]]
            if not runs:
                questions.append((item["db_id"], None, None, None))
                continue
            names = names or list(runs[0]["numbers"])
            questions.append((
                item["db_id"],
                np.array([[c["numbers"][n] for n in names] for c in runs]),
                np.array([c["right"] for c in runs], float),
                np.array([c["group"] for c in runs]),
            ))  # fmt: skip
    return questions, names


def adam(parameters, gradient, steps, rate=0.05):
    first = [np.zeros_like(p) for p in parameters]
    second = [np.zeros_like(p) for p in parameters]
    for step in range(1, steps + 1):
        for i, slope in enumerate(gradient(parameters)):
            first[i] = 0.9 * first[i] + 0.1 * slope
            second[i] = 0.99 * second[i] + 0.01 * slope**2
            size = first[i] / (1 - 0.9**step) / (np.sqrt(second[i] / (1 - 0.99**step)) + 1e-8)
            parameters[i] -= rate * size
    return parameters


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def choose(question, names):
    """As parser.c does: candidates with one result are one; the best result's first candidate.
    What it is trusted by, and whether it is right."""
    _, numbers, right, group = question
    share = softmax(numbers @ np.array([SCORE.get(name, 0.0) for name in names]))
    sums = {g: share[group == g].sum() for g in set(group)}
    best = max(sums, key=sums.get)
    ordered = sorted(sums.values(), reverse=True) + [0.0]
    first = int(np.argmax(group == best))
    odds = np.log(ordered[0] + 1e-6) - np.log(1 - ordered[0] + 1e-3)
    seen = numbers[first][[names.index(name) for name in TRUST]]
    return np.append(seen, [odds, ordered[0] - ordered[1]]), right[first]


def fit_trust(rows, right, weight, decay=0.03):
    spread, middle = rows.std(0) + 1e-6, rows.mean(0)
    x = (rows - middle) / spread

    def gradient(parameters):
        off = (1 / (1 + np.exp(-(x @ parameters[0] + parameters[1]))) - right) * weight
        return [x.T @ off / weight.sum() + decay * parameters[0], np.array(off.sum() / weight.sum())]

    weights, bias = adam([np.zeros(x.shape[1]), np.array(0.0)], gradient, 600)
    return weights / spread, bias - (weights / spread) @ middle


def fit(questions, elsewhere, names):
    rows = [(*choose(q, names), 1.0) for q in questions if q[1] is not None]
    rows += [(*choose(q, names), ELSEWHERE) for q in elsewhere if q[1] is not None]
    numbers, right, weight = (np.array(part) for part in zip(*rows))
    return fit_trust(numbers, right, weight)


def judged(questions, away, names, trust, bias):
    """(sure, right) of the questions on these databases."""
    for question in questions:
        if question[0] in away and question[1] is None:
            yield 0.0, 0.0
        elif question[0] in away:
            row, right = choose(question, names)
            yield 1 / (1 + np.exp(-(row @ trust + bias))), right


def cross_validated(questions, elsewhere, names):
    """(sure, right) of every question, judged by models that did not see its database."""
    databases = sorted({q[0] for q in questions})
    found, strange = [], []
    for fold in range(FOLDS):
        away = set(databases[fold::FOLDS])
        model = fit(*[[q for q in part if q[0] not in away] for part in (questions, elsewhere)], names)
        found += judged(questions, away, names, *model)
        strange += judged(elsewhere, away, names, *model)
    return found, [sure for sure, _ in strange]


def report(questions, found, strange):
    first = np.mean([0 if q[1] is None else q[2][0] for q in questions])
    best = np.mean([0 if q[1] is None else q[2].max() for q in questions])
    sure, right = np.array(found).T
    print(f"questions {len(questions)}, right: first of the beam {first:.1%}, "
          f"chosen {right.mean():.1%}, best of the beam {best:.1%}")  # fmt: skip
    order = np.argsort(-sure)
    print("| most confident | right | least confidence |\n|---|---|---|")
    for percent in (10, 20, 30, 40, 50, 60, 70, 80, 90, 100):
        part = order[: max(1, len(order) * percent // 100)]
        print(f"| {percent} % | {right[part].mean():.1%} | {sure[part].min():.2f} |")
    print("| confidence | questions | right |\n|---|---|---|")
    for low in range(10):
        part = (sure >= low / 10) & (sure < (low + 1) / 10 + (low == 9))
        if part.any():
            print(f"| {low / 10:.1f} to {(low + 1) / 10:.1f} | {part.sum()} | {right[part].mean():.0%} |")
    for least in (0.3, 0.6) if strange else ():
        print(f"put to the wrong database, and {least} or surer: {np.mean(np.array(strange) >= least):.0%}")


def judge_talk():
    """From here on everything is about later turns."""
    global SCORE, TRUST
    SCORE, TRUST = TALK, tuple(name for name in TRUST if name not in ("verified", "believed"))


def write(path, trust, bias, key, width):
    header, payload = export.read_file(path)
    header[key] = {
        "score": SCORE,
        "trust": {n: round(float(w), 5) for n, w in zip(TRUST, trust)},
        "trust_bias": round(float(bias), 5),
    } | {n: round(float(w), 5) for n, w in zip(EXTRA, trust[len(TRUST) :])}  # fmt: skip
    if width:
        header[key]["width"] = width
    export.write_file(path, header, payload)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", action="append", required=True)
    parser.add_argument("--elsewhere", action="append", default=[])
    parser.add_argument("--weights", required=True)
    parser.add_argument("--talk", action="store_true")
    parser.add_argument("--width", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.talk:
        judge_talk()
    questions, names = load(given.candidates)
    elsewhere, _ = load(given.elsewhere)
    report(questions, *cross_validated(questions, elsewhere, names))
    if given.write:
        write(given.weights, *fit(questions, elsewhere, names), "judge_talk" if given.talk else "judge", given.width)


if __name__ == "__main__":
    main()
