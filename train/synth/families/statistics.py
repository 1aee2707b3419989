"""Medians, percentiles, spreads; moving averages, cumulative shares, against the year before; cuts of texts."""

from families import Pair, family
from families.dates import PARTS, dated, main_date, what
from filters import joined, some
from maker import Maker, Skip
from periods import years_of
from query import Query, at
from schema import Table
from words import plural_phrase

MEDIAN = "[median|median|typical (median)|middle]"
SPREADS = [("ir_stddev", "[standard deviation|std dev|stddev|spread (standard deviation)]"), ("ir_variance", "variance")]
ORDINALS = {90: "[90th percentile|p90|90 percentile|90th pct]", 95: "[95th percentile|p95|95 percentile]",
            99: "[99th percentile|p99]", 75: "[75th percentile|upper quartile|third quartile|p75]",
            25: "[25th percentile|lower quartile|first quartile|p25]", 80: "[80th percentile|p80]",
            10: "[10th percentile|p10|bottom decile]"}


def statistic(m: Maker, value: str) -> tuple[str, str]:
    """A figure over many rows: SQL and its words."""
    dice = m.rng.random()
    if dice < 0.5:
        return f"ir_median({value})", m.say(MEDIAN)
    if dice < 0.8:
        number = m.pick(list(ORDINALS))
        m.values.append(number)
        return f"ir_percentile({value}, {number})", m.say(ORDINALS[number])
    function, words = m.pick(SPREADS[:1] * 3 + SPREADS[1:])
    return f"{function}({value})", m.say(words)


def grouped(m: Maker, table: Table, query: Query) -> str:
    """Groups by a category or by a parent's rows; the word for a group."""
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k)) and m.parent(k).primary]
    groups = table.of_kind("category")
    if parents and (not groups or m.chance(0.5)):
        key = m.pick(parents)
        parent = m.parent(key)
        query.join(key)
        query.select, query.group = m.shown(parent).sql + query.select, [at(parent.primary)]
        return m.one(parent)
    group = m.pick(groups)
    query.select, query.group = [at(group)] + query.select, [at(group)]
    return m.noun(group)


def rounded(m: Maker, sql: str) -> str:
    return f"ROUND({sql}, 2)" if m.chance(0.05) else sql


@family(10)
def one_statistic(m: Maker) -> Pair:
    """`median price of products`, `p90 of delivery days in 2024`."""
    table = m.table(lambda t: m.measures(t))
    measure = m.measure(table)
    filters = some(m, table, 0.1, simple=True) if m.chance(0.45) else []
    if any(f.column and f.column is measure.column for f in filters):
        raise Skip
    sql, word = statistic(m, measure.sql)
    query = m.query(table)
    query.select, query.where = [rounded(m, sql)], [f.sql for f in filters]
    things = joined(m, filters, m.many(table))
    words = {"w": word, "n": measure.noun, "t": things}
    if filters:
        return m.say("""
            {w} {n} of {t}
            <what> the {w} {n} of {t}
            {w} {n} for {t}
            <what> the {w} of the {n} of {t}
            """, **words), query
    return m.say("""
        {w} {n}
        {w} {n} of {t}
        <what> the {w} {n} of [all|the|our|] {t}
        <what> the {w} of {n} [of|over|across] {t}
        {t}: {w} {n}
        {w} of the {n} [of {t}|of {t}|]
        """, **words), query


