"""One table: lists, counts, conditions, aggregates, superlatives, order."""

from families import Pair, family
from filters import condition, joined, number_compare, some, spoken
from maker import Maker, Skip
from query import at
from words import listing, plural_phrase

AGGREGATES = [
    ("AVG", "[average|avg|mean|average|avg.]"),
    ("AVG", "[average|avg|typical]"),
    ("SUM", "[total|sum of|overall|total|combined|summed]"),
    ("MAX", "[maximum|highest|largest|max|top|greatest|biggest]"),
    ("MIN", "[minimum|lowest|smallest|min|least]"),
]


def some_columns(m: Maker, table) -> list:
    """One to three columns to show, often with the name among them."""
    columns = m.plain(table)
    if not columns:
        raise Skip
    chosen = m.rng.sample(columns, min(len(columns), m.rng.choice([1, 1, 2, 2, 3])))
    names = m.names(table)
    if names and names[0] not in chosen and m.chance(0.5):
        chosen[0] = names[0]
    return chosen


@family(4)
def list_columns(m: Maker) -> Pair:
    table = m.table()
    columns = some_columns(m, table)
    query = m.query(table)
    query.select = [at(c) for c in columns]
    nouns = listing([m.nouns(c) for c in columns])
    return m.say("""
        <lead> <the> {c} [of|of|for] [all|the|each|every|all the|] {ts}
        <lead> [the|] {c} [of|for] [each|every] {t}
        {t} {c}
        <lead> {ts} with their {c}
        {ts} [and their|with] {c}
        [every|each] {t}'s {c}
        """, c=nouns, t=m.one(table), ts=m.many(table)), query


@family(1.5)
def list_all(m: Maker) -> Pair:
    table = m.table()
    query = m.query(table)
    if m.chance(0.5) and m.names(table):
        query.select = m.shown(table).sql
        return m.say("""
            <lead> <the> {ts}
            list [all|every|the] {ts}
            [who|what] are [the|our|all the] {ts}
            {ts} list
            [all|every] {ts}
            names of [all|the|our] {ts}
            """, t=m.one(table), ts=m.many(table)), query
    query.select = ["*"]
    return m.say("""
        <lead> [all|all the|every|] [information|info|details|columns|data|fields] [about|on|of|for] [the|all|] {ts}
        everything [about|on] [the|all|] {ts}
        show [me|] [the whole|the full|all of the] {t} table
        all {t} [data|records|rows|entries]
        dump [the|] {ts} [table|]
        <lead> all {ts} with all [columns|details|fields]
        """, t=m.one(table), ts=m.many(table)), query


@family(3)
def count_all(m: Maker) -> Pair:
    table = m.table()
    query = m.query(table)
    query.select = ["COUNT(*)"]
    return m.say("""
        how many {ts} [are there|do we have|exist|are in the database|have we got|]
        <what> [the|] <count> {ts}
        count [the|all|of|all the|] {ts}
        {t} count
        [total|number of] {ts}
        how many {ts} [in total|altogether|overall|]
        """, t=m.one(table), ts=m.many(table)), query


@family(9)
def filter_columns(m: Maker) -> Pair:
    table = m.table()
    filters = some(m, table, 0.25)
    query = m.query(table)
    query.where = [f.sql for f in filters]
    things = joined(m, filters, m.many(table))
    columns = some_columns(m, table)
    query.select = [at(c) for c in columns]
    if len(columns) == 1 and m.chance(0.15):
        query.distinct = True
        return m.say(
            "<lead> [the|all|] [different|distinct|unique] {c} of [the|all|] {ts}", c=m.nouns(columns[0]),
            ts=things,
        ), query
    return m.say("""
        <lead> <the> {c} [of|of|for] [the|all|] {ts}
        <lead> [the|] {c} [of|for] {ts}
        {c} of {ts}
        what [is|are] the {c} of [the|] {ts}
        for {ts}, [show|list|give|what are] the {c}
        {c} [for|of] [all|] {ts}
        """, c=listing([m.nouns(c) for c in columns]), ts=things), query


@family(8)
def filter_things(m: Maker) -> Pair:
    """Only the noun is said: the thing's name is the answer."""
    table = m.table()
    filters = some(m, table, 0.25)
    query = m.query(table)
    query.where = [f.sql for f in filters]
    query.select = m.shown_or_all(table)
    things = joined(m, filters, m.many(table))
    return m.say("""
        <lead> <the> {ts}
        <lead> {ts}
        {ts}
        {ts}
        [which|what|who] are [the|] {ts}
        [are there any|do we have] {ts}
        [all|] {ts} please
        """, ts=things), query


