#!/usr/bin/env python3
"""Takes synonyms of nouns out of WordNet into nouns.txt, for the words that schemas use.

    python3 train/synth/make_nouns.py --spider DIR [--wordnet FOLDER] > train/synth/nouns.txt

A maintainer's tool: its output is committed, so that every machine makes the same questions.
Only common meanings count, and only words that WordNet's tagged texts really use.
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import own  # noqa: E402
import spider  # noqa: E402
from words import singular  # noqa: E402

SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"
SHARE = 0.2  # of a word's uses: a second meaning must have that much
COMMON = 12  # uses that bring a noun in although no schema has it
MOST = 6


def read_counts(folder: Path) -> Counter:
    """(word, number of the meaning) -> how often nouns were tagged with it."""
    counts: Counter = Counter()
    for line in (folder / "cntlist.rev").read_text().splitlines():
        key, meaning, count = line.split()
        word, place = key.split("%")
        if place.startswith("1"):
            counts[word, int(meaning)] = int(count)
    return counts


def read_nouns(folder: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Synset -> words, and word -> synsets, best first."""
    synsets, index = {}, {}
    for line in (folder / "data.noun").read_text("latin1").splitlines():
        if not line.startswith(" "):
            parts = line.split(" | ")[0].split()
            synsets[parts[0]] = [parts[4 + 2 * i] for i in range(int(parts[3], 16))]
    for line in (folder / "index.noun").read_text("latin1").splitlines():
        if not line.startswith(" "):
            parts = line.split()
            index[parts[0]] = parts[-int(parts[2]):]
    return synsets, index


def others(word: str, meanings: list[str], synsets: dict, counts: Counter) -> list[str]:
    total = sum(counts[word, i + 1] for i in range(len(meanings))) or 1
    found: list[str] = []
    for i, meaning in enumerate(meanings[:3]):
        if i and counts[word, i + 1] / total <= SHARE:
            continue
        for name in synsets[meaning]:
            text = name.replace("_", " ")
            used = " " in text or any(counts[name, k] for k in range(1, 9))
            plain = re.fullmatch(r"[a-z]{3,}( [a-z]+)?", text)
            if plain and used and text not in found and text.rstrip("s") != word.rstrip("s"):
                found.append(text)
    return found[:MOST]


def schema_words(folder: Path) -> set[str]:
    schemas = spider.read_schemas(folder)
    away = spider.held_out(list(schemas))
    names = [item.words for name, s in schemas.items() if name not in away for item in s.tables + s.columns[1:]]
    for _, text in own.read_files(SCHEMAS).values():
        for block in own.parse(text):
            names += [block.words] + [line.words for line in block.lines]
    return {singular(word) for words in names for word in words}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--spider", type=Path, required=True)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    arguments = parser.parse_args()
    counts = read_counts(arguments.wordnet)
    synsets, index = read_nouns(arguments.wordnet)
    wanted = schema_words(arguments.spider) | {w for (w, meaning), c in counts.items() if meaning == 1 and c >= COMMON}
    print("# Nouns that mean the same, from WordNet 3.0 (its licence: models/LEXICON.md) by make_nouns.py.")
    for word in sorted(wanted):
        if re.fullmatch(r"[a-z]{3,}", word) and word in index:
            found = others(word, index[word], synsets, counts)
            if found:
                print(f"{word}: {', '.join(found)}")


if __name__ == "__main__":
    main()
