"""Over two tables: in one year but not in another, days from one event to the next, figures of both put together."""

from families import Pair, family
from maker import Maker, Skip
from periods import years_of
from query import at
from schema import Column, Key, Table

UNITS_SOLD = {"quantity", "qty", "units", "copies", "pieces", "hours", "nights", "boxes"}
PRICES = {"price", "prc", "cost", "rate", "fee", "fare"}


def in_year(column: Column, year: int) -> str:
    return f"strftime('%Y', {at(column)}) = '{year}'"


def event(m: Maker) -> tuple[Key, Table, Table, Column]:
    """A named parent, its child and the child's main date."""
    key, child, parent = m.key()
    dates = [c for c in child.of_kind("date") if len(years_of(c)) > 1 and "birth" not in c.phrase]
    if not (dates and m.names(parent) and parent.primary):
        raise Skip
    return key, child, parent, dates[0]


def those_with(m: Maker, key: Key, child: Table, where: list[str], inside: bool) -> str:
    inner = m.query(child)
    inner.select, inner.where = [at(key.child)], list(where)
    if not inside and m.schema.columns[key.child].nullable:
        inner.where.append(f"{at(key.child)} IS NOT NULL")
    return f"{at(key.parent)} {'IN' if inside else 'NOT IN'} ({inner.sql()})"


def did(m: Maker, key: Key, child: Table) -> dict:
    verb = m.pick(key.hints.yes) if key.hints.yes and m.chance(0.6) else m.pick(["had", "had", "with"])
    return {"v": f"with {m.many(child)}" if verb == "with" else f"[who|that] {verb} {m.many(child)}"}


@family(6)
def one_year_not_other(m: Maker) -> Pair:
    """`customers with orders in 2023 but not in 2024`, `… in both years`."""
    key, child, parent, column = event(m)
    first, second = sorted(m.rng.sample(years_of(column), 2), reverse=m.chance(0.3))
    both = m.chance(0.3)
    query = m.query(parent)
    query.where = [those_with(m, key, child, [in_year(column, first)], True),
                   those_with(m, key, child, [in_year(column, second)], both)]
    count = m.chance(0.25)
    query.select = ["COUNT(*)"] if count else m.shown_or_all(parent)
    words = {"ps": m.many(parent), "cs": m.many(child), "a": first, "b": second, "v": m.say(did(m, key, child)["v"]),
             "q": m.say("[how many|number of|count]" if count else "[<lead>|which||]")}
    if both:
        return m.say("""
            {q} {ps} {v} in both {a} and {b}
            {q} {ps} {v} in {a} and again in {b}
            {q} {ps} {v} in {a} as well as in {b}
            {q} {ps} active in {a} and {b}, going by {cs}
            """, **words), query
    return m.say("""
        {q} {ps} {v} in {a} but [not|none|no longer] in {b}
        {q} {ps} {v} in {a} but no {cs} in {b}
        {q} {ps} {v} in {a} and [none|not] in {b}
        {q} {ps} we had {cs} from in {a} but not in {b}
        {q} {ps} lost since {a}: {cs} then, none in {b}
        """, **words), query


