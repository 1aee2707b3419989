"""Conversations made up: a question, and what changes it.

A first question comes from the families that write one query over a table (families/basic.py and others); each edit below
turns its query into another and says only what changes, as people do. Now and then somebody asks something new.
"""

import copy
import random
import re
from typing import Callable

import families
import speech
from filters import condition, joined, quoted
from maker import Maker, Skip
from query import MARK, Query, at
from schema import Column, Table, literal
from words import listing, plural_phrase

OPENINGS = ("basic", "joins", "groups", "counts", "everyday", "terse")
LENGTHS = (1, 1, 1, 2, 2, 3)  # changes after the first question
POLITE = 0.08  # how often somebody says thanks or ok first
EQUAL = re.compile("^\x00(\\d+)#(\\d+)\x00 = (.+)$", re.S)
COMPARED = re.compile("^\x00(\\d+)#(\\d+)\x00 (>|<|>=|<=) (-?[\\d.]+)$")
AGGREGATE = re.compile(r"\b(COUNT|SUM|AVG|MIN|MAX)\s*\(")

Edit = Callable[[Maker, Query, Table], str]
EDITS: list[tuple[float, Edit]] = []


def edit(weight: float) -> Callable:
    """Registers an edit: it changes the query and returns what is said, or raises Skip."""

    def register(write: Edit) -> Edit:
        EDITS.append((weight, write))
        return write

    return register


def lists_rows(query: Query) -> bool:
    return not query.group and not any(AGGREGATE.search(item) for item in query.select)


def counts_rows(query: Query) -> bool:
    return not query.group and query.select == ["COUNT(*)"]


def shown_columns(query: Query) -> set[int]:
    return {int(found[1]) for item in query.select for found in MARK.finditer(item)}


def others(m: Maker, query: Query, table: Table) -> list[Column]:
    """Columns of the thing that are not shown yet."""
    shown = shown_columns(query)
    return [c for c in m.plain(table) if c.id not in shown]


def some_others(m: Maker, query: Query, table: Table, most: int = 2) -> list[Column]:
    columns = others(m, query, table)
    if not columns:
        raise Skip
    return m.rng.sample(columns, min(len(columns), m.rng.choice([1, 1, 1, most])))


def things(m: Maker, table: Table) -> str:
    """How the rows before are called now: by a pronoun, or by their noun."""
    return m.rng.choice([f"those {m.many(table)}", f"these {m.many(table)}", "them", "those", "these", f"the {m.many(table)}"])


@edit(6)
def other_columns(m: Maker, query: Query, table: Table) -> str:
    """Other columns of the same rows; of counted ones as well."""
    if not lists_rows(query) and not counts_rows(query):
        raise Skip
    if query.limit == 1 and m.chance(0.5):
        return other_column_of_one(m, query, table)
    columns = some_others(m, query, table)
    query.select = [at(c) for c in columns]
    query.distinct = False
    return m.say("""
        what are their {c}
        [show|list|give me|tell me|what are] [their|the] {c}
        what [is|are] the {c} of {g}
        [and|and what about|what about|how about] [their|the] {c}
        [and|] their {c}
        [show|give|list] [me|] [only|just|] the {c} [of|for] {g}
        [just|only] [the|their] {c} [please|]
        [show|list] the {c} [for each|of each] [of them|one|]
        i [want|need] [their|the] {c} [instead|]
        can you [show|list|give] [me|] their {c}
        {c} [instead|please|]
        for {g}, [show|list] the {c}
        """, c=listing([m.nouns(c) for c in columns]), g=things(m, table))


def other_column_of_one(m: Maker, query: Query, table: Table) -> str:
    columns = some_others(m, query, table)
    query.select = [at(c) for c in columns]
    return m.say("""
        what is its {c}
        what is [the|] {c} of [this|that|the] {t}
        [and|] [its|the] {c}
        [show|tell me|give me] [its|the] {c}
        what {c} does [it|this {t}|that {t}] have
        [what about|how about] [its|the] {c}
        """, c=listing([m.noun(c) for c in columns]), t=m.one(table))


