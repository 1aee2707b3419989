"""Small words that decide: starting with, the oldest of several dates, how long, how heavy, only, rated 5 in 2024."""

from families import Pair, family
from filters import condition, joined
from maker import Maker, Skip
from periods import days_of, years_of
from query import at
from schema import literal
from words import plural_phrase

LETTERS = "abcdefghijklmnoprstuvw"


def spelled(m: Maker, column) -> tuple[str, str, str]:
    """A pattern for a column, a piece of one of its cells, and the words for it: starts with, contains, ends in."""
    cells = [v for v in column.values if isinstance(v, str) and v[:1].isalpha()]
    cell = m.pick(cells)
    kind = m.rng.choices(["start", "end", "part"], [5, 2, 3])[0]
    single = m.chance(0.6)
    if kind == "start":
        piece = cell[:1] if single else cell[: m.pick([2, 3, 3, 4])]
    elif kind == "end":
        piece = cell[-1:] if single else cell[-m.pick([2, 3]):]
    else:
        piece = m.rng.choice([ch for ch in cell if ch.lower() in LETTERS] or ["a"]) if single else m.pick(cell.split())
    piece = piece.strip(" '.,%_()-")
    if not piece or not piece.isalnum():
        raise Skip
    dice = m.rng.random()
    piece = piece.lower() if dice < 0.35 else piece.upper() if single else piece
    m.values.append(piece)
    shown = m.pick([piece, f"'{piece}'", f'"{piece}"', piece])
    if len(piece) == 1 and m.chance(0.35):
        shown = m.pick(["the letter ", "letter ", "an "if piece.lower() in "aeiou" else "a "]) + m.pick([piece, f"'{piece}'"])
    elif m.chance(0.2):
        shown = m.pick(["the letters ", "the text ", "the word ", "the substring "] if kind != "part" else ["the word ", "the text ", "the substring "]) + shown
    pattern = {"start": f"{piece}%", "end": f"%{piece}", "part": f"%{piece}%"}[kind]
    return f"{at(column)} LIKE {literal(pattern)}", kind, shown


VERBS = {
    "start": ("[starts with|begins with|start with|begin with|starts in|starts on]", "[starting with|beginning with|starting in]", "[start with|begin with|starting with|beginning with]"),
    "end": ("[ends with|ends in|end with|end in|finishes with]", "[ending with|ending in]", "[end with|end in|ending in|ending with]"),
    "part": ("[contains|includes|has|contain|include]", "[containing|including]", "[contain|include|containing|including]"),
}


@family(8)
def by_letters(m: Maker) -> Pair:
    """`titles that start with A`, `people whose last name ends in son`."""
    table = m.table(lambda t: m.names(t))
    names = m.names(table)
    column = m.pick(names) if m.chance(0.75) else m.pick([
        c for c in table.of_kind("category", "name", "text", "last") if c.values and all(isinstance(v, str) for v in c.values)])
    sql, kind, shown = spelled(m, column)
    query = m.query(table)
    query.where = [sql]
    query.select = [at(c) for c in names]
    noun = "name" if column in names and len(names) == 1 and column.words[-1] == "name" else m.noun(column)
    verb, ing, bare = (m.say(v) for v in VERBS[kind])
    words = {"ts": m.many(table), "n": noun, "ns": plural_phrase(noun), "v": verb, "i": ing, "b": bare, "x": shown,
             "q": m.pick(["which", "what"])}
    dice = m.rng.random()
    if dice < 0.2:
        query.select = ["COUNT(*)"]
        return m.say("""
            how many {ts} have [a|] {n} [that|which] {v} {x}
            how many {ns} {b} {x}
            number of {ts} whose {n} {v} {x}
            count {ts} with [a|] {n} {i} {x}
            how many {ts} [are there|] whose {n} {v} {x}
            """, **words), query
    if dice < 0.45:
        query.select = [at(column)]
        query.distinct = column not in names and m.chance(0.5)
        return m.say("""
            {ns} that {b} {x}
            [all|the|] {ns} {i} {x}
            <lead> <the> {ns} [of {ts}|] that {b} {x}
            {q} {ns} {b} {x}
            {t} {ns} {i} {x}
            <lead> the {ns} of {ts} {i} {x}
            """, t=m.one(table), **words), query
    if dice < 0.6 and len(names) == 1 and column in names:
        return m.say("""
            {ts} [that|] {b} {x}
            {ts} {i} {x}
            <lead> <the> {ts} {i} {x}
            {q} {ts} {b} {x}
            all {ts} {i} {x}
            """ if kind == "start" else """
            {ts} with {x} in [the|their] {n}
            {ts} whose {n} {v} {x}
            <lead> {ts} with a {n} {i} {x}
            """, **words), query
    return m.say("""
        {ts} whose {n} {v} {x}
        {ts} with [a|] {n} {i} {x}
        {q} {ts} have [a|] {n} [that|which] {v} {x}
        <lead> <the> {ts} whose {n} {v} {x}
        {ts} where [the|] {n} {v} {x}
        names of {ts} whose {n} {v} {x}
        <lead> [the|all|] {ts} with [a|] {n} {i} {x}
        """, **words), query


