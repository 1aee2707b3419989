"""Things that another table names: drivers are employees, and employees have the names."""

from families import Pair, family
from filters import condition, joined
from maker import Maker, Skip
from query import Query, at
from schema import literal
from words import listing, singular


def subtype(m: Maker):
    """A table of special things, the key to the one that names them, and that table."""
    table = m.table(lambda t: m.above(t) is not None)
    key = m.above(table)
    return table, key, m.parent(key)


def asked(m: Maker, table, parent) -> tuple[list[str], str]:
    """Columns asked for: names, one of them, or names with more of either table."""
    names = m.names(parent)
    dice = m.rng.random()
    if dice < 0.3 and len(names) == 2:
        chosen, words = [names[0]], [m.pick(["first names", "first name", "first names"])]
    elif dice < 0.4 and len(names) == 2:
        chosen, words = [names[1]], [m.pick(["last names", "last name", "surnames"])]
    elif len(names) == 2:
        chosen, words = list(names), [m.pick(["names", "first and last names", "first and last name", "full names", "names"])]
    else:
        chosen, words = list(names), [m.pick(["names", "names", m.nouns(names[0])])]
    if m.chance(0.4):
        others = [c for c in m.plain(table) + m.plain(parent) if c not in names]
        for column in m.rng.sample(others, min(len(others), m.pick([1, 1, 2]))):
            chosen.append(column)
            words.append(m.nouns(column))
    return [at(c) for c in chosen], listing(words)


def place(m: Maker, table, parent, query: Query) -> tuple[str, str]:
    """Where such a thing belongs, by name: words before and behind the noun; joins and condition put in."""
    ways = [k for k in m.schema.main_keys if m.child(k) in (table, parent) and m.parent(k) not in (table, parent)]
    key = m.pick(ways)
    home = m.parent(key)
    names = m.names(home)
    if len(names) != 1:
        raise Skip
    value = m.cell(names[0])
    if not isinstance(value, str):
        raise Skip
    query.join(key)
    query.where.append(f"{at(names[0])} = {literal(value)}")
    word = value if m.chance(0.7) else value.lower()
    if m.chance(0.25):
        return word, ""
    if singular(home.words[-1]) in value.lower():  # no `north branch branch`
        return "", m.pick(["in ", "of ", "at ", "from "]) + m.pick(["the ", ""]) + word
    return "", m.say("""
        [in|of|from|at] the {v} {p}
        [in|of|from|at] the {v} {p}
        [in|of|at] [the|] {v}
        [in|of|from] the {p} [of|named|called] {v}
        who [work in|are in|belong to] the {v} {p}
        """ if m.people(table) else """
        [in|of|from|at] the {v} {p}
        [in|of|at] [the|] {v}
        that belong to the {v} {p}
        [of|from] the {p} [named|called|] {v}
        """, v=word, p=m.one(home))


def told_apart(m: Maker, table, parent, query: Query) -> str:
    """The noun with conditions on either table and where the thing belongs."""
    filters, before, after = [], "", ""
    if m.chance(0.5):
        filters.append(condition(m, table if m.chance(0.6) else parent, simple=True))
    query.where += [f.sql for f in filters]
    if m.chance(0.5):
        before, after = place(m, table, parent, query)
    return f"{before} {joined(m, filters, m.many(table))} {after}"


@family(9)
def special_names(m: Maker) -> Pair:
    """`first names of drivers in the north depot`, `who are the coaches`."""
    table, key, parent = subtype(m)
    query = m.query(table).join(key)
    query.select, nouns = asked(m, table, parent)
    words = {"n": nouns, "ts": told_apart(m, table, parent, query)}
    full = [at(c) for c in m.names(parent)]
    if query.select == full and m.chance(0.4):
        return m.say("""
            {ts}
            <lead> <the> {ts}
            [who|which] are the {ts}
            all {ts}
            names of [all|the|] {ts}
            list [all|the|] {ts} by name
            """ if m.people(table) else """
            {ts}
            <lead> <the> {ts}
            all {ts}
            names of [all|the|] {ts}
            """, **words), query
    return m.say("""
        {n} of [all|the|] {ts}
        <lead> the {n} of [all|the|every|] {ts}
        what are the {n} of [all|the|] {ts}
        what is the {n} of the {ts}
        [find|show|list] {n} of {ts}
        {n} for [all|the|] {ts}
        """, **words), query


@family(4)
def special_numbers(m: Maker) -> Pair:
    """`how many drivers were born before 1980`, `average wage of mechanics`, `drivers per depot`."""
    table, key, parent = subtype(m)
    query = m.query(table).join(key)
    dice = m.rng.random()
    if dice < 0.35:
        one = condition(m, parent, simple=True)
        query.where, query.select = [one.sql], ["COUNT(*)"]
        return m.say("""
            how many {ts} [are there|]
            number of {ts}
            count [the|] {ts}
            <many> {ts}
            what is the number of {ts}
            {ts} count
            """, ts=joined(m, [one], m.many(table))), query
    if dice < 0.6:
        column = m.pick(m.measures(parent))
        kind, word = m.pick([("AVG", "[average|avg|mean]"), ("SUM", "[total|overall]"), ("MAX", "<highest>"), ("MIN", "<lowest>")])
        query.select = [f"{kind}({at(column)})"]
        return m.say("""
            {w} {n} of [all|the|] {ts}
            <what> the {w} {n} of [our|the|] {ts}
            {w} {t} {n}
            what [is|was] the {w} {n} [of|for|among] {ts}
            {w} {n} among {ts}
            """, w=m.say(word), n=m.noun(column), ts=told_apart(m, table, parent, query), t=m.one(table)), query
    columns = [c for c in table.of_kind("measure", "date", "year") + parent.of_kind("measure", "date", "year") if any(m.degrees(c)[:2])]
    column = m.pick(columns)
    high, low, _, _ = m.degrees(column)
    up = bool(high) and (m.chance(0.6) or not low)
    query.select, query.order, query.limit = [at(c) for c in m.names(parent)], [at(column) + (" DESC" if up else "")], 1
    noun = m.one(table)
    if m.chance(0.3):
        before, after = place(m, table, parent, query)
        noun = f"{before} {noun} {after}"
    return m.say("""
        who is the {e} {t}
        {e} {t}
        <what> the name of the {e} {t}
        what is the first and last name of the {e} {t}
        which {t} is the {e}
        <lead> the {e} {t}
        """ if m.people(table) and len(m.names(parent)) == 2 else """
        {e} {t}
        <what> the name of the {e} {t}
        which is the {e} {t}
        <lead> the {e} {t}
        """, e=m.pick(high if up else low), t=noun), query


