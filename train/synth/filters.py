"""Conditions: a phrase before or behind the noun, and the SQL for it."""

from dataclasses import dataclass

from lexicon import GENDERS, NO_PREFIX, PEOPLES, PLACES, STATES, VALUE_WORDS
from maker import Maker, Skip
from periods import days_of, period
from query import at
from schema import Column, Table, literal
from words import with_article

@dataclass
class Filter:
    sql: str
    after: str = ""  # "with city Rome"
    before: str = ""  # "Rome", "active": stands before the noun
    column: Column | None = None
    either: bool = False  # an OR at the top: not to be joined with AND


def quoted(m: Maker, value) -> str:
    text = str(value)
    dice = m.rng.random()
    if dice < 0.15 and "'" not in text:
        return f"'{text}'"
    if dice < 0.3:
        return f'"{text}"'
    return text.lower() if dice > 0.8 else text


def is_ambiguous(m: Maker, column: Column, value) -> bool:
    """Whether the value alone would not tell which column is meant."""
    folded = str(value).lower()
    table = m.schema.tables[column.table]
    return any(c is not column and any(str(v).lower() == folded for v in c.values) for c in table.columns)


def text_equal(m: Maker, column: Column, copy: int = 0) -> Filter:
    value = m.cell(column)
    word, noun, table = quoted(m, value), m.noun(column), m.schema.tables[column.table]
    sql = f"{at(column, copy)} = {literal(value)}"
    if str(value) in STATES and m.chance(0.5):
        word = STATES[value]
        m.values.append(word)
    elif str(value).lower() in VALUE_WORDS and m.chance(0.25):
        word = value = m.pick(VALUE_WORDS[str(value).lower()])
        m.values.append(word)
    implicit = not is_ambiguous(m, column, value) and str(value)[:1].isalpha()
    people = PEOPLES.get(str(value).lower())
    if implicit and people and {
        "country", "nationality", "nation", "citizenship",
    } & set(column.words) and m.chance(0.4):
        return Filter(sql, before=people if m.chance(0.5) else people.capitalize(), column=column)
    if {"sex", "gender"} & set(column.words) and m.chance(0.7):
        said = GENDERS.get(str(value).lower())
        if said:
            return Filter(sql, before=m.pick(said), column=column)
    if implicit and column.kind in ("name", "first", "last") and m.chance(0.6):
        return Filter(
            sql, m.say("[named|called|with the name|by the name of|with name] {w}", w=word), column=column,
        )
    if implicit and PLACES & set(column.words) and m.chance(0.6):
        who = "[living in|who live in|based in|" if m.people(table) else "[located in|based in|"
        return Filter(sql, m.say(who + "in|in|from|from|of|that are in] {w}", w=word), column=column)
    if implicit and column.kind == "category" and len(str(value)) < 20 and m.chance(0.55):
        plain = str(value) if m.chance(0.5) else str(value).lower()
        if m.chance(0.7):
            return Filter(sql, before=plain, column=column)
        return Filter(
            sql, m.say("[that are|which are|who are|being|of the {n}|for] {w}", w=word, n=noun),
            column=column,
        )
    return Filter(sql, m.say("""
        with [|the|a] {n} {w}
        whose {n} is {w}
        where [|the] {n} [is|equals|=] {w}
        [that have|having|with] {n} {w}
        with {n} [equal to|of|=|:] {w}
        of {n} {w}
        {n} {w}
        [with|in|of] the {w} {n}
        """, n=noun, w=word), column=column)