@family(5)
def which_date(m: Maker) -> Pair:
    """Oldest and youngest go by birth, newest and longest serving by when they came."""
    table = m.table(lambda t: m.names(t) and len(t.of_kind("date")) > 1 and any(m.degrees(c)[0] for c in t.of_kind("date")))
    column = m.pick([c for c in table.of_kind("date") if m.degrees(c)[0] or m.degrees(c)[1]])
    high, low, _, _ = m.degrees(column)
    up = bool(high) and (m.chance(0.5) or not low)
    word = m.pick(high if up else low)
    plain = {"latest", "earliest", "newest", "most recent", "last", "first", "oldest"}
    if word in plain and not column.hints.high and table.of_kind("date")[0] is not column:
        raise Skip  # of several dates the first is meant
    query = m.query(table)
    query.select, query.order = [at(c) for c in m.names(table)], [at(column) + (" DESC" if up else "")]
    query.limit = 1 if m.chance(0.65) else m.limit()
    filters = [condition(m, table, simple=True)] if m.chance(0.3) else []
    if any(f.column.kind == "date" for f in filters):
        raise Skip
    query.where = [f.sql for f in filters]
    many = query.limit > 1
    extra = ""
    if m.chance(0.2):
        shown = m.pick([c for c in m.plain(table) if c not in m.names(table)])
        query.select = query.select + [at(shown)]
        extra = m.say(", and what is [their|its|the] {n}\nand [their|its|the] {n}\nwith {n}", n=m.noun(shown))
    words = {"e": word, "k": m.number_word(query.limit) if many else "", "x": extra,
             "ts": joined(m, filters, m.many(table) if many else m.one(table))}
    if many:
        return m.say("""
            {k} {e} {ts} {x}
            <lead> the {k} {e} {ts} {x}
            who are the {k} {e} {ts} {x}
            the {e} {k} {ts} {x}
            """ if m.people(table) else "{k} {e} {ts} {x}\n<lead> the {k} {e} {ts} {x}\nthe {e} {k} {ts} {x}\nwhich are the {k} {e} {ts} {x}", **words), query
    return m.say("""
        who is the {e} {ts} {x}
        {e} {ts} {x}
        <lead> the {e} {ts} {x}
        what is the name of the {e} {ts} {x}
        [what is|find] the first and last name of the {e} {ts} {x}
        who is our {e} {ts} {x}
        """ if len(m.names(table)) == 2 else """
        {e} {ts} {x}
        <lead> the {e} {ts} {x}
        what is the name of the {e} {ts} {x}
        which {ts} is the {e} {x}
        which is the {e} {ts} {x}
        """, **words), query


# words of a column, and how one asks for it
HOW = [
    ({"price", "fare", "tariff", "rent", "prc"}, "how much is {x}|how much does {x} cost|what does {x} cost|how expensive is {x}"),
    ({"duration", "minutes", "seconds", "milliseconds", "length", "runtime", "running", "hours"}, "how long is {x}|how long [does|did] {x} [take|last]|how much time does {x} take"),
    ({"distance", "km", "miles", "kilometers"}, "how far is {x}|how long is {x}"),
    ({"age"}, "how old is {x}"),
    ({"weight", "kg", "grams"}, "how heavy is {x}|how much does {x} weigh|what does {x} weigh"),
    ({"height"}, "how tall is {x}|how high is {x}"),
    ({"area", "size"}, "how big is {x}|how large is {x}"),
    ({"capacity", "seats"}, "how many [people|persons] fit in {x}|how big is {x}"),
    ({"salary", "wage", "pay", "income"}, "how much does {x} earn|what does {x} earn|how much is {x} paid"),
    ({"population"}, "how many people live in {x}|how many inhabitants does {x} have"),
    ({"speed"}, "how fast is {x}"),
    ({"depth"}, "how deep is {x}"),
]


