"""The short things people type into a box: no verb, no column, the rest understood."""

from families import Pair, family
from families.basic import AGGREGATES
from filters import condition, fact, flag, joined, missing, text_equal
from maker import Maker, Skip
from periods import day_text, days_of, period
from query import at
from schema import literal
from words import plural_phrase


def adjective_filter(m: Maker, table):
    """A condition said in one or two words before the noun: `unpaid`, `electric`, `won`."""
    columns = [c for c in table.columns if c.kind == "flag" or c.kind == "category" and c.values
               or c.nullable and (c.hints.no or c.hints.yes)]
    if table.facts and m.chance(0.4):
        return fact(m, table)
    column = m.pick(columns)
    make = flag if column.kind == "flag" else text_equal if column.kind == "category" else missing
    found = make(m, column)
    if not found.before and not found.after:
        raise Skip
    return found


@family(6)
def adjective_things(m: Maker) -> Pair:
    """`unpaid invoices`, `electric trucks in Paris`, `how many open deals`."""
    table = m.table()
    filters = [adjective_filter(m, table)]
    if m.chance(0.3):
        filters.append(condition(m, table))
        if filters[0].column is filters[1].column:
            raise Skip
    query = m.query(table)
    query.where = [f.sql for f in filters]
    things = joined(m, filters, m.many(table))
    if m.chance(0.4):
        query.select = ["COUNT(*)"]
        return m.say("""
                how many {t}
                {t} count
                number of {t}
                how many {t} [do we have|are there|have we got]
                [count|total] {t}
                # of {t}
                """, t=things), query
    query.select = m.shown_or_all(table)
    return m.say("{t}\n{t}\nall {t}\nlist {t}\n[show|give] me {t}\n[any|which] {t}", t=things), query


@family(5)
def adjective_per(m: Maker) -> Pair:
    """`unpaid bills per payer`, `won deals by rep`, `revenue of cancelled bookings by channel`."""
    table = m.table()
    found = adjective_filter(m, table)
    total, noun = "COUNT(*)", joined(m, [found], m.many(table))
    if (m.measures(table) or table.formulas) and m.chance(0.35):
        measure = m.measure(table)
        kind, word = m.pick(AGGREGATES[:3])
        total, noun = f"{kind}({measure.sql})", f"{m.say(word)} {measure.noun} of {noun}"
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k)) and m.parent(k).primary]
    groups = [c for c in table.of_kind("category") if c is not found.column]
    if parents and (not groups or m.chance(0.5)):
        key = m.pick(parents)
        parent = m.parent(key)
        query = m.query(parent).join(key)
        query.select, query.group, by = m.shown(parent).sql + [total], [at(parent.primary)], m.one(parent)
    else:
        group = m.pick(groups)
        query = m.query(table)
        query.select, query.group, by = [at(group), total], [at(group)], m.noun(group)
    query.where = [found.sql]
    tail = ""
    dates = [c for c in table.of_kind("date") if days_of(c) and c is not found.column]
    if dates and m.chance(0.3):
        sql, tail = period(m, dates[0])
        query.where.append(sql)
    return m.say("""
            {n} [per|by|by|for each] {g} {p}
            [number of|count of|] {n} [per|by] {g} {p}
            {p} {n} by {g}
            how many {n} [per|by] {g} {p}
            {n} {p} by {g}
            <lead> {n} by {g} {p}
            """ if total == "COUNT(*)" else
                 """
                         {n} [per|by|for each] {g} {p}
                         <lead> {n} by {g} {p}
                         {p} {n} per {g}
                         {n} {p} by {g}
                         what is the {n} by {g} {p}
                         {n} for every {g} {p}
                         """, n=noun, g=by, p=tail), query


