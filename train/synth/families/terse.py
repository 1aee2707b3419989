"""Few words that mean much: women, one star, with no payment, longer than 10 min, tenure, salary range, raises over 500, a vs b."""

from families import Pair, family
from families.keys import identity
from filters import joined, some
from maker import Maker, Skip
from query import at
from schema import literal
from words import plural_phrase

SEXES = {"f": ["women", "females", "ladies"], "female": ["women", "females"], "m": ["men", "males", "guys"], "male": ["men", "males"]}


@family(6)
def women_and_men(m: Maker) -> Pair:
    """`women in sales`: people by a word of their own, listed unless a number is asked for."""
    def sex(table) -> list:
        return [c for c in table.columns if {"sex", "gender"} & set(c.words) and any(str(v).lower() in SEXES for v in c.values)]

    table = m.table(lambda t: sex(t) and m.names(t))
    column = sex(table)[0]
    value = m.pick([v for v in column.values if str(v).lower() in SEXES])
    noun = m.pick(SEXES[str(value).lower()])
    query = m.query(table)
    query.where = [f"{at(column)} = {literal(value)}"]
    filters = []
    keys = [k for k in m.schema.main_keys if m.child(k) is table and len(m.names(m.parent(k))) == 1]
    if keys and m.chance(0.5):
        key = m.pick(keys)
        name = m.names(m.parent(key))[0]
        cell = m.cell(name)
        query.join(key)
        query.where.append(f"{at(name)} = {literal(cell)}")
        tail = m.say("[in|from|at|of] [the|] {v}\n[in|from|at] {v}\n{v}", v=cell)
    else:
        filters = [f for f in (some(m, table, 0.0, simple=True) if m.chance(0.7) else []) if f.column is not column]
        query.where += [f.sql for f in filters]
        tail = ""
    things = f"{joined(m, filters, noun)} {tail}".strip()
    dice = m.rng.random()
    if dice < 0.25:
        query.select = ["COUNT(*)"]
        return m.say("how many {x} [are there|do we have|]\n[number|count|nr] of {x}\ncount {x}\nhow many {x}", x=things), query
    if dice < 0.4 and m.measures(table):
        measure = m.pick(m.measures(table))
        query.select = [f"AVG({at(measure)})"]
        return m.say("[avg|average|mean] {n} of {x}\n<what> the average {n} of {x}\n{x}: avg {n}", n=m.noun(measure), x=things), query
    query.select = m.shown(table).sql
    return m.say("{x}\n{x}\n<lead> <the> {x}\nwho are the {x}\nnames of [all|the|] {x}\n[all|our] {x}\nwhich {x} do we have", x=things), query


STARS = {"stars", "rating", "score", "satisfaction", "grade"}
NUMBERS = ["zero", "one", "two", "three", "four", "five"]


@family(5)
def star_reviews(m: Maker) -> Pair:
    """`one star reviews in 2025`, `how many 5-star ratings`."""
    def marks(table) -> list:
        return [c for c in m.measures(table) if STARS & set(c.words) and c.values and all(isinstance(v, int) and 0 <= v <= 5 for v in c.values)]

    table = m.table(marks)
    column = m.pick(marks(table))
    value = m.pick(column.values)
    sign, said = m.pick([("=", "[{w}|{v}][ |-]star"), ("=", "[{w}|{v}][ |-]star"), ("=", "{v}*"), (">=", "{v}+ star"), ("<=", "{v} star or [less|lower|worse]")])
    query = m.query(table)
    filters = [f for f in (some(m, table, 0.0, simple=True) if m.chance(0.4) else []) if f.column is not column]
    query.where = [f"{at(column)} {sign} {value}"] + [f.sql for f in filters]
    things = m.say(said, v=value, w=NUMBERS[value]) + " " + joined(m, filters, m.many(table))
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k)) and m.parent(k).primary]
    dice = m.rng.random()
    if dice < 0.3:
        query.select = ["COUNT(*)"]
        return m.say("how many {x} [do we have|did we get|are there|]\n[number|count|nr|#] of {x}", x=things), query
    if dice < 0.55 and parents:
        key = m.pick(parents)
        where = query.where
        query = m.query(m.parent(key)).join(key)
        query.where, query.select, query.group = where, m.shown(m.parent(key)).sql + ["COUNT(*)"], [identity(m, m.parent(key))]
        if m.chance(0.4):
            query.select, query.order, query.limit = query.select[:-1], ["COUNT(*) DESC"], 1
            return m.say("which {p} [has|got|gets] the most {x}\n{p} with [the|] most {x}", p=m.one(m.parent(key)), x=things), query
        return m.say("{x} [per|by|for each] {p}\n[number|count] of {x} [per|by] {p}", p=m.one(m.parent(key)), x=things), query
    query.select = m.shown_or_all(table)
    return m.say("{x}\n<lead> <the> {x}\nall {x}\nany {x}", x=things), query


