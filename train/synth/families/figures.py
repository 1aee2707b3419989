"""Figures in groups: several aggregates per code or parent, different ones per group, figures per year."""

from families import Pair, family
from families.counts import NOT_COUNTED, counted_noun
from filters import condition, joined
from maker import Maker, Skip
from periods import days_of, years_of
from query import at
from schema import literal
from words import listing, plural_phrase, singular

SEVERAL = [("MAX", "[max|maximum|highest|largest]"), ("AVG", "[average|avg|mean]"), ("MIN", "[min|minimum|lowest|smallest]"),
           ("SUM", "[total|sum|overall]")]
CODES = {"code", "id", "key", "no", "number"}


def coded_groups(m: Maker, table) -> list:
    """(key column that is a word, what it stands for): dept_code, role_code; the code itself is the group."""
    found = []
    for key in m.schema.parents(table.id):
        column = m.schema.columns[key.child]
        rivals = [k for k in m.schema.parents(table.id) if k is not key and m.parent(k) is m.parent(key)]
        if column.type == "text" and column.values and not rivals and all(isinstance(v, str) for v in column.values):
            found.append((column, m.parent(key)))
    return found


def grouped_table(m: Maker, test=lambda table: True):
    """A table to be split up, often one with a code to split it by."""
    if m.chance(0.45):
        coded = [t for t in m.schema.tables if test(t) and coded_groups(m, t)]
        if coded:
            return m.pick(coded)
    return m.table(test)


def group_of(m: Maker, table, query) -> tuple[list[str], list[str], str]:
    """Shown, GROUP BY and the noun of a group: a code here, one two keys away, a named parent, a category."""
    dice = m.rng.random()
    codes = coded_groups(m, table)
    if codes and dice < 0.5:
        column, parent = m.pick(codes)
        noun = m.one(parent) if m.chance(0.75) else m.noun(column)
        return [at(column)], [at(column)], noun
    if dice < 0.65:
        ways = [(k, c) for k in m.schema.main_keys if m.child(k) is table for c in coded_groups(m, m.parent(k))]
        if ways:
            key, (column, parent) = m.pick(ways)
            query.join(key)
            return [at(column)], [at(column)], m.one(parent) if m.chance(0.75) else m.noun(column)
    keys = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k)) and m.parent(k).primary
            and m.schema.columns[k.child].type != "text" and not m.schema.columns[k.child].primary]
    if keys and dice < 0.85:
        key = m.pick(keys)
        query.join(key)
        parent = m.parent(key)
        return [at(c) for c in m.names(parent)], [at(parent.primary)], m.one(parent)
    column = m.pick(table.of_kind("category", "category", "year", "flag"))
    return [at(column)], [at(column)], m.noun(column)


@family(7)
def several_per_group(m: Maker) -> Pair:
    """`the max, average and minimum wage in each depot`."""
    table = grouped_table(m, m.measures)
    measured = m.pick(m.measures(table))
    kinds = m.rng.sample(SEVERAL, m.pick([1, 2, 2, 3, 3]))
    query = m.query(table)
    filters = [condition(m, table, simple=True)] if m.chance(0.2) else []
    shown, query.group, noun = group_of(m, table, query)
    if at(measured) in shown or any(at(f.column) in shown for f in filters):
        raise Skip
    query.where = [f.sql for f in filters]
    query.select = shown + [f"{kind}({at(measured)})" for kind, _ in kinds]
    words = {"w": listing([m.say(word) for _, word in kinds]), "n": m.noun(measured), "g": noun, "t": m.one(table),
             "ts": joined(m, filters, m.many(table))}
    return m.say("""
        [what is|what are|find|show|] the {w} {n} of [all|the|] {ts} [in|for|of] [each|every] {g}
        [for|in] [each|every] {g}, [what is|show|find|give] the {w} {n} of [its|the|] {ts}
        {w} {n} of {ts} [per|by|in each|for every] {g}
        [find|show|list|] the {w} {n} of {ts} for [each|every] {g}
        """ if filters else """
        [what is|what are|find|show|] the {w} {n} of [all|the|] {ts} [in|for|of] [each|every] {g}
        [what is|what are|whats|] the {w} {t} {n} [for|in] [each|every] {g}
        {w} {n} [of {ts}|] [per|by|in each|for every|for each] {g}
        [for|in] [each|every] {g}, [what is|show|find|give] the {w} {n} [of its {ts}|of {ts}|]
        [find|show|list|] each {g} with the {w} {n} of its {ts}
        {g} and {w} {n}
        """, **words), query


