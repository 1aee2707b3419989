"""Trains the verifier on a finished network: what tells a right query from a wrong one.

python3 train/verify.py groups --weights FILE --packs DIR NAME …       what the network makes of the questions: DIR/NAME.groups
python3 train/verify.py train --weights FILE --packs DIR --learn NAME:SHARE[:NETWORK] … [--test NAME …]
                              [--out FILE] [--write] [setting=value …]

DIR/NAME.dump comes from `dragoman features` on the questions, DIR/NAME.*.npz from `candidates.py pack`, whose files end in the
number of their first question. The network is not changed, and must not have seen the databases: else all it thinks of
them would be too sure. Where an earlier network made the candidates for schemas that a later one has seen, `:1` says so: the
verifier hears from each through a layer of its own, and only that of network 0 is written. --write puts the
verifier into the weights file, --out what it is and what it said of the tests into a file of its own.
"""

import argparse
import math
import random
import sys
import time
from dataclasses import dataclass, fields
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn.functional as F

import batches
import export
from candidates import MOST
from dump import read_dump
from model import TRIGRAM_MOST, Parser
from verifier import Judge

DEFAULTS = dict(
    d=128, heads=4, layers=2, drop=0.2, lr=1e-3, weight_decay=0.05, seconds=120.0, seed=0, questions=96, seen=14,
    warmup=300, pointwise=0.5, residual=1.0, without="", begin=0, own=0, own_lr=0.1,
)  # fmt: skip
TARGETS = (20, 32, 56, 100)
END = 2
LATER = ("verified", "believed")
# what is known since the verifier reads results; `without=results` leaves it out
RESULTS = ("not_run", "no_row", "one_row", "one_zero", "many_rows", "null_share", "null_columns", "constant_columns",
           "repeated_rows", "negatives", "text_columns", "number_columns", "date_columns", "whole_table", "number_asked",
           "name_asked", "date_asked", "one_asked", "many_asked", "rows_asked", "shape_share", "rows_share",
           "things_share", "others_empty")  # fmt: skip
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def load_network(header, tensors, dump, device=DEVICE, most=99):
    """The members of a weights file, for the words of this dump."""
    place = {word: i + 2 for i, word in enumerate(header["words"])}
    rows = torch.tensor([0] + [place.get(word, 1) for word in dump.words[1:]])
    trigrams = torch.zeros(len(dump.words), TRIGRAM_MOST, dtype=torch.long)
    for i, ids in enumerate(dump.trigrams):
        folded = [(int(x) - 1) % (header["trigrams"] - 1) + 1 for x in ids]
        trigrams[i, : len(ids)] = torch.tensor(folded, dtype=torch.long)
    shape = SimpleNamespace(**{k: header[k] for k in ("d", "heads", "encoder_layers", "decoder_layers", "trigrams")},
                            types=len(tensors["ty"]), drop=0.0, own_drop=0.0, word_drop=0.0, item_drop=0.0)  # fmt: skip
    members = []
    for number in range(min(most, header.get("members", 1))):
        net = Parser(shape, len(header["words"]), rows, trigrams, len(header["relations"]),
                     dump.output_offset(), None, members[0] if members else None)  # fmt: skip
        state = net.state_dict()
        for key in [k for k in state if number == 0 or not k.startswith(("w.", "t."))]:
            name = (f"m{number}." if number else "") + export.names_of(key)
            state[key].copy_(torch.from_numpy(tensors[name]).view_as(state[key]))
        net.load_state_dict(state)
        members.append(net.to(device).eval().requires_grad_(False))
    return members


@dataclass
class Group:
    """Questions of like length, as the network sees them, with their candidates."""

    memory: torch.Tensor  # [n, length, all members' d]
    items: torch.Tensor  # [n, length, d]: as embedded; for an encoder of the verifier's own
    relations: torch.Tensor  # [n, length, length]
    mask: torch.Tensor  # [n, length]
    tokens: torch.Tensor  # [n, MOST, targets], -1 after the end
    there: torch.Tensor  # [n, MOST]
    right: torch.Tensor  # [n, MOST]
    result: torch.Tensor  # [n, MOST]: the same for the same rows
    numbers: torch.Tensor  # [n, MOST, numbers]
    number: torch.Tensor  # [n]: of the question in its list

    def __len__(self):
        return len(self.mask)

    def on(self, device, own=False):
        """On the device, without what only a verifier with an encoder of its own reads, or only one without."""
        left_out = ("memory",) if own else ("items", "relations")
        return Group(*(getattr(self, f.name) if f.name in left_out else getattr(self, f.name).to(device) for f in fields(self)))


