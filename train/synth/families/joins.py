"""Two tables: children of a parent, parents by their children."""

from families import Pair, family
from families.basic import AGGREGATES, some_columns
from families.keys import identity, parent_of, verb_of
from filters import joined, some
from maker import Maker, Skip
from query import Query, at
from words import listing


@family(8)
def count_children(m: Maker) -> Pair:
    """Orders per customer."""
    key, child, parent = parent_of(m)
    filters = some(m, child, 0.0, simple=True) if m.chance(0.25) else []
    query = m.query(parent).join(key)
    query.select = m.shown(parent).sql + ["COUNT(*)"]
    query.where = [f.sql for f in filters]
    query.group = [identity(m, parent)]
    words = {
        "p": m.one(parent), "ps": m.many(parent), "cs": joined(m, filters, m.many(child)), "c": m.one(child),
        "s": m.shown(parent).noun,
    }
    return m.say("""
        <count> {cs} <per> {p}
        {cs} [per|by|per|for each] {p}
        how many {cs} [does each {p} have|are there for each {p}|per {p}|by {p}|are there per {p}|for every {p}]
        <lead> [each|every] {p} and [the|their|its] number of {cs}
        {c} count [by|per|for each] {p}
        <lead> the {s} of [each|every|all] {ps} and [the|their] number of {cs}
        for each {p}, [count the {cs}|how many {cs} are there|show the {s} and the number of {cs}]
        what [is|are] the {s} of [each|the] {ps} and how many {cs} do they have
        """.replace("{c} count", "{c} count" if not filters else "count of {cs}"), **words), query


@family(6)
def top_parents(m: Maker) -> Pair:
    """The parents with the most children: with the number when `by` is said."""
    key, child, parent = parent_of(m)
    filters = some(m, child, 0.0, simple=True) if m.chance(0.2) else []
    up = m.chance(0.8)
    query = m.query(parent).join(key)
    query.where = [f.sql for f in filters]
    query.group = [identity(m, parent)]
    query.order = ["COUNT(*)" + (" DESC" if up else "")]
    one = m.chance(0.55)
    query.limit = 1 if one else m.limit()
    query.select = m.shown(parent).sql
    words = {"ps": m.one(parent) if one else m.many(parent), "cs": joined(m, filters, m.many(child)), "k": "" if one else m.number_word(query.limit),
             "h": "most" if up else m.pick(["fewest", "least"]), "g": m.pick(["largest", "highest", "greatest"] if up else ["smallest", "lowest"]),
             "s": m.shown(parent).noun, "v": verb_of(m, key)}
    if not one and m.chance(0.5):
        query.select = query.select + ["COUNT(*)"]
        end = "top" if up else "bottom"
        return m.say(f"""
            {end} {{k}} {{ps}} by [number of|count of|] {{cs}}
            <lead> [the|] {end} {{k}} {{ps}} by [number of|] {{cs}}
            {{ps}} {end} {{k}} by [number of|] {{cs}}
            {{k}} {{ps}} with [the|] {{h}} {{cs}} and how many
            {end} {{k}} {{ps}} [ranked by|based on|in terms of] number of {{cs}}
            {{k}} {{ps}} with the {{h}} {{cs}}, with [the count|the number of {{cs}}]
            """, **words), query
    return m.say("""
        [which|what] {k} {ps} [has|have|with] the {h} {cs}
        <lead> the {s} of the {k} {ps} with the {h} {cs}
        {k} {ps} with [the|] {h} {cs}
        <lead> the {k} {ps} [with|that has|having] the {g} number of {cs}
        {s} of the {k} {ps} with [the|] {h} {cs}
        [which|what] {k} {ps} {v} the {h} {cs}
        what [is|are] the {s} of the {k} {ps} with the {g} number of {cs}
        """, **words).replace("which with", "with"), query