def text_other(m: Maker, column: Column, copy: int = 0) -> Filter:
    value = m.cell(column)
    word, noun, name = quoted(m, value), m.noun(column), at(column, copy)
    dice = m.rng.random()
    if dice < 0.3:
        after = m.say("""
            whose {n} is not {w}
            with [|a] {n} other than {w}
            [that are not|not] {w}
            with {n} [different from|not equal to|!=|<>] {w}
            [except|excluding|but not] {n} {w}
            whose {n} [isn't|is anything but] {w}
            """, n=noun, w=word)
        if m.chance(0.25):
            second = m.cell(column)
            if second == value:
                raise Skip
            after = m.say("""
                [that are|being|] neither {w} nor {x}
                whose {n} is neither {w} nor {x}
                [not|that are not] {w} or {x}
                [except|excluding|without] {w} and {x}
                whose {n} is not {w} or {x}
                with {n} other than {w} and {x}
                """, n=noun, w=word, x=quoted(m, second))
            return Filter(f"{name} NOT IN ({literal(value)}, {literal(second)})", after, column=column)
        return Filter(f"{name} != {literal(value)}", after, column=column)
    if dice < 0.55:
        second = m.cell(column)
        if second == value:
            raise Skip
        after = m.say("""
            with {n} {w} or {x}
            whose {n} is [either|] {w} or {x}
            [in|from|for] {w} or {x}
            [that are|being] {w} or {x}
            with {n} in {w}, {x}
            [either|] {w} or {x}
            """, n=noun, w=word, x=quoted(m, second))
        return Filter(f"{name} IN ({literal(value)}, {literal(second)})", after, column=column)
    part = str(value).split()[0] if m.chance(0.7) else str(value)[: m.rng.choice([1, 2, 3, 4])]
    part = part.strip("',%_")
    if not part or not part.isalnum():
        raise Skip
    m.values.append(part)
    word = m.pick([f"'{part}'", f'"{part}"', f"the word {part}" if len(part) > 3 else f"'{part}'"])
    verb, pattern = m.pick([
        ("[contains|includes|has]", f"%{part}%"), ("[contains|includes the text]", f"%{part}%"),
        ("[starts with|begins with|starting with]", f"{part}%"), ("[ends with|ends in]", f"%{part}"),
    ])
    if pattern.startswith("%") and pattern.endswith("%") and m.chance(0.5):
        return Filter(f"{name} LIKE {literal(pattern)}",
                      m.say("""
                              with {w} in [the|their|its|] {n}
                              [containing|that contain|matching] {w} in [the|their] {n}
                              """, n=noun, w=word), column=column)
    ing = {"[contains|includes|has]": "containing", "[contains|includes the text]": "including"}.get(verb)
    if ing is None:
        ing = "starting with" if not pattern.startswith("%") else "ending with"
    lines = [f"whose {{n}} {verb} {{w}}", f"with [|a] {{n}} {ing} {{w}}", f"where [the|] {{n}} {verb} {{w}}"]
    return Filter(f"{name} LIKE {literal(pattern)}", m.say("\n".join(lines), n=noun, w=word), column=column)


def spoken(m: Maker, number: str) -> str:
    """Round numbers as people type them: 5k, 1.5m, 2 million, 5,000."""
    value = float(number)
    if value < 1000 or value % 100 or m.chance(0.65):
        return number
    if value >= 1_000_000 and value % 100_000 == 0:
        return f"{value / 1_000_000:g}" + m.pick(["m", "M", " million", " million", " mio"])
    dice = m.rng.random()
    if dice < 0.75:
        return f"{value / 1000:g}" + m.pick(["k", "k", "k", "K", " thousand"])
    return f"{int(value):,}"


def number_compare(m: Maker, column: Column, copy: int = 0) -> Filter:
    value, noun, name = m.number(column), m.noun(column), at(column, copy)
    said, dice = spoken(m, value), m.rng.random()
    _, _, more, less = m.degrees(column)
    sign, words, special = m.pick([(">", "<more>", more), (">", "<more>", more), ("<", "<less>", less),
                                   ("<", "<less>", less), (">=", "<least>", []), ("<=", "<most>", [])])
    if dice < 0.14:
        second = m.number(column)
        if float(second) <= float(value):
            raise Skip
        after = m.say("""
            with [|a] {n} between {v} and {w}
            whose {n} is between {v} and {w}
            with {n} from {v} to {w}
            with {n} in the range {v} to {w}
            {n} between {v} and {w}
            [with|having] {n} [at least|of at least] {v} and at most {w}
            """, n=noun, v=said, w=spoken(m, second))
        return Filter(f"{name} BETWEEN {value} AND {second}", after, column=column)
    if dice < 0.26:
        after = m.say("""
                with [|a] {n} [|of] {v}
                whose {n} is {v}
                with {n} [equal to|=|exactly] {v}
                where {n} is {v}
                of {n} {v}
                """, n=noun, v=said)
        return Filter(f"{name} = {value}", after, column=column)
    if special and m.chance(0.45):
        return Filter(f"{name} {sign} {value}", f"{m.pick(special)} {said}", column=column)
    if sign == ">=" and m.chance(0.3):
        after = m.say("""
                with [|a] {n} [of|] {v} or [more|higher|above]
                with {v}+ {n}
                {n} {v}+
                """, n=noun, v=said)
        return Filter(f"{name} >= {value}", after, column=column)
    if sign == "<=" and m.chance(0.3):
        return Filter(
            f"{name} <= {value}", m.say("with [|a] {n} of {v} or [less|lower|below]", n=noun, v=said),
            column=column,
        )
    after = m.say(f"""
        with [|a|the] {{n}} [|of] {words} {{v}}
        whose {{n}} is {words} {{v}}
        where [|the] {{n}} is {words} {{v}}
        [that have|having|with] {words} {{v}} {{n}}
        {{n}} {words} {{v}}
        """, n=noun, v=said)
    return Filter(f"{name} {sign} {value}", after, column=column)


