"""Rows as Arrow gives them, read without any other package; and data frames as databases."""

from __future__ import annotations

import ctypes as c
import datetime
import decimal
import sqlite3
import struct
from typing import Any, Callable, Dict, List, Tuple

from . import _native
from ._errors import DragomanError

_EPOCH_DAY = datetime.date(1970, 1, 1).toordinal()
_EPOCH = datetime.datetime(1970, 1, 1)


class Held:
    """A schema and an array of Arrow, released when nobody needs them."""

    def __init__(self, answer: int):
        self.schema = _native.ArrowSchema()
        self.array = _native.ArrowArray()
        error = _native.Error()
        if not _native.lib.dgm_answer_arrow(answer, c.byref(self.schema), c.byref(self.array), c.byref(error)):
            raise DragomanError.of(error)

    def __del__(self) -> None:
        # a consumer that took one of them has cleared its release function
        for one in (getattr(self, "array", None), getattr(self, "schema", None)):
            if one is not None and one.release:
                one.release(c.byref(one))

    def names(self) -> List[str]:
        return [self.schema.children[i].contents.name.decode("utf-8") for i in range(self.schema.n_children)]

    def formats(self) -> List[str]:
        return [self.schema.children[i].contents.format.decode("ascii") for i in range(self.schema.n_children)]

    def columns(self) -> List[List[Any]]:
        return [
            _values(format, self.array.children[i].contents)
            for i, format in enumerate(self.formats())
        ]


def _fixed(code: str, size: int, convert: Callable[[Any], Any]) -> Callable[[Any, int], List[Any]]:
    def read(array: Any, length: int) -> List[Any]:
        raw = c.string_at(array.buffers[1], length * size)
        return [convert(value) for (value,) in struct.iter_unpack("<" + code, raw)]

    return read


def _bools(array: Any, length: int) -> List[bool]:
    raw = c.string_at(array.buffers[1], length // 8 + 1)
    return [bool(raw[i >> 3] >> (i & 7) & 1) for i in range(length)]


def _bytes(array: Any, length: int) -> List[bytes]:
    offsets = [value for (value,) in struct.iter_unpack("<q", c.string_at(array.buffers[1], (length + 1) * 8))]
    raw = c.string_at(array.buffers[2], offsets[length])
    return [raw[offsets[i] : offsets[i + 1]] for i in range(length)]


def _decimals(scale: int) -> Callable[[Any, int], List[decimal.Decimal]]:
    def read(array: Any, length: int) -> List[decimal.Decimal]:
        raw = c.string_at(array.buffers[1], length * 16)
        exact = decimal.Context(prec=60)
        return [
            decimal.Decimal(int.from_bytes(raw[i : i + 16], "little", signed=True)).scaleb(-scale, exact)
            for i in range(0, length * 16, 16)
        ]

    return read


_READERS: Dict[str, Callable[[Any, int], List[Any]]] = {
    "n": lambda array, length: [None] * length,
    "b": _bools,
    "l": _fixed("q", 8, int),
    "g": _fixed("d", 8, float),
    "tdD": _fixed("i", 4, lambda days: datetime.date.fromordinal(days + _EPOCH_DAY)),
    "tsu:": _fixed("q", 8, lambda us: _EPOCH + datetime.timedelta(microseconds=us)),
    "U": lambda array, length: [value.decode("utf-8", "replace") for value in _bytes(array, length)],
    "Z": _bytes,
}


def _values(format: str, array: Any) -> List[Any]:
    length = array.length
    reader = _decimals(int(format.split(",")[1])) if format.startswith("d:") else _READERS[format]
    values = reader(array, length)
    if array.null_count and format != "n":
        valid = c.string_at(array.buffers[0], length // 8 + 1)
        values = [value if valid[i >> 3] >> (i & 7) & 1 else None for i, value in enumerate(values)]
    return values


def is_frame(source: Any) -> bool:
    """A data frame of pandas or polars, without importing either."""
    return hasattr(source, "columns") and (hasattr(source, "itertuples") or hasattr(source, "iter_rows"))


def _plain(value: Any) -> Any:
    """What SQLite can keep. Not-a-number and not-a-time are NULL."""
    if value is None or value != value:
        return None
    if hasattr(value, "item"):  # numpy's numbers
        value = value.item()
    if isinstance(value, (bool, int, float, str, bytes)):
        return value
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)


def _declared(values: List[Any]) -> str:
    kinds = {type(value) for value in values if value is not None}
    for types, name in (
        ({bool}, "BOOLEAN"),
        ({int}, "INTEGER"),
        ({int, float}, "REAL"),
        ({bytes}, "BLOB"),
    ):
        if kinds and kinds <= types:
            return name
    texts = [value for value in values if value is not None]
    if texts and all(isinstance(t, str) and len(t) == 10 and t[4:5] == t[7:8] == "-" for t in texts):
        return "DATE"
    if texts and all(isinstance(t, str) and len(t) >= 19 and t[4:5] == "-" and t[10:11] == " " for t in texts):
        return "TIMESTAMP"
    return "TEXT"


def _quoted(name: Any) -> str:
    return '"' + str(name).replace('"', '""').replace("\0", "") + '"'


def _rows(frame: Any) -> List[Tuple[Any, ...]]:
    rows = frame.iter_rows() if hasattr(frame, "iter_rows") else frame.itertuples(index=False, name=None)
    return [tuple(_plain(value) for value in row) for row in rows]


def write_database(frames: Dict[str, Any], path: str) -> None:
    """Each frame becomes a table of a new SQLite file."""
    with sqlite3.connect(path) as database:
        for name, frame in frames.items():
            rows = _rows(frame)
            names = [str(column) for column in frame.columns]
            types = [_declared([row[i] for row in rows]) for i in range(len(names))]
            columns = ", ".join(f"{_quoted(n)} {t}" for n, t in zip(names, types))
            database.execute(f"CREATE TABLE {_quoted(name)} ({columns})")
            marks = ", ".join("?" * len(names))
            database.executemany(f"INSERT INTO {_quoted(name)} VALUES ({marks})", rows)
    database.close()