@family(8)
def statistic_by_group(m: Maker) -> Pair:
    """`median salary per department`, `which department has the highest median salary`."""
    table = m.table(lambda t: m.measures(t) and (t.of_kind("category") or t.of_kind("key")))
    measure = m.measure(table)
    sql, word = statistic(m, measure.sql)
    filters = some(m, table, 0, simple=True) if m.chance(0.2) else []
    query = m.query(table)
    query.select, query.where = [sql], [f.sql for f in filters]
    by = grouped(m, table, query)
    if any(f.column and at(f.column) in query.group or f.column is measure.column for f in filters):
        raise Skip
    things = joined(m, filters, m.many(table))
    words = {"w": word, "n": measure.noun, "t": things, "g": by, "o": f"of {things}" if filters else m.pick(["", f"of {things}"])}
    dice = m.rng.random()
    if dice < 0.25:
        up = m.chance(0.75)
        query.select = query.select[:-1]
        query.order, query.limit = [sql + (" DESC" if up else "")], 1
        return m.say(f"""
            [which|what] {{g}} has the [{"highest|largest|greatest" if up else "lowest|smallest"}] {{w}} {{n}} {{o}}
            {{g}} with the [{"highest|largest" if up else "lowest|smallest"}] {{w}} {{n}} {{o}}
            """, **words), query
    if dice < 0.4:
        query.order = [sql + " DESC"]
        return m.say("""
            {w} {n} {o} per {g}, highest first
            {g} by {w} {n} {o}, from the highest [down|]
            """, **words), query
    if dice < 0.5:
        query.select.insert(-1, f"AVG({measure.sql})")
        return m.say("""
            [average|mean] and {w} {n} {o} [per|by|for each] {g}
            [average|mean] {n} and {w} {n} {o} [per|by] {g}
            """, **words), query
    return m.say("""
        {w} {n} {o} [per|by|for each|in each] {g}
        {w} {n} {o} by {g}
        for each {g}, [show|give me|] the {w} {n} {o}
        <what> the {w} {n} {o} [in each|per|of each] {g}
        {g} and {w} {n} {o}
        """, **words), query


def periods(m: Maker, units: list[str], years: int = 1):
    """A table with a date, its unit, the part of the date, and a total over it."""
    table = dated(m)
    column, hint = main_date(m, table)
    if len(years_of(column)) < years:
        raise Skip
    unit = m.pick(units)
    filters = some(m, table, 0, simple=True) if m.chance(0.2) else []
    if any(f.column is column for f in filters):
        raise Skip
    total, noun = what(m, table, filters)
    if noun.startswith("how many"):
        noun = "number of" + noun.removeprefix("how many")
    words, part = PARTS[unit]
    query = m.query(table)
    part = part.format(c=at(column))
    query.select, query.group, query.order = [part, total], [part], [part]
    query.where = [f.sql for f in filters]
    return query, unit, total, f"{noun} {hint}".strip(), m.pick(words)


@family(7)
def moving_average(m: Maker) -> Pair:
    """`3 month moving average of revenue`, `rolling 7 day average of orders`."""
    query, unit, total, noun, per = periods(m, ["month", "month", "day", "week", "quarter"])
    size = {"month": [2, 3, 3, 3, 6, 12], "day": [7, 7, 7, 14, 30], "week": [4, 4, 8, 12], "quarter": [2, 4]}[unit]
    number = m.pick(size)
    m.values.append(number)
    moving = f"ir_moving({total}, {number})"
    both = m.chance(0.25)
    query.select = [query.select[0], total, moving] if both else [query.select[0], moving]
    k = m.number_word(number)
    return m.say("""
        {k}[-| ]{u} [moving|rolling] average of {n}
        [moving|rolling] {k}[-| ]{u} average of {n}
        [moving|rolling] average of {n} [over|of] [the last|] {k} {u}s
        <lead> the {k} {u} [moving|rolling] average of {n}
        {n} {per} with a {k} {u} [moving|rolling] average
        {n} {per} and [its|the] {k} {u} [moving|rolling] average
        """ if both else """
        {k}[-| ]{u} [moving|rolling] average of {n}
        [moving|rolling] {k}[-| ]{u} average of {n}
        [moving|rolling] average of {n} [over|of] [the last|] {k} {u}s
        <lead> the {k} {u} [moving|rolling] average of {n}
        {n} {per}, as [moving|rolling] average over {k} {u}s
        {n} {per} averaged over the last {k} {u}s
        """, k=k, u=unit, n=noun, per=per), query


@family(7)
def against_last_year(m: Maker) -> Pair:
    """`revenue per month compared with the same month last year`, `year over year growth by quarter`."""
    query, unit, total, noun, per = periods(m, ["month", "month", "quarter"], years=2)
    dice = m.rng.random()
    words = {"n": noun, "per": per, "u": unit}
    if dice < 0.4:
        query.select = [query.select[0], total, f"ir_year_ago({total})"]
        return m.say("""
            {n} {per} [and|next to|beside|compared with|vs] the same {u} [last year|of the year before|a year earlier|of the previous year]
            {n} {per} against the same {u} last year
            {per} {n} with the figure of the same {u} a year ago
            """, **words), query
    if dice < 0.75:
        query.select = [query.select[0], f"ir_growth_year({total})"]
        return m.say("""
            [year over year|year on year|yoy] growth of {n} {per}
            {per} growth of {n} [against|over|vs] the same {u} [last year|of the year before]
            how much did {n} grow {per} [against|over] the same {u} of the year before
            {n} {per}, [yoy|year over year] change in percent
            """, **words), query
    query.select = [query.select[0], f"ir_change_year({total})"]
    return m.say("""
        [year over year|year on year|yoy] [change|difference] of {n} {per}
        change of {n} {per} [since|against|vs] the same {u} last year
        {n} {per}: difference to the same {u} of the year before
        """, **words), query