IRREGULAR = {"sent", "paid", "sold", "built", "held", "bought", "read", "left", "born", "done", "found", "written", "taken"}


def participle(m: Maker, column: Column) -> str:
    """What happened on a date: `delivered` of delivered_on; empty where its name does not tell."""
    words = [w for w in column.words if (w.endswith("ed") and len(w) > 4) or w in IRREGULAR]
    hints = [w for w in column.hints.yes if " " not in w and not w.startswith("-") and (w.endswith("ed") or w in IRREGULAR)]
    return m.rng.choice(hints + words) if hints or words else ""


def happened(m: Maker, column: Column, copy: int = 0) -> Filter:
    """`undelivered`, `never paid`, `already shipped`: a date that is or is not there."""
    word = participle(m, column)
    if not word:
        raise Skip
    if m.chance(0.6):
        sql = f"{at(column, copy)} IS NULL"
        if m.chance(0.45):
            return Filter(sql, before=m.pick([f"un{word}", f"not {word}", f"not yet {word}", f"un{word}", f"never {word}"]), column=column)
        return Filter(sql, m.say("""
            [that were|that have been|which were|that are|] [never|not|not yet] {w}
            not {w} [yet|so far|until now]
            that [haven't|have not] been {w} [yet|]
            [still|] waiting to be {w}
            still not {w}
            """, w=word), column=column)
    sql = f"{at(column, copy)} IS NOT NULL"
    if m.chance(0.6):
        return Filter(sql, before=m.pick([word, word, f"already {word}"]), column=column)
    return Filter(sql, m.say("[that are|that were|which have been|] already {w}\nthat [have been|were] {w}", w=word), column=column)


def missing(m: Maker, column: Column, copy: int = 0) -> Filter:
    """NULL tests; where hints know an adjective (`undelivered`) it is used."""
    noun, hints = m.noun(column), column.hints
    if column.kind == "date" and m.chance(0.5) and participle(m, column):
        return happened(m, column, copy)
    if m.chance(0.65):
        sql = f"{at(column, copy)} IS NULL"
        if hints.no and m.chance(0.7):
            return adjective(m, sql, m.pick(hints.no), column)
        return Filter(sql, m.say("""
            <without> {n}
            without {a}
            with [missing|unknown|empty|no known|blank] {n}
            [whose {n} is|where {n} is] [missing|not known|unknown|empty|null|not set|not given]
            that [have|has] no {n}
            missing {n}
            """, n=noun, a=with_article(noun)), column=column)
    sql = f"{at(column, copy)} IS NOT NULL"
    if hints.yes and m.chance(0.7):
        return adjective(m, sql, m.pick(hints.yes), column)
    return Filter(sql, m.say("""
        [that have|who have|with|having] {a}
        with a known {n}
        [whose {n} is|where {n} is] [known|given|not null|set|not empty|filled in]
        """, n=noun, a=with_article(noun)), column=column)


def adjective(m: Maker, sql: str, word: str, column: Column) -> Filter:
    """Hints with a leading `-` only work behind the noun (`-subscribed to the newsletter`)."""
    if word.startswith(("-that ", "-who ", "-which ", "-we ", "-nobody ")):
        return Filter(sql, word[1:], column=column)
    if word.startswith("-"):
        return Filter(
            sql, m.say("[that are|who are|which are|] {w}", w=word[1:]) if m.chance(0.6) else word[1:],
            column=column,
        )
    if m.chance(0.7):
        return Filter(sql, before=word, column=column)
    return Filter(sql, m.say("[that are|who are|which are|being] {w}", w=word), column=column)


