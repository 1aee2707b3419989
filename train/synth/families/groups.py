"""One table in groups: counts and aggregates per category, the most common, HAVING."""

from families import Pair, family
from families.basic import AGGREGATES
from filters import joined, some
from maker import Maker, Skip
from query import at
from words import listing, plural_phrase


def grouping(m: Maker, table):
    return m.pick(table.of_kind("category", "category", "flag", "year"))


def conditions(m: Maker, table, used, share: float = 0.3) -> list:
    """Conditions that do not touch the grouped column."""
    filters = some(m, table, 0.1, simple=True) if m.chance(share) else []
    if any(f.column in used for f in filters):
        raise Skip
    return filters


@family(7)
def count_per(m: Maker) -> Pair:
    table = m.table(lambda t: t.of_kind("category", "flag", "year"))
    column = grouping(m, table)
    filters = conditions(m, table, [column])
    query = m.query(table)
    query.select = [at(column), "COUNT(*)"]
    query.group = [at(column)]
    query.where = [f.sql for f in filters]
    if m.chance(0.12):
        query.order = ["COUNT(*) DESC"]
        tail = m.pick([
            "sorted by count", "most frequent first", "ordered by number, highest first", "descending",
            "by count desc",
        ])
    else:
        tail = ""
    return m.say("""
        <count> {ts} <per> {n}
        {ts} [per|by|per|by|for each|grouped by|split by] {n}
        how many {ts} [are there|do we have|] [for each|per|in each|of each|by|for every] {n}
        {t} count [by|per|for each] {n}
        <lead> [the|] number of {ts} [for each|in each|per|with each|by|of each] {n}
        [for each {n}|per {n}], [how many {ts} are there|show the number of {ts}|count the {ts}]
        <lead> each {n} and [the|its] number of {ts}
        [breakdown|distribution|split] of {ts} by {n}
        what are the {ns} and how many {ts} [does each have|are there in each|for each]
        count {ts} by {n}
        """,
        ts=joined(m, filters, m.many(table)), t=m.one(table), n=m.noun(column),
        ns=plural_phrase(m.noun(column))) + " " + tail, query


@family(7)
def aggregate_per(m: Maker) -> Pair:
    table = m.table(lambda t: t.of_kind("category", "year") and m.measures(t))
    column, measure = m.pick(table.of_kind("category", "category", "year")), m.measure(table)
    filters = conditions(m, table, [column, measure.column])
    kind, word = m.pick(AGGREGATES)
    query = m.query(table)
    query.select = [at(column), f"{kind}({measure.sql})"]
    query.group = [at(column)]
    query.where = [f.sql for f in filters]
    words = {
        "w": m.say(word), "m": measure.noun, "n": m.noun(column), "ts": joined(m, filters, m.many(table)),
        "t": m.one(table),
    }
    if kind == "SUM" and m.chance(0.25):
        return m.say("""
                {m} [per|by|by|for each] {n}
                {t} {m} by {n}
                <lead> {m} per {n}
                {m} of {ts} by {n}
                {m} for each {n}
                {m} split by {n}
                """
                     if not filters else """
                             {m} of {ts} [per|by] {n}
                             {m} [by|per] {n} for {ts}
                             """, **words), query
    return m.say("""
        {w} {m} [per|by|by|for each|in each|of each] {n}
        {w} {m} of {ts} [per|by|for each|in each|grouped by] {n}
        <what> the {w} {m} [of|for] [the|] {ts} [for each|in each|per|of each|by] {n}
        [for each|per|by] {n}, [what is|show|give me] the {w} {m} [of|of the] {ts}
        <lead> [each|every] {n} and [the|its] {w} {m} of {ts}
        {n} and {w} {m} of {ts}
        {w} {t} {m} by {n}
        """ if not filters else """
        {w} {m} of {ts} [per|by|for each|in each|grouped by] {n}
        <what> the {w} {m} [of|for] [the|] {ts} [for each|in each|per|of each|by] {n}
        [for each|per|by] {n}, [what is|show|give me] the {w} {m} [of|of the] {ts}
        {w} {m} by {n} for {ts}
        {ts}: {w} {m} by {n}
        <lead> each {n} and the {w} {m} of [its|] {ts}
        """, **words), query


