"""Business questions put together freely: a measure, conditions near and far, a group, a period, a rank."""

from dataclasses import dataclass, field

from families import Pair, family
from families.basic import AGGREGATES
from families.dates import PARTS
from families.shares import counted, property_of
from filters import Filter, condition, joined
from maker import Maker, Skip
from periods import days_of, period
from query import Query, at
from schema import Table
from words import plural_phrase


@dataclass
class Star:
    """A table of events and the tables its keys lead to."""

    query: Query
    base: Table
    near: list[tuple[Table, object]] = field(default_factory=list)  # (table, the keys that lead there)


def star(m: Maker) -> Star:
    tables = [t for t in m.schema.tables if any(m.child(k) is t for k in m.schema.main_keys)]
    base = m.pick(tables)
    found = Star(m.query(base), base)
    usual = {(m.child(k).id, m.parent(k).id) for k in m.schema.main_keys}
    doubtful = {m.parent(k).id for k in m.schema.keys if k not in m.schema.main_keys
                and (m.child(k).id, m.parent(k).id) not in usual and (m.parent(k).id, m.child(k).id) not in usual}  # by several ways
    frontier = [(base, [])]
    seen = {base.id}
    for _ in range(3):
        after = []
        for table, path in frontier:
            for key in m.schema.main_keys:
                parent = m.parent(key)
                if m.child(key) is table and parent.id not in seen | doubtful:
                    seen.add(parent.id)
                    found.near.append((parent, path + [key]))
                    after.append((parent, path + [key]))
        frontier = after
    return found


def reach(found: Star, path: list) -> None:
    for key in path:
        found.query.join(key)


def total_of(m: Maker, table: Table) -> tuple[str, str, bool]:
    """SQL, words, and whether the words already name the things counted."""
    dice = m.rng.random()
    if dice < 0.4 or not (m.measures(table) or table.formulas):
        return "COUNT(*)", "", False
    measure = m.measure(table)
    if dice < 0.75:
        bare = m.chance(0.6)
        return f"SUM({measure.sql})", measure.noun if bare else f"{m.say(AGGREGATES[2][1])} {measure.noun}", True
    kind, word = m.pick([AGGREGATES[0], AGGREGATES[0], AGGREGATES[3], AGGREGATES[4]])
    return f"{kind}({measure.sql})", f"{m.say(word)} {measure.noun}", True


@dataclass
class Scene:
    """Conditions gathered for one question and the words for them."""

    own: list[Filter] = field(default_factory=list)
    far: list[str] = field(default_factory=list)
    when: str = ""


def gather(m: Maker, found: Star, most: int = 2) -> Scene:
    """Up to `most` conditions on the base or on tables it leads to, and often a period."""
    scene = Scene()
    used = set()
    for _ in range(m.pick(range(most + 1))):
        if m.chance(0.55) or not found.near:
            one = condition(m, found.base, simple=m.chance(0.6))
            if one.column.id in used or one.column.kind == "date":
                raise Skip
            scene.own.append(one)
        else:
            table, path = m.pick(found.near)
            one = condition(m, table, simple=m.chance(0.7))
            if one.column.id in used or one.column.kind == "date":
                raise Skip
            reach(found, path)
            scene.far.append(far_words(m, table, one))
        used.add(one.column.id)
        found.query.where.append(one.sql)
    dates = [c for c in found.base.of_kind("date") if days_of(c) and "birth" not in c.phrase]
    if dates and m.chance(0.4):
        sql, scene.when = period(m, dates[0] if m.chance(0.75) else m.pick(dates))
        found.query.where.append(sql)
    return scene


def far_words(m: Maker, table: Table, one: Filter) -> str:
    """A condition on another table, as said behind the things of the base."""
    m.said.append(one)
    if one.before:
        return m.say("""
                [of|for|from|with|by] {b} {t}
                [of|for|from] {b} {t}
                for {b}
                """, b=one.before, t=m.many(table))
    if one.after.split()[0] in ("in", "from", "of", "for") and m.chance(0.6):
        return one.after
    return m.say("""
            [of|for|from|by|with] {t} {a}
            [of|for|with] [a|the] {o} {a}
            """, t=m.many(table), o=m.one(table), a=one.after)


def grouped(m: Maker, found: Star) -> tuple[list[str], list[str], str, list[str]]:
    """A way to group: shown expressions, GROUP BY, its noun, ORDER BY."""
    dates = [c for c in found.base.of_kind("date") if days_of(c) and "birth" not in c.phrase]
    dice = m.rng.random()
    if dates and dice < 0.22:
        unit = m.rng.choices(["month", "year", "quarter", "weekday"], [6, 4, 3, 1])[0]
        part = PARTS[unit][1].format(c=at(dates[0]))
        return [part], [part], unit, [part]
    if found.near and dice < 0.7:
        table, path = m.pick(found.near)
        reach(found, path)
        if m.names(table) and table.primary and m.chance(0.6):
            return m.shown(table).sql, [at(table.primary)], m.one(table), []
        column = m.pick(table.of_kind("category", "category", "flag", "year"))
        return [at(column)], [at(column)], m.pick(["", m.one(table) + " "]) + m.noun(column), []
    column = m.pick(found.base.of_kind("category", "category", "flag", "year"))
    return [at(column)], [at(column)], m.noun(column), []


