"""The best of each group, the n-th best, ranks."""

from families import Pair, family
from filters import joined, some
from maker import Maker, Skip
from query import Query, at

ORDINALS = {2: ["second", "2nd"], 3: ["third", "3rd"], 4: ["fourth", "4th"]}


def per_group(query: Query, partition: str, order: str, number: int) -> str:
    """The first rows of each group, by ROW_NUMBER; the selected expressions get names."""
    shown = list(query.select)
    query.select = [f"{expression} AS c{i + 1}" for i, expression in enumerate(shown)]
    query.select.append(f"ROW_NUMBER() OVER (PARTITION BY {partition} ORDER BY {order}) AS place")
    names = ", ".join(f"c{i + 1}" for i in range(len(shown)))
    test = "place = 1" if number == 1 else f"place <= {number}"
    return f"SELECT {names} FROM ({query.sql()}) WHERE {test}"


@family(5)
def best_of_each(m: Maker) -> Pair:
    """The highest paid worker of each team; with a category, of each category."""
    table = m.table(lambda t: m.names(t) and t.of_kind("measure", "date"))
    column = m.pick(table.of_kind("measure", "measure", "date"))
    up = m.chance(0.75)
    high, low, _, _ = m.degrees(column)
    special = high if up else low
    filters = some(m, table, 0, simple=True) if m.chance(0.15) else []
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k)) and m.parent(k).primary]
    groups = table.of_kind("category")
    if parents and (not groups or m.chance(0.6)):
        key = m.pick(parents)
        parent = m.parent(key)
        query = m.query(parent).join(key)
        shown, partition, by = m.shown(parent).sql, at(parent.primary), m.one(parent)
    else:
        group = m.pick(groups)
        query = m.query(table)
        shown, partition, by = [at(group)], at(group), m.noun(group)
    if any(f.column and at(f.column) == partition for f in filters):
        raise Skip
    query.where = [f.sql for f in filters]
    query.select = shown + m.shown(table).sql + [at(column)]
    number = 1 if m.chance(0.55) else m.rng.choice([2, 3, 3, 5, 10])
    one = number == 1
    things = joined(m, filters, m.one(table) if one else m.many(table))
    words = {"t": things, "g": by, "n": m.noun(column), "k": "" if one else m.number_word(number),
             "e": m.pick(special) if special and m.chance(0.6) else "", "h": m.say("<highest>" if up else "<lowest>")}
    each = m.pick(["in each", "per", "of each", "for each", "in every", "for every", "by"])
    sql = per_group(query, partition, at(column) + (" DESC" if up else ""), number)
    if words["e"]:
        return m.say(f"""
                {{k}} {{e}} {{t}} {each} {{g}}
                {{e}} {{k}} {{t}} {each} {{g}}
                <lead> the {{k}} {{e}} {{t}} {each} {{g}}
                for each {{g}}, [show|list|give me|] the {{k}} {{e}} {{t}}
                [which|what] {{t}} [is|are] the {{k}} {{e}} {each} {{g}}
                the {{k}} {{e}} {{t}} {each} {{g}}
                """, **words), sql
    top = "top" if up else "bottom"
    return m.say(f"""
            {{k}} {{t}} with [the|] {{h}} {{n}} {each} {{g}}
            <lead> the {{k}} {{t}} with the {{h}} {{n}} {each} {{g}}
            for each {{g}}, the {{k}} {{t}} with the {{h}} {{n}}
            {top} {{k}} {{t}} by {{n}} {each} {{g}}
            {top} {{k}} {{t}} {each} {{g}} by {{n}}
            which {{k}} {{t}} [has|have] the {{h}} {{n}} {each} {{g}}
            """, **words), sql


