"""A verifier for a network that went on: python3 train/align.py BEFORE AFTER DUMP OUT [QUESTIONS]

The verifier reads what the network made of a question, and has learnt to read BEFORE. Where training went on from there,
AFTER says much the same in slightly other numbers. What the verifier
reads first, one linear layer, is fitted so that it hears from AFTER what it heard from BEFORE, on the first QUESTIONS of DUMP
(`dragoman features`); no answer is needed for that. OUT gets AFTER with the verifier of BEFORE and that layer.
"""

import sys

import torch

import batches
import export
from dump import read_dump
from verify import DEVICE, load_network

AT_ONCE = 64
RIDGE = 1e-3  # of the mean square: what both members say alike must not be told apart by large weights


def said_by(header, tensors, dump, examples):
    """[items, all members' d] of all questions, in order. What pads has the relation behind those that the file knows."""
    members = load_network(header, tensors, dump)
    buckets = batches.make_buckets(dump, examples, DEVICE, False, len(header["relations"]))
    parts = []
    with torch.no_grad():
        for bucket in buckets.values():
            for at in range(0, len(bucket), AT_ONCE):
                rows = slice(at, at + AT_ONCE)
                mask = bucket.mask[rows]
                given = (bucket.items[rows].long(), bucket.types[rows].long(), bucket.relations[rows], mask)
                with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):  # as the verifier was trained
                    said = torch.cat([net.encode(*given).float() for net in members], -1)
                parts.append(said[mask].cpu())
    return torch.cat(parts)


def fitted(heard, wanted):
    """weight, bias: heard @ weight.T + bias is nearest to wanted."""
    mean, aim = heard.mean(0), wanted.mean(0)
    heard, wanted = (heard - mean).double(), (wanted - aim).double()
    square = heard.t() @ heard
    square += RIDGE * square.diagonal().mean() * torch.eye(len(square), dtype=square.dtype)
    weight = torch.linalg.solve(square, heard.t() @ wanted).t().float()
    return weight, aim - weight @ mean


def with_verifier(header, payload, taken, said, heard):
    """AFTER with the verifier `taken`, which `said` (a header) describes; heard: its first layer."""
    changed = export.Payload()
    for entry in header["tensors"]:
        if not entry["name"].startswith("v."):
            export.copied(changed, payload, entry)
    for name, array in taken.items():
        array = heard.get(name, array)
        eight_bit = any(e["name"] == name and e["type"] == "i8" for e in said["tensors"])
        changed.add(name, array, eight_bit)
    about = {key: said[key] for key in ("verifier", "judged_by")}
    return header | about | {"tensors": changed.tensors}, bytes(changed.data)


def main(before, after, dumped, out, questions="600"):
    dump = read_dump(dumped)
    examples = [e for e in dump.examples if not e.history][: int(questions)]
    said, first_payload = export.read_file(before)
    header, payload = export.read_file(after)
    old, new = export.read_tensors(said, first_payload), export.read_tensors(header, payload)
    first, second = said_by(said, old, dump, examples), said_by(header, new, dump, examples)
    layer, shift = torch.from_numpy(old["v.memory.w"]), torch.from_numpy(old["v.memory.b"])
    wanted = first @ layer.t() + shift
    spread = (wanted - wanted.mean(0)).square().mean()
    print(f"{len(first)} items; left unsaid before fitting: {float((second @ layer.t() + shift - wanted).square().mean() / spread):.4f}")
    weight, bias = fitted(second, wanted)
    print(f"and after: {float((second @ weight.t() + bias - wanted).square().mean() / spread):.4f}")
    taken = {name: array for name, array in old.items() if name.startswith("v.")}
    heard = {"v.memory.w": weight.numpy(), "v.memory.b": bias.numpy()}
    export.write_file(out, *with_verifier(header, payload, taken, said, heard))


if __name__ == "__main__":
    main(*sys.argv[1:])
