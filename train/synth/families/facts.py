"""What people have one word for: late, out of stock, click through rate, payroll, weekend, in minutes."""

from families import Pair, family
from families.analytic import Star, gather, grouped, star
from families.shares import counted
from filters import fact, flag, joined, unassigned, weekend
from maker import Maker, Skip
from periods import days_of, period
from query import at
from schema import Table, literal
from words import plural_phrase

# what the share of a value or flag is called
RATE_NOUNS = {
    "cancelled": "cancellation", "canceled": "cancellation", "returned": "return", "approved": "approval", "rejected": "rejection",
    "accepted": "acceptance", "completed": "completion", "delivered": "delivery", "won": "won", "failed": "failure",
    "passed": "pass", "resolved": "resolution", "refunded": "refund", "attended": "attendance", "bounced": "bounce",
    "churned": "churn", "renewed": "renewal", "repaid": "repayment", "damaged": "damage", "fraud": "fraud",
    "no show": "no-show", "late": "lateness", "settled": "settlement", "answered": "answer", "converted": "conversion",
    "ordered": "conversion", "dropped": "drop", "finished": "completion", "verified": "verification", "absent": "absence",
    "sick": "sickness", "hired": "hire", "promoted": "promotion", "opened": "open", "clicked": "click", "lapsed": "lapse",
}


def plain_word(words: list[str]) -> str:
    return " ".join(w for w in words if w not in ("is", "has", "was", "flag", "yn", "ind", "indicator"))


def rate_of(m: Maker, table: Table) -> tuple[str, str, object]:
    """The share of rows with a property: SQL, what it is called, its column."""
    dice = m.rng.random()
    if table.facts and dice < 0.5:
        known = m.pick(table.facts)
        column = m.schema.columns[known.columns[0]]
        turned = known.opposite and known.no and m.chance(0.5)
        words = m.pick(known.no if turned else known.yes)
        whole = f"COUNT({at(column)})" if column.nullable and " IS NULL" not in known.sql else "COUNT(*)"
        sql = f"100.0 * {counted(known.opposite if turned else known.sql)} / {whole}"
        if not turned and known.rates and m.chance(0.4):
            return sql, m.pick(known.rates), column
        word = words.lstrip("-")
        if words.startswith("-") and len(word.split()) > 2:
            return sql, m.say("[share|percentage|percent|proportion] of {t} {w}", t=m.many(table), w=word), column
        return sql, m.say("""
            {w} rate
            {w} [rate|percentage|share|quota]
            [share|percentage|percent|proportion] of {w} {t}
            {w} {t} in percent
            """ if not words.startswith("-") else """
            {w} rate
            {w} [rate|percentage|share]
            [share|percentage|percent|proportion] of {t} {w}
            {t} {w} in percent
            """, w=word, t=m.many(table)), column
    flags = [c for c in table.of_kind("flag")]
    if flags and dice < 0.8:
        column = m.pick(flags)
        cells = {str(v).lower(): v for v in column.values}
        yes = next((cells[c] for c in ("1", "t", "y", "yes") if c in cells), None)
        if yes is None:
            raise Skip
        word = plain_word(column.words)
        word = m.pick(column.hints.yes).lstrip("-") if column.hints.yes and m.chance(0.4) else word
        sql = f"100.0 * {counted(f'{at(column)} = {literal(yes)}')} / COUNT(*)"
        noun = RATE_NOUNS.get(word, word)
        return sql, m.say("""
            {n} rate
            {n} rate
            {w} [rate|percentage|share|quota|ratio]
            [share|percentage|percent|proportion|%] of {w} {t}
            {w} {t} in percent
            """, n=noun, w=word, t=m.many(table)), column
    column = m.pick([c for c in table.of_kind("category") if any(str(v).lower() in RATE_NOUNS for v in c.values)])
    value = m.pick([v for v in column.values if str(v).lower() in RATE_NOUNS])
    m.values.append(value)
    sql = f"100.0 * {counted(f'{at(column)} = {literal(value)}')} / COUNT(*)"
    noun = RATE_NOUNS[str(value).lower()] if m.chance(0.5) else str(value)
    return sql, m.say("{n} [rate|rate|quota|percentage]", n=noun), column


