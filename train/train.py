"""Trains the parser: python3 train/train.py --dump FILE --out FOLDER [setting=value …]

One process, one device. The first `members` networks learn first turns, `talk` further ones learn later turns; all share
their words. Questions over what the verifier is to learn from (candidates.py) wait until `wait` of the time has passed: what the
network is then (`unseen.dgw`) has not seen them. A run that was stopped goes on where OUT/NAME.ckpt says it stood.
"""

import argparse
import json
import os
import random
import time
from collections import Counter
from types import SimpleNamespace

import torch

import batches
import candidates
import export
import held_out
import public
import resume
import steps
import vectors
from dump import read_dump
from model import TRIGRAM_MOST, Members, Parser, POSITIONS
from rename import Renamer

DEFAULTS = dict(
    d=192, heads=6, encoder_layers=6, decoder_layers=4, drop=0.2, lr=8e-4, weight_decay=0.02,
    tokens=32768, seconds=500.0, steps=1 << 40, seed=0, word_drop=0.1, item_drop=0.05, schema_drop=0.2,
    smooth=0.05, warmup=800, ema=0.9995, ema_from=0.5, trigrams=20000, hold_out=1, min_words=3,
    own_drop=0.3, vector_words=20000, members=1, talk=0, talk_share=0.25, talk_plain=0.4, evaluate=120.0, name="parser",
    limit=0, rename=0.0, link_drop=0.0, strange=600, wait=0.0, checks=1200, until=0.0, fit_steps=3000,
)  # fmt: skip

# The types of files that do not list them.
TYPES_ALONE = [
    "question", "text value", "number value", "table", "text column", "number column", "time column", "boolean column",
    "other column", "star", "padding", "text column with gaps", "number column with gaps", "time column with gaps",
]  # fmt: skip
BEFORE = "qh"  # the first relation that needs something said before


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--start", help="weights file of an earlier run to go on from")
    parser.add_argument("--vectors", help="what vectors.py wrote")
    parser.add_argument("settings", nargs="*", help="name=value")
    given = parser.parse_args()
    settings = dict(DEFAULTS)
    for text in given.settings:
        key, value = text.split("=", 1)
        settings[key] = type(DEFAULTS[key])(value)
    return given, SimpleNamespace(**settings)


def source_of(dump, name):
    """The number of a source; -1 where the dump has none of it."""
    return dump.header["sources"].index(name) if name in dump.header["sources"] else -1


def split(dump, settings):
    """Examples of first turns, of later ones, of first turns that wait; to look at, by name; databases held out."""
    plain, last = source_of(dump, "spider"), source_of(dump, "later")
    spider = {dump.schemas[e.schema].name for e in dump.examples if e.source == plain}
    away = held_out.names(spider) if settings.hold_out else set()
    unseen, written = candidates.strange_schemas(), source_of(dump, "written")
    waiting = candidates.verifier_schemas() if settings.wait else set()
    first, later, late = [], [], []
    checks = {"held out": [], "strange": [], "later": []}
    for example in dump.examples:
        name = dump.schemas[example.schema].name
        waits = settings.wait and (candidates.is_of(name, waiting) or public.kind_of(name) in public.KINDS)
        if candidates.is_of(name, unseen):
            if example.source == written:
                checks["strange"].append(example)
        elif name in away:
            if example.source in (plain, last):
                checks["later" if example.source == last else "held out"].append(example)
        elif example.history:
            later.append(example)
        else:
            (late if waits else first).append(example)
    if settings.limit:
        first, later, late = first[: settings.limit], later[: settings.limit], late[: settings.limit]
    for seed, part in zip((2, 3, 4), checks.values()):
        random.Random(seed).shuffle(part)
    most = {"held out": settings.checks, "strange": settings.strange, "later": settings.strange}
    return first, later, late, {name: part[: most[name]] for name, part in checks.items()}, away


