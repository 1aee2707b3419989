"""Over three tables: both of two, this but not that, and everything somebody has not done, as people type it."""

from families import Pair, family
from families.analytic import star
from families.keys import bridge_of
from filters import condition, joined
from maker import Maker, Skip
from query import at
from schema import literal
from words import plural_phrase

NEVER = ("[hasnt|hasn't|has not|never|has never]", "[havent|haven't|have not|never|have never]")


def chain(m: Maker):
    """Things, what links them to others, and a named other: keys, tables, the column that tells the other."""
    a, b, middle, left, right = bridge_of(m)
    columns = [c for c in right.of_kind("name", "category", "name") if len(c.values) > 1 and all(isinstance(v, str) for v in c.values)]
    return a, b, middle, left, right, m.pick(columns)


def verb(m: Maker, a, b) -> str:
    if a.hints.yes and m.chance(0.8):
        return m.pick(a.hints.yes)
    return m.pick(["had", "have", "had", "used"])


def side(m: Maker, a, b, left, column, value) -> str:
    query = m.query(left).join(a).join(b)
    query.select, query.where = [at(c) for c in m.names(left)], [f"{at(column)} = {literal(value)}"]
    return query.sql()


@family(6)
def both_or_not(m: Maker) -> Pair:
    """`readers who borrowed both X and Y`, `X but not Y`, `X or Y`."""
    a, b, middle, left, right, column = chain(m)
    x, y = m.cell(column), m.cell(column)
    if x == y:
        raise Skip
    kind = column.kind == "category"
    words = {"ls": m.many(left), "x": x, "y": y, "v": verb(m, a, b), "rs": m.many(right), "r": m.one(right),
             "n": m.pick(["names", "name"]), "c": m.noun(column), "who": m.pick(["who", "that"])}
    thing = m.pick(["{x} {rs}|{y} {rs}", "{x}|{y}", "{rs} of {c} {x}|{rs} of {c} {y}", "{rs} with {c} {x}|{y}"] if kind else
                   ["{x}|{y}", "the {r} {x}|the {r} {y}", "{x}|{y}", "{r} {x}|{y}", "the {r} named {x}|{y}"])
    words["x"], words["y"] = (part.format_map(words) for part in thing.split("|"))
    dice = m.rng.random()
    if dice < 0.4:
        return m.say("""
            {ls} {who} {v} both {x} and {y}
            {ls} {who} {v} {x} and also {y}
            {n} of {ls} {who} {v} {x} as well as {y}
            which {ls} {v} both {x} and {y}
            <lead> the {n} of {ls} with both {x} and {y}
            {ls} with {x} and {y} both
            {ls} {who} {v} {x} and {y}
            """, **words), f"{side(m, a, b, left, column, x)} INTERSECT {side(m, a, b, left, column, y)}"
    if dice < 0.75:
        return m.say("""
            {ls} {who} {v} {x} but not {y}
            {ls} with {x} but [without|not] {y}
            {n} of {ls} {who} {v} {x} but [never|didnt|did not] {v} {y}
            which {ls} {v} {x} but not {y}
            <lead> the {n} of {ls} {who} {v} {x} but no {y}
            {ls} {who} {v} {x} and not {y}
            """, **words), f"{side(m, a, b, left, column, x)} EXCEPT {side(m, a, b, left, column, y)}"
    query = m.query(left).join(a).join(b)
    query.select, query.distinct = [at(c) for c in m.names(left)], True
    query.where = [f"{at(column)} IN ({literal(x)}, {literal(y)})"]
    return m.say("""
        {ls} {who} {v} {x} or {y}
        {ls} with [either|] {x} or {y}
        {n} of {ls} {who} {v} either {x} or {y}
        which {ls} {v} {x} or {y}
        <lead> the {n} of {ls} {who} {v} {x} or {y}
        """, **words), query