def read_packs(packs, name):
    """All candidates, as one pack with the questions' own numbers; the names of their numbers."""
    parts, names = [], None
    for path in sorted(Path(packs).glob(f"{name}.*.npz")):
        part = dict(np.load(path))
        found = [str(n) for n in part.pop("names")]
        if len(found):
            names = names or found
            part["question"] = part["question"] + int(path.name.split(".")[-2])
            parts.append(part)
    return {key: np.concatenate([p[key] for p in parts]) for key in parts[0]}, names


def read_questions(dump, pack):
    """[(example, rows of the pack, first tokens of each)] of questions with an answer that says something."""
    by_number = {example.number: example for example in dump.examples}
    ends = np.cumsum(pack["length"].astype(np.int64))
    cuts = np.flatnonzero(np.diff(pack["question"], prepend=-1))
    out, odd = [], 0
    for first, last in zip(cuts, np.append(cuts[1:], len(ends))):
        rows = np.arange(first, last)
        example = by_number.get(int(pack["question"][first]))
        if example is None or (pack["right"][rows] & pack["empty"][rows]).any():
            continue  # nothing equals nothing: that does not say what is right
        most = dump.output_offset() + batches.length_of(dump, example)
        if any(pack["tokens"][ends[r] - pack["length"][r] : ends[r]].max(initial=0) >= most for r in rows):
            odd += 1  # what was read then is not what is read now
            continue
        out.append((example, rows, ends[rows] - pack["length"][rows]))
    return out, odd


def shapes_of(dump, asked, pack):
    shapes = {}
    for i, (example, rows, _) in enumerate(asked):
        length = pack["length"][rows]
        longest = int(length[length < TARGETS[-1]].max(initial=0)) + 1
        key = (
            batches.least_that_fits(batches.LENGTHS, batches.length_of(dump, example)),
            batches.least_that_fits(TARGETS, longest),
        )
        if None not in key:
            shapes.setdefault(key, []).append(i)
    return sorted(shapes.items())


@torch.no_grad()
def encoded(members, bucket):
    memory, items = [], []
    for at in range(0, len(bucket), 256):
        rows = slice(at, at + 256)
        given = (bucket.items[rows].long(), bucket.types[rows].long(), bucket.relations[rows], bucket.mask[rows])
        with torch.autocast(DEVICE, torch.bfloat16):
            memory.append(torch.cat([net.encode(*given).bfloat16() for net in members], -1).cpu())
            items.append(members[0].embed(*given[:2]).bfloat16().cpu())
    return torch.cat(memory), torch.cat(items)


def make_group(members, relations, dump, asked, pack, length, targets):
    examples = [example for example, _, _ in asked]
    bucket = batches.make_bucket(dump, examples, list(range(len(asked))), length, TARGETS[-1], relations, DEVICE)
    count, numbers = len(asked), pack["numbers"].shape[1]
    tokens = np.full((count, MOST, targets), -1, np.int16)
    there, right = np.zeros((count, MOST), bool), np.zeros((count, MOST), np.float32)
    result, seen = np.zeros((count, MOST), np.int16), np.zeros((count, MOST, numbers), np.float32)
    for row, (_, rows, starts) in enumerate(asked):
        there[row, : len(rows)] = True
        right[row, : len(rows)] = pack["right"][rows]
        result[row, : len(rows)] = pack["group"][rows]
        seen[row, : len(rows)] = pack["numbers"][rows]
        for i, (at, start) in enumerate(zip(rows, starts)):
            said = pack["tokens"][start : start + pack["length"][at]]
            if len(said) < targets and (said >= 0).all():
                tokens[row, i, : len(said)] = said
                tokens[row, i, len(said)] = END
    memory, items = encoded(members, bucket)
    number = torch.tensor([example.number for example in examples])
    return Group(memory, items, bucket.relations.cpu(), bucket.mask.cpu(), torch.from_numpy(tokens),
                 torch.from_numpy(there), torch.from_numpy(right), torch.from_numpy(result), torch.from_numpy(seen),
                 number)  # fmt: skip