def word_table(dump, training, settings, known):
    """Rows of words seen often enough, and of the most frequent known ones; the others share row 1.

    Returns the row of each word of the dump, its trigrams, and the words of the rows from 2 on.
    """
    count = Counter()
    for example in training:
        count.update(example.question.tolist())
        for _, ids in example.history:
            count.update(ids.tolist())
    for schema in {e.schema for e in training}:
        count.update(dump.schemas[schema].items.ravel().tolist())
    words = [dump.words[w] for w, n in count.most_common() if w and n >= settings.min_words]
    seen = set(words)
    words += [w for w in known[: settings.vector_words] if w not in seen]
    place = {word: i + 2 for i, word in enumerate(words)}
    rows = torch.tensor([0] + [place.get(word, 1) for word in dump.words[1:]])
    trigrams = torch.zeros(len(dump.words), TRIGRAM_MOST, dtype=torch.long)
    for i, ids in enumerate(dump.trigrams):
        folded = [(int(x) - 1) % (settings.trigrams - 1) + 1 for x in ids]
        trigrams[i, : len(ids)] = torch.tensor(folded, dtype=torch.long)
    return rows, trigrams, words


def vector_table(words, known, vectors):
    """The vectors of the rows; zeros where a word has none."""
    place = {word: i for i, word in enumerate(known)}
    table = torch.zeros(len(words) + 2, vectors.shape[1])
    for i, word in enumerate(words):
        if word in place:
            table[i + 2] = torch.from_numpy(vectors[place[word]])
    return table


def rows_of(lists, key):
    """What the rows of a tensor stand for, or None where that never changes."""
    key = key.split(".", 2)[2]
    if key == "w.weight":
        return ["<padding>", "<unknown>"] + lists["words"]
    if key in ("k.weight", "ok.weight", "ok.bias"):
        return ["k " + k for k in lists["keywords"]] + ["f " + f for f in lists["fixed"]]
    if key.rsplit(".", 1)[-1] in ("rk", "rv", "rb"):
        return lists["relations"] + ["padding"]
    if key == "ty.weight":
        return lists.get("types") or TYPES_ALONE
    return None


def talk_examples(first, later, settings):
    """Later turns, and as many first ones as weigh `talk_plain` of all: what lets go of a conversation is a first turn."""
    weight = sum(e.weight for e in later)
    wanted = weight * settings.talk_plain / (1 - settings.talk_plain)
    order = list(range(len(first)))
    random.Random(6).shuffle(order)
    some = []
    for i in order:
        if wanted <= 0:
            break
        some.append(first[i])
        wanted -= first[i].weight
    return later + some


def make_sets(dump, first, later, late, net, settings):
    """What Loop needs, and a function that lets in what waits."""
    device = steps.DEVICE
    everyone = batches.make_buckets(dump, first + late, device)
    whole = [(bucket, bucket.weight.clone()) for bucket in everyone.values()]
    for bucket in everyone.values():
        waits = torch.tensor([i >= len(first) for i in bucket.index], device=device)
        bucket.weight *= ~waits

    def open_late():
        for bucket, weight in whole:
            bucket.weight.copy_(weight)

    if not settings.wait:
        open_late()
    share = settings.talk_share if settings.talk and later else 0.0
    sets = {"first turns": (everyone, steps.Learner(net, False, settings), 1 - share)}
    if share:
        buckets = batches.make_buckets(dump, talk_examples(first, later, settings), device)
        sets["later turns"] = (buckets, steps.Learner(net, True, settings), share)
    return sets, open_late


def make_net(dump, words, rows, trigrams, table, settings):
    net = Members(
        lambda share: Parser(settings, len(words), rows, trigrams, len(dump.header["relations"]),
                             dump.output_offset(), table, share), settings.members, settings.talk,
    ).to(steps.DEVICE)  # fmt: skip
    net.members[0].w.marks[2:] = torch.tensor([word[0] in "@#" for word in words])
    return net


