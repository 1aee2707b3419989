"""Trains the verifier on a finished network: what tells a right query from a wrong one.

python3 train/verify.py --weights FILE --written CANDIDATES DUMP --made CANDIDATES DUMP
                        [--test NAME CANDIDATES DUMP …] [--write] [setting=value …]

CANDIDATES come from `dragoman eval --candidates`, DUMP from `dragoman features` on their queries (candidates.py).
The network is not changed, and must not have seen the databases: else all it thinks of them would be too sure.
--write puts the verifier into the weights file.
"""

import argparse
import json
import math
import random
import time
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn.functional as F

import batches
import export
from candidates import MOST, candidates_of
from dump import read_dump
from model import TRIGRAM_MOST, Parser
from verifier import Verifier

DEFAULTS = dict(
    d=128, heads=4, layers=2, drop=0.2, lr=1e-3, weight_decay=0.05, seconds=80.0, seed=0, questions=96,
    warmup=300, pointwise=0.5, written=0.5,
)  # fmt: skip
TARGETS = (20, 32, 56, 100)
END = 2


def load_network(header, tensors, dump, device="cuda"):
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
    for number in range(header.get("members", 1)):
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
    mask: torch.Tensor  # [n, length]
    tokens: torch.Tensor  # [n, MOST, targets], -1 after the end
    there: torch.Tensor  # [n, MOST]
    right: torch.Tensor  # [n, MOST]
    result: torch.Tensor  # [n, MOST]: the same for the same rows
    numbers: torch.Tensor  # [n, MOST, numbers]

    def __len__(self):
        return len(self.mask)


def read_questions(path, dump, numbers):
    """[(example, [(tokens or None, candidate)])] of questions with an answer that says something."""
    by_number = {example.number: example for example in dump.examples}
    out, number = [], 0
    for line in open(path, encoding="utf-8"):
        found = candidates_of(json.loads(line))
        examples = [by_number.get(number + i) for i in range(len(found))]
        number += len(found)
        first = next((e for e in examples if e is not None), None)
        if first is None or any(c["right"] and c["empty"] for c in found):
            continue  # nothing equals nothing: that does not say what is right
        read = [e.target if e and e.target is not None and not e.missing else None for e in examples]
        out.append((first, [(t if t is not None and len(t) < TARGETS[-1] else None, c) for t, c in zip(read, found)]))
    return out


def shapes_of(dump, asked):
    shapes = {}
    for i, (example, found) in enumerate(asked):
        longest = max(len(tokens) + 1 if tokens is not None else 1 for tokens, _ in found)
        key = (
            batches.least_that_fits(batches.LENGTHS, batches.length_of(dump, example)),
            batches.least_that_fits(TARGETS, longest),
        )
        if None not in key:
            shapes.setdefault(key, []).append(i)
    return sorted(shapes.items())


@torch.no_grad()
def encoded(members, bucket):
    parts = []
    for at in range(0, len(bucket), 512):
        rows = slice(at, at + 512)
        given = (bucket.items[rows].long(), bucket.types[rows].long(), bucket.relations[rows], bucket.mask[rows])
        with torch.autocast("cuda", torch.bfloat16):
            parts.append(torch.cat([net.encode(*given).bfloat16() for net in members], -1))
    return torch.cat(parts)


def make_group(members, dump, asked, length, targets, numbers):
    bucket = batches.make_bucket(dump, [e for e, _ in asked], list(range(len(asked))), length, TARGETS[-1],
                                 len(dump.header["relations"]), "cuda")  # fmt: skip
    count = len(asked)
    tokens = torch.full((count, MOST, targets), -1, dtype=torch.long)
    there, right = torch.zeros(count, MOST, dtype=torch.bool), torch.zeros(count, MOST)
    result, seen = torch.zeros(count, MOST, dtype=torch.long), torch.zeros(count, MOST, len(numbers))
    for row, (_, found) in enumerate(asked):
        for i, (target, candidate) in enumerate(found):
            there[row, i], right[row, i], result[row, i] = True, float(candidate["right"]), candidate["group"]
            seen[row, i] = torch.tensor([candidate["numbers"][n] for n in numbers])
            if target is not None:
                tokens[row, i, : len(target)] = torch.from_numpy(target.astype(np.int64))
                tokens[row, i, len(target)] = END
    return Group(encoded(members, bucket), bucket.mask, *(t.cuda() for t in (tokens, there, right, result, seen)))


def read_groups(weights, paths, numbers):
    header, tensors = weights
    candidates, dumped = paths
    dump = read_dump(dumped)
    members = load_network(header, tensors, dump)
    asked = read_questions(candidates, dump, numbers)
    groups = []
    for (length, targets), indices in shapes_of(dump, asked):
        for at in range(0, len(indices), 4096):
            part = [asked[i] for i in indices[at : at + 4096]]
            groups.append(make_group(members, dump, part, length, targets, numbers))
    print(f"{candidates}: {len(asked)} questions", flush=True)
    return groups


