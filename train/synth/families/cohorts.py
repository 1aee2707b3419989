"""First, last and next events of the same thing: repeat rates, cohorts, days between, dates some time later."""

from families import Pair, family
from filters import joined, some
from maker import Maker, Skip
from periods import years_of
from query import at
from schema import Column, Key, Table, literal

DUE = {"days", "day", "term", "terms", "duration", "period", "months", "weeks", "length", "notice", "validity", "lead"}


def repeated(m: Maker) -> tuple[Key, Table, Table, Column]:
    """A child with a main date, of which a named parent has several."""
    key, child, parent = m.key()
    dates = [c for c in child.of_kind("date") if len(years_of(c)) > 0 and "birth" not in c.phrase]
    if not dates or not parent.primary or child.rows and parent.rows and child.rows < parent.rows:
        raise Skip
    return key, child, parent, dates[0]


def words_of(m: Maker, key: Key, child: Table, parent: Table, column: Column) -> dict:
    return {"c": m.one(child), "cs": m.many(child), "p": m.one(parent), "ps": m.many(parent), "d": m.noun(column)}


@family(6)
def days_between_events(m: Maker) -> Pair:
    """`average days between orders of a customer`, `longest gap between two visits per patient`."""
    key, child, parent, column = repeated(m)
    gap = f"ir_days({at(column)}, ir_prior({at(column)}, {at(key.child)}))"
    kind, word = m.pick([("AVG", "[average|avg|mean|typical]")] * 3 + [("MAX", "[longest|maximum|max]"), ("MIN", "[shortest|min]"),
                         ("ir_median", "median")])
    query = m.query(child)
    query.select = [f"{kind}({gap})"]
    words = words_of(m, key, child, parent, column) | {"w": m.say(word)}
    if m.names(parent) and m.chance(0.35):
        query.join(key)
        query.select, query.group = m.shown(parent).sql + query.select, [at(parent.primary)]
        return m.say("""
            {w} [days|time|number of days|gap] between [two|] {cs} [per|by|for each] {p}
            for each {p}, the {w} [days|time] between {cs}
            """, **words), query
    return m.say("""
        {w} [days|time|number of days|gap in days] between [two|] {cs} of [a|the same|each] {p}
        {w} [days|time] between {cs} of the same {p}
        how many days [on average|] lie between two {cs} of a {p}
        {w} days [until|to] the next {c} of a {p}
        """ if kind == "AVG" else """
        {w} [days|time|number of days|gap in days] between [two|] {cs} of [a|the same|each] {p}
        {w} [gap|time] between a {p}'s {cs}
        """, **words), query


@family(6)
def first_events(m: Maker) -> Pair:
    """`orders that were the customer's first`, `share of first orders`, `new customers per month`."""
    key, child, parent, column = repeated(m)
    first = m.chance(0.75)
    event = f"ir_{'earliest' if first else 'latest'}({at(column)}, {at(key.child)})"
    query = m.query(child)
    words = words_of(m, key, child, parent, column) | {"f": m.pick(["first", "very first", "earliest"] if first else ["last", "latest", "most recent"])}
    dice = m.rng.random()
    if first and dice < 0.35:
        unit, part = m.pick([("month", "ir_month"), ("month", "ir_month"), ("year", "ir_year"), ("quarter", "ir_quarter")])
        query.select, query.group = [f"{part}({event})", f"COUNT(DISTINCT {at(key.child)})"], [f"{part}({event})"]
        return m.say("""
            [new|first-time] {ps} per {u}, [going by|by] their first {c}
            [number of|how many] {ps} by [the|] {u} of their first {c}
            {ps} per {u} of first {c}
            [cohort sizes|size of each cohort]: {ps} by {u} of first {c}
            how many {ps} had their first {c} in each {u}
            """, u=unit, **words), query
    query.where = [f"{at(column)} = {event}"]
    if dice < 0.55:
        query.select = ["COUNT(*)"]
        return m.say("""
            how many {cs} were the {f} of their {p}
            number of {cs} that were [a|the] {p}'s {f}
            """, **words), query
    if m.names(parent) and dice < 0.8:
        query.join(key)
        shown = [c for c in child.columns if c.kind in ("measure", "category", "name")]
        query.select = m.shown(parent).sql + [at(column)] + ([at(m.pick(shown))] if shown and m.chance(0.5) else [])
        extra = query.select[len(m.shown(parent).sql) + 1:]
        more = "" if not extra else " and " + m.noun(next(c for c in shown if at(c) == extra[0]))
        return m.say("""
            {f} {c} of each {p} with {d}{x}
            each {p}'s {f} {c}: {d}{x}
            <lead> {d}{x} of the {f} {c} of every {p}
            """, x=more, **words), query
    if not m.measures(child):
        raise Skip
    measure = m.measure(child)
    kind, word = m.pick([("AVG", "average"), ("SUM", "total"), ("AVG", "mean")])
    query.select = [f"{kind}({measure.sql})"]
    return m.say("""
        {w} {n} of [a {p}'s|the|each {p}'s] {f} {c}
        {w} {n} of {f} {cs}
        <what> the {w} {n} of the {f} {c} of a {p}
        """, w=word, n=measure.noun, **words), query


