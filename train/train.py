"""Trains the parser: python3 train/train.py --dump FILE [--dump FILE …] --out FOLDER [setting=value …]

One process, one GPU. Steps are replayed as CUDA graphs, one per bucket shape, because a step of
this small network is otherwise spent starting kernels.
"""

import argparse
import glob
import json
import math
import random
import time
from collections import Counter
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn.functional as F

import batches
import candidates
import export
import held_out
import resume
import vectors
from dump import read_dump
from model import TRIGRAM_MOST, Members, Parser, POSITIONS
from rename import Renamer

DEFAULTS = dict(
    d=192, heads=6, encoder_layers=6, decoder_layers=4, drop=0.2, lr=8e-4, weight_decay=0.02,
    tokens=32768, seconds=500.0, seed=0, word_drop=0.1, item_drop=0.05, schema_drop=0.2,
    smooth=0.05, warmup=800, ema=0.9995, ema_from=0.5, trigrams=20000, hold_out=1, min_words=3,
    own_drop=0.3, vector_words=20000, members=1, evaluate=120.0, name="parser", limit=0,
    rename=0.0, link_drop=0.0, strange=600, seen=0, until=0.0, blend=0,
)  # fmt: skip

PART_BYTES = 14 << 20

# The types of files that do not list them.
TYPES_ALONE = [
    "question", "text value", "number value", "table", "text column", "number column", "time column", "boolean column",
    "other column", "star", "padding", "text column with gaps", "number column with gaps", "time column with gaps",
]  # fmt: skip


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", action="append", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--start", help="folder or weights file of an earlier run to go on from")
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
    plain = dump.header["sources"].index("spider")
    spider = {dump.schemas[e.schema].name for e in dump.examples if e.source == plain}
    away = held_out.names(spider) if settings.hold_out else set()
    training, validation, strange, later = [], [], [], []
    last = source_of(dump, "later")
    written = dump.header["sources"].index("written")
    unseen = candidates.strange_schemas()
    # what the verifier learns from must be new to the network, until it has learnt
    waiting = set() if settings.seen else candidates.verifier_schemas()
    for example in dump.examples:
        name = dump.schemas[example.schema].name
        if candidates.is_of(name, unseen):
            if example.source == written:
                strange.append(example)
            continue
        if candidates.is_of(name, waiting):
            continue
        if name in away:
            if example.source == plain:
                validation.append(example)
            elif example.source == last:
                later.append(example)
        else:
            training.append(example)
    if settings.limit:
        training = training[: settings.limit]
    random.Random(3).shuffle(strange)
    random.Random(4).shuffle(later)
    return training, {"held out": validation, "strange": strange[: settings.strange], "later": later[: settings.strange]}, away


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


class Step:
    """One training step for one shape, recorded once and replayed."""

    def __init__(self, net, optimizer, bucket, size, settings, renamer, pool):
        self.net, self.optimizer, self.bucket, self.settings = net, optimizer, bucket, settings
        self.renamer = renamer
        device = bucket.items.device
        self.index = torch.zeros(settings.members, size, dtype=torch.long, device=device)
        self.loss = torch.zeros((), device=device)
        self.choose()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                self.work()
        torch.cuda.current_stream().wait_stream(stream)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, pool=pool):
            self.work()

    def choose(self):
        chosen = torch.multinomial(self.bucket.weight, self.index.numel(), replacement=True)
        self.index.copy_(chosen.view_as(self.index))

    def loss_of(self, net, index):
        """Of one member and its own examples."""
        b, s = self.bucket, self.settings
        items, types = b.items[index].long(), b.types[index].long()
        relations, mask = b.relations[index], b.mask[index]
        pointable, target = b.pointable[index], b.target[index].long()
        if self.renamer:
            items, relations = self.renamer(items, b.kinds[index], relations)
        if s.schema_drop:
            place = torch.where(
                target >= net.outputs, target - net.outputs, torch.full_like(target, mask.shape[1])
            )
            used = torch.zeros(len(target), mask.shape[1] + 1, dtype=torch.bool, device=mask.device)
            used = used.scatter(1, place, True)[:, :-1]
            share = torch.rand(len(target), 1, device=mask.device) * 2 * s.schema_drop
            gone = b.hideable[index] & ~used & (torch.rand(mask.shape, device=mask.device) < share)
            mask, pointable = mask & ~gone, pointable & ~gone
        begin = torch.ones(len(target), 1, dtype=torch.long, device=mask.device)
        inputs = torch.cat([begin, target[:, :-1].clamp(min=0)], 1)
        with torch.autocast("cuda", torch.bfloat16):
            memory = net.encode(items, types, relations, mask)
            scores = net.decode(memory, mask, pointable, inputs).float()
        logs = scores.log_softmax(-1)
        there = target >= 0
        right = -logs.gather(2, target.clamp(min=0)[..., None])[..., 0]
        valid = scores > -5e3
        even = -(logs * valid).sum(-1) / valid.sum(-1)
        return (((1 - s.smooth) * right + s.smooth * even) * there).sum() / there.sum()

    def work(self):
        members = self.net.members
        loss = sum(self.loss_of(net, index) for net, index in zip(members, self.index))
        self.optimizer.zero_grad(set_to_none=False)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), len(members) ** 0.5, foreach=True)
        self.optimizer.step()
        self.loss.copy_(loss.detach() / len(members))

    def run(self):
        self.choose()
        self.graph.replay()


