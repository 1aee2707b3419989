"""Members for later turns: python3 train/talking.py FIRST SECOND NUMBER OUT

SECOND went on from FIRST (train.py --start) with conversations in its data, and reads what was said before. OUT is FIRST, which
answers first turns as it did, with one more member: NUMBER (0, 1 …) of SECOND, for later turns alone. It reads FIRST's words;
the marks of its own input (`@select`, `#before`) come with it.
"""

import sys

import numpy as np

import export


def member_tensors(header, number):
    """(name without its member, entry) of one member's own tensors."""
    prefix = f"m{number}." if number else ""
    for entry in header["tensors"]:
        name = entry["name"]
        if name in ("w", "t") or name.startswith("v."):
            continue
        own = name.startswith(prefix) if number else not (name[0] == "m" and name[1].isdigit())
        if own:
            yield name[len(prefix) :], entry


def joined(first, second, number):
    """Header and payload; first and second: what export.read_file gave."""
    (header, _), (other, _) = first, second
    old, new = export.read_tensors(*first), export.read_tensors(*second)
    met, place = set(header["words"]), {word: i + 2 for i, word in enumerate(other["words"])}
    marks = [word for word in other["words"] if word not in met and word[0] in "@#"]
    payload = export.Payload()
    for entry in header["tensors"]:
        array = old[entry["name"]]
        if entry["name"] == "w" and marks:
            array = np.concatenate([array, np.stack([new["w"][place[word]] for word in marks])])
        payload.add(entry["name"], array, entry["type"] == "i8")
    for name, entry in member_tensors(other, number):
        payload.add(f"h0.{name}", new[entry["name"]], entry["type"] == "i8")
    run = {k: v for k, v in other["card"].items() if k not in ("held_out", "then")} | {"member": number}
    said = {"tensors": payload.tensors, "words": header["words"] + marks, "talk_members": 1,
            "talk_relations": other["relations"], "card": header["card"] | {"talk": run}}  # fmt: skip
    return header | said, bytes(payload.data)


def main(first, second, number, out):
    export.write_file(out, *joined(export.read_file(first), export.read_file(second), int(number)))


if __name__ == "__main__":
    main(*sys.argv[1:])