@family(6)
def bought_again(m: Maker) -> Pair:
    """`repeat rate`, `customers who ordered again within 60 days`, `customers of January who bought again`."""
    key, child, parent, column = repeated(m)
    words = words_of(m, key, child, parent, column)
    verb = m.pick(key.hints.yes) if key.hints.yes and m.chance(0.5) else "had a " + m.one(child)
    dice = m.rng.random()
    if dice < 0.4:
        inner = m.query(child)
        inner.select, inner.group = [f"{at(key.child)} AS who", "COUNT(*) AS times"], [at(key.child)]
        sql = f"SELECT 100.0 * COUNT(CASE WHEN times > 1 THEN 1 END) / COUNT(*) FROM ({inner.sql()})"
        return m.say("""
            [repeat rate|repeat purchase rate|return rate] of {ps}
            [what share|what percentage|how many percent] of {ps} with {cs} [have|had] more than one
            share of [repeat|returning] {ps}
            [percentage|percent|share] of {ps} [who|that] came back for [another|a second] {c}
            """, **words), sql
    first = f"ir_earliest({at(column)}, {at(key.child)})"
    days = m.pick([7, 14, 30, 30, 60, 60, 90, 180, 365])
    m.values.append(days)
    query = m.query(child)
    query.select = [f"COUNT(DISTINCT {at(key.child)})"]
    again = [f"{at(column)} > {first}", f"{at(column)} <= ir_shift({first}, {days}, 'day')"]
    if dice < 0.75:
        query.where = again
        return m.say("""
            how many {ps} {v} again within {k} days [of|after] [the|their] first
            number of {ps} with [another|a second] {c} within {k} days of their first [{c}|one]
            {ps} [who|that] came back within {k} days [of|after] their first {c}, how many
            """, v=verb, k=days, **words), query
    year = m.pick(years_of(column))
    month = m.rng.randint(1, 12)
    query.where = [f"ir_during({first}, '{year}-{month:02}')"] + again
    name = "january february march april may june july august september october november december".split()[month - 1]
    return m.say("""
        how many {ps} of {mn} {y} {v} again within {k} days
        {ps} whose first {c} was in {mn} {y} and who came back within {k} days, how many
        [how many|number of] new {ps} of {mn} {y} with [another|a second] {c} within {k} days
        """, mn=m.pick([name, name.capitalize()]), y=year, v=verb, k=days, **words), query


