"""Other words while training: names of a schema, or what a question says for them, are exchanged on the GPU.

A network that always sees the word of the question in the name of the column learns to compare letters. Here a
word that stands in both is exchanged on one side, everywhere it stands there, for one that means about the same,
and the links that the letters made go with it: what is left are the meanings of words and what else the schema has.
"""

import random
import re
import struct
from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).resolve().parent
ALIKE = HERE / "alike.txt"
CUES = HERE / "../tools/lexicon/cues.txt"
NOUNS = HERE / "synth/nouns.txt"
LEXICON = HERE / "../models/lexicon.bin"
OTHERS = 6  # words that may stand for one
STRANGE = 4096  # words of which any may stand for any: then only what else there is tells what is meant
STRANGELY = 0.08  # of the exchanges
NEAR = 0.64  # cosine of vectors that mean about the same
BONUS = 0.15  # for words that a dictionary holds to be the same or more general
PLAIN = re.compile(r"[a-z]{3,20}$")
QUESTION, TABLE, COLUMN = 0, 2, 3
SYNONYM, GENERAL = 1, 4  # kinds of the lexicon
WEAKEN, TO_SYNONYM, TO_NOTHING = 1, 2, 3  # what becomes of a link; 0: it stays

# Near in vectors, and the opposite or another measure; names of places, days and numbers are never exchanged.
OPPOSED = set("""
    win won wins lose lost loss losses winner loser home away male female man woman men women boy girl first last
    second third start end begin finish min max minimum maximum high low higher lower highest lowest departure arrival
    origin destination source target credit debit buy sell bought sold bid ask open close opened closed opening closing
    north south east west left right year month week day hour minute date time quarter decade mother father son daughter
    husband wife brother sister single double total average mean median sum count number income expense expenses asset
    liability before after above below inner outer old new older newer oldest newest young younger youngest parent child
    up down out begin entry exit import export imports exports present absent morning evening early late earliest latest
    big small large short long tall top bottom best worst more less most least many few upper lower minus plus positive
    negative true false yes not none all any each every one two three four five six seven eight nine ten hundred thousand
    million odd even front back rear incoming outgoing internal external domestic foreign local public private full empty
    part whole per percent rate ratio from for with without and the how what which who when where why are was were has
    have had does did can show list find give name names called between among over under than that this these those
    gain gross net actual planned expected estimated real nominal previous next current former active inactive
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday spring summer autumn winter fall
    """.split())
# Only what our own lists say is the same: other measures are near them.
MEASURES = set("""weight height length width depth size speed age distance area volume power temperature price cost amount
    quantity latitude longitude title code key type status state country city""".split())


def stem(word):
    """Enough to tell that two forms are one word."""
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            return word[: len(word) - len(ending)] + instead
    return word


def our_groups():
    """word -> others, from the lists that were written by hand or come from WordNet's nouns."""
    table = {}
    groups = [line for line in CUES.read_text(encoding="utf-8").splitlines() if line.startswith("=")]
    for line in groups + ALIKE.read_text(encoding="utf-8").splitlines()[1:]:
        words = line.split("#")[0].strip("= ").split()
        for word in words:
            table.setdefault(word, []).extend(w for w in words if w != word)
    for line in NOUNS.read_text(encoding="utf-8").splitlines():
        word, _, others = line.partition(": ")
        table.setdefault(word, []).extend(o for o in others.split(", ") if " " not in o and o)
    return table


def dictionary():
    """word -> synonyms and more general words of the lexicon (models/LEXICON.md)."""
    data = LEXICON.read_bytes()
    _, words, relations, size = struct.unpack_from("<4I", data, 4)
    starts = np.frombuffer(data, "<u4", words + 1, 20)
    firsts = np.frombuffer(data, "<u4", words + 1, 20 + 4 * (words + 1))
    pairs = np.frombuffer(data, "<u4", relations, 20 + 8 * (words + 1))
    text = data[len(data) - size :].decode()
    named = [text[a:b] for a, b in zip(starts[:-1], starts[1:])]
    table = {}
    for i, word in enumerate(named):
        for pair in pairs[firsts[i] : firsts[i + 1]].tolist():
            other = named[pair >> 3]
            if pair & 7 in (SYNONYM, GENERAL):
                table.setdefault(word, []).append(other)
            if pair & 7 == SYNONYM:
                table.setdefault(other, []).append(word)
    return table


def neighbours(words, vectors, device):
    """word -> [(cosine, word)] of the nearest by vectors."""
    table = {}
    numbers = torch.from_numpy(vectors).to(device)
    for at in range(0, len(words), 4096):
        near, place = (numbers[at : at + 4096] @ numbers.t()).topk(OTHERS + 4)
        for i, (cosines, others) in enumerate(zip(near.tolist(), place.tolist())):
            table[words[at + i]] = [(c, words[o]) for c, o in zip(cosines, others) if c >= NEAR]
    return table


def forms(word, others):
    """What may stand for a plural is a plural, too."""
    single = stem(word)
    return others if single == word else [o + ("es" if o.endswith(("s", "x", "ch", "sh")) else "s") for o in others]


