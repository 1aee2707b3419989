"""A verifier for a network that went on: python3 train/align.py BEFORE AFTER DUMP OUT [QUESTIONS]

The verifier reads what the network made of a question, and has learnt to read BEFORE. Where training went on from there,
AFTER (what blend.py made of both, with the verifier of BEFORE) says much the same in slightly other numbers. What the verifier
reads first, one linear layer, is fitted so that it hears from AFTER what it heard from BEFORE, on the first QUESTIONS of DUMP
(`dragoman features`); no answer is needed for that. OUT gets AFTER with that layer.
"""

import sys

import torch

import batches
import export
from dump import read_dump
from verify import load_network

AT_ONCE = 64
RIDGE = 1e-3  # of the mean square: what both members say alike must not be told apart by large weights


def said_by(path, dump, buckets):
    """[items, all members' d] of all questions, in order."""
    header, payload = export.read_file(path)
    members = load_network(header, export.read_tensors(header, payload), dump, "cpu")
    parts = []
    with torch.no_grad():
        for bucket in buckets.values():
            for at in range(0, len(bucket), AT_ONCE):
                rows = slice(at, at + AT_ONCE)
                mask = bucket.mask[rows]
                given = (bucket.items[rows].long(), bucket.types[rows].long(), bucket.relations[rows], mask)
                parts.append(torch.cat([net.encode(*given).float() for net in members], -1)[mask])
    return torch.cat(parts)


def fitted(heard, wanted):
    """weight, bias: heard @ weight.T + bias is nearest to wanted."""
    mean, aim = heard.mean(0), wanted.mean(0)
    heard, wanted = (heard - mean).double(), (wanted - aim).double()
    square = heard.t() @ heard
    square += RIDGE * square.diagonal().mean() * torch.eye(len(square), dtype=square.dtype)
    weight = torch.linalg.solve(square, heard.t() @ wanted).t().float()
    return weight, aim - weight @ mean


def main(before, after, dumped, out, questions="600"):
    dump = read_dump(dumped)
    buckets = batches.make_buckets(dump, dump.examples[: int(questions)], "cpu")
    first, second = said_by(before, dump, buckets), said_by(after, dump, buckets)
    header, payload = export.read_file(after)
    tensors = export.read_tensors(header, payload)
    old, shift = torch.from_numpy(tensors["v.memory.w"]), torch.from_numpy(tensors["v.memory.b"])
    wanted = first @ old.t() + shift
    spread = (wanted - wanted.mean(0)).square().mean()
    print(f"{len(first)} items; left unsaid before fitting: {float((second @ old.t() + shift - wanted).square().mean() / spread):.4f}")
    weight, bias = fitted(second, wanted)
    print(f"and after: {float((second @ weight.t() + bias - wanted).square().mean() / spread):.4f}")
    changed = export.Payload()
    for entry in header["tensors"]:
        name = entry["name"]
        array = {"v.memory.w": weight.numpy(), "v.memory.b": bias.numpy()}.get(name, tensors[name])
        changed.add(name, array, entry["type"] == "i8")
    export.write_file(out, header | {"tensors": changed.tensors}, bytes(changed.data))


if __name__ == "__main__":
    main(*sys.argv[1:])
