"""Percentages, shares of a total, ratios, conditional counts, ranges of a number."""

from families import Pair, family
from families.basic import AGGREGATES
from filters import Filter, condition, flag, joined, some, text_equal
from maker import Maker, Skip
from query import at
from schema import Column, Table
from words import listing, plural_phrase


def counted(condition_sql: str) -> str:
    return f"COUNT(CASE WHEN {condition_sql} THEN 1 END)"


def property_of(m: Maker, table: Table) -> Filter:
    """A condition that splits a table in two: a flag, a category's value, a missing date."""
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
        lines += "{b} {r}\n{b} {t} in [percent|%]\nshare of {b} {t}\n{b} {t} as {p} of [all|total] {t}\n{p} {b} {t}\n"
    if more:
        lines = "what {p} of [the|all|] {t} {a}\n{p} of {t} that {a}\nhow many percent of {t} {a}\nfor {t}: {p} that {a}"
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
        what {p} of [the total|all|total] {n} [comes from|does|is from] each {g} [make up|]
        <lead> each {g} and its {p} of [total|] {n}
        how much does each {g} contribute to [total|] {n} in percent
        """.replace("[comes from|does|is from] each {g} [make up|]", "comes from each {g}"), **words), query


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
        """, p=m.pick(["percentage", "percent", "share", "proportion"]), n=measure.noun, x=joined(m, [found], m.many(table))), query


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
        return m.say("average total {n} per {p}\n{n} per {p} on average\n<what> the average total {n} per {p}\nhow much {n} [is there|] per {p} on average\nmean total {n} [of {cs}|] per {p}\naverage total {n} for a {p} over all [its|their] {cs}" if not filters else "average total {n} of {cs} per {p}\n{n} of {cs} per {p} on average", n=measure.noun, **words), query
    query.select = [f"1.0 * COUNT(*) / COUNT(DISTINCT {at(key.child)})"]
    return m.say("""
        average number of {cs} per {p}
        [avg|mean] {cs} per {p}
        how many {cs} [does a|per] {p} have on average
        {cs} per {p} on average
        <what> the average number of {cs} [per|for each] {p}
        average {cs} per {p}
        on average how many {cs} [are there|do we have|] per {p}
        """.replace("[does a|per] {p} have on average", "does [a|each] {p} have on average"), **words), query


@family(3)
def ratio(m: Maker) -> Pair:
    """One column against another: cost per click, price per unit."""
    table = m.table(lambda t: len(m.measures(t)) > 1)
    first, second = m.rng.sample(m.measures(table), 2)
    filters = some(m, table, 0, simple=True) if m.chance(0.2) else []
    query = m.query(table)
    query.where = [f.sql for f in filters]
    a, b = m.noun(first), m.noun(second)
    words = {"a": a, "b": b, "ts": joined(m, filters, m.many(table)), "t": m.one(table)}
    dice = m.rng.random()
    if dice < 0.45:
        query.select = [f"1.0 * SUM({at(first)}) / SUM({at(second)})"]
        return m.say("[total|overall|] {a} per {b} [of|for|across|over] [all|] {ts}\n{a} to {b} ratio [of|for] {ts}\nratio of [total|] {a} to [total|] {b} [of|for] {ts}\n{a} divided by {b} [of|for] {ts}\n<what> the [overall|] {a} per {b} [of|for] {ts}\n{a} / {b} for {ts}", **words), query
    if dice < 0.7 and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        query.select, query.group = [at(group), f"1.0 * SUM({at(first)}) / SUM({at(second)})"], [at(group)]
        return m.say("{a} per {b} by {g}\n{a} to {b} ratio [per|by|for each] {g}\nratio of {a} to {b} by {g}\n<what> the {a} per {b} for each {g}\n{a} / {b} by {g}\n{a} per {b} of {ts} by {g}", g=m.noun(group), **words), query
    if not m.names(table):
        raise Skip
    if dice < 0.88:
        query.select = m.shown(table).sql + [f"1.0 * {at(first)} / {at(second)}"]
        return m.say("{a} per {b} of [each|every|all] {t}\n<lead> {ts} with [their|the] {a} per {b}\nratio of {a} to {b} for each {t}\n{ts} and their {a} per {b}\n{a} divided by {b} of each {t}\n<lead> the {a} to {b} ratio of {ts}" if not filters else "{a} per {b} of {ts}\n<lead> {ts} with their {a} per {b}", **words), query
    query.select = [f"100.0 * SUM({at(first)}) / SUM({at(second)})"]
    return m.say("[total|] {a} as [a|] [percentage|percent|share] of [total|] {b} [of|for] {ts}\n{a} in percent of {b} for {ts}\nwhat percentage of {b} is {a} for {ts}\n{a} rate relative to {b} of {ts}\n{a} to {b} in percent for {ts}\nhow many percent of {b} is {a} for {ts}", **words), query


