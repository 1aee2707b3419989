"""Writes what the framework computes for one small network, for tests/unit/parser/test_network.c.

python3 train/reference.py FOLDER   (needs PyTorch; a CPU will do)
"""

import json
import sys
from types import SimpleNamespace

import numpy as np
import torch

import export
from model import POSITIONS, TRIGRAM_MOST, TYPES, Parser
from verifier import Verifier

KEYWORDS, FIXED, RELATIONS, WORDS, LENGTH = 9, 4, 7, 11, 13


def write_members(folder, state, header):
    """A network of two: the one, and one with the same words and its own numbers upside down."""
    own = {k: v for k, v in state.items() if k not in ("w.weight", "t.weight")}
    other = {k: v[::-1].copy() for k, v in own.items()}
    export.write_weights(f"{folder}/network-other.dgw", state | other, header, eight_bit=False)
    export.write_weights(f"{folder}/network-members.dgw", state, header | {"members": 2},
                         eight_bit=False, members={"m1.": other})  # fmt: skip


def write_verifier(folder, net, state, header, memory):
    """The network with a verifier, and what that says of two queries, the shorter one padded."""
    settings = SimpleNamespace(d=32, heads=2, layers=2, drop=0.0)
    outputs = KEYWORDS + FIXED
    mean, spread = torch.tensor([0.5, -1.0, 0.0, 2.0]), torch.tensor([1.0, 0.5, 2.0, 0.1])
    verifier = Verifier(settings, net.settings.d, outputs, mean, spread).eval()
    tokens = torch.tensor([[[3, outputs + 6, 5, outputs + 12, 10, 2], [4, outputs + 7, 2, -1, -1, -1]]])
    numbers = torch.tensor([[[0.1, -2.0, 3.0, 2.0], [1.0, 0.0, -1.0, 9.0]]])
    with torch.no_grad():
        for parameter in verifier.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.3)
        said = verifier(memory, torch.ones(1, LENGTH, dtype=torch.bool), tokens, numbers)
    path = f"{folder}/network-verifier.dgw"
    export.write_weights(path, state, header, eight_bit=False)
    export.add_verifier(path, {k: v.numpy() for k, v in verifier.state_dict().items()}, settings,
                        [f"n{i}" for i in range(len(mean))], eight_bit=False)  # fmt: skip
    reference = {"tokens": tokens[0].tolist(), "numbers": numbers[0].tolist(),
                 "said": np.round(said[0].numpy().astype(float), 6).tolist()}  # fmt: skip
    with open(f"{folder}/network-verifier.json", "w") as file:
        json.dump(reference, file)


def main(folder):
    torch.manual_seed(7)
    settings = SimpleNamespace(d=32, heads=4, encoder_layers=2, decoder_layers=2, drop=0.0,
                               trigrams=50, word_drop=0.0, own_drop=0.0, item_drop=0.0)  # fmt: skip
    rows = torch.arange(WORDS + 2)
    trigrams = torch.randint(0, 50, (WORDS + 2, TRIGRAM_MOST))
    trigrams[:, 6:] = 0
    trigrams[0] = 0
    net = Parser(settings, WORDS, rows, trigrams, RELATIONS, KEYWORDS + FIXED).eval()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.3)
        net.w.weight[0] = 0
        net.t.weight[0] = 0
    items = torch.zeros(1, LENGTH, 5, dtype=torch.long)
    for i in range(LENGTH):
        count = 1 + i % 5
        items[0, i, :count] = torch.randint(1, WORDS + 2, (count,))
    types = torch.arange(LENGTH)[None] % TYPES
    relations = torch.randint(0, RELATIONS, (1, LENGTH, LENGTH), dtype=torch.uint8)
    mask = torch.ones(1, LENGTH, dtype=torch.bool)
    pointable = (torch.arange(LENGTH) >= 5)[None]
    outputs = KEYWORDS + FIXED
    tokens = torch.tensor([[1, 3, outputs + 6, 5, outputs + 12, 10]])
    with torch.no_grad():
        hot = torch.nn.functional.one_hot(relations.long(), net.relations).float()
        x = net.embed(items, types)
        for layer in net.encoder:
            x = layer(x, ~mask[:, None, None, :], hot)
        memory = net.en(x)
        logs = net.decode(memory, mask, pointable, tokens).log_softmax(-1)
    state = {k: v.numpy() for k, v in net.state_dict().items()}
    header = {
        "d": 32, "heads": 4, "encoder_layers": 2, "decoder_layers": 2, "ff": 128,
        "keywords": [f"k{i}" for i in range(KEYWORDS)], "fixed": [f"f{i}" for i in range(FIXED)],
        "relations": [f"r{i}" for i in range(RELATIONS)], "trigrams": 50, "positions": POSITIONS,
        "max_words": 5, "words": [f"w{i}" for i in range(WORDS)], "card": {},
    }  # fmt: skip
    export.write_weights(f"{folder}/network.dgw", state, header, eight_bit=False)
    write_members(folder, state, header)
    write_verifier(folder, net, state, header, memory)
    reference = {
        "items": items[0].tolist(), "types": types[0].tolist(),
        "trigrams": trigrams.tolist(), "pointable": pointable[0].tolist(),
        "relations": relations[0].flatten().tolist(), "tokens": tokens[0].tolist(),
        "states": np.round(memory[0].flatten().numpy().astype(float), 6).tolist(),
        "logs": np.round(logs[0].flatten().numpy().astype(float), 6).tolist(),
    }  # fmt: skip
    with open(f"{folder}/network.json", "w") as file:
        json.dump(reference, file)


if __name__ == "__main__":
    main(sys.argv[1])
