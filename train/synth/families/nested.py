"""Forms that public questions like: ids of groups, distinct keys, both of two, the extreme among few."""

from families import Pair, family
from families.basic import AGGREGATES, some_columns
from families.joins import bridge_of, identity, parent_of
from filters import condition, joined, some
from maker import Maker, Skip
from query import at
from words import listing, plural_phrase


@family(4)
def distinct_keys(m: Maker) -> Pair:
    """How many different customers placed orders: counted in the child alone."""
    key, child, parent = m.key()
    filters = some(m, child, 0.1, simple=True) if m.chance(0.4) else []
    query = m.query(child)
    query.where = [f.sql for f in filters]
    query.select = [f"COUNT(DISTINCT {at(key.child)})"]
    verb = m.pick(key.hints.yes) if key.hints.yes and m.chance(0.6) else m.pick(["have", "are in", "appear in", "had"])
    return m.say("""
        how many [different|distinct|unique] {ps} {v} {cs}
        <count> [different|distinct|unique] {ps} [in|of|with|among] {cs}
        how many [different|distinct|unique] {ps} [are there|] [in|among|with] [the|] {cs}
        count [the|] [different|distinct|unique] {ps} [of|in|with] {cs}
        [distinct|unique] {ps} count for {cs}
        how many [different|distinct] {ps} are mentioned in [the|] {cs}
        """, ps=m.many(parent), cs=joined(m, filters, m.many(child)), v=verb), query


@family(4)
def key_groups(m: Maker) -> Pair:
    """Ids of those with at least two; counts per id, from the child alone."""
    key, child, parent = m.key()
    column = m.schema.columns[key.child]
    noun = m.pick([f"{m.one(parent)} id", column.phrase, "id of the " + m.one(parent)])
    query = m.query(child)
    query.group = [at(column)]
    words = {"i": noun, "is": plural_phrase(noun), "cs": m.many(child), "ps": m.many(parent), "p": m.one(parent)}
    dice = m.rng.random()
    if dice < 0.4:
        number = m.rng.choice([1, 2, 2, 3, 4, 5])
        sign, word = m.pick([(">", "<more>"), (">=", "<least>"), (">=", "at least"), (">", "more than")])
        query.select, query.having = [at(column)], f"COUNT(*) {sign} {number}"
        words |= {"w": m.say(word), "k": m.number_word(number)}
        return m.say("{is} with {w} {k} {cs}\n<lead> the {is} of [the|] {ps} [with|that have|who have] {w} {k} {cs}\nwhich {is} have {w} {k} {cs}\nwhat are the {is} of {ps} with {w} {k} {cs}\n<lead> {is} having {w} {k} {cs}\n{is} of {ps} that have {w} {k} {cs}", **words), query
    if dice < 0.7:
        query.select = [at(column), "COUNT(*)"]
        return m.say("number of {cs} for each {i}\n<lead> [each|every|the] {i} and [the|its|their] number of {cs}\nhow many {cs} are there for each {i}\n{cs} per {i}\ncount {cs} by {i}\nfor each {i}, [show|count] the [number of|] {cs}", **words), query
    up = m.chance(0.8)
    query.select = [at(column)] + (["COUNT(*)"] if m.chance(0.2) else [])
    query.order, query.limit = ["COUNT(*)" + (" DESC" if up else "")], 1
    words |= {"h": "most" if up else "fewest", "n": "" if len(query.select) == 1 else " and how many"}
    return m.say("{i} with the {h} {cs}{n}\nwhich {i} has the {h} {cs}{n}\n<lead> the {i} of the {p} with the {h} {cs}{n}\nwhat is the {i} of the {p} with the {h} {cs}{n}\nthe {i} having the {h} {cs}{n}\n<lead> the {i} with the {h} {cs}{n}", **words), query


