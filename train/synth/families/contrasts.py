"""Words that decide between two readings of one schema: a column that counts or rows, one order or all of them,
the noun's own column or another table's, a thing or its name."""

from families import Pair, family
from families.basic import AGGREGATES
from families.counts import counted_noun
from families.keys import identity, parent_of
from filters import condition, joined, some
from maker import Maker, Skip
from query import at
from schema import literal
from words import listing, plural_phrase, singular

MONEY = {"amount", "price", "cost", "salary", "fee", "total", "payment", "revenue", "budget", "balance", "paid", "value", "sales",
         "profit", "charge", "money", "spend", "bonus", "fine", "refund", "income", "expense", "premium", "worth", "fare", "rent"}


LOOSE_ENDS = {"on", "at", "by", "from", "to", "until", "since", "in", "of", "for"}


def many_of(m: Maker, column) -> str:
    """Several cells of a column; `opened on` has no plural."""
    noun = m.noun(column)
    return noun if column.kind in ("date", "flag") or noun.split()[-1] in LOOSE_ENDS or m.chance(0.25) else plural_phrase(noun)


def named(m: Maker, table, filler: bool = True) -> tuple[list[str], str]:
    """One thing told by its name, as people write it: the conditions, the words."""
    names = m.names(table)
    if not names or not all(isinstance(v, str) for c in names for v in c.values):
        raise Skip
    cells = [m.cell(c) for c in names]
    where = [f"{at(c)} = {literal(v)}" for c, v in zip(names, cells)]
    value = " ".join(map(str, cells))
    if len(names) == 2 and filler and m.chance(0.3):
        return where, m.say("the {t} with [the|] first name {a} and [the|] last name {b}\n[the|] {t} whose first name is {a} and last name {b}",
                            t=m.one(table), a=cells[0], b=cells[1])
    if not filler or m.chance(0.5):
        return where, value
    return where, m.say("[the|] {t} {v}\n[the|] {t} [named|called] {v}\nthe {t} with [the|] name {v}\n'{v}'\n\"{v}\"\n{v}", t=m.one(table), v=value)


@family(9)
def things_and_columns(m: Maker) -> Pair:
    """`the players and the years played`: the thing is its name, whatever that column is called."""
    table = m.table(lambda t: len(m.names(t)) == 1 and len(m.plain(t)) > 1)
    name = m.names(table)[0]
    query = m.query(table)
    filters = some(m, table, 0.1, simple=m.chance(0.6)) if m.chance(0.55) else []
    others = [c for c in m.plain(table) if c is not name and c.kind != "flag" and all(c is not f.column for f in filters)]
    others = m.rng.sample(others, min(len(others), m.pick([1, 1, 1, 2]))) or m.pick([])
    query.where = [f.sql for f in filters]
    query.select = [at(name)]
    words = {"ts": joined(m, filters, m.many(table)), "t": m.one(table), "bare": m.many(table), "q": m.pick(["what", "which"])}
    if filters and m.chance(0.45):
        return m.say("""
            {q} {ts}
            {q} {ts} are there
            {q} are the {ts}
            <lead> <the> {ts}
            [list|show|name] {ts}
            {ts}
            """, **words), query
    query.select += [at(c) for c in others]
    words["c"] = listing([many_of(m, c) for c in others])
    words["own"] = m.pick(["their", "the", "", "their respective"])
    tail = ""
    if not filters and m.chance(0.25):
        column = m.pick([name, *others])
        down = column is not name and m.chance(0.5)
        query.order = [at(column) + (" DESC" if down else "")]
        word = m.pick([m.one(table), "name"]) if column is name else m.noun(column)
        tail = " " + m.say("<sorted> {w} <desc>" if down else "<sorted> {w} <asc>\nalphabetically by {w}" if column is name else "<sorted> {w} <asc>", w=word)
    return m.say("""
        <lead> <the> {ts} and {own} {c}
        <lead> <the> {ts} with {own} {c}
        {ts} and {own} {c}
        {q} are the {ts} and {own} {c}
        <lead> [each|every] {t} and {own} {c}
        {ts} along with {own} {c}
        <lead> the {t} and {c} [of|for] [all|] {ts}
        """ if not filters else """
        <lead> <the> {ts} and {own} {c}
        <lead> <the> {ts}, with {own} {c}
        {q} {ts}, and what are their {c}
        {ts} and {own} {c}
        {q} are the {ts} and {own} {c}
        for [all|] {ts}, [show|give|list] the {t} and {own} {c}
        """, **words) + tail, query


