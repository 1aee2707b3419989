"""The one command: steps wait for each other, a second start goes on, a packed folder is enough. Needs nothing but Python."""

import contextlib
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import pipeline  # noqa: E402
import public  # noqa: E402
import stages  # noqa: E402

# Stands for train/pipeline.py in a packed folder: writes what `remote` brings back.
WORKER = """
import sys
from pathlib import Path
data, out = Path(sys.argv[1]), Path(sys.argv[2])
(out / "done").mkdir(parents=True)
(out / "log").mkdir()
(out / "log" / "train.txt").write_text("12 steps in all\\n")
(out / "parser.dgw").write_bytes((data / "weights").read_bytes())
(out / "parser.manifest.json").write_text("{}")
(out / "done" / "describe.json").write_text(repr(sys.argv[3:]))
"""


def quiet():
    return contextlib.redirect_stdout(io.StringIO())


class Stages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out, self.seen = folder.name, []

    def run_all(self, broken=()):
        """a and b side by side, c needs both, d needs c."""
        run, both = stages.Run(self.out), threading.Barrier(2, timeout=20)

        def work(stage):
            if stage.name in "ab" and not broken:
                both.wait()
            if stage.name in broken:
                raise RuntimeError("no")
            self.seen.append(stage.name)
            return {"said": stage.name}

        for name, needs in (("d", "c"), ("c", "ab"), ("b", ""), ("a", "")):
            run.add(name, work, *needs)
        with quiet():
            run.everything()
        return run

    def test_order_and_facts(self):
        run = self.run_all()
        self.assertEqual(sorted(self.seen[:2]), ["a", "b"])
        self.assertEqual(self.seen[2:], ["c", "d"])
        self.assertEqual(run.facts("c")["said"], "c")

    def test_goes_on_after_a_failure(self):
        with self.assertRaisesRegex(stages.Failed, "failed: c"):
            self.run_all(broken="c")
        self.assertEqual(sorted(self.seen), ["a", "b"])
        self.seen.clear()
        self.run_all(broken="-")  # nothing of that name: only what is missing runs
        self.assertEqual(self.seen, ["c", "d"])

    def test_program_stops_when_another_step_fails(self):
        run = stages.Run(self.out)
        run.add("long", lambda stage: stage.call("sleep", "600"))
        run.add("wrong", lambda stage: stage.call("false"))
        with quiet(), self.assertRaisesRegex(stages.Failed, "wrong"):
            run.everything()

    def test_unknown_need(self):
        run = stages.Run(self.out)
        run.add("a", lambda stage: None, "z")
        with self.assertRaisesRegex(stages.Failed, "a needs z"):
            run.everything()


class Plan(unittest.TestCase):
    def test_all_steps_are_there(self):
        with tempfile.TemporaryDirectory() as folder:
            whole = pipeline.Pipeline(folder, Path(folder) / "out", pipeline.settings_of(["scale=0.25", "start=none"]))
            whole.plan()
            steps = whole.run.stages
        self.assertEqual(whole.set.scale, 0.25)
        for step in steps.values():
            self.assertTrue(set(step.needs) <= set(steps), step.name)
        self.assertEqual(whole.shares(), ["1"])

    def test_unknown_setting(self):
        with self.assertRaisesRegex(SystemExit, "no setting speed"):
            pipeline.settings_of(["speed=1"])

    def test_databases_to_measure_with_are_not_trained_on(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = [json.dumps({"db_id": f"d{i}", "question": "q", "query": "SELECT 1"}) for i in range(20)]
            (Path(folder) / "questions.jsonl").write_text("\n".join(lines))
            _, ids = public.read("bird", folder)
            taken = {q["db_id"] for q in public.questions_of("bird", Path(folder), __import__("random").Random(1))}
        self.assertEqual(len(taken), 20 - public.AWAY["bird"])
        self.assertFalse(taken & {f"bird_{name}" for name in ids[: public.AWAY["bird"]]})


class Remote(unittest.TestCase):
    def call(self, *parts):
        return subprocess.run([sys.executable, HERE / "remote", *map(str, parts)], capture_output=True, text=True, timeout=120)

    def test_packed_folder_is_enough(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            weights = bytes(range(256)) * (70 << 10)  # 17.5 MiB: two parts
            for path, content in (("rest/train/pipeline.py", WORKER.encode()), ("rest/data/weights", weights), ("rest/models/parser.dgw", b"x")):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(content)
            (root / "pack" / "data").mkdir(parents=True)
            with tarfile.open(root / "pack" / "rest.tar.xz", "w:xz", preset=0) as archive:
                for name in ("train", "data", "models"):
                    archive.add(root / "rest" / name, name)
            self.assertEqual(self.call("start", root / "pack", root / "work", "scale=0.1").returncode, 0)
            waited = self.call("wait", root / "work", root / "got", 60)
            self.assertIn("state: done", waited.stdout, waited.stderr)
            parts = sorted((root / "got").glob("parser.dgw.*"))
            self.assertEqual(len(parts), 2)
            self.assertLess(max(p.stat().st_size for p in parts), 16 << 20)
            self.assertEqual(b"".join(p.read_bytes() for p in parts), weights)
            self.assertIn("12 steps in all", (root / "got" / "log.txt").read_text())
            self.assertEqual((root / "work/out/done/describe.json").read_text(), "['scale=0.1']")

    def test_says_that_it_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "out" / "log").mkdir(parents=True)
            waited = self.call("wait", folder, Path(folder) / "got", 5)
            self.assertIn("state: stopped", waited.stdout)
            self.assertEqual(waited.returncode, 1)


if __name__ == "__main__":
    unittest.main()