@family(4)
def who_most(m: Maker) -> Pair:
    """`who earns the most`, `which book costs the most`, `best paid analyst`."""
    table = m.table(lambda t: m.names(t) and m.measures(t))
    column = m.pick(m.measures(table))
    verbs = {"salary": "earns", "wage": "earns", "price": "costs", "cost": "costs", "weight": "weighs", "age": "is", "score": "scores",
             "fee": "charges", "rent": "costs", "income": "earns", "revenue": "earns", "distance": "covers", "points": "has"}
    verb = next((verbs[w] for w in column.words if w in verbs), None)
    up = m.chance(0.75)
    query = m.query(table)
    query.select, query.order, query.limit = m.shown(table).sql, [at(column) + (" DESC" if up else "")], 1
    who = "who" if m.people(table) else f"which {m.one(table)}"
    most = m.pick(["the most", "most"] if up else ["the least", "least"])
    if verb and verb not in ("is", "has") and m.chance(0.7):
        return m.say("""
                {w} {v} {e}
                {w} {v} the {h}
                which {t} {v} {e}
                {t} that {v} {e}
                find the {t} that {v} {e}
                {w} {v} {e} [money|of all|overall|]
                """, w=who, v=verb, e=most, h="most" if up else "least", t=m.one(table)), query
    return m.say("""
            {w} has {e} {n}
            {w} has the {h} {n}
            {t} with {e} {n}
            which {t} has [the|] {h} {n}
            {w} [got|gets] the {h} {n}
            whose {n} is [the|] {h}
            """ if m.people(table) else
                 """
                         which {t} has {e} {n}
                         {t} with [the|] {h} {n}
                         what {t} has the {h} {n}
                         {h} {n} of all {ts} - which {t}
                         which {t} has the {h} {n}
                         name the {t} with {e} {n}
                         """,
                         w=who, t=m.one(table), ts=m.many(table), n=m.noun(column), e=most,
                         h=m.say("<highest>" if up else "<lowest>")), query


@family(3)
def best_value(m: Maker) -> Pair:
    """`highest salary`, `most expensive repair`, `biggest raise ever`: the number itself."""
    table = m.table(lambda t: m.measures(t) or t.formulas)
    measure, up = m.measure(table), m.chance(0.7)
    query = m.query(table)
    query.select = [f"{'MAX' if up else 'MIN'}({measure.sql})"]
    return m.say("""
            {e} {n} [ever|of all|overall|]
            what [is|was] the {e} {n} [ever|of all {ts}|of any {t}|]
            {e} {t} {n}
            {e} {n} of [a|any] {t}
            how [much|high] is the {e} {n}
            <what> the {e} {n} [of all time|]
            """,
            e=m.say("<highest>" if up else "<lowest>"), n=measure.noun, t=m.one(table), ts=m.many(table)), query


@family(5)
def measure_per(m: Maker) -> Pair:
    """`revenue by branch`, `fuel cost per truck 2024`, `avg rating per hotel`, over one or two keys."""
    tables = [t for t in m.schema.tables if t.formulas or m.measures(t)]
    table = m.pick(tables)
    measure = m.measure(table)
    kind, word = m.pick([AGGREGATES[2]] * 3 + [AGGREGATES[0]])
    total = f"{kind}({measure.sql})"
    noun = measure.noun if kind == "SUM" and m.chance(0.65) else f"{m.say(word)} {measure.noun}"
    query = m.query(table)
    here, steps = table, m.pick([1, 1, 2, 2, 3])
    for _ in range(steps):
        ups = [k for k in m.schema.main_keys if m.child(k) is here and not query.has(m.parent(k))]
        if not ups:
            break
        key = m.pick(ups)
        query.join(key)
        here = m.parent(key)
    if here is table:
        raise Skip
    if m.names(here) and here.primary and m.chance(0.6):
        query.select, query.group, by = m.shown(here).sql, [at(here.primary)], m.one(here)
    else:
        column = m.pick(here.of_kind("category"))
        query.select, query.group = [at(column)], [at(column)]
        by = m.pick(["", m.one(here) + " "]) + m.noun(column)
    tail, dates = "", [c for t in [s.table for s in query.sources] for c in t.of_kind("date") if days_of(c) and "birth" not in c.phrase]
    if dates and m.chance(0.35):
        sql, tail = period(m, m.pick(dates))
        query.where.append(sql)
    dice = m.rng.random()
    if dice < 0.55:
        query.select.append(total)
        return m.say("""
                {n} [by|per|by|for each] {g} {p}
                {n} [by|per] {g} {p}
                {p} {n} by {g}
                <what> [the|our|] {n} by {g} {p}
                {n} {p} per {g}
                <lead> {n} for each {g} {p}
                """, n=noun, g=by, p=tail), query
    up = m.chance(0.85)
    query.order = [total + (" DESC" if up else "")]
    if dice < 0.8:
        query.limit = m.limit()
        query.select.append(total)
        return m.say(f"""
                {'top' if up else 'bottom'} {{k}} {{gs}} by {{n}} {{p}}
                <lead> the {'top' if up else 'bottom'} {{k}} {{gs}} by {{n}} {{p}}
                {{p}} {'top' if up else 'bottom'} {{k}} {{gs}} by {{n}}
                {{k}} {'best' if up else 'worst'} {{gs}} by {{n}} {{p}}
                """, k=m.number_word(query.limit), gs=plural_phrase(by), n=noun, p=tail), query
    query.limit = 1
    return m.say("""
            which {g} [has|had|makes|brings] the {e} {n} {p}
            {g} with [the|] {e} {n} {p}
            {p} which {g} had the {e} {n}
            {b} {g} by {n} {p}
            what {g} has the {e} {n} {p}
            <lead> the {g} with the {e} {n} {p}
            """,
            g=by, n=noun, p=tail, e=m.say("<highest>" if up else "<lowest>"), b="best" if up else "worst"), query


