"""Reads what `dragoman features` wrote: words, schemas and examples. See README.md."""

import json
import struct
from dataclasses import dataclass, field

import numpy as np

TYPE_PADDING = 10
KINDS = "qvtch"


@dataclass
class Schema:
    name: str
    tables: int
    columns: int
    items: np.ndarray  # [tables + columns, max_words] word ids
    types: np.ndarray  # [tables + columns]
    relations: np.ndarray  # [n, n] codes


@dataclass
class Example:
    schema: int
    number: int
    source: int
    weight: float
    question: np.ndarray  # word ids
    values: list  # of (type, word ids)
    history: list  # likewise: what was said before
    overrides: np.ndarray  # structured: row, column, code
    target: np.ndarray | None
    missing: bool


@dataclass
class Dump:
    header: dict
    words: list = field(default_factory=lambda: ["<pad>"])
    trigrams: list = field(default_factory=lambda: [[]])
    schemas: list = field(default_factory=list)
    examples: list = field(default_factory=list)

    def output_offset(self):
        return len(self.header["keywords"]) + len(self.header["fixed"])


OVERRIDE = np.dtype([("row", "<u2"), ("column", "<u2"), ("code", "u1")])


class Reader:
    """A cursor over the bytes of one block."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def array(self, dtype, count):
        dtype = np.dtype(dtype)
        out = np.frombuffer(self.data, dtype, count, self.at)
        self.at += dtype.itemsize * count
        return out

    def text(self):
        size = self.take("H")
        out = bytes(self.data[self.at : self.at + size]).decode("utf-8")
        self.at += size
        return out


def read_item(reader, max_words):
    ids = np.zeros(max_words, np.int32)
    count = reader.take("B")
    ids[:count] = reader.array("<u4", count)
    return ids


def read_schema(reader, max_words):
    name = reader.text()
    tables, columns = reader.take("HH")
    count = tables + columns
    items = np.zeros((count, max_words), np.int32)
    types = np.zeros(count, np.uint8)
    for i in range(count):
        items[i] = read_item(reader, max_words)
        types[i] = reader.take("B")
    relations = reader.array("u1", count * count).reshape(count, count)
    return Schema(name, tables, columns, items, types, relations)


def read_example(reader, max_words):
    schema, number, source, weight, questions = reader.take("IIBfH")
    question = reader.array("<u4", questions).astype(np.int32)
    values, history = [], []
    for form, items in (("B", values), ("H", history)):
        for _ in range(reader.take(form)):
            kind = reader.take("B")
            items.append((kind, read_item(reader, max_words)))
    overrides = reader.array(OVERRIDE, reader.take("I"))
    length = reader.take("H")
    target = None if length == 0xFFFF else reader.array("<u2", length).astype(np.int32)
    missing = bool(reader.take("B") & 1)
    return Example(schema, number, source, weight, question, values, history, overrides, target, missing)


def read_dump(path):
    with open(path, "rb") as file:
        data = memoryview(file.read())
    if bytes(data[:4]) != b"DGMF":
        raise ValueError(f"{path} is not a feature dump")
    version, size = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise ValueError(f"{path} has version {version}; this script reads version 2")
    dump = Dump(json.loads(bytes(data[12 : 12 + size])))
    max_words = dump.header["max_words"]
    at = 12 + size
    while at < len(data):
        tag, size = struct.unpack_from("<BI", data, at)
        reader = Reader(data[at + 5 : at + 5 + size])
        at += 5 + size
        if tag == ord("W"):
            dump.words.append(reader.text())
            dump.trigrams.append(list(reader.array("<u2", reader.take("B"))))
        elif tag == ord("S"):
            dump.schemas.append(read_schema(reader, max_words))
        elif tag == ord("E"):
            dump.examples.append(read_example(reader, max_words))
    return dump
