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
              "form", "topic", "cause", "subject", "genre", "group", "leave", "species", "variety", "operation", "position", "role", "job",
              "occupation", "profession", "model", "product", "section", "contract", "task"}
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
        found.query.select = m.rows(found.base, "*")
        tail, dates = "", [c for c in found.base.of_kind("date") if days_of(c)]
        if dates and m.chance(0.4):
            sql, tail = period(m, dates[0])
            found.query.where.append(sql)
        return m.say("{x} {p}\n<lead> [all|the|] {x} {p}\nwhich {x} {p}\nall {x} {p}", x=noun, p=tail), found.query
    return told(m, found, "COUNT(*)", m.say("{x}\n{x}\n[number of|how many|count of] {x}", x=noun), column, True)


@family(9)
def parent_value_things(m: Maker) -> Pair:
    """`emails of all interns`, `hours of managers`: called by the kind that another table keeps."""
    keys = [k for k in m.schema.main_keys if m.people(m.child(k)) and not m.people(m.parent(k))]
    key = m.pick(keys)  # of anything but people it would count the wrong things
    child, parent = m.child(key), m.parent(key)
    jobs = {"job", "role", "position", "occupation", "profession", "rank", "title", "species", "plan", "kind", "type"} & set(parent.words)
    columns = [c for c in parent.of_kind("category", "name") if noun_values(c) and (c.kind == "name" and jobs or c.kind == "category" and KIND_WORDS & set(c.words))]
    column = m.pick(columns)
    value = m.pick(noun_values(column))
    if not jobs and m.chance(0.5):
        raise Skip
    m.values += [value, plural_phrase(value.lower())]
    noun = plural_phrase(value.lower()) if m.chance(0.8) else f"{value} {m.many(child)}"
    query = m.query(child).join(key)
    query.where = [f"{at(column)} = {literal(value)}"]
    dice = m.rng.random()
    if dice < 0.25:
        query.select = ["COUNT(*)"]
        return m.say("how many {x}\nnumber of {x}\nhow many {x} [do we have|are there]\n{x} count", x=noun), query
    if dice < 0.5 and (m.measures(child) or child.formulas):
        measure = m.measure(child)
        kind, word = m.pick([("AVG", "[average|avg|mean]"), ("SUM", "[total|sum of]"), ("MAX", "<highest>")])
        query.select = [f"{kind}({measure.sql})"]
        return m.say("{w} {n} of [all|] {x}\n{w} {n} of {x}\nwhat is the {w} {n} of {x}", w=m.say(word), n=measure.noun, x=noun), query
    if dice < 0.75:
        shown = m.pick([c for c in m.plain(child) if c not in m.names(child)])
        query.select = [at(shown)]
        return m.say("{n} of [all|the|] {x}\n<lead> the {n} of {x}\n{x} {n}", n=m.nouns(shown), x=noun), query
    query.select = m.shown(child).sql
    return m.say("{x}\nall {x}\n<lead> [the|all|] {x}\nwho are the {x}" if m.people(child) else "{x}\nall {x}\n<lead> [the|all|] {x}", x=noun), query


OUT = {"start", "origin", "from", "departure", "source", "sender"}
IN = {"end", "destination", "to", "arrival", "target", "receiver"}