@family(4)
def person_or_thing_by_name(m: Maker) -> Pair:
    """`email of Anna Schmidt`, `price of Red Harbor`, `bookings of Omar Haddad`."""
    table = m.table(lambda t: m.names(t) and len(m.plain(t)) > 2)
    names = m.names(table)
    if len(names) == 2:
        first, last = m.cell(names[0]), m.cell(names[1])
        tests, said = [f"{at(names[0])} = '{first}'", f"{at(names[1])} = '{last}'"], f"{first} {last}"
        if "'" in said:
            raise Skip
    else:
        value = m.cell(names[0])
        if not isinstance(value, str):
            raise Skip
        tests, said = [f"{at(names[0])} = {literal(value)}"], value
    said = said if m.chance(0.6) else said.lower()
    children = [k for k in m.schema.main_keys if m.parent(k) is table]
    if children and m.chance(0.35):
        key = m.pick(children)
        child = m.child(key)
        query = m.query(child).join(key)
        query.where = tests
        dice = m.rng.random()
        words = {"cs": m.many(child), "x": said, "t": m.one(table)}
        if dice < 0.4:
            query.select = ["COUNT(*)"]
            return m.say("""
                    how many {cs} [does|did] {x} have
                    number of {cs} [of|for|by] {x}
                    {x} {cs} count
                    how many {cs} for {x}
                    count {cs} of {t} {x}
                    {cs} of {x} - how many
                    """, **words), query
        if dice < 0.7 and (m.measures(child) or child.formulas):
            measure = m.measure(child)
            kind, word = m.pick(AGGREGATES[:3])
            query.select = [f"{kind}({measure.sql})"]
            return m.say("""
                    {w} {n} [of|for] {x}
                    {x} {w} {n}
                    what is the {w} {n} [of|for] {x}
                    {w} {n} of {cs} of {x}
                    {x}'s {w} {n}
                    {w} {n} for {t} {x}
                    """, w=m.say(word), n=measure.noun, **words), query
        query.select = m.rows(child, "T1.*")
        return m.say("""
                {cs} [of|for|by|from] {x}
                {x}'s {cs}
                <lead> [the|all|] {cs} [of|for|by] {x}
                which {cs} does {x} have
                {x} {cs}
                all {cs} of {t} {x}
                """, **words), query
    column = m.pick([c for c in m.plain(table) if c not in names])
    query = m.query(table)
    query.select, query.where = [at(column)], tests
    return m.say("""
            {n} of {x}
            {x} {n}
            what is {x}'s {n}
            what is the {n} of {x}
            {x}'s {n}
            <lead> the {n} of {t} {x}
            {n} for {x}
            """, n=m.noun(column), x=said, t=m.one(table)), query