def flag(m: Maker, column: Column, copy: int = 0) -> Filter:
    """Booleans: the column's own word as an adjective, or what hints say."""
    cells = {str(value).lower(): value for value in column.values}
    yes = next((cells[c] for c in ("1", "t", "y", "yes", "true") if c in cells), 1)
    no = next((cells[c] for c in ("0", "f", "n", "no", "false") if c in cells), 0)
    words = column.words[1:] if column.words[0] in ("is", "has", "was", "are", "if") and len(column.words) > 1 else column.words
    if words[-1] in ("flag", "indicator", "yn", "ind", "ok") and len(words) > 1:
        words = words[:-1]
    noun, positive = " ".join(words), m.chance(0.6)
    sql = f"{at(column, copy)} = {literal(yes if positive else no)}"
    if positive and column.hints.yes and m.chance(0.75):
        return adjective(m, sql, m.pick(column.hints.yes), column)
    if not positive and column.hints.no and m.chance(0.65):
        return adjective(m, sql, m.pick(column.hints.no), column)
    if column.words[0] == "has" or words[-1] in ("id", "name"):
        after = m.say("with [|a] {n}\nthat have [|a] {n}\nhaving {n}" if positive else
                      "<without> {n}\nwithout a {n}", n=noun)
        return Filter(sql, after, column=column)
    if positive:
        if len(words) == 1 and m.chance(0.6):
            return Filter(sql, before=noun, column=column)
        return Filter(sql, m.say("""
                [that are|which are|who are|marked as|flagged as] {n}
                where {n} is [true|yes]
                with {n}
                """, n=noun), column=column)
    opposite = NO_PREFIX.get(words[-1], "")
    if not opposite and len(words) == 1 and noun.endswith("ed"):
        opposite = "un" + noun
    if opposite and m.chance(0.5):
        return Filter(sql, before=opposite, column=column)
    if len(words) == 1 and m.chance(0.4):
        return Filter(sql, before=m.pick(["non ", "not ", "non-", "not yet "]) + noun, column=column)
    return Filter(sql, m.say("""
            [that are|which are|who are|] not {n}
            [that aren't|who aren't|that are not yet|not yet] {n}
            where {n} is [false|no]
            without {n}
            """, n=noun), column=column)


def fact(m: Maker, table: Table) -> Filter:
    """A condition with a name of its own: late, out of stock, over budget."""
    known = m.pick(table.facts)
    column = m.schema.columns[known.columns[0]]
    if known.opposite and known.no and m.chance(0.4):
        return adjective(m, known.opposite, m.pick(known.no), column)
    return adjective(m, known.sql, m.pick(known.yes), column)


def unassigned(m: Maker, column: Column, copy: int = 0) -> Filter:
    """A key that leads nowhere: nobody, unassigned, anonymous."""
    key = next((k for k in m.schema.keys if k.child == column.id), None)
    if key is None:
        raise Skip
    parent, hints = m.schema.table_of(key.parent), key.hints
    sql = f"{at(column, copy)} IS NULL"
    if hints.no and m.chance(0.35):
        word = m.pick(hints.no)
        if m.chance(0.4) and word.endswith("ed"):
            return Filter(sql, before="un" + word, column=column)
        return Filter(sql, m.say("[not|not yet|never] {w}\n[that were|that are|that have] not [been|] {w}", w=word), column=column)
    if m.people(parent) and m.chance(0.2):
        return Filter(sql, before=m.pick(["unassigned", "unassigned", "anonymous", "orphaned", "unowned"]), column=column)
    lines = """
        <without> {p}
        without [a|any|an assigned|a known] {p}
        with no {p} [assigned|given|set|]
        not assigned to [a|any] {p}
        that have no {p}
        """
    if m.people(parent):
        lines += "\n[nobody|no one] is [assigned to|responsible for|in charge of]\nwithout anyone assigned\nassigned to [nobody|no one]"
    return Filter(sql, m.say(lines, p=m.one(parent)), column=column)