@family(4)
def from_to(m: Maker) -> Pair:
    """`parcels from Rome to Oslo`, `outgoing trips per depot`, `rides that start and end at the same station`."""
    pairs = [(a, b) for a in m.schema.keys for b in m.schema.keys if a is not b and m.child(a) is m.child(b) and m.parent(a) is m.parent(b)
             and OUT & set(m.schema.columns[a.child].words) and IN & set(m.schema.columns[b.child].words)]
    a, b = m.pick(pairs)
    child, parent = m.child(a), m.parent(a)
    words = {"cs": m.many(child), "c": m.one(child), "p": m.one(parent), "ps": m.many(parent)}
    dice = m.rng.random()
    if dice < 0.35:
        column = m.pick([c for c in parent.of_kind("category", "name") if len(c.values) > 1 and all(isinstance(v, str) for v in c.values)])
        query = m.query(child).join(a).join(b, parent=1)
        first, second = m.rng.sample(column.values, 2)
        m.values += [first, second]
        query.where = [f"{at(column)} = {literal(first)}", f"{at(column, 1)} = {literal(second)}"]
        count = m.chance(0.4)
        query.select = ["COUNT(*)"] if count else m.rows(child, "T1.*")
        if m.measures(child) and m.chance(0.2):
            measure = m.measure(child)
            query.select, count = [f"AVG({measure.sql})"], False
            words["cs"] = f"average {measure.noun} of {words['cs']}"
        lead = m.say("[how many|number of|count]" if count else "[<lead>|||]")
        low = m.chance(0.4)
        return m.say("{l} {cs} [from|going from|starting in] {a} to {b}\n{l} {cs} from {a} to {b}\n{l} {cs} {a} to {b}\n{l} {cs} {a} - {b}", l=lead,
                     a=first.lower() if low else first, b=second.lower() if low else second, **words), query
    if dice < 0.5:
        query = m.query(child)
        same = m.chance(0.6)
        query.where = [f"{at(a.child)} {'=' if same else '!='} {at(b.child)}"]
        query.select = ["COUNT(*)"] if m.chance(0.5) else m.rows(child, "*")
        lead = m.say("[how many|number of]" if query.select == ["COUNT(*)"] else "[<lead>|which|]")
        return m.say("""
            {l} {cs} that [start and end|started and ended] [at|in|on] {s} {p}
            {l} {cs} [starting and ending|which began and ended] [at|in|on] {s} {p}
            {l} {cs} with {s} {p} at both ends
            """ if same else """
            {l} {cs} that [start and end|started and ended] [at|in|on] {s} {p}
            {l} {cs} [starting and ending] [at|in|on] {s} {p}
            {l} {cs} between {s} {p}
            """, l=lead, s="the same" if same else "different", **words), query
    out = m.chance(0.5)
    key = a if out else b
    if not m.names(parent) or not parent.primary:
        raise Skip
    query = m.query(parent).join(key)
    total, noun = "COUNT(*)", words["cs"]
    if m.measures(child) and m.chance(0.35):
        measure = m.measure(child)
        total, noun = f"SUM({measure.sql})", measure.noun
    query.group, query.select = [at(parent.primary)], m.shown(parent).sql + [total]
    side = m.pick(["outgoing", "departing", "outbound", "outgoing"] if out else ["incoming", "arriving", "inbound", "incoming"])
    if dice < 0.75:
        return m.say("{s} {n} [per|by|for each] {p}\n[number of|total|] {s} {n} [per|by] {p}\n<lead> {s} {n} for each {p}", s=side, n=noun, **words
                     ).replace("number of " + side + " " + noun, ("number of " if total == "COUNT(*)" else "total ") + side + " " + noun), query
    query.order, query.limit = [total + " DESC"], 1
    query.select = m.shown(parent).sql
    return m.say("which {p} has the most {s} {n}\n{p} with [the|] most {s} {n}\n<lead> the {p} with the most {s} {n}", s=side, n=noun, **words), query


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


@family(4)
def name_contains(m: Maker) -> Pair:
    """`articles with bench in the name`, `how many titles contain rain`, `lantern articles`."""
    table = m.table(lambda t: m.names(t) and not t.of_kind("first"))
    column = m.names(table)[0]
    words = sorted({w for v in column.values if isinstance(v, str) and len(v.split()) > 1 for w in v.split() if w.isalpha() and len(w) > 3})
    word = m.pick(words)
    m.values.append(word)
    said = word.lower() if m.chance(0.75) else word
    query = m.query(table)
    query.where = [f"{at(column)} LIKE {literal('%' + word + '%')}"]
    count = m.chance(0.3)
    query.select = ["COUNT(*)"] if count else m.shown(table).sql
    noun = m.pick(["name", m.noun(column), m.noun(column)])
    lead = m.say("[how many|number of|count]" if count else "[<lead>|which|||]")
    return m.say("""
        {l} {ts} with {w} in [the|their|its|] {n}
        {l} {ts} with {w} in the {n}
        {l} {ts} [containing|that contain|including] {w} [in the {n}|]
        {l} {ts} whose {n} [contains|has|includes] {w}
        {l} {ts} that have {w} in [the|their] {n}
        {l} {ts} [with|having] the word {w} in [the|their] {n}
        {l} {w} {ts}
        """, l=lead, ts=m.many(table), w=said, n=noun), query