@family(6)
def count_filter(m: Maker) -> Pair:
    table = m.table()
    filters = some(m, table, 0.25)
    query = m.query(table)
    query.where = [f.sql for f in filters]
    query.select = ["COUNT(*)"]
    return m.say("""
        how many {ts} [are there|do we have|exist||]
        <what> [the|] <count> {ts}
        count [the|all|of|] {ts}
        <count> {ts}
        {ts} count
        [what is|whats] the <count> {ts}
        """, ts=joined(m, filters, m.many(table))), query


@family(6)
def aggregate(m: Maker) -> Pair:
    table = m.table(lambda t: m.measures(t))
    measure = m.measure(table)
    kinds = m.rng.sample(AGGREGATES, m.rng.choice([1, 1, 1, 2, 3]))
    kinds = list({k: w for k, w in kinds}.items())
    query = m.query(table)
    query.select = [f"{k}({measure.sql})" for k, _ in kinds]
    filters = some(m, table, 0.1) if m.chance(0.5) else []
    query.where = [f.sql for f in filters]
    words = listing([m.say(w) for _, w in kinds])
    return m.say("""
        <what> [the|] {w} {n} [of|of all|for all|for|across|across all|among] [the|] {ts}
        {w} {n} of {ts}
        {w} {t} {n}
        what [is|are] the {w} {n} [of|for] [the|all|] {ts}
        {ts}: {w} {n}
        {w} {n} for {ts}
        """ if not filters else """
        <what> [the|] {w} {n} [of|of all|for all|for|across|across all|among] [the|] {ts}
        {w} {n} of {ts}
        what [is|are] the {w} {n} [of|for] [the|all|] {ts}
        {w} {n} for {ts}
        for {ts}, [what is|give me|show] the {w} {n}
        {w} {n} {ts}
        """, w=words, n=measure.noun, t=m.one(table), ts=joined(m, filters, m.many(table))), query


def ranked(m: Maker, table) -> tuple:
    """A column to rank by: column, whether the greatest come first, special superlatives."""
    columns = table.of_kind("measure", "date", "year")
    column = m.pick(columns)
    up = m.chance(0.65)
    high, low, _, _ = m.degrees(column)
    return column, up, (high if up else low)


@family(9)
def superlative(m: Maker) -> Pair:
    """The one thing, or the k things, with the most of something: only names are shown."""
    table = m.table(lambda t: t.of_kind("measure", "date", "year"))
    column, up, special = ranked(m, table)
    query = m.query(table)
    filters = some(m, table, 0.0, simple=True) if m.chance(0.25) else []
    if filters and filters[0].column is column:
        raise Skip
    query.where = [f.sql for f in filters]
    bare = m.chance(0.55)  # only the thing is named, no column of it
    columns = m.names(table) if bare or m.chance(0.5) else []
    if not bare:
        columns = (columns + [c for c in some_columns(m, table) if c not in columns])[:3]
    query.select = [at(c) for c in columns] or m.rows(table, "*")
    query.order = [at(column) + (" DESC" if up else "")]
    query.limit = 1 if m.chance(0.6) else m.limit()
    one = query.limit == 1
    words = {"n": m.noun(column), "e": m.say("<highest>" if up else "<lowest>"), "c": listing([m.noun(c) for c in columns] or [""]),
             "ts": joined(
                 m, filters, m.one(table) if one else m.many(table),
             ), "k": "" if one else m.number_word(query.limit)}
    if special and m.chance(0.6):
        words["a"] = m.pick(special)
        if bare:
            return m.say("""
                {k} {a} {ts}
                [which|what] {ts} [is|are] [the|] {k} {a}
                the {k} {a} {ts}
                <lead> the {k} {a} {ts}
                {a} {k} {ts}
                [what is|who is|which is|find|show] the {k} {a} {ts}
                """, **words), query
        return m.say("""
            <lead> the {c} of the {k} {a} {ts}
            {c} of [the|] {k} {a} {ts}
            what [is|are] the {c} of the {k} {a} {ts}
            [for|of] the {k} {a} {ts}, [show|give|what is] the {c}
            <lead> the {k} {a} {ts} with [their|its] {c}
            {k} {a} {ts}: {c}
            """, **words), query
    if bare:
        return m.say("""
            [which|what] {k} {ts} [has|have|with] the {e} {n}
            <lead> the {k} {ts} with [the|] {e} {n}
            {k} {ts} with [the|] {e} {n}
            who are the {k} {ts} with the {e} {n}
            the {k} {ts} [with|having] the {e} {n}
            {k} {e} {n} {ts}
            """ if not one else """
            [which|what] {ts} [has|with] the {e} {n}
            <lead> the {ts} with [the|] {e} {n}
            {ts} with [the|] {e} {n}
            [who|what] is the {ts} with the {e} {n}
            the {ts} [with|having] the {e} {n}
            {e} {n} {ts}
            """, **words), query
    return m.say("""
        <lead> the {c} of the {k} {ts} with the {e} {n}
        what [is|are] the {c} of the {k} {ts} [with|that have|having] the {e} {n}
        {c} of [the|] {k} {ts} with [the|] {e} {n}
        [for|of] the {k} {ts} with the {e} {n}, [show|give] the {c}
        <lead> {c} for the {k} {ts} with [the|] {e} {n}
        the {c} of the {k} {ts} having the {e} {n}
        """, **words), query


