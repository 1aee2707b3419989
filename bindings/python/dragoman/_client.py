"""Databases, questions and answers."""

from __future__ import annotations

import asyncio
import ctypes as c
import json
import os
import tempfile
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Union

from . import _frames, _native
from ._errors import Clarification, DragomanError, Option
from ._native import lib

Source = Union[str, "os.PathLike[str]", Any]
Choose = Callable[[Clarification], Any]

_SLICE_MS = 100  # how long Ctrl-C may take to be heard


def _bytes(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else text.encode("utf-8")


class Answer:
    """The answer to one question. `data` is the whole answer object (docs/api.md)."""

    def __init__(self, client: "Dragoman", handle: int):
        self._client = client
        self.data: Dict[str, Any] = json.loads(lib.dgm_answer_json(handle).decode("utf-8", "replace"))
        self._held = _frames.Held(handle) if lib.dgm_answer_has_rows(handle) and self.data.get("columns") else None
        chart = _native.taken(lib.dgm_answer_chart(handle, None, None)) if self._held else None
        self.chart: Optional[Dict[str, Any]] = json.loads(chart).get("chart") if chart else None

    @property
    def id(self) -> str:
        return self.data["query_id"]

    @property
    def text(self) -> str:
        """The answer in words."""
        for field in ("text", "message", "explanation", "summary"):
            if self.data.get(field):
                return str(self.data[field])
        return ""

    @property
    def sql(self) -> Optional[str]:
        return self.data.get("sql")

    @property
    def confidence(self) -> Optional[float]:
        """The probability that the answer is right."""
        return (self.data.get("confidence") or {}).get("score")

    @property
    def label(self) -> Optional[str]:
        """The same in a word: sure, likely or unsure."""
        return (self.data.get("confidence") or {}).get("label")

    @property
    def warnings(self) -> List[str]:
        return list(self.data.get("warnings") or [])

    @property
    def columns(self) -> List[str]:
        return self._held.names() if self._held else []

    @property
    def rows(self) -> List[tuple]:
        """All rows that the answer holds, with Python's own types."""
        return list(zip(*self._held.columns())) if self._held else []

    @property
    def value(self) -> Any:
        """The single cell of an answer that is one value."""
        rows = self.rows
        if len(rows) != 1 or len(rows[0]) != 1:
            raise DragomanError(f"The answer has {len(rows)} rows of {len(self.columns)} columns, not one value.")
        return rows[0][0]

    def __iter__(self) -> Iterator[tuple]:
        return iter(self.rows)

    def __len__(self) -> int:
        return self._held.array.length if self._held else 0

    def to_arrow(self) -> Any:
        """A pyarrow.RecordBatch, which takes the columns without copying them."""
        import pyarrow

        held = self._fresh()
        return pyarrow.RecordBatch._import_from_c(c.addressof(held.array), c.addressof(held.schema))

    def to_polars(self) -> Any:
        """A polars.DataFrame, from Arrow where pyarrow is installed."""
        import polars

        try:
            return polars.from_arrow(self.to_arrow())
        except ImportError:
            return polars.DataFrame(dict(zip(self.columns, self._held.columns() if self._held else [])))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        import pandas

        columns = self._held.columns() if self._held else []
        frame = pandas.DataFrame({i: pandas.Series(values) for i, values in enumerate(columns)})
        frame.columns = self.columns
        for i, format in enumerate(self._held.formats() if self._held else []):
            if format in ("tdD", "tsu:"):
                try:
                    frame.isetitem(i, pandas.to_datetime(frame.iloc[:, i]))
                except (ValueError, OverflowError):
                    pass  # a year that pandas has no room for stays a date of Python
        return frame

    def _fresh(self) -> "_frames.Held":
        if not self._held:
            raise DragomanError("The answer has no rows.")
        held, self._held = self._held, None
        kept = _Copied(held)
        self._held = kept
        return held

    def __repr__(self) -> str:
        label = f", {self.label}" if self.label else ""
        return f"<dragoman.Answer {self.text!r}{label}, {len(self)} rows>"

    def __str__(self) -> str:
        return self.text


class _Copied:
    """The rows as Python has read them, when Arrow's own were given away."""

    def __init__(self, held: "_frames.Held"):
        self._names, self._formats, self._columns = held.names(), held.formats(), held.columns()
        self.array = type("Length", (), {"length": held.array.length})()

    def names(self) -> List[str]:
        return self._names

    def formats(self) -> List[str]:
        return self._formats

    def columns(self) -> List[List[Any]]:
        return self._columns


class _Question:
    """A question on its way; stopped when its caller is."""

    def __init__(self, client: "Dragoman", handle: Optional[int], error: _native.Error):
        if not handle:
            raise DragomanError.of(error)
        self._client = client
        self._handle = handle

    def stop(self) -> None:
        lib.dgm_question_stop(self._handle)

    def wait(self, timeout: Optional[float], stopped: Optional[threading.Event] = None) -> Answer:
        end = None if timeout is None else time.monotonic() + timeout
        answer = None
        try:
            while not answer:
                answer = lib.dgm_question_wait(self._handle, _SLICE_MS)
                late = end is not None and time.monotonic() > end
                if not answer and (late or (stopped and stopped.is_set())):
                    self.stop()
                    lib.dgm_question_wait(self._handle, -1)
                    raise TimeoutError(f"No answer within {timeout} seconds.")
            return self._read(answer)
        except KeyboardInterrupt:
            self.stop()
            lib.dgm_question_wait(self._handle, -1)
            raise
        finally:
            lib.dgm_question_free(self._handle)

    def _read(self, handle: int) -> Answer:
        error = _native.Error()
        failed = lib.dgm_answer_error(handle, c.byref(error))
        answer = Answer(self._client, handle)
        back = answer.data.get("clarification")
        if back and answer.data.get("state") == "AWAIT_USER":
            options = [Option(str(o.get("value", "")), str(o.get("label", o.get("value", "")))) for o in back.get("options") or []]
            raise Clarification(str(back.get("message") or answer.text), options, answer)
        if failed:
            raise DragomanError.of(error)
        return answer


class Dragoman:
    """One or more open databases. Use it with `with`, or call close()."""

    def __init__(self, *sources: Source, config: Optional[str] = None, settings: Optional[Mapping[str, Any]] = None, **named: Source):
        self._folder: Optional[tempfile.TemporaryDirectory] = None
        self._lock = threading.Lock()
        self._handle: Optional[int] = None
        error = _native.Error()
        setup = lib.dgm_config_new()

        def must(ok: bool) -> None:
            if not ok:
                raise DragomanError.of(error)

        try:
            must(lib.dgm_config_load(setup, _bytes(config), c.byref(error)))
            must(lib.dgm_config_environment(setup, c.byref(error)))
            if _native.program():
                must(lib.dgm_config_set(setup, b"sql.engine_program", _bytes(_native.program()), c.byref(error)))
            for key, value in (settings or {}).items():
                text = str(value).lower() if isinstance(value, bool) else str(value)
                must(lib.dgm_config_set(setup, _bytes(key), _bytes(text), c.byref(error)))
            if sources or named:
                lib.dgm_config_clear_datasources(setup)
            for id, source in [*((None, one) for one in sources), *named.items()]:
                must(lib.dgm_config_add_datasource(setup, _bytes(id), self._place(source, id), c.byref(error)))
            self._handle = lib.dgm_open(setup, c.byref(error))
            must(bool(self._handle))
        except BaseException:
            self.close()
            raise
        finally:
            lib.dgm_config_free(setup)

    def _place(self, source: Source, name: Optional[str]) -> bytes:
        frames = source if isinstance(source, Mapping) else {name or "data": source} if _frames.is_frame(source) else None
        if frames is None:
            return os.fsencode(source)
        self._folder = self._folder or tempfile.TemporaryDirectory(prefix="dragoman-")
        path = os.path.join(self._folder.name, f"{len(os.listdir(self._folder.name))}.db")
        _frames.write_database(dict(frames), path)
        return os.fsencode(path)

    def __enter__(self) -> "Dragoman":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stops what is running. Answers stay valid."""
        with self._lock:
            handle, self._handle = self._handle, None
        if handle:
            lib.dgm_close(handle)
        if self._folder:
            self._folder.cleanup()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    def _open(self) -> int:
        if not self._handle:
            raise DragomanError("This Dragoman is closed.")
        return self._handle

    def _request(self, question: str, **fields: Any) -> _native.Request:
        texts = ("datasource", "session_id", "brain")
        values = {key: _bytes(value) if key in texts else value for key, value in fields.items() if value is not None}
        return _native.Request(question=_bytes(question), skip_plan=True, **values)

    def _asked(self, question: str, fields: Mapping[str, Any]) -> _Question:
        error = _native.Error()
        request = self._request(question, **fields)
        return _Question(self, lib.dgm_ask(self._open(), c.byref(request), c.byref(error)), error)

    def _resume(self, id: str, choice: str, timeout: Optional[float]) -> Answer:
        error = _native.Error()
        handle = lib.dgm_resume(self._open(), _bytes(id), _bytes(choice), None, c.byref(error))
        return _Question(self, handle, error).wait(timeout)

    def ask(
        self,
        question: str,
        *,
        datasource: Optional[str] = None,
        brain: Optional[str] = None,
        fresh: Optional[bool] = None,
        timeout: Optional[float] = None,
        on_clarification: Optional[Choose] = None,
        session_id: Optional[str] = None,
    ) -> Answer:
        """Answers a question.

        If dragoman asks back, `on_clarification` is called with the Clarification and returns the choice;
        without it, or if it returns None, the Clarification is raised.
        """
        fields = {"datasource": datasource, "brain": brain, "fresh": fresh, "session_id": session_id}
        try:
            return self._asked(question, fields).wait(timeout)
        except Clarification as back:
            return _answered(back, on_clarification, timeout)

    async def ask_async(self, question: str, *, timeout: Optional[float] = None, **fields: Any) -> Answer:
        """The same for asyncio. A task that is cancelled stops its question in the database."""
        asked = self._asked(question, fields)
        stopped = threading.Event()
        waiting = asyncio.get_running_loop().run_in_executor(None, asked.wait, timeout, stopped)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            stopped.set()
            await asyncio.wait([waiting])
            waiting.exception()
            raise

    def sql(self, sql: str, *, datasource: Optional[str] = None, timeout: Optional[float] = None) -> Answer:
        """Runs SQL of yours, with the same checks: it must only read."""
        error = _native.Error()
        request = self._request("", datasource=datasource)
        handle = lib.dgm_run_sql(self._open(), _bytes(sql), c.byref(request), c.byref(error))
        return _Question(self, handle, error).wait(timeout)

    def reading(self, answer: Answer, number: int, timeout: Optional[float] = None) -> Answer:
        """Answers the same question by another of its readings (`answer.data["readings"]`)."""
        error = _native.Error()
        handle = lib.dgm_reading(self._open(), _bytes(answer.id), number, None, c.byref(error))
        return _Question(self, handle, error).wait(timeout)

    def conversation(self, datasource: Optional[str] = None) -> "Conversation":
        """Questions that are understood in the context of those before."""
        error = _native.Error()
        id = _native.taken(lib.dgm_session_new(self._open(), None, _bytes(datasource), c.byref(error)))
        if not id:
            raise DragomanError.of(error)
        return Conversation(self, id)

    def schema(self, datasource: Optional[str] = None) -> str:
        """Tables and columns as text."""
        error = _native.Error()
        text = _native.taken(lib.dgm_schema(self._open(), _bytes(datasource), b"text", c.byref(error)))
        if text is None:
            raise DragomanError.of(error)
        return text

    def suggestions(self, datasource: Optional[str] = None) -> List[str]:
        """Questions that the data can answer."""
        error = _native.Error()
        text = _native.taken(lib.dgm_suggestions(self._open(), _bytes(datasource), c.byref(error)))
        if text is None:
            raise DragomanError.of(error)
        return json.loads(text)


def _answered(back: Clarification, choose: Optional[Choose], timeout: Optional[float]) -> Answer:
    while True:
        choice = choose(back) if choose else None
        if choice is None:
            raise back
        try:
            return back.answer(choice, timeout)
        except Clarification as again:
            back = again


class Conversation:
    """A conversation with one or more databases."""

    def __init__(self, client: Dragoman, id: str):
        self._client = client
        self.id = id

    def ask(self, question: str, **options: Any) -> Answer:
        return self._client.ask(question, session_id=self.id, **options)

    async def ask_async(self, question: str, **options: Any) -> Answer:
        return await self._client.ask_async(question, session_id=self.id, **options)


def ask(source: Source, question: str, **options: Any) -> Answer:
    """Asks one question of a file, a database's URL, a data frame, or a dict of data frames."""
    settings = options.pop("settings", None)
    client = Dragoman(source, settings=settings)
    try:
        answer = client.ask(question, **options)
    except Clarification:
        raise  # its answer() needs the client, which ends with it
    except BaseException:
        client.close()
        raise
    client.close()
    return answer


def sample(path: "Union[str, os.PathLike[str]]") -> None:
    """Writes the sample shop, a SQLite file."""
    error = _native.Error()
    if not lib.dgm_sample(os.fsencode(path), c.byref(error)):
        raise DragomanError.of(error)


def version() -> str:
    return lib.dgm_version().decode("ascii")