@family(8)
def with_no(m: Maker) -> Pair:
    """`orders with no payment` (no row elsewhere) beside `orders with no clerk` (an empty key)."""
    def ways(table) -> list:
        below = [(k, True) for k in m.schema.main_keys if m.parent(k) is table and m.child(k) is not table and table.primary and k.parent == table.primary.id]
        above = [(k, False) for k in m.schema.main_keys if m.child(k) is table and m.schema.columns[k.child].nullable]
        return below + above * 2 if below and (above or m.chance(0.4)) else []

    table = m.table(ways)
    key, below = m.pick(ways(table))
    query = m.query(table)
    filters = some(m, table, 0.0, simple=True) if m.chance(0.25) else []
    if below:
        inner = m.query(m.child(key))
        inner.select = [at(key.child)]
        test, other = f"{at(key.parent)} NOT IN ({inner.sql()})", m.child(key)
    else:
        test, other = f"{at(key.child)} IS NULL", m.parent(key)
    query.where = [f.sql for f in filters] + [test]
    words = {"ts": joined(m, filters, m.many(table)), "o": m.one(other), "os": m.many(other), "w": m.say("[with no|without|without a|w/o|having no|missing a|lacking a]")}
    if m.chance(0.3):
        query.select = ["COUNT(*)"]
        return m.say("how many {ts} have no {o}\nhow many {ts} are {w} {o}\n[number|count|nr] of {ts} {w} {o}\nhow many {ts} don't have [a|any] {o}".replace("are {w}", "are there {w}"), **words), query
    query.select = m.shown_or_all(table)
    return m.say("{ts} {w} {o}\n{ts} {w} {o}\n<lead> <the> {ts} {w} {o}\nwhich {ts} have no {o}\n{ts} that have no {o}\nany {ts} {w} {o}\n{ts} [with no|without] {os}", **words), query


# what a column keeps: (what people say, what turns one into the other)
SCALES = {"seconds": [("min", "60.0"), ("minutes", "60.0"), ("minute", "60.0"), ("hours", "3600.0")], "sec": [("min", "60.0"), ("minutes", "60.0")], "secs": [("min", "60.0")],
          "minutes": [("hours", "60.0"), ("hrs", "60.0"), ("h", "60.0")], "mins": [("hours", "60.0")], "min": [("hours", "60.0")], "grams": [("kg", "1000.0"), ("kilos", "1000.0")],
          "kg": [("tons", "1000.0"), ("t", "1000.0")], "days": [("weeks", "7.0")], "months": [("years", "12.0"), ("yrs", "12.0")], "milliseconds": [("seconds", "1000.0")],
          "ms": [("seconds", "1000.0")], "meters": [("km", "1000.0")], "cents": [("euros", "100.0"), ("dollars", "100.0")], "megabytes": [("gb", "1000.0")]}
LONGER = {"kg": ("heavier than", "lighter than"), "grams": ("heavier than", "lighter than"), "meters": ("longer than", "shorter than"),
          "cents": ("costing over", "costing under"), "megabytes": ("bigger than", "smaller than")}


@family(6)
def compared_in_unit(m: Maker) -> Pair:
    """`calls longer than 10 min`: as it is where the column keeps minutes, turned where it keeps seconds."""
    def scaled(table) -> list:
        return [c for c in m.measures(table) if c.words[-1] in SCALES and "min" not in c.words[:-1]]

    table = m.table(scaled)
    column = m.pick(scaled(table))
    unit = column.words[-1]
    same = m.chance(0.35)
    said, factor = (unit, "") if same else m.pick(SCALES[unit])
    up = m.chance(0.7)
    cells = sorted(v for v in column.values if isinstance(v, (int, float)))
    if not cells:
        raise Skip
    middle = m.pick(cells) / (float(factor) if factor else 1)
    number = max(1, round(middle)) if middle < 20 else round(middle / 5) * 5
    more = LONGER.get(unit, ("longer than", "shorter than"))
    word = more[0] if up else more[1]
    if m.chance(0.35):
        word = m.say("[over|more than|above]" if up else "[under|less than|below]")
    query = m.query(table)
    filters = [f for f in (some(m, table, 0.0, simple=True) if m.chance(0.25) else []) if f.column is not column]
    left = f"{at(column)} / {factor}" if factor else at(column)
    query.where = [f.sql for f in filters] + [f"{left} {'>' if up else '<'} {number}"]
    words = {"ts": joined(m, filters, m.many(table)), "w": word, "k": m.pick([f"{number} {said}", f"{m.number_word(number)} {said}"])}
    if m.chance(0.4):
        query.select = ["COUNT(*)"]
        return m.say("how many {ts} [are|were|] {w} {k}\n[number|count] of {ts} {w} {k}\nhow many {ts} [took|lasted|are] {w} {k}".replace("[took|lasted|are] {w}", "are {w}"), **words), query
    query.select = m.shown_or_all(table)
    return m.say("{ts} {w} {k}\n<lead> <the> {ts} {w} {k}\nwhich {ts} are {w} {k}\nany {ts} {w} {k}\n{ts} that are {w} {k}", **words), query


