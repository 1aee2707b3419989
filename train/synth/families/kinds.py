"""What is counted and ranked: different kinds, the oldest, the best of groups with its figure, each of some."""

from families import Pair, family
from families.basic import AGGREGATES
from families.counts import counted_noun
from families.keys import identity, parent_of
from filters import joined, some
from maker import Maker, Skip
from query import at
from words import plural_phrase


@family(9)
def kinds_counted(m: Maker) -> Pair:
    """`the number of card types` counts the different ones; `card types and the number of payments` groups by them."""
    table = m.table(lambda t: any(len(c.values) > 1 for c in t.of_kind("category")))
    column = m.pick([c for c in table.of_kind("category") if len(c.values) > 1])
    noun = m.noun(column)
    full = m.pick([noun, f"{m.one(table)} {noun}"]) if len(noun.split()) == 1 else noun
    query = m.query(table)
    words = {"n": full, "ns": plural_phrase(full), "ts": m.many(table), "t": m.one(table)}
    dice = m.rng.random()
    if dice < 0.35:
        query.select = [f"COUNT(DISTINCT {at(column)})"]
        filters = some(m, table, 0.0, simple=True) if m.chance(0.3) else []
        if any(f.column is column for f in filters):
            raise Skip
        query.where = [f.sql for f in filters]
        return m.say("""
            [what is|find|give me|show|] the number of [different|distinct|unique|] {ns}
            how many [different|distinct|unique|] {ns} are there
            how many [different|distinct|] {ns} [do we have|exist|do the {ts} have]
            count [of|] [the|] [different|distinct] {ns}
            <count> [distinct|different|unique] {ns} of {ts}
            """ if not filters else """
            how many [different|distinct|unique|] {ns} do [the|] {x} have
            <count> [different|distinct|unique] {ns} [of|among] {x}
            in how many [different|] {ns} do we have {x}
            """, x=joined(m, filters, words["ts"]), **words), query
    if dice < 0.5:
        query.select, query.distinct = [at(column)], True
        return m.say("""
            what [are the|] [different|distinct|unique] {ns} [are there|]
            <lead> [all|the] [different|distinct|unique] {ns}
            [different|distinct|unique] {ns} of {ts}
            which [different|] {ns} [are there|exist]
            """, **words), query
    children = [k for k in m.schema.main_keys if m.parent(k) is table]
    if children and dice < 0.8:
        key = m.pick(children)
        child = m.child(key)
        query.join(key)
        words |= {"cs": m.many(child), "ns": words["ns"]}
    else:
        words["cs"] = words["ts"]
    total = "COUNT(*)"
    query.group = [at(column)]
    query.select = [at(column), total]
    if m.chance(0.3):
        up = m.chance(0.8)
        query.select = [at(column)]
        query.order, query.limit = [total + (" DESC" if up else "")], 1
        return m.say("""
            [which|what] {n} has the {e} {cs}
            <lead> the {n} with the {e} {cs}
            what is the {n} [with|that has] the {e} {cs}
            {n} with [the|] {h} number of {cs}
            """, e="most" if up else m.pick(["fewest", "least"]), h="largest" if up else "smallest", **words), query
    return m.say("""
        <lead> [the|all|] {ns} and the number of {cs} [for each|of each|]
        <lead> [each|every] {n} and [the|its] number of {cs}
        {ns} and [the|their] number of {cs}
        for each {n}, [show|count|how many] [the number of|] {cs}
        what are the {ns} and how many {cs} does each have
        how many {cs} are there [for each|per|of each] {n}
        """.replace("[show|count|how many] [the number of|] {cs}", "[show the number of|count the|how many] {cs}"), **words), query


AGES = {"age", "birth", "birthday", "birthdate", "dob", "born", "year", "founded", "built", "opened", "established", "hired", "hire", "joined", "launched", "date"}