def things(m: Maker, found: Star, scene: Scene, noun: str, named: bool) -> str:
    """`won deals of retail companies`, or `revenue from won deals of retail companies`."""
    rest = " ".join(scene.far)
    base = joined(m, scene.own, m.many(found.base))
    if not named:
        return f"{base} {rest}"
    if scene.own or scene.far and m.chance(0.5) or m.chance(0.25):
        return f"{noun} {m.pick(['of', 'of', 'from', 'for'])} {base} {rest}"
    return f"{noun} {rest}"


@family(8)
def one_number(m: Maker) -> Pair:
    found = star(m)
    scene = gather(m, found, 3)
    if not found.query.where:
        raise Skip
    total, noun, named = total_of(m, found.base)
    found.query.select = [total]
    words = {"x": things(m, found, scene, noun, named), "p": scene.when}
    if total == "COUNT(*)":
        return m.say("""
            how many {x} {p}
            number of {x} {p}
            {x} {p} count
            how many {x} [were there|did we have|do we have|are there] {p}
            count [of|the|] {x} {p}
            {p} how many {x}
            what is the number of {x} {p}
            """, **words), found.query
    return m.say("""
        {x} {p}
        {x} {p}
        <what> [the|our|] {x} {p}
        {p} {x}
        what was [the|our] {x} {p}
        [show|give me] the {x} {p}
        """, **words), found.query


@family(12)
def per_group(m: Maker) -> Pair:
    found = star(m)
    scene = gather(m, found)
    total, noun, named = total_of(m, found.base)
    shown, group, by, order = grouped(m, found)
    query = found.query
    if any(sql.startswith(group[0] + " =") for sql in query.where):
        raise Skip
    query.group = group
    words = {"x": things(m, found, scene, noun, named), "p": scene.when, "g": by, "gs": plural_phrase(by)}
    dice = m.rng.random()
    if order or dice < 0.5:
        query.select, query.order = shown + [total], order
        if order and by in ("month", "quarter", "year", "week") and m.chance(0.3):
            return m.say("""
                    {g}ly {x} {p}
                    {g}ly {x} {p}
                    <lead> {g}ly {x} {p}
                    {x} {g}ly {p}
                    {p} {g}ly {x}
                    {x} by {g} {p}
                    """, **words), query
        lines = """
            {x} [by|per|by|for each] {g} {p}
            {x} {p} [by|per] {g}
            [number of|count of|how many] {x} [by|per] {g} {p}
            <lead> {x} [by|per|for each] {g} {p}
            {p} {x} [by|per] {g}
            for each {g}, {x} {p}
            """
        if named:
            lines = lines.replace("[number of|count of|how many] {x}", "what is the {x}")
        return m.say(lines, **words), query
    up = m.chance(0.85)
    query.order = [total + (" DESC" if up else "")]
    if dice < 0.8:
        query.limit, query.select = m.limit(), shown + [total]
        top = "top" if up else "bottom"
        measure = words["x"] if named else m.pick(["", "number of "]) + words["x"]
        return m.say(f"""
            {top} {{k}} {{gs}} by {{y}} {{p}}
            {top} {{k}} {{gs}} {{p}} by {{y}}
            <lead> [the|] {top} {{k}} {{gs}} by {{y}} {{p}}
            {{k}} {'best' if up else 'worst'} {{gs}} by {{y}} {{p}}
            {{gs}} {top} {{k}} by {{y}} {{p}}
            {{p}} {top} {{k}} {{gs}} by {{y}}
            """, k=m.number_word(query.limit), y=measure, **words), query
    query.limit, query.select = 1, shown
    if named:
        return m.say(f"""
                which {{g}} [has|had|have] the {{e}} {{x}} {{p}}
                {{g}} with [the|] {{e}} {{x}} {{p}}
                <lead> the {{g}} with the {{e}} {{x}} {{p}}
                {{p}} which {{g}} had the {{e}} {{x}}
                {'best' if up else 'worst'} {{g}} by {{x}} {{p}}
                what {{g}} has the {{e}} {{x}} {{p}}
                """, e=m.say("<highest>" if up else "<lowest>"), **words), query
    return m.say("""
            which {g} [has|had] the {e} {x} {p}
            {g} with [the|] {e} {x} {p}
            <lead> the {g} with the {e} {x} {p}
            {p} which {g} had the {e} {x}
            what {g} had the {e} {x} {p}
            {g} with the {e} {x} {p}
            """, e="most" if up else m.pick(["fewest", "least"]), **words), query