@family(7)
def aggregate_children(m: Maker) -> Pair:
    """Total amount per customer; with `top 5`, ranked."""
    key, child, parent = parent_of(m)
    measure = m.measure(child)
    kind, word = m.pick(AGGREGATES[1:] + AGGREGATES[2:3] * 2)
    query = m.query(parent).join(key)
    total = f"{kind}({measure.sql})"
    filters = some(m, child, 0.0, simple=True) if m.chance(0.25) else []
    if filters and filters[0].column is measure.column:
        raise Skip
    query.where = [f.sql for f in filters]
    query.select = m.shown(parent).sql + [total]
    query.group = [identity(m, parent)]
    bare = kind == "SUM" and m.chance(0.35)
    words = {"p": m.one(parent), "ps": m.many(parent), "w": "" if bare else m.say(word), "m": measure.noun,
             "cs": joined(m, filters, m.many(child)), "s": m.shown(parent).noun}
    of = " of {cs}" if filters else " [of {cs}|of their {cs}|||]"
    if m.chance(0.5):
        return m.say(f"""
            {{w}} {{m}}{of} [per|by|for each] {{p}}
            {{w}} {{m}} [per|by|by|for each] {{p}}{of if filters else ''}
            <what> the {{w}} {{m}}{of} [for each|per|by|of each] {{p}}
            <lead> [each|every] {{p}} and [the|their|its] {{w}} {{m}}{of}
            for each {{p}}, [show|what is|give] the {{w}} {{m}}{of}
            <lead> {{s}} of {{ps}} and [the|their] {{w}} {{m}}{of}
            """, **words), query
    up = m.chance(0.8)
    query.order = [total + (" DESC" if up else "")]
    one = m.chance(0.4)
    query.limit = 1 if one else m.limit()
    words["k"] = "" if one else m.number_word(query.limit)
    words["ps"] = words["p"] if one else words["ps"]
    words["e"] = m.say("<highest>" if up else "<lowest>")
    if one or m.chance(0.4):
        query.select.pop()
        return m.say(f"""
            [which|what] {{k}} {{ps}} [has|have|with] the {{e}} {{w}} {{m}}{of}
            <lead> the {{k}} {{ps}} with [the|] {{e}} {{w}} {{m}}{of}
            {{k}} {{ps}} with [the|] {{e}} {{w}} {{m}}{of}
            <lead> the {{s}} of the {{k}} {{ps}} with the {{e}} {{w}} {{m}}{of}
            {{ps}} with {{e}} {{w}} {{m}}{of} {{k}}
            what [is|are] the {{s}} of the {{k}} {{ps}} [with|having] the {{e}} {{w}} {{m}}{of}
            """, **words), query
    end = m.pick(["top", "top", "best"]) if up else m.pick(["bottom", "worst"])
    return m.say(f"""
        {end} {{k}} {{ps}} by {{w}} {{m}}{of}
        <lead> [the|] {end} {{k}} {{ps}} by {{w}} {{m}}{of}
        {{k}} {end} {{ps}} by {{w}} {{m}}{of}
        {end} {{k}} {{ps}} [ranked by|in terms of|based on|according to] {{w}} {{m}}{of}
        {{ps}} {end} {{k}} by {{w}} {{m}}
        {end} {{k}} {{ps}} by {{w}} {{m}}
        """ if not filters else f"""
                {end} {{k}} {{ps}} by {{w}} {{m}}{of}
                <lead> {end} {{k}} {{ps}} by {{w}} {{m}}{of}
                {{k}} {end} {{ps}} by {{w}} {{m}}{of}
                """, **words), query


