"""Numbers against numbers: ratios, arithmetic, comparisons of columns, ranges."""

from families import Pair, family
from families.basic import AGGREGATES
from filters import joined, some
from maker import Maker, Skip
from query import at
from words import listing


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
        return m.say("""
                [total|overall|] {a} per {b} [of|for|across|over] [all|] {ts}
                {a} to {b} ratio [of|for] {ts}
                ratio of [total|] {a} to [total|] {b} [of|for] {ts}
                {a} divided by {b} [of|for] {ts}
                <what> the [overall|] {a} per {b} [of|for] {ts}
                {a} / {b} for {ts}
                """, **words), query
    if dice < 0.7 and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        query.select, query.group = [at(group), f"1.0 * SUM({at(first)}) / SUM({at(second)})"], [at(group)]
        return m.say("""
                {a} per {b} by {g}
                {a} to {b} ratio [per|by|for each] {g}
                ratio of {a} to {b} by {g}
                <what> the {a} per {b} for each {g}
                {a} / {b} by {g}
                {a} per {b} of {ts} by {g}
                """, g=m.noun(group), **words), query
    if not m.names(table):
        raise Skip
    if dice < 0.88:
        query.select = m.shown(table).sql + [f"1.0 * {at(first)} / {at(second)}"]
        return m.say("""
                {a} per {b} of [each|every|all] {t}
                <lead> {ts} with [their|the] {a} per {b}
                ratio of {a} to {b} for each {t}
                {ts} and their {a} per {b}
                {a} divided by {b} of each {t}
                <lead> the {a} to {b} ratio of {ts}
                """ if not filters else """
                {a} per {b} of {ts}
                <lead> {ts} with their {a} per {b}
                """, **words), query
    query.select = [f"100.0 * SUM({at(first)}) / SUM({at(second)})"]
    return m.say("""
            [total|] {a} as [a|] [percentage|percent|share] of [total|] {b} [of|for] {ts}
            {a} in percent of {b} for {ts}
            what percentage of {b} is {a} for {ts}
            {a} rate relative to {b} of {ts}
            {a} to {b} in percent for {ts}
            how many percent of {b} is {a} for {ts}
            """, **words), query


@family(4)
def arithmetic(m: Maker) -> Pair:
    """Sums, differences and products of two columns, over rows or in total."""
    table = m.table(lambda t: len(m.measures(t)) > 1)
    first, second = m.rng.sample(m.measures(table), 2)
    sign, word = m.pick([(
        "-", "[difference between {a} and {b}|{a} minus {b}|{a} less {b}|gap between {a} and {b}]",
    ),
                         ("+", "[sum of {a} and {b}|{a} plus {b}|{a} and {b} combined|{a} + {b}]"),
                         (
                             "*",
                             "[{a} times {b}|{a} multiplied by {b}|{a} x {b}|product of {a} and {b}|{a} * {b}]",
                         )])
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
        return m.say("""
                {w} {n} of [all|] {ts}
                <what> the {w} {n} [of|for] {ts}
                {w} {n} for {ts}
                {w} of {n} of {ts}
                {w} {n} [over|across] all {ts}
                {ts}: {w} {n}
                """, w=m.say(name).replace("sum of", "total"), **words), query
    if dice < 0.6 and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        kind, name = m.pick([AGGREGATES[0], AGGREGATES[2]])
        query.select, query.group = [at(group), f"{kind}({expression})"], [at(group)]
        return m.say("""
                {w} {n} [per|by|for each] {g}
                <what> the {w} {n} of {ts} by {g}
                {w} {n} of {ts} for each {g}
                {n} by {g}, {w}
                for each {g}, {w} {n}
                {w} {n} in each {g}
                """, w=m.say(name).replace("sum of", "total"), g=m.noun(group), **words), query
    if not m.names(table):
        raise Skip
    if dice < 0.8:
        query.select = m.shown(table).sql + [expression]
        return m.say("""
                {n} of [each|every] {t}
                <lead> {ts} with [the|their] {n}
                {ts} and [the|their] {n}
                <lead> the {n} of [all|] {ts}
                for each {t}, the {n}
                {n} for all {ts}
                """ if not filters else """
                {n} of {ts}
                <lead> {ts} with their {n}
                """, **words), query
    up = m.chance(0.7)
    query.select, query.order, query.limit = m.shown(table).sql, [expression + (" DESC" if up else "")], m.pick([1, 1, 3, 5, 10])
    return m.say("""
            [which|what] {k} {x} [has|have] the {e} {n}
            {k} {x} with [the|] {e} {n}
            <lead> the {k} {x} with the {e} {n}
            """,
            e=m.say("<highest>" if up else "<lowest>"),
            k="" if query.limit == 1 else m.number_word(query.limit), n=noun,
            x=joined(m, filters, m.one(table) if query.limit == 1 else m.many(table))), query


