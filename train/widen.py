"""More words for a weights file to say: python3 train/widen.py START FOLDER OUT

FOLDER is src/parser/ir: words of ir.def and literals of fixed.def that START does not know come after those that it
knows. A new one begins as one that is much like it and so unlikely that START's answers stay as they are; training
(train.py --start OUT) makes of it what it means. Everything else is copied byte by byte. Needs nothing but Python.
"""

import json
import re
import struct
import sys
from array import array

ALIGN = 64
MASK = (1 << 64) - 1
UNLIKELY = 8.0  # taken off the logarithm of how likely a new word is

# What a new word begins as.
LIKE = {
    "median": "avg", "percentile": "avg", "stddev": "avg", "variance": "avg", "moving": "running", "cumulative": "share",
    "year_ago": "prev", "change_year": "change", "growth_year": "growth", "shift": "days", "earliest": "min", "latest": "max",
    "prior": "prev", "left_of": "length", "right_of": "length", "before_sign": "length", "after_sign": "length", "with": "on",
    "25": "100", "75": "100", "@": "",
}  # fmt: skip


def read_file(path):
    with open(path, "rb") as file:
        data = file.read()
    size, length = struct.unpack("<IQ", data[8:20])
    return json.loads(data[28 : 28 + size]), data[28 + size : 28 + size + length]


def checksum(data):
    words = array("Q", data + b"\0" * (-len(data) % 8))
    value = 0xCBF29CE484222325
    for word in words:
        value = ((value ^ word) * 0x100000001B3) & MASK
    return value


def write_file(path, header, payload):
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(28 + len(text)) % ALIGN)
    body = text + payload
    with open(path, "wb") as file:
        file.write(b"DGMW" + struct.pack("<IIQQ", 1, len(text), len(payload), checksum(body)))
        file.write(body)


def words_of(path):
    """The texts of the rows of a .def file."""
    with open(path, encoding="utf-8") as file:
        return re.findall(r'^(?:KEYWORD|FIXED)\(\w+, "([^"]*)"', file.read(), re.M)


def is_spoken(name):
    """Has the tensor a row for each word that can be said?"""
    return re.fullmatch(r"(?:[mh]\d+\.|v\.)?k|(?:[mh]\d+\.)?ok\.[wb]", name) is not None


class Payload:
    """Tensors one after the other, each at an aligned place."""

    def __init__(self):
        self.data = bytearray()

    def place(self, part):
        self.data.extend(b"\0" * (-len(self.data) % ALIGN))
        offset = len(self.data)
        self.data.extend(part)
        return offset


def new_ones(known, words):
    if words[: len(known)] != known:
        raise SystemExit("The words of the file are not the first ones of the list.")
    return words[len(known) :]


def less_likely(part, fresh):
    numbers = array("f", part)
    for i, is_new in enumerate(fresh):
        numbers[i] -= UNLIKELY if is_new else 0
    return numbers.tobytes()


def widen(header, payload, keywords, fixed):
    first, second = header["keywords"], header["fixed"]
    new, literals = new_ones(first, keywords), new_ones(second, fixed)
    # the row that each row is a copy of; the new ones
    order = [*range(len(first)), *(first.index(LIKE[word]) for word in new)]
    order += [len(first) + i for i in [*range(len(second)), *(second.index(LIKE[text]) for text in literals)]]
    fresh = [False] * len(first) + [True] * len(new) + [False] * len(second) + [True] * len(literals)
    out = Payload()
    for entry in header["tensors"]:
        rows = entry["shape"][0]
        width = 1
        for size in entry["shape"][1:]:
            width *= size
        bytes_of_row = width * (1 if entry["type"] == "i8" else 4)
        part = payload[entry["offset"] : entry["offset"] + rows * bytes_of_row]
        scale = payload[entry["scale_offset"] : entry["scale_offset"] + rows * 4] if "scale_offset" in entry else None
        if is_spoken(entry["name"]):
            part = b"".join(part[i * bytes_of_row : (i + 1) * bytes_of_row] for i in order)
            scale = scale and b"".join(scale[i * 4 : i * 4 + 4] for i in order)
            entry["shape"][0] = len(order)
            if entry["name"].endswith("ok.b"):
                part = less_likely(part, fresh)
        entry["offset"] = out.place(part)
        if scale:
            entry["scale_offset"] = out.place(scale)
    header["keywords"], header["fixed"] = keywords, fixed
    header["widened"] = header.get("widened", []) + new + literals
    return header, bytes(out.data)


def main(start, folder, out):
    write_file(out, *widen(*read_file(start), words_of(f"{folder}/ir.def"), words_of(f"{folder}/fixed.def")))


if __name__ == "__main__":
    main(*sys.argv[1:])