@family(5)
def without_children(m: Maker) -> Pair:
    """Customers without orders."""
    key, child, parent = m.key()
    if not parent.primary or parent.primary.id != key.parent:
        raise Skip
    inner = m.query(child)
    filters = some(m, child, 0.0) if m.chance(0.35) else []
    inner.select, inner.where = [at(key.child)], [f.sql for f in filters]
    query = m.query(parent)
    query.where = [f"{at(key.parent)} NOT IN ({inner.sql()})"]
    own = some(m, parent, 0.0, simple=True) if m.chance(0.15) else []
    query.where = [f.sql for f in own] + query.where
    count = m.chance(0.25)
    query.select = ["COUNT(*)"] if count else m.shown_or_all(parent)
    words = {
        "ps": joined(m, own, m.many(parent)), "cs": joined(m, filters, m.many(child)),
        "c": joined(m, filters, m.one(child)), "s": "names",
    }
    passive = key.hints.no
    active = key.hints.yes
    if passive and m.chance(0.45):
        words["v"] = m.pick(passive)
        rest = m.say("""
            [never|not] {v}
            [that were|which were|that have been] never {v}
            [that were|which were] not {v}
            nobody [ever|] {v}
            no one [has|] [ever|] {v}
            that [haven't|have not] been {v} [yet|]
            """, **words)
        if filters:
            raise Skip
    elif active and m.chance(0.5):
        words["v"] = m.pick(active)
        rest = m.say("""
            [who|that] never {v} [a|any|an|] {c}
            [who|that] [haven't|have not|havent] {v} [any {cs}|a {c}]
            [who|that] [haven't|have never] {v} [any|] {cs}
            with no {cs} {v}
            [who|that] {v} no {cs}
            [who|that] have not {v} {cs} [yet|]
            """, **words)
    else:
        rest = m.say("""
            <without> {cs}
            <without> {cs}
            [who|that] [don't|do not] have [any|a single|] {cs}
            [not having|not associated with|not linked to|missing] [any|] {cs}
            that [have no|never had|have never had] {c}
            <without> {c}
            """, **words)
    words["r"] = rest
    if count:
        return m.say("""
                how many {ps} [are|are there|do we have|] {r}
                <count> {ps} {r}
                count [the|] {ps} {r}
                how many {ps} {r}
                {ps} {r} count
                what is the number of {ps} {r}
                """, **words), query
    return m.say("""
        {ps} {r}
        <lead> <the> {ps} {r}
        which {ps} [are|] {r}
        <lead> [the|] {s} of [the|] {ps} {r}
        {ps} {r}
        find [the|all|] {ps} {r}
        what are the names of [the|] {ps} {r}
        """, **words), query


@family(6)
def filter_by_parent(m: Maker) -> Pair:
    """Columns of the child, a condition on the parent."""
    key, child, parent = m.key()
    filters = some(m, parent, 0.1, simple=m.chance(0.5))
    more = some(m, child, 0.0, simple=True) if m.chance(0.2) else []
    query = m.query(child).join(key)
    query.where = [f.sql for f in more + filters]
    words = {
        "cs": joined(m, more, m.many(child)), "p": joined(m, filters, m.one(parent)),
        "ps": joined(m, filters, m.many(parent)),
    }
    dice = m.rng.random()
    if dice < 0.3:
        query.select = ["COUNT(*)"]
        return m.say("""
            how many {cs} [are there|do we have|] [for|of|from|by] [the|] {p}
            <count> {cs} [of|for|from] {ps}
            how many {cs} [belong to|are linked to|have|come from] [the|a|] {p}
            {cs} [of|for|from] {ps} count
            count [the|] {cs} [of|for] {ps}
            what is the number of {cs} [of|for] [the|] {p}
            """, **words), query
    if dice < 0.5 and m.measures(child):
        measure = m.measure(child, formulas=False)
        kind, word = m.pick(AGGREGATES)
        query.select = [f"{kind}({measure.sql})"]
        return m.say("""
            {w} {m} of {cs} [of|for|from] [the|] {ps}
            <what> the {w} {m} of [all|the|] {cs} [of|for|from|by] [the|] {p}
            {w} {m} [for|of] {ps}
            for {ps}, what is the {w} {m} of [their|the] {cs}
            what is the {w} {m} of {cs} for {ps}
            {w} {m} of the {p}'s {cs}
            """, w=m.say(word), m=measure.noun, **words), query
    columns = m.names(child) if m.names(child) and m.chance(0.4) else some_columns(m, child)
    query.select = [at(c) for c in columns]
    words["c"] = listing([m.nouns(c) for c in columns])
    if columns == m.names(child) and m.chance(0.6):
        return m.say("""
            <lead> <the> {cs} [of|for|from] [the|] {p}
            {cs} [of|for|from|by] {ps}
            which {cs} [belong to|are from|are of|come from] [the|a|] {p}
            <lead> {cs} [that belong to|belonging to|linked to] [the|a|] {p}
            [the|] {p}'s {cs}
            {cs} for the {p}
            """, **words), query
    return m.say("""
        <lead> the {c} of [all|the|] {cs} [of|for|from|by] [the|] {p}
        {c} of {cs} [of|for|from] {ps}
        what [is|are] the {c} of [the|] {cs} [for|of|belonging to] [the|] {p}
        for {ps}, [list|show|give] the {c} of their {cs}
        <lead> {c} of the {p}'s {cs}
        {c} for {cs} of {p}
        """, **words), query


