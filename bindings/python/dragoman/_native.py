"""The C library, by ctypes. Everything here mirrors include/dragoman.h and dragoman_arrow.h."""

from __future__ import annotations

import ctypes as c
import os
from pathlib import Path
from typing import Optional

_HERE = Path(__file__).resolve().parent / "native"


class Error(c.Structure):
    _fields_ = [
        ("code", c.c_char * 32),
        ("exit_status", c.c_int),
        ("http_status", c.c_int),
        ("retryable", c.c_bool),
        ("position", c.c_int),
        ("message", c.c_char * 400),
        ("detail", c.c_char * 800),
        ("hint", c.c_char * 300),
        ("retry_after_s", c.c_int),
    ]


class Request(c.Structure):
    _fields_ = [
        ("question", c.c_char_p),
        ("datasource", c.c_char_p),
        ("session_id", c.c_char_p),
        ("account", c.c_char_p),
        ("brain", c.c_char_p),
        ("skip_plan", c.c_bool),
        ("skip_diagnosis", c.c_bool),
        ("allow_write", c.c_bool),
        ("dry_run", c.c_bool),
        ("fresh", c.c_bool),
        ("observer", c.c_void_p),
        ("context", c.c_void_p),
        ("skip_memory", c.c_bool),
        ("new_question", c.c_bool),
        ("access", c.c_void_p),
        ("durable", c.c_bool),
        ("rows", c.c_void_p),
        ("datasets", c.c_bool),
        ("language", c.c_char_p),
        ("model", c.c_void_p),
        ("parameters", c.c_char_p),
    ]


class ArrowSchema(c.Structure):
    pass


ArrowSchema._fields_ = [
    ("format", c.c_char_p),
    ("name", c.c_char_p),
    ("metadata", c.c_char_p),
    ("flags", c.c_int64),
    ("n_children", c.c_int64),
    ("children", c.POINTER(c.POINTER(ArrowSchema))),
    ("dictionary", c.POINTER(ArrowSchema)),
    ("release", c.CFUNCTYPE(None, c.POINTER(ArrowSchema))),
    ("private_data", c.c_void_p),
]


class ArrowArray(c.Structure):
    pass


ArrowArray._fields_ = [
    ("length", c.c_int64),
    ("null_count", c.c_int64),
    ("offset", c.c_int64),
    ("n_buffers", c.c_int64),
    ("n_children", c.c_int64),
    ("buffers", c.POINTER(c.c_void_p)),
    ("children", c.POINTER(c.POINTER(ArrowArray))),
    ("dictionary", c.POINTER(ArrowArray)),
    ("release", c.CFUNCTYPE(None, c.POINTER(ArrowArray))),
    ("private_data", c.c_void_p),
]

_TEXT = c.c_char_p
_OWNED = c.c_void_p  # char * that dgm_free() takes
_ERROR = c.POINTER(Error)
_HANDLE = c.c_void_p

_FUNCTIONS = {
    "dgm_version": (_TEXT, []),
    "dgm_free": (None, [c.c_void_p]),
    "dgm_config_new": (_HANDLE, []),
    "dgm_config_free": (None, [_HANDLE]),
    "dgm_config_load": (c.c_bool, [_HANDLE, _TEXT, _ERROR]),
    "dgm_config_environment": (c.c_bool, [_HANDLE, _ERROR]),
    "dgm_config_set": (c.c_bool, [_HANDLE, _TEXT, _TEXT, _ERROR]),
    "dgm_config_clear_datasources": (None, [_HANDLE]),
    "dgm_config_add_datasource": (c.c_bool, [_HANDLE, _TEXT, _TEXT, _ERROR]),
    "dgm_open": (_HANDLE, [_HANDLE, _ERROR]),
    "dgm_close": (None, [_HANDLE]),
    "dgm_ask": (_HANDLE, [_HANDLE, c.POINTER(Request), _ERROR]),
    "dgm_resume": (_HANDLE, [_HANDLE, _TEXT, _TEXT, c.POINTER(Request), _ERROR]),
    "dgm_reading": (_HANDLE, [_HANDLE, _TEXT, c.c_int64, c.POINTER(Request), _ERROR]),
    "dgm_run_sql": (_HANDLE, [_HANDLE, _TEXT, c.POINTER(Request), _ERROR]),
    "dgm_question_id": (_TEXT, [_HANDLE]),
    "dgm_question_stop": (None, [_HANDLE]),
    "dgm_question_wait": (_HANDLE, [_HANDLE, c.c_int64]),
    "dgm_question_free": (None, [_HANDLE]),
    "dgm_answer_json": (_TEXT, [_HANDLE]),
    "dgm_answer_error": (c.c_bool, [_HANDLE, _ERROR]),
    "dgm_answer_has_rows": (c.c_bool, [_HANDLE]),
    "dgm_answer_arrow": (c.c_bool, [_HANDLE, c.POINTER(ArrowSchema), c.POINTER(ArrowArray), _ERROR]),
    "dgm_answer_chart": (_OWNED, [_HANDLE, _TEXT, _ERROR]),
    "dgm_session_new": (_OWNED, [_HANDLE, _TEXT, _TEXT, _ERROR]),
    "dgm_schema": (_OWNED, [_HANDLE, _TEXT, _TEXT, _ERROR]),
    "dgm_suggestions": (_OWNED, [_HANDLE, _TEXT, _ERROR]),
    "dgm_sample": (c.c_bool, [_TEXT, _ERROR]),
}


def _load() -> c.CDLL:
    named = os.environ.get("DRAGOMAN_LIBRARY")
    bundled = _HERE / "libdragoman.so.0"
    library = c.CDLL(named or (str(bundled) if bundled.exists() else "libdragoman.so.0"))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


lib = _load()


def program() -> Optional[str]:
    """The program of the wheel, which runs DuckDB in a process of its own."""
    file = _HERE / "engine"
    return str(file) if file.exists() else None


def taken(pointer: Optional[int]) -> Optional[str]:
    """The text of a `char *` that is ours, which is freed."""
    if not pointer:
        return None
    text = c.string_at(pointer).decode("utf-8", "replace")
    lib.dgm_free(pointer)
    return text