@family(5)
def some_time_later(m: Maker) -> Pair:
    """`due date: invoice date plus payment term`, `contracts that end 12 months after they start`."""
    tables = [t for t in m.schema.tables for c in t.of_kind("date") if years_of(c)]
    table = m.pick(tables)
    column = m.pick([c for c in table.of_kind("date") if years_of(c)])
    spans = [c for c in table.columns if c.integer and c.kind == "measure" and DUE & set(c.words) and c.values]
    query = m.query(table)
    name = [at(c) for c in m.names(table)] or [at(c) for c in table.columns if c.primary][:1]
    if not name:
        raise Skip
    words = {"t": m.one(table), "ts": m.many(table), "d": m.noun(column)}
    if spans and m.chance(0.6):
        span = m.pick(spans)
        unit = next((u for u in ("month", "week", "year") if u in " ".join(span.words)), "day")
        later = f"ir_shift({at(column)}, {at(span)}, '{unit}')"
        words["s"] = m.noun(span)
        plus = m.say("[{d} plus {s}|{d} plus the {s}|{s} added to the {d}|{s} after the {d}]", **words)
    else:
        unit = m.pick(["day", "day", "month", "month", "year", "week"])
        number = m.pick({"day": [3, 7, 10, 14, 30, 60, 90], "month": [1, 3, 6, 12, 24], "year": [1, 2, 3, 5], "week": [1, 2, 4, 6]}[unit])
        m.values.append(number)
        later = f"ir_shift({at(column)}, {number}, '{unit}')"
        units = unit if number == 1 else unit + "s"
        plus = m.say("[{k} {u} after the {d}|{d} plus {k} {u}|day {k} {u} after the {d}]", k=number, u=units, d=words["d"])
    dice = m.rng.random()
    others = [c for c in table.of_kind("date") if c is not column and years_of(c)]
    if others and dice < 0.4:
        other = m.pick(others)
        late = m.chance(0.7)
        query.where = [f"{at(other)} {'>' if late else '<='} {later}"]
        count = m.chance(0.4)
        query.select = ["COUNT(*)"] if count else name
        return m.say(f"""
            {"[how many|number of]" if count else "[<lead>|which|]"} {{ts}} {"with {o} later than {x}" if late else "with {o} no later than {x}"}
            {"[how many|number of]" if count else "[<lead>|which|]"} {{ts}} [whose|where the] {{o}} is {"after" if late else "not after"} {{x}}
            """, o=m.noun(other), x=plus, **words), query
    if dice < 0.6:
        before = m.chance(0.6)
        query.where = [f"{later} {'<' if before else '>'} date('now')"]
        query.select = name
        return m.say(f"""
            {{ts}} where the {{x}} {"[is over|has passed|lies in the past]" if before else "is still to come"}
            [which|<lead>] {{ts}} [have|are] {"past" if before else "not yet past"} the {{x}}
            """, x=plus, **words), query
    query.select = name + [later]
    return m.say("""
        [<lead>|] {ts} with the {x}
        for each {t}, [show|] the {x}
        {ts} and [the|their] {x}
        [when is|what is] the {x} of each {t}
        """, x=plus, **words), query


@family(5)
def days_since_last(m: Maker) -> Pair:
    """`days since the last order`, `days since the last order per customer`."""
    key, child, parent, column = repeated(m)
    since = f"julianday('now') - julianday(MAX({at(column)}))"
    query = m.query(child)
    words = words_of(m, key, child, parent, column)
    if m.names(parent) and m.chance(0.6):
        query.join(key)
        query.select, query.group = m.shown(parent).sql + [since], [at(parent.primary)]
        return m.say("""
            days since [the|their] last {c} [per|by|for each] {p}
            how [long|many days] ago [was|is] the last {c} of each {p}
            {ps} and days since their [last|latest|most recent] {c}
            recency per {p}: days since the last {c}
            """, **words), query
    query.select = [since]
    return m.say("""
        [days|how many days] since the [last|latest|most recent] {c}
        how [long|many days] ago was the [last|latest] {c}
        how many days have passed since the [last|latest] {c}
        """, **words), query


@family(6)
def with_those_without(m: Maker) -> Pair:
    """`orders per customer in 2024, including customers without any`: the condition belongs to the join."""
    key, child, parent = m.key()
    if not (m.names(parent) and parent.primary and child.primary):
        raise Skip
    filters = some(m, child, 0, simple=True)
    query = m.query(parent).join(key, left=True)
    query.sources[-1].join += "".join(f" AND {f.sql}" for f in filters if " OR " not in f.sql)
    if any(" OR " in f.sql for f in filters):
        raise Skip
    query.select, query.group = m.shown(parent).sql + [f"COUNT({at(child.primary)})"], [at(parent.primary)]
    return m.say("""
        [number of|how many|count of] {cs} [per|for each] {p}, including {ps} [without any|with none]
        {cs} per {p}, also [those|{ps}] with none
        for every {p}, [also those with none|even if there are none], the number of {cs}
        [number of|] {cs} [per|by] {p}, [zero|0] if there are none
        """, cs=joined(m, filters, m.many(child)), p=m.one(parent), ps=m.many(parent)), query


@family(6)
def two_counts(m: Maker) -> Pair:
    """`ratio of paid to open invoices`, `how many cancelled for each completed order`."""
    table = m.table(lambda t: any(len(c.values) > 1 for c in t.of_kind("category")))
    column = m.pick([c for c in table.of_kind("category") if len(c.values) > 1 and all(isinstance(v, str) for v in c.values)])
    first, second = m.rng.sample(column.values, 2)
    m.values += [first, second]
    counts = [f"COUNT(CASE WHEN {at(column)} = {literal(v)} THEN 1 END)" for v in (first, second)]
    percent = m.chance(0.3)
    query = m.query(table)
    query.select = [f"{'100.0' if percent else '1.0'} * {counts[0]} / {counts[1]}"]
    words = {"a": first, "b": second, "ts": m.many(table), "t": m.one(table), "n": m.noun(column)}
    if table.of_kind("category")[1:] and m.chance(0.3):
        group = m.pick([c for c in table.of_kind("category") if c is not column])
        query.select, query.group = [at(group)] + query.select, [at(group)]
        words["g"] = m.say("[per|by|for each] {x}", x=m.noun(group))
    else:
        words["g"] = ""
    return m.say("""
        {a} {ts} as [a percentage|percent] of {b} [ones|{ts}] {g}
        [percentage|percent] of {a} [against|compared to|relative to] {b} {ts} {g}
        """ if percent else """
        ratio of {a} to {b} {ts} {g}
        {a} to {b} ratio of {ts} {g}
        how many {a} {ts} [are there|] for each {b} {t} {g}
        {a} {ts} per {b} {t} {g}
        ratio between {a} and {b} {ts} {g}
        """, **words), query


