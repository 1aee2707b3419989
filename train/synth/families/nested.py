"""Forms that public questions like: ids of groups, distinct keys, both of two, the extreme among few."""

from families import Pair, family
from families.basic import AGGREGATES, some_columns
from families.keys import bridge_of, identity, parent_of
from filters import condition, joined, some
from maker import Maker, Skip
from query import at
from schema import literal
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
    words = {
        "i": noun, "is": plural_phrase(noun), "cs": m.many(child), "ps": m.many(parent), "p": m.one(parent),
    }
    dice = m.rng.random()
    if dice < 0.4:
        number = m.rng.choice([1, 2, 2, 3, 4, 5])
        sign, word = m.pick([(">", "<more>"), (">=", "<least>"), (">=", "at least"), (">", "more than")])
        query.select, query.having = [at(column)], f"COUNT(*) {sign} {number}"
        words |= {"w": m.say(word), "k": m.number_word(number)}
        return m.say("""
                {is} with {w} {k} {cs}
                <lead> the {is} of [the|] {ps} [with|that have|who have] {w} {k} {cs}
                which {is} have {w} {k} {cs}
                what are the {is} of {ps} with {w} {k} {cs}
                <lead> {is} having {w} {k} {cs}
                {is} of {ps} that have {w} {k} {cs}
                """, **words), query
    if dice < 0.7:
        query.select = [at(column), "COUNT(*)"]
        return m.say("""
                number of {cs} for each {i}
                <lead> [each|every|the] {i} and [the|its|their] number of {cs}
                how many {cs} are there for each {i}
                {cs} per {i}
                count {cs} by {i}
                for each {i}, [show|count] the [number of|] {cs}
                """, **words), query
    up = m.chance(0.8)
    query.select = [at(column)] + (["COUNT(*)"] if m.chance(0.2) else [])
    query.order, query.limit = ["COUNT(*)" + (" DESC" if up else "")], 1
    words |= {"h": "most" if up else "fewest", "n": "" if len(query.select) == 1 else " and how many"}
    return m.say("""
            {i} with the {h} {cs}{n}
            which {i} has the {h} {cs}{n}
            <lead> the {i} of the {p} with the {h} {cs}{n}
            what is the {i} of the {p} with the {h} {cs}{n}
            the {i} having the {h} {cs}{n}
            <lead> the {i} with the {h} {cs}{n}
            """, **words), query


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
        query.select, query.where = shown.sql, [f"{at(column)} = {literal(value)}"]
        return query.sql()

    verb = m.pick(a.hints.yes) if a.hints.yes and m.chance(0.7) else m.pick([
        "have", "are linked to", "are in", "are related to",
    ])
    words = {
        "ls": m.many(left), "rs": m.many(right), "r": m.one(right), "a": first, "b": second, "v": verb,
        "n": m.noun(column), "s": shown.noun,
    }
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
        return m.say(f"""
                {thing} {{of}} [the|] {{p}}
                the {thing} {{of}} {{ps}}
                <lead> the {thing} {{of}} [the|] {{p}}
                [which|what] [is|are] the {thing} {{of}} [the|] {{p}}
                {thing} {{of}} {{ps}}
                {{of}} {{ps}}, the {thing}
                """, **words), query
    return m.say(f"""
            <lead> the {{s}} of the {thing} {{of}} [the|] {{p}}
            {{s}} of the {thing} {{of}} {{ps}}
            what [is|are] the {{s}} of the {thing} {{of}} [the|] {{p}}
            <lead> the {{s}} of the {thing} belonging to [the|] {{p}}
            for {{ps}}, the {{s}} of the {thing}
            {{s}} for the {thing} {{of}} {{ps}}
            """, **words), query


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
        return m.say("""
                <lead> the {s} of the {p} [with|that has|having] {h} {cs}
                what [is|are] the {s} of the {p} with {h} {cs}
                {s} of the {p} with {h} {cs}
                <lead> {s} of the {p} who has {h} {cs}
                find the {s} of the {p} that has {h} {cs}
                for the {p} with {h} {cs}, show the {s}
                """, **words), query
    if dice < 0.75:
        number = m.rng.choice([1, 2, 2, 3, 4, 5, 10])
        sign, word = m.pick([
            (">", "<more>"), (">=", "<least>"), (">=", "at least"), (">", "more than"), ("=", "exactly"),
        ])
        query.having = f"COUNT(*) {sign} {number}"
        words |= {"w": m.say(word), "k": m.number_word(number)}
        return m.say("""
                <lead> the {s} of [the|all|] {ps} [with|that have|who have|having] {w} {k} {cs}
                what are the {s} of [the|] {ps} with {w} {k} {cs}
                {s} of {ps} with {w} {k} {cs}
                <lead> {s} for {ps} that have {w} {k} {cs}
                find the {s} of {ps} having {w} {k} {cs}
                for {ps} with {w} {k} {cs}, list the {s}
                """, **words), query
    up = m.chance(0.65)
    query.order = ["COUNT(*)" + (" DESC" if up else "")]
    words["w"] = m.say("<desc>" if up else "[|ascending|in ascending order|from fewest to most]")
    return m.say("""
            <lead> the {s} of [all|the|] {ps} <sorted> [the|their|] number of {cs} {w}
            {s} of {ps} <sorted> [the|] number of {cs} {w}
            what are the {s} of {ps} <sorted> number of {cs} {w}
            {ps} {s} <sorted> {cs} count {w}
            <lead> {ps} {s}, <sorted> how many {cs} they have {w}
            sort {ps} by number of {cs} {w} and show the {s}
            """, **words), query


