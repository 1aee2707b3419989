"""A database schema with what questions need to know about it: words, roles, sample values."""

import re
import sqlite3
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from words import long_form, singular, split_name

ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d([ T].*)?$")
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
RESERVED = set(
    """add all alter and as asc between by case check column commit constraint create cross current
    default delete desc distinct drop else end escape except exists foreign from full group having if in
    index inner insert intersect into is isnull join key left like limit match natural no not notnull
    null of offset on or order outer over plan primary references release replace right row rows select
    set table then to transaction trigger union unique update using values view when where window with
    """.split()
)
NAME_WORDS = {"name", "title", "username", "nickname", "fullname", "label"}
FIRST_NAMES = ("first name", "fname", "forename", "given name", "name first")
LAST_NAMES = ("last name", "lname", "surname", "family name", "name last")
AUDIT_WORDS = {"created", "updated", "entered", "modified", "changed", "edited", "approved", "deleted", "creator"}
LONG_TEXT = {"description", "details", "comment", "notes", "content", "text", "summary", "url", "link",
             "password", "email", "phone", "address", "line", "data", "path", "image", "logo", "photo", "body"}
NUMBER_NAMES = {"code", "number", "phone", "zip", "no", "zipcode", "postcode", "num", "latitude", "longitude",
                "fax", "ssn", "isbn", "lat", "long", "telephone"}
FLAG_PAIRS = ({"0", "1"}, {"t", "f"}, {"y", "n"}, {"yes", "no"}, {"true", "false"})


@dataclass
class Hints:
    """What people call a thing when they do not use its name."""

    nouns: list[str] = field(default_factory=list)
    yes: list[str] = field(default_factory=list)  # adjectives or verbs for set, true, referred to
    no: list[str] = field(default_factory=list)
    high: list[str] = field(default_factory=list)  # superlatives
    low: list[str] = field(default_factory=list)


@dataclass
class Column:
    id: int
    table: int
    name: str
    words: list[str]
    type: str  # text, number, time, boolean, others
    kind: str = "text"  # key, name, first, last, category, text, measure, year, date, flag, code
    primary: bool = False
    foreign: bool = False
    nullable: bool = False
    values: list = field(default_factory=list)  # distinct sample, no NULL
    integer: bool = False
    hints: Hints = field(default_factory=Hints)

    @property
    def phrase(self) -> str:
        return " ".join(self.words)


@dataclass
class Formula:
    """A measure that is no column: revenue as price times quantity. `{column id}` stand in `sql`."""

    sql: str
    columns: list[int]
    nouns: list[str]
    table: int


@dataclass
class Fact:
    """A condition with a name of its own: delivered after promised is `late`. Columns are marked."""

    sql: str
    opposite: str  # empty where the contrary cannot be said simply
    columns: list[int]
    yes: list[str]
    no: list[str]
    rates: list[str]  # what its share is called: `punctuality`


@dataclass
class Rate:
    """One sum against another, with a name: clicks of impressions are the click through rate."""

    sql: str  # with the sums in it
    columns: list[int]
    nouns: list[str]


@dataclass
class Table:
    id: int
    name: str
    words: list[str]
    columns: list[Column] = field(default_factory=list)
    rows: int = 0
    hints: Hints = field(default_factory=Hints)
    formulas: list[Formula] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    rates: list[Rate] = field(default_factory=list)

    @property
    def phrase(self) -> str:
        return " ".join(self.words)

    def of_kind(self, *kinds: str) -> list[Column]:
        return [column for column in self.columns if column.kind in kinds]

    @property
    def primary(self) -> Column | None:
        keys = [column for column in self.columns if column.primary]
        return keys[0] if len(keys) == 1 else None


@dataclass
class Key:
    """A foreign key: `child` refers to `parent` (both column ids)."""

    child: int
    parent: int
    hints: Hints = field(default_factory=Hints)


@dataclass
class Schema:
    db_id: str
    tables: list[Table]
    columns: list[Column]  # columns[0] is None: it stands for `*`
    keys: list[Key]
    own: bool = False

    @cached_property
    def single_keys(self) -> list[Key]:
        """Keys between tables that no other key joins: no question has to say which."""
        ends = [(self.columns[k.child].table, self.columns[k.parent].table) for k in self.keys]
        return [k for k, (a, b) in zip(self.keys, ends)
                if a != b and ends.count((a, b)) + ends.count((b, a)) == 1]

    @cached_property
    def main_keys(self) -> list[Key]:
        """Single keys, and those of several whose column is called like the table or like its key:
        worker.team_id is the way from a worker to its team although team.lead_id leads back to a worker."""
        chosen = list(self.single_keys)
        for key in self.keys:
            child, parent = self.columns[key.child], self.table_of(key.parent)
            if key in chosen or child.table == parent.id:
                continue
            words = key_words(child)
            rivals = [k for k in self.keys if k is not key and self.columns[k.child].table == child.table
                      and self.table_of(k.parent) is parent and not AUDIT_WORDS & set(self.columns[k.child].words)]
            named = child.name.lower() == self.columns[key.parent].name.lower() != "id"
            like = words == [singular(w) for w in long_form(parent.phrase).split()]
            audit = AUDIT_WORDS & set(child.words)  # who typed it in says nothing about whose it is
            alone = not audit and not rivals and not any(
                self.columns[k.parent].table == child.table and self.columns[k.child].table == parent.id for k in self.keys)
            if like or named or alone or not rivals and words and words[-1:] == [singular(parent.words[-1])]:
                chosen.append(key)
        return chosen

    @cached_property
    def words(self) -> set[str]:
        """All words of its names, in the singular."""
        names = [t.words for t in self.tables] + [c.words for c in self.columns[1:]]
        return {singular(word) for words in names for word in words}

    def table_of(self, column: int) -> Table:
        return self.tables[self.columns[column].table]

    def children(self, table: int) -> list[Key]:
        return [key for key in self.keys if self.columns[key.parent].table == table
                and self.columns[key.child].table != table]

    def parents(self, table: int) -> list[Key]:
        return [key for key in self.keys if self.columns[key.child].table == table
                and self.columns[key.parent].table != table]

    def itself(self, table: int) -> list[Key]:
        return [key for key in self.keys if self.columns[key.child].table == table
                and self.columns[key.parent].table == table]


