"""Several tables between the same two things: the verb says which (registered for, attended, never rated)."""

from families import Pair, family
from families.contrasts import named
from families.keys import identity
from filters import joined, some
from maker import Maker, Skip
from query import at
from words import plural_phrase, singular

# what is done where a row of the table stands: by the table's last word
VERBS = {
    "registration": ["registered for", "signed up for"], "attendance": ["attended"], "enrollment": ["enrolled in"], "enrolment": ["enrolled in"],
    "booking": ["booked"], "order": ["ordered"], "purchase": ["bought", "purchased"], "review": ["reviewed"], "rating": ["rated"],
    "visit": ["visited"], "like": ["liked"], "loan": ["borrowed"], "rental": ["rented"], "appointment": ["had an appointment with"],
    "prescribes": ["prescribed something to"], "undergoes": ["treated"], "payment": ["paid"], "viewing": ["viewed"], "reservation": ["reserved"],
    "result": ["finished in"], "qualifying": ["qualified in"], "stops": ["made pit stops in"], "member": ["are members of"],
    "train": ["are trained in"], "application": ["applied to"], "vote": ["voted for"], "follow": ["follow"],
}


def links(m: Maker) -> dict:
    """(left, right) -> the ways between them, only where there are several."""
    found: dict = {}
    for a in m.schema.main_keys:
        for b in m.schema.main_keys:
            if a is not b and m.child(a) is m.child(b) and len({m.child(a).id, m.parent(a).id, m.parent(b).id}) == 3:
                found.setdefault((m.parent(a).id, m.parent(b).id), []).append((a, b))
    return {ends: ways for ends, ways in found.items() if len(ways) > 1}


VAGUE = {"made", "did", "have", "had", "submitted", "signed"}  # say nothing about which of the links is meant


def verbs(m: Maker, way) -> list[str]:
    """What the left of a link does to the right; only those that act have any."""
    a, b = way
    if a.hints.yes:
        return [verb for verb in a.hints.yes if verb not in VAGUE]
    if m.schema.own or not m.people(m.parent(a)) or m.people(m.parent(b)):
        return []
    return VERBS.get(singular(m.child(a).words[-1]), [])


