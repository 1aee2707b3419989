#!/usr/bin/env python3
"""Compiles WordNet and our own cues into models/lexicon.bin (the layout: models/LEXICON.md).

usage: tools/lexicon/build.py [--wordnet FOLDER] [--out FILE]

A maintainer's tool: its output is committed, so nobody needs WordNet to build dragoman.
"""

import argparse
import collections
import math
import os
import re
import struct

FILES = (("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv"))
SAME, SYNONYM, CUE, RELATED, HYPERNYM, FORM, FORMED = range(7)
SYNONYM_SENSES = 4
POINTER_SENSES = 3
PLAIN = re.compile(r"[a-z]{2,20}$")


class WordNet:
    """Synsets with their words and pointers, and the synsets of each word, best first."""

    def __init__(self, folder):
        self.words = {}  # synset -> words, lower case
        self.pointers = {}  # synset -> [(symbol, synset, source, target)]
        self.senses = collections.defaultdict(list)  # word -> [[synsets] per part of speech]
        self.common = set()  # words that are written in lower case somewhere
        self.counts = collections.Counter()
        self.forms = []  # (inflected, base)
        for letter, name in FILES:
            self.read_data(letter, os.path.join(folder, "data." + name))
            self.read_index(letter, os.path.join(folder, "index." + name))
            self.read_forms(os.path.join(folder, name + ".exc"))
        self.read_counts(os.path.join(folder, "cntlist.rev"))

    def read_data(self, letter, path):
        with open(path, encoding="latin1") as file:
            for line in file:
                if line.startswith(" "):
                    continue
                parts = line.split(" | ")[0].split()
                count = int(parts[3], 16)
                words = [parts[4 + 2 * i].split("(")[0] for i in range(count)]
                self.common.update(word for word in words if word == word.lower())
                at = 4 + 2 * count
                pointers = []
                for i in range(int(parts[at])):
                    symbol, offset, kind, places = parts[at + 1 + 4 * i : at + 5 + 4 * i]
                    kind = "a" if kind == "s" else kind
                    pointers.append((symbol, kind + offset, int(places[:2], 16), int(places[2:], 16)))
                self.words[letter + parts[0]] = [word.lower() for word in words]
                self.pointers[letter + parts[0]] = pointers

    def read_index(self, letter, path):
        with open(path, encoding="latin1") as file:
            for line in file:
                if line.startswith(" "):
                    continue
                parts = line.split()
                count = int(parts[2])
                self.senses[parts[0]].append([letter + offset for offset in parts[-count:]])

    def read_forms(self, path):
        with open(path, encoding="latin1") as file:
            for line in file:
                parts = line.split()
                self.forms.extend((parts[0], base) for base in parts[1:])

    def read_counts(self, path):
        with open(path, encoding="latin1") as file:
            for line in file:
                key, _, count = line.split()
                self.counts[key.split("%")[0]] += int(count)


def wordnet_relations(net, kept, add):
    for form, base in net.forms:
        add(form, base, FORM)
        add(base, form, FORMED)
    for form, base in comparisons(net):
        add(form, base, FORM)
    for negative, positive in negations(net):
        add(negative, positive, RELATED)
    sharing = collections.defaultdict(set)
    for word in kept:
        for senses in net.senses.get(word, []):
            for synset in senses[:SYNONYM_SENSES]:
                sharing[synset].add(word)
    for words in sharing.values():
        for a in words:
            for b in words:
                add(a, b, SYNONYM)
    for word in kept:
        for senses in net.senses.get(word, []):
            for synset in senses[:POINTER_SENSES]:
                follow_pointers(net, word, synset, add)


def negations(net):
    """Adjectives with un-, in-, dis- before another one: both speak of the same thing."""
    adjectives = {word for word, parts in net.senses.items() if any(p[0][0] == "a" for p in parts)}
    for word in adjectives:
        for prefix in ("un", "in", "im", "dis", "non"):
            if word.startswith(prefix) and word[len(prefix) :] in adjectives:
                yield word, word[len(prefix) :]


