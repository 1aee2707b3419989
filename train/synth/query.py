"""SQL written clause by clause: columns are marked, and aliases are put in at the end."""

import re
from dataclasses import dataclass, field

from schema import Column, Key, Schema, Table, quote

MARK = re.compile("\x00(\\d+)#(\\d+)\x00")


def at(column: Column | int, copy: int = 0) -> str:
    """A column in an expression; `copy` tells the second use of a table from the first."""
    number = column if isinstance(column, int) else column.id
    return f"\x00{number}#{copy}\x00"


@dataclass
class Source:
    table: Table
    copy: int
    join: str = ""  # the ON condition; empty for the first
    left: bool = False


@dataclass
class Query:
    schema: Schema
    select: list[str] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    where: list[str] = field(default_factory=list)  # joined by AND
    group: list[str] = field(default_factory=list)
    having: str = ""
    order: list[str] = field(default_factory=list)
    limit: int | None = None
    distinct: bool = False

    def add(self, table: Table | int, copy: int = 0) -> "Query":
        table = self.schema.tables[table] if isinstance(table, int) else table
        if not self.has(table, copy):
            self.sources.append(Source(table, copy))
        return self

    def has(self, table: Table, copy: int = 0) -> bool:
        return any(s.table is table and s.copy == copy for s in self.sources)

    def join(self, key: Key, child: int = 0, parent: int = 0, left: bool = False) -> "Query":
        """Brings in whichever end of the key is not there yet."""
        ends = ((self.schema.table_of(key.child), child), (self.schema.table_of(key.parent), parent))
        on = f"{at(key.child, child)} = {at(key.parent, parent)}"
        for table, copy in ends:
            if not self.has(table, copy):
                self.sources.append(Source(table, copy, on if self.sources else "", left))
        return self

    def sql(self) -> str:
        names = {(s.table.id, s.copy): f"T{i + 1}" for i, s in enumerate(self.sources)}
        many = len(self.sources) > 1

        def name(match: re.Match) -> str:
            column = self.schema.columns[int(match[1])]
            if not many:
                return quote(column.name)
            return f"{names[column.table, int(match[2])]}.{quote(column.name)}"

        parts = ["SELECT " + ("DISTINCT " if self.distinct else "") + ", ".join(self.select), "FROM"]
        for source in self.sources:
            alias = f" AS {names[source.table.id, source.copy]}" if many else ""
            if source.join:
                join = "LEFT JOIN" if source.left else "JOIN"
                parts.append(f"{join} {quote(source.table.name)}{alias} ON {source.join}")
            else:
                parts.append(quote(source.table.name) + alias)
        if self.where:
            parts.append("WHERE " + " AND ".join(self.where))
        if self.group:
            parts.append("GROUP BY " + ", ".join(self.group))
        if self.having:
            parts.append("HAVING " + self.having)
        if self.order:
            parts.append("ORDER BY " + ", ".join(self.order))
        if self.limit is not None:
            parts.append(f"LIMIT {self.limit}")
        return MARK.sub(name, " ".join(parts))
