"""From data to weights by one command: python3 train/pipeline.py DATA OUT [setting=value …]

DATA holds spider-train/, bird-train/, wikisql-train/, ehrsql-train/, dialogues-train.json, and may hold vectors.npz, everyday/
(what tests/everyday/build makes), everyday.json and later weights to start from. OUT gets parser.dgw and its manifest. README.md
says what each step does; settings are in SETTINGS. The same command again goes on where it stopped.
"""

import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import manifest
import stages

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CORES = multiprocessing.cpu_count()

SETTINGS = dict(
    start=str(ROOT / "models" / "parser.dgw"),  # weights to go on from; none: from the beginning
    dragoman=str(ROOT / "build" / "dragoman"),
    scale=0.35, seed=1,  # of the made questions
    budget=1440.0,  # seconds in all; training ends so that what follows fits
    tail=190.0,  # seconds for what follows training
    train="members=2 talk=1 d=192 heads=6 drop=0.2 lr=0.0005 warmup=300 trigrams=10000 vector_words=20000 min_words=10"
          " rename=0.2 link_drop=0.05 wait=0.3 name=end evaluate=180 checks=400 strange=300",
    verify="seconds=110",
    width=24,  # of the beam that the verifier learns from
    answer_width=0,  # of the beam that answers use; 0: what the program has
    written=5000, made=8000, bird=12000, wikisql=6000,  # questions for the verifier
    shares="0.75 1",  # of what is learnt, to choose from
    aligned=500,  # questions on which the verifier is adapted to the end of training
    sample=0,  # trial: only so many lines of questions; and of each set to measure with
    judged=0,
)  # fmt: skip
KINDS = ("bird", "wikisql", "ehrsql")
VERIFIER = ("written", "made", "bird", "wikisql")


def settings_of(texts):
    settings = dict(SETTINGS)
    for text in texts:
        key, _, value = text.partition("=")
        if key not in settings:
            raise SystemExit(f"There is no setting {key}. Settings: {', '.join(settings)}.")
        settings[key] = type(SETTINGS[key])(value)
    return SimpleNamespace(**settings)


