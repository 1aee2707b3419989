"""Ways along the keys of a schema that several families take."""

from maker import Maker, Skip
from query import at


def verb_of(m: Maker, key) -> str:
    """What a parent does with its children: `placed`, `have`."""
    if key.hints.yes and m.chance(0.7):
        return m.pick(key.hints.yes)
    return m.pick(["have", "with", "have", "with", "that have", "having"])


def identity(m: Maker, table) -> str:
    """What things of a table are grouped by: the key, so that namesakes stay apart."""
    return at(table.primary) if table.primary else at(m.names(table)[0])


def parent_of(m: Maker):
    key, child, parent = m.key()
    if not m.names(parent) or not parent.primary:
        raise Skip
    return key, child, parent


def bridge_of(m: Maker):
    """Two keys of one table to two different tables."""
    pairs = [(a, b) for a in m.schema.main_keys for b in m.schema.main_keys if a is not b and m.child(a) is m.child(b)
             and m.parent(a) is not m.parent(b) and m.child(a) not in (m.parent(a), m.parent(b))]
    a, b = m.pick(pairs)
    left, right = m.parent(a), m.parent(b)
    if not left.primary or left.primary.id != a.parent or not right.primary or not m.names(left):
        raise Skip
    return a, b, m.child(a), left, right