@family(8)
def oldest_and_youngest(m: Maker) -> Pair:
    """`oldest` is the highest age, the earliest birth, the lowest year: whatever the table keeps."""
    def ages(table) -> list:
        return [c for c in table.columns if (c.kind in ("date", "year") or "age" in c.words) and len(c.values) > 1 and AGES & set(c.words) and all(m.degrees(c)[:2])
                and not {"end", "close", "closed", "due", "death", "last", "ended", "expiry"} & set(c.words)]

    table = m.table(lambda t: m.names(t) and ages(t))
    found = ages(table)
    order = ["age", "birth", "dob", "birthday", "birthdate", "born", "founded", "built", "opened", "established", "hire", "hired", "joined"]
    best = sorted(found, key=lambda c: min((order.index(w) for w in c.words if w in order), default=99))
    column = best[0]
    if column.words[-1] == "date" and not set(order) & set(column.words) and len(found) > 1:
        raise Skip
    high, low, _, _ = m.degrees(column)
    up = m.chance(0.5)
    word = m.pick(high if up else low)
    shown = m.shown(table)
    query = m.query(table)
    query.select, query.order, query.limit = list(shown.sql), [at(column) + (" DESC" if up else "")], 1
    filters = some(m, table, 0.0, simple=True) if m.chance(0.35) else []
    if any(f.column is column for f in filters):
        raise Skip
    query.where = [f.sql for f in filters]
    words = {"t": joined(m, filters, m.one(table)), "ts": joined(m, filters, m.many(table)), "e": word, "s": shown.noun, "n": m.noun(column)}
    dice = m.rng.random()
    if dice < 0.25:
        query.limit = m.limit()
        return m.say("""
            [the|] {k} {e} {ts}
            <lead> the {k} {e} {ts}
            [who|which] are the {k} {e} {ts}
            {s} of the {k} {e} {ts}
            """, k=m.number_word(query.limit), **words), query
    others = [c for c in m.plain(table) if c not in m.names(table) and c is not column]
    if dice < 0.5 and others:
        extra = m.pick(others)
        query.select = [at(extra)] if m.chance(0.5) else shown.sql + [at(extra)]
        words["c"] = m.noun(extra)
        return m.say("""
            <lead> the {c} of the {e} {t}
            what is the {c} of the {e} {t}
            {c} of [the|our|] {e} {t}
            """ if len(query.select) == 1 else """
            <lead> the name and {c} of the {e} {t}
            who is the {e} {t} and what is [their|the] {c}
            {e} {t} and [their|its|the] {c}
            """, **words), query
    if dice < 0.62:
        query.limit = None
        return m.say("<lead> [the|all|] {ts} from {a} to {b}\n{ts} <sorted> {n}, {a} first\n<lead> {ts}, [the|] {a} first\n{ts}, {a} to {b}\nsort {ts} from {a} to {b}",
                     a=word, b=m.pick(low if up else high), **words), query
    return m.say("""
        who is [the|our] {e} {t}
        [which|what] {t} is the {e}
        [the|our|] {e} {t}
        <lead> the {s} of the {e} {t}
        <lead> the {e} {t}
        which is the {e} {t}
        """, **words), query