def key_words(column: Column) -> list[str]:
    """What a key column is called beyond `id`: `team` of team_id, `employee` of emp_no."""
    words = [w for w in column.words if w not in ("id", "code", "key", "no", "number")]
    return [singular(w) for w in long_form(" ".join(words)).split()]


def quote(name: str) -> str:
    if PLAIN.match(name) and name.lower() not in RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def literal(value) -> str:
    if isinstance(value, (int, float)):
        return number_text(value)
    return "'" + str(value).replace("'", "''") + "'"


def number_text(value: float) -> str:
    return str(int(value)) if float(value) == int(value) else str(round(value, 2))


def connect(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    base.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return base


def is_value(value) -> bool:
    """Whether a cell can be asked about: short, one line, without quotes."""
    text = str(value)
    return 0 < len(text) <= 40 and text.isprintable() and '"' not in text and text.strip() == text


def read_values(schema: Schema, path: Path, limit: int = 80) -> None:
    """Distinct cells and row counts; a table that cannot be read stays without."""
    base = connect(path)
    for table in schema.tables:
        try:
            table.rows = base.execute(f"SELECT COUNT(*) FROM {quote(table.name)}").fetchone()[0]
        except sqlite3.Error:
            continue
        for column in table.columns:
            rows = base.execute(
                f"SELECT DISTINCT {quote(column.name)} FROM {quote(table.name)} LIMIT {limit}"
            ).fetchall()
            column.nullable = any(row[0] is None for row in rows)
            column.values = [row[0] for row in rows if row[0] is not None and is_value(row[0])]
    base.close()


def is_called_like(column: list[str], table: list[str]) -> bool:
    """Whether a column bears its table's name: campus of campuses names the campus."""
    return [singular(word) for word in column] == [singular(word) for word in table]


def guess_kind(column: Column, table: Table) -> str:
    """The role of a column nobody described, from its name, type and cells."""
    last = column.words[-1]
    texts = {str(value).lower() for value in column.values}
    if column.primary or column.foreign or last in ("id", "ids", "key"):
        return "key"
    if column.values and texts in FLAG_PAIRS or (column.type == "boolean"):
        return "flag"
    if column.values and all(isinstance(v, str) and ISO_DATE.match(v) for v in column.values):
        return "date"
    if column.type == "number":
        if last in ("year", "founded") or column.words[0] == "year":
            return "year"
        if any(not isinstance(value, (int, float)) for value in column.values):
            return "text"
        return "code" if last in NUMBER_NAMES else "measure"
    if " ".join(column.words).endswith(FIRST_NAMES):
        return "first"
    if " ".join(column.words).endswith(LAST_NAMES):
        return "last"
    if last in NAME_WORDS or table is not None and is_called_like(column.words, table.words) and column.type == "text":
        return "name"
    if last in LONG_TEXT or last in NUMBER_NAMES or column.type == "time":
        return "text"
    if column.values and len(column.values) <= 30:
        return "category"
    return "text"


def from_tables_json(entry: dict, database: Path) -> Schema:
    """A schema in Spider's layout; the readable names there are what people would say."""
    tables = [
        Table(i, name, entry["table_names"][i].lower().split() or split_name(name))
        for i, name in enumerate(entry["table_names_original"])
    ]
    columns: list = [None]
    for i, (table, name) in enumerate(entry["column_names_original"]):
        if i == 0:
            continue
        words = entry["column_names"][i][1].lower().split() or split_name(name)
        column = Column(i, table, name, words, entry["column_types"][i])
        column.primary = i in entry["primary_keys"]
        columns.append(column)
        tables[table].columns.append(column)
    for table in tables:
        if table.name.startswith("sqlite_"):
            table.columns = []  # the database's own: nobody asks about it
    keys = [Key(child, parent) for child, parent in entry["foreign_keys"]]
    for key in keys:
        columns[key.child].foreign = True
    schema = Schema(entry["db_id"], tables, columns, keys)
    path = database / entry["db_id"] / f"{entry['db_id']}.sqlite"
    if path.exists():
        read_values(schema, path)
    for table in tables:
        for column in table.columns:
            column.kind = guess_kind(column, table)
            column.integer = all(isinstance(value, int) for value in column.values)
        name_by_details(table)
    return schema


def name_by_details(table: Table) -> None:
    """Things without a name are told by their details: customers.customer_details."""
    if table.of_kind("name", "first", "last"):
        return
    for column in table.of_kind("text", "category"):
        if column.words[-1] in ("details", "detail") and is_called_like(column.words[:-1], table.words):
            column.kind = "name"


def own_words(table: Table, column: Column) -> list[str]:
    """The column's words without the table's in front: `customer name` of customers -> `name`."""
    words = column.words
    front = [singular(word) for word in table.words]
    if len(words) > len(front) and [singular(word) for word in words[: len(front)]] == front:
        return words[len(front):]
    if len(words) > 1 and singular(words[0]) == front[-1]:
        return words[1:]
    return words