@family(2.5)
def one_or_none(m: Maker) -> Pair:
    """`trucks never repaired`, `books nobody reviewed`: passives of the key."""
    keys = [k for k in m.schema.main_keys if k.hints.no]
    key = m.pick(keys)
    child, parent = m.child(key), m.parent(key)
    inner = m.query(child)
    inner.select = [at(key.child)]
    tail = ""
    dates = [c for c in child.of_kind("date") if days_of(c)]
    if dates and m.chance(0.3):
        sql, tail = period(m, dates[0])
        if tail.split(" ")[0] in ("with", "by") or any(tail.startswith(v) for v in dates[0].hints.yes):
            raise Skip
        inner.where = [sql]
    positive = m.chance(0.25)
    query = m.query(parent)
    query.select = ["COUNT(*)"] if m.chance(0.3) else m.shown_or_all(parent)
    query.where = [f"{at(key.parent)} {'IN' if positive else 'NOT IN'} ({inner.sql()})"]
    lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which|||]"
    words = {"ps": m.many(parent), "v": m.pick(key.hints.no), "t": tail}
    if positive:
        return m.say(f"""
                {lead} {{ps}} that [were|have been] {{v}} [at least once|] {{t}}
                {lead} {{ps}} {{v}} at least once {{t}}
                {lead} {{ps}} [somebody|someone] [has|] {{v}} {{t}}
                {lead} {{ps}} ever {{v}} {{t}}
                """, **words), query
    return m.say(f"""
            {lead} {{ps}} never {{v}} {{t}}
            {lead} {{ps}} [nobody|no one] [has|] [ever|] {{v}} {{t}}
            {lead} {{ps}} that were never {{v}} {{t}}
            {lead} {{ps}} not {{v}} [yet|] {{t}}
            {lead} {{ps}} [that haven't been|that were not|which weren't] {{v}} {{t}}
            {lead} un{{v}} {{ps}} {{t}}
            """, **words), query


@family(2.5)
def all_of_them(m: Maker) -> Pair:
    """Several conditions heaped up: `won deals over 5000 in 2024 north`."""
    table = m.table(lambda t: len(m.plain(t)) > 3)
    filters = []
    for _ in range(m.pick([2, 2, 3])):
        found = condition(m, table)
        if any(found.column is f.column for f in filters):
            raise Skip
        filters.append(found)
    query = m.query(table)
    query.where = [f.sql for f in filters]
    things = joined(m, filters, m.many(table))
    dice = m.rng.random()
    if dice < 0.35:
        query.select = ["COUNT(*)"]
        return m.say("""
                how many {t}
                number of {t}
                {t} count
                how many {t} are there
                count {t}
                how many {t} do we have
                """, t=things), query
    if dice < 0.55 and (m.measures(table) or table.formulas):
        measure = m.measure(table)
        kind, word = m.pick(AGGREGATES)
        query.select = [f"{kind}({measure.sql})"]
        return m.say("""
                {w} {n} of {t}
                what is the {w} {n} of {t}
                {w} {n} for {t}
                {w} {n} of all {t}
                show the {w} {n} of {t}
                {t}: {w} {n}
                """, w=m.say(word), n=measure.noun, t=things), query
    query.select = m.shown_or_all(table)
    return m.say("{t}\n<lead> {t}\nwhich {t}\nall {t}\n{t} please\n<lead> all {t}", t=things), query


