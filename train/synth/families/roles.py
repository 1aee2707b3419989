"""Several keys to the same people: reported by, assigned to, closed by; who typed it in and whose it is."""

from families import Pair, family
from filters import condition, joined
from maker import Maker, Skip
from query import at
from schema import AUDIT_WORDS, Column, literal
from words import singular

# what somebody in such a part has done with the thing
DONE = {"owner": "owned by", "author": "written by", "writer": "written by", "reviewer": "reviewed by", "inspector": "inspected by",
        "seller": "sold by", "buyer": "bought by", "sender": "sent by", "manager": "managed by", "teacher": "taught by",
        "lead": "led by", "leader": "led by", "head": "headed by", "signer": "signed by", "approver": "approved by",
        "creator": "created by", "assignee": "assigned to", "reporter": "reported by", "driver": "driven by", "host": "hosted by",
        "tutor": "tutored by", "coach": "coached by", "boss": "supervised by", "editor": "edited by", "dean": "headed by"}


def part(column: Column) -> str:
    """`reported by` of reported_by_id, `assigned to` of assigned_to, `owned by` of owner_id; empty where it cannot be told."""
    words = [w for w in column.words if w not in ("id", "code", "key", "no", "number")]
    for place, word in enumerate(words):
        if word in ("by", "to") and place and words[place - 1].endswith(("ed", "ten", "en", "ld", "sent")):
            return " ".join(words[: place + 1])
    return DONE.get(words[0], "") if words else ""


def parts(m: Maker):
    """A table with at least two keys to one table of people: (key, words) of each."""
    choices = []
    for table in m.schema.tables:
        for people in m.schema.tables:
            keys = [k for k in m.schema.parents(table.id) if m.parent(k) is people and m.names(people)]
            told = [(k, part(m.schema.columns[k.child])) for k in keys]
            told = [(k, words) for k, words in told if words and m.schema.columns[k.child].words[0] != singular(people.words[-1])]
            if len(keys) > 1 and told:
                choices.append((table, people, told))
    return m.pick(choices)


def somebody(m: Maker, people, copy: int = 0) -> tuple[list[str], str]:
    """One of them by name: conditions and words."""
    names = m.names(people)
    values = [m.cell(c) for c in names]
    if not all(isinstance(v, str) for v in values):
        raise Skip
    dice = m.rng.random()
    if len(names) == 2 and dice < 0.3:
        first = m.chance(0.6)
        column, value = (names[0], values[0]) if first else (names[1], values[1])
        return [f"{at(column, copy)} = {literal(value)}"], m.say(
            "{t} with [the|] {n} name {v}\nthe {t} whose {n} name is {v}\n{v}", t=m.one(people), n="first" if first else "last", v=value)
    tests = [f"{at(c, copy)} = {literal(v)}" for c, v in zip(names, values)]
    name = " ".join(values)
    return tests, m.say("{v}\n{v}\n[the|] {t} {v}\n[the|] {t} named {v}", t=m.one(people), v=name if m.chance(0.8) else name.lower())


def things(m: Maker, table) -> tuple[list[str], str]:
    """What is asked for about the things: names, some column, all, how many."""
    names = m.names(table)
    if names and m.chance(0.5):
        return [at(c) for c in names], m.pick(["{cs}", "{cs}", "<lead> the {cs}", "which {cs} are", "what {cs} were"])
    if m.chance(0.5):
        return ["COUNT(*)"], m.pick(["how many {cs} were", "number of {cs}", "how many {cs} are", "count {cs}", "how many {cs}"])
    column = m.pick([c for c in m.plain(table)])
    noun = m.nouns(column)
    return [at(column)], m.pick(["<lead> the " + noun + " of {cs}", noun + " of [all|the|] {cs}", "what are the " + noun + " of {cs} that were"])


@family(6)
def done_by(m: Maker) -> Pair:
    """`orders reported by Anna Berg`, `how many orders were closed by Anna or Ben`, `reported by A and closed by B`."""
    table, people, told = parts(m)
    key, said = m.pick(told)
    query = m.query(table).join(key)
    tests, who = somebody(m, people)
    query.select, front = things(m, table)
    filters = [condition(m, table, simple=True)] if m.chance(0.2) else []
    words = {"cs": joined(m, filters, m.many(table)), "d": said, "x": who}
    dice = m.rng.random()
    if dice < 0.15:
        others = [(k, s) for k, s in told if k is not key]
        other, words["e"] = m.pick(others)
        more, words["y"] = somebody(m, people, 1)
        query.join(other, parent=1)
        query.where = tests + more
        return m.say(f"{front} {{d}} {{x}} and {{e}} {{y}}\n{front} {{d}} {{x}}, {{e}} {{y}}\n{front} {{d}} {{x}} but {{e}} {{y}}", **words), query
    if dice < 0.3:
        more, words["y"] = somebody(m, people)
        if more == tests:
            raise Skip
        query.where = ["(" + " AND ".join(tests) + " OR " + " AND ".join(more) + ")"]
        return m.say(f"{front} {{d}} {{x}} or {{y}}\n{front} {{d}} [either|] {{x}} or [by|] {{y}}".replace("[by|] ", ""), **words), query
    query.where = tests + [f.sql for f in filters]
    return m.say(f"""
        {front} {{d}} {{x}}
        {front} {{d}} {{x}}
        {front} [that were|that are|] {{d}} {{x}}
        """.replace("were that were", "were").replace("are that are", "are"), **words), query