def write_groups(weights, packs, name):
    header, payload = export.read_file(weights)
    # a test in several widths has one dump
    dump = read_dump(Path(packs) / f"{name.split('-w')[0]}.dump")
    members = load_network(header, export.read_tensors(header, payload), dump)
    pack, names = read_packs(packs, name)
    asked, odd = read_questions(dump, pack)
    groups = []
    for (length, targets), indices in shapes_of(dump, asked, pack):
        for at in range(0, len(indices), 2048):
            part = [asked[i] for i in indices[at : at + 2048]]
            groups.append(make_group(members, len(header["relations"]), dump, part, pack, length, targets))
    torch.save({"names": names, "groups": [[getattr(g, f.name) for f in fields(Group)] for g in groups]},
               Path(packs) / f"{name}.groups")  # fmt: skip
    print(f"{name}: {len(asked)} questions with {len(pack['right'])} candidates, {odd} read otherwise now", flush=True)


def read_groups(packs, name):
    # what is not looked at need not be read
    mapped = {"mmap": True} if int(torch.__version__.split(".")[0]) > 1 else {}
    saved = torch.load(Path(packs) / f"{name}.groups", **mapped)
    return [Group(*tensors) for tensors in saved["groups"]], saved["names"]


def picked(group, rows, most, training):
    """Some of each question's candidates, more often its first ones; all of them when not training."""
    there = group.there[rows]
    if training:
        place = torch.arange(there.shape[1], device=there.device) + 2
        key = torch.rand(there.shape, device=there.device) * place
        index = key.masked_fill(~there, 1e9).topk(min(most, there.shape[1]), largest=False).indices
    else:
        index = torch.arange(there.shape[1], device=there.device).expand(len(rows), -1)
    tokens = group.tokens[rows].long()
    return SimpleNamespace(
        tokens=tokens.gather(1, index[..., None].expand(-1, -1, tokens.shape[-1])),
        numbers=group.numbers[rows].gather(1, index[..., None].expand(-1, -1, group.numbers.shape[-1])),
        there=there.gather(1, index), right=group.right[rows].gather(1, index), result=group.result[rows].gather(1, index),
    )  # fmt: skip


def say(net, group, rows, some, network=0):
    with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        return net(group, rows, some.tokens, some.numbers, network)


def loss_of(said, some, likely, settings):
    """To take a right one among several, and to know of each whether it is right."""
    there, right = some.there, some.right * some.there
    score = said[..., 0]
    if settings.residual:
        score = 0.5 * score + 0.5 * some.numbers[..., likely]
    logs = score.masked_fill(~there, -1e4).log_softmax(-1)
    choice = (right.sum(-1) > 0) & (right.sum(-1) < there.sum(-1))
    taken = logs.masked_fill(right == 0, -1e4).logsumexp(-1)
    listwise = -(taken * choice).sum() / choice.sum().clamp(min=1)
    each = F.binary_cross_entropy_with_logits(said[..., 1], right, reduction="none")
    return listwise + settings.pointwise * (each * there).sum() / there.sum()


def train(net, sets, likely, settings):
    """sets: (groups, share, network that made them)."""
    slow, fast = net.parameters_by_speed()
    optimizer = torch.optim.AdamW([{"params": fast, "speed": 1.0}] + ([{"params": slow, "speed": settings.own_lr}] if slow else []),
                                  lr=settings.lr, betas=(0.9, 0.98), weight_decay=settings.weight_decay)  # fmt: skip
    groups = [(g, share * len(g) / sum(map(len, part)), network) for part, share, network in sets for g in part]
    weights = [w for _, w, _ in groups]
    average, step, start, told = None, 0, time.time(), 0.0
    net.train()
    while (share := (time.time() - start) / settings.seconds) < 1:
        rate = min(1, (step + 1) / settings.warmup) * (0.49 * (1 + math.cos(math.pi * share)) + 0.02)
        for part in optimizer.param_groups:
            part["lr"] = settings.lr * rate * part["speed"]
        group, _, network = random.choices(groups, weights)[0]
        rows = torch.randint(len(group), (settings.questions,), device=DEVICE)
        some = picked(group, rows, settings.seen, True)
        loss = loss_of(say(net, group, rows, some, network), some, likely, settings)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        step += 1
        told += 0.01 * (float(loss.detach()) - told) if step % 20 == 0 else 0
        if share > 0.5 and step % 4 == 0:
            now = [p.detach() for p in net.parameters()]
            average = average or [p.clone() for p in now]
            for old, new in zip(average, now):
                old.lerp_(new, 0.004)
    for parameter, value in zip(net.parameters(), average or net.parameters()):
        parameter.data.copy_(value)
    print(f"{step} steps, loss about {told:.3f}", flush=True)
    return step