def told(m: Maker, found: Star, value: str, noun: str, column=None, whole: bool = False) -> Pair:
    """A number with a name: over all, per group, the best group, in a period. `whole`: the name says
    which things are meant."""
    scene = gather(m, found, m.pick([0, 0, 1]))
    if whole and scene.own or column is not None and any(f.column is column for f in scene.own):
        raise Skip
    query = found.query
    of = " of {t}" if scene.own else ""
    words = {"n": noun, "t": joined(m, scene.own, m.many(found.base)), "far": " ".join(scene.far), "p": scene.when}
    if m.chance(0.3):
        query.select = [value]
        return m.say(f"""
            {{n}}{of} {{far}} {{p}}
            {{n}}{of} {{far}} {{p}}
            <what> [the|our|] {{n}}{of} {{far}} {{p}}
            [overall|total|] {{n}}{of} {{far}} {{p}}
            what [is|was] [our|the] {{n}}{of} {{far}} {{p}}
            {{p}} {{n}}{of} {{far}}
            """, **words), query
    shown, group, words["g"], order = grouped(m, found)
    if column is not None and at(column) == group[0] or "'%w'" in value + " ".join(query.where) and "'%w'" in group[0]:
        raise Skip
    query.group = group
    if not order and m.chance(0.3):
        up = m.chance(0.7)
        query.order = [value + (" DESC" if up else "")]
        if m.chance(0.5):
            query.select, query.limit = shown, 1
            return m.say(f"""
                which {{g}} has the {{e}} {{n}}{of} {{far}} {{p}}
                {{g}} with [the|] {{e}} {{n}}{of} {{far}} {{p}}
                {'best' if up else 'worst'} {{g}} by {{n}}{of} {{far}} {{p}}
                <lead> the {{g}} with the {{e}} {{n}}{of} {{far}} {{p}}
                """, e=m.say("<highest>" if up else "<lowest>"), **words), query
        query.select, query.limit = shown + [value], m.limit()
        return m.say(f"""
            {'top' if up else 'bottom'} {{k}} {{gs}} by {{n}}{of} {{far}} {{p}}
            {{k}} {{gs}} with [the|] {{e}} {{n}}{of} {{far}} {{p}}
            <lead> the {'top' if up else 'bottom'} {{k}} {{gs}} by {{n}}{of} {{far}} {{p}}
            """, k=m.number_word(query.limit), gs=plural_phrase(words["g"]), e=m.say("<highest>" if up else "<lowest>"), **words), query
    query.select, query.order = shown + [value], order
    return m.say(f"""
        {{n}}{of} {{far}} [by|per|for each|by] {{g}} {{p}}
        {{n}}{of} {{far}} [by|per] {{g}} {{p}}
        <what> [the|] {{n}}{of} {{far}} [by|per|for each] {{g}} {{p}}
        {{p}} {{n}}{of} {{far}} [by|per] {{g}}
        <lead> {{n}}{of} {{far}} [by|per] {{g}} {{p}}
        for each {{g}}, {{n}}{of} {{far}} {{p}}
        """, **words), query


@family(6)
def named_rate(m: Maker) -> Pair:
    """`on time rate per courier`, `bounce rate`, `cancellation rate by month`."""
    found = star(m)
    value, noun, column = rate_of(m, found.base)
    return told(m, found, value, noun, column)


@family(4)
def named_ratio(m: Maker) -> Pair:
    """`click through rate by campaign`, `scrap rate per machine 2024`."""
    found = star(m)
    rate = m.pick(found.base.rates)
    return told(m, found, rate.sql, m.pick(rate.nouns))