def how_asked(m: Maker, table) -> list[tuple]:
    found = []
    for column in m.measures(table):
        for words, text in HOW:
            if words & set(column.words) and not {"id", "total", "average", "avg"} & set(column.words):
                found.append((column, text))
                break
    return found


@family(5)
def how_much_of(m: Maker) -> Pair:
    """`how much is X`, `how long is X`, `how heavy are the X`: the column that is meant is not named."""
    table = m.table(lambda t: m.names(t) and how_asked(m, t))
    column, text = m.pick(how_asked(m, table))
    names = m.names(table)
    query = m.query(table)
    if m.chance(0.75):
        values = [m.cell(c) for c in names]
        query.where = [f"{at(c)} = {literal(v)}" for c, v in zip(names, values)]
        query.select = [at(column)]
        name = " ".join(str(v) for v in values)
        thing = m.pick([name, f"the {m.one(table)} {name}", f'"{name}"', f"{m.one(table)} {name}", name])
        if len(names) == 2:
            thing = name
        line = m.pick(split_choices(text))
        return m.say(line, x=thing), query
    line = m.pick([part for part in split_choices(text) if part.startswith("how") and " is " in f"{part} "] or split_choices(text)[:1])
    query.select = [at(c) for c in names] + [at(column)]
    thing = m.say("[each|every] {t}\neach {t}", t=m.one(table))
    return m.say(line, x=thing), query


