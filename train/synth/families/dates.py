"""Things in time: per month, per weekday, growth, two periods side by side, durations, ages."""

from families import Pair, family
from families.basic import AGGREGATES
from filters import Filter, joined, some
from maker import Maker, Skip
from periods import days_of, period, years_of
from query import at
from schema import Column, Table

# unit: (wordings of "per", expression)
PARTS = {
    "month": ([
        "per month", "by month", "monthly", "each month", "for each month", "month by month", "every month",
    ],
              "strftime('%Y-%m', {c})"),
    "year": (["per year", "by year", "yearly", "each year", "for each year", "annually", "year by year"],
             "strftime('%Y', {c})"),
    "quarter": (["per quarter", "by quarter", "quarterly", "each quarter", "for every quarter"],
                "strftime('%Y', {c}) || '-Q' || ((CAST(strftime('%m', {c}) AS INTEGER) + 2) / 3)"),
    "weekday": (["per weekday", "by weekday", "by day of the week", "per day of week", "for each weekday"],
                "strftime('%w', {c})"),
    "day": (["per day", "by day", "daily", "each day", "day by day"], "date({c})"),
    "week": (["per week", "by week", "weekly", "each week"], "strftime('%Y-%W', {c})"),
    "month of year": (
        ["by month of the year", "per calendar month", "by calendar month"], "strftime('%m', {c})",
    ),
}


def main_date(m: Maker, table: Table) -> tuple[Column, str]:
    """A date column and the word that picks it: empty for the main one, else its verb or noun."""
    dates = [c for c in table.of_kind("date") if days_of(c) and "birth" not in c.phrase]
    column = m.pick(dates[:1] * 3 + dates)
    if column is dates[0] and m.chance(0.75):
        return column, ""
    if column.hints.yes and m.chance(0.6):
        return column, m.pick(column.hints.yes).lstrip("-")
    return column, "by " + m.noun(column)


def dated(m: Maker):
    return m.table(lambda t: any("birth" not in c.phrase for c in t.of_kind("date")))


def what(m: Maker, table: Table, filters: list[Filter]) -> tuple[str, str]:
    """A total over rows: SQL and words; mostly a count or a sum."""
    things = joined(m, filters, m.many(table))
    if (m.measures(table) or table.formulas) and m.chance(0.55):
        measure = m.measure(table)
        kind, word = m.pick(AGGREGATES[:3] + AGGREGATES[2:3] * 2)
        noun = f"{m.say(word)} {measure.noun}" if kind != "SUM" or m.chance(0.5) else measure.noun
        if filters or m.chance(0.4):
            noun += f" of {things}"
        return f"{kind}({measure.sql})", noun
    return "COUNT(*)", m.say("[number of|count of||||how many] {t}", t=things)


@family(9)
def per_period(m: Maker) -> Pair:
    table = dated(m)
    column, hint = main_date(m, table)
    unit = m.rng.choices(list(PARTS), [8, 5, 3, 2, 1.5, 1, 1])[0]
    words, part = PARTS[unit]
    part = part.format(c=at(column))
    filters = some(m, table, 0, simple=True) if m.chance(0.3) else []
    if any(f.column is column for f in filters):
        raise Skip
    total, noun = what(m, table, filters)
    query = m.query(table)
    query.select, query.group, query.order = [part, total], [part], [part]
    query.where = [f.sql for f in filters]
    tail = ""
    if m.chance(0.35):
        sql, tail = period(m, column)
        if tail.startswith("with ") or unit == "year" and "'now'" in sql:
            raise Skip
        query.where.append(sql)
        hint = "" if hint and hint in tail else hint
    per = m.pick(words)
    if hint.startswith("by "):
        per, hint = f"{per} of {hint[3:]}" if not per.endswith("ly") else f"{per} by {hint[3:]}", ""
    if per.endswith("ly") and m.chance(0.6) and not noun.startswith("how many"):
        text = "{per} {noun} {hint} {tail}"
    else:
        text = m.pick(["{noun} {hint} {per} {tail}", "{noun} {hint} {per} {tail}", "<lead> [the|] {noun} {hint} {per} {tail}",
                       "{noun} {hint} {tail} {per}", "{tail} {noun} {hint} {per}", "{per}: {noun} {hint} {tail}",
                       "what [is|was|are|were] the {noun} {hint} {per} {tail}"])
        if noun.startswith("how many"):
            text = m.pick([
                "{noun} {hint} {per} {tail}", "{noun} {hint} [do we have|were there|] {per} {tail}",
                "{noun} {hint} {tail} {per}",
            ])
    return m.say(text, noun=noun, per=per, hint=hint, tail=tail), query