# a word of the column: (unit asked for, what to do with the number)
UNITS = {
    "seconds": [("minutes", "/ 60.0"), ("hours", "/ 3600.0")], "sec": [("minutes", "/ 60.0"), ("hours", "/ 3600.0")],
    "secs": [("minutes", "/ 60.0"), ("min", "/ 60.0")],
    "minutes": [("hours", "/ 60.0"), ("seconds", "* 60")], "min": [("hours", "/ 60.0")], "mins": [("hours", "/ 60.0")],
    "hours": [("days", "/ 24.0"), ("minutes", "* 60")], "hrs": [("minutes", "* 60")],
    "days": [("weeks", "/ 7.0"), ("hours", "* 24")], "ms": [("seconds", "/ 1000.0")], "milliseconds": [("seconds", "/ 1000.0")],
    "grams": [("kilos", "/ 1000.0"), ("kg", "/ 1000.0")], "kg": [("tons", "/ 1000.0"), ("grams", "* 1000")],
    "km": [("meters", "* 1000")], "meters": [("kilometers", "/ 1000.0"), ("km", "/ 1000.0")],
    "megabytes": [("gigabytes", "/ 1000.0"), ("gb", "/ 1000.0")], "mb": [("gb", "/ 1000.0")],
    "bytes": [("megabytes", "/ 1000000.0"), ("mb", "/ 1000000.0")], "cents": [("euros", "/ 100.0"), ("dollars", "/ 100.0")],
    "monthly": [("a year", "* 12"), ("per year", "* 12")], "yearly": [("a month", "/ 12.0"), ("per month", "/ 12.0")],
    "annual": [("a month", "/ 12.0"), ("per month", "/ 12.0")], "months": [("years", "/ 12.0")],
}


@family(7)
def other_unit(m: Maker) -> Pair:
    """`average visit length in minutes` where the column keeps seconds."""
    columns = [c for t in m.schema.tables for c in m.measures(t) if UNITS.keys() & set(c.words)]
    if not columns:  # any number of thousands
        columns = [c for t in m.schema.tables for c in m.measures(t) if any(
            isinstance(v, (int, float)) and v > 20000 for v in c.values)]
        units = [("thousands", "/ 1000.0"), ("thousand", "/ 1000.0"), ("millions", "/ 1000000.0"), ("k", "/ 1000.0")]
        column = m.pick(columns)
    else:
        lasting = [c for c in columns if not {"monthly", "yearly", "annual", "days", "months"} & set(c.words)]
        column = m.pick(lasting if lasting and m.chance(0.75) else columns)
        units = UNITS[next(w for w in column.words if w in UNITS)]
    table = m.schema.tables[column.table]
    unit, change = m.pick(units)
    noun = " ".join(w for w in m.noun(column).split() if w not in UNITS) or m.pick(
        column.hints.nouns or [f"{m.one(table)} " + m.pick(["duration", "length", "time"])])
    if set(noun.split()) & set(UNITS):
        raise Skip
    said = unit if unit.startswith(("a ", "per ")) else f"in {unit}"
    kind, word = m.pick([("AVG", "[average|avg|mean]"), ("AVG", "[average|avg]"), ("SUM", "[total|sum of|overall|]"), ("MAX", "<highest>")])
    found = Star(m.query(table), table, near_of(m, table))
    value = f"{kind}({at(column)} {change})"
    words = {"w": m.say(word), "n": noun, "u": said, "t": m.many(table)}
    dice = m.rng.random()
    if dice < 0.25 and m.names(table):
        query = found.query
        query.select = m.shown(table).sql + [f"{at(column)} {change}"]
        return m.say("""
            {n} of [each|every] {o} {u}
            <lead> {t} with [their|the] {n} {u}
            {t} and [their|the] {n} {u}
            """, o=m.one(table), **words), query
    return told(m, found, value, m.say("""
        {w} {n} {u}
        {w} {t} {n} {u}
        {w} {n} of {t} {u}
        {w} {n} ({x})
        """, x=said.removeprefix("in "), **words))


def near_of(m: Maker, table: Table) -> list:
    """Tables one key away, as `star` has them."""
    return [(m.parent(k), [k]) for k in m.schema.main_keys if m.child(k) is table and m.parent(k) is not table]


@family(3)
def weekend_things(m: Maker) -> Pair:
    """`weekend visits`, `share of orders on weekends`, `calls on mondays per agent`."""
    found = star(m)
    dates = [c for c in found.base.of_kind("date") if days_of(c) and "birth" not in c.phrase]
    column = dates[0] if dates and m.chance(0.8) else m.pick(dates)
    hit = weekend(m, column)
    words = {"t": m.many(found.base), "a": hit.after}
    things_said = m.say("{t} {a}\n{t} {a}\nweekend {t}" if "('0', '6')" in hit.sql and "NOT" not in hit.sql else "{t} {a}", **words)
    if m.chance(0.35):
        share = f"100.0 * {counted(hit.sql)} / COUNT(*)"
        return told(m, found, share, m.say("""
            [share|percentage|percent|proportion] of {x}
            {x} share
            {x} in percent [of all|]
            """, x=things_said, t=words["t"]), whole=True)
    found.query.where.append(hit.sql)
    if (m.measures(found.base) or found.base.formulas) and m.chance(0.3):
        measure = m.measure(found.base)
        return told(m, found, f"SUM({measure.sql})", f"{measure.noun} of {things_said}", whole=True)
    return told(m, found, "COUNT(*)", m.pick(["number of ", "", "count of "]) + things_said, whole=True)


