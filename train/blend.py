"""The mean of two weights files: python3 train/blend.py FIRST SECOND SHARE OUT

SHARE of the second's network goes into the first's; 1 takes it as it is. The verifier and what is learnt about choosing
stay the first's, and a word that the second does not have keeps its row. Words, relations and types that only the second
has come with it, and so do members for later turns that the first lacks. Only for runs of which one went on from the other (train.py --start): means of networks that learnt apart
say nothing.
"""

import sys

import numpy as np

import export

SAME = ("members", "d", "heads", "encoder_layers", "decoder_layers", "trigrams", "keywords", "fixed")
TAKEN = ("relations", "types", "talk_members", "talk_relations")  # as the second has them


def runs_after(card):
    """Those that went on from the first run, one after the other."""
    then = card.get("then", [])
    return then if isinstance(then, list) else [then]


def longer(old, new):
    """Rows that only the new one has at its end, taken over."""
    return np.concatenate([old, new[len(old) :]]) if len(new) > len(old) else old


def with_padding_last(array, count):
    """As many relations as `count` before the last row, which pads: new ones stand between."""
    return np.concatenate([array[:-1], np.zeros((count + 1 - len(array), *array.shape[1:]), array.dtype), array[-1:]])


def mixed_rows(name, old, new, share):
    """Rows of relations and types: those of both are mixed, those of the second alone are its own."""
    relations = name.rsplit(".", 1)[-1] in ("rk", "rv", "rb")
    known = len(old) - relations
    out = with_padding_last(old, len(new) - 1) if relations else longer(old, new)
    out[known : len(new) - relations] = new[known : len(new) - relations]
    out[:known] = (1 - share) * out[:known] + share * new[:known]
    return out


def blended(first, second, share):
    """Header and payload; first and second: what export.read_file gave."""
    (header, _), (other, _) = first, second
    apart = [key for key in SAME if header[key] != other[key]]
    if other["relations"][: len(header["relations"])] != header["relations"]:
        apart.append("relations")
    if apart:
        raise SystemExit(f"the files differ in {', '.join(apart)}: no mean of them makes sense")
    old, new = export.read_tensors(*first), export.read_tensors(*second)
    place = {word: i + 2 for i, word in enumerate(other["words"])}
    met = set(header["words"])
    words = header["words"] + [word for word in other["words"] if word not in met]
    row = np.array([0, 1] + [place.get(word, -1) for word in words])
    known = len(header["words"]) + 2
    wide = set(header.pop("widened", []))  # words that only the second has learnt to say (widen.py) are its own
    fresh = [i for i, word in enumerate(header["keywords"] + header["fixed"]) if word in wide]
    payload = export.Payload()
    for entry in header["tensors"]:
        name = entry["name"]
        mixed = old[name]
        if name == "w":
            mixed = np.concatenate([mixed, new[name][row[known:]]])
            both = np.flatnonzero(row[:known] >= 0)
            mixed[both] = (1 - share) * mixed[both] + share * new[name][row[both]]
        elif name not in new:
            pass  # the verifier, and members that did not go on
        elif name.rsplit(".", 1)[-1] in ("rk", "rv", "rb", "ty"):
            mixed = mixed_rows(name, mixed, new[name], share)
        elif not name.startswith("v."):
            mixed = (1 - share) * mixed + share * new[name]
            if fresh and (name.rsplit(".", 1)[-1] == "k" or ".ok." in f".{name}"):
                mixed[fresh] = new[name][fresh]
        payload.add(name, mixed, entry["type"] == "i8")
    for entry in other["tensors"]:
        if entry["name"] not in old and not entry["name"].startswith("v."):
            payload.add(entry["name"], new[entry["name"]], entry["type"] == "i8")
    run = {k: v for k, v in other["card"].items() if k not in ("held_out", "then")} | {"share": share}
    card = header["card"] | {"then": runs_after(header["card"]) + [run]}
    lists = {key: other[key] for key in TAKEN if key in other} | {"words": words}
    return header | lists | {"tensors": payload.tensors, "card": card}, bytes(payload.data)


def main(first, second, share, out):
    export.write_file(out, *blended(export.read_file(first), export.read_file(second), float(share)))


if __name__ == "__main__":
    main(*sys.argv[1:])