@family(9)
def best_group_and_value(m: Maker) -> Pair:
    """`which department has the highest average grade, and what is it`: the name of the joined table and the figure."""
    key, child, parent = parent_of(m)
    shown = m.shown(parent)
    query = m.query(parent).join(key)
    count = not m.measures(child) or m.chance(0.3)
    if count:
        total, said = "COUNT(*)", m.say("number of {cs}", cs=m.many(child))
    else:
        column = m.pick(m.measures(child))
        kind, word = m.pick(AGGREGATES[:3])
        total, said = f"{kind}({at(column)})", m.say(word).replace("sum of", "total") + " " + m.noun(column)
        if m.chance(0.3):
            said += " of its " + m.many(child)
    up = m.chance(0.8)
    query.select = shown.sql + [total] if m.chance(0.65) else list(shown.sql)
    query.group, query.order, query.limit = [identity(m, parent)], [total + (" DESC" if up else "")], 1
    words = {"p": m.one(parent), "ps": m.many(parent), "w": said, "e": m.say("<highest>" if up else "<lowest>"), "s": shown.noun}
    if len(query.select) == len(shown.sql):
        return m.say("""
            [which|what] {p} has the {e} {w}
            <lead> the {p} with the {e} {w}
            <lead> the name of the {p} with the {e} {w}
            [which|what] is the {p} with [the|] {e} {w}
            {p} with {e} {w}
            """, **words), query
    return m.say("""
        [which|what] {p} has the {e} {w}, and what is it
        [which|what] {p} has the {e} {w}[,|] and how [much|many|high] is it
        {p} with the {e} {w} and the [value|figure|number]
        <lead> the {p} with the {e} {w}, [with|and] [that|the] [value|number|figure]
        <lead> the name and [the|] {w} of the {p} with the {e} {w}
        what is the {e} {w} of [a|any] {p}, and which {p} is it
        [which|what] {p} has the {e} {w}? show [both|the name and the value]
        """, **words), query


@family(7)
def each_of_some(m: Maker) -> Pair:
    """`for each Orange county campus, the degrees`: grouped by the thing, the condition only chooses among them."""
    key, child, parent = parent_of(m)
    filters = some(m, parent, 0.0, simple=True)
    if filters[0].column.kind not in ("category", "flag", "date", "year", "measure"):
        raise Skip  # that would be one of them
    shown = m.shown(parent)
    query = m.query(parent).join(key)
    count = not m.measures(child) or m.chance(0.45)
    if count:
        total, said = "COUNT(*)", m.say("[number of|count of|total number of] {cs}", cs=m.many(child))
    else:
        column = m.pick(m.measures(child))
        kind, word = m.pick(AGGREGATES[:3])
        counted = counted_noun(column)
        total, said = f"{kind}({at(column)})", m.say(word).replace("sum of", "total") + " " + (f"number of {counted}" if counted and m.chance(0.6) else m.noun(column))
    query.where, query.group = [f.sql for f in filters], [identity(m, parent)]
    query.select = shown.sql + [total]
    one, many = joined(m, filters, m.one(parent)), joined(m, filters, m.many(parent))
    return m.say("""
        for [each|every] {x}, [report|show|find|give] the {w}
        {w} [of|for] each {x}
        {w} per {x}
        <lead> <the> {xs} and [their|the] {w}
        {xs} with their {w}
        what is the {w} of each {x}
        """, x=one, xs=many, w=said), query


@family(4)
def sorted_kinds(m: Maker) -> Pair:
    """`sort the gender codes by their number of guests, return both`."""
    table = m.table(lambda t: any(len(c.values) > 1 for c in t.of_kind("category")))
    column = m.pick([c for c in table.of_kind("category") if len(c.values) > 1])
    down, both = m.chance(0.6), m.chance(0.6)
    query = m.query(table)
    query.select = [at(column)] + (["COUNT(*)"] if both else [])
    query.group, query.order = [at(column)], ["COUNT(*)" + (" DESC" if down else "")]
    words = {"ns": plural_phrase(m.noun(column)), "ts": m.many(table), "d": "descending" if down else "ascending",
             "b": m.say("[return both|show both|with the counts|and show the counts|, return the {n} and the counts|along with the number]", n=m.noun(column)) if both else ""}
    return m.say("""
        [sort|order|rank] the {ns} in {d} order of [their|the] number of {ts} {b}
        <lead> the {ns} <sorted> [their|the] number of {ts} in {d} order {b}
        {ns} in {d} order of the number of {ts} {b}
        {ns} [ordered|sorted] by [number|count] of {ts}, {d} {b}
        """, **words), query
