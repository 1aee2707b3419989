"""A table with itself (managers, mentors), and two keys from one table to another."""

from families import Pair, family
from filters import joined, some
from maker import Maker, Skip
from query import Source, at
from schema import key_words, literal
from words import singular

BOSSES = {"manager": ("manage", "reports"), "boss": ("lead", "reports"), "chief": ("lead", "subordinates"), "mentor": ("mentor", "mentees"),
          "coach": ("coach", "trainees"), "supervisor": ("supervise", "subordinates"), "parent": ("contain", "children"), "head": ("lead", "subordinates")}


def role_of(m: Maker, key) -> str:
    """`manager` from `manager_id`, `referrer` from hints."""
    if key.hints.nouns and m.chance(0.5):
        return m.pick(key.hints.nouns)
    words = [w for w in m.schema.columns[key.child].words if w not in ("id", "key", "no", "code", "to")]
    if not words:
        raise Skip
    role = {
        "reports": "manager", "report": "manager", "referred by": "referrer",
    }.get(" ".join(words), " ".join(words))
    return role


def own_key(m: Maker):
    others = [[singular(w) for w in t.words] for t in m.schema.tables]
    keys = [k for k in m.schema.keys if m.child(k) is m.parent(k) and key_words(m.schema.columns[k.child]) not in others]  # some are declared wrong
    key = m.pick(keys)
    table = m.child(key)
    if not m.names(table):
        raise Skip
    return key, table


