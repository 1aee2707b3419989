"""Teaches the parser to choose among its candidates, and to say how sure it is.

python3 train/judge.py --candidates FILE … [--elsewhere FILE …] --weights FILE [--write]

The candidates come from `dragoman eval --candidates` on databases that the network was not
trained on. Two linear models over the numbers of src/parser/judge.def are fitted: which candidate
to take (a softmax over the beam) and whether it is right (a logistic one). Figures are from
cross-validation by database: what is judged was not fitted on. --elsewhere names candidates for
questions put to the wrong database (elsewhere.py makes them): no answer is right, so they teach to
doubt what has nothing to do with a schema. --write puts the models, fitted on everything, into the
weights file.
"""

import argparse
import json
import struct

import numpy as np

import export

FOLDS = 5
ELSEWHERE = 0.25  # what a question to the wrong database weighs
EXTRA = ("trust_share", "trust_ahead")
PRIOR = ("log_probability", 0.5)  # what is taken as known: a likely candidate is a good one


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


def fit_score(questions, names, decay=0.1):
    """Weights on the plain numbers, fitted on questions with a choice to make. The decay pulls them to
    what the network thought: with a good network, freely fitted ones lose on other databases."""
    chosen = [q for q in questions if q[1] is not None and 0 < q[2].sum() < len(q[2])]
    everything = np.concatenate([q[1] for q in questions if q[1] is not None])
    spread = everything.std(0) + 1e-6
    most = max(len(q[2]) for q in chosen)
    x = np.zeros((len(chosen), most, everything.shape[1]))
    there = np.full((len(chosen), most), -1e9)
    right = np.zeros((len(chosen), most))
    for i, (_, numbers, good, _) in enumerate(chosen):
        x[i, : len(good)], there[i, : len(good)], right[i, : len(good)] = numbers / spread, 0, good

    def gradient(parameters):
        share = softmax(x @ parameters[0] + there)
        wanted = share * right
        wanted /= wanted.sum(1, keepdims=True) + 1e-12
        return [np.einsum("qc,qcn->n", share - wanted, x) / len(chosen) + decay * (parameters[0] - prior)]

    prior = np.array([PRIOR[1] if name == PRIOR[0] else 0.0 for name in names]) * spread
    return adam([prior.copy()], gradient, 400)[0] / spread


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def choose(question, score):
    """As parser.c does: candidates with one result are one; the best result's first candidate."""
    _, numbers, right, group = question
    share = softmax(numbers @ score)
    sums = {g: share[group == g].sum() for g in set(group)}
    best = max(sums, key=sums.get)
    ordered = sorted(sums.values(), reverse=True) + [0.0]
    first = int(np.argmax(group == best))
    odds = np.log(ordered[0] + 1e-6) - np.log(1 - ordered[0] + 1e-3)
    return np.append(numbers[first], [odds, ordered[0] - ordered[1]]), right[first]


def fit_trust(rows, right, weight, decay=0.02):
    spread, middle = rows.std(0) + 1e-6, rows.mean(0)
    x = (rows - middle) / spread

    def gradient(parameters):
        off = (1 / (1 + np.exp(-(x @ parameters[0] + parameters[1]))) - right) * weight
        return [x.T @ off / weight.sum() + decay * parameters[0], np.array(off.sum() / weight.sum())]

    weights, bias = adam([np.zeros(x.shape[1]), np.array(0.0)], gradient, 600)
    return weights / spread, bias - (weights / spread) @ middle


def fit(questions, elsewhere, names):
    score = fit_score(questions, names)
    rows = [(*choose(q, score), 1.0) for q in questions if q[1] is not None]
    rows += [(*choose(q, score), ELSEWHERE) for q in elsewhere if q[1] is not None]
    numbers, right, weight = (np.array(part) for part in zip(*rows))
    trust, bias = fit_trust(numbers, right, weight)
    return score, trust, bias


def judged(questions, away, score, trust, bias):
    """(sure, right) of the questions on these databases."""
    for question in questions:
        if question[0] in away and question[1] is None:
            yield 0.0, 0.0
        elif question[0] in away:
            row, right = choose(question, score)
            yield 1 / (1 + np.exp(-(row @ trust + bias))), right


def cross_validated(questions, elsewhere, names):
    """(sure, right) of every question, judged by models that did not see its database."""
    databases = sorted({q[0] for q in questions})
    found, strange = [], []
    for fold in range(FOLDS):
        away = set(databases[fold::FOLDS])
        model = fit(*[[q for q in part if q[0] not in away] for part in (questions, elsewhere)], names)
        found += judged(questions, away, *model)
        strange += judged(elsewhere, away, *model)
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


def write(path, names, score, trust, bias):
    data = open(path, "rb").read()
    size, payload = struct.unpack("<IQ", data[8:20])
    header = json.loads(data[28 : 28 + size])
    header["judge"] = {
        "score": {n: round(float(w), 5) for n, w in zip(names, score)},
        "trust": {n: round(float(w), 5) for n, w in zip(names, trust)},
        "trust_bias": round(float(bias), 5),
    } | {n: round(float(w), 5) for n, w in zip(EXTRA, trust[len(names) :])}  # fmt: skip
    export.write_file(path, header, data[28 + size : 28 + size + payload])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", action="append", required=True)
    parser.add_argument("--elsewhere", action="append", default=[])
    parser.add_argument("--weights", required=True)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    questions, names = load(given.candidates)
    elsewhere, _ = load(given.elsewhere)
    report(questions, *cross_validated(questions, elsewhere, names))
    if given.write:
        write(given.weights, names, *fit(questions, elsewhere, names))


if __name__ == "__main__":
    main()
