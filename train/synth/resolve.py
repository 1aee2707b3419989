"""SQL read just far enough to know which tables, columns and literals its words are."""

import re
from dataclasses import dataclass, field

from schema import Schema

TOKEN = re.compile(r"""\s*("(?:[^"]|"")*"|'(?:[^']|'')*'|`[^`]*`|\d+\.\d+|\d+|[A-Za-z_]\w*|<=|>=|!=|<>|[^\s])""")
CLAUSES = {"where", "group", "order", "having", "limit"}
SET_WORDS = {"union", "intersect", "except"}
WORDS = CLAUSES | SET_WORDS | set(
    """select distinct from join inner left outer on as and or not in between like is null by asc desc all
    exists case when then else end over partition offset""".split()
)
FUNCTIONS = {"count", "sum", "avg", "min", "max", "cast", "strftime", "julianday", "date", "abs", "round", "length",
             "row_number", "rank", "dense_rank", "coalesce", "nullif", "lower", "upper", "substr"}
COMPARES = {"=", "!=", "<>", "<", ">", "<=", ">=", "like"}


class Unclear(Exception):
    """Some word of the SQL could not be told apart."""


@dataclass
class Token:
    text: str
    start: int
    end: int
    scope: int = 0

    @property
    def word(self) -> str:
        return self.text.lower()


@dataclass
class Scope:
    outer: int
    names: dict[str, int] = field(default_factory=dict)  # alias or name -> table
    tables: list[int] = field(default_factory=list)


@dataclass
class Resolved:
    """`tables` and `columns`: token -> id. `literals`: token -> compared column, "limit", "count" or None."""

    sql: str
    tokens: list[Token]
    tables: dict[int, int]
    columns: dict[int, int]
    literals: dict[int, object]

    def replace(self, changes: dict[int, str]) -> str:
        """The SQL with some tokens exchanged."""
        sql = self.sql
        for i in sorted(changes, reverse=True):
            sql = sql[: self.tokens[i].start] + changes[i] + sql[self.tokens[i].end:]
        return sql


def tokenize(sql: str) -> list[Token]:
    return [Token(m[1], m.start(1), m.end(1)) for m in TOKEN.finditer(sql)]


def find_scopes(tokens: list[Token]) -> list[Scope]:
    """Numbers every SELECT; a set operation ends one and begins its sister."""
    scopes: list[Scope] = []
    stack: list[tuple[int, int]] = []  # (scope, depth of brackets)
    depth = 0
    for token in tokens:
        if token.text == "(":
            depth += 1
        elif token.text == ")":
            while stack and stack[-1][1] == depth:
                stack.pop()
            depth -= 1
        elif token.word in SET_WORDS:
            if stack and stack[-1][1] == depth:
                stack.pop()
        elif token.word == "select":
            scopes.append(Scope(stack[-1][0] if stack else -1))
            stack.append((len(scopes) - 1, depth))
        token.scope = stack[-1][0] if stack else -1
    return scopes


def bare(text: str) -> str:
    return text.strip('`"').lower()


def read_sources(tokens: list[Token], scopes: list[Scope], by_name: dict[str, int]) -> tuple[dict[int, int], set[int]]:
    """Tables of each FROM, and the tokens that are aliases."""
    tables: dict[int, int] = {}
    aliases: set[int] = set()
    expect: set[int] = set()  # scopes whose next name is a table
    inside: set[int] = set()  # scopes within FROM
    for i, token in enumerate(tokens):
        scope = token.scope
        if token.word in ("from", "join") or (token.text == "," and scope in inside and tokens[i - 1].text != ")"):
            expect.add(scope)
            inside.add(scope)
        elif token.word in CLAUSES | SET_WORDS | {"on"}:
            expect.discard(scope)
            inside.discard(scope)
        elif scope in expect and token.text != "(":
            name = bare(token.text)
            if name not in by_name:
                raise Unclear(name)
            tables[i] = by_name[name]
            scopes[scope].tables.append(by_name[name])
            scopes[scope].names[name] = by_name[name]
            expect.discard(scope)
            follow = i + 1
            if follow < len(tokens) and tokens[follow].word == "as":
                follow += 1
            if follow < len(tokens) and re.match(r"[A-Za-z_]\w*$", tokens[follow].text) and tokens[follow].word not in WORDS:
                scopes[scope].names[tokens[follow].word] = by_name[name]
                aliases.add(follow)
        elif token.text == "(":
            expect.discard(scope)
    return tables, aliases


def compared_with(tokens: list[Token], columns: dict[int, int], i: int):
    """What the literal at `i` is compared with: a column, "limit", "count", or None."""
    at = i - 1
    if tokens[at].word == "limit":
        return "limit"
    if tokens[at].word == "and" and tokens[at - 2].word == "between":
        at -= 2
    while tokens[at].text in (",", "(") and at > 1:  # a list after IN
        at -= 1 if tokens[at].text == "(" else 2
    if tokens[at].word in COMPARES or tokens[at].word in ("between", "in"):
        at -= 1
        if tokens[at].word == "not":
            at -= 1
        if at in columns:
            return columns[at]
        if tokens[at].text == ")" and tokens[at - 1].text == "*":
            return "count"
        if tokens[at].text == ")" and at - 1 in columns:
            back = at - 2
            while tokens[back].text in (".", "(") or tokens[back].word == "distinct" or tokens[back - 1].text == "(":
                back -= 1
            return "count" if tokens[back].word == "count" else ("aggregate", columns[at - 1])
    return None


def resolve(sql: str, schema: Schema) -> Resolved:
    tokens = tokenize(sql)
    scopes = find_scopes(tokens)
    by_name = {table.name.lower(): table.id for table in schema.tables}
    tables, aliases = read_sources(tokens, scopes, by_name)
    owned = {(column.table, column.name.lower()): column.id for column in schema.columns[1:]}
    columns: dict[int, int] = {}
    literals: dict[int, object] = {}

    def look_up(name: str, scope: int, owner: str | None):
        while scope >= 0:
            if owner is not None:
                if owner in scopes[scope].names:
                    return owned.get((scopes[scope].names[owner], name))
            else:
                for table in scopes[scope].tables:
                    if (table, name) in owned:
                        return owned[table, name]
            scope = scopes[scope].outer
        return None

    for i, token in enumerate(tokens):
        text = token.text
        if i in tables or i in aliases or token.word in WORDS and text[0] != '"':
            continue
        if token.word in FUNCTIONS and i + 1 < len(tokens) and tokens[i + 1].text == "(":
            continue
        if text[0] in "'0123456789":
            literals[i] = None
        elif re.match(r'[A-Za-z_"`]', text):
            if i + 1 < len(tokens) and tokens[i + 1].text == "." and text[0] != '"':
                continue  # an alias in front of its column
            owner = bare(tokens[i - 2].text) if i > 1 and tokens[i - 1].text == "." else None
            column = look_up(bare(text), token.scope, owner)
            if column is not None:
                columns[i] = column
            elif text[0] == '"':
                literals[i] = None
            else:
                raise Unclear(text)
    for i in literals:
        literals[i] = compared_with(tokens, columns, i)
    return Resolved(sql, tokens, tables, columns, literals)


def literal_text(text: str) -> str:
    """The value of a literal token."""
    if text[0] in "'\"":
        return text[1:-1].replace(text[0] * 2, text[0])
    return text
