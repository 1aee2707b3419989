"""Three tables, and two sets of things: bridges, chains, both of two kinds."""

from families import Pair, family
from families.basic import AGGREGATES, some_columns
from families.keys import bridge_of, identity, parent_of
from filters import condition, joined, some
from maker import Maker, Skip
from query import at
from words import listing, plural_phrase


@family(8)
def across_bridge(m: Maker) -> Pair:
    """Students of a course, products of a customer."""
    a, b, middle, left, right = bridge_of(m)
    query = m.query(left).join(a).join(b)
    verb = m.pick(["with", "that have", "having", "related to", "linked to", "who have", "connected to"])
    if a.hints.yes and m.chance(0.6):
        verb = "who " + m.pick(a.hints.yes) if m.people(left) else "that " + m.pick(a.hints.yes)
    words = {
        "ls": m.many(left), "l": m.one(left), "rs": m.many(right), "r": m.one(right), "v": verb,
        "s": m.shown(left).noun,
    }
    dice = m.rng.random()
    if dice < 0.45:
        filters = some(m, right, 0.1, simple=m.chance(0.6))
        extra = some(m, left, 0, simple=True) if m.chance(0.15) else []
        query.where = [f.sql for f in filters + extra]
        query.select, query.distinct = m.shown(left).sql, m.chance(0.6)
        words |= {
            "rs": joined(m, filters, m.many(right)), "r": joined(m, filters, m.one(right)),
            "ls": joined(m, extra, m.many(left)),
        }
        if dice < 0.1:
            query.select, query.distinct = [f"COUNT(DISTINCT {at(left.primary)})"], False
            return m.say("""
                    how many [different|distinct|] {ls} {v} [a|the|] {r}
                    <count> [different|distinct|] {ls} {v} {rs}
                    how many {ls} {v} {rs}
                    count [the|] {ls} {v} {rs}
                    {ls} {v} {rs} count
                    how many {ls} are there {v} {rs}
                    """, **words), query
        return m.say("""
            {ls} {v} {rs}
            <lead> <the> {ls} {v} [a|the|] {r}
            which {ls} [are|] {v} [a|the|] {r}
            <lead> the {s} of [all|the|] {ls} {v} [the|a|] {r}
            {ls} [of|for|in] [the|] {r}
            what are the {s} of {ls} {v} {rs}
            """, **words), query
    if dice < 0.65:
        query.select = m.shown(left).sql + [f"COUNT(*)"]
        query.group = [identity(m, left)]
        return m.say("""
            <count> {rs} <per> {l}
            {rs} per {l}
            how many {rs} [does each {l} have|are there for each {l}|per {l}]
            <lead> [each|every] {l} and [the|their] number of {rs}
            for each {l}, [count the {rs}|how many {rs}|the number of {rs}]
            <lead> the {s} of {ls} and how many {rs} they have
            """, **words), query
    if dice < 0.85:
        up = m.chance(0.8)
        query.select = m.shown(left).sql
        query.group = [identity(m, left)]
        query.order = ["COUNT(*)" + (" DESC" if up else "")]
        query.limit = 1 if m.chance(0.6) else m.limit()
        words |= {
            "h": "most" if up else "fewest", "k": "" if query.limit == 1 else m.number_word(query.limit),
        }
        words["x"] = words["l"] if query.limit == 1 else words["ls"]
        return m.say("""
            [which|what] {k} {x} [has|have|with] the {h} {rs}
            <lead> the {s} of the {k} {x} with the {h} {rs}
            {k} {x} with [the|] {h} {rs}
            <lead> the {k} {x} with the {h} {rs}
            {x} with {h} {rs} {k}
            what [is|are] the {s} of the {k} {x} with the {h} {rs}
            """, **words), query
    filters = some(m, right, 0, simple=True)
    inner = m.query(middle).join(b)
    inner.select, inner.where = [at(a.child)], [f.sql for f in filters]
    query = m.query(left)
    query.select = m.shown(left).sql
    query.where = [f"{at(a.parent)} NOT IN ({inner.sql()})"]
    words |= {"rs": joined(m, filters, m.many(right)), "r": joined(m, filters, m.one(right))}
    return m.say("""
        {ls} <without> {rs}
        <lead> <the> {ls} <without> {rs}
        which {ls} [do not have|don't have|have never had|have no] [a|any|] {r}
        <lead> the {s} of [the|] {ls} that [are not|aren't] [related to|linked to|in|of] [any|the|a] {r}
        {ls} that have no {r}
        {ls} not [in|with|having] [the|any|] {r}
        """, **words), query


