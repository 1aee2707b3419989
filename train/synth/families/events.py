"""Rows called by what they are or what happened: promotions, demos, fees; signups, hires, new customers."""

from families import Pair, family
from families.analytic import Star, star
from families.facts import near_of, told
from maker import Maker, Skip
from periods import days_of, period, years_of
from query import at
from schema import literal
from words import plural_phrase

KIND_WORDS = {"type", "typ", "kind", "category", "cat", "reason", "event", "action", "class", "activity", "purpose", "channel", "method",
              "form", "topic", "cause", "subject", "genre", "group", "leave", "name", "title", "species", "variety", "operation"}
NO_NOUNS = set("""open closed done paid sent new old high low medium small large big basic plus premium gold silver active inactive
    north south east west red blue green black white free full part female male diverse permanent temporary sick unpaid other
    online offline urgent normal pending accepted rejected cancelled delivered lost returned won""".split())


def noun_values(column) -> list[str]:
    return [v for v in column.values if isinstance(v, str) and v.replace(" ", "").isalpha() and 1 <= len(v.split()) <= 2
            and 3 < len(v) < 20 and v.lower().split()[-1] not in NO_NOUNS]


@family(7)
def value_things(m: Maker) -> Pair:
    """`promotions in 2024`, `fees per quarter`, `avg duration of demos`: the kind stands for the row."""
    found = star(m) if m.chance(0.75) else None
    if found is None:
        table = m.table()
        found = Star(m.query(table), table, near_of(m, table))
    columns = [c for c in found.base.of_kind("category") if KIND_WORDS & set(c.words) and noun_values(c)]
    column = m.pick(columns)
    value = m.pick(noun_values(column))
    m.values.append(value)
    m.values.append(plural_phrase(value.lower()))
    noun = plural_phrase(value.lower()) if m.chance(0.8) else value.lower()
    found.query.where = [f"{at(column)} = {literal(value)}"]
    if (m.measures(found.base) or found.base.formulas) and m.chance(0.4):
        measure = m.measure(found.base)
        kind, word = m.pick([("SUM", "[total|sum of|]"), ("SUM", "[total|]"), ("AVG", "[average|avg|mean]"), ("MAX", "<highest>")])
        return told(m, found, f"{kind}({measure.sql})", m.say("{w} {n} of {x}\n{w} {n} of {x}\n{w} {x} {n}", w=m.say(word), n=measure.noun, x=noun), column, True)
    if m.chance(0.25):
        found.query.select = [at(c) for c in m.names(found.base)] or ["*"]
        tail, dates = "", [c for c in found.base.of_kind("date") if days_of(c)]
        if dates and m.chance(0.4):
            sql, tail = period(m, dates[0])
            found.query.where.append(sql)
        return m.say("{x} {p}\n<lead> [all|the|] {x} {p}\nwhich {x} {p}\nall {x} {p}", x=noun, p=tail), found.query
    return told(m, found, "COUNT(*)", m.say("{x}\n{x}\n[number of|how many|count of] {x}\n{x} made", x=noun), column, True)


EVENTS = {
    "signed": "signups", "signup": "signups", "hired": "hires", "hire": "hires", "registered": "registrations", "cancelled": "cancellations",
    "joined": "joiners", "left": "leavers", "delivered": "deliveries", "opened": "openings", "closed": "closings", "started": "starts",
    "churned": "churns", "paid": "payments", "booked": "bookings", "admitted": "admissions", "enrolled": "enrollments", "born": "births",
    "published": "publications", "sold": "sales", "returned": "returns", "approved": "approvals", "quit": "quits", "ended": "endings",
    "repaired": "repairs", "invited": "invitations", "refunded": "refunds", "finished": "completions", "bought": "purchases",
    "reported": "reports", "activated": "activations", "departed": "departures", "departs": "departures", "arrived": "arrivals", "listed": "listings",
    "resigned": "resignations", "retired": "retirements", "terminated": "terminations", "shipped": "shipments", "filed": "filings",
}
FIRST = {"created", "joined", "signed", "since", "registered", "opened", "started", "hired", "first", "enrolled", "added", "signup", "hire"}


