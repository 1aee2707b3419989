"""Errors, and the question back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Optional

if TYPE_CHECKING:
    from ._client import Answer
    from ._native import Error


class DragomanError(Exception):
    """Something did not work. `code` is fixed ("TABLE_UNKNOWN"), `hint` says what to do."""

    def __init__(self, message: str, code: str = "", hint: str = "", detail: str = "", retryable: bool = False):
        super().__init__(f"{message} {hint}".strip())
        self.message = message
        self.code = code
        self.hint = hint
        self.detail = detail
        self.retryable = retryable

    @classmethod
    def of(cls, error: "Error") -> "DragomanError":
        return cls(
            error.message.decode("utf-8", "replace"),
            error.code.decode("ascii", "replace"),
            error.hint.decode("utf-8", "replace"),
            error.detail.decode("utf-8", "replace"),
            bool(error.retryable),
        )


@dataclass(frozen=True)
class Option:
    """One of the answers that a question back offers."""

    value: str
    label: str


class Clarification(Exception):
    """dragoman asks back. Choose with `answer()`: an option's number or value, or words."""

    def __init__(self, question: str, options: List[Option], answer: "Answer"):
        numbered = "".join(f"\n  {i}. {option.label}" for i, option in enumerate(options, 1))
        super().__init__(f"{question}{numbered}")
        self.question = question
        self.options = options
        self._answer = answer

    def answer(self, choice: object, timeout: Optional[float] = None) -> "Answer":
        """Goes on with this choice; raises Clarification again if that is not enough."""
        value = choice.value if isinstance(choice, Option) else str(choice)
        return self._answer._client._resume(self._answer.id, value, timeout)