@edit(1.2)
def all_columns(m: Maker, query: Query, table: Table) -> str:
    if not lists_rows(query) and not counts_rows(query) or query.select == ["*"] or len(query.sources) > 1:
        raise Skip
    query.select, query.distinct = ["*"], False
    return m.say("""
        [show|list|give] [me|] all [their|the] [details|information|columns|data] [about|of|on|for] {g}
        tell me [more|everything] about {g}
        [what|which] are they
        show all [information|details|columns]
        everything about {g}
        [show|list] {g}
        """, g=things(m, table))


@edit(2.5)
def more_columns(m: Maker, query: Query, table: Table) -> str:
    if not lists_rows(query) or "*" in query.select or query.distinct:
        raise Skip
    columns = some_others(m, query, table)
    query.select = query.select + [at(c) for c in columns]
    return m.say("""
        [also|please also|can you also] [show|list|include|add|give me] [their|the] {c}
        add [their|the|] {c} [too|as well|]
        [include|with] [their|the|] {c} [too|as well|also]
        and [their|the|] {c} [too|as well|also]
        show [their|the] {c} [too|as well|along with that|next to it]
        [put|] the {c} next to [it|them]
        """, c=listing([m.nouns(c) for c in columns]))


@edit(3)
def how_many(m: Maker, query: Query, table: Table) -> str:
    if not lists_rows(query) or query.limit is not None or query.distinct or len(query.sources) > 1:
        raise Skip
    query.select, query.order = ["COUNT(*)"], []
    return m.say("""
        how many [is that|are there|are those|are they|in total|of them are there|do we have|of those|]
        [and|] how many [{ts}|] [are there|are those|is that|]
        count them
        [what is|what's] the [total|] number [of {g}|of them|]
        how many {ts} is that
        [the|] number of {g}
        """, ts=m.many(table), g=things(m, table))


def some_filter(m: Maker, query: Query, table: Table):
    found = condition(m, table, simple=m.chance(0.6))
    if found.either or any(found.column and f"\x00{found.column.id}#" in item for item in query.where):
        raise Skip
    return found


@edit(6)
def narrower(m: Maker, query: Query, table: Table) -> str:
    """One condition more."""
    if query.limit is not None and m.chance(0.8):
        raise Skip
    found = some_filter(m, query, table)
    query.where = query.where + [found.sql]
    ones = joined(m, [found], "ones")
    what = joined(m, [found], m.many(table))
    return m.say("""
        [only|just|now only|show only|keep only] [the|] {o}
        [which|what] of [them|those|these] [are|] {a}
        [only|just] [those|the ones] {a}
        [of those|of these|among them|from those], [show|list|which are|give me] the {o}
        what about [only|just|] [the|] {w}
        [now|] [only|just] {w}
        and [only|just] the {o}
        [limit|restrict|narrow] [it|that|them] [down|] to [the|] {o}
        [filter|] for [the|] {o}
        """ if found.after else """
        [only|just|now only|show only|keep only] [the|] {o}
        [which|what] of [them|those|these] are {b}
        [of those|of these|among them], [show|list|which are] the {o}
        [now|] [only|just] {w}
        are any of [them|those] {b}
        and the {o}
        [limit|restrict|narrow] [it|that|them] [down|] to [the|] {o}
        """, o=ones, w=what, a=found.after, b=found.before)


@edit(3)
def who_are_they(m: Maker, query: Query, table: Table) -> str:
    """Counted first, then shown, with one condition more."""
    if not counts_rows(query) or not m.names(table):
        raise Skip
    query.select = m.shown(table).sql
    if m.chance(0.4):
        found = some_filter(m, query, table)
        query.where = query.where + [found.sql]
        return m.say("[show|list|what are] [me|] the names of the {o}\n[which|who] are the {o}", o=joined(m, [found], "ones"))
    return m.say("""
        [what|which|who] are they
        [show|list] [them|their names|me their names]
        what are their names
        [give me|show|list] [the|their] names [of {g}|]
        name them
        """, g=things(m, table))


def literal_filter(m: Maker, query: Query):
    """One equality with a text or number: its place, its column, the literal."""
    found = []
    for i, item in enumerate(query.where):
        match = EQUAL.match(item)
        if match and "\x00" not in match[3] and " AND " not in match[3] and " OR " not in match[3]:
            column = m.schema.columns[int(match[1])]
            if len(column.values) > 1 and column.kind != "key":
                found.append((i, column, match))
    return m.pick(found)


