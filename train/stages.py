"""Runs steps that depend on each other: each one when what it needs is done, side by side where nothing is in the way.

A step that is done leaves OUT/done/NAME.json, so a run that was stopped goes on with what is missing. What a step prints is
in OUT/log/NAME.txt.
"""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path


class Failed(Exception):
    pass


class Run:
    """A folder in which steps are done; `began` is when its first one was, over all attempts."""

    def __init__(self, out):
        self.out = Path(out)
        for part in ("done", "log"):
            (self.out / part).mkdir(parents=True, exist_ok=True)
        mark = self.out / "began"
        if not mark.exists():
            mark.write_text(f"{time.time()}\n")
        self.began = float(mark.read_text())
        self.stages, self.failed = {}, threading.Event()
        self.changed = threading.Condition()

    def elapsed(self):
        return time.time() - self.began

    def add(self, name, work, *needs):
        """work(stage): returns what is known of it afterwards, or None."""
        self.stages[name] = Stage(self, name, work, needs)

    def say(self, text):
        line = f"{self.elapsed():7.0f} s  {text}"
        print(line, flush=True)
        with open(self.out / "progress.txt", "a") as file:
            file.write(line + "\n")

    def facts(self, name):
        """What a finished step left."""
        return json.loads((self.out / "done" / f"{name}.json").read_text())

    def everything(self):
        """Runs all steps; raises Failed with the names of those that failed."""
        for stage in self.stages.values():
            unknown = [n for n in stage.needs if n not in self.stages]
            if unknown:
                raise Failed(f"{stage.name} needs {', '.join(unknown)}, which there is not")
        threads = [threading.Thread(target=stage.run, daemon=True) for stage in self.stages.values()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wrong = [s.name for s in self.stages.values() if s.state == "failed"]
        if wrong:
            raise Failed(f"failed: {', '.join(wrong)}; see {self.out / 'log'}")


class Stage:
    def __init__(self, run, name, work, needs):
        self.of, self.name, self.work, self.needs = run, name, work, needs
        self.mark = run.out / "done" / f"{name}.json"
        self.state = "done" if self.mark.exists() else "waiting"

    def is_ready(self):
        """All that it needs is done; False where that will never be."""
        with self.of.changed:
            self.of.changed.wait_for(lambda: self.of.failed.is_set() or self.needs_are("done"))
        return self.needs_are("done") and not self.of.failed.is_set()

    def needs_are(self, state):
        return all(self.of.stages[name].state == state for name in self.needs)

    def become(self, state):
        with self.of.changed:
            self.state = state
            if state == "failed":
                self.of.failed.set()
            self.of.changed.notify_all()

    def run(self):
        if self.state == "done" or not self.is_ready():
            return
        began = time.time()
        self.of.say(f"{self.name} begins")
        try:
            facts = self.work(self) or {}
        except Exception as error:  # whatever it is, the others must hear of it
            self.of.say(f"{self.name} failed: {error}")
            self.become("failed")
            return
        facts["seconds"] = round(time.time() - began, 1)
        self.mark.with_suffix(".new").write_text(json.dumps(facts))
        os.replace(self.mark.with_suffix(".new"), self.mark)
        self.of.say(f"{self.name} took {facts['seconds']} s")
        self.become("done")

    def call(self, *command, **more):
        """Runs a program to its end, or until another step has failed."""
        with open(self.of.out / "log" / f"{self.name}.txt", "a") as log:
            process = subprocess.Popen([str(part) for part in command], stdout=log, stderr=subprocess.STDOUT, **more)
            while True:
                try:
                    if process.wait(1) == 0:
                        return
                    raise Failed(f"{Path(str(command[0])).name} {' '.join(map(str, command[1:3]))} ended with {process.returncode}")
                except subprocess.TimeoutExpired:
                    if self.of.failed.is_set():
                        process.terminate()
                        process.wait()
                        raise Failed("another step failed") from None

    def python(self, script, *rest):
        self.call(sys.executable, Path(__file__).parent / script, *rest)

    def await_file(self, path):
        """Until another step has written it."""
        while not Path(path).exists():
            if self.of.failed.is_set():
                raise Failed("another step failed")
            time.sleep(0.5)