@family(6)
def in_period(m: Maker) -> Pair:
    """Counts, totals and lists with a date condition, also on a parent's child."""
    table = dated(m)
    column = main_date(m, table)[0]
    sql, words = period(m, column)
    filters = some(m, table, 0, simple=True) if m.chance(0.3) else []
    if any(f.column is column for f in filters):
        raise Skip
    query = m.query(table)
    query.where = [f.sql for f in filters] + [sql]
    things = joined(m, filters, m.many(table))
    dice = m.rng.random()
    if dice < 0.4:
        query.select = ["COUNT(*)"]
        return m.say("""
            how many {t} {p}
            how many {t} [were there|did we have|do we have|were] {p}
            <count> {t} {p}
            {t} {p} count
            [count|count the] {t} {p}
            <what> the number of {t} {p}
            """, t=things, p=words), query
    if dice < 0.7 and (m.measures(table) or table.formulas):
        measure = m.measure(table)
        kind, word = m.pick(AGGREGATES[:3] + AGGREGATES[2:3] * 2)
        query.select = [f"{kind}({measure.sql})"]
        bare = kind == "SUM" and m.chance(0.4) and not filters
        noun = measure.noun if bare else f"{m.say(word)} {measure.noun}"
        return m.say("""
            {n} [of {t}|of {t}|] {p}
            <what> [the|our|] {n} [of {t}|of all {t}|] {p}
            what was [the|our] {n} [of {t}|] {p}
            {n} {p}
            how much [is|was] the {n} [of {t}|] {p}
            {p}: {n} of {t}
            """ if not filters else """
                    {n} of {t} {p}
                    <what> the {n} of {t} {p}
                    what was the {n} of {t} {p}
                    {n} for {t} {p}
                    {p}, {n} of {t}
                    how much was the {n} of {t} {p}
                    """, n=noun, t=things, p=words), query
    query.select = m.shown_or_all(table)
    return m.say("""
            {t} {p}
            <lead> <the> {t} {p}
            which {t} [were|are] {p}
            <lead> {t} {p}
            all {t} {p}
            {t} {p} please
            """, t=things, p=words), query