class Pipeline:
    def __init__(self, data, out, settings):
        self.data, self.out, self.set = Path(data).resolve(), Path(out).resolve(), settings
        self.run = stages.Run(out)
        self.spider, self.made = self.data / "spider-train", self.out / "questions"
        self.databases, self.packs, self.start = self.made / "databases", self.out / "packs", self.out / "start.dgw"
        self.packs.mkdir(exist_ok=True)

    # What is read

    def widen(self, stage):
        if self.set.start != "none":
            stage.python("widen.py", self.set.start, ROOT / "src" / "parser" / "ir", self.start)

    def questions(self, stage):
        stage.python("synth/make.py", "--spider", self.spider, "--out", self.made, "--scale", self.set.scale, "--seed", self.set.seed)
        return {"sha256": manifest.digest(self.made / "questions.jsonl")}

    def public(self, stage):
        stage.python("dialogues.py", self.data / "dialogues-train.json", self.spider / "tables.json", self.out / "dialogues.jsonl")
        for kind in KINDS:
            folder = self.data / f"{kind}-train"
            stage.python("public.py", kind, folder, self.out / f"{kind}.jsonl", self.databases)
            stage.python("candidates.py", "public", kind, folder, self.out / "verify", self.databases)
        return {name: manifest.digest(self.out / f"{name}.jsonl") for name in ("dialogues", *KINDS)}

    def features(self, stage):
        """All questions in one file; a trial takes some of them."""
        paths = [self.made / "questions.jsonl", *(self.out / f"{n}.jsonl" for n in ("dialogues", *KINDS))]
        lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
        if self.set.sample:
            lines = random.Random(8).sample(lines, min(self.set.sample, len(lines)))
        (self.out / "all.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.dump(stage, self.out / "all.jsonl", self.out / "dump")
        plain = [line for line in lines if '"history"' not in line]
        some = random.Random(9).sample(plain, min(self.set.aligned, len(plain)))
        (self.out / "some.jsonl").write_text("\n".join(some) + "\n", encoding="utf-8")
        self.dump(stage, self.out / "some.jsonl", self.out / "some.dump")
        return {"examples": len(lines)}

    def dump(self, stage, questions, out):
        stage.call(self.set.dragoman, "features", "--questions", questions, "--databases", self.databases, "--out", out,
                   "--threads", CORES)  # fmt: skip

    # The network

    def train(self, stage):
        vectors = self.data / "vectors.npz"
        if not vectors.exists():
            vectors = self.out / "vectors.npz"
            stage.python("vectors.py", "--out", vectors)
        until = self.run.began + self.set.budget - self.set.tail
        start = ["--start", self.start] if self.set.start != "none" else []
        stage.python("train.py", "--dump", self.out / "dump", "--vectors", vectors, "--out", self.out, *start,
                     f"until={until:.0f}", *self.set.train.split())  # fmt: skip
        return json.loads((self.out / "end.json").read_text())

    def mix(self, stage):
        """How far from where the run began to where it ended: a file for each share."""
        for share in self.shares():
            mixed = self.out / f"mixed-{share}.dgw"
            if self.set.start == "none":
                shutil.copyfile(self.out / "end.dgw", mixed)
            else:
                stage.python("blend.py", self.start, self.out / "end.dgw", share, mixed)
            stage.python("align.py", self.out / "read.dgw", mixed, self.out / "some.dump", self.out / f"share-{share}.dgw", self.set.aligned)

    def shares(self):
        return ["1"] if self.set.start == "none" else self.set.shares.split()

    # The verifier

    def lists(self, stage):
        """Questions that the network has not seen when the verifier learns, and their features."""
        stage.python("candidates.py", "questions", self.made, self.out / "verify", "1")
        for kind in VERIFIER:
            stage.python("candidates.py", "lines", self.list_of(kind), self.out / f"verify.{kind}.jsonl")
            lines = (self.out / f"verify.{kind}.jsonl").read_text(encoding="utf-8").splitlines(True)[: getattr(self.set, kind)]
            (self.out / f"verify.{kind}.jsonl").write_text("".join(lines), encoding="utf-8")
            self.dump(stage, self.out / f"verify.{kind}.jsonl", self.packs / f"{kind}.dump")

    def list_of(self, kind):
        return self.out / (f"verify.{kind}.0.json" if kind in ("written", "made") else f"verify.{kind}.json")

    def candidates(self, stage):
        """By the network that has not seen these schemas, while it goes on with them."""
        stage.await_file(self.out / "unseen.dgw")
        work = []
        for kind in VERIFIER:
            cut = [sys.executable, HERE / "candidates.py", "cut", self.list_of(kind), self.out / f"verify.{kind}", getattr(self.set, kind)]
            firsts = subprocess.run(list(map(str, cut)), check=True, capture_output=True, text=True).stdout.split()
            work += [(kind, first) for first in firsts]
        self.at_once(lambda item: self.slice_of(stage, *item), work)

    def slice_of(self, stage, kind, first):
        slice_ = self.out / f"verify.{kind}.{first}"
        self.evaluate(stage, f"{slice_}.json", self.databases, self.out / "unseen.dgw", f"{slice_}.cand", self.set.width)
        stage.python("candidates.py", "pack", self.packs / f"{kind}.{first}.npz", f"{slice_}.cand")
        os.remove(f"{slice_}.cand")

    def verifier(self, stage):
        shutil.copyfile(self.out / "unseen.dgw", self.out / "read.new")
        stage.python("verify.py", "groups", "--weights", self.out / "read.new", "--packs", self.packs, *VERIFIER)
        learn = [part for kind in VERIFIER for part in ("--learn", f"{kind}:{self.weight_of(kind)}")]
        stage.python("verify.py", "train", "--weights", self.out / "read.new", "--packs", self.packs, *learn, "--write",
                     *self.set.verify.split())  # fmt: skip
        os.replace(self.out / "read.new", self.out / "read.dgw")

    @staticmethod
    def weight_of(kind):
        return {"written": 0.4, "made": 0.15, "bird": 0.3, "wikisql": 0.15}[kind]

    # How sure to be

    def sets(self, stage):
        """Questions to measure with, none of them over a database that anything was trained on."""
        stage.python("held_out.py", self.spider / "train_spider.json", self.out / "held_out.json")
        stage.python("elsewhere.py", self.out / "held_out.json", self.out / "elsewhere.json", "350")
        stage.python("dialogues.py", self.data / "dialogues-train.json", self.spider / "tables.json", self.out / "later.json", "--held-out")
        stage.python("candidates.py", "strange", self.made / "questions.jsonl", self.out / "strange.json")
        shutil.copyfile(self.out / "verify.bird-away.json", self.out / "bird-away.json")
        if (self.data / "everyday.json").exists():
            shutil.copyfile(self.data / "everyday.json", self.out / "everyday.json")
        else:
            stage.call(ROOT / "tests" / "everyday" / "build", self.out / "everyday", self.set.dragoman)
            shutil.copyfile(ROOT / "tests" / "everyday" / "questions-tuning.json", self.out / "everyday.json")

    def folder_of(self, name):
        there = self.data / "everyday" if (self.data / "everyday").exists() else self.out / "everyday"
        return {"everyday": there, "strange": self.databases, "bird-away": self.databases}.get(name, self.spider / "database")

    def measure(self, stage):
        """What each share of the training makes of the sets."""
        jobs = [(share, name, part) for share in self.shares() for name in SETS for part in range(CORES)]
        self.at_once(lambda job: self.measure_part(stage, *job), jobs)
        for share in self.shares():
            for name in SETS:
                parts = [self.out / f"{name}.{share}.{part}.cand" for part in range(CORES)]
                text = "".join(p.read_text(encoding="utf-8") for p in parts if p.exists())
                (self.out / f"{name}.{share}.jsonl").write_text(text, encoding="utf-8")

    def measure_part(self, stage, share, name, part):
        found = json.loads((self.out / name_of(name)).read_text(encoding="utf-8"))
        if self.set.judged:
            found = random.Random(4).sample(found, min(self.set.judged, len(found)))
        found = found[part::CORES]
        if not found:
            return
        path = self.out / f"{name}.{share}.{part}.json"
        path.write_text(json.dumps(found), encoding="utf-8")
        self.evaluate(stage, path, self.folder_of(name), self.out / f"share-{share}.dgw", path.with_suffix(".cand"), self.set.answer_width)

    def judge(self, stage):
        """The best share, and how likely its answers are right."""
        stage.python("pick.py", self.out, *self.shares())
        best = json.loads((self.out / "picked.json").read_text())
        share, weights = best["share"], self.out / "judged.dgw"
        shutil.copyfile(self.out / f"share-{share}.dgw", weights)
        width = ["--width", self.set.answer_width] if self.set.answer_width else []
        first = [part for name in FIRST for part in ("--candidates", self.out / f"{name}.{share}.jsonl")]
        stage.python("judge.py", *first, "--elsewhere", self.out / f"elsewhere.{share}.jsonl", "--weights", weights, "--write", *width)
        later = [part for name in LATER for part in ("--candidates", self.out / f"{name}.{share}.jsonl")]
        stage.python("judge.py", *later, "--weights", weights, "--talk", "--write", *width)
        os.replace(weights, self.out / "parser.dgw")
        return best

    def describe(self, stage):
        manifest.write(self)

    # Help for all

    def at_once(self, work, items):
        with ThreadPoolExecutor(max(1, CORES - 1)) as pool:
            list(pool.map(work, items))

    def evaluate(self, stage, questions, databases, weights, out, width):
        wide = ["--width", width] if width else []
        stage.call(self.set.dragoman, "eval", "--questions", questions, "--databases", databases, "--weights", weights,
                   "--candidates", out, *wide)  # fmt: skip

    def plan(self):
        add = self.run.add
        add("widen", self.widen)
        add("questions", self.questions)
        add("public", self.public)
        add("features", self.features, "questions", "public")
        add("lists", self.lists, "questions", "public", "features")
        add("sets", self.sets, "lists")
        add("train", self.train, "features", "widen")
        add("candidates", self.candidates, "lists")
        add("verifier", self.verifier, "candidates")
        add("mix", self.mix, "train", "verifier")
        add("measure", self.measure, "mix", "sets")
        add("judge", self.judge, "measure")
        add("describe", self.describe, "judge")


FIRST = ("held_out", "everyday", "strange", "bird-away")
LATER = ("later", "later-own")
SETS = (*FIRST, *LATER, "elsewhere")


def name_of(name):
    return "later.json.own" if name == "later-own" else f"{name}.json"


def main(data, out, *rest):
    pipeline = Pipeline(data, out, settings_of(rest))
    pipeline.plan()
    try:
        pipeline.run.everything()
    except stages.Failed as error:
        raise SystemExit(str(error)) from None
    pipeline.run.say(f"{out}/parser.dgw is there")


if __name__ == "__main__":
    main(*sys.argv[1:])