@family(4)
def both_over_bridge(m: Maker) -> Pair:
    """Students who take both A and B; A but not B."""
    a, b, middle, left, right = bridge_of(m)
    columns = [c for c in right.of_kind("name", "category", "name") if len(c.values) > 1 and all(isinstance(v, str) for v in c.values)]
    column = m.pick(columns)
    first, second = m.cell(column), m.cell(column)
    if first == second:
        raise Skip
    shown = m.shown(left)

    def part(value: str) -> str:
        query = m.query(left).join(a).join(b)
        query.select, query.where = shown.sql, [f"{at(column)} = '{value.replace(chr(39), chr(39) * 2)}'"]
        return query.sql()

    verb = m.pick(a.hints.yes) if a.hints.yes and m.chance(0.7) else m.pick(["have", "are linked to", "are in", "are related to"])
    words = {"ls": m.many(left), "rs": m.many(right), "r": m.one(right), "a": first, "b": second, "v": verb, "n": m.noun(column), "s": shown.noun}
    if m.chance(0.6):
        return m.say("""
            {ls} [who|that] {v} both {a} and {b}
            which {ls} {v} both [the|] {r} {a} and [the|] {r} {b}
            <lead> <the> {ls} [who|that] {v} [both|] {rs} with {n} {a} and {b}
            <lead> the {s} of {ls} [who|that] {v} {a} as well as {b}
            what are the {s} of [the|] {ls} that {v} both {a} and {b}
            {ls} with both {a} and {b}
            """, **words), part(first) + " INTERSECT " + part(second)
    return m.say("""
        {ls} [who|that] {v} {a} but not {b}
        which {ls} {v} {a} but [not|never] {b}
        <lead> <the> {ls} [who|that] {v} [the|] {r} {a} but not [the|] {r} {b}
        <lead> the {s} of {ls} [who|that] {v} {a} and not {b}
        what are the {s} of [the|] {ls} that {v} {a} but not {b}
        {ls} with {a} but without {b}
        """, **words), part(first) + " EXCEPT " + part(second)


@family(5)
def extreme_among(m: Maker) -> Pair:
    """The oldest student of a department; the cheapest products of a supplier from France."""
    key, child, parent = m.key()
    column = m.pick(child.of_kind("measure", "measure", "date", "year"))
    up = m.chance(0.65)
    high, low, _, _ = m.degrees(column)
    special = high if up else low
    filters = some(m, parent, 0, simple=True)
    query = m.query(child).join(key)
    query.where = [f.sql for f in filters]
    columns = m.names(child) if m.names(child) and m.chance(0.75) else some_columns(m, child)[:2]
    query.select, query.order = [at(c) for c in columns], [at(column) + (" DESC" if up else "")]
    query.limit = 1 if m.chance(0.65) else m.limit()
    one = query.limit == 1
    words = {"c": m.one(child) if one else m.many(child), "k": "" if one else m.number_word(query.limit), "n": m.noun(column),
             "p": joined(m, filters, m.one(parent)), "ps": joined(m, filters, m.many(parent)), "e": m.say("<highest>" if up else "<lowest>"),
             "s": listing([m.noun(c) for c in columns]), "of": m.pick(["of", "of", "from", "in", "for"])}
    thing = "{k} " + m.pick(special) + " {c}" if special and m.chance(0.6) else "{k} {c} with the {e} {n}"
    if columns == m.names(child) and m.chance(0.6):
        return m.say(f"{thing} {{of}} [the|] {{p}}\nthe {thing} {{of}} {{ps}}\n<lead> the {thing} {{of}} [the|] {{p}}\n[which|what] [is|are] the {thing} {{of}} [the|] {{p}}\n{thing} {{of}} {{ps}}\n{{of}} {{ps}}, the {thing}".replace("{of} {ps}, the", "among {ps}, the"), **words), query
    return m.say(f"<lead> the {{s}} of the {thing} {{of}} [the|] {{p}}\n{{s}} of the {thing} {{of}} {{ps}}\nwhat [is|are] the {{s}} of the {thing} {{of}} [the|] {{p}}\n<lead> the {{s}} of the {thing} belonging to [the|] {{p}}\nfor {{ps}}, the {{s}} of the {thing}\n{{s}} for the {thing} {{of}} {{ps}}", **words), query


