"""Widening a weights file: what was there stays, and new words come with rows of their own. Needs nothing but Python."""

import sys
import tempfile
import unittest
from array import array
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import widen  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def rows_of(header, payload, name):
    entry = next(e for e in header["tensors"] if e["name"] == name)
    size = 4 if entry["type"] == "f32" else 1
    for number in entry["shape"][1:]:
        size *= number
    part = payload[entry["offset"] : entry["offset"] + entry["shape"][0] * size]
    return [part[i * size : (i + 1) * size] for i in range(entry["shape"][0])]


class Widen(unittest.TestCase):
    def setUp(self):
        self.before = widen.read_file(ROOT / "models" / "parser.dgw")
        self.keywords, self.fixed = (widen.words_of(ROOT / "src" / "parser" / "ir" / f"{n}.def") for n in ("ir", "fixed"))

    def test_words_of_the_program(self):
        self.assertEqual(self.keywords[:4], ["<pad>", "<begin>", "<end>", "select"])
        self.assertEqual(self.fixed[:2], ["1", "0"])
        header = self.before[0]
        self.assertEqual(self.keywords[: len(header["keywords"])], header["keywords"])
        for word in self.keywords[109:]:
            self.assertIn(widen.LIKE[word], self.keywords[:109], word)

    def test_old_rows_stay_and_new_ones_are_unlikely(self):
        header, payload = self.before
        first, second = len(header["keywords"]) - 2, len(header["fixed"])
        words, texts = header["keywords"][:first], header["fixed"]
        header["keywords"] = words  # as if it knew two words less
        for entry in header["tensors"]:
            if widen.is_spoken(entry["name"]):
                entry["shape"][0] -= 2
        old = {n: rows_of(header, payload, n) for n in ("k", "ok.w", "ok.b", "en.g", "v.k")}
        more = [*words, "median", "with"]
        header, payload = widen.widen(header, payload, more, [*texts, "25"] if "25" not in texts else texts)
        added = len(header["fixed"]) - second
        for name, rows in old.items():
            now = rows_of(header, payload, name)
            if name == "en.g":
                self.assertEqual(now, rows)
                continue
            self.assertEqual(now[:first], rows[:first], name)
            self.assertEqual(now[first + 2 : first + 2 + second], rows[first : first + second], name)
            self.assertEqual(len(now), first + 2 + second + added)
            like = rows[words.index("avg")]
            if name == "ok.b":
                self.assertAlmostEqual(array("f", now[first])[0], array("f", like)[0] - widen.UNLIKELY, 4)
            else:
                self.assertEqual(now[first], like, name)

    def test_file_and_back(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out.dgw"
            widen.main(ROOT / "models" / "parser.dgw", ROOT / "src" / "parser" / "ir", path)
            header, payload = widen.read_file(path)
            self.assertEqual((header["keywords"], header["fixed"]), (self.keywords, self.fixed))
            ends = [e["offset"] + 1 for e in header["tensors"]]
            self.assertLessEqual(max(ends), len(payload))
            self.assertTrue(all(e["offset"] % widen.ALIGN == 0 for e in header["tensors"]))


if __name__ == "__main__":
    unittest.main()