@torch.no_grad()
def greedy(net, bucket, at, size, most):
    rows = slice(at, at + size)
    with torch.autocast("cuda", torch.bfloat16):
        mask, pointable = bucket.mask[rows], bucket.pointable[rows]
        memory = net.encode(
            bucket.items[rows].long(), bucket.types[rows].long(), bucket.relations[rows], mask
        )
        out = torch.ones(len(mask), 1, dtype=torch.long, device=mask.device)
        done = torch.zeros(len(mask), dtype=torch.bool, device=mask.device)
        for _ in range(most):
            best = net.decode(memory, mask, pointable, out)[:, -1].argmax(-1)
            best = torch.where(done, torch.full_like(best, 2), best)
            out = torch.cat([out, best[:, None]], 1)
            done |= best == 2
            if done.all():
                break
    return out[:, 1:].tolist()


def exact_match(net, buckets):
    net.eval()
    right = total = 0
    for (_, targets), bucket in buckets.items():
        wanted = bucket.target.tolist()
        for at in range(0, len(bucket), 256):
            for i, got in enumerate(greedy(net, bucket, at, 256, targets)):
                gold = [t for t in wanted[at + i] if t >= 0]
                right += got[: len(gold)] == gold
                total += 1
    net.train()
    return right / max(total, 1)


def told(net, checks):
    return ", ".join(f"{name} {exact_match(net, buckets):.4f}" for name, buckets in checks.items())


def save_state(folder, name, net, lists):
    """Half-precision weights in parts small enough to carry about, for --start."""
    parts, size = [{}], 0
    for key, value in net.state_dict().items():
        number, rest = key.split(".", 2)[1:]
        if number != "0" and rest.startswith(("w.", "t.")):
            continue  # shared with the first
        array = value.detach().to(torch.float16).cpu().numpy()
        if size + array.nbytes > PART_BYTES and parts[-1]:
            parts.append({})
            size = 0
        parts[-1][key] = array
        size += array.nbytes
    for i, part in enumerate(parts):
        np.savez(f"{folder}/{name}-state-{i}.npz", **part)
    with open(f"{folder}/{name}-lists.json", "w") as file:
        json.dump(lists, file)


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


def load_state(folder, net, lists):
    """Takes over what an earlier run learnt, row by row by name; new rows stay as they are."""
    with open(next(iter(glob.glob(f"{folder}/*-lists.json")))) as file:
        known = json.load(file)
    state = net.state_dict()
    for path in glob.glob(f"{folder}/*-state-*.npz"):
        for key, array in np.load(path).items():
            old, new = torch.from_numpy(array.astype(np.float32)).to(state[key]), state[key]
            before = rows_of(known, key)
            if before is None:
                new.copy_(old)
                continue
            place = {name: i for i, name in enumerate(before)}
            pairs = [(i, place[n]) for i, n in enumerate(rows_of(lists, key)) if n in place]
            to, of = torch.tensor(pairs, device=new.device).t()
            new[to] = old[of]
    net.load_state_dict(state)


def learning_rate(settings, step, share):
    warm = min(1.0, (step + 1) / settings.warmup)
    return settings.lr * warm * (0.5 * (1 + math.cos(math.pi * share)) * 0.98 + 0.02)


