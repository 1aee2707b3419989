"""The notebook extension: %load_ext dragoman, then %dragoman shop.db and %%ask."""

from __future__ import annotations

import html
import shlex
from typing import Any, Dict, List, Optional

from ._client import Answer, Dragoman
from ._errors import Clarification, DragomanError

_ROWS = 20
_opened: Dict[str, Dragoman] = {}
_last: List[str] = []


def _cell(value: Any) -> str:
    if value is None:
        return '<td style="opacity:.5">–</td>'
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    text = f"{value:,}" if number else str(value)
    return f'<td style="text-align:{"right" if number else "left"}">{html.escape(text[:200])}</td>'


def table(answer: Answer, most: int = _ROWS) -> str:
    """The first rows as HTML; every text in it is escaped."""
    rows = answer.rows
    head = "".join(f"<th>{html.escape(name)}</th>" for name in answer.columns)
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows[:most])
    more = f"<p>{len(rows) - most:,} more rows: <code>_.to_pandas()</code></p>" if len(rows) > most else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def page(answer: Answer) -> str:
    """Sentence, warnings, table, and how it was found."""
    warnings = "".join(f"<li>{html.escape(warning)}</li>" for warning in answer.warnings)
    label = f" · {html.escape(answer.label)}" if answer.label else ""
    percent = f" ({answer.confidence:.0%})" if answer.confidence is not None else ""
    sql = f"<details><summary>SQL{label}{percent}</summary><pre>{html.escape(answer.sql)}</pre></details>" if answer.sql else ""
    return (
        f"<p><b>{html.escape(answer.text)}</b></p>"
        + (f"<ul>{warnings}</ul>" if warnings else "")
        + (table(answer) if len(answer) else "")
        + sql
    )


def _chart(answer: Answer) -> Optional[Dict[str, Any]]:
    spec = (answer.chart or {}).get("spec")
    return {"application/vnd.vegalite.v5+json": spec} if spec else None


def show(answer: Answer) -> None:
    from IPython.display import HTML, display

    display(HTML(page(answer)))
    chart = _chart(answer)
    if chart:
        display({**chart, "text/plain": f"<chart: {answer.chart['kind']}>"}, raw=True)


def _offer(back: Clarification, done: Any) -> None:
    """The question back, with a button for each option where widgets are installed."""
    from IPython.display import display

    try:
        import ipywidgets
    except ImportError:
        print(f"{back}\nAnswer with: %answer 1")
        return
    out = ipywidgets.Output()

    def button(option: Any) -> Any:
        one = ipywidgets.Button(description=option.label[:60], tooltip=option.label, layout={"width": "auto"})
        one.on_click(lambda _: done(option, out))
        return one

    display(ipywidgets.VBox([ipywidgets.Label(back.question), *map(button, back.options), out]))


class _Session:
    """What the magics of one notebook remember."""

    def __init__(self, shell: Any):
        self.shell = shell
        self.waiting: Optional[Clarification] = None

    def client(self, name: str) -> Dragoman:
        if not name and not _last:
            raise DragomanError("No database was named.", hint="Write %%ask shop.db, or name a data frame of yours.")
        name = name or _last[-1]
        value = self.shell.user_ns.get(name)
        if value is not None and hasattr(value, "columns"):  # a data frame may have changed: read anew
            client = Dragoman(**{name: value}) if name.isidentifier() else Dragoman(value)
            _opened[name] = client
        elif name not in _opened:
            _opened[name] = Dragoman(name)
        _last[:] = [name]
        return _opened[name]

    def finish(self, answer: Answer) -> Answer:
        self.waiting = None
        self.shell.user_ns["_answer"] = answer
        show(answer)
        return answer

    def ask(self, line: str, cell: Optional[str] = None) -> None:
        words = shlex.split(line)
        question = cell if cell is not None else " ".join(words[1:])
        try:
            self.finish(self.client(words[0] if words else "").ask(question.strip()))
        except Clarification as back:
            self.waiting = back
            _offer(back, self.clicked)
        except DragomanError as error:
            print(error)

    def clicked(self, option: Any, out: Any) -> None:
        with out:
            self.answer(option)

    def answer(self, choice: Any) -> None:
        if not self.waiting:
            print("No question is waiting for an answer.")
            return
        try:
            self.finish(self.waiting.answer(choice))
        except Clarification as back:
            self.waiting = back
            _offer(back, self.clicked)
        except DragomanError as error:
            print(error)


def register(shell: Any) -> None:
    session = _Session(shell)
    shell.register_magic_function(session.ask, "line_cell", "ask")
    shell.register_magic_function(session.answer, "line", "answer")