@family(5)
def special_deeds(m: Maker) -> Pair:
    """`drivers who never drove line 5`, `number of duties per driver`, `who heads the optics lab`."""
    table, key, parent = subtype(m)
    keys = [k for k in m.schema.children(table.id) if m.child(k) is not parent]
    deed = m.pick(keys)
    child = m.child(deed)
    column = m.schema.columns[deed.child]
    names = [at(c) for c in m.names(parent)]
    words = {"ts": m.many(table), "t": m.one(table), "cs": m.many(child), "c": m.one(child),
             "v": m.pick(deed.hints.yes) if deed.hints.yes else "have"}
    rivals = [k for k in keys if m.child(k) is child]
    if m.names(child) and len(m.names(child)) == 1 and deed.hints.nouns:
        query = m.query(child).join(deed).join(key)
        value = m.cell(m.names(child)[0])
        query.select, query.where = names, [f"{at(m.names(child)[0])} = {literal(value)}"]
        words |= {"r": m.pick(deed.hints.nouns), "x": value}
        if m.chance(0.4):
            query.where, query.select = [], [at(m.names(child)[0])] + names
            return m.say("""
                {cs} and [their|the name of their|the] {r}
                <lead> [all|the|] {cs} with [their|the name of the] {r}
                name of the {r} of [each|every] {c}
                who is the {r} of [each|every] {c}
                {cs} with their {r}
                each {c} and its {r}
                """, **words), query
        return m.say("""
            who is [the|] {r} of [the {c}|] {x}
            {r} of [the {c}|] {x}
            <what> the name of the {r} of [the|] {x}
            who {v}s the {x} {c}
            what is the name of the {r} of the {x} {c}
            {x} {r}
            """ if words["v"] in ("lead", "head") else """
            who is [the|] {r} of [the {c}|] {x}
            {r} of [the {c}|] {x}
            <what> the name of the {r} of {x}
            <lead> the {r} of [the {c}|] {x}
            """, **words), query
    if len(rivals) > 1 and not deed.hints.yes:
        raise Skip
    dice = m.rng.random()
    if dice < 0.3:
        inner = m.query(child)
        inner.select = [at(column)]
        query = m.query(table).join(key)
        query.select, query.where = names, [f"{at(deed.parent)} NOT IN ({inner.sql()})"]
        return m.say("""
            {ts} without [any|] {cs}
            {ts} [who|that] [never|have never] {v} [a|any] {c}
            which {ts} [have no|don't have any|dont have] {cs}
            names of [all|the|] {ts} <without> {cs}
            {ts} with no {cs}
            <lead> the names of {ts} who do not have any {cs}
            """, **words), query
    query = m.query(child).join(deed).join(key)
    if dice < 0.65:
        ways = [k for k in m.schema.main_keys if m.child(k) is child and m.parent(k) not in (table, parent)]
        if ways and m.chance(0.7):
            way = m.pick(ways)
            other = m.parent(way)
            query.join(way)
            one = condition(m, other, simple=True)
            thing = m.say("{cs} [of|on|for|with|in] {f}\n{cs} [of|on|for] [a|the|] {f}", cs=words["cs"], f=joined(m, [one], m.one(other)))
        else:
            one = condition(m, child, simple=True)
            thing = joined(m, [one], words["cs"])
        query.select, nouns = asked(m, table, parent)
        query.where, query.distinct = [one.sql], True
        return m.say("""
            {n} of [all|the|] {ts} [who|that] {v} {x}
            <lead> the {n} of {ts} with {x}
            what are the [different|distinct|] {n} of [all|the|] {ts} [who|that] [{v}|have] {x}
            {n} of {ts} with {x}
            [find|list|show] the [different|] {n} of {ts} with {x}
            """, n=nouns, x=thing, **words), query
    query.group = [at(deed.parent)]
    query.select = names
    if m.chance(0.5):
        query.select = names + ["COUNT(*)"]
        return m.say("""
            number of {cs} [per|for each|by] {t}
            how many {cs} does [each|every] {t} have
            {cs} per {t}
            <lead> the names of {ts} and their number of {cs}
            for [each|every] {t}, the name and [the|] number of {cs}
            """, **words), query
    query.order, query.limit = ["COUNT(*) DESC"], 1
    return m.say("""
        [which|what] {t} has the most {cs}
        {t} with [the|] most {cs}
        <lead> the {t} with the most {cs}
        name of the {t} with the [highest|largest] number of {cs}
        which {t} [had|has] the most {cs}
        """, **words), query