@family(4)
def arithmetic(m: Maker) -> Pair:
    """Sums, differences and products of two columns, over rows or in total."""
    table = m.table(lambda t: len(m.measures(t)) > 1)
    first, second = m.rng.sample(m.measures(table), 2)
    sign, word = m.pick([("-", "[difference between {a} and {b}|{a} minus {b}|{a} less {b}|gap between {a} and {b}]"),
                         ("+", "[sum of {a} and {b}|{a} plus {b}|{a} and {b} combined|{a} + {b}]"),
                         ("*", "[{a} times {b}|{a} multiplied by {b}|{a} x {b}|product of {a} and {b}|{a} * {b}]")])
    expression = f"{at(first)} {sign} {at(second)}"
    noun = m.say(word, a=m.noun(first), b=m.noun(second))
    filters = some(m, table, 0, simple=True) if m.chance(0.2) else []
    query = m.query(table)
    query.where = [f.sql for f in filters]
    words = {"n": noun, "ts": joined(m, filters, m.many(table)), "t": m.one(table)}
    dice = m.rng.random()
    if dice < 0.4:
        kind, name = m.pick(AGGREGATES)
        query.select = [f"{kind}({expression})"]
        return m.say("{w} {n} of [all|] {ts}\n<what> the {w} {n} [of|for] {ts}\n{w} {n} for {ts}\n{w} of {n} of {ts}\n{w} {n} [over|across] all {ts}\n{ts}: {w} {n}", w=m.say(name).replace("sum of", "total"), **words), query
    if dice < 0.6 and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        kind, name = m.pick([AGGREGATES[0], AGGREGATES[2]])
        query.select, query.group = [at(group), f"{kind}({expression})"], [at(group)]
        return m.say("{w} {n} [per|by|for each] {g}\n<what> the {w} {n} of {ts} by {g}\n{w} {n} of {ts} for each {g}\n{n} by {g}, {w}\nfor each {g}, {w} {n}\n{w} {n} in each {g}", w=m.say(name).replace("sum of", "total"), g=m.noun(group), **words), query
    if not m.names(table):
        raise Skip
    if dice < 0.8:
        query.select = m.shown(table).sql + [expression]
        return m.say("{n} of [each|every] {t}\n<lead> {ts} with [the|their] {n}\n{ts} and [the|their] {n}\n<lead> the {n} of [all|] {ts}\nfor each {t}, the {n}\n{n} for all {ts}" if not filters else "{n} of {ts}\n<lead> {ts} with their {n}", **words), query
    up = m.chance(0.7)
    query.select, query.order, query.limit = m.shown(table).sql, [expression + (" DESC" if up else "")], m.pick([1, 1, 3, 5, 10])
    return m.say("[which|what] {k} {x} [has|have] the {e} {n}\n{k} {x} with [the|] {e} {n}\n<lead> the {k} {x} with the {e} {n}", e=m.say("<highest>" if up else "<lowest>"), k="" if query.limit == 1 else m.number_word(query.limit), n=noun, x=joined(m, filters, m.one(table) if query.limit == 1 else m.many(table))), query