@family(5)
def days_between_tables(m: Maker) -> Pair:
    """`how many days from signup to the order`, `orders within 30 days of signup`."""
    key, child, parent = m.key()
    befores = [c for c in parent.of_kind("date") if years_of(c) and "birth" not in c.phrase]
    afters = [c for c in child.of_kind("date") if years_of(c) and "birth" not in c.phrase]
    before, after = m.pick(befores), m.pick(afters[:1] * 3 + afters)
    sql = f"julianday({at(after)}) - julianday({at(before)})"
    query = m.query(child).join(key)
    words = {"a": m.noun(before), "b": m.noun(after), "cs": m.many(child), "c": m.one(child), "p": m.one(parent), "ps": m.many(parent)}
    dice = m.rng.random()
    if dice < 0.4:
        number = m.rng.choice([3, 7, 10, 14, 30, 60, 90, 180])
        inside = m.chance(0.6)
        query.where = [f"{sql} {'<=' if inside else '>'} {number}"]
        count = m.chance(0.45)
        query.select = ["COUNT(*)"] if count else [at(c) for c in m.names(child)] or [m.pick([at(c) for c in child.of_kind("code")])]
        lead = "[how many|number of|count of]" if count else "[<lead>|which|]"
        wording = """
            {lead} {cs} [within|in] {k} days of the {p}'s {a}
            {lead} {cs} with {b} within {k} days after the {a} of the {p}
            {lead} {cs} no more than {k} days after the {a}
            """ if inside else """
            {lead} {cs} more than {k} days after the {p}'s {a}
            {lead} {cs} whose {b} is over {k} days after the {a} of the {p}
            {lead} {cs} later than {k} days after {a}
            """
        return m.say(wording.replace("{lead}", lead), k=number, **words), query
    kind, word = m.pick([("AVG", "[average|avg|mean]")] * 3 + [("MAX", "[longest|max]"), ("MIN", "[shortest|min]")])
    query.select = [f"{kind}({sql})"]
    span = m.say("""
        [days|time|number of days] [between|from] {p} {a} [and|to] {c} {b}
        [days|time] from {a} to {c}
        [days|time] from {a} [until|to] {b}
        [delay|gap|days] between {a} and {b}
        """, **words)
    if dice < 0.7:
        return m.say("""
            {w} {s}
            <what> the {w} {s}
            how many days [on average|] [pass|lie] between {a} and {b} of the {c}
            """ if kind == "AVG" else "{w} {s}\n<what> the {w} {s}", w=m.say(word), s=span, **words), query
    if not (m.names(parent) and parent.primary):
        raise Skip
    query.select, query.group = m.shown(parent).sql + query.select, [at(parent.primary)]
    return m.say("{w} {s} [per|by|for each] {p}\n{w} {s} by {p}", w=m.say(word), s=span, **words), query


@family(3)
def one_per_other(m: Maker) -> Pair:
    """`ratio of orders to customers`, `revenue per head of employees`: two totals, one divided by the other."""
    key, child, parent = m.key()
    over, noun = "COUNT(*)", m.many(child)
    if (m.measures(child) or child.formulas) and m.chance(0.4):
        measure = m.measure(child)
        over, noun = f"SUM({measure.sql})", m.pick(["total ", "", ""]) + measure.noun
    above, below = m.query(child), m.query(parent)
    above.select, below.select = [over], ["COUNT(*)"]
    where = ""
    dates = [c for c in child.of_kind("date") if years_of(c)]
    if dates and m.chance(0.3):
        year = m.pick(years_of(dates[0]))
        above.where, where = [in_year(dates[0], year)], m.pick([f" in {year}", f" {year}", f" for {year}"])
    sql = f"SELECT 1.0 * ({above.sql()}) / ({below.sql()})"
    return m.say("""
        ratio of {n} to {ps}{w}
        {n} to {ps} ratio{w}
        {n} divided by [the|] number of {ps}{w}
        {n} per {p}, counting all {ps}{w}
        """ if over == "COUNT(*)" else """
        {n} per head of {ps}{w}
        {n} divided by [the|] number of {ps}{w}
        {n} per {p}, counting all {ps}{w}
        """, n=noun, p=m.one(parent), ps=m.many(parent), w=where), sql


@family(5)
def share_with(m: Maker) -> Pair:
    """`what percentage of customers have ever ordered`, `share of products never sold`."""
    key, child, parent = m.key()
    if not parent.primary:
        raise Skip
    never = m.chance(0.35)
    condition = those_with(m, key, child, [], not never)
    query = m.query(parent)
    query.select = [f"100.0 * SUM(CASE WHEN {condition} THEN 1 ELSE 0 END) / COUNT(*)"]
    words = {"ps": m.many(parent), "cs": m.many(child), "c": m.one(child)}
    lead = "[what percentage of|what share of|percent of|% of|share of|what percent of|how many percent of]"
    return m.say(f"""
        {lead} {{ps}} [have|with] no {{cs}}
        {lead} {{ps}} [have never had|never had] [a|any] {{c}}
        {lead} {{ps}} without [any|a single|] {{c}}
        """ if never else f"""
        {lead} {{ps}} [have|with] [at least one|a|any] {{c}}
        {lead} {{ps}} [have ever had|ever had] [a|any] {{c}}
        {lead} {{ps}} [have|with] {{cs}}
        """, **words), query