@family(7)
def not_done(m: Maker) -> Pair:
    """`who hasnt done fire drill`, `shipments not carrying any chemicals`, and the same without `not`."""
    a, b, middle, left, right, column = chain(m)
    value = m.cell(column)
    inner = m.query(middle).join(b)
    inner.select, inner.where = [at(a.child)], [f"{at(column)} = {literal(value)}"]
    if m.schema.columns[a.child].nullable:
        inner.where.append(f"{at(a.child)} IS NOT NULL")
    query = m.query(left)
    negative = m.chance(0.75)
    query.where = [f"{at(left.primary)} {'NOT IN' if negative else 'IN'} ({inner.sql()})"]
    query.select = m.rows(left, "*")
    count = m.chance(0.25)
    if count:
        query.select = ["COUNT(*)"]
    filters = [condition(m, left, simple=True)] if m.chance(0.15) else []
    query.where += [f.sql for f in filters]
    word = str(value) if m.chance(0.5) else str(value).lower()
    kind = column.kind == "category"
    words = {"ls": joined(m, filters, m.many(left)), "l": m.one(left), "v": verb(m, a, b), "rs": m.many(right), "r": m.one(right), "ms": m.many(middle),
             "who": m.pick(["who", "that"]), "one": m.say(NEVER[0]), "many": m.say(NEVER[1]), "q": "how many" if count else m.pick(["which", "what"])}
    words["x"] = m.pick([f"any {word} {words['rs']}", f"{word} {words['rs']}", f"{word}", f"any {word}"] if kind else
                        [word, word, f"the {word} {words['r']}", f"{words['r']} {word}"])
    if not negative:
        return m.say("""
            {q} {ls} {v} {x}
            {q} {ls} have [done|had|] {x}
            {ls} {who} {v} {x}
            {ls} {who} have {x}
            {ls} with {x}
            """ if not count else """
            how many {ls} {v} {x}
            number of {ls} {who} {v} {x}
            how many {ls} have {x}
            """, **words), query
    if count:
        return m.say("""
            how many {ls} {many} {v} {x}
            number of {ls} <without> {x}
            how many {ls} [didnt|didn't|did not] have {x}
            how many {ls} have no {x}
            count {ls} w/o {x}
            """, **words), query
    lines = """
        {q} {ls} {many} {v} {x}
        {ls} {who} {many} {v} {x}
        {ls} {who} [didnt|didn't|did not|dont|don't|do not] have {x}
        {ls} [without|w/o|with no|not having] {x}
        {ls} not [with|having] {x}
        {q} {ls} [didnt|did not|never] have {x}
        {ls} {who} never {v} {x}
        {ls} missing {x}
        """
    if m.people(left):
        lines += """
            who {one} {v} {x}
            who {one} done {x}
            who [didnt|didn't|did not] [do|have|get|take] {x}
            who [never|hasnt] had {x}
            names of {ls} who {many} {v} {x}
            who is missing {x}
            """
    else:
        lines += "\n{ls} not [carrying|containing|using|including] {x}\n{ls} that [dont|do not] [contain|include|use] {x}"
    return m.say(lines, **words), query


@family(4)
def with_their(m: Maker) -> Pair:
    """`branches in munich with their managers`: the thing and one thing more."""
    table = m.table(lambda t: m.names(t))
    filters = [condition(m, table, simple=True)]
    query = m.query(table)
    query.where = [f.sql for f in filters]
    names = [at(c) for c in m.names(table)]
    keys = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k))]
    if keys and m.chance(0.45):
        key = m.pick(keys)
        query.join(key)
        extra, noun = [at(c) for c in m.names(m.parent(key))], m.one(m.parent(key))
    else:
        column = m.pick([c for c in m.plain(table) if c not in m.names(table) and c is not filters[0].column])
        extra, noun = [at(column)], m.noun(column)
    query.select = names + extra
    words = {"ts": joined(m, filters, m.many(table)), "n": noun}
    return m.say("""
        {ts} with their {n}
        {ts} and their {n}
        <lead> [the|all|] {ts} with [their|the|] {n}
        {ts} including [their|the] {n}
        {ts}, with {n}
        which {ts} [are there|do we have] and what is their {n}
        {ts} plus {n}
        """, **words), query