STORE_WORDS = {"stock", "quantity", "units", "qty", "copies", "portions", "items", "pieces", "hand", "hours", "days", "nights", "count", "liters"}
PRICE_WORDS = {"price", "cost", "wage", "worth", "tariff", "prc"}


@family(4)
def value_across(m: Maker) -> Pair:
    """`stock value per warehouse`: a number here times a price there (or here)."""
    found = star(m)
    here = [c for c in m.measures(found.base) if STORE_WORDS & set(c.words)]
    prices = [(c, path) for t, path in [(found.base, [])] + found.near if len(path) < 2
              for c in m.measures(t) if PRICE_WORDS & set(c.words) or {"unit", "hourly", "day"} & set(c.words)]
    amount = m.pick(here)
    price, path = m.pick(prices)
    for key in path:
        found.query.join(key)
    stocked = {"stock", "hand"} & set(amount.words)
    noun = m.pick(["stock value", "inventory value", "value of the stock", "worth of the stock", "value on stock"] if stocked else
                  [f"{m.one(found.base)} value", f"value of {m.many(found.base)}", f"{m.noun(amount)} times {m.noun(price)}"])
    if "cost" in price.words and not stocked:
        noun = m.pick(["cost", "total cost", f"{m.noun(amount)} times {m.noun(price)}", f"cost of {m.many(found.base)}"])
    return told(m, found, f"SUM({at(amount)} * {at(price)})", noun)


@family(3)
def change_in_percent(m: Maker) -> Pair:
    """`avg raise in percent by reason`: a named difference against what it was before."""
    table = m.table(lambda t: any(f.sql.count(" - ") == 1 and "julian" not in f.sql and "(" not in f.sql for f in t.formulas))
    known = m.pick([f for f in table.formulas if f.sql.count(" - ") == 1 and "julian" not in f.sql and "(" not in f.sql])
    grown = {"new", "current", "final", "after", "now"} & set(m.schema.columns[known.columns[0]].words)
    before = at(known.columns[1 if grown else 0])
    noun = m.pick(known.nouns)
    found = Star(m.query(table), table, near_of(m, table))
    kind, word = m.pick([("AVG", "[average|avg|mean]"), ("AVG", "average"), ("MAX", "<highest>"), ("MIN", "<lowest>")])
    return told(m, found, f"{kind}(100.0 * ({known.sql}) / {before})", m.say("""
        {w} {n} in [percent|%]
        {w} [percentage|percent|%] {n}
        {w} {n} [percentage|(percent)|in percent terms]
        """, w=m.say(word), n=noun))


MONEY = [
    ({"salary", "wage", "pay", "sal", "compensation"}, ["payroll", "wage bill", "salary costs", "staff costs", "payroll cost", "total pay"]),
    ({"amount", "total", "price", "paid", "revenue", "sales", "value", "amt", "sum", "tot", "charge", "fee", "turnover"},
     ["revenue", "sales", "turnover", "income", "money made", "earnings", "sales volume", "takings"]),
    ({"cost", "costs", "expense", "expenses", "spent", "spend", "expenditure"},
     ["spending", "spend", "expenses", "costs", "money spent", "expenditure", "outlay"]),
]
SOLD = {"order", "sale", "invoice", "booking", "purchase", "ticket", "bill", "payment", "transaction", "reservation", "rental", "subscription",
        "deal", "receipt", "trip", "contract", "ord", "inv", "txn", "pmt", "gift", "donation", "offer"}
BOUGHT = {"expense", "repair", "refuel", "delivery", "service", "procurement", "supply", "outlay", "cost", "spend", "maintenance", "ad", "campaign"}


