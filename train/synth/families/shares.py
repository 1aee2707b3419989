"""Percentages, shares of a total, ratios, conditional counts, ranges of a number."""

from families import Pair, family
from filters import Filter, condition, fact, flag, joined, some, text_equal
from maker import Maker, Skip
from query import at
from schema import Table, literal
from words import listing


def counted(condition_sql: str) -> str:
    return f"COUNT(CASE WHEN {condition_sql} THEN 1 END)"


def property_of(m: Maker, table: Table) -> Filter:
    """A condition that splits a table in two: a flag, a category's value, a missing date."""
    if table.facts and m.chance(0.35):
        return fact(m, table)
    columns = table.of_kind("flag", "flag", "category") + [c for c in table.columns if c.nullable and c.hints.no]
    column = m.pick(columns)
    if column.kind == "flag":
        return flag(m, column)
    if column.kind == "category":
        return text_equal(m, column)
    return condition(m, table)


def rate_word(m: Maker, found: Filter) -> str:
    """`cancellation rate` would need a noun of its own; `cancelled rate` is what people type."""
    return m.pick(["rate", "ratio in percent", "percentage", "share", "%"]) if found.before else ""


@family(5)
def percent_of(m: Maker) -> Pair:
    """What percentage of things has a property."""
    table = m.table(lambda t: t.of_kind("flag", "category"))
    found = property_of(m, table)
    more = some(m, table, 0, simple=True) if m.chance(0.2) else []
    if any(f.column is found.column for f in more):
        raise Skip
    query = m.query(table)
    query.select = [f"100.0 * {counted(found.sql)} / COUNT(*)"]
    query.where = [f.sql for f in more]
    all_of = joined(m, more, m.many(table))
    words = {"t": all_of, "x": joined(m, [found], m.many(table)), "b": found.before, "r": rate_word(m, found),
             "p": m.pick(["percentage", "percent", "share", "proportion", "%", "fraction in percent"]),
             "a": f"are {found.before}" if found.before else "are " + found.after.removeprefix("that are ").removeprefix("who are ").removeprefix("which are ")}
    if found.after.startswith(("with", "whose", "where", "who ", "that ", "in ", "from ", "of ", "having")):
        words["a"] = found.after.replace("with ", "have ", 1) if found.after.startswith("with ") else "are " + found.after
    lines = """
        what {p} of [the|all|our|] {t} {a}
        {p} of {x}
        what is the {p} of {x}
        how many percent of [the|our|] {t} {a}
        <lead> the {p} of {t} that {a}
        {p} of {t} that {a}
        """
    if found.before and not more:
        lines += """
                {b} {r}
                {b} {t} in [percent|%]
                share of {b} {t}
                {b} {t} as {p} of [all|total] {t}
                {p} {b} {t}
                
                """
    if more:
        lines = """
                what {p} of [the|all|] {t} {a}
                {p} of {t} that {a}
                how many percent of {t} {a}
                for {t}: {p} that {a}
                """
    return m.say(lines, **words), query


@family(5)
def percent_per(m: Maker) -> Pair:
    """The same rate per category, or per parent."""
    table = m.table(lambda t: t.of_kind("flag", "category"))
    found = property_of(m, table)
    share = f"100.0 * {counted(found.sql)} / COUNT(*)"
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k)) and m.parent(k).primary]
    groups = [c for c in table.of_kind("category") if c is not found.column]
    if parents and (not groups or m.chance(0.5)):
        key = m.pick(parents)
        parent = m.parent(key)
        query = m.query(parent).join(key)
        query.select, query.group, by = m.shown(parent).sql + [share], [at(parent.primary)], m.one(parent)
    else:
        group = m.pick(groups)
        query = m.query(table)
        query.select, query.group, by = [at(group), share], [at(group)], m.noun(group)
    if m.chance(0.15):
        query.order = [f"{share} DESC"]
        tail = m.pick(["highest first", "sorted descending", "from highest to lowest", "ranked"])
    else:
        tail = ""
    words = {"x": joined(m, [found], m.many(table)), "b": found.before or found.after, "g": by, "r": rate_word(m, found), "ts": m.many(table),
             "p": m.pick(["percentage", "percent", "share", "proportion", "%"])}
    lines = """
        {p} of {x} [per|by|for each|in each] {g}
        <what> the {p} of {x} [per|by|for each] {g}
        for each {g}, what {p} of {ts} are {b}
        {x} in [percent|%] [per|by] {g}
        <lead> the {p} of {x} for every {g}
        what {p} of {ts} are {b} by {g}
        """
    if found.before:
        lines += "{b} {r} [per|by] {g}\n{b} {r} by {g}\n{b} {ts} {p} by {g}\nshare of {b} {ts} per {g}\n"
    return m.say(lines, **words) + " " + tail, query


