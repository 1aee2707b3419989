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
    "month": (["per month", "by month", "monthly", "each month", "for each month", "month by month", "every month"],
              "strftime('%Y-%m', {c})"),
    "year": (["per year", "by year", "yearly", "each year", "for each year", "annually", "year by year"],
             "strftime('%Y', {c})"),
    "quarter": (["per quarter", "by quarter", "quarterly", "each quarter", "for every quarter"],
                "strftime('%Y', {c}) || '-Q' || ((CAST(strftime('%m', {c}) AS INTEGER) + 2) / 3)"),
    "weekday": (["per weekday", "by weekday", "by day of the week", "per day of week", "for each weekday"],
                "strftime('%w', {c})"),
    "day": (["per day", "by day", "daily", "each day", "day by day"], "date({c})"),
    "week": (["per week", "by week", "weekly", "each week"], "strftime('%Y-%W', {c})"),
    "month of year": (["by month of the year", "per calendar month", "by calendar month"], "strftime('%m', {c})"),
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
            text = m.pick(["{noun} {hint} {per} {tail}", "{noun} {hint} [do we have|were there|] {per} {tail}", "{noun} {hint} {tail} {per}"])
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
            """ if not filters else "{n} of {t} {p}\n<what> the {n} of {t} {p}\nwhat was the {n} of {t} {p}\n{n} for {t} {p}\n{p}, {n} of {t}\nhow much was the {n} of {t} {p}", n=noun, t=things, p=words), query
    query.select = m.shown_or_all(table)
    return m.say("{t} {p}\n<lead> <the> {t} {p}\nwhich {t} [were|are] {p}\n<lead> {t} {p}\nall {t} {p}\n{t} {p} please", t=things, p=words), query


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
            return m.say("{ps} [who|that] [haven't|have not|did not] {v} [any|] {cs} {w}\n{ps} with no {cs} {v} {w}\n<lead> {ps} that {v} no {cs} {w}", **nouns), query
        return m.say("{ps} <without> {cs} {w}\n<lead> <the> {ps} <without> {cs} {w}\nwhich {ps} had no {cs} {w}\n{ps} that had no {cs} {w}\n{ps} not having {cs} {w}\n{ps} w/o {cs} {w}", **nouns), query
    total, noun = "COUNT(*)", "number of {cs}"
    if (m.measures(child) or child.formulas) and m.chance(0.6):
        measure = m.measure(child)
        total, noun = f"SUM({measure.sql})", m.pick(["", "total "]) + measure.noun
    if dice < 0.55:
        query.select = m.shown(parent).sql + [total]
        return m.say(f"{noun} [per|by|for each] {{p}} {{w}}\n<what> [the|] {noun} [per|by|for each] {{p}} {{w}}\n{{w}} {noun} [per|by] {{p}}\n<lead> {{ps}} and their {noun} {{w}}\nfor each {{p}}, {noun} {{w}}\n{noun} {{w}} by {{p}}", **nouns), query
    query.order = [total + " DESC"]
    query.limit = 1 if dice < 0.75 else m.limit()
    query.select = m.shown(parent).sql + ([total] if query.limit > 1 else [])
    if query.limit > 1:
        return m.say(f"top {{k}} {{ps}} by {noun} {{w}}\n<lead> the top {{k}} {{ps}} by {noun} {{w}}\n{{w}} top {{k}} {{ps}} by {noun}\n{{k}} best {{ps}} by {noun} {{w}}\ntop {{k}} {{ps}} {{w}} by {noun}\n{{k}} top {{ps}} by {noun} {{w}}", k=m.number_word(query.limit), **nouns), query
    most = "most {cs}" if total == "COUNT(*)" else f"highest {noun}"
    return m.say(f"which {{p}} had the {most} {{w}}\n{{p}} with [the|] {most} {{w}}\n<lead> the {{p}} with the {most} {{w}}\n{{w}} which {{p}} had the {most}\nwhat {{p}} had the {most} {{w}}\nbest {{p}} by {noun} {{w}}", **nouns), query


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
            """ if not both else f"{{n}} per {{u}} with [growth|growth in percent|percent change] [over|vs|to] the previous {{u}}\n{{ly}} {{n}} and [its|] growth [rate|] {{x}}\n{{n}} and growth by {{u}} {{x}}", **words), query
    return m.say("""
        {u} over {u} change [of|in] {n}
        {n} change [per|by] {u}
        change in {n} compared to the previous {u} [by|per] {u}
        [absolute|] {ly} change of {n}
        {n} difference to the previous {u}
        how did {n} change {u} over {u}
        """ if not both.strip() or len(query.select) == 2 else "{n} per {u} with [the|] [change|difference] [to|from|vs] the previous {u}\n{ly} {n} and [the|its] change\n{n} by {u} and the difference to the {u} before", **words), query


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