@family(7)
def money_words(m: Maker) -> Pair:
    """`revenue by channel`, `payroll per country`, `spending 2024`: what the money column is, not what it is called."""
    found = star(m) if m.chance(0.8) else None
    if found is None:
        table = m.table()
        found = Star(m.query(table), table, near_of(m, table))
    base = found.base
    sold, bought = SOLD & set(base.words), BOUGHT & set(base.words)
    choices = []
    for column in m.measures(base):
        for place, (names, nouns) in enumerate(MONEY):
            if place == 0 and not m.people(base) or {"old", "previous", "new", "minimum", "maximum", "unit", "hourly"} & set(column.words):
                continue
            if names & set(column.words) and (place != 1 or sold or bought):
                choices.append((column, nouns if not (bought and place == 1) else MONEY[2][1]))
    column, nouns = m.pick(choices)
    noun = m.pick(nouns)
    if m.chance(0.15):
        return told(m, found, f"AVG({at(column)})", f"average {m.one(base)} value" if sold else f"average {noun}", column)
    value = f"SUM({at(column)})"
    dates = [c for c in base.of_kind("date") if days_of(c)]
    kinds = [c for c in base.of_kind("category") if c.values and all(isinstance(v, str) for v in c.values)]
    if dates and kinds and m.chance(0.15):  # `monthly revenue 2025 online only`
        kind = m.pick(kinds)
        cell, (sql, when) = m.cell(kind), period(m, dates[0])
        part = f"strftime('%Y-%m', {at(dates[0])})"
        query = found.query
        query.select, query.group, query.order = [part, value], [part], [part]
        query.where = [f"{at(kind)} = {literal(cell)}", sql]
        return m.say("""
            monthly {n} {p} {v} only
            {n} per month {p} [only {v}|, {v} only|for {v}|{v}]
            {v} {n} by month {p}
            monthly {v} {n} {p}
            {n} by month {p}, only {v}
            """, n=noun, p=when, v=cell), query
    return told(m, found, value, m.pick(["", "", "total ", "overall "]) + noun, column)


@family(6)
def who(m: Maker) -> Pair:
    """`who lives in Rome`, `who was hired in 2024`, `how many people work in Design`, `who has no manager`."""
    table = m.table(lambda t: m.people(t) and m.names(t))
    if any(m.people(t) and t is not table and m.names(t) for t in m.schema.tables) and not table.of_kind("first") and m.chance(0.7):
        raise Skip  # several kinds of people: nobody could tell who is meant
    query = m.query(table)
    count = m.chance(0.3)
    query.select = ["COUNT(*)"] if count else m.shown(table).sql
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k)) and not m.people(m.parent(k))]
    dates = [c for c in table.of_kind("date") if days_of(c) and c.hints.yes]
    dice = m.rng.random()
    lead = m.say("how many [people|persons|of us|staff]" if count else "[who|who|who|which people|people who|everyone who|all people who|anybody who]")
    if parents and dice < 0.35:
        key = m.pick(parents)
        parent = m.parent(key)
        name = m.names(parent)[0]
        value = m.cell(name)
        query.join(key)
        query.where = [f"{at(name)} = {literal(value)}"]
        verb = m.pick(["is in", "works in", "works for", "belongs to", "is with", "is part of"])
        if count or lead not in ("who",):
            verb = m.pick(["are in", "work in", "work for", "belong to", "are with"])
        return f"{lead} {verb} {m.pick(['', '', 'the '])}{value}{m.pick(['', '', ' ' + m.one(parent)])}", query
    if dates and dice < 0.65:
        column = m.pick(dates)
        sql, words = period(m, column)
        query.where = [sql]
        verb = m.pick(column.hints.yes).lstrip("-")
        when = words.split(verb)[-1].strip() if verb in words else None
        if when is None or verb.startswith("with"):
            raise Skip
        verb = verb.removeprefix("who ")
        return m.say("""
            {l} was {v} {w}
            {l} [was|got] {v} {w}
            who {v} {w}
            """ if not count else """
            {l} were {v} {w}
            {l} did we have {v} {w}
            how many people {v} {w}
            """, l=lead, v=verb, w=when), query
    columns = [c for c in table.of_kind("category") if c.values and {"city", "country", "town", "place", "location", "region"} & set(c.words)]
    if columns and dice < 0.8:
        column = m.pick(columns)
        value = m.cell(column)
        query.where = [f"{at(column)} = {literal(value)}"]
        plural = count or lead != "who"
        return f"{lead} {m.pick(['live in', 'are from', 'come from', 'are in'] if plural else ['lives in', 'is from', 'comes from', 'is in'])} {value}", query
    flags = table.of_kind("flag")
    found = flag(m, m.pick(flags)) if flags else None
    if not found or not found.before:
        raise Skip
    query.where = [found.sql]
    m.said.append(found)
    return f"{lead} {'are' if count or lead != 'who' else 'is'} {found.before}", query