@family(4)
def share_of_total(m: Maker) -> Pair:
    """Each group's part of the whole."""
    parents = [k for k in m.schema.main_keys if m.names(m.parent(k)) and m.parent(k).primary]
    if parents and m.chance(0.5):
        key = m.pick(parents)
        table, parent = m.child(key), m.parent(key)
        query = m.query(parent).join(key)
        shown, query.group, by = m.shown(parent).sql, [at(parent.primary)], m.one(parent)
    else:
        table = m.table(lambda t: t.of_kind("category"))
        group = m.pick(table.of_kind("category"))
        query = m.query(table)
        shown, query.group, by = [at(group)], [at(group)], m.noun(group)
    total, noun = "COUNT(*)", m.many(table)
    if (m.measures(table) or table.formulas) and m.chance(0.6):
        measure = m.measure(table)
        total, noun = f"SUM({measure.sql})", measure.noun
    query.select = shown + [f"100.0 * {total} / SUM({total}) OVER ()"]
    words = {"n": noun, "g": by, "p": m.pick(["percentage", "percent", "share", "proportion"])}
    return m.say("""
        {p} of [total|overall|all] {n} [per|by|for each] {g}
        share of {n} [per|by] {g}
        each {g}'s share of [total|all|the total] {n}
        {n} by {g} [as percentage of total|in percent of the total|as share of total|in %]
        what {p} of [the total|all|total] {n} comes from each {g}
        <lead> each {g} and its {p} of [total|] {n}
        how much does each {g} contribute to [total|] {n} in percent
        """, **words), query


@family(2.5)
def share_of_value(m: Maker) -> Pair:
    """One value's part of a total: revenue from online orders in percent."""
    table = m.table(lambda t: t.of_kind("category", "flag") and (m.measures(t) or t.formulas))
    found, measure = property_of(m, table), m.measure(table)
    if measure.column and measure.column is found.column:
        raise Skip
    query = m.query(table)
    query.select = [f"100.0 * SUM(CASE WHEN {found.sql} THEN {measure.sql} ELSE 0 END) / SUM({measure.sql})"]
    return m.say("""
        what {p} of [the total|total|our|] {n} [comes from|is from|is made by|belongs to] {x}
        {p} of {n} from {x}
        share of {x} in [total|the total|] {n}
        {x} share of {n}
        how many percent of {n} [is|comes] from {x}
        {n} from {x} as {p} of total
        """,
        p=m.pick(["percentage", "percent", "share", "proportion"]), n=measure.noun,
        x=joined(m, [found], m.many(table))), query