@family(5)
def most_common(m: Maker) -> Pair:
    table = m.table(lambda t: t.of_kind("category", "year"))
    column = grouping(m, table)
    filters = conditions(m, table, [column], 0.2)
    up, with_count = m.chance(0.8), m.chance(0.25)
    query = m.query(table)
    query.select = [at(column)] + (["COUNT(*)"] if with_count else [])
    query.where = [f.sql for f in filters]
    query.group = [at(column)]
    query.order = ["COUNT(*)" + (" DESC" if up else "")]
    query.limit = 1 if m.chance(0.7) else m.limit()
    one = query.limit == 1
    noun = m.noun(column)
    words = {"ts": joined(m, filters, m.many(table)), "n": noun if one else plural_phrase(noun), "k": "" if one else m.number_word(query.limit),
             "e": m.pick([
                 "most common", "most frequent", "commonest", "most popular", "top",
             ] if up else ["least common", "rarest", "least frequent", "least popular"]),
             "h": "most" if up else m.pick(["fewest", "least"]), "g": m.pick(["largest", "greatest", "highest"] if up else ["smallest", "lowest"])}
    tail = m.pick([
        " and how many", " and the number of them", " with the count", ", with how often it occurs",
        " and its count",
    ]) if with_count else ""
    return m.say("""
        [what is|what's|which is|find|show|] the {k} {e} {n} [of|among|for|across] [the|all|] {ts}
        {e} {k} {n} of {ts}
        [which|what] {k} {n} [has|have|with|is shared by] the {h} {ts}
        <lead> the {k} {n} with the {h} {ts}
        {n} with [the|] {h} {ts} {k}
        <lead> the {k} {n} with the {g} number of {ts}
        {k} {n} with {h} {ts}
        """, **words) + tail, query


@family(4)
def having_count(m: Maker) -> Pair:
    table = m.table(lambda t: t.of_kind("category", "year"))
    column = m.pick(table.of_kind("category", "category", "year"))
    number = m.rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 8, 10])
    sign, word = m.pick([
        (">", "<more>"), (">=", "<least>"), (">", "more than"), (">=", "at least"), ("<", "<less>"),
        ("=", "exactly"),
    ])
    query = m.query(table)
    query.select = [at(column)] + (["COUNT(*)"] if m.chance(0.15) else [])
    query.group = [at(column)]
    query.having = f"COUNT(*) {sign} {number}"
    tail = "" if len(query.select) == 1 else m.pick([
        " and how many they have", " with the number of them", " and the count",
    ])
    return m.say("""
        [which|what] {ns} have {w} {k} {ts}
        <lead> [the|all|] {ns} [with|that have|having|shared by|of] {w} {k} {ts}
        {ns} with {w} {k} {ts}
        <lead> {ns} [that|which] [occur|appear] {w} {k} times [among|in] [the|] {ts}
        [for which|which are the] {ns} [are there|with] {w} {k} {ts}
        {ns} [having|with] {w} {k} {ts}
        """,
        ns=plural_phrase(m.noun(column)), ts=m.many(table), k=m.number_word(number), w=m.say(word)) + tail, query


@family(2.5)
def having_aggregate(m: Maker) -> Pair:
    table = m.table(lambda t: t.of_kind("category") and m.measures(t))
    column, measured = m.pick(table.of_kind("category")), m.pick(m.measures(table))
    kind, word = m.pick([
        ("AVG", "[average|avg|mean]"), ("SUM", "[total|combined|overall]"), ("MAX", "[maximum|highest]"),
        ("MIN", "[minimum|lowest]"),
    ])
    sign, compare = m.pick([(">", "<more>"), ("<", "<less>"), (">=", "<least>")])
    query = m.query(table)
    query.select = [at(column)]
    query.group = [at(column)]
    query.having = f"{kind}({at(measured)}) {sign} {m.number(measured)}"
    words = {
        "ns": plural_phrase(m.noun(column)), "ts": m.many(table), "w": m.say(word), "c": m.say(compare),
        "m": m.noun(measured), "v": query.having.split()[-1],
    }
    return m.say("""
        <lead> [the|] {ns} [with|having|of {ts} with] [a|an|] {w} {m} [of|] {c} {v}
        [which|what] {ns} have [a|an|] {w} {m} {c} {v}
        {ns} whose {ts} have [a|] {w} {m} {c} {v}
        {ns} where the {w} {m} [of {ts}|] is {c} {v}
        <lead> {ns} of {ts} with {w} {m} {c} {v}
        {ns} with {w} {t} {m} {c} {v}
        """, t=m.one(table), **words), query