@family(3)
def who_has_not(m: Maker) -> Pair:
    """`who has not done Fire Drill`, `people without First Aid`: over a table between the two."""
    pairs = [(a, b) for a in m.schema.main_keys for b in m.schema.main_keys if a is not b and m.child(a) is m.child(b)
             and m.parent(a) is not m.parent(b) and m.names(m.parent(a)) and m.names(m.parent(b))]
    a, b = m.pick(pairs)
    left, right = m.parent(a), m.parent(b)
    if len(m.names(right)) > 1 or not a.hints.yes and m.chance(0.6):
        raise Skip
    kinds = [c for c in right.of_kind("category") if c.values and all(isinstance(v, str) for v in c.values)]
    name = m.pick(kinds) if kinds and m.chance(0.35) else m.names(right)[0]
    value = m.cell(name)
    inner = m.query(m.child(a)).join(b)
    inner.select, inner.where = [at(a.child)], [f"{at(name)} = {literal(value)}"]
    query = m.query(left)
    positive = m.chance(0.3)
    query.select = ["COUNT(*)"] if m.chance(0.25) else m.shown(left).sql
    query.where = [f"{at(a.parent)} {'IN' if positive else 'NOT IN'} ({inner.sql()})"]
    verbs = [v for v in a.hints.yes if " " not in v] or ["had"]
    people = m.people(left)
    lead = m.say("how many {t}" if query.select == ["COUNT(*)"] else "[who|which {t}|{t} that|{t} who]" if people else "[which {t}|{t} that]", t=m.many(left))
    words = {"l": lead, "v": m.pick(verbs), "x": value, "r": m.one(right), "ts": m.many(left), "cs": m.many(m.child(a))}
    if positive:
        return m.say("{l} [ever|] {v} {x}\n{l} have [ever|] {v} [the {r}|] {x}\n{l} {v} [the|] {x} {r}", **words), query
    return m.say("""
        {l} [hasn't|haven't|have not|has not] {v} {x}
        {l} [never|never ever] {v} {x}
        {l} didn't have {x}
        {l} [haven't|have never] {v} [the|] {r} {x}
        """ + ("" if query.select == ["COUNT(*)"] else "\n{ts} without [|{r}] {x}\n{ts} with no {cs} of {x}\n{ts} not {v} {x}"), **words), query


@family(3)
def nobody(m: Maker) -> Pair:
    """`unassigned tasks`, `parcels nobody delivers`, `visits without a visitor per month`."""
    keys = [k for k in m.schema.keys if m.schema.columns[k.child].nullable and m.child(k) is not m.parent(k)]
    key = m.pick(keys)
    table = m.child(key)
    hit = unassigned(m, m.schema.columns[key.child])
    found = Star(m.query(table), table, [])
    found.query.where = [hit.sql]
    said = joined(m, [hit], m.many(table))
    if m.chance(0.45):
        found.query.select = m.shown_or_all(table)
        return m.say("{x}\n{x}\n<lead> {x}\nwhich {x}\nall {x}", x=said), found.query
    if m.chance(0.25):
        found.query.where = []
        return told(m, found, f"100.0 * {counted(hit.sql)} / COUNT(*)", m.say("[share|percentage|percent] of {x}", x=said), hit.column, True)
    return told(m, found, "COUNT(*)", m.say("[number of|how many|count of|] {x}", x=said), hit.column, True)