@edit(5)
def another_value(m: Maker, query: Query, table: Table) -> str:
    i, column, match = literal_filter(m, query)
    value = m.cell(column)
    if literal(value) == match[3]:
        raise Skip
    query.where = [*query.where]
    query.where[i] = f"\x00{match[1]}#{match[2]}\x00 = {literal(value)}"
    return m.say("""
        [what about|how about|and|and for|same for|what about the|now for|and what about] {w}
        [and|] [the same|same] [thing|question|] for {w}
        [now|] [do|show] [it|that|the same] for {w}
        [make|change] [that|it] [to|] {w}
        {w} instead
        what about [those|the ones] [with|whose] {n} {w}
        and [in|of|from] {w}
        i meant {w}
        """, w=quoted(m, value), n=m.noun(column))


@edit(1.5)
def another_number(m: Maker, query: Query, table: Table) -> str:
    found = [(i, match) for i, item in enumerate(query.where) if (match := COMPARED.match(item))]
    i, match = m.pick(found)
    column = m.schema.columns[int(match[1])]
    value = m.number(column)
    if value == match[4]:
        raise Skip
    flip = m.chance(0.4)
    sign = {">": "<", "<": ">", ">=": "<=", "<=": ">="}[match[3]] if flip else match[3]
    query.where = [*query.where]
    query.where[i] = f"\x00{match[1]}#{match[2]}\x00 {sign} {value}"
    way = {">": "<more>", "<": "<less>", ">=": "<least>", "<=": "<most>"}[sign]
    said = m.say(way)
    return m.say("""
        [what about|how about|and|and what about] {s} {v}
        [make|change] [it|that] [to|] {s} {v}
        [and|] with [a|] {n} {s} {v}
        {s} {v} instead
        """, s=said, v=value, n=m.noun(column))


@edit(1.5)
def the_others(m: Maker, query: Query, table: Table) -> str:
    """The contrary of a condition."""
    i, column, match = literal_filter(m, query)
    query.where = [*query.where]
    query.where[i] = f"\x00{match[1]}#{match[2]}\x00 != {match[3]}"
    word = match[3].strip("'")
    return m.say("""
        [what about|how about|and] [those|the ones|the {ts}] [that are not|not in|whose {n} is not|without] {w}
        [and|what about] the ones not {w}
        [now|] [everything|all|all {ts}|the {ts}] [except|but|other than|excluding] {w}
        not {w} [please|this time|]
        exclude {w} instead
        """, w=word, n=m.noun(column), ts=m.many(table))


@edit(2)
def wider(m: Maker, query: Query, table: Table) -> str:
    """One condition less."""
    i, column, match = literal_filter(m, query)
    query.where = [item for place, item in enumerate(query.where) if place != i]
    word = match[3].strip("'")
    return m.say("""
        [regardless of|whatever|irrespective of] [the|] {n}
        for [any|all|every] {n}
        [without|drop|remove|leave out|forget|ignore] the {n} [condition|filter|restriction|]
        [not only|not just] {w}
        [and|] for all [of them|{ts}], not [just|only] {w}
        [drop|remove|forget about] {w}
        [and|] [in general|overall|in total]
        """ if len(query.where) == 0 else """
        [regardless of|whatever|irrespective of] [the|] {n}
        for [any|all|every] {n}
        [without|drop|remove|leave out|ignore] the {n} [condition|filter|restriction|]
        [not only|not just] {w}
        [drop|remove|forget about] {w}
        """, n=m.noun(column), w=word, ts=m.many(table))


def ranked_column(m: Maker, table: Table) -> Column:
    return m.pick(table.of_kind("measure", "date", "year"))