@family(6)
def counted_per_group(m: Maker) -> Pair:
    """`how many players does each squad have`: only the group and the number."""
    table = grouped_table(m, lambda t: m.schema.parents(t.id))
    query = m.query(table)
    filters = [condition(m, table, simple=True)] if m.chance(0.25) else []
    shown, query.group, noun = group_of(m, table, query)
    if any(at(f.column) in shown for f in filters):
        raise Skip
    query.where = [f.sql for f in filters]
    query.select = shown + ["COUNT(*)"]
    words = {"ts": joined(m, filters, m.many(table)), "g": noun, "gs": plural_phrase(noun)}
    dice = m.rng.random()
    if dice < 0.2:
        up = m.chance(0.75)
        query.order, query.limit = ["COUNT(*)" + (" DESC" if up else "")], 1 if m.chance(0.6) else m.limit()
        words |= {"e": "most" if up else m.pick(["fewest", "least"]), "k": "" if query.limit == 1 else str(query.limit)}
        if query.limit == 1:
            return m.say("""
                [which|what] {g} has the {e} {ts}, and how many
                the {g} with the {e} {ts} and the number of {ts}
                <lead> the {g} with the {e} {ts} and [its|their] number
                [which|what] {g} has the {e} {ts} and how many [is it|are they|are there|]
                """, **words), query
        return m.say("""
            {k} {gs} with the {e} {ts} and the number of {ts}
            <lead> the {k} {gs} with the {e} {ts} and how many they have
            the {k} {gs} with the {e} {ts}, and the number of {ts}
            """, **words), query
    if dice < 0.3:
        number = m.rng.choice([1, 2, 2, 3, 4, 5])
        query.having, words["k"] = f"COUNT(*) > {number}", m.number_word(number)
        return m.say("""
            number of {ts} [in|of|for] [each|every] {g} [with|that has|having] more than {k} [{ts}|]
            {gs} with more than {k} {ts}, and how many
            for [each|every] {g} with more than {k} {ts}, the number of {ts}
            {gs} having more than {k} {ts} and the number of {ts}
            """, **words), query
    return m.say("""
        how many {ts} does [each|every] {g} have
        how many {ts} [are there|are] [in|for|of] [each|every] {g}
        [find|show|count|] the number of {ts} [in|for|of] [each|every] {g}
        number of {ts} [in|for|of] [each|every] {g}
        number of {ts} [per|by] {g}
        [what are|show|] the [different|] {gs} and how many {ts} [are there in each|does each have|are in each]
        [for|in] [each|every] {g}, [how many {ts} are there|count the {ts}|what is the number of {ts}]
        {gs} and [the|their] number of {ts}
        how many {ts} are there for the different {gs}
        """, **words), query


@family(5)
def different_per_group(m: Maker) -> Pair:
    """`how many different cities does each branch have`, `customers holding each type of card`."""
    table = grouped_table(m, lambda t: len(t.of_kind("category", "text")) > 0)
    query = m.query(table)
    shown, query.group, noun = group_of(m, table, query)
    keys = [k for k in m.schema.main_keys if m.child(k) is table and at(k.child) not in shown and not query.has(m.parent(k))]
    words = {"g": noun, "ts": m.many(table), "d": m.pick(["different", "distinct", "different", "unique"])}
    if keys and m.chance(0.45):
        key = m.pick(keys)
        counted, words["ns"] = m.schema.columns[key.child], m.many(m.parent(key))
    else:
        counted = m.pick([c for c in table.of_kind("category", "text", "category") if at(c) not in shown])
        words["ns"] = plural_phrase(m.noun(counted))
    query.select = shown + [f"COUNT(DISTINCT {at(counted)})"]
    if m.chance(0.2):
        query.select, query.order, query.limit = shown, [f"COUNT(DISTINCT {at(counted)}) DESC"], 1
        return m.say("""
            which {g} has the most {d} {ns}
            {g} with the most {d} {ns}
            <lead> the {g} with the most {d} {ns}
            what {g} has the largest number of {d} {ns}
            """, **words), query
    return m.say("""
        how many {d} {ns} does [each|every] {g} have
        count [the|] {d} {ns} [of|for|in] [each|every] {g}
        number of {d} {ns} [per|by|for each|in each|in every] {g}
        how many {d} {ns} [are there|] [in|for|of] [each|every] {g}
        [for|in] [each|every] {g}, [how many {d} {ns} are there|the number of {d} {ns}|count the {d} {ns}]
        each {g} and the number of {d} {ns} [of its {ts}|]
        {d} {ns} [per|by] {g}
        """, **words), query


