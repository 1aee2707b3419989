"""dragoman: ask your databases in plain language, get a checked answer.

    import dragoman
    answer = dragoman.ask("shop.db", "revenue by month in 2025")
    print(answer.text, answer.sql, answer.confidence)
    frame = answer.to_pandas()

`Dragoman` keeps databases open, has conversations and works with asyncio. In a notebook: `%load_ext dragoman`, then `%%ask shop.db`.
"""

from ._client import Answer, Conversation, Dragoman, ask, sample, version
from ._errors import Clarification, DragomanError, Option

__all__ = ["Answer", "Clarification", "Conversation", "Dragoman", "DragomanError", "Option", "ask", "sample", "version"]
__version__ = version()


def load_ipython_extension(ipython: object) -> None:
    """Called by `%load_ext dragoman`."""
    from ._jupyter import register

    register(ipython)