@edit(4)
def ordered(m: Maker, query: Query, table: Table) -> str:
    if not lists_rows(query) or query.limit is not None or query.distinct:
        raise Skip
    column, down = m.pick(table.of_kind("measure", "date", "year", "name", "last")), m.chance(0.5)
    query.order = [at(column) + (" DESC" if down else "")]
    return m.say("""
        [sort|order|rank|arrange] [them|these|those|it|the results|that|] by {n} {w}
        [now|] [sorted|ordered] by {n} {w}
        [in|] order of {n} {w}
        [can you|please] [sort|order] [them|that|it] by [their|the|] {n} {w}
        by {n} {w}
        [list|show] [them|these] [sorted|ordered|in order] by {n} {w}
        """, n=m.noun(column), w=m.say("<desc>" if down else "<asc>"))


@edit(1.5)
def turned_round(m: Maker, query: Query, table: Table) -> str:
    if len(query.order) != 1:
        raise Skip
    falls = query.order[0].endswith(" DESC")
    query.order = [query.order[0][:-5] if falls else query.order[0] + " DESC"]
    if query.limit == 1:
        return m.say("[and|what about|now] the <lowest> [one|]\n[which|what] [one|] has the <lowest>" if falls else
                     "[and|what about|now] the <highest> [one|]\n[which|what] [one|] has the <highest>")
    return m.say("""
        [the other way round|the other way around|reverse it|in reverse order|reversed|reverse the order|other way]
        [now|] [the opposite|in the opposite order]
        """ + ("\n[lowest|smallest] first\n<asc>" if falls else "\n[highest|largest] first\n<desc>")) or "reversed"


@edit(4)
def the_most(m: Maker, query: Query, table: Table) -> str:
    """Of these the one, or some, with the most of something."""
    if not lists_rows(query) or query.limit is not None:
        raise Skip
    column, up = ranked_column(m, table), m.chance(0.65)
    query.order = [at(column) + (" DESC" if up else "")]
    query.limit = 1 if m.chance(0.6) else m.limit()
    query.distinct = False
    high, low, _, _ = m.degrees(column)
    special = high if up else low
    words = {"e": m.say("<highest>" if up else "<lowest>"), "n": m.noun(column), "k": m.number_word(query.limit or 1), "g": things(m, table)}
    if special and m.chance(0.4):
        words["a"] = m.pick(special)
        return m.say("[which|what|who] [one|] [of them|of those|] is [the|] {a}\n[and|] the {a} [one|of them|of these]" if query.limit == 1
                     else "[the|] {k} {a} [ones|of them|of those]", **words)
    return m.say("""
        which [one|] [of them|of these|of those|] [has|had] the {e} {n}
        [and|] the one with the {e} {n}
        [only|just|show|show me|what about] the one with [the|] {e} {n}
        [of|among] {g}, which has the {e} {n}
        who [of them|] has the {e} {n}
        """ if query.limit == 1 else """
        [the|only the|just the|show the] {k} with the {e} {n}
        [only|just|show] [the|] [top|first] {k} by {n}
        [of|among] {g}, the {k} with the {e} {n}
        [which|what] {k} have the {e} {n}
        """.replace("[only|just|show] [the|] [top|first] {k} by {n}", "top {k} by {n}" if up else "bottom {k} by {n}"), **words)


@edit(2)
def fewer(m: Maker, query: Query, table: Table) -> str:
    """The first ones of what is in order, or another number of them."""
    if not query.order or not (lists_rows(query) or query.group):
        raise Skip
    number = 1 if m.chance(0.25) else m.limit()
    if number == query.limit:
        raise Skip
    query.limit = number
    if number == 1:
        return m.say("[only|just|] the [first|top] one\n[only|just|show] the first [one|row|]\n[which|what] is [the first|on top|number one]")
    return m.say("""
        [only|just|show|show me|] the [first|top] {k} [ones|rows|of them|]
        top {k} [only|please|]
        [limit|cut] [it|that] to {k}
        [make|] [it|that] {k} [please|instead|]
        """, k=m.number_word(number))


