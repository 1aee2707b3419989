"""Columns that count something (rooms, seat_count, number_of_pages), and things told by their code."""

from families import Pair, family
from filters import joined, some
from maker import Maker, Skip
from query import at
from schema import literal
from words import plural_phrase, singular

COUNTERS = {"count", "number", "num", "no", "of", "total", "amount", "quantity", "qty", "cnt", "nr", "n"}
NOT_COUNTED = {"status", "address", "sales", "class", "gas", "access", "process", "progress", "business", "days", "hours", "minutes", "kms",
               "miles", "knots", "bytes", "megabytes", "kilometers", "meters", "grams", "seconds", "milliseconds", "liters", "wins", "percentages"}


def counted_noun(column) -> str:
    """`rooms` of room_count, seats, number_of_rooms; empty where a column counts nothing."""
    words = [w for w in column.words if w not in COUNTERS]
    if not words or column.kind != "measure" or any(v != int(v) for v in column.values if isinstance(v, float)) or words[-1].endswith("ed"):
        return ""
    if column.words[-1] in ("number", "no", "nr"):
        return ""  # a room number counts no rooms
    named = column.words[0] in ("number", "num", "no", "nr", "total") or column.words[-1] in ("count", "cnt")
    if named and words != column.words:
        return plural_phrase(" ".join(words))
    last = words[-1]
    if last.endswith("s") and singular(last) != last and last not in NOT_COUNTED and len(words) == len(column.words):
        return " ".join(words)
    return ""


@family(6)
def how_many_of_column(m: Maker) -> Pair:
    """`how many rooms does Oak House have`, `total number of beds`, `buildings with the number of floors`."""
    table = m.table(lambda t: any(counted_noun(c) for c in m.measures(t)))
    column = m.pick([c for c in m.measures(table) if counted_noun(c)])
    noun = counted_noun(column)
    query = m.query(table)
    words = {"ns": noun, "ts": m.many(table), "t": m.one(table)}
    dice, names = m.rng.random(), m.names(table)
    if dice < 0.2 and len(names) == 1:
        value = m.cell(names[0])
        query.select, query.where = [at(column)], [f"{at(names[0])} = {literal(value)}"]
        return m.say("""
            how many {ns} does [the|] {x} [have|offer|contain]
            number of {ns} [of|in|for] [the {t}|] {x}
            how many {ns} [are there in|are in|has] {x}
            what is the number of {ns} of {t} {x}
            {x} number of {ns}
            how many {ns} does the {t} {x} have
            """, x=value, **words), query
    if dice < 0.4 and names:
        query.select = m.shown(table).sql + [at(column)]
        return m.say("""
            <lead> [the|] {ts} and [the|their] number of {ns}
            number of {ns} [of|for] [each|every] {t}
            how many {ns} does [each|every] {t} have
            <lead> the name and number of {ns} of [each|every|all] {t}
            {ts} with [their|the] number of {ns}
            for each {t}, [show|] the number of {ns}
            """, **words), query
    filters = some(m, table, 0.1, simple=True) if m.chance(0.5) else []
    if any(f.column is column for f in filters):
        raise Skip
    query.where = [f.sql for f in filters]
    words["ts"] = joined(m, filters, words["ts"])
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k)) and m.parent(k).primary]
    if dice < 0.7:
        kind, word = m.pick([("SUM", "[total|overall|combined|] "), ("SUM", "total "), ("AVG", "[average|avg|mean] "), ("MAX", "<highest> "), ("MIN", "<lowest> ")])
        query.select = [f"{kind}({at(column)})"]
        lines = """
            <what> the {w} number of {ns} [of|in|for] [all|] {ts}
            {w} number of {ns} [of|in] {ts}
            {w} {ns} of {ts}
            """
        if kind == "SUM":
            lines += "\nhow many {ns} [in total|all together|overall] do {ts} have\nhow many {ns} are there in total in {ts}\nhow many {ns} do {ts} have [in total|altogether]"
        return m.say(lines, w=m.say(word), **words), query
    if parents and dice < 0.85:
        key = m.pick(parents)
        parent = m.parent(key)
        query.join(key)
        query.select, query.group = m.shown(parent).sql + [f"SUM({at(column)})"], [at(parent.primary)]
        return m.say("""
            [total|] number of {ns} of {ts} [per|by|for each] {p}
            how many {ns} do the {ts} of each {p} have [in total|]
            {ns} [per|by] {p}
            total {ns} of {ts} for each {p}
            """ if filters else """
            [total|] number of {ns} [per|by|for each] {p}
            how many {ns} [does each {p} have|are there per {p}] [in total|]
            {ns} [per|by] {p}
            <lead> each {p} and its total number of {ns}
            """, p=m.one(parent), **words), query
    if not names:
        raise Skip
    up = m.chance(0.75)
    query.select, query.order, query.limit = m.shown(table).sql, [at(column) + (" DESC" if up else "")], 1
    return m.say("""
        which {o} has the {e} {ns}
        {o} with [the|] {e} {ns}
        <lead> the {o} with the {e} {ns}
        {o} with the {h} number of {ns}
        """ if not filters else """
        which of the {ts} has the {e} {ns}
        among {ts}, which has the {e} {ns}
        of all {ts} the one with the {e} {ns}
        """, o=m.one(table), e="most" if up else m.pick(["fewest", "least"]), h="highest" if up else "lowest", **words), query


@family(4)
def by_code(m: Maker) -> Pair:
    """`credits of course ACCT-211`, `who teaches the class with code X12`: the code alone tells the thing."""
    def codes(table) -> list:
        return [c for c in table.columns if c.type == "text" and c.values and all(
            isinstance(v, str) and any(ch.isdigit() for ch in v) and " " not in v and "@" not in v and len(v) > 2 and v[:1].isalpha() for v in c.values)]

    table = m.table(codes)
    column = m.pick(codes(table))
    value = m.cell(column)
    word = m.pick(["code", "number", "id", " ".join(column.words)])
    said = m.say("[the|] {t} {v}\n[the|] {t} with {w} {v}\n{v}\n{t} {v}", t=m.one(table), v=value, w=word)
    query = m.query(table)
    query.where = [f"{at(column)} = {literal(value)}"]
    children = [k for k in m.schema.main_keys if m.parent(k) is table]
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k))]
    dice = m.rng.random()
    if children and dice < 0.3:
        key = m.pick(children)
        child = m.child(key)
        query = m.query(child).join(key)
        query.where = [f"{at(column)} = {literal(value)}"]
        query.select = ["COUNT(*)"]
        return m.say("how many {cs} [does|did] {x} have\nnumber of {cs} [of|for] {x}\nhow many {cs} [of|for|in] {x}\ncount the {cs} of {x}", cs=m.many(child), x=said), query
    if parents and dice < 0.5:
        key = m.pick(parents)
        parent = m.parent(key)
        query = m.query(parent).join(key)
        query.where, query.select = [f"{at(column)} = {literal(value)}"], m.shown(parent).sql
        return m.say("{p} of {x}\nwhich {p} does {x} [have|belong to]\nwhat is the {p} of {x}\n<lead> the {p} of {x}\n{x} {p}", p=m.one(parent), x=said), query
    others = [c for c in m.plain(table) if c is not column]
    shown = m.rng.sample(others, min(len(others), m.pick([1, 1, 2])))
    if not shown:
        raise Skip
    query.select = [at(c) for c in shown]
    return m.say("{n} of {x}\nwhat is the {n} of {x}\n<lead> the {n} of {x}\n{x} {n}\nwhat are the {n} [for|of] {x}", n=" and ".join(m.noun(c) for c in shown), x=said), query
