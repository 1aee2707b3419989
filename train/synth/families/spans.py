"""Time between two dates: durations, ages, what came too late, two events of one year."""

from families import Pair, family
from filters import joined, some
from maker import Maker, Skip
from periods import days_of, years_of
from query import at


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
        noun = m.say("""
                [days|number of days|time in days|time] between {a} and {b}
                [days|time] from {a} to {b}
                """, a=m.noun(first), b=m.noun(later))
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
        kind, word = m.pick([
            ("AVG", "[average|avg|mean]"), ("AVG", "[average|avg|mean]"), ("MAX", "[longest|maximum|max]"),
            ("MIN", "[shortest|minimum|min]"),
        ])
        query.select = [f"{kind}({sql})"]
        return m.say("""
                {w} {n} of {t}
                <what> the {w} {n} [of|for] {t}
                {w} {n}
                {w} {n} [for|across] all {t}
                what is the {w} {n} of {t}
                {t}: {w} {n}
                """ if not filters else
                     """
                             {w} {n} of {t}
                             <what> the {w} {n} [of|for] {t}
                             {w} {n} for {t}
                             """, w=m.say(word), n=noun, t=things), query
    if dice < 0.75 and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        query.select, query.group = [at(group), f"AVG({sql})"], [at(group)]
        return m.say("""
                [average|avg|mean] {n} [per|by|for each] {g}
                <what> the average {n} of {t} [per|by|for each] {g}
                how long is the {n} by {g} on average
                avg {n} of {t} by {g}
                {n} by {g} on average
                for each {g}, the average {n} of {t}
                """, n=noun, g=m.noun(group), t=things), query
    if not m.names(table):
        raise Skip
    if m.chance(0.5):
        query.select = m.shown(table).sql + [sql]
        return m.say("""
                {n} of [each|every] {o}
                how long [did|does] each {o} take
                <lead> {t} with [their|the] {n}
                {t} and their {n}
                <lead> the {n} of all {t}
                """ if not filters else """
                {n} of {t}
                <lead> {t} with their {n}
                {t} and their {n}
                """, n=noun, o=m.one(table), t=things), query
    up = m.chance(0.7)
    query.select, query.order, query.limit = m.shown(table).sql, [sql + (" DESC" if up else "")], m.pick([1, 1, 3, 5, 10])
    query.where.append(f"{at(later)} IS NOT NULL") if later.nullable else None
    return m.say("""
            [which|what] {k} {t} [took|lasted] [the|] {e}
            {k} {t} with the {e} {n}
            <lead> the {k} {t} with the {e} {n}
            {t} with {e} {n} {k}
            """,
            e="longest" if up else "shortest", t=things, n=noun,
            k="" if query.limit == 1 else m.number_word(query.limit)), query


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
            return m.say("""
                    age of [each|every] {t} at {e}
                    how old was [each|every] {t} at {e}
                    {ts} and their age at {e}
                    <lead> {ts} with [their|] age at {e}
                    how old were {ts} at {e}
                    age at {e} of all {ts}
                    """, **words), query
        kind, word = m.pick([
            ("AVG", "[average|avg|mean]"), ("AVG", "average"), ("MAX", "[highest|maximum]"),
            ("MIN", "[lowest|minimum]"),
        ])
        query.select = [f"{kind}({then})"]
        return m.say("""
                {w} age of {ts} at {e}
                {w} age at {e}
                <what> the {w} age of {ts} at {e}
                {w} {t} age at [their|] {e}
                {ts}: {w} age at {e}
                {w} age at {e} of {ts}
                """, w=m.say(word), **words), query
    if dice < 0.4:
        query.select = [f"AVG({years})"]
        return m.say("""
                average age of [our|the|all|] {ts}
                avg {t} age
                <what> the average age of [all|the|] {ts}
                how old are [our|the] {ts} on average
                mean age of {ts}
                {ts} average age
                """, **words), query
    if dice < 0.65:
        number, more = m.rng.choice([18, 21, 25, 30, 35, 40, 45, 50, 55, 60, 65]), m.chance(0.6)
        query.where = [f"{years} {'>' if more else '<'} {number}"]
        query.select = ["COUNT(*)"] if m.chance(0.45) else m.shown_or_all(table)
        lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which|]"
        return m.say(f"""
                {lead} {{ts}} {{x}} {{k}}
                {lead} {{ts}} {{x}} {{k}} [years old|years|]
                {lead} {{ts}} [that are|who are] {{x}} {{k}}
                {lead} {{ts}} aged {{y}} {{k}}
                """,
                x=m.say("[older than|over|above]" if more else "[younger than|under|below]"),
                y="over" if more else "under", k=number, **words), query
    if dice < 0.85 and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        query.select, query.group = [at(group), f"AVG({years})"], [at(group)]
        return m.say("""
                average age [per|by|for each] {g}
                avg age of {ts} by {g}
                <what> the average {t} age per {g}
                mean age by {g}
                how old are {ts} on average by {g}
                average age of {ts} for each {g}
                """, g=m.noun(group), **words), query
    query.select = m.shown(table).sql + [years]
    return m.say("""
            how old is [each|every] {t}
            {ts} [with|and] [their|the] age
            <lead> {ts} with [their|] age
            age of [each|every] {t}
            <lead> the age of [all|] {ts}
            how old are [our|the|] {ts}
            """, **words), query


@family(1.5)
def late(m: Maker) -> Pair:
    """One date against another of the same row."""
    table = m.table(lambda t: len([c for c in t.of_kind("date") if "birth" not in c.phrase]) > 1)
    first, second = m.rng.sample([c for c in table.of_kind("date") if "birth" not in c.phrase], 2)
    after = m.chance(0.6)
    query = m.query(table)
    test = f"{at(first)} {'>' if after else '<'} {at(second)}"
    query.where = [test]
    between = {
        "t": m.many(table), "a": m.noun(first), "b": m.noun(second), "x": "after" if after else "before",
    }
    dice = m.rng.random()
    if dice < 0.2:
        query.where, query.select = [], [f"100.0 * COUNT(CASE WHEN {test} THEN 1 END) / COUNT(*)"]
        return m.say("""
                [share|percentage|percent|%] of {t} with {a} {x} {b}
                what [percentage|share] of {t} have [a|the] {a} {x} [the|] {b}
                how many percent of {t} have {a} {x} {b}
                {t} with {a} {x} {b} in percent
                <what> the share of {t} whose {a} is {x} the {b}
                in what percentage of {t} is the {a} {x} the {b}
                """, **between), query
    if dice < 0.4:
        late, early = (first, second) if after else (second, first)
        query.select = [f"AVG(julianday({at(late)}) - julianday({at(early)}))"]
        return m.say("""
                average days between {a} and {b} of {t} with {a} {x} {b}
                avg number of days from {a} to {b} for {t} whose {a} is {x} the {b}
                average [gap|delay] in days of {t} with {a} {x} {b}
                by how many days on average is the {a} {x} the {b} for {t} where it is {x}
                """, **between), query
    query.select = ["COUNT(*)"] if m.chance(0.4) else m.shown_or_all(table)
    lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which|]"
    return m.say(f"""
            {lead} {{t}} [with|where|whose] {{a}} {{x}} {{b}}
            {lead} {{t}} where [the|] {{a}} is {{x}} [the|] {{b}}
            {lead} {{t}} whose {{a}} [is|comes|lies] {{x}} [the|their] {{b}}
            {lead} {{t}} with {{a}} {{x}} {{b}}
            """,
            t=m.many(table), a=m.noun(first), b=m.noun(second),
            x=m.pick(["after", "later than"] if after else ["before", "earlier than"])), query


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