@family(9)
def column_elsewhere(m: Maker) -> Pair:
    """`positions of the players on team X`: the word names a column of the table between, not one of the players."""
    key, child, parent = parent_of(m)
    taken = {singular(w) for c in parent.columns for w in c.words} | {singular(w) for w in parent.words}
    if m.schema.columns[key.child].primary or len(m.schema.parents(child.id)) > 3:
        raise Skip  # a subtype, or a hub whose columns are about nobody in particular
    columns = [c for c in m.plain(child) if c.kind not in ("first", "last", "name", "date", "flag") and not {singular(w) for w in c.words} & taken
               and c.words[-1] not in LOOSE_ENDS]
    column = m.pick(columns)
    noun = " ".join(column.words)  # the exact word must win over the noun's table
    query = m.query(child)
    words = {"n": noun, "ns": plural_phrase(noun), "ps": m.many(parent), "p": m.one(parent)}
    others = [k for k in m.schema.main_keys if m.child(k) is child and m.parent(k) is not parent and m.names(m.parent(k))]
    dice = m.rng.random()
    if others and dice < 0.3 and m.people(parent):
        other = m.pick(others)
        where, said = named(m, m.parent(other))
        query.join(other)
        query.select, query.where, query.distinct = [at(column)], where, m.chance(0.2)
        return m.say("""
            <lead> [the|all|] {ns} of [the|] {ps} [on|in|of|for|with] {x}
            what [are|is] the {ns} of {ps} [in|for|of|with] {x}
            {ns} of {ps} [in|with|of|for] {x}
            which {ns} do [the|] {ps} [of|in|with] {x} have
            {x}: {ns} of [its|the|] {ps}
            """ if not query.distinct else """
            <lead> the [different|distinct|unique] {ns} of [the|] {ps} [on|in|of|for|with] {x}
            what different {ns} do {ps} [of|in|with] {x} have
            [distinct|different|unique] {ns} of {ps} [in|with|of|for] {x}
            """, x=said, **words), query
    query.join(key)
    if dice < 0.6:
        filters = some(m, parent, 0.1, simple=True)
        query.where = [f.sql for f in filters]
        things = joined(m, filters, m.many(parent))
        if column.kind == "measure" and m.chance(0.5):
            kind, word = m.pick(AGGREGATES)
            query.select = [f"{kind}({at(column)})"]
            return m.say("<what> the {w} {n} of [the|all|] {x}\n{w} {n} [of|for] {x}\nwhat {w} {n} do {x} have", w=m.say(word), x=things, **words), query
        query.select = [at(column)]
        return m.say("""
            <lead> <the> {ns} of [the|all|] {x}
            what [are|is] the {ns} of [the|] {x}
            {ns} [of|for] {x}
            which {ns} do {x} have
            for {x}, [show|list|give] the {ns}
            """, x=things, **words), query
    shown = m.shown(parent)
    query = m.query(parent).join(key)
    if dice < 0.8:
        query.select = shown.sql + [at(column)]
        return m.say("""
            <lead> <the> {ps} and [their|the] {ns}
            {ps} with [their|the] {ns}
            <lead> the {s} and {ns} of [all|the|] {ps}
            what are the {s} and {ns} of [the|all|] {ps}
            {n} of [each|every] {p}, with [the|] name
            """, s=shown.noun, **words), query
    only = condition(m, child, simple=True)
    if only.column is None or only.column.kind == "flag" or only.after.split(" ")[0] not in ("with", "whose", "where", "having"):
        raise Skip
    m.said.append(only)
    query.select, query.where, query.distinct = shown.sql, [only.sql], m.chance(0.5)
    return m.say("""
        <lead> <the> {ps} {f}
        which {ps} {f}
        {ps} {f}
        what are the {s} of [the|] {ps} {f}
        """, s=shown.noun, f=only.after, **words), query


def counters(m: Maker, table) -> list:
    return [c for c in m.measures(table) if counted_noun(c)]


SIGNS = [(">", "<more>"), (">", "more than"), (">=", "at least"), ("<", "[fewer than|less than|under]"), ("<=", "at most"), ("=", "exactly"), ("=", "[|]")]