def event_of(m: Maker, table):
    """A date column with the noun for what happened then."""
    dates = [c for c in table.of_kind("date") if days_of(c) and "birth" not in c.phrase]
    choices = []
    for column in dates:
        nouns = [EVENTS[w] for w in column.words if w in EVENTS and EVENTS[w].rstrip("s") not in m.schema.words]
        choices += [(column, n) for n in nouns] + [(column, f"{n} {m.many(table)}".strip()) for n in nouns if m.chance(0.3)]
        if FIRST & set(column.words) and m.people(table) or FIRST & set(column.words) and m.chance(0.5):
            choices += [(column, "new " + m.many(table))] * 2
    return m.pick(choices)


@family(5)
def happenings(m: Maker) -> Pair:
    """`signups per month since 2024`, `hires in 2023 by team`, `new customers this year`."""
    table = m.table(lambda t: any(days_of(c) for c in t.of_kind("date")))
    column, noun = event_of(m, table)
    found = Star(m.query(table), table, near_of(m, table))
    query = found.query
    dice = m.rng.random()
    if dice < 0.35:
        sql, when = period(m, column)
        if any(w in EVENTS or w == "with" for w in when.split()[:2]):
            raise Skip
        query.select, query.where = ["COUNT(*)"], [sql]
        return m.say("""
            {n} {p}
            how many {n} {p}
            number of {n} {p}
            how many {n} [did we have|were there|do we have] {p}
            {p} {n} count
            """, n=noun, p=when), query
    unit, form = m.pick([("month", "%Y-%m"), ("month", "%Y-%m"), ("year", "%Y")])
    part = f"strftime('{form}', {at(column)})"
    if dice < 0.7:
        query.select, query.group, query.order = [part, "COUNT(*)"], [part], [part]
        query.where = [f"{at(column)} IS NOT NULL"] if column.nullable else []
        when = ""
        if m.chance(0.5):
            sql, when = period(m, column)
            if any(w in EVENTS or w == "with" for w in when.split()[:2]):
                raise Skip
            query.where = [sql]
        return m.say("""
            {n} [per|by|each] {u} {p}
            {u}ly {n} {p}
            [number of|how many] {n} [per|by] {u} {p}
            <lead> {n} per {u} {p}
            {p} {n} by {u}
            """, n=noun, u=unit, p=when), query
    if dice < 0.85:
        other = event_of(m, table)
        if other[0] is column:
            raise Skip
        year = m.pick(sorted(set(years_of(column)) & set(years_of(other[0]))))
        parts = []
        for date in (column, other[0]):
            one = m.query(table)
            one.select, one.where = ["COUNT(*)"], [f"strftime('%Y', {at(date)}) = '{year}'"]
            parts.append(f"({one.sql()})")
        return m.say("""
            {a} vs {b} [in|] {y}
            {a} [versus|vs.|and|compared to] {b} in {y}
            how many {a} and [how many|] {b} in {y}
            {y} {a} vs {b}
            """, a=noun, b=other[1], y=year), f"SELECT {parts[0]}, {parts[1]}"
    sql, when = period(m, column)
    if any(w in EVENTS or w == "with" for w in when.split()[:2]):
        raise Skip
    query.where = [sql]
    groups = table.of_kind("category")
    if found.near and (not groups or m.chance(0.5)):
        parent, path = m.pick(found.near)
        if not m.names(parent) or not parent.primary:
            raise Skip
        query.join(path[0])
        query.select, query.group, by = m.shown(parent).sql + ["COUNT(*)"], [at(parent.primary)], m.one(parent)
    else:
        group = m.pick(groups)
        query.select, query.group, by = [at(group), "COUNT(*)"], [at(group)], m.noun(group)
    return m.say("""
        {n} {p} [by|per|for each] {g}
        {n} [by|per] {g} {p}
        [number of|how many] {n} {p} by {g}
        <lead> {n} by {g} {p}
        """, n=noun, p=when, g=by), query