@family(5)
def rate(m: Maker) -> Pair:
    """A percentage with conditions and, mostly, a group."""
    found = star(m)
    hit = property_of(m, found.base)
    scene = gather(m, found, 1)
    if any(f.column is hit.column for f in scene.own):
        raise Skip
    share = f"100.0 * {counted(hit.sql)} / COUNT(*)"
    query = found.query
    words = {"x": joined(m, [hit], m.many(found.base)), "all": f"{joined(m, scene.own, m.many(found.base))} {' '.join(scene.far)}",
             "p": scene.when, "s": m.pick([
                 "share", "percentage", "percent", "proportion", "%",
             ]), "b": hit.before,
             "r": m.pick(["rate", "rate", "percentage", "share", "quota"]), "far": " ".join(scene.far)}
    if m.chance(0.3):
        if not query.where:
            raise Skip
        query.select = [share]
        lines = """
                {s} of {x} [of|among|in] {all} {p}
                what {s} of {all} {p} are {x}
                how many percent of {all} {p} are {x}
                """
        if hit.before and not scene.own:
            lines += "\n{b} {r} {far} {p}\n{b} {r} of {all} {p}\n{s} {b} {far} {p}"
        return m.say(lines, **words), query
    shown, group, words["g"], order = grouped(m, found)
    if at(hit.column) == group[0]:
        raise Skip
    query.select, query.group, query.order = shown + [share], group, order
    lines = "{s} of {x} [among|of|in] {all} [by|per] {g} {p}\nwhat {s} of {all} are {x} by {g} {p}"
    if not scene.own:
        lines += """
                
                {s} of {x} {far} [by|per|for each] {g} {p}
                {x} {far} in percent [by|per] {g} {p}
                <lead> the {s} of {x} {far} [by|per] {g} {p}
                """
        if hit.before:
            lines += """
                    
                    {b} {r} {far} [by|per] {g} {p}
                    {b} {r} [by|per] {g} {far} {p}
                    {b} {s} [by|per] {g} {far} {p}
                    """
    return m.say(lines, **words), query


@family(3)
def ratio_of_sums(m: Maker) -> Pair:
    """Cost per click, scrap in percent of output: with conditions and groups."""
    found = star(m)
    measures = m.measures(found.base)
    if len(measures) < 2:
        raise Skip
    first, second = m.rng.sample(measures, 2)
    scene = gather(m, found, 1)
    percent = m.chance(0.35)
    query = found.query
    value = f"{'100.0' if percent else '1.0'} * SUM({at(first)}) / SUM({at(second)})"
    a, b = m.noun(first), m.noun(second)
    noun = m.say("{a} [in percent of|as percentage of|as % of|as share of] {b}" if percent else """
            {a} per {b}
            {a} to {b} ratio
            ratio of {a} to {b}
            """, a=a, b=b)
    words = {
        "n": noun, "t": joined(m, scene.own, m.many(found.base)), "far": " ".join(scene.far),
        "p": scene.when,
    }
    of = " of {t}" if scene.own else " [of {t}||]"
    if m.chance(0.35):
        query.select = [value]
        return m.say(f"""
                {{n}}{of} {{far}} {{p}}
                <what> the {{n}}{of} {{far}} {{p}}
                {{p}} {{n}}{of} {{far}}
                overall {{n}}{of} {{far}} {{p}}
                {{n}}{of} {{far}} {{p}} overall
                total {{n}}{of} {{far}} {{p}}
                """, **words), query
    shown, group, words["g"], order = grouped(m, found)
    query.select, query.group, query.order = shown + [value], group, order
    return m.say(f"""
            {{n}}{of} {{far}} [by|per|for each] {{g}} {{p}}
            <what> the {{n}}{of} {{far}} by {{g}} {{p}}
            {{p}} {{n}}{of} {{far}} by {{g}}
            {{n}} by {{g}}{of} {{far}} {{p}}
            for each {{g}}, {{n}}{of} {{far}} {{p}}
            <lead> {{n}}{of} {{far}} per {{g}} {{p}}
            """, **words), query