def main():
    given, settings = arguments()
    random.seed(settings.seed)
    torch.manual_seed(settings.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    began = time.time()
    dump = read_dump(given.dump)
    first, later, late, apart, away = split(dump, settings)
    known, numbers = vectors.load(given.vectors) if given.vectors else ([], None)
    rows, trigrams, words = word_table(dump, first + later + late, settings, known)
    print(f"{len(first)} first and {len(later)} later turns, {len(late)} that wait, to look at "
          f"{[len(part) for part in apart.values()]}, {len(words)} words, read in {time.time() - began:.0f} s", flush=True)  # fmt: skip
    table = vector_table(words, known, numbers) if known else None
    net = make_net(dump, words, rows, trigrams, table, settings)
    sets, open_late = make_sets(dump, first, later, late, net, settings)
    checks = {name: (batches.make_buckets(dump, part, steps.DEVICE), name == "later") for name, part in apart.items() if part}
    lists = {k: dump.header[k] for k in ("keywords", "fixed", "relations", "types")} | {"words": words}
    if given.start and not os.path.exists(f"{given.out}/{settings.name}.ckpt"):
        resume.load_weights(given.start, net, lists, rows_of, known, settings.fit_steps)
    renamer = Renamer(dump, known, numbers, settings, steps.DEVICE) if settings.rename or settings.link_drop else None
    counts = {"first": len(first), "later": len(later), "waiting": len(late)}
    said = {k: v for k, v in vars(settings).items() if k != "until"} | {"examples": counts, "held_out": sorted(away)}
    loop = steps.Loop(net, sets, checks, settings, renamer)
    print(f"{sum(p.numel() for p in net.parameters()) / 1e6:.1f} M weights, {len(loop.steps)} shapes, "
          f"ready after {time.time() - began:.0f} s", flush=True)  # fmt: skip
    done = loop.run(f"{given.out}/{settings.name}.ckpt", lambda name: write_file(given.out, name, net, lists, dump, said), open_late)
    write_file(given.out, settings.name, net, lists, dump, said | {"steps": done})


def cut_rows(state, most, types):
    """A member's arrays with the relations and types that need nothing said before; the last relation pads."""
    out = {}
    for key, array in state.items():
        kind = key.rsplit(".", 1)[-1]
        if kind in ("rk", "rv", "rb"):
            array = array[[*range(most), len(array) - 1]]
        out[key] = array[:types] if key == "ty.weight" else array
    return out


def write_file(out, name, net, lists, dump, said):
    """The weights file, and beside it how it came about. Later turns have members, relations and types of their own."""
    net.eval()
    count, total = net.count, len(net.members)
    state = arrays(net.members[0].w.folded(net.members[0].state_dict()))
    members = {f"m{i}.": arrays(net.own(i)) for i in range(1, count)}
    alone = lists["relations"]
    if total > count:
        alone = alone[: alone.index(BEFORE)]
        state, *others = [cut_rows(s, len(alone), len(TYPES_ALONE)) for s in (state, *members.values())]
        members = dict(zip(members, others)) | {f"h{i - count}.": arrays(net.own(i)) for i in range(count, total)}
    net.train()
    shape = net.members[0].settings
    header = {
        "members": count, "d": shape.d, "heads": shape.heads, "encoder_layers": shape.encoder_layers,
        "decoder_layers": shape.decoder_layers, "ff": 4 * shape.d, "keywords": lists["keywords"], "fixed": lists["fixed"],
        "relations": alone, "trigrams": shape.trigrams, "positions": POSITIONS,
        "max_words": dump.header["max_words"], "words": lists["words"], "card": said,
    }  # fmt: skip
    if total > count:
        header |= {"talk_members": total - count, "talk_relations": lists["relations"]}
    else:
        header["types"] = lists["types"]
    export.write_weights(f"{out}/{name}.new", state, header, members=members)
    os.replace(f"{out}/{name}.new", f"{out}/{name}.dgw")
    with open(f"{out}/{name}.json", "w") as file:
        json.dump(said, file, indent=1)


def arrays(state):
    return {k: v.float().cpu().numpy() for k, v in state.items()}


if __name__ == "__main__":
    main()