@family(3)
def duration(m: Maker) -> Pair:
    """Days between two dates of a row: conditions, averages, the longest."""
    table = m.table(lambda t: any("julianday" in f.sql for f in t.formulas) or len(t.of_kind("date")) > 1)
    spans = [f for f in table.formulas if "julianday" in f.sql]
    if spans:
        formula = m.pick(spans)
        sql, noun = formula.sql, m.pick(formula.nouns)
        later = m.schema.columns[formula.columns[0]]
    else:
        dates = [c for c in table.of_kind("date") if "birth" not in c.phrase]
        if len(dates) < 2:
            raise Skip
        first, later = sorted(m.rng.sample(dates, 2), key=lambda c: c.id)  # schemas tell things in order
        sql = f"julianday({at(later)}) - julianday({at(first)})"
        noun = m.say("[days|number of days|time in days|time] between {a} and {b}\n[days|time] from {a} to {b}", a=m.noun(first), b=m.noun(later))
    hours = len(str(m.pick(later.values or [""]))) > 10 and m.chance(0.5)
    unit = "hours" if hours else "days"
    if hours:
        sql, noun = f"({sql}) * 24", noun.replace("days", "hours") + ("" if "days" in noun else m.pick([" in hours", " (hours)", " in hours"]))
    query = m.query(table)
    dice = m.rng.random()
    filters = some(m, table, 0, simple=True) if m.chance(0.25) else []
    query.where = [f.sql for f in filters]
    things = joined(m, filters, m.many(table))
    if dice < 0.3:
        number, more = m.rng.choice([2, 3, 5, 7, 10, 14, 30, 60, 90]), m.chance(0.7)
        query.where.append(f"{sql} {'>' if more else '<'} {number}")
        query.select = ["COUNT(*)"] if m.chance(0.4) else m.shown_or_all(table)
        lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which|]"
        compare = m.say("[more than|over|longer than]" if more else "[less than|under|fewer than]")
        return m.say(f"""
            {lead} {{t}} that took {{x}} {{k}} {{u}}
            {lead} {{t}} with {{n}} {{x}} {{k}} [{{u}}|]
            {lead} {{t}} [taking|lasting] {{x}} {{k}} {{u}}
            {lead} {{t}} where the {{n}} is {{x}} {{k}} {{u}}
            """, t=things, x=compare, k=m.number_word(number), n=noun, u=unit), query
    if dice < 0.55:
        kind, word = m.pick([("AVG", "[average|avg|mean]"), ("AVG", "[average|avg|mean]"), ("MAX", "[longest|maximum|max]"), ("MIN", "[shortest|minimum|min]")])
        query.select = [f"{kind}({sql})"]
        return m.say("{w} {n} of {t}\n<what> the {w} {n} [of|for] {t}\n{w} {n}\n{w} {n} [for|across] all {t}\nwhat is the {w} {n} of {t}\n{t}: {w} {n}" if not filters else
                     "{w} {n} of {t}\n<what> the {w} {n} [of|for] {t}\n{w} {n} for {t}", w=m.say(word), n=noun, t=things), query
    if dice < 0.75 and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        query.select, query.group = [at(group), f"AVG({sql})"], [at(group)]
        return m.say("[average|avg|mean] {n} [per|by|for each] {g}\n<what> the average {n} of {t} [per|by|for each] {g}\nhow long is the {n} by {g} on average\navg {n} of {t} by {g}\n{n} by {g} on average\nfor each {g}, the average {n} of {t}", n=noun, g=m.noun(group), t=things), query
    if not m.names(table):
        raise Skip
    if m.chance(0.5):
        query.select = m.shown(table).sql + [sql]
        return m.say("{n} of [each|every] {o}\nhow long [did|does] each {o} take\n<lead> {t} with [their|the] {n}\n{t} and their {n}\n<lead> the {n} of all {t}" if not filters else "{n} of {t}\n<lead> {t} with their {n}\n{t} and their {n}", n=noun, o=m.one(table), t=things), query
    up = m.chance(0.7)
    query.select, query.order, query.limit = m.shown(table).sql, [sql + (" DESC" if up else "")], m.pick([1, 1, 3, 5, 10])
    query.where.append(f"{at(later)} IS NOT NULL") if later.nullable else None
    return m.say("[which|what] {k} {t} [took|lasted] [the|] {e}\n{k} {t} with the {e} {n}\n<lead> the {k} {t} with the {e} {n}\n{t} with {e} {n} {k}", e="longest" if up else "shortest", t=things, n=noun, k="" if query.limit == 1 else m.number_word(query.limit)), query