@family(6)
def bosses(m: Maker) -> Pair:
    """Who is the manager of whom; who leads the most; who has none."""
    key, table = own_key(m)
    role = role_of(m, key)
    verb = m.pick(key.hints.yes) if key.hints.yes else BOSSES.get(role, ("lead", "subordinates"))[0]
    words = {
        "r": role, "ts": m.many(table), "t": m.one(table), "v": verb,
        "who": "who" if m.people(table) else f"which {m.one(table)}",
    }
    dice = m.rng.random()
    if dice < 0.2:
        query = m.query(table)
        query.select, query.where = m.shown(table).sql, [f"{at(key.child)} IS NULL"]
        if m.chance(0.3):
            query.select = ["COUNT(*)"]
            return m.say("""
                    how many {ts} have no {r}
                    <count> {ts} without [a|] {r}
                    count [the|] {ts} <without> {r}
                    how many {ts} are without [a|] {r}
                    {ts} without {r} count
                    how many {ts} [don't|do not] have a {r}
                    """, **words), query
        return m.say("""
                {ts} without [a|any|] {r}
                {who} has no {r}
                <lead> <the> {ts} <without> {r}
                which {ts} have no {r}
                {ts} [who|that] [don't|do not] have a {r}
                {ts} with no {r}
                """, **words), query
    query = m.query(table)
    query.sources.append(Source(table, 1, f"{at(key.child)} = {at(key.parent, 1)}"))  # the boss
    if dice < 0.45:
        query.select = m.shown(table).sql + m.shown(table, 1).sql
        return m.say("""
                who is the {r} of [each|every] {t}
                <lead> [all|the|] {ts} [with|and] their {r}
                {ts} and their {r}
                {ts} with [their|the] {r} name
                [each|every] {t} and [the|their] {r}
                name of [each|every] {t} and their {r}
                """, **words), query
    if dice < 0.55:
        name = m.names(table)[0]
        value = m.cell(name)
        if not isinstance(value, str):
            raise Skip
        quoted = value.replace("'", "''")
        words["x"] = value
        if m.chance(0.5):
            query.select, query.where = m.shown(table, 1).sql, [f"{at(name)} = '{quoted}'"]
            return m.say("""
                    who is the {r} of {x}
                    {x}'s {r}
                    {r} of {x}
                    who [is|was] {x}'s {r}
                    <lead> the {r} of {t} {x}
                    name of the {r} of {x}
                    """, **words), query
        query.select, query.where = m.shown(table).sql, [f"{at(name, 1)} = '{quoted}'"]
        return m.say("""
                {ts} whose {r} is {x}
                who [has|have] {x} as {r}
                <lead> {ts} with {r} {x}
                which {ts} does {x} {v}
                {ts} of {r} {x}
                which {ts} have {x} as [their|] {r}
                """, **words), query
    if dice < 0.8:
        query.select, query.group = m.shown(table, 1).sql, [at(key.parent, 1)]
        if m.chance(0.5):
            query.order, query.limit = ["COUNT(*) DESC"], 1 if m.chance(0.7) else m.limit()
            words["k"] = "" if query.limit == 1 else m.number_word(query.limit)
            if query.limit > 1 and m.chance(0.5):
                query.select.append("COUNT(*)")
                return m.say("""
                        top {k} {r}s by number of {ts}
                        {k} {r}s with the most {ts}, with the number
                        """, **words), query
            return m.say("""
                    who {v}s the most {ts}
                    {k} {r} with the most {ts}
                    which {r} [has|have] the most {ts}
                    who is the {r} of the most {ts}
                    <lead> the {k} {r} with the most {ts}
                    which {t} {v}s the most [other|] {ts}
                    """ if query.limit == 1 else """
                    {k} {r}s with the most {ts}
                    which {k} {r}s have the most {ts}
                    <lead> the {k} {r}s with the most {ts}
                    """, **words), query
        if m.chance(0.4):
            number = m.rng.choice([1, 2, 3, 4, 5])
            query.having = f"COUNT(*) > {number}"
            words["n"] = m.number_word(number)
            return m.say("""
                    {r}s with more than {n} {ts}
                    who {v}s more than {n} {ts}
                    which {r}s have more than {n} {ts}
                    <lead> {r}s of more than {n} {ts}
                    {r}s that {v} more than {n} {ts}
                    {ts} who {v} more than {n} {ts}
                    """, **words), query
        query.select.append("COUNT(*)")
        return m.say("""
                number of {ts} per {r}
                {ts} per {r}
                how many {ts} does each {r} {v}
                <lead> each {r} and the number of {ts} [they|] {v}
                {t} count by {r}
                how many {ts} [are there|] per {r}
                """, **words), query
    column = m.pick(table.of_kind("measure", "date"))
    up = m.chance(0.7)
    query.select, query.where = m.shown(table).sql, [f"{at(column)} {'>' if up else '<'} {at(column, 1)}"]
    _, _, more, less = m.degrees(column)
    special = [w for w in (more if up else less) if w.endswith("than")]
    words |= {
        "n": m.noun(column), "c": "higher than" if up else "lower than",
        "s": m.pick(special) if special else ("with more " if up else "with less ") + m.noun(column) + " than",
    }
    if column.kind == "date":
        words["c"] = "after" if up else "before"
        return m.say("""
                {ts} whose {n} is {c} [that of|] their {r}'s
                {ts} with [a|] {n} {c} their {r}
                which {ts} have a {n} {c} [that of|] their {r}
                """, **words), query
    return m.say("""
            {ts} with [a|] {n} {c} their {r}
            who has a {n} {c} [his|their] {r}
            <lead> {ts} whose {n} is {c} [that of|] their {r}
            which {ts} have a {n} {c} their {r}'s
            {ts} {s} their {r}
            {ts} {s} their {r}
            """, **words), query


REPORTING = {"manager", "boss", "supervisor", "lead", "head", "chief", "superior"}


@family(5)
def reports_of(m: Maker) -> Pair:
    """`who reports to Nancy Edwards` looks below her, `who does Nancy Edwards report to` above."""
    key, table = own_key(m)
    if not m.people(table):
        raise Skip
    role, names = role_of(m, key), m.names(table)
    cells = [m.cell(c) for c in names]
    below = m.chance(0.6)
    shown, known = (0, 1) if below else (1, 0)  # copy 0 is the one below, copy 1 the one above
    query = m.query(table)
    query.sources.append(Source(table, 1, f"{at(key.child)} = {at(key.parent, 1)}"))
    query.where = [f"{at(c, known)} = {literal(v)}" for c, v in zip(names, cells)]
    query.select = [at(c, shown) for c in names]
    words = {"x": " ".join(map(str, cells)), "r": role, "ts": m.many(table), "t": m.one(table)}
    reports = role in REPORTING
    if not below:
        return m.say("who is the {r} of {x}\n[the|] {r} of {x}\nwho is {x}'s {r}\n{x}'s {r}\nname [of|] the {r} of {x}" +
                     ("\nwho does {x} report to\nto whom does {x} report\nwho manages {x}\n{x} reports to whom" if reports else ""), **words), query
    if m.chance(0.25):
        query.select = ["COUNT(*)"]
        return m.say("how many {ts} have {x} as [their|] {r}\nnumber of {ts} whose {r} is {x}" +
                     ("\nhow many [people|{ts}] report to {x}\nhow many direct reports does {x} have\nnumber of {ts} under {x}" if reports else ""), **words), query
    return m.say("{ts} whose {r} is {x}\nwhich {ts} have {x} as [their|] {r}\n<lead> <the> {ts} with {x} as {r}\n{ts} with {r} {x}" +
                 ("\nwho reports to {x}\n[which|] {ts} [that|who] report to {x}\n{x}'s [direct reports|team|people]\n{ts} [managed by|working for|under] {x}\n<lead> the names of [the|] {ts} who report to {x}"
                  if reports else ""), **words), query