HIRED = {"hire", "hired", "hiredate", "joined", "start", "started", "employed", "entry", "onboarded", "since"}


@family(5)
def tenure(m: Maker) -> Pair:
    """`avg tenure in years`, `people with us for over 10 years`."""
    def starts(table) -> list:
        return [c for c in table.of_kind("date") if HIRED & set(c.words) and not {"birth", "last"} & set(c.words)]

    table = m.table(lambda t: m.people(t) and starts(t) and m.names(t))
    column = starts(table)[0]
    years = f"(julianday('now') - julianday({at(column)})) / 365.25"
    query = m.query(table)
    words = {"ts": m.many(table), "t": m.one(table), "n": m.pick(["tenure", "seniority", "length of service", "time with us", "years of service"])}
    dice = m.rng.random()
    if dice < 0.3:
        query.select = [f"AVG({years})"]
        return m.say("[avg|average|mean] {n} [in years|] [of {ts}|]\n<what> the average {n} of [our|] {ts} [in years|]\nhow long have [our|the] {ts} been with us on average", **words), query
    if dice < 0.5:
        groups = [c for c in table.of_kind("category") if len(c.values) > 1]
        group = m.pick(groups)
        query.select, query.group = [at(group), f"AVG({years})"], [at(group)]
        return m.say("[avg|average] {n} [by|per|for each] {g} [in years|]\n<what> the average {t} {n} per {g}", g=m.noun(group), **words), query
    if dice < 0.65:
        query.select = m.shown(table).sql + [years]
        return m.say("{n} of [each|every] {t} [in years|]\n<lead> {ts} and their {n} [in years|]\nhow long has each {t} been with us", **words), query
    number, up = m.pick([1, 2, 3, 5, 8, 10, 15, 20]), m.chance(0.75)
    query.where = [f"{years} {'>' if up else '<'} {number}"]
    query.select = ["COUNT(*)"] if m.chance(0.3) else m.shown(table).sql
    front = "[how many|number of|count]" if query.select == ["COUNT(*)"] else "[<lead>|which||]"
    return m.say(f"""
        {front} {{ts}} with us [for|] {{w}} {{k}} [years|yrs]
        {front} {{ts}} with {{w}} {{k}} years [of service|tenure|of tenure]
        {front} {{ts}} [who|that] have been [here|with us] {{w}} {{k}} years
        """, w=m.say("[over|more than|longer than]" if up else "[under|less than]"), k=m.number_word(number), **words), query


@family(5)
def ranges(m: Maker) -> Pair:
    """`salary range per job`: both ends, as columns where the table keeps them."""
    def pair_of(table) -> list:
        found = []
        for low in m.measures(table):
            for high in m.measures(table):
                if {"min", "minimum", "lowest"} & set(low.words) and {"max", "maximum", "highest"} & set(high.words) and low.words[1:] == high.words[1:] and low.words[1:]:
                    found.append((low, high))
        return found

    kept = [t for t in m.schema.tables if pair_of(t) and m.names(t)]
    if kept and m.chance(0.7):
        table = m.pick(kept)
        low, high = m.pick(pair_of(table))
        query = m.query(table)
        query.select = m.shown(table).sql + [at(low), at(high)]
        return m.say("{n} range [per|of each|by|for each] {t}\n<lead> {ts} with their {n} range\nfrom what to what is the {n} of each {t}\n{ts} and [their|the] {n} range",
                     n=" ".join(low.words[1:]), t=m.one(table), ts=m.many(table)), query
    table = m.table(lambda t: m.measures(t))
    column = m.pick(m.measures(table))
    query = m.query(table)
    both = [f"MIN({at(column)})", f"MAX({at(column)})"]
    words = {"n": m.noun(column), "ts": m.many(table)}
    if m.chance(0.5) and table.of_kind("category"):
        group = m.pick(table.of_kind("category"))
        query.select, query.group = [at(group), *both], [at(group)]
        return m.say("{n} range [per|by|for each] {g}\n[lowest and highest|min and max|minimum and maximum] {n} [per|by|for each] {g}\n<what> the {n} range of {ts} by {g}\n{n} from min to max per {g}", g=m.noun(group), **words), query
    query.select = both
    return m.say("{n} range of [our|the|] {ts}\n[lowest and highest|min and max|minimum and maximum|smallest and largest] {n} of {ts}\nfrom what to what do the {ns} of {ts} go\n<what> the {n} range of {ts}",
                 ns=plural_phrase(words["n"]), **words), query