@family(3)
def most_popular(m: Maker) -> Pair:
    """`most popular course`, `busiest branch`, `least used truck 2024`: counted in another table."""
    key, child, parent = m.key()
    if m.people(parent) or not m.names(parent) or not parent.primary:
        raise Skip
    rivals = [k for k in m.schema.main_keys if m.parent(k) is parent and k is not key]
    up = m.chance(0.75)
    query = m.query(parent).join(key)
    query.group, query.order, query.limit = [at(parent.primary)], ["COUNT(*)" + (" DESC" if up else "")], 1
    query.select = m.shown(parent).sql
    tail, dates = "", [c for c in child.of_kind("date") if days_of(c)]
    if dates and m.chance(0.3):
        sql, tail = period(m, dates[0])
        query.where = [sql]
    passive = [w for w in key.hints.no if " " not in w]
    words = passive if rivals else ["popular", "used", "popular", "common", "frequent", "popular"] + passive * 2
    word = m.pick(words)
    degree = ("most " if up else "least ") + word
    if m.chance(0.3):
        query.limit = m.limit()
        return m.say("{k} {d} {ps} {p}\n[top|] {k} {d} {ps} {p}\n<lead> the {k} {d} {ps} {p}",
                     k=m.number_word(query.limit), d=degree, ps=m.many(parent), p=tail), query
    return m.say("""
        {d} {o} {p}
        {d} {o} {p}
        [which|what] {o} is [the|] {d} {p}
        [which|what] {o} was {d} {p}
        <lead> the {d} {o} {p}
        """, d=degree, o=m.one(parent), p=tail), query


LIMITS = {"budget", "limit", "capacity", "quota", "target", "goal", "coverage", "credit", "maximum", "max", "planned", "estimate", "allowance"}


@family(3)
def exceeds(m: Maker) -> Pair:
    """`teams whose wages exceed the budget`: a sum over the children against the parent's own number."""
    key, child, parent = m.key()
    if not m.names(parent) or not parent.primary:
        raise Skip
    measure, limit = m.measure(child), m.pick(m.measures(parent))
    if not LIMITS & set(limit.words) and m.chance(0.85):
        raise Skip
    up = m.chance(0.75)
    query = m.query(parent).join(key)
    query.select, query.group = m.shown(parent).sql, [at(parent.primary)]
    query.having = f"SUM({measure.sql}) {'>' if up else '<'} {at(limit)}"
    return m.say("""
        {ps} [where|whose] {n} {x} [the|their] {b}
        {ps} where [the sum of|total|summed] {n} {x} [the|] {b}
        which {ps} have [total|] {n} {y} [their|the] {b}
        does {n} {x} {b} [anywhere|somewhere]? [show|list|which] {ps}
        <lead> {ps} with total {n} {y} {b}
        {ps} {y} {b} [by|in] [total|] {n}
        """, ps=m.many(parent), n=measure.noun, b=m.noun(limit),
        x=m.pick(["exceeds", "is above", "is more than", "is over", "exceed"] if up else ["is below", "stays under", "is less than"]),
        y=m.pick(["above", "over", "exceeding", "higher than"] if up else ["below", "under", "less than"])), query


@family(3)
def facts_of(m: Maker) -> Pair:
    """`late payments`, `late payments by month`, `how many parts need reordering`, `avg days late of late payments`."""
    table = m.table(lambda t: t.facts)
    hit = fact(m, table)
    found = Star(m.query(table), table, near_of(m, table))
    said = joined(m, [hit], m.many(table))
    dice = m.rng.random()
    if dice < 0.4:
        found.query.select, found.query.where = m.shown_or_all(table), [hit.sql]
        return m.say("{x}\n{x}\n<lead> [the|all|] {x}\nwhich {x}\nany {x}", x=said), found.query
    found.query.where = [hit.sql]
    if dice < 0.55:
        known = m.pick([f for f in table.facts if hit.sql == f.sql and len(f.columns) == 2 and " > " in f.sql])
        a, b = (m.schema.columns[c] for c in known.columns)
        if a.kind != "date" or b.kind != "date":
            raise Skip
        late = f"julianday({at(a)}) - julianday({at(b)})"
        kind, word = m.pick([("AVG", "average"), ("AVG", "avg"), ("MAX", "most"), ("MAX", "maximum")])
        return told(m, found, f"{kind}({late})", m.say("{w} [number of days|days] late of {x}\n{w} delay [in days|] of {x}\n{w} days late for {x}", w=word, x=said), hit.column, True)
    if (m.measures(table) or table.formulas) and dice < 0.75:
        measure = m.measure(table)
        return told(m, found, f"SUM({measure.sql})", m.say("[total|sum of|] {n} of {x}", n=measure.noun, x=said), hit.column, True)
    return told(m, found, "COUNT(*)", m.say("[number of|how many|count of|] {x}", x=said), hit.column, True)