@family(6)
def side_by_side(m: Maker) -> Pair:
    """`orders in 2022, 2023 and 2024 side by side`, `revenue of q1, q2 and q3 2024 by region`."""
    table = m.table(lambda t: any(len(years_of(c)) > 2 for c in t.of_kind("date") if "birth" not in c.phrase))
    column = m.pick([c for c in table.of_kind("date") if len(years_of(c)) > 2 and "birth" not in c.phrase])
    if m.chance(0.6):
        chosen = sorted(m.rng.sample(years_of(column), m.pick([3, 3, 3, 4]) if len(years_of(column)) > 3 else 3))
        spans, said = [str(y) for y in chosen], [str(y) for y in chosen]
    else:
        year = m.pick(years_of(column))
        quarters = sorted(m.rng.sample([1, 2, 3, 4], 3)) if m.chance(0.5) else [1, 2, 3, 4]
        spans = [f"{year}-Q{q}" for q in quarters]
        said = [f"q{q} {year}" for q in quarters]
    inner, noun = None, m.many(table)
    if (m.measures(table) or table.formulas) and m.chance(0.5):
        measure = m.measure(table)
        inner, noun = measure.sql, m.pick(["", "total "]) + measure.noun
    query = m.query(table)
    query.select = [f"{'SUM' if inner else 'COUNT'}(CASE WHEN ir_during({at(column)}, '{s}') THEN {inner or '1'} END)" for s in spans]
    words = {"n": noun, "l": ", ".join(said[:-1]) + m.pick([" and ", " and ", ", "]) + said[-1], "g": ""}
    groups = [c for c in table.of_kind("category") if c is not column]
    if groups and m.chance(0.4):
        group = m.pick(groups)
        query.select, query.group = [at(group)] + query.select, [at(group)]
        words["g"] = m.say("[per|by|for each] {x}", x=m.noun(group))
    return m.say("""
        {n} in {l} side by side {g}
        {n} {g} in {l}, [one column each|a column for each|side by side|next to each other]
        compare {n} {g} of {l}
        {n} of {l} [in separate columns|as columns|in columns] {g}
        {g} {n} for {l} [next to each other|side by side]
        """, **words), query


@family(5)
def nth_of_each(m: Maker) -> Pair:
    """`second most expensive product of each category`, `third order of each customer`."""
    number, ordinal = m.pick([(2, "second"), (2, "2nd"), (3, "third"), (3, "3rd"), (4, "fourth")])
    key, child, parent = m.key()
    if not (m.names(parent) and parent.primary):
        raise Skip
    columns = child.of_kind("measure", "date")
    column = m.pick([c for c in columns if c.kind == "measure" or years_of(c)])
    names = [at(c) for c in m.names(child)]
    up = column.kind == "measure" and m.chance(0.75)
    query = m.query(parent).join(key)
    query.select = m.shown(parent).sql + (names or []) + [at(column)]
    query.order = [at(column) + (" DESC" if up else ""), f"ir_per({at(parent.primary)})"]
    sql = query.sql() + f" LIMIT 1 OFFSET {number - 1}"
    words = {"o": ordinal, "c": m.one(child), "p": m.one(parent), "n": m.noun(column)}
    if column.kind == "date":
        return m.say("""
            [the|] {o} {c} of each {p} [by {n}|]
            {n} of the {o} {c} [of|for] each {p}
            when was the {o} {c} of each {p}
            """, **words), sql
    return m.say(f"""
        the {{c}} with the {{o}} [{"highest|largest|greatest" if up else "lowest|smallest"}] {{n}} [in|of|for] each {{p}}
        {{o}} [{"highest|largest" if up else "lowest|smallest"}] {{n}} of [the|] {m.many(child)} [per|for each] {{p}}
        """, **words), sql