@family(4)
def detail_of_top_parent(m: Maker) -> Pair:
    """The phone number of the customer with the most orders; several columns of those with many."""
    key, child, parent = parent_of(m)
    columns = some_columns(m, parent)
    if m.chance(0.35):
        columns = [parent.primary] + [c for c in columns if c is not parent.primary]
    query = m.query(parent).join(key)
    query.select, query.group = [at(c) for c in columns], [identity(m, parent)]
    nouns = [c.words[-1] if c.primary and m.chance(0.6) else m.noun(c) for c in columns]
    words = {"s": listing(nouns), "ps": m.many(parent), "p": m.one(parent), "cs": m.many(child)}
    dice = m.rng.random()
    if dice < 0.4:
        up = m.chance(0.8)
        query.order, query.limit = ["COUNT(*)" + (" DESC" if up else "")], 1
        words["h"] = m.say("[the most|the largest number of|the highest number of]" if up else "[the fewest|the smallest number of|the least]")
        return m.say("<lead> the {s} of the {p} [with|that has|having] {h} {cs}\nwhat [is|are] the {s} of the {p} with {h} {cs}\n{s} of the {p} with {h} {cs}\n<lead> {s} of the {p} who has {h} {cs}\nfind the {s} of the {p} that has {h} {cs}\nfor the {p} with {h} {cs}, show the {s}", **words), query
    if dice < 0.75:
        number = m.rng.choice([1, 2, 2, 3, 4, 5, 10])
        sign, word = m.pick([(">", "<more>"), (">=", "<least>"), (">=", "at least"), (">", "more than"), ("=", "exactly")])
        query.having = f"COUNT(*) {sign} {number}"
        words |= {"w": m.say(word), "k": m.number_word(number)}
        return m.say("<lead> the {s} of [the|all|] {ps} [with|that have|who have|having] {w} {k} {cs}\nwhat are the {s} of [the|] {ps} with {w} {k} {cs}\n{s} of {ps} with {w} {k} {cs}\n<lead> {s} for {ps} that have {w} {k} {cs}\nfind the {s} of {ps} having {w} {k} {cs}\nfor {ps} with {w} {k} {cs}, list the {s}", **words), query
    up = m.chance(0.65)
    query.order = ["COUNT(*)" + (" DESC" if up else "")]
    words["w"] = m.say("<desc>" if up else "[|ascending|in ascending order|from fewest to most]")
    return m.say("<lead> the {s} of [all|the|] {ps} <sorted> [the|their|] number of {cs} {w}\n{s} of {ps} <sorted> [the|] number of {cs} {w}\nwhat are the {s} of {ps} <sorted> number of {cs} {w}\n{ps} {s} <sorted> {cs} count {w}\n<lead> {ps} {s}, <sorted> how many {cs} they have {w}\nsort {ps} by number of {cs} {w} and show the {s}", **words), query


@family(3)
def count_and_aggregate(m: Maker) -> Pair:
    """How many, and their average."""
    table = m.table(lambda t: m.measures(t))
    measure = m.measure(table, formulas=False)
    kind, word = m.pick(AGGREGATES)
    filters = some(m, table, 0.1) if m.chance(0.6) else []
    query = m.query(table)
    query.where, query.select = [f.sql for f in filters], ["COUNT(*)", f"{kind}({measure.sql})"]
    return m.say("how many {ts} are there and what is their {w} {n}\nnumber of {ts} and [their|the] {w} {n}\n<lead> the number of {ts} and [their|the] {w} {n}\ncount and {w} {n} of {ts}\nhow many {ts} [are there|] and [the|their] {w} {n}\n{ts}: count and {w} {n}", ts=joined(m, filters, m.many(table)), w=m.say(word), n=measure.noun), query


@family(3)
def extreme_in_extreme(m: Maker) -> Pair:
    """The largest city of the most populous state."""
    key, child, parent = m.key()
    if not parent.primary or parent.primary.id != key.parent:
        raise Skip
    inside, outside = m.pick(child.of_kind("measure", "date")), m.pick(parent.of_kind("measure", "date", "year"))
    columns = m.names(child)
    if not columns:
        raise Skip
    words = {"c": m.one(child), "p": m.one(parent)}
    parts, signs = [], []
    for column, noun in ((inside, "{c}"), (outside, "{p}")):
        up = m.chance(0.7)
        high, low, _, _ = m.degrees(column)
        special = high if up else low
        parts.append(f"{m.pick(special)} {noun}" if special and m.chance(0.7) else f"{noun} with the {m.say('<highest>' if up else '<lowest>')} {m.noun(column)}")
        signs.append(" DESC" if up else "")
    inner = m.query(parent)
    inner.select, inner.order, inner.limit = [at(key.parent)], [at(outside) + signs[1]], 1
    query = m.query(child)
    query.select, query.order, query.limit = [at(c) for c in columns], [at(inside) + signs[0]], 1
    query.where = [f"{at(key.child)} = ({inner.sql()})"]
    return m.say(f"{parts[0]} [in|of|from] the {parts[1]}\nwhat is the {parts[0]} [in|of] the {parts[1]}\n<lead> the {parts[0]} of the {parts[1]}\nwhich is the {parts[0]} [in|of] the {parts[1]}\nthe {parts[0]} belonging to the {parts[1]}\nname the {parts[0]} in the {parts[1]}", **words), query


