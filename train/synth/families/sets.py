"""Over three tables: both of two, this but not that, and everything somebody has not done, as people type it."""

from families import Pair, family
from families.keys import bridge_of
from filters import condition, joined
from maker import Maker, Skip
from query import at
from schema import literal

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