@family(6)
def value_across(m: Maker) -> Pair:
    """`revenue by product`: what was sold times what one costs, where the price stands in the other table."""
    key, child, parent = m.key()
    units = [c for c in m.measures(child) if UNITS_SOLD & set(c.words)]
    prices = [c for c in m.measures(parent) if PRICES & set(c.words)]
    if any(PRICES & set(c.words) or {"total", "revenue", "value"} & set(c.words) for c in m.measures(child)):
        raise Skip  # then the child's own figure is meant
    unit, price = m.pick(units), m.pick(prices)
    total = f"SUM({at(unit)} * {at(price)})"
    query = m.query(child).join(key)
    noun = m.pick(["revenue", "sales", "turnover", "total value", "sales value", "total amount", "revenue"])
    words = {"n": noun, "p": m.one(parent), "ps": m.many(parent), "cs": m.many(child)}
    dates = [c for c in child.of_kind("date") if years_of(c)]
    words["w"] = ""
    if dates and m.chance(0.3):
        year = m.pick(years_of(dates[0]))
        query.where, words["w"] = [in_year(dates[0], year)], m.pick([f" in {year}", f" {year}"])
    dice = m.rng.random()
    groups = [c for c in parent.of_kind("category") if c.table == parent.id]
    if dice < 0.3:
        query.select = [total]
        return m.say("[total|overall|] {n} from {cs}{w}\n<what> the {n} of all {cs}{w}\n[total|] {n}{w}", **words), query
    if dice < 0.5 and groups:
        group = m.pick(groups)
        query.select, query.group = [at(group), total], [at(group)]
        return m.say("{n} [by|per] {p} {g}{w}\n{n} by {g}{w}\n<what> the {n} for each {g}{w}", g=m.noun(group), **words), query
    if not (m.names(parent) and parent.primary):
        raise Skip
    shown, query.group = m.shown(parent).sql, [at(parent.primary)]
    if dice < 0.75:
        query.select = shown + [total]
        return m.say("{n} [by|per|for each] {p}{w}\nhow much {n} did each {p} [make|bring in]{w}", **words), query
    query.order, query.limit = [total + " DESC"], 1 if m.chance(0.4) else m.limit()
    query.select = shown + ([total] if query.limit > 1 else [])
    if query.limit == 1:
        return m.say("which {p} [made|brought in] the most {n}{w}\n{p} with the highest {n}{w}", **words), query
    return m.say("top {k} {ps} by {n}{w}\n{k} {ps} with the highest {n}{w}, with the {n}", k=m.number_word(query.limit), **words), query


@family(5)
def years_side_by_side(m: Maker) -> Pair:
    """`revenue by region 2023 vs 2024`: a column for each of the two years."""
    table = m.table(lambda t: any(len(years_of(c)) > 1 and "birth" not in c.phrase for c in t.of_kind("date")))
    column = next(c for c in table.of_kind("date") if len(years_of(c)) > 1 and "birth" not in c.phrase)
    groups = table.of_kind("category")
    a, b = sorted(m.rng.sample(years_of(column), 2))
    value, noun = "1", m.many(table)
    if (m.measures(table) or table.formulas) and m.chance(0.6):
        measure = m.measure(table)
        value, noun = measure.sql, m.pick(["total ", ""]) + measure.noun
    parts = [f"SUM(CASE WHEN {in_year(column, year)} THEN {value} ELSE 0 END)" for year in (a, b)]
    query = m.query(table)
    query.select, words = parts, {"n": noun, "a": a, "b": b}
    if not groups or m.chance(0.25):
        return m.say("{n} {a} [vs|versus|vs.|compared to] {b}\ncompare {n} [in|of|] {a} and {b}\n{n} in {a} against {b}", **words), query
    group = m.pick(groups)
    query.select, query.group = [at(group), *parts], [at(group)]
    return m.say("""
        {n} [by|per] {g} {a} [vs|versus|vs.|compared to] {b}
        compare {n} by {g} [for|in|between] {a} and {b}
        {n} in {a} and {b} [by|per|for each] {g}
        {a} vs {b} {n} by {g}
        """, g=m.noun(group), **words), query