def split_choices(text: str) -> list[str]:
    """The wordings between bars that stand outside of brackets."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "[") - (sign == "]")
        if sign == "|" and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


@family(4)
def cheap_or_dear(m: Maker) -> Pair:
    """Where price and cost stand side by side, cheap and expensive go by the price."""
    both = [t for t in m.schema.tables if m.names(t) and any("price" in c.words for c in m.measures(t))]
    double = [t for t in both if any("cost" in c.words for c in m.measures(t))]
    table = m.pick(double if double and m.chance(0.8) else both)
    price = m.pick([c for c in m.measures(table) if "price" in c.words])
    query = m.query(table)
    up, dice = m.chance(0.45), m.rng.random()
    query.select = [at(c) for c in m.names(table)]
    word = m.pick(["most expensive", "priciest", "dearest", "costliest"] if up else ["cheapest", "cheapest", "least expensive"])
    words = {"e": word, "ts": m.many(table), "t": m.one(table), "c": m.pick(["more expensive than", "pricier than"] if up else ["cheaper than", "less expensive than"])}
    if dice < 0.35:
        inner = m.query(table)
        inner.select = [f"AVG({at(price)})"]
        query.where = [f"{at(price)} {'>' if up else '<'} ({inner.sql()})"]
        return m.say("""
            {ts} {c} [the|] average
            {ts} [that are|which are|] {c} the average [{t}|]
            <lead> {ts} {c} average
            which {ts} are {c} [the|] average
            """, **words), query
    query.order = [at(price) + (" DESC" if up else "")]
    query.limit = 1 if m.chance(0.4) else m.limit()
    words["k"] = m.number_word(query.limit)
    if query.limit == 1:
        return m.say("{e} {t}\nwhich {t} is the {e}\n<lead> the {e} {t}\nwhat is the {e} {t}\nthe {e} {t}", **words), query
    query.select.append(at(price))
    return m.say("{k} {e} {ts}\n<lead> the {k} {e} {ts}\nthe {e} {k} {ts}\nwhat are the {k} {e} {ts}\n{k} {e} {ts} with price", **words), query


@family(5)
def only_these(m: Maker) -> Pair:
    """`monthly revenue 2025 online only`: a value and `only` at the end are a condition."""
    table = m.table(lambda t: t.of_kind("category") and any(days_of(c) and "birth" not in c.phrase for c in t.of_kind("date")))
    column = [c for c in table.of_kind("date") if days_of(c) and "birth" not in c.phrase][0]
    kind = m.pick(table.of_kind("category"))
    value = m.cell(kind)
    if not isinstance(value, str):
        raise Skip
    query = m.query(table)
    query.where = [f"{at(kind)} = {literal(value)}"]
    if (m.measures(table) or table.formulas) and m.chance(0.65):
        measure = m.measure(table)
        total, noun = f"SUM({measure.sql})", measure.noun
    else:
        total, noun = "COUNT(*)", m.many(table)
    year = ""
    if m.chance(0.7):
        year = str(m.pick(years_of(column)))
        query.where.append(f"strftime('%Y', {at(column)}) = '{year}'")
    word = value if m.chance(0.4) else value.lower()
    words = {"n": noun, "y": year, "v": word, "tail": m.pick([f"{word} only", f"only {word}", f"just {word}", f", {word} only", f"({word} only)", f"{word} only"])}
    dice = m.rng.random()
    if dice < 0.45:
        month = f"strftime('%Y-%m', {at(column)})"
        query.select, query.group, query.order = [month, total], [month], [month]
        return m.say("""
            monthly {n} {y} {tail}
            {n} [per|by] month {y} {tail}
            {n} by month [in {y}|{y}] {tail}
            {n} per month {tail} {y}
            """ if year else "monthly {n} {tail}\n{n} [per|by] month {tail}\n{n} by month, {tail}", **words), query
    others = [c for c in table.of_kind("category") if c is not kind]
    if others and dice < 0.75:
        group = m.pick(others)
        query.select, query.group = [at(group), total], [at(group)]
        return m.say("{n} [by|per] {g} {y} {tail}\n{n} {y} [by|per] {g}, {tail}\n{n} by {g} {tail} {y}", g=m.noun(group), **words), query
    query.select = [total]
    count = "[number of|how many|]" if total == "COUNT(*)" else "[total|]"
    return m.say(f"{count} {{n}} {{y}} {{tail}}\n{count} {{n}} {{tail}} {{y}}\n{{y}} {{n}} {{tail}}", **words), query


MARKS = {"rating": ["rated", "with a rating of", "with rating"], "score": ["scoring", "with a score of", "with score"], "grade": ["graded", "with a grade of"],
         "stars": ["rated", "with stars"], "points": ["with points"], "result": ["with a result of", "with result"],
         "mark": ["marked", "with a mark of"]}


@family(4)
def mark_and_year(m: Maker) -> Pair:
    """`people rated 5 in 2024`: a mark and a year, both of them conditions, on another table than the people."""
    def marks(table) -> list:
        return [c for c in m.measures(table) if set(c.words + " ".join(c.hints.nouns).split()) & MARKS.keys() and c.integer is not None]

    tables = [t for t in m.schema.tables if marks(t) and not m.people(t) and (t.of_kind("year") or any(days_of(c) for c in t.of_kind("date")))]
    table = m.pick(tables)
    column = m.pick(marks(table))
    when = m.pick(table.of_kind("year")[:1] or [c for c in table.of_kind("date") if days_of(c) and "birth" not in c.phrase][:1])
    cells = [v for v in column.values if isinstance(v, int) and v < 1000]
    value = m.pick(cells)
    year = m.pick(years_of(when)) if when.kind == "date" else m.pick([v for v in when.values if isinstance(v, int)])
    word = m.pick([w for w in column.words + " ".join(column.hints.nouns).split() if w in MARKS])
    said = m.pick(MARKS[word])
    sign, number = m.pick([("=", ""), ("=", ""), ("=", ""), (">", "over "), ("<", "under "), (">=", "at least ")])
    tests = [f"{at(column)} {sign} {value}", f"{at(when)} = {year}" if when.kind == "year" else f"strftime('%Y', {at(when)}) = '{year}'"]
    keys = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k))]
    key = m.pick(keys)
    parent = m.parent(key)
    query = m.query(parent).join(key)
    query.where = tests
    query.select = [at(c) for c in m.names(parent)]
    words = {"ps": m.many(parent), "s": said, "v": f"{number}{value}", "y": year}
    if m.chance(0.25):
        query = m.query(table)
        query.select, query.where = ["COUNT(*)"], tests
        return m.say("how many {ts} {s} {v} in {y}\nnumber of {ts} {s} {v} in {y}\n{ts} {s} {v} in {y}, how many", ts=m.many(table), **words), query
    return m.say("""
        {ps} {s} {v} in {y}
        {ps} {s} {v} [in|for|during] {y}
        who was {s} {v} in {y}
        which {ps} were {s} {v} in {y}
        <lead> {ps} {s} {v} in {y}
        {ps} that were {s} {v} in {y}
        """ if said in ("rated", "graded", "marked") and m.people(parent) else """
        {ps} {s} {v} in {y}
        {ps} {s} {v} [in|for|during] {y}
        <lead> {ps} {s} {v} in {y}
        {y} {ps} {s} {v}
        which {ps} [were|] {s} {v} in {y}
        """, **words), query