@family(3)
def parent_with_count(m: Maker) -> Pair:
    """`name, address and number of students of the departments`: what is asked for and no key besides."""
    keys = [k for k in m.schema.main_keys if m.names(m.parent(k)) and m.parent(k).primary]
    key = m.pick(keys)
    child, parent = m.child(key), m.parent(key)
    others = [c for c in m.plain(parent) if c not in m.names(parent)]
    extra = m.rng.sample(others, min(len(others), m.pick([0, 1, 1, 2])))
    query = m.query(parent).join(key)
    query.group = [at(parent.primary)]
    query.select = [at(c) for c in m.names(parent) + extra] + ["COUNT(*)"]
    asked = ["name" if len(m.names(parent)) == 1 else m.pick(["first and last name", "name", "full name"])] + [m.noun(c) for c in extra]
    words = {"n": ", ".join(asked), "ps": m.many(parent), "p": m.one(parent), "cs": m.many(child)}
    if m.chance(0.5):
        up = m.chance(0.8)
        query.order, query.limit = ["COUNT(*)" + (" DESC" if up else "")], m.pick([1, 3, 3, 5, m.limit()])
        words |= {"k": "" if query.limit == 1 else str(query.limit), "e": "most" if up else "fewest",
                  "h": m.pick(["highest", "largest"] if up else ["lowest", "smallest"]), "ps": m.one(parent) if query.limit == 1 else m.many(parent)}
        return m.say("""
            [find|show|what is|list|] the {n} and number of {cs} of the {k} {ps} with the {e} {cs}
            {n} and number of {cs} [in|of|for] the {ps} that have the top {k} {h} number of {cs}
            <lead> the {n} and the number of {cs} for the {k} {ps} with the {h} number of {cs}
            the {k} {ps} with the {e} {cs}: {n} and number of {cs}
            """, **words), query
    return m.say("""
        [find|show|what are|list|] the {n} and number of {cs} of [each|every] {p}
        {n} and number of {cs} [for|of] [each|every|all] {p}
        for [each|every] {p}, [return|show|give|list|] the {n} and [the|] number of {cs}
        <lead> the {n} of [each|every] {p} and [the|its] number of {cs}
        """, **words), query


def yearly(m: Maker):
    """A table of figures per year for named things: the table, its key, the year, a figure and its noun."""
    def fits(table) -> bool:
        return bool(table.of_kind("year")[:1] and table.of_kind("year")[0].words == ["year"] and not m.names(table) and m.measures(table) and any(
            len(m.names(m.parent(k))) == 1 for k in m.schema.main_keys if m.child(k) is table))

    table = m.table(fits)
    key = m.pick([k for k in m.schema.main_keys if m.child(k) is table and len(m.names(m.parent(k))) == 1])
    column = m.pick(m.measures(table))
    counted = counted_noun(column)
    last = column.words[-1]
    if not counted and last.endswith("s") and singular(last) != last and last not in NOT_COUNTED:
        counted = " ".join(column.words)
    one_row = len([k for k in m.schema.parents(table.id)]) == 1 and not table.of_kind("category")
    return table, key, table.of_kind("year")[0], column, counted, one_row


def in_year(m: Maker, year) -> tuple[str, str]:
    value = m.number(year)
    dice = m.rng.random()
    if dice < 0.65:
        return f"{at(year)} = {value}", m.pick(["in", "in", "in the year", "for", "in year"]) + f" {value}"
    if dice < 0.8:
        other = m.number(year)
        if int(other) <= int(value):
            raise Skip
        return f"{at(year)} BETWEEN {value} AND {other}", m.say("between {a} and {b}\nfrom {a} to {b}", a=value, b=other)
    sign, word = m.pick([(">", "after"), ("<", "before"), (">=", "since")])
    return f"{at(year)} {sign} {value}", f"{word} {value}"