def train(net, buckets, checks, settings, renamer, keep):
    """checks: name -> buckets; keep(): writes what has been learnt so far; called at every evaluation."""
    optimizer = torch.optim.AdamW(
        net.parameters(), lr=torch.tensor(settings.lr, device="cuda"), betas=(0.9, 0.98),
        weight_decay=settings.weight_decay, fused=True, capturable=True,
    )  # fmt: skip
    for parameter in net.parameters():
        parameter.grad = torch.zeros_like(parameter)
    pool = torch.cuda.graph_pool_handle()
    start_state = {k: v.clone() for k, v in net.state_dict().items()}
    steps = {}
    for key, bucket in buckets.items():
        size = max(32, settings.tokens // key[0] // 32 * 32)
        steps[key] = Step(net, optimizer, bucket, size, settings, renamer, pool)
    net.load_state_dict(start_state)  # recording has moved the weights
    for state in optimizer.state.values():
        for value in state.values():
            value.zero_()
    keys = list(buckets)
    chances = [float(buckets[k].weight.sum()) / steps[k].index.numel() for k in keys]
    chances = [c * steps[k].index.numel() for c, k in zip(chances, keys)]
    average = None
    start = last = time.time()
    if settings.until:
        settings.seconds, settings.until = settings.until - start, 0.0
    print(f"before: exact {told(net, checks)}", flush=True)
    step = 0
    while (elapsed := time.time() - start) < settings.seconds:
        share = elapsed / settings.seconds
        optimizer.param_groups[0]["lr"].fill_(learning_rate(settings, step, share))
        steps[random.choices(keys, weights=chances)[0]].run()
        step += 1
        if share > settings.ema_from and step % 4 == 0:
            now = [p.detach() for p in net.parameters()]
            if average is None:
                average = [p.clone() for p in now]
            torch._foreach_lerp_(average, now, 1 - settings.ema**4)
        if step % 50 == 0:
            torch.cuda.synchronize()
        if time.time() - last > settings.evaluate:
            last = time.time()
            losses = sum(float(s.loss) for s in steps.values()) / len(steps)
            print(f"{step} steps, {elapsed:.0f} s, loss {losses:.4f}, "
                  f"exact {told(net, checks)}", flush=True)  # fmt: skip
            keep()
    plain = told(net, checks)
    if average:
        for parameter, value in zip(net.parameters(), average):
            parameter.data.copy_(value)
    print(f"{step} steps in all, exact {plain}, averaged {told(net, checks)}", flush=True)
    if settings.blend:
        blend(net, start_state, checks)
    return step


def blend(net, before, checks):
    """What was learnt, and the mean of it and of where the run began: the better one stays."""
    after = {k: v.clone() for k, v in net.state_dict().items()}
    found = []
    for share in (1.0, 0.75, 0.5):
        net.load_state_dict({k: torch.lerp(before[k].float(), v.float(), share).to(v) for k, v in after.items()})
        exact = [exact_match(net, buckets) for buckets in checks.values()]
        print(f"{share} of it: {exact}", flush=True)
        found.append((sum(exact), share))
    best = max(found)[1]
    net.load_state_dict({k: torch.lerp(before[k].float(), v.float(), best).to(v) for k, v in after.items()})


def arrays(state):
    return {k: v.float().cpu().numpy() for k, v in state.items()}


def main():
    given, settings = arguments()
    random.seed(settings.seed)
    torch.manual_seed(settings.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    began = time.time()
    dump = read_dump(given.dump[0])
    training, apart, away = split(dump, settings)
    known, numbers = vectors.load(given.vectors) if given.vectors else ([], None)
    rows, trigrams, words = word_table(dump, training, settings, known)
    print(f"{len(training)} training, {[len(part) for part in apart.values()]} validation examples, {len(words)} words, "
          f"read in {time.time() - began:.0f} s", flush=True)  # fmt: skip
    buckets = batches.make_buckets(dump, training, "cuda")
    checks = {name: batches.make_buckets(dump, part, "cuda") for name, part in apart.items() if part}
    table = vector_table(words, known, numbers) if known else None
    net = Members(
        lambda share: Parser(settings, len(words), rows, trigrams, len(dump.header["relations"]),
                             dump.output_offset(), table, share), settings.members,
    ).cuda()  # fmt: skip
    lists = {k: dump.header[k] for k in ("keywords", "fixed", "relations", "types")} | {"words": words}
    if given.start and given.start.endswith(".dgw"):
        resume.load_weights(given.start, net, lists, rows_of, known)
    elif given.start:
        load_state(given.start, net, lists)
    renamer = None
    if settings.rename or settings.link_drop:
        renamer = Renamer(dump, known, numbers, settings, "cuda")
    millions = sum(p.numel() for p in net.parameters()) / 1e6
    print(f"{millions:.1f} M weights, {sum(map(len, buckets.values()))} examples in "
          f"{len(buckets)} shapes, ready after {time.time() - began:.0f} s", flush=True)  # fmt: skip
    steps = train(
        net, buckets, checks, settings, renamer, lambda: write_file(given, settings, dump, net, words, away, 0)
    )
    write_file(given, settings, dump, net, words, away, steps)
    save_state(given.out, settings.name, net, lists)


def write_file(given, settings, dump, net, words, away, steps):
    """The weights file, and beside it how it came about."""
    net.eval()
    first = net.members[0]
    state = arrays(first.w.folded(first.state_dict()))
    others = [arrays(net.own(i)) for i in range(1, settings.members)]
    net.train()
    header = {
        "members": settings.members,
        "d": settings.d, "heads": settings.heads, "encoder_layers": settings.encoder_layers,
        "decoder_layers": settings.decoder_layers, "ff": 4 * settings.d,
        "keywords": dump.header["keywords"], "fixed": dump.header["fixed"],
        "relations": dump.header["relations"], "types": dump.header["types"], "trigrams": settings.trigrams,
        "positions": POSITIONS, "max_words": dump.header["max_words"], "words": words,
        "card": vars(settings) | {"steps": steps, "held_out": sorted(away)},
    }  # fmt: skip
    export.write_weights(f"{given.out}/{settings.name}.dgw", state, header, members=others)
    with open(f"{given.out}/{settings.name}.json", "w") as file:
        json.dump(header["card"], file, indent=1)


if __name__ == "__main__":
    main()