@family(6)
def top_by(m: Maker) -> Pair:
    """`top 5 products by price`: the names and the measure."""
    table = m.table(lambda t: m.measures(t) and m.names(t))
    measure = m.measure(table)
    filters = some(m, table, 0.0, simple=True) if m.chance(0.3) else []
    if filters and filters[0].column is measure.column:
        raise Skip
    up = m.chance(0.75)
    query = m.query(table)
    query.where = [f.sql for f in filters]
    query.select = m.shown(table).sql + [measure.sql]
    query.order = [measure.sql + (" DESC" if up else "")]
    query.limit = m.limit()
    return m.say("""
        [top|top|top|the top|best|highest] {k} {ts} by {n}
        {k} [top|best|biggest|largest] {ts} by {n}
        top {k} {ts} [ranked by|in terms of|based on|according to|sorted by] {n}
        <lead> the top {k} {ts} by {n}
        top {k} {n} {ts}
        {ts} top {k} by {n}
        """ if up else """
        [bottom|the bottom|lowest|worst] {k} {ts} by {n}
        {k} [lowest|smallest|worst] {ts} by {n}
        bottom {k} {ts} [ranked by|in terms of|based on] {n}
        <lead> the bottom {k} {ts} by {n}
        {ts} bottom {k} by {n}
        last {k} {ts} by {n}
        """, k=m.number_word(query.limit), ts=joined(m, filters, m.many(table)), n=measure.noun), query


@family(4)
def sort(m: Maker) -> Pair:
    table = m.table(lambda t: t.of_kind("measure", "date", "year", "name", "last"))
    column = m.pick(table.of_kind("measure", "date", "year", "name", "last"))
    columns = some_columns(m, table) if m.chance(0.6) else (m.names(table) or some_columns(m, table))
    filters = some(m, table, 0.0, simple=True) if m.chance(0.2) else []
    down = m.chance(0.5)
    query = m.query(table)
    query.select = [at(c) for c in columns]
    query.where = [f.sql for f in filters]
    query.order = [at(column) + (" DESC" if down else "")]
    if column.kind in ("date", "year"):
        way = "[newest first|latest first|most recent first|<desc>]" if down else "[oldest first|<asc>|earliest first|]"
    elif column.kind in ("name", "last"):
        way = "[<desc>|from z to a|in reverse alphabetical order]" if down else "[|alphabetically|a to z|in alphabetical order|ascending]"
    else:
        way = "<desc>" if down else "<asc>"
    return m.say("""
        <lead> <the> {c} of [the|all|] {ts} <sorted> {n} {w}
        {c} of {ts} <sorted> {n} {w}
        [list|sort|order|show] {ts} {c} by {n} {w}
        what are the {c} of [all|the|] {ts} <sorted> {n} {w}
        {ts} {c} <sorted> {n} {w}
        <lead> the {c} of {ts} in {w} order of {n}
        """.replace("in {w} order", "in descending order" if down else "in ascending order"),
        c=listing([m.nouns(c) for c in columns]), ts=joined(m, filters, m.many(table)), n=m.noun(column), w=m.say(way)), query