@family(8)
def figure_of_year(m: Maker) -> Pair:
    """`how many births were there in Selby in 2002`, `road fee of Selby in 2000`: the figure, not the number of rows."""
    table, key, year, column, counted, one_row = yearly(m)
    parent = m.parent(key)
    when, said = in_year(m, year)
    query = m.query(table)
    query.where = [when]
    noun = m.noun(column)
    words = {"ns": counted, "n": noun, "p": said, "t": m.one(parent), "ts": m.many(parent),
             "done": m.pick(["were there", "were recorded", "were counted", "do we have", "are there"])}
    plain = (one_row or not counted) and " = " in when  # there is one such row
    dice = m.rng.random()
    if dice < 0.45:
        name = m.names(parent)[0]
        value = m.cell(name)
        query.join(key)
        query.where.insert(0, f"{at(name)} = {literal(value)}")
        query.select = [at(column) if plain else f"SUM({at(column)})"]
        words["x"] = m.pick([f'"{value}"', str(value), str(value), str(value)])
        if counted and m.chance(0.75):
            return m.say("""
                how many {ns} {done} [in|at|for] [the {t}|] {x} {p}
                how many {ns} [did|does] {x} have {p}
                [what is|what was|find|] the [total|] number of {ns} [in|at|of|for] [the {t}|] {x} {p}
                number of {ns} [in|at|of] {x} {p}
                {p}, how many {ns} did {x} have
                {ns} [in|of] {x} {p}
                how many {ns} {done} {p} [in|at] {x}
                """, **words), query
        return m.say("""
            [what is|what was|find|show|] the {n} [of|for|in] [the {t}|] {x} {p}
            {p}, what [is|was] the {n} [for|of] {x}
            {n} [of|for] {x} {p}
            how [high|much] was the {n} [of|in|for] {x} {p}
            {x} {n} {p}
            """, **words), query
    if dice < 0.6:
        query.select = [f"SUM({at(column)})"]
        filters = []
        if m.chance(0.4):
            query.join(key)
            filters = [condition(m, parent, simple=True)]
            if filters[0].column.kind == "year":
                raise Skip
            query.where.append(filters[0].sql)
        of = "[in|of|for] {f}" if filters else "[in all {ts}||]"
        words["f"] = joined(m, filters, m.many(parent))
        if counted:
            return m.say(f"""
                how many {{ns}} {{done}} {of} {{p}}
                how many {{ns}} {{done}} {of} {{p}} [in total|altogether|all together|]
                [report|what is|find|] the total number of {{ns}} {of} {{p}}
                total {{ns}} {of} {{p}}
                number of {{ns}} {of} {{p}}
                """, **words), query
        return m.say(f"total {{n}} {of} {{p}}\n<what> the total {{n}} {of} {{p}}\nsum of {{n}} {of} {{p}}\noverall {{n}} {of} {{p}}", **words), query
    if dice < 0.75:
        query.join(key)
        up = m.chance(0.75)
        query.select, query.limit = [at(m.names(parent)[0])], 1
        if plain:
            query.order = [at(column) + (" DESC" if up else "")]
        else:
            query.group, query.order = [at(parent.primary or m.names(parent)[0])], [f"SUM({at(column)})" + (" DESC" if up else "")]
        words |= {"e": "most" if up else m.pick(["fewest", "least"]), "h": "highest" if up else "lowest"}
        return m.say("""
            [which|what] {t} [has|had] the {e} {ns} {p}
            {t} with [the|] {e} {ns} {p}
            [which|what] {t} had the {h} number of {ns} {p}
            <lead> the {t} with the {e} {ns} {p}
            {p}, which {t} had the {e} {ns}
            """ if counted else """
            [which|what] {t} [has|had] the {h} {n} {p}
            {t} with [the|] {h} {n} {p}
            <lead> the {t} with the {h} {n} {p}
            {p}, which {t} had the {h} {n}
            """, **words), query
    if dice < 0.85:
        query.where = []
        up = m.chance(0.8)
        query.select, query.group, query.order, query.limit = [at(year)], [at(year)], [f"SUM({at(column)})" + (" DESC" if up else "")], 1
        words |= {"e": "most" if up else "fewest", "h": "highest" if up else "lowest"}
        return m.say("""
            [which|what|in which|in what] year [had|has|were there|saw] the {e} {ns}
            year with [the|] {e} {ns}
            <lead> the year with the {e} {ns}
            in which year were the {e} {ns} recorded
            """ if counted else """
            [which|what] year had the {h} [total|overall] {n}
            year with the {h} total {n}
            <lead> the year with the {h} total {n}
            in which year was the total {n} {h}
            """, **words), query
    query.join(key)
    if dice < 0.93:
        query.select, query.group = [at(m.names(parent)[0]), f"SUM({at(column)})"], [at(parent.primary or m.names(parent)[0])]
        if m.chance(0.4):
            one = condition(m, parent, simple=True)
            if one.column.kind == "year":
                raise Skip
            query.where.append(one.sql)
            words["t"], words["ts"] = joined(m, [one], words["t"]), joined(m, [one], words["ts"])
        words["n"] = f"number of {counted}" if counted else f"total {noun}"
        return m.say("""
            for [each|every] {t}, [report|show|give|] the {n} {p}
            {n} [of|for|in] [each|every] {t} {p}
            [what is|find|report|show] the {n} {p} [for|of] [each|every] {t}
            {n} {p} [per|by] {t}
            {ts} and their {n} {p}
            """, **words), query
    low = m.number(column)
    query.select = [at(m.names(parent)[0])]
    if m.chance(0.5):
        high = m.number(column)
        if float(high) <= float(low):
            raise Skip
        query.where.append(f"{at(column)} BETWEEN {low} AND {high}")
        words["c"] = f"between {low} and {high}"
    else:
        up = m.chance(0.7)
        query.where.append(f"{at(column)} {'>' if up else '<'} {low}")
        words["c"] = ("more than " if up else m.pick(["less than ", "fewer than "])) + low
    words["n"] = counted or noun
    return m.say("""
        {ts} [with|that had|that have|having] {c} {n} {p}
        <lead> the {ts} with {c} {n} {p}
        which {ts} had {c} {n} {p}
        what are the {ts} that had {c} {n} {p}
        {p}, which {ts} had {c} {n}
        """, **words), query