@family(2)
def age(m: Maker) -> Pair:
    """Ages from dates of birth."""
    table = m.table(lambda t: any("birth" in c.phrase for c in t.of_kind("date")))
    born = m.pick([c for c in table.of_kind("date") if "birth" in c.phrase])
    years = f"(julianday('now') - julianday({at(born)})) / 365.25"
    query = m.query(table)
    dice = m.rng.random()
    words = {"ts": m.many(table), "t": m.one(table)}
    later = [c for c in table.of_kind("date") if c is not born]
    if later and dice < 0.25:
        other = m.pick(later)
        then = f"(julianday({at(other)}) - julianday({at(born)})) / 365.25"
        words["e"] = m.noun(other)
        if m.names(table) and m.chance(0.3):
            query.select = m.shown(table).sql + [then]
            return m.say("age of [each|every] {t} at {e}\nhow old was [each|every] {t} at {e}\n{ts} and their age at {e}\n<lead> {ts} with [their|] age at {e}\nhow old were {ts} at {e}\nage at {e} of all {ts}", **words), query
        kind, word = m.pick([("AVG", "[average|avg|mean]"), ("AVG", "average"), ("MAX", "[highest|maximum]"), ("MIN", "[lowest|minimum]")])
        query.select = [f"{kind}({then})"]
        return m.say("{w} age of {ts} at {e}\n{w} age at {e}\n<what> the {w} age of {ts} at {e}\n{w} {t} age at [their|] {e}\n{ts}: {w} age at {e}\n{w} age when {e} of {ts}".replace(" when {e}", " at {e}"), w=m.say(word), **words), query
    if dice < 0.4:
        query.select = [f"AVG({years})"]
        return m.say("average age of [our|the|all|] {ts}\navg {t} age\n<what> the average age of [all|the|] {ts}\nhow old are [our|the] {ts} on average\nmean age of {ts}\n{ts} average age", **words), query
    if dice < 0.65:
        number, more = m.rng.choice([18, 21, 25, 30, 35, 40, 45, 50, 55, 60, 65]), m.chance(0.6)
        query.where = [f"{years} {'>' if more else '<'} {number}"]
        query.select = ["COUNT(*)"] if m.chance(0.45) else m.shown_or_all(table)
        lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which|]"
        return m.say(f"{lead} {{ts}} {{x}} {{k}}\n{lead} {{ts}} {{x}} {{k}} [years old|years|]\n{lead} {{ts}} [that are|who are] {{x}} {{k}}\n{lead} {{ts}} aged {{y}} {{k}}", x=m.say("[older than|over|above]" if more else "[younger than|under|below]"), y="over" if more else "under", k=number, **words), query
    if dice < 0.85 and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        query.select, query.group = [at(group), f"AVG({years})"], [at(group)]
        return m.say("average age [per|by|for each] {g}\navg age of {ts} by {g}\n<what> the average {t} age per {g}\nmean age by {g}\nhow old are {ts} on average by {g}\naverage age of {ts} for each {g}", g=m.noun(group), **words), query
    query.select = m.shown(table).sql + [years]
    return m.say("how old is [each|every] {t}\n{ts} [with|and] [their|the] age\n<lead> {ts} with [their|] age\nage of [each|every] {t}\n<lead> the age of [all|] {ts}\nhow old are [our|the|] {ts}", **words), query