@family(5)
def deeds_by_person(m: Maker) -> Pair:
    """`orders closed per technician`, `who reported the most orders`, `technicians who never closed an order`."""
    table, people, told = parts(m)
    key, said = m.pick(told)
    if not people.primary or key.parent != people.primary.id:
        raise Skip
    names = [at(c) for c in m.names(people)]
    words = {"cs": m.many(table), "c": m.one(table), "ps": m.many(people), "p": m.one(people), "d": said}
    if said.endswith(" by"):
        words["v"] = m.pick(key.hints.yes) if key.hints.yes and m.chance(0.5) else said.removesuffix(" by")
    else:
        words["v"] = "got"
    dice = m.rng.random()
    if dice < 0.3:
        inner = m.query(table)
        inner.select = [at(key.child)]
        if m.schema.columns[key.child].nullable:
            inner.where = [f"{at(key.child)} IS NOT NULL"]
        query = m.query(people)
        query.select, query.where = names, [f"{at(people.primary)} NOT IN ({inner.sql()})"]
        return m.say("""
            {ps} [who|that] never {v} [a|any] {c}
            {ps} with no {cs} {d} them
            who [never|hasnt|has not|hasn't] {v} [a|any] {c}
            which {ps} have not {v} any {cs}
            {ps} no {c} was {d}
            {ps} who [didnt|didn't|did not] {v} any {cs}
            """ if words["v"] != "got" else """
            {ps} with no {cs} {d} them
            {ps} no {c} is {d}
            which {ps} have no {cs} {d} them
            """, **words), query
    query = m.query(people).join(key)
    query.group = [at(people.primary)]
    if dice < 0.6:
        query.select = names + ["COUNT(*)"]
        return m.say("""
            number of {cs} {d} [each|every] {p}
            how many {cs} were {d} [each|every] {p}
            {cs} {d} each {p}
            for each {p}, the number of {cs} {d} them
            <lead> {ps} and the number of {cs} {d} them
            """, **words), query
    query.select = names
    query.order, query.limit = ["COUNT(*) DESC"], 1
    return m.say("""
        who {v} the most {cs}
        which {p} {v} the most {cs}
        {p} [who|that] {v} the most {cs}
        <lead> the {p} who {v} the most {cs}
        {p} with the most {cs} {d} them
        """, **words), query


@family(4)
def not_the_same(m: Maker) -> Pair:
    """`orders created by someone else than the owner`: two keys compared."""
    table, people, told = parts(m)
    if len(told) < 2:
        raise Skip
    (key, said), (other, second) = m.rng.sample(told, 2)
    same = m.chance(0.35)
    query = m.query(table)
    query.where = [f"{at(key.child)} {'=' if same else '<>'} {at(other.child)}"]
    query.select, front = (["COUNT(*)"], m.pick(["how many {cs} were", "number of {cs}", "how many {cs} are"])) if m.chance(0.3) else (
        m.rows(table, "*"), m.pick(["{cs}", "{cs}", "<lead> <the> {cs}", "which {cs} were", "all {cs}"]))
    role = m.pick(other.hints.nouns) if other.hints.nouns else ""
    words = {"cs": m.many(table), "d": said, "e": second, "r": role, "one": m.pick(["person", "one", m.one(people), "same person"])}
    if same:
        lines = f"{front} {{d}} the same {m.one(people)} [they|that] [are|were|] {{e}}\n{front} {{d}} and {{e}} the same [person|{m.one(people)}|one]"
        if role:
            lines += f"\n{front} {{d}} [their|the] {{r}} [themselves|himself|]\n{front} {{d}} the {{r}}"
        return m.say(lines, **words), query
    lines = f"""
        {front} {{d}} [someone|somebody|another {m.one(people)}|a different person|anyone] [else|other] than {{e}}
        {front} not {{d}} and {{e}} the same person
        {front} {{d}} and {{e}} different people
        """.replace("[else|other] than {e}", "and {e} another")
    if role:
        lines += f"""
            {front} {{d}} [someone else than|somebody else than|someone other than|somebody other than|other people than] [the|their|its] {{r}}
            {front} {{d}} [someone|somebody] [else|who is not|other than] the {{r}}
            {front} not {{d}} [the|their|its] {{r}}
            """.replace("[someone|somebody] [else|who is not|other than]", "[someone who is not|somebody other than]")
    return m.say(lines, **words), query