@family(12)
def counted_or_rows(m: Maker) -> Pair:
    """`buildings with more than 2 lifts` (a column) beside `buildings with more than 2 flats` (rows of a child)."""
    table = m.table(lambda t: counters(m, t) and m.names(t))
    column = m.pick(counters(m, table))
    children = [k for k in m.schema.main_keys if m.parent(k) is table and table.primary and table.primary.id == k.parent]
    sign, word = m.pick(SIGNS)
    query = m.query(table)
    shown = m.shown(table)
    query.select = shown.sql
    words = {"ts": m.many(table), "t": m.one(table), "w": m.say(word), "s": shown.noun}
    rows = bool(children) and m.chance(0.4)
    if rows:
        key = m.pick(children)
        number = m.pick([1, 1, 2, 2, 3, 4, 5, 10])
        query.join(key)
        query.group, query.having = [identity(m, table)], f"COUNT(*) {sign} {number}"
        words |= {"ns": m.many(m.child(key)), "k": m.number_word(number)}
    else:
        number = m.number(column)
        query.where = [f"{at(column)} {sign} {number}"]
        words |= {"ns": counted_noun(column), "k": m.number_word(int(float(number))) if float(number) == int(float(number)) else number}
    if not rows and m.chance(0.3):
        dice = m.rng.random()
        if dice < 0.35:
            query.select = ["COUNT(*)"]
            return m.say("""
                how many {ts} have {w} {k} {ns}
                <count> {ts} with {w} {k} {ns}
                count [the|] {ts} [that have|with|having] {w} {k} {ns}
                """, **words), query
        query.where = []
        if dice < 0.6:
            others = table.of_kind("category", "year")
            group = m.pick(others)
            kind, said = m.pick([("AVG", "[average|avg|mean]"), ("SUM", "total"), ("MAX", "<highest>"), ("MIN", "<lowest>")])
            query.select, query.group = [at(group), f"{kind}({at(column)})"], [at(group)]
            return m.say("""
                {a} number of {ns} [per|by|for each] {g}
                for each {g}, [show|find|] the {a} number of {ns}
                {a} {ns} [per|by] {t} {g}
                <what> the {a} number of {ns} of {ts} [in each|for each|per] {g}
                """, a=m.say(said), g=m.noun(group), **words), query
        down = m.chance(0.6)
        query.order = [at(column) + (" DESC" if down else "")]
        query.limit = m.limit() if m.chance(0.5) else None
        if query.limit:
            return m.say("""
                [the|] {l} {ts} with the {e} {ns}
                <lead> the {s} of the {l} {ts} [having|with] the {e} {ns}
                {l} {ts} with [the|] {h} number of {ns}
                """, l=m.number_word(query.limit), e="most" if down else m.pick(["fewest", "least"]), h="highest" if down else "lowest", **words), query
        return m.say("""
            <lead> [all|the|] {ts} <sorted> [the|] number of {ns} {d}
            {ts} by number of {ns} {d}
            <lead> the {s} of {ts} <sorted> [their|] {ns} {d}
            """, d=m.say("<desc>" if down else "<asc>"), **words), query
    return m.say("""
        [which|what] {ts} have {w} {k} {ns}
        <lead> <the> {ts} [with|that have|having] {w} {k} {ns}
        {ts} with {w} {k} {ns}
        <lead> the {s} of [all|the|] {ts} [with|that have] {w} {k} {ns}
        {w} {k} {ns}: which {ts}
        """, **words), query


@family(9)
def totals(m: Maker) -> Pair:
    """`total amount`, `how much money`: a sum even where the column is called total; `the totals of` are its cells."""
    def adds_up(column) -> bool:
        return bool(MONEY & set(column.words) or counted_noun(column)) and not {"percent", "rate", "range", "pct", "terms"} & set(column.words)

    table = m.table(lambda t: any(map(adds_up, m.measures(t))))
    column = m.pick(list(filter(adds_up, m.measures(table))))
    noun, counted = " ".join(column.words), counted_noun(column)
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k))]
    query = m.query(table)
    words = {"n": noun, "ns": plural_phrase(noun), "u": counted, "ts": m.many(table), "t": m.one(table),
             "core": " ".join(w for w in column.words if w not in ("total", "sum", "overall")) or noun}
    dice = m.rng.random()
    if dice < 0.25:
        filters = some(m, table, 0.0, simple=True) if m.chance(0.6) else []
        query.select, query.where = [at(column)], [f.sql for f in filters]
        words["ts"] = joined(m, filters, words["ts"])
        return m.say("""
            [list|show|give me|display] the {ns} of [all|the|each of the|] {ts}
            [list|show|what are] the {ns} of {ts}
            the {n} of [each|every] {t}
            what are the {ns} of [the|all|] {ts}
            {n} of each of the {ts}
            """ if not filters else """
            [list|show|give me|display] the {ns} of [all|the|] {ts}
            what are the {ns} of [the|all|] {ts}
            <lead> each {n} of [the|] {ts}
            """, **words), query
    query.select = [f"SUM({at(column)})"]
    if parents and dice < 0.55:
        key = m.pick(parents)
        where, said = named(m, m.parent(key))
        query.join(key)
        query.where = where
        words["x"] = said
    else:
        filters = some(m, table, 0.1, simple=True)
        if any(f.column is column for f in filters):
            raise Skip
        query.where = [f.sql for f in filters]
        words["x"] = joined(m, filters, words["ts"])
    if counted and m.chance(0.7):
        return m.say("""
            how many {u} [are|were|are there|do we have] [in|at|for] {x}
            how many {u} [in total|altogether|all together] [in|of|for] {x}
            [total|overall|combined] [number of|] {u} [in|at|of|for] {x}
            how many {u} does {x} have [in total|altogether]
            """ if "x" in words and query.sources[1:] else """
            how many {u} do {x} have [in total|altogether|]
            how many {u} are there [in|across] [all|] {x}
            total [number of|] {u} [in|of|across] {x}
            what is the total number of {u} [of|in] {x}
            """, **words), query
    lines = """
        <what> the total {core} [of|for|from] {x}
        [total|overall|summed] {core} [of|for] {x}
        how much is the total {core} [of|for] {x}
        sum of [the|all|] {core} [of|for] {x}
        what do the {ns} of {x} [add up to|sum up to|come to]
        how much {core} in [total|all] [for|of] {x}
        """
    if MONEY & set(column.words):
        lines += "\nhow much money [is|was] [the|] {core} [of|for] {x} [in total|altogether|]\nhow much [money|] did we [get|have|make] [from|for] {x} [in total|all together|]"
        measures = [c for c in m.measures(table) if MONEY & set(c.words)]
        if len(measures) > 1:
            lines = lines.rsplit("\n", 1)[0]
    return m.say(lines, **words), query