@family(2)
def percent_change(m: Maker) -> Pair:
    """From one column to another in percent: raises, margins."""
    table = m.table(lambda t: len(m.measures(t)) > 1)
    first, second = m.rng.sample(m.measures(table), 2)
    value = f"100.0 * ({at(second)} - {at(first)}) / {at(first)}"
    words = {"a": m.noun(first), "b": m.noun(second), "ts": m.many(table), "t": m.one(table)}
    query = m.query(table)
    noun = m.say("[percentage|percent|%] [increase|change|difference] from {a} to {b}\n[increase|change|growth] from {a} to {b} in [percent|%]\n{b} over {a} in percent more", **words)
    words["n"] = noun
    dice = m.rng.random()
    if dice < 0.35:
        query.select = [f"AVG({value})"]
        return m.say("[average|avg|mean] {n} of {ts}\n<what> the average {n} of [all|] {ts}\naverage {n}\n{ts}: avg {n}\navg {n} for {ts}\naverage {n} across {ts}", **words), query
    if dice < 0.7 and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        query.select, query.group = [at(group), f"AVG({value})"], [at(group)]
        return m.say("[average|avg|mean] {n} [by|per|for each] {g}\n<what> the average {n} of {ts} by {g}\navg {n} of {ts} per {g}\nfor each {g}, the average {n}\naverage {n} in each {g}\n{ts} average {n} by {g}", g=m.noun(group), **words), query
    query.select = m.shown(table).sql + [value]
    return m.say("{n} of [each|every] {t}\n<lead> {ts} with [their|the] {n}\n{ts} and [their|the] {n}\nfor each {t}, the {n}\n<lead> the {n} for all {ts}\n{n} per {t}", **words), query


@family(3)
def compare_columns(m: Maker) -> Pair:
    """One column against another of the row: stock below the reorder level."""
    table = m.table(lambda t: len(m.measures(t)) > 1)
    first, second = m.rng.sample(m.measures(table), 2)
    more = m.chance(0.5)
    query = m.query(table)
    query.where = [f"{at(first)} {'>' if more else '<'} {at(second)}"]
    query.select = ["COUNT(*)"] if m.chance(0.35) else m.shown_or_all(table)
    lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which|||]"
    compare = m.pick(["above", "higher than", "greater than", "more than", "over", ">"] if more else ["below", "lower than", "less than", "under", "<", "smaller than"])
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k))]
    if parents and m.chance(0.3):
        key = m.pick(parents)
        parent = m.parent(key)
        query.join(key)
        query.select, query.distinct = m.shown(parent).sql, True
        return m.say("{ps} with {ts} whose {a} is {x} [the|their] {b}\n{ps} that have {ts} with {a} {x} {b}\nwhich {ps} have {ts} with {a} {x} [the|] {b}\n<lead> {ps} where {a} is {x} {b}\n{ps} having {a} {x} {b}\n<lead> the {ps} with {ts} {a} {x} {b}", ps=m.many(parent), ts=m.many(table), a=m.noun(first), b=m.noun(second), x=compare), query
    return m.say(f"{lead} {{ts}} with {{a}} {{x}} [the|their|] {{b}}\n{lead} {{ts}} whose {{a}} is {{x}} [the|their] {{b}}\n{lead} {{ts}} where {{a}} {{x}} {{b}}\n{lead} {{ts}} [having|with] [a|] {{a}} {{x}} [the|] {{b}}", ts=m.many(table), a=m.noun(first), b=m.noun(second), x=compare), query


@family(3)
def side_by_side(m: Maker) -> Pair:
    """Two or three conditional counts or sums in one row, or per group."""
    table = m.table(lambda t: any(len(c.values) > 1 for c in t.of_kind("category")))
    column = m.pick([c for c in table.of_kind("category") if len(c.values) > 1 and all(isinstance(v, str) for v in c.values)])
    values = m.rng.sample(column.values, min(len(column.values), m.pick([2, 2, 3])))
    m.values += values
    tests = [f"{at(column)} = '{v.replace(chr(39), chr(39) * 2)}'" for v in values]
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
        return m.say("{n} {v} {ts} [side by side|in one row|next to each other|as columns]\n{n} {v} {ts} in separate columns\ncompare {n} {v} {ts}\n{v} {ts}: {n} each in a column\n{n} {ts} that are {v}, side by side\n<lead> {n} {v} {ts} next to each other", **words).replace("compare how many", "compare number of").replace(": how many each", ": count each"), query
    return m.say("{n} {v} {ts}{by}\n<lead> the {n} {v} {ts}{by}\n{v} {ts}{by}: {n} each\n{n} {v} {ts}{by} in columns\ncompare {n} {v} {ts}{by}\n{n} {v} {ts}{by}", by=by, **words).replace("the how many", "the number of").replace("compare how many", "compare number of"), query