@family(5)
def computed_over(m: Maker) -> Pair:
    """`who got a raise over 500`: a condition on what two columns give together."""
    table = m.table(lambda t: t.formulas)
    formula = m.pick(table.formulas)
    if "julianday" in formula.sql:
        number = m.pick([2, 3, 5, 7, 10, 14, 20, 30])
        unit = " days"
    else:
        number, unit = m.pick([10, 50, 100, 200, 250, 500, 1000, 2000, 5000]), ""
    up = m.chance(0.75)
    test = f"{formula.sql} {'>' if up else '<'} {number}"
    words = {"n": m.pick(formula.nouns), "k": f"{number}{unit}", "w": m.say("[over|more than|above|of more than|bigger than]" if up else "[under|less than|below|of less than]"), "ts": m.many(table)}
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k))]
    query = m.query(table)
    if parents and m.chance(0.45):
        key = m.pick(parents)
        parent = m.parent(key)
        query = m.query(parent).join(key)
        query.select, query.where, query.distinct = m.shown(parent).sql, [test], True
        who = "[who|which {p}]" if m.people(parent) else "which {p}"
        return m.say(f"{who} [had|got|has] [a|an|] {{n}} {{w}} {{k}}\n{{ps}} with [a|an|] {{n}} {{w}} {{k}}\n<lead> {{ps}} [that had|with] a {{n}} {{w}} {{k}}", p=m.one(parent), ps=m.many(parent), **words), query
    query.where = [test]
    query.select = ["COUNT(*)"] if m.chance(0.3) else m.shown_or_all(table)
    if query.select == ["COUNT(*)"]:
        return m.say("how many {ts} have [a|an|] {n} {w} {k}\n[number|count] of {ts} with {n} {w} {k}", **words), query
    return m.say("{ts} with [a|an|] {n} {w} {k}\n<lead> {ts} with {n} {w} {k}\nwhich {ts} have [a|an|] {n} {w} {k}\n{ts} where [the|] {n} is {w} {k}", **words), query


@family(5)
def one_against_other(m: Maker) -> Pair:
    """`clicks vs impressions by source`: two sums next to each other."""
    table = m.table(lambda t: len(m.measures(t)) > 1)
    first, second = m.rng.sample(m.measures(table), 2)
    kind, word = m.pick([("SUM", "[total|]"), ("SUM", ""), ("AVG", "[avg|average]")])
    both = [f"{kind}({at(c)})" for c in (first, second)]
    words = {"w": m.say(word) if word else "", "a": m.noun(first), "b": m.noun(second), "v": m.pick(["vs", "vs.", "versus", "and", "against", "&"])}
    query = m.query(table)
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k)) and m.parent(k).primary]
    if parents and m.chance(0.5):
        key = m.pick(parents)
        query = m.query(m.parent(key)).join(key)
        query.select, query.group, by = m.shown(m.parent(key)).sql + both, [identity(m, m.parent(key))], m.one(m.parent(key))
    elif table.of_kind("category") and m.chance(0.8):
        group = m.pick(table.of_kind("category"))
        query.select, query.group, by = [at(group), *both], [at(group)], m.noun(group)
    else:
        query.select = both
        return m.say("[total|overall] {a} {v} {b} [of|for] [all|our|] {ts}" if kind == "SUM" else "{w} {a} {v} {b} of {ts}", ts=m.many(table), **words), query
    return m.say("{w} {a} {v} {b} [by|per|for each] {g}\n{w} {a} {v} {w} {b} [by|per] {g}\ncompare {w} {a} {v} {b} by {g}\n<lead> {w} {a} {v} {b} per {g}", g=by, **words), query