@family(3)
def count_and_aggregate(m: Maker) -> Pair:
    """How many, and their average."""
    table = m.table(lambda t: m.measures(t))
    measure = m.measure(table, formulas=False)
    kind, word = m.pick(AGGREGATES)
    filters = some(m, table, 0.1) if m.chance(0.6) else []
    query = m.query(table)
    query.where, query.select = [f.sql for f in filters], ["COUNT(*)", f"{kind}({measure.sql})"]
    return m.say("""
            how many {ts} are there and what is their {w} {n}
            number of {ts} and [their|the] {w} {n}
            <lead> the number of {ts} and [their|the] {w} {n}
            count and {w} {n} of {ts}
            how many {ts} [are there|] and [the|their] {w} {n}
            {ts}: count and {w} {n}
            """, ts=joined(m, filters, m.many(table)), w=m.say(word), n=measure.noun), query


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
    return m.say(f"""
            {parts[0]} [in|of|from] the {parts[1]}
            what is the {parts[0]} [in|of] the {parts[1]}
            <lead> the {parts[0]} of the {parts[1]}
            which is the {parts[0]} [in|of] the {parts[1]}
            the {parts[0]} belonging to the {parts[1]}
            name the {parts[0]} in the {parts[1]}
            """, **words), query


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
    words = {
        "ps": m.many(parent), "a": joined(m, [first], m.many(child)),
        "b": joined(m, [second], m.many(child)),
    }
    return m.say("""
            {ps} with {a} or {b}
            <lead> <the> {ps} [that have|with|who have] [either|] {a} or {b}
            which {ps} have {a} or {b}
            {ps} having [either|] {a} or {b}
            <lead> {ps} with either {a} or {b}
            what {ps} have {a} or {b}
            """, **words), query


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
    return m.say(f"""
            {lead} {{cs}} that [do not belong to|are not of|are not in|don't belong to] {{ps}}
            {lead} {{cs}} not [of|from|in|belonging to] [a|any|] {{p}}
            {lead} {{cs}} whose {{o}} is not [one of the|among the] {{ps}}
            {lead} {{cs}} [except|excluding|but not] those of {{ps}}
            """,
            cs=m.many(child), ps=joined(m, filters, m.many(parent)), p=joined(m, filters, m.one(parent)),
            o=m.one(parent)), query


@family(2.5)
def above_own_average(m: Maker) -> Pair:
    """Compared with an average, a maximum or a count of something else."""
    table = m.table(lambda t: m.measures(t) and t.of_kind("category"))
    column = m.pick(m.measures(table))
    filters = some(m, table, 0, simple=True)
    if filters[0].column is column:
        raise Skip
    kind, word = m.pick([
        ("AVG", "average"), ("AVG", "average"), ("MAX", "maximum"), ("MIN", "minimum"), ("MAX", "highest"),
        ("MIN", "lowest"),
    ])
    up = m.chance(0.6)
    inner = m.query(table)
    inner.select, inner.where = [f"{kind}({at(column)})"], [f.sql for f in filters]
    query = m.query(table)
    query.select = m.shown_or_all(table) if m.chance(0.7) else ["COUNT(*)"]
    query.where = [f"{at(column)} {'>' if up else '<'} ({inner.sql()})"]
    lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which||]"
    return m.say(f"""
            {lead} {{ts}} with [a|] {{n}} {{x}} the {{w}} {{n}} of {{f}}
            {lead} {{ts}} whose {{n}} is {{x}} the {{w}} [{{n}}|] of {{f}}
            {lead} {{ts}} with {{n}} {{x}} the {{w}} of {{f}}
            {lead} {{ts}} [having|with] a {{n}} {{x}} the {{w}} {{n}} of all {{f}}
            """,
            ts=m.many(table), n=m.noun(column), w=word,
            x=m.pick([
                "above", "higher than", "greater than", "over",
            ] if up else ["below", "lower than", "less than", "under"]),
            f=joined(m, filters, m.many(table))), query


