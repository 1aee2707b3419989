"""What every question family is built from: nouns, shown columns, conditions, measures."""

import random
from dataclasses import dataclass, field
from functools import cached_property

import speech
from lexicon import COLUMN_NOUNS, DEGREE_ALIASES, DEGREES, PEOPLE, TABLE_NOUNS
from query import Query, at
from schema import Column, Formula, Key, Schema, Table, is_called_like, key_words, own_words
from thesaurus import synonyms
from words import long_form, plural_phrase, singular, singular_phrase


# cells that nobody could tell from the words around them
HOPELESS = set("""a i s as in at on is it no not all any or and the of to by for none null unknown other yes
    return show list find get name type total per each with from new""".split())


class Skip(Exception):
    """This family has nothing to say about this schema: try another."""


@dataclass
class Measure:
    """A number of a row: what it is called, how it is written, what its degrees are."""

    sql: str
    noun: str
    column: Column | None = None
    formula: Formula | None = None


@dataclass
class Shown:
    """How things of a table are shown: the selected expressions and the words for them."""

    sql: list[str]
    noun: str


@dataclass
class Maker:
    schema: Schema
    rng: random.Random
    loose: float = 0.15  # how often a related word stands for a name
    values: list = field(default_factory=list)  # values used: they must not get typos
    said: list = field(default_factory=list)  # conditions: their words must be in the question

    # choosing

    def pick(self, items: list):
        if not items:
            raise Skip
        return self.rng.choice(items)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def say(self, text: str, **words) -> str:
        return speech.wording(self.rng, text, **words)

    def query(self, *tables: Table) -> Query:
        query = Query(self.schema)
        for table in tables:
            query.add(table)
        return query

    def table(self, test=None) -> Table:
        tables = [t for t in self.schema.tables if t.columns and (test is None or test(t))]
        loud = [t for t in tables if "quiet" not in t.hints.no]  # summaries beside the real thing
        return self.pick(loud if self.chance(0.93) else tables)

    def key(self) -> tuple[Key, Table, Table]:
        """A foreign key between two tables, the only one between them: key, child, parent."""
        key = self.pick(self.schema.main_keys)
        return key, self.child(key), self.parent(key)

    def child(self, key: Key) -> Table:
        return self.schema.table_of(key.child)

    def parent(self, key: Key) -> Table:
        return self.schema.table_of(key.parent)

    # words

    def one(self, table: Table) -> str:
        """A noun for one thing of the table."""
        return singular_phrase(self.table_noun(table))

    def many(self, table: Table) -> str:
        return plural_phrase(self.table_noun(table))

    def table_noun(self, table: Table) -> str:
        if self.chance(self.loose * 0.3) and self.people(table) and self.main_people is table:
            return self.rng.choice(["person", "person", "staff", "person"])
        phrase = long_form(table.phrase) if self.chance(0.85) else table.phrase
        if self.chance(self.loose):
            if table.hints.nouns:
                return self.rng.choice(table.hints.nouns)
            head = singular(phrase.split()[-1])
            other = self.synonym(head, TABLE_NOUNS)
            if other:
                return " ".join([*phrase.split()[:-1], other])
        return singular_phrase(phrase)

    def noun(self, column: Column) -> str:
        """A noun for a column: its name, mostly without the table's, or a related word."""
        table = self.schema.tables[column.table]
        if is_called_like(column.words, table.words) and self.chance(0.7):
            return "name"  # not `the campus of the campuses`
        words = own_words(table, column) if self.chance(0.65) else column.words
        phrase = " ".join(words)
        if words[0] == "is" and len(words) > 1:
            phrase = " ".join(words[1:])
        if self.chance(0.85):
            phrase = long_form(phrase)
        if self.chance(self.loose):
            if column.hints.nouns:
                return self.rng.choice(column.hints.nouns)
            for form in (phrase, phrase.split()[-1]):
                other = self.synonym(form, COLUMN_NOUNS)
                if other:
                    front = phrase[: len(phrase) - len(form)] if self.chance(0.5) else ""
                    return front + other
        return phrase

    def synonym(self, word: str, lists: dict[str, list[str]]) -> str | None:
        """From our list, or (where that has none, and now and then) from the thesaurus."""
        if word in lists and self.chance(0.7):
            return self.rng.choice(lists[word])
        found = synonyms(word, self.schema.words)
        return self.rng.choice(found) if found else None

    def nouns(self, column: Column) -> str:
        return plural_phrase(self.noun(column)) if self.chance(0.7) else self.noun(column)

    def people(self, table: Table) -> bool:
        return singular(table.words[-1]) in PEOPLE or bool(table.of_kind("first"))

    @cached_property
    def main_people(self) -> Table | None:
        """The table that `people` means: the only one of people, or the only one with first names."""
        tables = [t for t in self.schema.tables if self.people(t)]
        named = [t for t in tables if t.of_kind("first")]
        found = tables if len(tables) == 1 else named
        return found[0] if len(found) == 1 else None

    # shown columns

    def names(self, table: Table) -> list[Column]:
        """What a thing is known by: first and last name, or its name; may be empty."""
        first, last = table.of_kind("first"), table.of_kind("last")
        if first and last:
            return [first[0], last[0]]
        return (table.of_kind("name") or last)[:1]

    def shown(self, table: Table, copy: int = 0) -> Shown:
        """The thing itself, when a question says `customers` and no column."""
        columns = self.names(table)
        if columns:
            plain = len(columns) == 2 or is_called_like(columns[0].words, table.words)
            noun = "names" if plain or self.chance(0.4) else self.nouns(columns[0])
            return Shown([at(c, copy) for c in columns], noun)
        raise Skip

    def above(self, table: Table) -> Key | None:
        """The key to the table that names things of this one: drivers are employees, and employees have names."""
        if self.names(table):
            return None
        for key in self.schema.parents(table.id):
            child, parent = self.schema.columns[key.child], self.schema.table_of(key.parent)
            if not (self.names(parent) and self.schema.columns[key.parent].primary):
                continue
            called = key_words(child) == [singular(w) for w in long_form(table.phrase).split()]
            alone = len(child.values) > 1 and len(child.values) == min(table.rows, 80)  # no row twice
            if self.schema.own and child.primary or not self.schema.own and alone and (
                    child.primary and called or self.people(table) and self.people(parent) and not set(table.words) & set(parent.words)):
                return key
        return None

    def shown_or_all(self, table: Table) -> list[str]:
        """As `shown`, or the whole row where a thing has no name."""
        return self.rows(table, "*")

    def rows(self, table: Table, star: str) -> list[str]:
        """The names of things, or `star`; not for things that another table names."""
        columns = self.names(table)
        if not columns and self.above(table):
            raise Skip
        return [at(c) for c in columns] or [star]

    def plain(self, table: Table) -> list[Column]:
        return [c for c in table.columns if c.kind != "key"]

    # measures

    def measures(self, table: Table) -> list[Column]:
        return table.of_kind("measure")

    def measure(self, table: Table, formulas: bool = True) -> Measure:
        choices: list = list(self.measures(table))
        if formulas:
            choices += [f for f in table.formulas for _ in range(2)]
        choice = self.pick(choices)
        if isinstance(choice, Formula):
            return Measure(choice.sql, self.pick(choice.nouns), formula=choice)
        return Measure(at(choice), self.noun(choice), column=choice)

    def degrees(self, column: Column) -> tuple[list[str], list[str], list[str], list[str]]:
        """Superlatives and comparatives of a column; empty lists when it has none."""
        if column.hints.high or column.hints.low:
            return column.hints.high, column.hints.low, [], []
        if {"birth", "dob", "birthday", "birthdate", "born"} & set(column.words) and column.kind in ("date", "text", "year"):
            return DEGREES["birth"]
        if column.kind == "date" and {"hire", "hired", "hiredate", "joined", "employed"} & set(column.words) and not {"first", "last"} & set(column.words):
            return DEGREES["hire"]
        if "cost" in column.words and any("price" in c.words for c in self.schema.tables[column.table].columns):
            return [], [], [], []  # what buyers pay decides what is cheap
        words = list(reversed(column.words))
        for word in words[:2]:
            word = DEGREE_ALIASES.get(word, word)
            if word in DEGREES:
                return DEGREES[word]
        if column.kind == "date":
            return DEGREES["date"]
        return [], [], [], []

    def is_said(self, question: str) -> bool:
        """Whether no condition got lost in a wording that has no place for it."""
        text = " ".join(question.lower().split())
        return all(" ".join(words.lower().split()[-2:]) in text for found in self.said
                   for words in (found.before, found.after) if words)

    # values

    def cell(self, column: Column):
        value = self.pick(column.values)
        if str(value).lower() in HOPELESS:
            raise Skip
        self.values.append(value)
        return value

    def number(self, column: Column) -> str:
        """A number worth comparing the column with: rounder than the cells, within their range."""
        cells = sorted(v for v in column.values if isinstance(v, (int, float)))
        if len(cells) < 2 or cells[0] < 0 and self.chance(0.7):
            raise Skip
        value = self.rng.choice(cells[len(cells) // 10:] if len(cells) > 9 else cells)
        if column.kind == "year":
            return str(int(value))
        if self.chance(0.6) and value >= 10:
            digits = 10 ** (len(str(int(value))) - self.rng.choice([1, 1, 2]))
            value = max(digits, round(value / digits) * digits) if digits >= 1 else value
        value = round(value, 2)
        return str(int(value)) if value == int(value) else str(value)

    def limit(self) -> int:
        return self.rng.choice([2, 3, 3, 4, 5, 5, 5, 6, 7, 8, 10, 10, 12, 15, 20])

    def number_word(self, number: int) -> str:
        words = "zero one two three four five six seven eight nine ten".split()
        return words[number] if 0 <= number <= 10 and self.chance(0.35) else str(number)