@family(4)
def chain(m: Maker) -> Pair:
    """Three tables in a row."""
    steps = [(a, b) for a in m.schema.main_keys for b in m.schema.main_keys if a is not b and m.parent(a) is m.child(b)
             and len({m.child(a).id, m.parent(a).id, m.parent(b).id}) == 3]
    a, b = m.pick(steps)
    low, mid, high = m.child(a), m.parent(a), m.parent(b)
    query = m.query(low).join(a).join(b)
    words = {"ls": m.many(low), "l": m.one(low), "h": m.one(high), "hs": m.many(high), "mi": m.one(mid)}
    dice = m.rng.random()
    if dice < 0.35:
        filters = some(m, high, 0, simple=True)
        query.where = [f.sql for f in filters]
        columns = m.names(low) or some_columns(m, low)
        query.select = [at(c) for c in columns]
        if m.chance(0.3):
            query.select = ["COUNT(*)"]
            return m.say("""
                    how many {ls} [of|for|from|in] {hs}
                    <count> {ls} of {hs}
                    how many {ls} [are there|] for {hs}
                    count {ls} of {hs}
                    how many {ls} belong to {hs}
                    {ls} of {hs} count
                    """,
                         **(words | {"hs": joined(m, filters, m.many(high))})), query
        return m.say("""
            <lead> the {c} of {ls} [of|for|from] {hs}
            {c} of {ls} [of|for] {hs}
            <lead> the {c} of {ls} whose {mi} [belongs to|is of|is in] [a|the|] {h}
            {ls} {c} for {hs}
            what are the {c} of [the|] {ls} of [the|] {h}
            for {hs}, list the {c} of [all|their|] {ls}
            """,
            c=listing([m.nouns(c) for c in columns]),
            **(words | {"hs": joined(m, filters, m.many(high)), "h": joined(m, filters, m.one(high))})), query
    total, what = "COUNT(*)", "<count> {ls}"
    bare = "{ls}"
    if (m.measures(low) or low.formulas) and m.chance(0.6):
        measure = m.measure(low)
        kind, word = m.pick([AGGREGATES[0], AGGREGATES[2], AGGREGATES[2]])
        total, what = f"{kind}({measure.sql})", f"{m.say(word)} {measure.noun}" + (" of {ls}" if m.chance(0.5) else "")
        bare = measure.noun if kind == "SUM" else what
    if m.names(high) and high.primary and m.chance(0.65):
        query.select, query.group = m.shown(high).sql + [total], [identity(m, high)]
        by = "{h}"
    else:
        column = m.pick(high.of_kind("category"))
        query.select, query.group = [at(column), total], [at(column)]
        by = m.pick(["{h} ", ""]) + m.noun(column)
    if m.chance(0.3):
        query.order, query.limit = [f"{total} DESC"], m.limit()
        return m.say(f"""
                top {{k}} {plural_phrase(by) if by != '{h}' else '{hs}'} by {bare}
                <lead> the top {{k}} {plural_phrase(by) if by != '{h}' else '{hs}'} by {what}
                {{k}} {plural_phrase(by) if by != '{h}' else '{hs}'} with [the|] [highest|most] {bare}, with the [number|value]
                """,
                     k=m.number_word(query.limit), **words), query
    return m.say(f"""
        {what} [per|by|for each] {by}
        {bare} [per|by] {by}
        <what> {what} [for each|per|by] {by}
        <lead> each {by} and {what}
        for each {by}, {what}
        {bare} for every {by}
        """, **words), query


@family(4)
def sets(m: Maker) -> Pair:
    """Both kinds, one but not the other, either: INTERSECT, EXCEPT, UNION."""
    key, child, parent = parent_of(m)
    first, second = condition(m, child, simple=True), condition(m, child, simple=True)
    if first.sql == second.sql:
        raise Skip
    shown = m.shown(parent)

    def part(item):
        query = m.query(parent).join(key)
        query.select, query.where = shown.sql, [item.sql]
        return query.sql()

    cs, ps = m.many(child), m.many(parent)
    words = {"ps": ps, "a": joined(m, [first], cs), "b": joined(m, [second], cs), "s": shown.noun}
    if m.chance(0.6):
        return m.say("""
            {ps} [with|that have] both {a} and {b}
            <lead> <the> {ps} [that have|with|who have] both {a} and {b}
            which {ps} have [both|] {a} and [also|] {b}
            <lead> the {s} of {ps} with {a} and [also|] {b}
            {ps} [with|having] {a} as well as {b}
            what are the {s} of {ps} that have {a} and {b}
            """, **words), part(first) + " INTERSECT " + part(second)
    return m.say("""
        {ps} [with|that have] {a} but [no|not|without] {b}
        <lead> <the> {ps} [that have|with] {a} but [no|not any|not] {b}
        which {ps} have {a} but [do not have|no|don't have] {b}
        <lead> the {s} of {ps} with {a} and no {b}
        {ps} having {a} [except those with|but not] {b}
        what are the {s} of {ps} that have {a} but not {b}
        """, **words), part(first) + " EXCEPT " + part(second)


@family(2.5)
def sets_one_table(m: Maker) -> Pair:
    """A category that holds both kinds of things."""
    table = m.table(lambda t: len(t.of_kind("category")) and len(m.plain(t)) > 2)
    column = m.pick(table.of_kind("category"))
    first, second = condition(m, table, simple=True), condition(m, table, simple=True)
    if first.sql == second.sql or column in (first.column, second.column):
        raise Skip

    def part(item):
        query = m.query(table)
        query.select, query.where = [at(column)], [item.sql]
        return query.sql()

    ts = m.many(table)
    words = {"ns": plural_phrase(m.noun(column)), "a": joined(m, [first], ts), "b": joined(m, [second], ts)}
    if m.chance(0.65):
        return m.say("""
            {ns} [with|that have] both {a} and {b}
            <lead> <the> {ns} [that have|with|shared by] both {a} and {b}
            which {ns} have [both|] {a} and [also|] {b}
            [which|what] {ns} [are shared by|do we find for] {a} and {b}
            <lead> the {ns} of {a} and also of {b}
            {ns} [common to|of both] {a} and {b}
            """, **words), part(first) + " INTERSECT " + part(second)
    return m.say("""
        {ns} [with|that have] {a} but [no|not|without] {b}
        <lead> <the> {ns} [that have|with] {a} but [no|not any] {b}
        which {ns} have {a} but [do not have|no] {b}
        <lead> the {ns} of {a} but not of {b}
        {ns} of {a} [except|excluding|but not] those of {b}
        {ns} having {a} and no {b}
        """, **words), part(first) + " EXCEPT " + part(second)