@family(4)
def whose_it_is(m: Maker) -> Pair:
    """Beside created_by: `deals of each rep` means the owner; the other key has to be named."""
    keys = [k for k in m.schema.main_keys if m.names(m.parent(k)) and m.parent(k).primary and any(
        o is not k and m.child(o) is m.child(k) and m.parent(o) is m.parent(k)
        and AUDIT_WORDS & set(m.schema.columns[o.child].words) for o in m.schema.keys)]
    key = m.pick(keys)
    table, people = m.child(key), m.parent(key)
    names = [at(c) for c in m.names(people)]
    words = {"cs": m.many(table), "c": m.one(table), "ps": m.many(people), "p": m.one(people)}
    dice = m.rng.random()
    if dice < 0.35:
        inner = m.query(table)
        inner.select = [at(key.child)]
        if m.schema.columns[key.child].nullable:
            inner.where = [f"{at(key.child)} IS NOT NULL"]
        query = m.query(people)
        query.select, query.where = names, [f"{at(people.primary)} NOT IN ({inner.sql()})"]
        return m.say("{ps} [with no|without|without any] {cs}\nwhich {ps} have no {cs}\n{ps} who [dont|don't|do not] have any {cs}\n<lead> {ps} w/o {cs}", **words), query
    query = m.query(people).join(key)
    if dice < 0.65:
        tests, words["x"] = somebody(m, people)
        query.where = tests
        query.select = ["COUNT(*)"] if m.chance(0.5) else m.rows(table, "T2.*")
        lead = "[how many|number of|count the]" if query.select == ["COUNT(*)"] else "[<lead>|all|]"
        return m.say(f"{lead} {{cs}} of {{x}}\n{lead} {{cs}} [belonging to|that belong to|for] {{x}}", **words), query
    total, noun = "COUNT(*)", "{cs}"
    if m.measures(table) and m.chance(0.5):
        measure = m.measure(table)
        total, noun = f"SUM({measure.sql})", measure.noun
    query.group, query.select = [at(people.primary)], names + [total]
    if m.chance(0.5):
        query.order, query.limit = [f"{total} DESC"], m.limit()
        return m.say(f"top {{k}} {{ps}} by {'number of ' if noun == '{cs}' else ''}{noun}", k=query.limit, **words), query
    return m.say(f"{noun} [per|by|for each] {{p}}\n[total|] {noun} of [each|every] {{p}}", **words), query


@family(4)
def parts_in_sets(m: Maker) -> Pair:
    """`who reported orders of X but not of Y`, `products with problems reported by both A and B`."""
    table, people, told = parts(m)
    key, said = m.pick(told)
    ways = [k for k in m.schema.main_keys if m.child(k) is table and len(m.names(m.parent(k))) == 1 and m.parent(k) is not people]
    way = m.pick(ways)
    home = m.parent(way)
    column = m.names(home)[0]
    sign, word = m.pick([("INTERSECT", "both"), ("EXCEPT", "but")])
    words = {"cs": m.many(table), "d": said, "ps": m.many(people), "hs": m.many(home), "h": m.one(home)}
    sides = []
    if m.chance(0.5) and said.endswith(" by"):
        x, y = m.cell(column), m.cell(column)
        if x == y:
            raise Skip
        for value in (x, y):
            query = m.query(table).join(key).join(way)
            query.select, query.where = [at(c) for c in m.names(people)], [f"{at(column)} = {literal(value)}"]
            sides.append(query.sql())
        words |= {"x": x, "y": y, "v": said.removesuffix(" by")}
        return m.say("""
            {ps} who {v} {cs} [of|for|from] both {x} and {y}
            who {v} {cs} [of|for] {x} and also [of|for] {y}
            names of {ps} who {v} {cs} of [the {h}|] {x} as well as {y}
            which {ps} {v} {cs} of both the {h} {x} and the {h} {y}
            """ if word == "both" else """
            {ps} who {v} {cs} [of|for|from] {x} but not {y}
            who {v} {cs} [of|for] {x} but not [of|for] {y}
            names of {ps} who {v} {cs} of [the {h}|] {x} but not {y}
            which {ps} {v} {cs} of {x} but [didnt|did not] of {y}
            """, **words), f" {sign} ".join(sides)
    for name in "xy":
        query = m.query(home).join(way).join(key)
        tests, words[name] = somebody(m, people)
        query.select, query.where = [at(column)], tests
        sides.append(query.sql())
    if sides[0] == sides[1]:
        raise Skip
    return m.say("""
        {hs} with {cs} {d} both {x} and {y}
        {hs} that have {cs} {d} {x} and also by {y}
        which {hs} have {cs} {d} both {x} and {y}
        find the {hs} which have {cs} {d} both {x} and {y}
        """.replace("and also by {y}", "as well as {y}") if word == "both" else """
        {hs} with {cs} {d} {x} but not {y}
        which {hs} have {cs} {d} {x} but none {d} {y}
        names of {hs} with {cs} {d} {x} but not {d} {y}
        {hs} that have {cs} {d} {x}, but not {y}
        """, **words), f" {sign} ".join(sides)