def loss_of(said, group, rows, settings):
    """To take a right one among several, and to know of each whether it is right."""
    there, right = group.there[rows], group.right[rows]
    logs = said[..., 0].masked_fill(~there, -1e4).log_softmax(-1)
    choice = (right.sum(-1) > 0) & (right.sum(-1) < there.sum(-1))
    taken = logs.masked_fill(right == 0, -1e4).logsumexp(-1)
    listwise = -(taken * choice).sum() / choice.sum().clamp(min=1)
    each = F.binary_cross_entropy_with_logits(said[..., 1], right, reduction="none")
    return listwise + settings.pointwise * (each * there).sum() / there.sum()


def say(net, group, rows):
    with torch.autocast("cuda", torch.bfloat16):
        return net(group.memory[rows], group.mask[rows], group.tokens[rows], group.numbers[rows])


def train(net, sets, settings):
    """sets: groups of the written questions, groups of the made ones."""
    optimizer = torch.optim.AdamW(net.parameters(), lr=settings.lr, betas=(0.9, 0.98),
                                  weight_decay=settings.weight_decay, fused=True)  # fmt: skip
    shares = (settings.written, 1 - settings.written)
    groups = [(g, share * len(g) / sum(map(len, part))) for share, part in zip(shares, sets) for g in part]
    average, step, start = None, 0, time.time()
    while (share := (time.time() - start) / settings.seconds) < 1:
        rate = min(1, (step + 1) / settings.warmup) * (0.49 * (1 + math.cos(math.pi * share)) + 0.02)
        optimizer.param_groups[0]["lr"] = settings.lr * rate
        group = random.choices(groups, [w for _, w in groups])[0][0]
        rows = torch.randint(len(group), (settings.questions,), device="cuda")
        loss = loss_of(say(net, group, rows), group, rows, settings)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        step += 1
        if share > 0.5 and step % 4 == 0:
            now = [p.detach() for p in net.parameters()]
            average = average or [p.clone() for p in now]
            torch._foreach_lerp_(average, now, 0.004)
    for parameter, value in zip(net.parameters(), average):
        parameter.data.copy_(value)
    print(f"{step} steps, loss {float(loss.detach()):.3f}", flush=True)


@torch.no_grad()
def report(name, net, groups, likely):
    """likely: where the network's own log-probability stands among the numbers."""
    first = chosen = best = total = 0
    for group in groups:
        for at in range(0, len(group), 256):
            rows = torch.arange(at, min(at + 256, len(group)), device="cuda")
            score = 0.5 * say(net, group, rows)[..., 0] + 0.5 * group.numbers[rows][..., likely]
            share = score.masked_fill(~group.there[rows], -1e4).softmax(-1)
            same = group.result[rows][:, :, None] == group.result[rows][:, None, :]
            weight = (share[:, None, :] * same).sum(-1).masked_fill(~group.there[rows], -1)
            right = group.right[rows]
            first += right[:, 0].sum()
            chosen += right.gather(1, weight.argmax(-1, keepdim=True)).sum()
            best += right.amax(-1).sum()
            total += len(rows)
    print(f"{name}: {total} questions, right: first of the beam {first / total:.1%}, "
          f"chosen {chosen / total:.1%}, best {best / total:.1%}", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True)
    parser.add_argument("--written", nargs=2, required=True)
    parser.add_argument("--made", nargs=2, required=True)
    parser.add_argument("--test", nargs=3, action="append", default=[])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("settings", nargs="*")
    given = parser.parse_args()
    settings = dict(DEFAULTS)
    for text in given.settings:
        key, value = text.split("=", 1)
        settings[key] = type(DEFAULTS[key])(value)
    settings = SimpleNamespace(**settings)
    random.seed(settings.seed)
    torch.manual_seed(settings.seed)
    header, payload = export.read_file(given.weights)
    weights = header, export.read_tensors(header, payload)
    with open(given.written[0], encoding="utf-8") as file:
        numbers = [n for n in json.loads(file.readline())["candidates"][0]["numbers"]
                   if n not in ("verified", "believed")]  # fmt: skip
    sets = [read_groups(weights, paths, numbers) for paths in (given.written, given.made)]
    seen = torch.cat([g.numbers[g.there] for part in sets for g in part])
    outputs = len(header["keywords"]) + len(header["fixed"])
    wide = header["d"] * header.get("members", 1)
    net = Verifier(settings, wide, outputs, seen.mean(0), seen.std(0) + 1e-3).cuda()
    train(net, sets, settings)
    net.eval()
    for name, *paths in given.test:
        report(name, net, read_groups(weights, paths, numbers), numbers.index("log_probability"))
    if given.write:
        state = {k: v.float().cpu().numpy() for k, v in net.state_dict().items()}
        export.add_verifier(given.weights, state, settings, numbers)


if __name__ == "__main__":
    main()