@family(3)
def distinct_parents(m: Maker) -> Pair:
    """How many different customers, per month, with conditions."""
    found = star(m)
    keys = [k for k in m.schema.main_keys if m.child(k) is found.base]
    key = m.pick(keys)
    scene = gather(m, found, 2)
    query = found.query
    total = f"COUNT(DISTINCT {at(key.child)})"
    words = {"ps": m.many(m.parent(key)), "t": f"{joined(m, scene.own, m.many(found.base))} {' '.join(scene.far)}", "p": scene.when,
             "d": m.pick(["distinct", "different", "unique"]), "v": m.pick(key.hints.yes) if key.hints.yes else "with"}
    if m.chance(0.45):
        query.select = [total]
        return m.say("""
                how many {d} {ps} {v} {t} {p}
                number of {d} {ps} [with|of|in] {t} {p}
                {d} {ps} with {t} {p}
                count {d} {ps} with {t} {p}
                how many {d} {ps} are in {t} {p}
                {d} {ps} count for {t} {p}
                """, **words), query
    shown, group, words["g"], order = grouped(m, found)
    query.select, query.group, query.order = shown + [total], group, order
    return m.say("""
            {d} {ps} [with {t}|of {t}] [by|per] {g} {p}
            number of {d} {ps} with {t} [by|per|for each] {g} {p}
            how many {d} {ps} with {t} per {g} {p}
            {d} {ps} per {g} with {t} {p}
            <lead> {d} {ps} of {t} by {g} {p}
            for each {g}, {d} {ps} with {t} {p}
            """, **words), query


@family(4)
def list_with_all(m: Maker) -> Pair:
    """Rows of the base, or names of a parent, under conditions here and there."""
    found = star(m)
    scene = gather(m, found, 3)
    query = found.query
    if len(query.where) < 2:
        raise Skip
    target = [t for t, _ in found.near if query.has(t) and m.names(t)]
    if target and m.chance(0.4):
        table = m.pick(target)
        query.select, query.distinct = m.shown(table).sql, True
        return m.say("""
                {q} [with|that have|who have] {x} {p}
                which {q} [have|had|made|with] {x} {p}
                <lead> <the> {q} [with|that have] {x} {p}
                {q} with {x} {p}
                <lead> {q} of {x} {p}
                {p} which {q} had {x}
                """, q=m.many(table), x=things(m, found, scene, "", False), p=scene.when), query
    many = len(query.sources) > 1
    query.select = m.rows(found.base, "T1.*" if many else "*")
    return m.say("""
            {x} {p}
            <lead> [the|all|] {x} {p}
            which {x} {p}
            {x} {p}
            all {x} {p}
            {p} {x}
            """, x=things(m, found, scene, "", False), p=scene.when), query


@family(3)
def having_total(m: Maker) -> Pair:
    """Groups whose total passes a number, or a column of their own."""
    found = star(m)
    near = [(t, path) for t, path in found.near if m.names(t) and t.primary and len(path) < 3]
    table, path = m.pick(near)
    measure = m.measure(found.base)
    kind, word = m.pick([("SUM", "[total|combined|overall|sum of]"), ("AVG", "[average|avg|mean]")])
    scene = gather(m, found, 1)
    reach(found, path)
    query = found.query
    query.select, query.group = m.shown(table).sql, [at(table.primary)]
    up = m.chance(0.7)
    own = m.measures(table)
    words = {"ts": m.many(table), "w": m.say(word), "n": measure.noun, "x": joined(m, scene.own, m.many(found.base)), "far": " ".join(scene.far), "p": scene.when,
             "c": m.pick([
                 "above", "over", "greater than", "more than", "higher than",
             ] if up else ["below", "under", "less than", "lower than"])}
    if own and m.chance(0.4):
        column = m.pick(own)
        query.having, words["v"] = f"{kind}({measure.sql}) {'>' if up else '<'} {at(column)}", m.pick(["their ", "its ", "the "]) + m.noun(column)
    else:
        cells = measure.column.values if measure.column else []
        numbers = sorted(v for v in cells if isinstance(v, (int, float)))
        if not numbers:
            raise Skip
        value = max(10, round(m.pick(numbers) * (m.pick([1, 5, 10]) if kind == "SUM" else 1), -1))
        query.having, words["v"] = f"{kind}({measure.sql}) {'>' if up else '<'} {int(value)}", int(value)
    return m.say("""
        {ts} with [a|] {w} {n} of {x} {far} {c} {v} {p}
        which {ts} have [a|] {w} {n} of {x} {far} {c} {v} {p}
        {ts} whose {w} {n} of {x} {far} is {c} {v} {p}
        <lead> {ts} where [the|] {w} {n} of {x} {far} is {c} {v} {p}
        {p} {ts} with {w} {n} of {x} {far} {c} {v}
        """ if kind == "SUM" else """
        {ts} with [a|an|] {w} {n} of {x} {far} {c} {v} {p}
        which {ts} have [a|] {w} {n} of {x} {far} {c} {v} {p}
        {ts} whose {x} {far} have [a|] {w} {n} {c} {v} {p}
        <lead> {ts} where the {w} {n} of {x} {far} is {c} {v} {p}
        """, **words), query