@edit(4)
def grouped(m: Maker, query: Query, table: Table) -> str:
    """How many of them for each of something."""
    if query.group or query.limit is not None or not (lists_rows(query) or counts_rows(query)):
        raise Skip
    column = m.pick(table.of_kind("category", "category", "year", "flag"))
    if any(f"\x00{column.id}#" in item for item in query.where):
        raise Skip
    counted = counts_rows(query)
    query.select, query.group, query.order, query.distinct = [at(column), "COUNT(*)"], [at(column)], [], False
    return m.say("""
        [by|per|for each|split by|broken down by|for every] {n}
        [and|now|] [by|per] {n}
        [break|split] [it|that|them] [down|up|] by {n}
        how many [are there|] [per|for each|in each|of each] {n}
        """ if counted else """
        how many [are there|of them are there|] [per|for each|in each|of each] {n}
        count [them|those] [by|per] {n}
        [break|split] [them|those] [down|up] by {n} [and count|with counts]
        [the|] number [of them|] [per|for each|by] {n}
        how many [of those|of them|] by {n}
        """, n=m.noun(column))


@edit(2.5)
def aggregated(m: Maker, query: Query, table: Table) -> str:
    """One figure of the same rows."""
    if query.group or query.limit is not None or len(query.sources) > 1:
        raise Skip
    measure = m.pick(m.measures(table))
    kind, words = m.pick([("AVG", "[average|mean|avg]"), ("SUM", "[total|overall|sum of the]"), ("MAX", "[highest|maximum|largest]"), ("MIN", "[lowest|minimum|smallest]")])
    said = f"{kind}({at(measure)})"
    if query.select == [said]:
        raise Skip
    query.select, query.order, query.distinct = [said], [], False
    return m.say("""
        what is [their|the] {w} {n}
        [and|] [their|the] {w} {n} [of {g}|]
        [what about|how about] [their|the] {w} {n}
        {w} {n} [of {g}|of them|]
        [tell|give|show] me [their|the] {w} {n}
        """, w=m.say(words), n=m.noun(measure), g=things(m, table))


@edit(2)
def other_figure(m: Maker, query: Query, table: Table) -> str:
    """Another figure for the same groups."""
    if len(query.group) != 1 or len(query.select) != 2 or query.having or query.limit is not None or len(query.sources) > 1:
        raise Skip
    measure = m.pick(m.measures(table))
    kind, words = m.pick([("AVG", "[average|mean|avg]"), ("SUM", "[total|sum of]"), ("MAX", "[highest|maximum]"), ("MIN", "[lowest|minimum]")])
    said = f"{kind}({at(measure)})"
    if said in query.select:
        raise Skip
    also = m.chance(0.3)
    query.select = [*query.select, said] if also else [query.select[0], said]
    query.order = []
    return m.say("[also|] add the {w} {n}\n[and|also] the {w} {n} too\nalso [show|include] the {w} {n}" if also else """
        [and|] the {w} {n} [instead|]
        [what about|how about] the {w} {n}
        {w} {n} instead
        show the {w} {n} [for each|per group|instead]
        what is the {w} {n} [for each|for each of them|of each]
        """, w=m.say(words), n=m.noun(measure))


@edit(2)
def groups_ranked(m: Maker, query: Query, table: Table) -> str:
    """The groups in order of their figure, or the first of them."""
    if len(query.group) != 1 or len(query.select) != 2 or query.limit is not None or not AGGREGATE.search(query.select[1]):
        raise Skip
    up = m.chance(0.7)
    query.order = [query.select[1] + (" DESC" if up else "")]
    dice = m.rng.random()
    if dice < 0.4:
        return m.say("[sort|order] [them|it|that] by [the|] [count|number|figure|value] <desc>\n<desc>" if up else
                     "[sort|order] [them|it|that] by [the|] [count|number|figure|value] <asc>\n[lowest|smallest] first")
    if dice < 0.75:
        query.limit, query.select = 1, query.select[:1]
        return m.say("which [one|] has the [most|highest number|largest number]\nwhich [one|of them] is [the|] [most common|highest]" if up else
                     "which [one|] has the [fewest|lowest number|smallest number]\nwhich [one|of them] is [the|] [least common|lowest]")
    query.limit = m.limit()
    return m.say("[only|just|] the [top|first] {k}\ntop {k}" if up else "[only|just|] the [bottom|lowest] {k}\nbottom {k}", k=m.number_word(query.limit))