@family(2)
def percent_change(m: Maker) -> Pair:
    """From one column to another in percent: raises, margins."""
    table = m.table(lambda t: len(m.measures(t)) > 1)
    first, second = m.rng.sample(m.measures(table), 2)
    value = f"100.0 * ({at(second)} - {at(first)}) / {at(first)}"
    words = {"a": m.noun(first), "b": m.noun(second), "ts": m.many(table), "t": m.one(table)}
    query = m.query(table)
    noun = m.say("""
            [percentage|percent|%] [increase|change|difference] from {a} to {b}
            [increase|change|growth] from {a} to {b} in [percent|%]
            {b} over {a} in percent more
            """, **words)
    words["n"] = noun
    dice = m.rng.random()
    if dice < 0.35:
        query.select = [f"AVG({value})"]
        return m.say("""
                [average|avg|mean] {n} of {ts}
                <what> the average {n} of [all|] {ts}
                average {n}
                {ts}: avg {n}
                avg {n} for {ts}
                average {n} across {ts}
                """, **words), query
    if dice < 0.7 and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        query.select, query.group = [at(group), f"AVG({value})"], [at(group)]
        return m.say("""
                [average|avg|mean] {n} [by|per|for each] {g}
                <what> the average {n} of {ts} by {g}
                avg {n} of {ts} per {g}
                for each {g}, the average {n}
                average {n} in each {g}
                {ts} average {n} by {g}
                """, g=m.noun(group), **words), query
    query.select = m.shown(table).sql + [value]
    return m.say("""
            {n} of [each|every] {t}
            <lead> {ts} with [their|the] {n}
            {ts} and [their|the] {n}
            for each {t}, the {n}
            <lead> the {n} for all {ts}
            {n} per {t}
            """, **words), query


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
    compare = m.pick([
        "above", "higher than", "greater than", "more than", "over", ">",
    ] if more else ["below", "lower than", "less than", "under", "<", "smaller than"])
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k))]
    if parents and m.chance(0.3):
        key = m.pick(parents)
        parent = m.parent(key)
        query.join(key)
        query.select, query.distinct = m.shown(parent).sql, True
        return m.say("""
                {ps} with {ts} whose {a} is {x} [the|their] {b}
                {ps} that have {ts} with {a} {x} {b}
                which {ps} have {ts} with {a} {x} [the|] {b}
                <lead> {ps} where {a} is {x} {b}
                {ps} having {a} {x} {b}
                <lead> the {ps} with {ts} {a} {x} {b}
                """, ps=m.many(parent), ts=m.many(table), a=m.noun(first), b=m.noun(second), x=compare), query
    return m.say(f"""
            {lead} {{ts}} with {{a}} {{x}} [the|their|] {{b}}
            {lead} {{ts}} whose {{a}} is {{x}} [the|their] {{b}}
            {lead} {{ts}} where {{a}} {{x}} {{b}}
            {lead} {{ts}} [having|with] [a|] {{a}} {{x}} [the|] {{b}}
            """, ts=m.many(table), a=m.noun(first), b=m.noun(second), x=compare), query


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
def product_across(m: Maker) -> Pair:
    """Quantity of the line times price of the product it points at."""
    key, child, parent = m.key()
    a, b = m.pick(m.measures(child)), m.pick(m.measures(parent))
    query = m.query(child).join(key)
    expression = f"SUM({at(a)} * {at(b)})"
    query.select = [expression]
    words = {
        "a": m.noun(a), "b": f"{m.one(parent)} {m.noun(b)}" if m.chance(0.5) else m.noun(b),
        "cs": m.many(child), "ps": m.many(parent), "p": m.one(parent),
    }
    if m.chance(0.5) and m.names(parent) and parent.primary:
        query.select, query.group = m.shown(parent).sql + [expression], [at(parent.primary)]
        if m.chance(0.4):
            query.order, query.limit = [expression + " DESC"], m.limit()
            return m.say("""
                    top {k} {ps} by [total|sum of|] {a} times {b}
                    top {k} {ps} by {a} * {b}
                    {k} {ps} with [the|] highest {a} times {b}, with the value
                    """, k=m.number_word(query.limit), **words), query
        return m.say("""
                [total|sum of|] {a} times {b} [per|by|for each] {p}
                {a} * {b} by {p}
                <what> [total|] {a} multiplied by {b} per {p}
                """, **words), query
    return m.say("""
            [total|sum of|] {a} times {b} of [all|] {cs}
            <what> the [total|sum of] {a} multiplied by {b} over all {cs}
            sum of {a} * {b} for {cs}
            """, **words), query