@family(2.5)
def above_average(m: Maker) -> Pair:
    table = m.table(lambda t: m.measures(t))
    column, up = m.pick(m.measures(table)), m.chance(0.6)
    inner = m.query(table)
    kind, word = m.pick([("AVG", "average"), ("AVG", "average"), ("AVG", "mean"), ("AVG", "avg")])
    inner.select = [f"{kind}({at(column)})"]
    query = m.query(table)
    query.where = [f"{at(column)} {'>' if up else '<'} ({inner.sql()})"]
    count = m.chance(0.3)
    query.select = ["COUNT(*)"] if count else m.shown_or_all(table)
    _, _, more, less = m.degrees(column)
    special = [w for w in (more if up else less) if w.endswith("than")]
    words = {"ts": m.many(table), "n": m.noun(column), "a": word, "d": "above" if up else "below",
             "x": m.say("<more>" if up else "<less>").replace("fewer", "less"), "s": m.pick(special) if special else ("above" if up else "below")}
    if count:
        return m.say("""
            how many {ts} have [a|] {d} {a} {n}
            how many {ts} have a {n} {x} the {a}
            <count> {ts} whose {n} is {x} the {a} [{n}|]
            how many {ts} are {s} [the|] {a}
            count [the|] {ts} with {n} {d} [the|] {a}
            {ts} {d} {a} {n} count
            """, **words), query
    return m.say("""
        {ts} with [|a] {d} {a} {n}
        <lead> <the> {ts} with {n} {x} the {a} [|{n}|of all {ts}]
        which {ts} have [a|] {d} {a} {n}
        {ts} {s} [the|] {a}
        <lead> [the|] {ts} whose {n} is {x} the {a} [{n}|]
        which {ts} are {s} [the|] {a} [{n}|]
        {ts} {d} {a} {n}
        """, **words), query


@family(2)
def compare_with_row(m: Maker) -> Pair:
    """More than a named one, or than all of a kind."""
    table = m.table(lambda t: m.measures(t) and len(m.names(t)) == 1)
    name, column, up = m.names(table)[0], m.pick(m.measures(table)), m.chance(0.6)
    sign, noun = (">" if up else "<"), m.noun(column)
    inner = m.query(table)
    query = m.query(table)
    query.select = m.shown(table).sql if m.chance(0.7) else ["COUNT(*)"]
    lead = "<lead> <the>" if query.select != ["COUNT(*)"] else "[how many|number of|count]"
    if m.chance(0.5):
        filters = some(m, table, 0, simple=True)
        inner.select, inner.where = [f"{'MAX' if up else 'MIN'}({at(column)})"], [f.sql for f in filters]
        text = lead + """ {ts} with [a|] {n} {x} [all|any of the|every one of the] {f}
            """ + lead + """ {ts} whose {n} is {x} [that of|] [all|every|any] {f}
            """ + lead + """ {ts} with [a|] {n} {x} the {e} {n} of {f}"""
        words = {"f": joined(m, filters, m.many(table)), "e": "highest" if up else "lowest"}
    else:
        if not all(isinstance(v, str) for v in name.values):
            raise Skip
        value = m.cell(name)
        inner.select, inner.where = [at(column)], [f"{at(name)} = {literal(value)}"]
        text = lead + """ {ts} with [a|] {n} {x} {v}
            """ + lead + """ {ts} with [a|] {n} {x} [that of|the one of] {v}
            """ + lead + """ {ts} whose {n} is {x} the {n} of {v}
            """ + lead + """ {ts} [that have|with] {x2} {n} than {v}"""
        words = {"v": value, "x2": "more" if up else "less"}
    query.where = [f"{at(column)} {sign} ({inner.sql()})"]
    return m.say(text, ts=m.many(table), n=noun, x="higher than" if up else "lower than", **words), query


@family(1.5)
def extreme_all(m: Maker) -> Pair:
    """All things that reach the extreme, by a nested query."""
    table = m.table(lambda t: m.measures(t) and m.names(t))
    column, up = m.pick(m.measures(table)), m.chance(0.5)
    inner = m.query(table)
    inner.select = [f"{'MAX' if up else 'MIN'}({at(column)})"]
    query = m.query(table)
    query.select = m.shown(table).sql
    query.where = [f"{at(column)} = ({inner.sql()})"]
    extreme = m.say("<highest>" if up else "<lowest>")
    return m.say("""
        <lead> all {ts} [whose|where the] {n} [is|equals] the {e} [{n}|] [of all|]
        which {ts} [share|reach|have] the {e} {n} of all {ts}
        all {ts} with the {e} {n} [of all|overall]
        every {t} [with|that has] the {e} {n}
        <lead> every {t} having the {e} {n}
        {ts} whose {n} equals the {e}
        """, ts=m.many(table), t=m.one(table), n=m.noun(column), e=extreme), query