@family(4)
def parents_in_period(m: Maker) -> Pair:
    """Best customer of 2024; top 5 by revenue last year; customers without orders in 2023."""
    key, child, parent = m.key()
    dates = [c for c in child.of_kind("date") if days_of(c)]
    if not m.names(parent) or not parent.primary or not dates:
        raise Skip
    sql, words = period(m, m.pick(dates))
    query = m.query(parent).join(key)
    query.where, query.group = [sql], [at(parent.primary)]
    dice = m.rng.random()
    nouns = {"ps": m.many(parent), "p": m.one(parent), "cs": m.many(child), "w": words}
    if dice < 0.3:
        inner = m.query(child)
        inner.select, inner.where = [at(key.child)], [sql]
        query = m.query(parent)
        query.where = [f"{at(key.parent)} NOT IN ({inner.sql()})"]
        query.select = m.shown_or_all(parent)
        if key.hints.yes and m.chance(0.5):
            nouns["v"] = m.pick(key.hints.yes)
            return m.say("""
                    {ps} [who|that] [haven't|have not|did not] {v} [any|] {cs} {w}
                    {ps} with no {cs} {v} {w}
                    <lead> {ps} that {v} no {cs} {w}
                    """, **nouns), query
        return m.say("""
                {ps} <without> {cs} {w}
                <lead> <the> {ps} <without> {cs} {w}
                which {ps} had no {cs} {w}
                {ps} that had no {cs} {w}
                {ps} not having {cs} {w}
                {ps} w/o {cs} {w}
                """, **nouns), query
    total, noun = "COUNT(*)", "number of {cs}"
    if (m.measures(child) or child.formulas) and m.chance(0.6):
        measure = m.measure(child)
        total, noun = f"SUM({measure.sql})", m.pick(["", "total "]) + measure.noun
    if dice < 0.55:
        query.select = m.shown(parent).sql + [total]
        return m.say(f"""
                {noun} [per|by|for each] {{p}} {{w}}
                <what> [the|] {noun} [per|by|for each] {{p}} {{w}}
                {{w}} {noun} [per|by] {{p}}
                <lead> {{ps}} and their {noun} {{w}}
                for each {{p}}, {noun} {{w}}
                {noun} {{w}} by {{p}}
                """, **nouns), query
    query.order = [total + " DESC"]
    query.limit = 1 if dice < 0.75 else m.limit()
    query.select = m.shown(parent).sql + ([total] if query.limit > 1 else [])
    if query.limit > 1:
        return m.say(f"""
                top {{k}} {{ps}} by {noun} {{w}}
                <lead> the top {{k}} {{ps}} by {noun} {{w}}
                {{w}} top {{k}} {{ps}} by {noun}
                {{k}} best {{ps}} by {noun} {{w}}
                top {{k}} {{ps}} {{w}} by {noun}
                {{k}} top {{ps}} by {noun} {{w}}
                """, k=m.number_word(query.limit), **nouns), query
    most = "most {cs}" if total == "COUNT(*)" else f"highest {noun}"
    return m.say(f"""
            which {{p}} had the {most} {{w}}
            {{p}} with [the|] {most} {{w}}
            <lead> the {{p}} with the {most} {{w}}
            {{w}} which {{p}} had the {most}
            what {{p}} had the {most} {{w}}
            best {{p}} by {noun} {{w}}
            """, **nouns), query