@family(5)
def two_ends(m: Maker) -> Pair:
    """`names of readers who took some course and the course title`: two ends of a chain, whatever shorter ways there are."""
    found = star(m)
    pairs = [(t, p, u, q) for t, p in found.near for u, q in found.near if t is not u and p[0] is not q[0] and m.names(t) and len(p) == 1 and len(q) < 3]
    left, way, right, far = m.pick(pairs)
    query = found.query
    for key in [*way, *far]:
        query.join(key)
    names = m.names(left)
    column = m.pick(m.names(right) or m.plain(right)) if m.chance(0.5) else m.pick(m.plain(right))
    first = len(names) == 2 and m.chance(0.3)
    shown = [at(c) for c in (names[:1] if first else names)]
    words = {"ls": m.many(left), "l": m.one(left), "rs": m.many(right), "r": m.one(right), "cs": m.many(found.base), "c": m.noun(column),
             "n": "first names" if first else m.pick(["names", "name", "names"]), "v": verb(m, way[0], far[0]), "who": m.pick(["who", "that"])}
    dice = m.rng.random()
    if dice < 0.4:
        query.select = shown + [at(column)]
        return m.say("""
            {n} of [all|the|] {ls} {who} {v} [a|some] {r} and the {r} {c}
            [find|show|list|] the {n} of {ls} {who} {v} some {r} and the {c} of the {r}
            what are the {n} of [all|the|] {ls} {who} {v} a {r} and the corresponding {r} {c}
            {n} of {ls} with the {c} of their {rs}
            <lead> {ls} and the {c} of [the|their] {rs} [they {v}|]
            """.replace("[they {v}|]", ""), **words), query
    if dice < 0.7:
        tests, values = [], []
        for name in names[:1] if first else names:
            value = m.cell(name)
            tests.append(f"{at(name)} = {literal(value)}")
            values.append(str(value))
        query.where, query.select, query.distinct = tests, [at(column)], m.chance(0.3)
        return m.say("""
            [what is|what are|find|show|] the {c} of the {rs} [which|that] [the {l}|] {x} {v}
            {c} of [the|all|] {rs} [of|for] [the {l}|] {x}
            {r} {c} of [the {l}|] {x}
            which {rs} [did|does] {x} have, and what is their {c}
            [find|list] the {c} of every {r} [that|] {x} {v}
            """.replace("which {rs} [did|does] {x} have, and what is their {c}", "{x}'s {rs}, their {c}"), x=" ".join(values), **words), query
    one = condition(m, right, simple=True)
    query.where = [one.sql]
    query.select, query.distinct = shown, True
    words["f"] = joined(m, [one], m.one(right) if m.chance(0.5) else m.many(right))
    if m.chance(0.25):
        query = m.query(found.base)  # nothing of the other end is needed
        for key in far:
            query.join(key)
        query.select, query.where = ["COUNT(*)"], [one.sql]
        return m.say("how many {cs} [are there|] [for|of|with] {f}\nnumber of {cs} [for|of|with] {f}\ncount [the|] {cs} of {f}", **words), query
    return m.say("""
        {n} of {ls} {who} {v} [a|the|some|] {f}
        [find|show|list|] the [different|distinct|] {n} of [all|the|] {ls} with {f}
        what are the [different|] {n} of {ls} {who} {v} {f}
        {ls} {who} {v} [any|some|a|] {f}
        which {ls} {v} [a|the|] {f}
        """, **words), query


@family(4)
def same_row(m: Maker) -> Pair:
    """`customers having an order with method X and status Y`: both of one order, which is no INTERSECT."""
    key = m.pick([k for k in m.schema.main_keys if m.names(m.parent(k)) and not m.schema.columns[k.child].primary])
    child, parent = m.child(key), m.parent(key)
    a, b = condition(m, child, simple=True), condition(m, child, simple=True)
    if a.column is b.column or a.either or b.either:
        raise Skip
    query = m.query(parent).join(key)
    query.where, query.distinct = [a.sql, b.sql], m.chance(0.6)
    query.select = [at(c) for c in m.names(parent)]
    words = {"ps": m.many(parent), "x": joined(m, [a, b], m.many(child)), "y": joined(m, [a, b], m.one(child)), "who": m.pick(["who", "that"]),
             "v": m.pick(key.hints.yes) if key.hints.yes else "have"}
    return m.say("""
        {ps} {who} {v} {x}
        {ps} [with|having] [a|an|] {y}
        names of {ps} {who} {v} {x}
        <lead> the names of {ps} [having|with] [a|an|] {y}
        which {ps} {v} [a|] {y}
        {ps} with {x}
        """, **words), query