@family(12)
def by_verb(m: Maker) -> Pair:
    ways = [way for several in links(m).values() for way in several if verbs(m, way)]
    a, b = m.pick(ways)
    middle, left, right = m.child(a), m.parent(a), m.parent(b)
    if not m.names(left) or not m.names(right) or not left.primary or left.primary.id != a.parent or not right.primary:
        raise Skip
    verb = m.pick(verbs(m, (a, b)))
    rows = plural_phrase(m.table_noun(middle))
    who = m.pick(["who", "that"]) if m.people(left) else "that"
    words = {"ls": m.many(left), "l": m.one(left), "rs": m.many(right), "r": m.one(right), "v": verb, "w": who, "ms": rows}
    shown = m.shown(left)
    dice = m.rng.random()
    if dice < 0.3:  # never
        inner = m.query(middle)
        inner.select = [at(a.child)]
        query = m.query(left)
        query.select = shown.sql
        query.where = [f"{at(a.parent)} NOT IN ({inner.sql()})"]
        if m.chance(0.25):
            query.select = ["COUNT(*)"]
            return m.say("how many {ls} [have|] never {v} [a|any] {r}\nnumber of {ls} {w} [have|] never {v} a {r}\nhow many {ls} have not {v} any {r}\ncount {ls} without [any|] {ms}", **words), query
        return m.say("""
            {ls} {w} [have|] never {v} [a|any] {r}
            [who|which {ls}] [has|have] never {v} [a|any] {r}
            <lead> <the> {ls} {w} [haven't|have not|havent] {v} [any {rs}|a {r}] [yet|]
            <lead> <the> {ls} <without> {ms}
            {ls} {w} have {v} no {r}
            which {ls} [never|have never] {v} anything
            """, **words), query
    if dice < 0.55:  # of one
        where, said = named(m, right)
        query = m.query(left).join(a).join(b)
        query.where, query.select, query.distinct = where, shown.sql, m.chance(0.5)
        if m.chance(0.25):
            query.select, query.distinct = [f"COUNT(DISTINCT {at(left.primary)})"], False
            return m.say("how many [different|distinct|] {ls} {v} {x}\nnumber of [different|] {ls} {w} {v} {x}", x=said, **words), query
        return m.say("""
            {ls} {w} {v} {x}
            who {v} {x}
            which {ls} {v} {x}
            <lead> <the> {ls} {w} {v} {x}
            <lead> the {s} of {ls} {w} {v} {x}
            """, x=said, s=shown.noun, **words), query
    if dice < 0.7:  # what one did
        where, said = named(m, left)
        query = m.query(right).join(b).join(a)
        query.where, query.select, query.distinct = where, m.shown(right).sql, m.chance(0.5)
        if m.chance(0.3):
            query = m.query(middle).join(a)
            query.where, query.select = where, ["COUNT(*)"]
            return m.say("how many {rs} [has|] {x} {v}\nhow many {ms} does {x} have\nnumber of {ms} [of|for] {x}\nhow many {rs} were {v} by {x}"
                         if " " not in verb else "how many {rs} has {x} {v}\nhow many {ms} does {x} have\nnumber of {ms} [of|for] {x}", x=said, **words), query
        return m.say("[which|what] {rs} [has|did|] {x} {v}\n{rs} [that|] {x} {v}\n<lead> <the> {rs} [that|] {x} {v}\n{rs} {v} by {x}"
                     if " " not in verb else "[which|what] {rs} [has|] {x} {v}\n{rs} [that|] {x} {v}\n<lead> <the> {rs} [that|] {x} {v}", x=said, **words), query
    if dice < 0.85:  # the most
        one = m.chance(0.5)
        query = m.query(left).join(a)
        query.select, query.group, query.order, query.limit = shown.sql, [identity(m, left)], ["COUNT(*) DESC"], 1
        if not one:
            query.select, query.order, query.limit = shown.sql + ["COUNT(*)"], [], None
            return m.say("{ms} [per|by|of each] {l}\nhow many {rs} has each {l} {v}\n<lead> each {l} and how many {rs} they {v}\nnumber of {ms} [per|for each] {l}", **words), query
        return m.say("[who|which {l}] {v} the most {rs}\n{l} with [the|] most {ms}\n<lead> the {l} {w} {v} the most {rs}\nwho has the most {ms}", **words), query
    others = [way for way in links(m).get((left.id, right.id), []) if m.child(way[0]) is not middle and verbs(m, way)]
    other = m.pick(others)
    inner = m.query(m.child(other[0]))
    inner.select = [at(other[0].child)]
    query = m.query(left).join(a)
    query.select, query.distinct = shown.sql, True
    without = m.chance(0.7)
    query.where = [f"{at(a.parent)} {'NOT IN' if without else 'IN'} ({inner.sql()})"]
    words["u"] = m.pick(verbs(m, other))
    return m.say("""
        {ls} {w} {v} a {r} but [never|have not|didn't ever] {u} [one|any]
        which {ls} {v} [a {r}|something] but never {u} [anything|any {r}]
        <lead> <the> {ls} {w} {v} but never {u} [a|any] {r}
        """ if without else """
        {ls} {w} {v} a {r} and also {u} one
        which {ls} both {v} and {u} [a|any] {r}
        <lead> <the> {ls} {w} {v} and {u} {rs}
        """, **words), query


@family(4)
def by_verb_with_condition(m: Maker) -> Pair:
    """`who attended a workshop in 2024`: the condition belongs to the link or to what it leads to."""
    ways = [way for several in links(m).values() for way in several if verbs(m, way)]
    a, b = m.pick(ways)
    left, right = m.parent(a), m.parent(b)
    if not m.names(left):
        raise Skip
    filters = some(m, right, 0.1, simple=True)
    query = m.query(left).join(a).join(b)
    shown = m.shown(left)
    query.select, query.where, query.distinct = shown.sql, [f.sql for f in filters], m.chance(0.6)
    who = m.pick(["who", "that"]) if m.people(left) else "that"
    return m.say("""
        {ls} {w} {v} {x}
        which {ls} {v} {x}
        <lead> <the> {ls} {w} {v} {x}
        <lead> the {s} of [all|the|] {ls} {w} [have|] {v} {x}
        who {v} {x}
        what are the {s} of {ls} {w} {v} {x}
        """, ls=m.many(left), w=who, v=m.pick(verbs(m, (a, b))), x=joined(m, filters, m.many(right)), s=shown.noun), query