@family(5)
def parents_with(m: Maker) -> Pair:
    """Parents that have a child of some kind."""
    key, child, parent = parent_of(m)
    filters = some(m, child, 0.1)
    query = m.query(parent).join(key)
    query.where = [f.sql for f in filters]
    query.distinct = m.chance(0.5)
    query.select = m.shown(parent).sql
    words = {
        "ps": m.many(parent), "cs": joined(m, filters, m.many(child)), "c": joined(m, filters, m.one(child)),
        "v": verb_of(m, key).removeprefix("that "), "s": m.shown(parent).noun,
    }
    if m.chance(0.2) and parent.primary:
        query.distinct = False
        query.select = [f"COUNT(DISTINCT {at(parent.primary)})"]
        return m.say("""
                how many [different|distinct|] {ps} [have|with] {cs}
                <count> [different|distinct|] {ps} [with|that have] {cs}
                how many {ps} {v} {cs}
                count [the|] {ps} with {cs}
                how many {ps} have at least one {c}
                {ps} with {cs} count
                """, **words), query
    return m.say("""
        which {ps} [have|had] [a|any|] {cs}
        <lead> <the> {ps} [with|that have|who have|having] {cs}
        {ps} with {cs}
        <lead> the {s} of [the|all|] {ps} [with|that have|who have|having] [at least one|a|] {c}
        which {ps} {v} {cs}
        {ps} [who|that] {v} {cs}
        what are the {s} of {ps} [that have|with] {cs}
        """, **words).replace("which with", "with"), query


@family(5)
def both_tables(m: Maker) -> Pair:
    """A column of each: the order's date and the customer's name."""
    key, child, parent = m.key()
    first = some_columns(m, child)[:2]
    second = m.names(parent) if m.names(parent) and m.chance(0.7) else some_columns(m, parent)[:1]
    query = m.query(child).join(key)
    filters = some(m, m.pick([child, parent]), 0.0, simple=True) if m.chance(0.3) else []
    query.where = [f.sql for f in filters]
    query.select = [at(c) for c in first] + [at(c) for c in second]
    things = m.many(child)
    if filters:
        owner = m.schema.tables[filters[0].column.table]
        things = joined(m, filters, things) if owner is child else f"{things} of {joined(m, filters, m.many(parent))}"
    words = {
        "c": listing([m.noun(c) for c in first]), "d": listing([m.noun(c) for c in second]), "cs": things,
        "p": m.one(parent),
    }
    if m.chance(0.3):
        query.order = [at(m.pick(first + second)) + m.pick([" DESC", ""])]
        column = next(c for c in first + second if query.order[0].startswith(at(c)))
        tail = " " + m.say(
            "<sorted> {n} " + ("<desc>" if query.order[0].endswith("DESC") else "<asc>"), n=m.noun(column),
        )
    else:
        tail = ""
    return m.say("""
        <lead> the {c} of [all|the|] {cs} and the {d} of [their|the|its] {p}
        <lead> {cs} {c} [with|and|together with] [the|their] {p} {d}
        {c} and {p} {d} of [all|] {cs}
        for [each|all] {cs}, [show|give] {c} and {p} {d}
        what [are|is] the {c} of {cs} and [the|their] {p} {d}
        {cs} with {c} and {p} {d}
        """, **words) + tail, query


@family(4)
def having_children(m: Maker) -> Pair:
    key, child, parent = parent_of(m)
    number = m.rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 20])
    sign, word = m.pick([
        (">", "<more>"), (">=", "<least>"), (">", "more than"), (">=", "at least"), ("<", "<less>"),
        ("=", "exactly"), ("<=", "<most>"),
    ])
    filters = some(m, child, 0.0, simple=True) if m.chance(0.2) else []
    query = m.query(parent).join(key)
    query.where = [f.sql for f in filters]
    query.select = m.shown(parent).sql
    query.group = [identity(m, parent)]
    query.having = f"COUNT(*) {sign} {number}"
    return m.say("""
        [which|what] {ps} have {w} {k} {cs}
        <lead> <the> {ps} [with|that have|who have|having] {w} {k} {cs}
        {ps} with {w} {k} {cs}
        <lead> the {s} of [all|the|] {ps} [with|that have|who have] {w} {k} {cs}
        {ps} {v} {w} {k} {cs}
        {ps} [having|with] {w} {k} {cs}
        """, ps=m.many(parent), cs=joined(m, filters, m.many(child)), k=m.number_word(number), w=m.say(word), s=m.shown(parent).noun,
        v="who " + m.pick(key.hints.yes) if key.hints.yes else "that have"), query