@torch.no_grad()
def said_of(net, groups, settings):
    """What the verifier says of each candidate of a test, with all that is needed to choose."""
    parts = []
    net.eval()
    for group in groups:
        group = group.on(DEVICE, settings.own)
        for at in range(0, len(group), 128):
            rows = torch.arange(at, min(at + 128, len(group)), device=DEVICE)
            some = picked(group, rows, MOST, False)
            said = say(net, group, rows, some)
            parts.append((group.number[rows], said, some.there, some.right, some.result, some.numbers))
    return [torch.cat([p[i].float() if i else p[i] for p in parts]).cpu().numpy() for i in range(6)]


def chosen(score, there, right, result):
    """How often the best result's first candidate is right, as parser.c chooses."""
    score = np.where(there > 0, score, -1e4)
    share = np.exp(score - score.max(-1, keepdims=True))
    same = result[:, :, None] == result[:, None, :]
    weight = np.where(there > 0, (share[:, None, :] * same).sum(-1), -1)
    return right[np.arange(len(right)), weight.argmax(-1)].mean()


def report(name, test, names):
    _, said, there, right, result, numbers = test
    at = {n: numbers[..., i] for i, n in enumerate(names)}
    missed = at["missed_partial"] + at["silent_words"]
    half = 0.5 * at["log_probability"] + 0.5 * said[..., 0]
    ways = {"old": 0.5 * at["log_probability"] + 0.5 * at["verified"] - missed, "new": half, "new, missed words": half - missed,
            "new alone": said[..., 0], "by belief": said[..., 1]}  # fmt: skip
    figures = ", ".join(f"{way} {chosen(score, there, right, result):.1%}" for way, score in ways.items())
    print(f"{name}: {len(right)} questions; first {right[:, 0].mean():.1%}, {figures}, "
          f"best {(right * there).max(-1).mean():.1%}", flush=True)  # fmt: skip


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("groups", "train"))
    parser.add_argument("--weights", required=True)
    parser.add_argument("--begin-from", help="a weights file whose first member the verifier begins as")
    parser.add_argument("--packs", required=True)
    parser.add_argument("--learn", action="append", default=[])
    parser.add_argument("--test", action="append", default=[])
    parser.add_argument("--out")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("rest", nargs="*", help="groups: names; train: settings")
    return parser.parse_intermixed_args()


def settings_of(texts):
    settings = dict(DEFAULTS)
    for text in texts:
        key, value = text.split("=", 1)
        settings[key] = type(DEFAULTS[key])(value)
    return SimpleNamespace(**settings)


def read_sets(given, own):
    sets, names = [], None
    for text in given.learn:
        name, share, network = (text.split(":") + ["0"])[:3]
        groups, names = read_groups(given.packs, name)
        sets.append(([g.on(DEVICE, own) for g in groups], float(share), int(network)))
    return sets, names


def write_results(path, net, settings, numbers, tests, names):
    """The verifier, and what it said of the tests, without what the packs have anyway."""
    saved = {f"net.{k}": v.float().cpu().numpy().astype(np.float16) for k, v in net.state_dict().items()}
    for name, test in tests.items():
        saved[f"said.{name}"], saved[f"number.{name}"] = test[1].astype(np.float16), test[0]
    np.savez_compressed(path, settings=np.array(repr(vars(settings))), numbers=np.array(numbers), **saved)


def main():
    given = parse_arguments()
    if given.what == "groups":
        for name in given.rest:
            write_groups(given.weights, given.packs, name)
        return
    settings = settings_of(given.rest)
    random.seed(settings.seed)
    torch.manual_seed(settings.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    header, payload = export.read_file(given.weights)
    tensors = export.read_tensors(header, payload)
    begin = export.read_tensors(*export.read_file(given.begin_from)) if given.begin_from else tensors
    sets, names = read_sets(given, settings.own)
    left_out = set(LATER) | (set(RESULTS) if settings.without == "results" else set(settings.without.split(",")))
    numbers = [n for n in names if n not in left_out]
    seen = torch.cat([g.numbers[g.there] for part, _, _ in sets for g in part])
    net = Judge(settings, header, begin, [names.index(n) for n in numbers], seen.mean(0), seen.std(0) + 1e-3,
                1 + max(network for _, _, network in sets)).to(DEVICE)  # fmt: skip
    print(f"{sum(p.numel() for p in net.parameters())} weights; {sys.argv}", flush=True)
    train(net, sets, names.index("log_probability"), settings)
    tests = {}
    for name in given.test:
        groups, tested = read_groups(given.packs, name)
        tests[name] = said_of(net, groups, settings)
        report(name, tests[name], tested)
    if given.out:
        write_results(given.out, net, settings, numbers, tests, names)
    if given.write:
        export.add_verifier(given.weights, net.written(), settings, numbers)


if __name__ == "__main__":
    main()