@family(4)
def both_years(m: Maker) -> Pair:
    """`teams that played in both 2005 and 2007`, `years with shows inside and outside of Rome`."""
    if m.chance(0.35):
        table = m.table(lambda t: len(t.of_kind("category", "year")) > 1)
        shown, told = m.rng.sample(table.of_kind("category", "year"), 2)
        value = m.cell(told)
        sides = []
        for sign in ("=", "!="):
            query = m.query(table)
            query.select, query.where = [at(shown)], [f"{at(told)} {sign} {literal(value)}"]
            sides.append(query.sql())
        words = {"ns": plural_phrase(m.noun(shown)), "ts": m.many(table), "x": value, "c": m.noun(told)}
        return m.say("""
            {ns} with {ts} [both|] of {c} {x} and of [another|other|a different] {c}
            {ns} that have both {ts} with {c} {x} and {ts} with {c} other than {x}
            which {ns} have {ts} both [inside|in] {x} and [outside|not in|outside of] {x}
            {ns} with {ts} [inside|in] and [outside|not in] {x}
            in which {ns} are there {ts} both {x} and not {x}
            """, **words), " INTERSECT ".join(sides)
    keys = [k for k in m.schema.main_keys if m.names(m.parent(k)) and not m.schema.columns[k.child].primary
            and m.child(k).of_kind("year", "category")]
    key = m.pick(keys)
    child, parent = m.child(key), m.parent(key)
    column = m.pick(child.of_kind("year") or child.of_kind("category"))
    x, y = m.cell(column), m.cell(column)
    if x == y:
        raise Skip
    sides = []
    for value in (x, y):
        query = m.query(parent).join(key)
        query.select, query.where = [at(c) for c in m.names(parent)], [f"{at(column)} = {literal(value)}"]
        sides.append(query.sql())
    if column.kind == "year" and x > y:
        x, y = y, x
        sides.reverse()
    words = {"ps": m.many(parent), "cs": m.many(child), "x": x, "y": y, "in": "in " if column.kind == "year" else "", "who": m.pick(["who", "that"]),
             "v": m.pick(key.hints.yes) if key.hints.yes else "had", "n": m.noun(column)}
    if m.chance(0.3):
        return m.say("""
            {ps} {who} {v} {cs} {in}{x} but not {in}{y}
            {ps} with {cs} {in}{x} but not {in}{y}
            names of {ps} with {cs} {in}{x} but [none|not] {in}{y}
            which {ps} had {cs} {in}{x} but not {in}{y}
            """ if column.kind == "year" else """
            {ps} with {x} {cs} but [no|not] {y} ones
            {ps} with {x} {cs} but no {y} {cs}
            names of {ps} {who} {v} {cs} of {n} {x} but not {y}
            which {ps} have {x} but no {y} {cs}
            """, **words), " EXCEPT ".join(sides)
    return m.say("""
        {ps} {who} {v} {cs} in both {x} and {y}
        {ps} with {cs} [both|] in {x} and in {y}
        names of {ps} {who} {v} {cs} both in {x} and {y}
        which {ps} had {cs} in {x} as well as in {y}
        <lead> the names of {ps} with {cs} in both {x} and {y}
        """ if column.kind == "year" else """
        {ps} with both {x} and {y} {cs}
        {ps} {who} {v} {x} {cs} and also {y} {cs}
        names of {ps} with {cs} of {n} {x} and of {n} {y}
        which {ps} have both {x} and {y} {cs}
        <lead> the names of {ps} with both {n} {x} and {n} {y} {cs}
        """, **words), " INTERSECT ".join(sides)