@family(3.5)
def by_parent_attribute(m: Maker) -> Pair:
    """Children grouped by a category of their parent."""
    key, child, parent = m.key()
    column = m.pick(parent.of_kind("category", "category", "flag", "year"))
    query = m.query(child).join(key)
    words = {"cs": m.many(child), "p": m.one(parent), "n": m.noun(column)}
    total = "COUNT(*)"
    what = "<count> {cs}"
    bare = "{cs}"
    if (m.measures(child) or child.formulas) and m.chance(0.55):
        measure = m.measure(child)
        kind, word = m.pick(AGGREGATES)
        total = f"{kind}({measure.sql})"
        what = f"{m.say(word)} {measure.noun} of {{cs}}" if m.chance(0.5) else f"{m.say(word)} {measure.noun}"
        bare = what if kind != "SUM" else measure.noun
    query.select = [at(column), total]
    query.group = [at(column)]
    return m.say(f"""
        {what} [per|by|for each|in each] {{p}} {{n}}
        {bare} by {{p}} {{n}}
        {bare} [by|per] {{n}} of [the|] {{p}}
        <what> {what} [for each|per|by] {{p}} {{n}}
        {what} [by|per] {{n}}
        <lead> each {{n}} of {{p}} and {what}
        """, **words), query


@family(3)
def superlative_across(m: Maker) -> Pair:
    """The child or parent attribute of the extreme on the other side of a join."""
    key, child, parent = m.key()
    down = m.chance(0.5)
    ranked_table, shown_table = (child, parent) if down else (parent, child)
    column = m.pick(ranked_table.of_kind("measure", "date", "year"))
    up = m.chance(0.65)
    high, low, _, _ = m.degrees(column)
    special = high if up else low
    columns = m.names(shown_table) if m.names(shown_table) and m.chance(0.6) else some_columns(m, shown_table)[:1]
    query = m.query(shown_table).join(key)
    query.select = [at(c) for c in columns]
    query.order = [at(column) + (" DESC" if up else "")]
    words = {"r": m.one(ranked_table), "x": m.one(shown_table), "xs": m.many(shown_table), "c": listing([m.noun(c) for c in columns]), "n": m.noun(column),
             "e": m.pick(special) if special and m.chance(0.6) else "", "h": m.say("<highest>" if up else "<lowest>")}
    thing = "{e} {r}" if words["e"] else "{r} with the {h} {n}"
    query.limit = 1
    if down:
        return m.say(f"""
            <lead> the {{c}} of the {{x}} [with|that has|of|having] the {thing}
            [which|what] {{x}} [has|had|is behind] the {thing}
            {{x}} [with|of] the {thing}
            what is the {{c}} of the {{x}} with the {thing}
            {{x}} {{c}} of the {thing}
            find the {{x}} {{c}} for the {thing}
            """ if columns == m.names(shown_table) else f"""
                    <lead> the {{c}} of the {{x}} [with|that has] the {thing}
                    what is the {{c}} of the {{x}} with the {thing}
                    {{x}} {{c}} of the {thing}
                    """, **words), query
    query.limit = None
    inner = Query(m.schema).add(ranked_table)
    inner.select, inner.order, inner.limit = [at(ranked_table.primary)] if ranked_table.primary else m.pick([]), query.order, 1
    query = m.query(shown_table)
    if ranked_table.primary.id != key.parent:
        raise Skip
    query.select = [at(c) for c in columns]
    query.where = [f"{at(key.child)} = ({inner.sql()})"]
    return m.say(f"""
        <lead> the {{c}} of [all|the|] {{xs}} of the {thing}
        {{c}} of {{xs}} [of|for|from] the {thing}
        what are the {{c}} of the {{xs}} [of|from|for] the {thing}
        all {{xs}} {{c}} [of|for] the {thing}
        <lead> {{xs}} {{c}} belonging to the {thing}
        for the {thing}, list the {{c}} of its {{xs}}
        """, **words), query