@family(1.5)
def late(m: Maker) -> Pair:
    """One date against another of the same row."""
    table = m.table(lambda t: len([c for c in t.of_kind("date") if "birth" not in c.phrase]) > 1)
    first, second = m.rng.sample([c for c in table.of_kind("date") if "birth" not in c.phrase], 2)
    after = m.chance(0.6)
    query = m.query(table)
    test = f"{at(first)} {'>' if after else '<'} {at(second)}"
    query.where = [test]
    between = {"t": m.many(table), "a": m.noun(first), "b": m.noun(second), "x": "after" if after else "before"}
    dice = m.rng.random()
    if dice < 0.2:
        query.where, query.select = [], [f"100.0 * COUNT(CASE WHEN {test} THEN 1 END) / COUNT(*)"]
        return m.say("[share|percentage|percent|%] of {t} with {a} {x} {b}\nwhat [percentage|share] of {t} have [a|the] {a} {x} [the|] {b}\nhow many percent of {t} have {a} {x} {b}\n{t} with {a} {x} {b} in percent\n<what> the share of {t} whose {a} is {x} the {b}\nin what percentage of {t} is the {a} {x} the {b}", **between), query
    if dice < 0.4:
        late, early = (first, second) if after else (second, first)
        query.select = [f"AVG(julianday({at(late)}) - julianday({at(early)}))"]
        return m.say("average days between {a} and {b} of {t} with {a} {x} {b}\navg number of days from {a} to {b} for {t} whose {a} is {x} the {b}\naverage [gap|delay] in days of {t} with {a} {x} {b}\nby how many days on average is the {a} {x} the {b} for {t} where it is {x}", **between), query
    query.select = ["COUNT(*)"] if m.chance(0.4) else m.shown_or_all(table)
    lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which|]"
    return m.say(f"{lead} {{t}} [with|where|whose] {{a}} {{x}} {{b}}\n{lead} {{t}} where [the|] {{a}} is {{x}} [the|] {{b}}\n{lead} {{t}} whose {{a}} [is|comes|lies] {{x}} [the|their] {{b}}\n{lead} {{t}} with {{a}} {{x}} {{b}}", t=m.many(table), a=m.noun(first), b=m.noun(second), x=m.pick(["after", "later than"] if after else ["before", "earlier than"])), query


@family(2)
def two_events(m: Maker) -> Pair:
    """Opened against closed in the same period: two dates of one table, or of two."""
    table = m.table(lambda t: len([c for c in t.of_kind("date") if days_of(c) and "birth" not in c.phrase]) > 1)
    first, second = m.rng.sample([c for c in table.of_kind("date") if days_of(c) and "birth" not in c.phrase], 2)
    if not (first.hints.yes and second.hints.yes):
        raise Skip
    year = m.pick(sorted(set(years_of(first)) & set(years_of(second))))
    parts = []
    for column in (first, second):
        query = m.query(table)
        query.select, query.where = ["COUNT(*)"], [f"strftime('%Y', {at(column)}) = '{year}'"]
        parts.append(f"({query.sql()})")
    a, b = (m.pick(c.hints.yes).lstrip("-").removeprefix("who ") for c in (first, second))
    return m.say("""
        {ts} {a} vs {b} [in|] {y}
        {ts} {a} [versus|vs.|vs|against] {b} in {y}
        how many {ts} were {a} and how many {b} in {y}
        number of {ts} {a} and {b} in {y}
        compare {ts} {a} and {b} in {y}
        {y}: {ts} {a} vs {b}
        """, ts=m.many(table), a=a, b=b, y=year), f"SELECT {parts[0]}, {parts[1]}"