@family(3)
def average_per(m: Maker) -> Pair:
    """Average number of children per parent."""
    key, child, parent = m.key()
    query = m.query(child)
    filters = some(m, child, 0, simple=True) if m.chance(0.15) else []
    query.where = [f.sql for f in filters]
    words = {"cs": joined(m, filters, m.many(child)), "p": m.one(parent), "ps": m.many(parent)}
    if (m.measures(child) or child.formulas) and m.chance(0.35):
        measure = m.measure(child)
        query.select = [f"1.0 * SUM({measure.sql}) / COUNT(DISTINCT {at(key.child)})"]
        return m.say("""
                average total {n} per {p}
                {n} per {p} on average
                <what> the average total {n} per {p}
                how much {n} [is there|] per {p} on average
                mean total {n} [of {cs}|] per {p}
                average total {n} for a {p} over all [its|their] {cs}
                """ if not filters else """
                average total {n} of {cs} per {p}
                {n} of {cs} per {p} on average
                """, n=measure.noun, **words), query
    query.select = [f"1.0 * COUNT(*) / COUNT(DISTINCT {at(key.child)})"]
    return m.say("""
        average number of {cs} per {p}
        [avg|mean] {cs} per {p}
        how many {cs} does [a|each] {p} have on average
        {cs} per {p} on average
        <what> the average number of {cs} [per|for each] {p}
        average {cs} per {p}
        on average how many {cs} [are there|do we have|] per {p}
        """, **words), query


@family(3)
def side_by_side(m: Maker) -> Pair:
    """Two or three conditional counts or sums in one row, or per group."""
    table = m.table(lambda t: any(len(c.values) > 1 for c in t.of_kind("category")))
    column = m.pick([c for c in table.of_kind("category") if len(c.values) > 1 and all(isinstance(v, str) for v in c.values)])
    values = m.rng.sample(column.values, min(len(column.values), m.pick([2, 2, 3])))
    m.values += values
    tests = [f"{at(column)} = {literal(v)}" for v in values]
    query = m.query(table)
    if (m.measures(table) or table.formulas) and m.chance(0.4):
        measure = m.measure(table)
        query.select = [f"SUM(CASE WHEN {t} THEN {measure.sql} ELSE 0 END)" for t in tests]
        noun = m.pick(["total ", ""]) + measure.noun + " of"
    else:
        query.select, noun = [counted(t) for t in tests], m.pick(["number of", "count of", "how many"])
    words = {"n": noun, "v": listing(values, m.pick(["and", "vs", "versus", "and"])), "ts": m.many(table)}
    by = ""
    groups = [c for c in table.of_kind("category") if c is not column]
    if groups and m.chance(0.4):
        group = m.pick(groups)
        query.select.insert(0, at(group))
        query.group, by = [at(group)], m.pick([" per ", " by ", " for each "]) + m.noun(group)
    if not by:
        return m.say("""
                {n} {v} {ts} [side by side|in one row|next to each other|as columns]
                {n} {v} {ts} in separate columns
                compare {n} {v} {ts}
                {v} {ts}: {n} each in a column
                {n} {ts} that are {v}, side by side
                <lead> {n} {v} {ts} next to each other
                """,
                **words).replace("compare how many", "compare number of").replace(": how many each", ": count each"), query
    return m.say("""
            {n} {v} {ts}{by}
            <lead> the {n} {v} {ts}{by}
            {v} {ts}{by}: {n} each
            {n} {v} {ts}{by} in columns
            compare {n} {v} {ts}{by}
            {n} {v} {ts}{by}
            """,
            by=by, **words).replace("the how many", "the number of").replace("compare how many", "compare number of"), query


@family(2)
def two_counts(m: Maker) -> Pair:
    """Two tables counted next to each other: orders vs returns."""
    first, second = m.table(), m.table()
    if first is second:
        raise Skip
    parts = []
    nouns = []
    for table in (first, second):
        query = m.query(table)
        query.select = ["COUNT(*)"]
        filters = some(m, table, 0, simple=True) if m.chance(0.3) else []
        query.where = [f.sql for f in filters]
        parts.append(f"({query.sql()})")
        nouns.append(joined(m, filters, m.many(table)))
    return m.say("""
        {a} [vs|versus|vs.] {b}
        number of {a} [vs|versus|and|compared to] [number of|] {b}
        how many {a} and how many {b} [do we have|are there|]
        count [of|] {a} and {b}
        compare the number of {a} [with|to] the number of {b}
        how many {a} [vs|and] {b}
        """, a=nouns[0], b=nouns[1]), f"SELECT {parts[0]}, {parts[1]}"