def follow_pointers(net, word, synset, add):
    place = net.words[synset].index(word) + 1 if word in net.words[synset] else 0
    for symbol, other, source, target in net.pointers[synset]:
        if symbol in ("+", "\\") and source == place and target:
            add(word, net.words[other][target - 1], RELATED)
        elif symbol == "=":
            for related in net.words[other]:
                add(word, related, RELATED)
        elif symbol == "&":  # a word like heavy-set leads over heavy to weight
            for deeper, attribute, _, _ in net.pointers[other]:
                if deeper == "=":
                    for related in net.words[attribute]:
                        add(word, related, RELATED)
        elif symbol == "@":
            for related in net.words[other]:
                add(word, related, HYPERNYM)


def comparisons(net):
    """older, oldest -> old: for adjectives that measure something, and short common ones."""
    nouns = {word for word, parts in net.senses.items() if any(p[0][0] == "n" for p in parts)}
    for word, parts in net.senses.items():
        senses = [synset for part in parts if part[0][0] == "a" for synset in part]
        if not senses or not re.match(r"[a-z]{3,9}$", word):
            continue
        measures = any(pointer[0] == "=" for synset in senses for pointer in net.pointers[synset])
        if not measures and not (net.counts[word] > 0 and len(word) <= 7):
            continue
        for ending in ("er", "est"):
            if word.endswith("e"):
                form = word[:-1] + ending
            elif re.search(r"[^aeiou]y$", word):
                form = word[:-1] + "i" + ending
            elif re.search(r"^[^aeiou]*[aeiou][bdgmnpt]$", word):
                form = word + word[-1] + ending
            else:
                form = word + ending
            if measures or form not in nouns:
                yield form, word


def read_cues(path):
    cues = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line.startswith("="):
                words = line[1:].split()
                cues.extend((a, b, SAME) for a in words for b in words if a != b)
            elif line:
                left, right = line.split(":")
                cues.extend((a, b, CUE) for a in left.split() for b in right.split() if a != b)
    return cues


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser()
    parser.add_argument("--wordnet", default="/usr/share/wordnet")
    parser.add_argument("--out", default=os.path.join(here, "../../models/lexicon.bin"))
    arguments = parser.parse_args()
    net = WordNet(arguments.wordnet)
    cues = read_cues(os.path.join(here, "cues.txt"))
    kept = {word for word in net.senses if PLAIN.match(word) and word in net.common}
    strength = {}  # (word, other) -> kind, the first that applies

    def add(a, b, kind):
        known = (a in kept or kind == FORM) and (b in kept or kind == FORMED)
        if a != b and PLAIN.match(a) and PLAIN.match(b) and known:
            if (a, b) not in strength:
                strength[a, b] = kind

    cue_words = {word for cue in cues for word in cue[:2]}
    kept |= {word for word in cue_words if PLAIN.match(word)}
    for a, b, kind in cues:
        strength[a, b] = min(kind, strength.get((a, b), kind))
    wordnet_relations(net, kept, add)
    write(arguments.out, net, kept, strength)


def write(path, net, kept, strength):
    lists = collections.defaultdict(list)
    for (a, b), kind in strength.items():
        if kind == SYNONYM and a > b:
            continue  # found from the other side
        lists[a].append((b, kind))
    words = sorted(kept | set(lists) | {b for _, b in strength})
    number = {word: i for i, word in enumerate(words)}
    text = b"".join(word.encode() for word in words)
    starts, at = [], 0
    for word in words:
        starts.append(at)
        at += len(word)
    starts.append(at)
    relations, firsts = [], []
    for word in words:
        firsts.append(len(relations))
        relations.extend(sorted(number[b] << 3 | kind for b, kind in lists[word]))
    firsts.append(len(relations))
    weights = bytes(min(15, int(math.log2(1 + net.counts[word]))) for word in words)
    parts = [
        struct.pack(f"<{len(starts)}I", *starts),
        struct.pack(f"<{len(firsts)}I", *firsts),
        struct.pack(f"<{len(relations)}I", *relations),
        weights,
        text,
    ]
    head = struct.pack("<4sIIII", b"DGML", 1, len(words), len(relations), len(text))
    with open(path, "wb") as file:
        file.write(head + b"".join(parts))
    kinds = collections.Counter(strength.values())
    print(f"{len(words)} words, {len(relations)} relations {dict(kinds)}, {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()