def other_words(said, known, vectors, device):
    """word -> up to OTHERS words of `said` that may stand for it."""
    said = {w for w in said if PLAIN.match(w)}
    place = {w: i for i, w in enumerate(known)}
    shared = [w for w in known if w in said]
    near = neighbours(shared, vectors[[place[w] for w in shared]], device) if shared else {}
    ours, learnt, table = our_groups(), dictionary(), {}
    for word in said - OPPOSED:
        single = stem(word)
        if single in OPPOSED:
            continue
        ranked = list(near.get(word, []))
        for other in forms(word, learnt.get(single, [])):
            if word in place and other in place:
                ranked.append((BONUS + vectors[place[word]] @ vectors[place[other]], other))
        ranked = [w for cosine, w in sorted(ranked, reverse=True) if cosine >= NEAR] if single not in MEASURES else []
        found = forms(word, ours.get(single, [])) + ranked
        fit = [w for w in dict.fromkeys(found) if w in said and stem(w) != single and not OPPOSED & {w, stem(w)}]
        if fit:
            table[word] = fit[:OTHERS]
    return table


class Renamer:
    """settings.rename: how many of the words that name something are exchanged on average; settings.link_drop: how
    many words of a question lose their links and keep their letters."""

    def __init__(self, dump, known, vectors, settings, device):
        self.settings = settings
        number, stems = {w: i for i, w in enumerate(dump.words)}, {"": 0}
        of = [stems.setdefault(stem(w) if i else "", len(stems)) for i, w in enumerate(dump.words)]
        self.stems = len(stems)
        self.stem = torch.tensor(of, device=device)
        others = torch.zeros(len(dump.words), OTHERS, dtype=torch.int32)
        self.table = other_words(dump.words[1:], known, vectors, device)
        for word, found in self.table.items():
            ids = [number[w] for w in found]
            others[number[word]] = torch.tensor((ids * OTHERS)[:OTHERS], dtype=torch.int32)
        self.others = others.to(device)
        pool = sorted(self.table)
        random.Random(1).shuffle(pool)
        pool = (pool * STRANGE)[:STRANGE] if pool else ["<pad>"] * STRANGE
        self.strange = torch.tensor([number[w] for w in pool], device=device)
        self.opposed = torch.tensor([bool(OPPOSED & {w, stem(w)}) or not PLAIN.match(w) for w in dump.words], device=device)
        names = dump.header["relations"]
        code = {name: i for i, name in enumerate(names)}
        self.codes, self.of_value = len(names) + 1, code["q-in-v"]
        actions = torch.arange(self.codes, dtype=torch.uint8).repeat(4, 1)
        for name in names:
            sides, _, kind = name.partition("-")
            if sides in ("qc", "cq", "qt", "tq") and kind in ("exact", "own", "partial", "synonym", "related", "hypernym"):
                literal = kind in ("exact", "own", "partial")
                actions[WEAKEN, code[name]] = code[f"{sides}-partial"] if literal else code[name]
                actions[TO_SYNONYM, code[name]] = code[f"{sides}-synonym"] if literal else code[sides]
                actions[TO_NOTHING, code[name]] = code[sides]
        self.actions = actions.to(device)

    def dice(self, stems, seed):
        """The same word falls alike everywhere in one example: in [0, 65536)."""
        x = stems * 2654435761 + seed
        x = (x ^ (x >> 15)) * 2246822519
        x = (x ^ (x >> 13)) * 3266489917
        return (x ^ (x >> 16)) & 0xFFFF

    def marked(self, stems, where):
        """[batch, stems]: which of them stand at these places."""
        out = torch.zeros(len(stems), self.stems, dtype=torch.bool, device=stems.device)
        return out.scatter(1, (stems * where).flatten(1), True)

    def __call__(self, items, kinds, relations):
        """items [batch, length, words], kinds [batch, length]; returns both as they are seen this time."""
        batch, device = len(items), items.device
        asked, named = kinds == QUESTION, (kinds == TABLE) | (kinds == COLUMN)
        asked_side = torch.rand(batch, 1, 1, device=device) < 0.5
        seed = torch.randint(1 << 30, (batch, 1, 1), device=device)
        share = torch.rand(batch, 1, 1, device=device) * 2 * self.settings.rename * 65536
        stems = self.stem[items]
        present = self.marked(stems, named[..., None])
        everywhere = present | self.marked(stems, asked[..., None])
        other = self.others[items, self.dice(stems, seed + 7) % OTHERS].long()
        strange = (self.dice(stems, seed + 13) < STRANGELY * 65536) & ~self.opposed[items]
        other = torch.where(strange, self.strange[self.dice(stems, seed + 21) % STRANGE], other)
        clash = everywhere.gather(1, self.stem[other].flatten(1)).view_as(items)
        in_schema = present.gather(1, stems.flatten(1)).view_as(items)
        free = asked & ~(relations == self.of_value).any(-1)
        here = torch.where(asked_side, free[..., None] & in_schema, named[..., None])
        change = here & (other > 0) & ~clash & (self.dice(stems, seed) < share)
        gone = self.marked(stems, change)
        gone.select(1, 0).zero_()
        items = torch.where(change, other, items)

        side = asked_side[..., 0]
        matched = asked & gone.gather(1, stems[..., 0])
        touched = torch.where(side, named, change.any(-1) & named)
        lost = asked & (self.dice(stems[..., 0], seed[..., 0] + 99) < self.settings.link_drop * 65536)
        pair = matched[:, :, None] & touched[:, None, :]
        pair = pair | pair.transpose(1, 2)
        weaker = (touched & ~side)[:, :, None] | (touched & ~side)[:, None, :]
        lost = lost[:, :, None] | lost[:, None, :]
        action = weaker.long() * WEAKEN
        coin = (torch.rand(batch, 1, 1, device=device) < 0.5).long()
        instead = (TO_SYNONYM + coin * (TO_NOTHING - TO_SYNONYM)).expand_as(action)
        action = torch.where(pair, instead, action)
        action = torch.where(lost, torch.full_like(action, TO_NOTHING), action)
        return items, self.actions.flatten()[action * self.codes + relations.long()]