@family(7)
def in_one_or_in_all(m: Maker) -> Pair:
    """`paid the most in a single order` looks at rows, `in total` at sums."""
    key, child, parent = parent_of(m)
    column = m.pick([c for c in m.measures(child) if not {"rate", "percent", "score", "rating", "age", "rank", "position", "level"} & set(c.words)])
    single, up = m.chance(0.6), m.chance(0.85)
    shown = m.shown(parent)
    query = m.query(parent).join(key)
    with_value = m.chance(0.3)
    total = at(column) if single else f"SUM({at(column)})"
    query.select = shown.sql + ([total] if with_value else [])
    if not single:
        query.group = [identity(m, parent)]
    query.order, query.limit = [total + (" DESC" if up else "")], 1
    verb = m.pick(key.hints.yes) if key.hints.yes and m.chance(0.5) else "has"
    words = {"p": m.one(parent), "n": m.noun(column), "c": m.one(child), "cs": m.many(child), "v": verb, "s": shown.noun,
             "e": m.say("<highest>" if up else "<lowest>"), "and": m.say("[, and what is it|, and how much is it|and how much|and the amount|, with the value]") if with_value else ""}
    if single:
        words["one"] = m.say("[in|with|for] [one|a single|one single|any one|a particular|just one] {c}", c=words["c"])
        return m.say("""
            which {p} {v} the {e} {n} {one} {and}
            which {p} had the {e} {n} {one} {and}
            <lead> the {s} of the {p} [with|who had|that has] the {e} {n} {one} {and}
            {p} with [the|] {e} {n} {one} {and}
            {e} single {c} {n}: which {p} {and}
            what is the name of the {p} with the {e} {n} {one} {and}
            """, **words), query
    words["all"] = m.say("[in total|altogether|overall|over all {cs}|in all {cs} together|summed over all {cs}]", cs=words["cs"])
    return m.say("""
        which {p} {v} the {e} {n} {all} {and}
        which {p} has the {e} total {n} {and}
        <lead> the {s} of the {p} [with|who had|that has] the {e} {n} {all} {and}
        {p} with [the|] {e} [total|overall|combined] {n} [of all {cs}|] {and}
        what is the name of the {p} with the {e} {n} {all} {and}
        """, **words), query


@family(9)
def how_many_has_one(m: Maker) -> Pair:
    """`how many accounts does Ann have`: rows of the child, the parent only for the condition."""
    key, child, parent = m.key()
    if not m.names(parent):
        raise Skip
    where, said = named(m, parent)
    filters = some(m, child, 0.0, simple=True) if m.chance(0.25) else []
    query = m.query(child).join(key)
    query.where = where + [f.sql for f in filters]
    query.select = ["COUNT(*)"]
    words = {"cs": joined(m, filters, m.many(child)), "c": m.one(child), "x": said, "v": m.pick(key.hints.yes) if key.hints.yes else "have"}
    if m.chance(0.25) and m.names(child):
        query.select = m.shown(child).sql
        return m.say("""
            [which|what] {cs} does {x} have
            [which|what] {cs} [belong to|are of|are linked to] {x}
            <lead> <the> {cs} [of|for|belonging to] {x}
            {x}: {cs}
            {cs} of {x}
            """, **words), query
    return m.say("""
        how many {cs} does {x} have
        how many {cs} [has|did] {x} {v}
        <count> {cs} [of|for|belonging to] {x}
        count the {cs} [of|for] {x}
        how many {cs} [are there|are|] [for|of|under] {x}
        number of {cs} {x} [has|owns]
        what is the number of {cs} [of|for|belonging to] {x}
        {x}: how many {cs}
        """ if not filters else """
        <count> {cs} [of|for] {x}
        how many {cs} does {x} have
        count the {cs} [of|for] {x}
        {x}: how many {cs}
        """, **words), query