@family(4)
def growth_of_figure(m: Maker) -> Pair:
    """`spend growth 2023 vs 2024 percent`: of the sum of what is measured, though the table may be called alike."""
    table = m.table(lambda t: m.measures(t) and (t.of_kind("year") or any(days_of(c) for c in t.of_kind("date"))))
    when = m.pick(table.of_kind("year") or [c for c in table.of_kind("date") if days_of(c) and "birth" not in c.phrase][:1])
    measure = m.measure(table)
    noun = measure.noun
    money = set(table.words) & {"spend", "sales", "payment", "expense", "cost", "revenue", "donation", "tax", "taxes", "invoice", "births", "teachers"}
    if money and len(m.measures(table)) == 1 and m.chance(0.5):
        noun = m.one(table)
    years = years_of(when) if when.kind == "date" else sorted({v for v in when.values if isinstance(v, int)})
    if len(years) < 2:
        raise Skip
    place = m.rng.randrange(len(years) - 1)
    low, high = years[place], years[place + 1]
    test = (lambda y: f"strftime('%Y', {at(when)}) = '{y}'") if when.kind == "date" else (lambda y: f"{at(when)} = {y}")

    def only(year: int) -> str:
        return f"SUM(CASE WHEN {test(year)} THEN {measure.sql} END)"

    query = m.query(table)
    words = {"n": noun, "a": low, "b": high}
    if m.chance(0.75):
        query.select = [f"100.0 * ({only(high)} - {only(low)}) / {only(low)}"]
        return m.say("""
            {n} growth {a} [to|vs|vs.|-] {b} [percent|in percent|in %|]
            [percentage|percent] [growth|change|increase] [of|in] [total|] {n} from {a} to {b}
            by how many percent did [the|] [total|] {n} [grow|change|increase|rise] from {a} to {b}
            {n} {b} vs {a} in percent
            how much did {n} grow from {a} to {b} in percent
            {n} change {a} vs {b} [%|percent]
            growth of {n} between {a} and {b} in percent
            """, **words), query
    query.select = [f"{only(high)} - {only(low)}"]
    return m.say("""
        how much more {n} in {b} than in {a}
        difference in [total|] {n} between {a} and {b}
        {n} {b} minus {n} {a}
        change of [total|] {n} from {a} to {b}
        by how much did [total|] {n} [rise|change] from {a} to {b}
        """, **words), query