def parallel(m: Maker):
    """One of several keys between two tables, with the word that tells it from the others."""
    many = [k for k in m.schema.keys if m.child(k) is not m.parent(k) and k not in m.schema.main_keys]
    key = m.pick(many)
    child, parent = m.child(key), m.parent(key)
    if not parent.primary or m.schema.columns[key.child].table != child.id:
        raise Skip
    noise = {"id", "code", "key", "no", "number", "by", *(singular(w) for w in parent.words)}
    words = [w for w in m.schema.columns[key.child].words if singular(w) not in noise]
    if not words:
        raise Skip
    by = "by" in m.schema.columns[key.child].words  # `approved` of approved_by is no noun
    role = m.pick(key.hints.nouns) if key.hints.nouns and m.chance(0.85 if by else 0.4) else " ".join(words)
    return key, child, parent, role


@family(6)
def one_of_two_keys(m: Maker) -> Pair:
    """Trips per start depot, trips ending in a city, both ends at once."""
    key, child, parent, role = parallel(m)
    query = m.query(child).join(key)
    words = {"cs": m.many(child), "r": role, "p": m.one(parent), "ps": m.many(parent)}
    dice = m.rng.random()
    if dice < 0.25:
        filters = some(m, parent, 0, simple=True)
        query.where = [f.sql for f in filters]
        query.select = ["COUNT(*)"] if m.chance(0.5) else (m.rows(child, "T1.*"))
        lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which|||]"
        words["f"] = joined(m, filters, f"{role} {m.one(parent)}" if m.chance(0.6) else role)
        return m.say(f"""
                {lead} {{cs}} with [a|the|] {{f}}
                {lead} {{cs}} whose {{f}}
                {lead} {{cs}} that have [a|the] {{f}}
                {lead} {{cs}} [for|by|of] {{f}}
                """, **words), query
    if dice < 0.5 and m.names(parent):
        query.group = [at(parent.primary)]
        total, noun = "COUNT(*)", "[number of|] {cs}"
        if m.measures(child) and m.chance(0.4):
            measure = m.measure(child)
            total, noun = f"SUM({measure.sql})", "[total|] " + measure.noun
        query.select = m.shown(parent).sql + [total]
        if m.chance(0.4):
            query.order, query.limit = [f"{total} DESC"], m.limit()
            return m.say(f"""
                    top {{k}} {{r}} {{ps}} by {noun}
                    top {{k}} {{r}}s by {noun}
                    <lead> the top {{k}} {{r}} {{ps}} by {noun}
                    {{k}} {{r}} {{ps}} with the most {noun.replace('[number of|] ', '')}, with the number
                    """, k=m.number_word(query.limit), **words), query
        return m.say(f"""
                {noun} [per|by|for each] {{r}} {{p}}
                {noun} [per|by] {{r}}
                <what> [the|] {noun} for each {{r}} {{p}}
                {noun} by {{p}} [used as|as] {{r}}
                <lead> {{r}} {{ps}} and their {noun}
                {noun} of every {{r}} {{p}}
                """, **words), query
    if dice < 0.65 and m.names(parent):
        query.group, query.order, query.limit = [at(parent.primary)], ["COUNT(*) DESC"], 1
        query.select = m.shown(parent).sql
        return m.say("""
                most common {r} {p} [of {cs}|]
                which {p} is [the|] most often the {r} of {cs}
                <lead> the most frequent {r} {p} of {cs}
                which {r} {p} has the most {cs}
                {r} {p} with the most {cs}
                most used {r} {p}
                """, **words), query
    if dice < 0.8:
        inner = m.query(child)
        inner.select = [at(key.child)]
        query = m.query(parent)
        query.select, query.where = m.shown_or_all(parent), [f"{at(key.parent)} NOT IN ({inner.sql()})"]
        return m.say("""
                {ps} that [were|are] never [the|a|] {r} of [any|a|] {cs}
                {ps} never used as {r} [of {cs}|]
                <lead> {ps} that are not the {r} of any {cs}
                which {ps} [were|are] never [a|the|] {r}
                {ps} without {cs} as {r}
                {ps} that are no {r} of {cs}
                """, **words), query
    others = [k for k in m.schema.keys if k is not key and m.child(k) is child and m.parent(k) is parent]
    other = m.pick(others)
    noise = {"id", "code", "key", "no", *(singular(w) for w in parent.words)}
    second = " ".join(w for w in m.schema.columns[other.child].words if singular(w) not in noise)
    if not second:
        raise Skip
    query.join(other, parent=1)
    if m.chance(0.4) and m.names(parent):
        query.select = [at(c) for c in m.names(child)] + m.shown(parent).sql + m.shown(parent, 1).sql
        return m.say("""
                {cs} with [their|the|] {r} and {s} [{p}|]
                <lead> {cs} with {r} {p} and {s} {p}
                {r} and {s} {p} of [each|all|every] {cs}
                <lead> the {r} and {s} of [all|] {cs}
                {cs}: {r} and {s} {p}
                each {c}'s {r} and {s} {p}
                """, s=second, c=m.one(child), **words), query
    if m.chance(0.3):
        query = m.query(child)
        same = m.chance(0.5)
        query.where = [f"{at(key.child)} {'=' if same else '!='} {at(other.child)}"]
        query.select = ["COUNT(*)"] if m.chance(0.5) else (m.rows(child, "*"))
        lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which||]"
        if not same:
            return m.say(f"""
                    {lead} {{cs}} with different {{r}} and {{s}} [{{p}}|]
                    {lead} {{cs}} whose {{r}} is not the {{s}}
                    {lead} {{cs}} where {{r}} and {{s}} [{{p}}|] differ
                    {lead} {{cs}} whose {{r}} {{p}} is someone else than the {{s}}
                    {lead} {{cs}} where the {{r}} is different from the {{s}}
                    """, s=second, **words), query
        return m.say(f"""
                {lead} {{cs}} with the same {{r}} and {{s}} [{{p}}|]
                {lead} {{cs}} whose {{r}} and {{s}} {{p}} are the same
                {lead} {{cs}} where {{r}} {{p}} equals {{s}} {{p}}
                {lead} {{cs}} having identical {{r}} and {{s}}
                """, s=second, **words), query
    column = m.pick([c for c in parent.of_kind("category", "name", "category") if len(c.values) > 1 and all(isinstance(v, str) for v in c.values)])
    a, b = m.rng.sample(column.values, 2)
    m.values += [a, b]
    query.where = [
        f"{at(column)} = {literal(a)}",
        f"{at(column, 1)} = {literal(b)}",
    ]
    query.select = ["COUNT(*)"] if m.chance(0.5) else (m.rows(child, "T1.*"))
    lead = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which||]"
    text = f"""
            {lead} {{cs}} with {{r}} {{a}} and {{s}} {{b}}
            {lead} {{cs}} with {{r}} {{p}} {{a}} and {{s}} {{p}} {{b}}
            {lead} {{cs}} having {{a}} as {{r}} and {{b}} as {{s}}
            """
    if {
        "start", "origin", "from", "departure", "source",
    } & set(role.split()) and {"end", "destination", "to", "arrival", "target"} & set(second.split()):
        text += f"""
                
                {lead} {{cs}} from {{a}} to {{b}}
                {lead} {{cs}} from {{a}} to {{b}}
                {lead} {{cs}} {{a}} to {{b}}
                {lead} {{cs}} [going|] from {{a}} to {{b}}
                """
    return m.say(text, a=a, b=b, s=second, **words), query
