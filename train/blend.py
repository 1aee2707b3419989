"""The mean of two weights files: python3 train/blend.py FIRST SECOND SHARE OUT

SHARE of the second's network goes into the first's; 1 takes it as it is. The words, the verifier and what is learnt
about choosing stay the first's: a word that the second does not have keeps its row. Only for runs of which one went on
from the other (train.py --start): means of networks that learnt apart say nothing.
"""

import sys

import numpy as np

import export

SAME = ("members", "d", "heads", "encoder_layers", "decoder_layers", "trigrams", "keywords", "fixed", "relations")


def runs_after(card):
    """Those that went on from the first run, one after the other."""
    then = card.get("then", [])
    return then if isinstance(then, list) else [then]


def blended(first, second, share):
    """Header and payload; first and second: what export.read_file gave."""
    (header, _), (other, _) = first, second
    apart = [key for key in SAME if header[key] != other[key]]
    if apart:
        raise SystemExit(f"the files differ in {', '.join(apart)}: no mean of them makes sense")
    old, new = export.read_tensors(*first), export.read_tensors(*second)
    place = {word: i + 2 for i, word in enumerate(other["words"])}
    row = np.array([0, 1] + [place.get(word, -1) for word in header["words"]])
    payload = export.Payload()
    for entry in header["tensors"]:
        name = entry["name"]
        mixed = old[name]
        if name == "w":
            mixed[row >= 0] = (1 - share) * mixed[row >= 0] + share * new[name][row[row >= 0]]
        elif not name.startswith("v."):
            mixed = (1 - share) * mixed + share * new[name]
        payload.add(name, mixed, entry["type"] == "i8")
    run = {k: v for k, v in other["card"].items() if k not in ("held_out", "then")} | {"share": share}
    card = header["card"] | {"then": runs_after(header["card"]) + [run]}
    return header | {"tensors": payload.tensors, "card": card}, bytes(payload.data)


def main(first, second, share, out):
    export.write_file(out, *blended(export.read_file(first), export.read_file(second), float(share)))


if __name__ == "__main__":
    main(*sys.argv[1:])