@family(3)
def things_of_category_via(m: Maker) -> Pair:
    """A condition two or three keys away: readers who bought Crime; visits in the Heart Center."""
    start = m.table()
    query = m.query(start)
    here = start
    for _ in range(m.pick([1, 2, 2, 3])):
        steps = [k for k in m.schema.main_keys if here in (m.child(k), m.parent(k))
                 and not query.has(m.parent(k) if m.child(k) is here else m.child(k))]
        if not steps:
            raise Skip
        key = m.pick(steps)
        here = m.parent(key) if m.child(key) is here else m.child(key)
        query.join(key)
    if not m.names(start) and m.chance(0.6):
        raise Skip
    found = condition(m, here, simple=True)
    query.where = [found.sql]
    own = [condition(m, start, simple=True)] if m.chance(0.3) else []
    query.where += [f.sql for f in own]
    words = {
        "s": joined(m, own, m.many(start)), "x": joined(m, [found], m.many(here)),
        "o": joined(m, [found], m.one(here)),
    }
    if m.chance(0.35) and start.primary:
        query.select = [f"COUNT(DISTINCT {at(start.primary)})"]
        return m.say("""
                how many [different|distinct|] {s} [have|with|had] {x}
                <count> [different|] {s} with {x}
                how many {s} [are there|] for {x}
                count [distinct|] {s} with {x}
                how many {s} are linked to [a|] {o}
                {s} with {x} count
                """, **words), query
    query.select = m.rows(start, "T1.*")
    query.distinct = True
    return m.say("""
            {s} [with|of|for|in] {x}
            which {s} [have|had] {x}
            <lead> <the> {s} [with|of|for] {x}
            {s} that have {x}
            {s} [linked to|connected to|related to] [a|the|] {o}
            <lead> {s} for {x}
            """, **words), query


@family(1.5)
def nothing_but_noun(m: Maker) -> Pair:
    """`customers`, `all orders`, `list of drivers`."""
    table = m.table()
    query = m.query(table)
    query.select = m.shown_or_all(table)
    return m.say("""
            {t}
            all {t}
            [our|list of|list all|the] {t}
            show {t}
            [which|what] {t} do we have
            what {t} are there
            """, t=m.many(table)), query


@family(1)
def first_rows(m: Maker) -> Pair:
    """`latest 10 orders`, `last 5 bookings`: the newest by date."""
    table = m.table(lambda t: any(days_of(c) for c in t.of_kind("date")))
    column = [c for c in table.of_kind("date") if days_of(c)][0]
    last = m.chance(0.75)
    query = m.query(table)
    filters = [condition(m, table, simple=True)] if m.chance(0.25) else []
    query.where = [f.sql for f in filters]
    query.select, query.order, query.limit = m.shown_or_all(table), [at(column) + (" DESC" if last else "")], m.limit()
    return m.say("""
            {e} {k} {t}
            {k} {e} {t}
            the {e} {k} {t}
            show [me|] the {e} {k} {t}
            <lead> the {k} {e} {t}
            {e} {k} {t} please
            """,
            e=m.pick(["last", "latest", "most recent", "newest"] if last else ["first", "earliest", "oldest"]),
            k=m.number_word(query.limit), t=joined(m, filters, m.many(table))), query


@family(1.5)
def running_on(m: Maker) -> Pair:
    """What was going on at a day: between a start and an end."""
    table = m.table(lambda t: len(t.of_kind("date")) > 1)
    starts = [c for c in table.of_kind("date") if {
        "start", "started", "begin", "begins", "signed", "opened", "began", "valid", "check",
    } & set(c.words) and "out" not in c.words]
    ends = [c for c in table.of_kind("date") if {
        "end", "ended", "ends", "closed", "finished", "left", "deadline", "quit",
    } & set(c.words) or c.words == ["check", "out"]]
    start, end = m.pick(starts), m.pick(ends)
    day = m.pick(days_of(start))
    query = m.query(table)
    query.where = [f"'{day}' BETWEEN {at(start)} AND {at(end)}"]
    query.select = ["COUNT(*)"] if m.chance(0.4) else m.shown_or_all(table)
    lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which||]"
    return m.say(f"""
            {lead} {{t}} [running|active|going on|open] on {{d}}
            {lead} {{t}} that were [active|running|open] on {{d}}
            {lead} {{t}} in progress on {{d}}
            {lead} {{t}} ongoing on {{d}}
            """, t=m.many(table), d=day_text(m, day)), query