def weekend(m: Maker, column: Column, copy: int = 0) -> Filter:
    """Saturdays and Sundays, the other days, or one day of the week."""
    day, dice = f"strftime('%w', {at(column, copy)})", m.rng.random()
    if dice < 0.5:
        return Filter(f"{day} IN ('0', '6')", m.say(
            "[on|at] [the|] [weekend|weekends]\n[on|] saturdays and sundays\n[on a|during the|on] weekend[|s]\nat [a|the] weekend"), column=column)
    if dice < 0.7:
        return Filter(f"{day} NOT IN ('0', '6')", m.say(
            "on [weekdays|working days|workdays]\n[during|outside] the [week|working week]\nmonday to friday\nnot on weekends"
            ).replace("outside the week", "on weekdays").replace("outside the working week", "on weekdays"), column=column)
    number = m.rng.randrange(7)
    name = "sunday monday tuesday wednesday thursday friday saturday".split()[number]
    name = name if m.chance(0.5) else name.capitalize()
    return Filter(f"{day} = '{number}'", m.say("on [a|] {d}\non {d}s\n{d}s only", d=name), column=column)


def zero(m: Maker, column: Column, copy: int = 0) -> Filter:
    """Nothing of a number: no stock, zero results."""
    noun = m.noun(column)
    return Filter(f"{at(column, copy)} = 0", m.say("""
        with [zero|no|0] {n}
        [without|without any] {n}
        whose {n} is [0|zero]
        that have no {n}
        """, n=noun), column=column)


def year_number(m: Maker, column: Column, copy: int = 0) -> Filter:
    """A year kept as a number."""
    value, noun, name = m.number(column), m.noun(column), at(column, copy)
    dice = m.rng.random()
    if dice < 0.45:
        return Filter(f"{name} = {value}", m.say("""
                in {v}
                from {v}
                of {v}
                in the year {v}
                with {n} {v}
                whose {n} is {v}
                for {v}
                """, n=noun, v=value), column=column)
    if dice < 0.7:
        return Filter(f"{name} > {value}", m.say("""
                after {v}
                with {n} after {v}
                later than {v}
                newer than {v}
                whose {n} is [after|later than] {v}
                """, n=noun, v=value), column=column)
    return Filter(f"{name} < {value}", m.say("""
            before {v}
            with {n} before {v}
            earlier than {v}
            older than {v}
            whose {n} is [before|earlier than] {v}
            """, n=noun, v=value), column=column)


def date(m: Maker, column: Column, copy: int = 0) -> Filter:
    sql, words = period(m, column, copy)
    return Filter(sql, words, column=column)


def condition(m: Maker, table: Table, copy: int = 0, simple: bool = False) -> Filter:
    """Any condition on the table's own columns."""
    choices = []
    for column in table.columns:
        if column.kind in ("category", "name", "first", "last", "text", "code") and column.values:
            if any(isinstance(value, str) for value in column.values):
                choices += [(3 if column.kind == "category" else 1.2, text_equal, column)]
                if not simple:
                    choices += [(0.8, text_other, column)]
        elif column.kind == "measure":
            choices += [(1.5, number_compare, column)]
            if 0 in column.values:
                choices += [(0.3, zero, column)]
        elif column.kind == "flag":
            choices += [(2.5, flag, column)]
        elif column.kind == "year":
            choices += [(1.5, year_number, column)]
        elif column.kind == "date":
            choices += [(1.8, date, column)]
            if not simple and days_of(column) and "birth" not in column.phrase:
                choices += [(0.12, weekend, column)]
        elif column.kind == "key" and column.foreign and column.nullable and not simple:
            choices += [(1.0, unassigned, column)]
        if column.nullable and column.kind != "key" and not column.primary and not simple:
            choices += [(1.0, missing, column)]
    if table.facts and copy == 0:
        choices += [(2.0, fact, None)] * min(2, len(table.facts))
    if not choices:
        raise Skip
    _, make, column = m.rng.choices(choices, [c[0] for c in choices])[0]
    if make is fact:
        return fact(m, table)
    if make is text_equal and not all(isinstance(v, str) for v in column.values):
        raise Skip
    return make(m, column, copy)


def joined(m: Maker, filters: list[Filter], noun: str) -> str:
    """The noun with all its conditions around it."""
    m.said += filters
    before = " ".join(f.before for f in filters if f.before)
    after = [f.after for f in filters if f.after]
    link = m.pick([" and ", " and ", " ", ", ", " but only "])
    return " ".join(f"{before} {noun} {link.join(after)}".split())


def some(m: Maker, table: Table, extra: float = 0.2, **options) -> list[Filter]:
    """One condition, now and then two on different columns."""
    filters = [condition(m, table, **options)]
    if m.chance(extra):
        second = condition(m, table, **options)
        if second.column is not filters[0].column:
            filters.append(second)
    return filters