@family(3)
def in_either(m: Maker) -> Pair:
    """Parents with one kind of children or the other: told by IN and OR, shown once."""
    key, child, parent = parent_of(m)
    first, second = condition(m, child, simple=True), condition(m, child, simple=True)
    if first.sql == second.sql or first.column is second.column and m.chance(0.5):
        raise Skip
    query = m.query(parent).join(key)
    query.distinct, query.select = True, m.shown(parent).sql
    query.where = [f"{first.sql} OR {second.sql}"]
    words = {"ps": m.many(parent), "a": joined(m, [first], m.many(child)), "b": joined(m, [second], m.many(child))}
    return m.say("{ps} with {a} or {b}\n<lead> <the> {ps} [that have|with|who have] [either|] {a} or {b}\nwhich {ps} have {a} or {b}\n{ps} having [either|] {a} or {b}\n<lead> {ps} with either {a} or {b}\nwhat {ps} have {a} or {b}", **words), query


@family(2.5)
def not_in_group(m: Maker) -> Pair:
    """Categories that have no thing of a kind; things whose parent is not of a kind."""
    key, child, parent = m.key()
    filters = some(m, parent, 0, simple=True)
    inner = m.query(parent)
    if not parent.primary or parent.primary.id != key.parent:
        raise Skip
    inner.select, inner.where = [at(key.parent)], [f.sql for f in filters]
    query = m.query(child)
    query.select = m.shown_or_all(child) if m.chance(0.65) else ["COUNT(*)"]
    query.where = [f"{at(key.child)} NOT IN ({inner.sql()})"]
    lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which||]"
    return m.say(f"{lead} {{cs}} that [do not belong to|are not of|are not in|don't belong to] {{ps}}\n{lead} {{cs}} not [of|from|in|belonging to] [a|any|] {{p}}\n{lead} {{cs}} whose {{o}} is not [one of the|among the] {{ps}}\n{lead} {{cs}} [except|excluding|but not] those of {{ps}}", cs=m.many(child), ps=joined(m, filters, m.many(parent)), p=joined(m, filters, m.one(parent)), o=m.one(parent)), query


@family(2.5)
def above_own_average(m: Maker) -> Pair:
    """Compared with an average, a maximum or a count of something else."""
    table = m.table(lambda t: m.measures(t) and t.of_kind("category"))
    column = m.pick(m.measures(table))
    filters = some(m, table, 0, simple=True)
    if filters[0].column is column:
        raise Skip
    kind, word = m.pick([("AVG", "average"), ("AVG", "average"), ("MAX", "maximum"), ("MIN", "minimum"), ("MAX", "highest"), ("MIN", "lowest")])
    up = m.chance(0.6)
    inner = m.query(table)
    inner.select, inner.where = [f"{kind}({at(column)})"], [f.sql for f in filters]
    query = m.query(table)
    query.select = m.shown_or_all(table) if m.chance(0.7) else ["COUNT(*)"]
    query.where = [f"{at(column)} {'>' if up else '<'} ({inner.sql()})"]
    lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which||]"
    return m.say(f"{lead} {{ts}} with [a|] {{n}} {{x}} the {{w}} {{n}} of {{f}}\n{lead} {{ts}} whose {{n}} is {{x}} the {{w}} [{{n}}|] of {{f}}\n{lead} {{ts}} with {{n}} {{x}} the {{w}} of {{f}}\n{lead} {{ts}} [having|with] a {{n}} {{x}} the {{w}} {{n}} of all {{f}}", ts=m.many(table), n=m.noun(column), w=word, x=m.pick(["above", "higher than", "greater than", "over"] if up else ["below", "lower than", "less than", "under"]), f=joined(m, filters, m.many(table))), query