@family(6)
def cumulative_share(m: Maker) -> Pair:
    """`pareto of revenue by product`, `cumulative share of orders per customer`."""
    table = m.table(lambda t: t.of_kind("category") or t.of_kind("key"))
    total, noun = "COUNT(*)", m.many(table)
    if m.measures(table) and m.chance(0.6):
        measure = m.measure(table)
        total, noun = f"SUM({measure.sql})", m.pick(["", "total "]) + measure.noun
    query = m.query(table)
    query.select = [total, f"ir_cumulative({total})"]
    by = grouped(m, table, query)
    query.order = [f"{total} DESC"]
    return m.say("""
        [pareto|pareto analysis|pareto chart] of {n} by {g}
        cumulative [share|percentage|percent] of {n} [by|per] {g}
        {n} [by|per] {g} with cumulative [share|percentage|percent]
        {n} and cumulative [share|percentage] [by|per] {g}, [largest|highest|greatest] first
        which {gs} make up most of [the|] {n}: show {n} and cumulative share
        """, n=noun, g=by, gs=plural_phrase(by)), query


@family(4)
def text_pieces(m: Maker) -> Pair:
    """`customers per email domain`, `products by the first letter of their name`."""
    def splits(column):
        return [s for s in "@-/:." if column.values and all(
            isinstance(v, str) and v.count(s) == 1 and 0 < v.find(s) < len(v) - 1 for v in column.values)]

    cut = [(c, splits(c)[0]) for t in m.schema.tables for c in t.columns if c.type == "text" and c.kind not in ("date", "key") and splits(c)]
    if cut and m.chance(0.6):
        column, sign = m.pick(cut)
        after = sign == "@" or m.chance(0.5)
        sql = f"ir_{'after' if after else 'before'}_sign({at(column)}, '{sign}')"
        m.values.append(sign)
        what_of = m.say("[{n} domain|domain of the {n}|{n} provider]" if sign == "@" and after else
                        "[part of the {n} after the '{s}'|what follows '{s}' in the {n}|{n} after '{s}']" if after else
                        "[part of the {n} before the '{s}'|{n} up to the '{s}'|{n} before '{s}']", n=m.noun(column), s=sign)
    else:
        column = m.pick([c for t in m.schema.tables for c in t.columns if c.kind in ("name", "code", "last") and c.type == "text"
                         and c.values and all(isinstance(v, str) and len(v) > 3 for v in c.values)])
        number = 1 if m.chance(0.5) else m.pick([2, 3, 4])
        left = m.chance(0.75)
        if number > 1:
            m.values.append(number)
        sql = f"ir_{'left' if left else 'right'}_of({at(column)}, {number})"
        side = "first" if left else "last"
        sign = side
        what_of = m.say("[{d} letter|{d} character|initial] of the {n}" if left and number == 1 else "{d} [letter|character] of the {n}" if number == 1
                        else "{d} {k} [letters|characters|digits] of the {n}", d=side, k=m.number_word(number), n=m.noun(column))
    table = m.schema.tables[column.table]
    query = m.query(table)
    words = {"w": what_of, "t": m.many(table)}
    if m.chance(0.25):
        query.select = [at(column), sql]
        return m.say("[show|list|] {t} with the {w}\n<lead> the {w} of [all|each of the|] {t}", **words), query
    query.select, query.group = [sql, "COUNT(*)"], [sql]
    if m.chance(0.3):
        query.order = ["COUNT(*) DESC"]
        return m.say("most [common|frequent] {w} of {t}, with counts\n{t} [per|by] {w}, most [common|frequent] first", **words), query
    return m.say("""
        [number of|how many|count] {t} [per|by|for each] {w}
        {t} [per|by] {w}
        {t} grouped by the {w}
        """, **words), query