@family(3.5)
def buckets(m: Maker) -> Pair:
    """Ranges of a number and how many are in each."""
    table = m.table(lambda t: m.measures(t))
    column = m.pick(m.measures(table))
    cuts = sorted({float(m.number(column)) for _ in range(m.pick([1, 2, 2, 3]))})
    if len(cuts) < 1 or cuts[0] <= 0:
        raise Skip
    text = [str(int(c)) if c == int(c) else str(c) for c in cuts]
    ranges = [m.pick(["under", "below", "less than", "up to"]) + f" {text[0]}"]
    ranges += [m.pick([f"{a} to {b}", f"{a}-{b}", f"between {a} and {b}", f"from {a} to {b}"]) for a, b in zip(text, text[1:])]
    ranges += [m.pick(["over", "above", "more than", "from"]) + f" {text[-1]}" + m.pick(["", "", " and more"])]
    if len(set(ranges)) < len(ranges):
        raise Skip
    labels = [f"less than {text[0]}"] + [f"{a} up to {b}" for a, b in zip(text, text[1:])] + [f"{text[-1]} or more"]
    whens = " ".join(f"WHEN {at(column)} < {c} THEN '{label}'" for c, label in zip(text, labels))
    case = f"CASE {whens} ELSE '{labels[-1]}' END"
    total, noun = "COUNT(*)", m.say("[number of|how many|count of|] {t}", t=m.many(table))
    query = m.query(table)
    query.select, query.group = [case, total], [case]
    words = {"n": noun, "r": listing(ranges), "c": m.noun(column), "ts": m.many(table), "cut": listing(text)}
    return m.say("""
        {n} with {c} {r}
        {n} [by|per] {c} [range|bucket|band|group]: {r}
        how many {ts} [have|with|have a] {c} {r}
        {n} {r} {c}
        {ts} by {c} [buckets|ranges|bands|groups] {r}
        group {ts} by {c}: {r}
        {ts} by {c} [cut at|split at|with cuts at|in ranges split at] {cut}
        """, **words), query


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


@family(2)
def product_across(m: Maker) -> Pair:
    """Quantity of the line times price of the product it points at."""
    key, child, parent = m.key()
    a, b = m.pick(m.measures(child)), m.pick(m.measures(parent))
    query = m.query(child).join(key)
    expression = f"SUM({at(a)} * {at(b)})"
    query.select = [expression]
    words = {"a": m.noun(a), "b": f"{m.one(parent)} {m.noun(b)}" if m.chance(0.5) else m.noun(b), "cs": m.many(child), "ps": m.many(parent), "p": m.one(parent)}
    if m.chance(0.5) and m.names(parent) and parent.primary:
        query.select, query.group = m.shown(parent).sql + [expression], [at(parent.primary)]
        if m.chance(0.4):
            query.order, query.limit = [expression + " DESC"], m.limit()
            return m.say("top {k} {ps} by [total|sum of|] {a} times {b}\ntop {k} {ps} by {a} * {b}\n{k} {ps} with [the|] highest {a} times {b}, with the value", k=m.number_word(query.limit), **words), query
        return m.say("[total|sum of|] {a} times {b} [per|by|for each] {p}\n{a} * {b} by {p}\n<what> [total|] {a} multiplied by {b} per {p}", **words), query
    return m.say("[total|sum of|] {a} times {b} of [all|] {cs}\n<what> the [total|sum of] {a} multiplied by {b} over all {cs}\nsum of {a} * {b} for {cs}", **words), query