@family(4)
def growth(m: Maker) -> Pair:
    """Change against the period before, or between two named years."""
    table = dated(m)
    column = main_date(m, table)[0]
    total, noun = what(m, table, [])
    noun = noun.removeprefix("how many ")
    if m.chance(0.5):
        years = years_of(column)
        if len(years) < 2:
            raise Skip
        first = m.rng.randrange(len(years) - 1)
        low, high = years[first], years[first + 1]

        def only(year: int) -> str:
            test = f"strftime('%Y', {at(column)}) = '{year}'"
            if total == "COUNT(*)":
                return f"COUNT(CASE WHEN {test} THEN 1 END)"
            kind, inner = total[:3], total[4:-1]
            return f"{kind}(CASE WHEN {test} THEN {inner} END)"

        query = m.query(table)
        words = {"n": noun, "a": low, "b": high}
        dice = m.rng.random()
        if dice < 0.5:
            query.select = [f"100.0 * ({only(high)} - {only(low)}) / {only(low)}"]
            return m.say("""
                {n} growth {a} [to|vs|-] {b} [in percent||in %|percent]
                [percentage|percent] [growth|change|increase] [of|in] {n} from {a} to {b}
                by [how many|what] percent did {n} [grow|change|increase] from {a} to {b}
                growth [rate|] of {n} between {a} and {b} [in percent|]
                how much did {n} grow from {a} to {b} in percent
                {b} vs {a} {n} [growth|change] in %
                [growth|increase] of {n} {b} compared to {a} [in percent|as percentage]
                """, **words), query
        if dice < 0.7:
            query.select = [f"{only(high)} - {only(low)}"]
            return m.say("""
                difference [in|of] {n} between {a} and {b}
                how much more {n} in {b} than in {a}
                [absolute|] change [in|of] {n} from {a} to {b}
                {n} {b} minus {a}
                {n} difference {a} {b}
                by how much did {n} change from {a} to {b}
                """, **words), query
        query.select = [only(high), only(low)]
        return m.say("""
            {n} {b} [vs|versus|vs.|compared to|against] {a}
            {n} in {b} [vs|versus|compared with|and] in {a} [side by side|]
            compare {n} [of|in] {b} [and|with|to] {a}
            {b} vs {a} {n}
            <what> the {n} in {b} compared to {a}
            {n}: {b} against {a}
            """, **words), query
    unit = m.pick(["year", "month", "year", "month", "quarter"])
    part = PARTS[unit][1].format(c=at(column))
    before = f"LAG({total}) OVER (ORDER BY {part})"
    query = m.query(table)
    query.group, query.order = [part], [part]
    percent = m.chance(0.65)
    change = f"100.0 * ({total} - {before}) / {before}" if percent else f"{total} - {before}"
    query.select = [part, change] if m.chance(0.5) else [part, total, change]
    words = {"n": noun, "u": unit, "ly": unit + "ly", "x": "in percent" if percent and m.chance(0.3) else ""}
    both = "{n} and " if len(query.select) == 3 else ""
    if percent:
        return m.say(f"""
            {both}{{u}} over {{u}} growth of {{n}} {{x}}
            {both}{{n}} growth [per|by] {{u}} {{x}}
            {both}{{ly}} {{n}} growth [rate|] {{x}}
            {both}[percentage|percent] change [of|in] {{n}} [per|by|from {{u}} to] {{u}}
            {both}growth of {{n}} compared to the previous {{u}} {{x}}
            how [much|fast] did {{n}} grow [each|every|per] {{u}} {{x}}
            """ if not both else f"""
                    {{n}} per {{u}} with [growth|growth in percent|percent change] [over|vs|to] the previous {{u}}
                    {{ly}} {{n}} and [its|] growth [rate|] {{x}}
                    {{n}} and growth by {{u}} {{x}}
                    """, **words), query
    return m.say("""
        {u} over {u} change [of|in] {n}
        {n} change [per|by] {u}
        change in {n} compared to the previous {u} [by|per] {u}
        [absolute|] {ly} change of {n}
        {n} difference to the previous {u}
        how did {n} change {u} over {u}
        """ if not both.strip() or len(query.select) == 2 else """
                {n} per {u} with [the|] [change|difference] [to|from|vs] the previous {u}
                {ly} {n} and [the|its] change
                {n} by {u} and the difference to the {u} before
                """, **words), query


@family(2.5)
def running_total(m: Maker) -> Pair:
    table = dated(m)
    column = main_date(m, table)[0]
    total, noun = what(m, table, [])
    if total.startswith("AVG"):
        raise Skip
    noun = noun.removeprefix("how many ").removeprefix("total ")
    unit = m.pick(["month", "month", "year", "day"])
    part = PARTS[unit][1].format(c=at(column))
    query = m.query(table)
    query.select = [part, f"SUM({total}) OVER (ORDER BY {part})"]
    query.group, query.order = [part], [part]
    tail = ""
    if m.chance(0.3):
        year = m.pick(years_of(column))
        query.where, tail = [f"strftime('%Y', {at(column)}) = '{year}'"], m.pick([f"in {year}", f"for {year}", str(year)])
    return m.say("""
        [running total|cumulative total|running sum] of {n} [per|by] {u} {t}
        cumulative {n} [per|by] {u} {t}
        {n} [per|by] {u} cumulative {t}
        [accumulated|cumulated|cumulative] {n} by {u} {t}
        <lead> the running total of {n} by {u} {t}
        {n} running total {u} by {u} {t}
        """, n=noun, u=unit, t=tail), query