@family(4)
def best_group_member(m: Maker) -> Pair:
    """The category's best parent by a total over its children: best rep per region by amount."""
    key, child, parent = m.key()
    if not m.names(parent) or not parent.primary:
        raise Skip
    group = m.pick(parent.of_kind("category"))
    total, noun = "COUNT(*)", m.pick(["number of ", ""]) + m.many(child)
    if (m.measures(child) or child.formulas) and m.chance(0.6):
        measure = m.measure(child)
        total, noun = f"SUM({measure.sql})", m.pick(["total ", ""]) + measure.noun
    up = m.chance(0.85)
    filters = some(m, child, 0, simple=True) if m.chance(0.2) else []
    query = m.query(parent).join(key)
    query.where = [f.sql for f in filters]
    query.select = [at(group)] + m.shown(parent).sql + [total]
    query.group = [at(parent.primary)]
    number = 1 if m.chance(0.5) else m.rng.choice([2, 3, 3, 5])
    sql = per_group(query, at(group), total + (" DESC" if up else ""), number)
    one = number == 1
    words = {"p": m.one(parent) if one else m.many(parent), "k": "" if one else m.number_word(number), "g": m.noun(group), "n": noun,
             "each": m.pick([
                 "per", "in each", "for each", "of each", "in every",
             ]), "b": ("best" if up else "worst") if one else ("top" if up else "bottom"),
             "of": f"of {joined(m, filters, m.many(child))}" if filters else ""}
    most = "most" if up else "fewest"
    lines = """
        {b} {k} {p} {each} {g} by {n} {of}
        <lead> the {b} {k} {p} {each} {g} by {n} {of}
        {b} {k} {p} by {n} {of} {each} {g}
        for each {g}, the {b} {k} {p} by {n} {of}
        """
    if total == "COUNT(*)":
        lines += f"""
                {{k}} {{p}} with [the|] {most} {{cs}} {{each}} {{g}}
                <lead> the {{k}} {{p}} with the {most} {{cs}} {{each}} {{g}}
                
                """
    else:
        lines += f"{{k}} {{p}} with [the|] {'highest' if up else 'lowest'} {{n}} {{of}} {{each}} {{g}}\n"
    return m.say(lines, cs=joined(m, filters, m.many(child)), **words), sql


@family(2)
def nth_best(m: Maker) -> Pair:
    table = m.table(lambda t: m.names(t) and m.measures(t))
    column, up = m.pick(m.measures(table)), m.chance(0.75)
    place = m.rng.choice([2, 2, 3, 4])
    high, low, _, _ = m.degrees(column)
    special = high if up else low
    query = m.query(table)
    query.select, query.order = m.shown(table).sql, [at(column) + (" DESC" if up else "")]
    sql = query.sql() + f" LIMIT 1 OFFSET {place - 1}"
    words = {
        "o": m.pick(ORDINALS[place]), "t": m.one(table), "n": m.noun(column),
        "h": "highest" if up else "lowest", "e": m.pick(special) if special else "",
    }
    if special and m.chance(0.6):
        return m.say("""
                {o} {e} {t}
                [what|which] is the {o} {e} {t}
                <lead> the {o} {e} {t}
                the {o} {e} {t}
                who is the {o} {e} {t}
                which {t} is the {o} {e}
                """, **words), sql
    return m.say("""
            {t} with the {o} {h} {n}
            [which|what] {t} has the {o} {h} {n}
            <lead> the {t} with the {o} {h} {n}
            {o} {h} {n} {t}
            which {t} is {o} by {n}
            the {t} having the {o} {h} {n}
            """, **words), sql


@family(1.5)
def rank_all(m: Maker) -> Pair:
    """A rank next to each row."""
    table = m.table(lambda t: m.names(t) and m.measures(t))
    column = m.pick(m.measures(table))
    query = m.query(table)
    query.select = m.shown(table).sql + [at(column), f"RANK() OVER (ORDER BY {at(column)} DESC)"]
    return m.say("""
            rank [all|the|] {ts} by {n}
            {ts} [with|and] [their|] rank by {n}
            <lead> {ts} with [their|] {n} and rank
            ranking of {ts} by {n}
            {n} ranking of [all|] {ts}
            {ts} ranked by {n} with [the|their] rank
            """, ts=m.many(table), n=m.noun(column)), query


@family(2)
def latest_of_each(m: Maker) -> Pair:
    """The last date, the highest value of each parent's children."""
    key, child, parent = m.key()
    if not m.names(parent) or not parent.primary:
        raise Skip
    column = m.pick(child.of_kind("date", "date", "year"))
    last = m.chance(0.7)
    query = m.query(parent).join(key)
    query.select = m.shown(parent).sql + [f"{'MAX' if last else 'MIN'}({at(column)})"]
    query.group = [at(parent.primary)]
    words = {
        "p": m.one(parent), "ps": m.many(parent), "c": m.one(child), "n": m.noun(column),
        "e": m.pick(["last", "latest", "most recent"] if last else ["first", "earliest"]),
    }
    return m.say("""
            {e} {c} {n} [of|for|for] [each|every] {p}
            {e} {n} [of|for] each {p}
            when was the {e} {c} of each {p}
            {e} {c} per {p}
            <lead> [each|every] {p} and [the|its|their] {e} {c} {n}
            when did each {p} have [the|its|their] {e} {c}
            """, **words), query