@family(4)
def distinct(m: Maker) -> Pair:
    table = m.table(lambda t: t.of_kind("category", "name", "year"))
    column = m.pick(table.of_kind("category", "category", "name", "year"))
    query = m.query(table)
    words = {"c": plural_phrase(m.noun(column)), "n": m.noun(column), "ts": m.many(table), "t": m.one(table)}
    if m.chance(0.5):
        query.select = [f"COUNT(DISTINCT {at(column)})"]
        return m.say("""
            how many [different|distinct|unique|] {c} [are there|do we have|do the {ts} have|exist]
            <what> [the|] <count> [different|distinct|unique] {c} [of|among|in|across] [the|all|] {ts}
            count [the|] [different|distinct|unique] {c} [of|in] {ts}
            how many [different|distinct] {t} {c} are there
            number of distinct {c} for {ts}
            [distinct|unique] {n} count [of|in|for] {ts}
            """, **words), query
    query.distinct = True
    query.select = [at(column)]
    return m.say("""
        <lead> [the|all|all the|] [different|distinct|unique] {c} [of|for|among|in] [the|all|] {ts}
        what [different|distinct|] {c} do [the|our|] {ts} have
        [distinct|unique|different] {c} of {ts}
        which [different|distinct|] {c} [are there|exist] [for|among] {ts}
        all [possible|different] {c} of {ts}
        <lead> [the|] [different|unique] {t} {c}
        """, **words), query


@family(3)
def two_conditions(m: Maker) -> Pair:
    """OR between two columns, and OR in brackets next to an AND."""
    table = m.table()
    first, second = condition(m, table, simple=True), condition(m, table, simple=True)
    if first.column is second.column or not (first.after and second.after):
        raise Skip
    query = m.query(table)
    query.select = ["COUNT(*)"] if m.chance(0.35) else m.shown_or_all(table)
    either = f"{first.sql} OR {second.sql}"
    things = f"{m.many(table)} {first.after} or {second.after}"
    if m.chance(0.45):
        third = condition(m, table, simple=True)
        if third.column in (first.column, second.column):
            raise Skip
        if third.before:
            things = f"{third.before} {things}"
        else:
            things = m.say(
                "{n} {x} [and|that are also|and also] [either|] {a} or {b}", n=m.many(table), x=third.after,
                a=first.after, b=second.after,
            )
        query.where = [third.sql, f"({either})"]
    else:
        query.where = [either]
    if query.select == ["COUNT(*)"]:
        return m.say("""
                how many {ts}
                how many {ts} are there
                <count> {ts}
                count {ts}
                count [the|all] {ts}
                what is the number of {ts}
                """, ts=things), query
    return m.say("""
            <lead> <the> {ts}
            {ts}
            which are the {ts}
            <lead> {ts}
            find {ts}
            which {ts}
            """, ts=things), query


@family(2)
def key_and_column(m: Maker) -> Pair:
    """Identifiers are asked for, too."""
    table = m.table(lambda t: t.primary)
    key, filters = table.primary, some(m, table, 0.1)
    query = m.query(table)
    noun = m.pick([key.phrase, key.words[-1], m.one(table) + " " + key.words[-1], "id"])
    extra = [] if m.chance(0.5) else [m.pick(m.plain(table))]
    query.select = [at(key)] + [at(c) for c in extra]
    query.where = [f.sql for f in filters]
    return m.say("""
        <lead> the {c} of [the|all|] {ts}
        {c} of {ts}
        what [is|are] the {c} of [the|] {ts}
        <lead> [the|] {c} for {ts}
        which {c} [belong to|are of] {ts}
        {c} for [all|] {ts}
        """, c=listing([noun if m.chance(0.6) else plural_phrase(noun)] + [m.nouns(c) for c in extra]),
        ts=joined(m, filters, m.many(table))), query


@family(1)
def number_filter_only(m: Maker) -> Pair:
    """`orders over 2000`: a bare number goes to the table's main measure."""
    table = m.table(lambda t: m.measures(t))
    column = m.measures(table)[0]
    _, _, more, less = m.degrees(column)
    if not more:
        raise Skip
    number_compare(m, column)
    value, up = m.number(column), m.chance(0.6)
    query = m.query(table)
    count = m.chance(0.3)
    query.select = ["COUNT(*)"] if count else m.shown_or_all(table)
    query.where = [f"{at(column)} {'>' if up else '<'} {value}"]
    things = f"{m.many(table)} {m.pick(more if up else less)} {spoken(m, value)}"
    return m.say("""
            how many {ts}
            <count> {ts}
            count {ts}
            """ if count else """
            {ts}
            <lead> {ts}
            <lead> all {ts}
            which {ts}
            {ts} please
            all {ts}
            """, ts=things), query