@edit(2.5)
def parents(m: Maker, query: Query, table: Table) -> str:
    """A table joined on: what they belong to, beside them or alone."""
    if not (lists_rows(query) or counts_rows(query)) or len(query.sources) > 1 or query.order or query.limit:
        raise Skip
    key = m.pick([k for k in m.schema.main_keys if m.child(k) is table])
    parent = m.parent(key)
    names = m.names(parent)
    if not names:
        raise Skip
    also = lists_rows(query) and "*" not in query.select and not query.distinct and m.chance(0.5)
    query.join(key)
    query.select = (query.select if also else []) + [at(c) for c in names]
    words = {"p": m.one(parent), "ps": m.many(parent), "ts": m.many(table), "g": things(m, table)}
    return m.say("""
        [also|please also|] [show|add|include|list] [the|their] {p} [name|] [too|as well|]
        with [their|the] {p} [name|] [too|as well|]
        [add|include] the name of [their|the] {p}
        and [the name of|] their {p} [too|as well]
        """ if also else """
        [which|what] {ps} [are they in|do they belong to|are they from|are these from]
        what are the names of their {ps}
        [show|list|give me] the {p} [names|name] [of {g}|for each|]
        [and|what about] their {ps}
        [which|what] {ps} do {g} belong to
        """, **words)


@edit(1)
def only_different(m: Maker, query: Query, table: Table) -> str:
    if not lists_rows(query) or query.distinct or len(query.select) != 1 or query.select == ["*"] or query.limit:
        raise Skip
    query.distinct = True
    return m.say("""
        [only|just|show|show only] [the|] [distinct|unique|different] [ones|values|]
        [without|remove|no] [duplicates|doubles|repeats]
        each [only|just] once
        """)


@edit(1)
def how_many_different(m: Maker, query: Query, table: Table) -> str:
    if not lists_rows(query) or len(query.select) != 1 or query.select == ["*"] or query.limit or not MARK.fullmatch(query.select[0]):
        raise Skip
    query.select, query.distinct, query.order = [f"COUNT(DISTINCT {query.select[0]})"], False, []
    return m.say("how many [different|distinct|unique] [ones|values|] [are there|are those|]\ncount the [different|distinct|unique] ones")


def opening(m: Maker) -> tuple[str, Query]:
    known = families.of_groups(*OPENINGS)
    chosen = m.rng.choices(known, [f.weight for f in known])[0]
    question, query = chosen.write(m)
    if not isinstance(query, Query) or not query.sources or not m.is_said(question):
        raise Skip
    return question, query


def changed(m: Maker, query: Query) -> tuple[str, Query]:
    """One edit of the query; conditions and columns are those of its first table."""
    _, write = m.rng.choices(EDITS, [weight for weight, _ in EDITS])[0]
    table = query.sources[0].table
    if len(query.sources) > 1 and m.chance(0.5):
        table = m.pick([s.table for s in query.sources if s.copy == 0])
    after = copy.copy(query)
    after.sources = list(query.sources)
    said = write(m, after, table)
    if after.sql() == query.sql():
        raise Skip
    return said, after


def polite(rng: random.Random, text: str) -> str:
    word = rng.choice(["thanks!", "thank you.", "great,", "ok,", "good,", "nice,", "alright,", "perfect,", "thanks,", "ok and", "cool,", "got it.", "hmm,"])
    return f"{word} {text}"


def conversation(rng: random.Random, schema, loose: float) -> list[dict]:
    """Turns of {question, query}; at least two."""
    m = Maker(schema, rng, loose)
    question, query = opening(m)
    turns = [{"question": speech.finish(rng, question, m.values), "query": query.sql()}]
    for _ in range(rng.choice(LENGTHS)):
        for _ in range(12):
            try:
                m.said = []
                said, query = changed(m, query)
                break
            except Skip:
                continue
        else:
            break
        said = polite(rng, said) if rng.random() < POLITE else said
        turns.append({"question": speech.finish(rng, said, m.values), "query": query.sql()})
    if len(turns) < 2:
        raise Skip
    return turns


def talk(rng: random.Random, schemas: list) -> dict | None:
    """The last turn of a conversation, with what was said before it."""
    for _ in range(4):
        try:
            schema = rng.choice(schemas)
            turns = conversation(rng, schema, rng.choice([0.05, 0.2, 0.4]))
        except Skip:
            continue
        return {"db_id": schema.db_id, "history": turns[:-1][-2:], **turns[-1]}
    return None