@family(3)
def group_by_aggregate(m: Maker) -> Pair:
    """Which category has the highest average: only the category is shown."""
    table = m.table(lambda t: t.of_kind("category") and m.measures(t))
    column, measure, up = m.pick(table.of_kind("category")), m.measure(table), m.chance(0.7)
    kind, word = m.pick([("AVG", "[average|avg|mean]"), ("SUM", "[total|combined|overall]")])
    query = m.query(table)
    query.select = [at(column)]
    query.group = [at(column)]
    query.order = [f"{kind}({measure.sql})" + (" DESC" if up else "")]
    query.limit = 1 if m.chance(0.7) else m.limit()
    one = query.limit == 1
    noun = m.noun(column)
    words = {"n": noun if one else plural_phrase(noun), "k": "" if one else m.number_word(query.limit), "w": m.say(word), "m": measure.noun,
             "ts": m.many(table), "e": m.say("<highest>" if up else "<lowest>")}
    if not one and m.chance(0.5):
        query.select.append(query.order[0].removesuffix(" DESC"))
        return m.say("""
                [top|bottom] {k} {n} by {w} {m}
                {k} [best|worst] {n} by {w} {m}
                [top|bottom] {k} {n} by {w} {m} of {ts}
                """.replace("[top|bottom]", "top" if up else "bottom").replace("[best|worst]", "best" if up else "worst"), **words), query
    return m.say("""
        [which|what] {k} {n} [has|have|with] the {e} {w} {m}
        <lead> the {k} {n} with the {e} {w} {m} [of {ts}|]
        {k} {n} with [the|] {e} {w} {m}
        [which|what] {k} {n} of {ts} [has|have] the {e} {w} {m}
        <lead> the {k} {n} whose {ts} have the {e} {w} {m}
        {n} with {e} {w} {t} {m} {k}
        """, t=m.one(table), **words), query


@family(2)
def two_groups(m: Maker) -> Pair:
    """Two categories at once."""
    table = m.table(lambda t: len(t.of_kind("category", "flag", "year")) > 1)
    first, second = m.rng.sample(table.of_kind("category", "flag", "year"), 2)
    query = m.query(table)
    columns = m.measures(table)
    word, expression = "<count> {ts}", "COUNT(*)"
    if columns and m.chance(0.5):
        measure = m.measure(table)
        kind, name = m.pick(AGGREGATES)
        word, expression = f"{m.say(name)} {measure.noun} of {{ts}}", f"{kind}({measure.sql})"
    query.select = [at(first), at(second), expression]
    query.group = [at(first), at(second)]
    return m.say(f"""
        {word} [by|per|for each] {{a}} and {{b}}
        {word} [by|per] {{a}} and [by|per] {{b}}
        <lead> {word} for [each|every] {{a}} and {{b}}
        [for each|per] combination of {{a}} and {{b}}, {word}
        {word} by {{a}}, {{b}}
        {word} grouped by {{a}} and {{b}}
        """, ts=m.many(table), a=m.noun(first), b=m.noun(second)), query


@family(2)
def several_aggregates_per(m: Maker) -> Pair:
    table = m.table(lambda t: t.of_kind("category") and m.measures(t))
    column, measured = m.pick(table.of_kind("category")), m.pick(m.measures(table))
    kinds = list({k: w for k, w in m.rng.sample(AGGREGATES, 3)}.items())[:2]
    query = m.query(table)
    query.select = [at(column)] + [f"{k}({at(measured)})" for k, _ in kinds]
    query.group = [at(column)]
    words = [m.say(w) for _, w in kinds]
    if m.chance(0.35):
        query.select.insert(1, "COUNT(*)")
        words.insert(0, m.pick(["number of " + m.many(table) + ",", "count,", m.many(table) + " count,"]))
        phrase = " ".join([words[0], listing(words[1:])])
    else:
        phrase = listing(words)
    return m.say("""
        {w} {m} [per|by|for each] {n}
        <lead> [the|] {w} {m} of {ts} [per|by|for each|in each] {n}
        {w} {m} of {ts} by {n}
        for each {n}, [show|give|what are] the {w} {m}
        {n} with {w} {m} of {ts}
        <what> the {w} {m} for every {n} of {ts}
        """, w=phrase, m=m.noun(measured), n=m.noun(column), ts=m.many(table)), query
