"""How people at work ask: splits, sizes, rates, who runs what, older than, this year vs last, trucks for vehicles of a type."""

from families import Pair, family
from families.contrasts import named
from families.dates import PARTS, dated, main_date, what
from families.keys import identity
from families.links import VAGUE
from families.links import VERBS as DEEDS
from filters import joined, some
from maker import Maker, Skip
from query import at
from schema import key_words, literal
from words import plural, plural_phrase, singular


def groups(m: Maker, table) -> list:
    return [c for c in table.of_kind("category") if 1 < len(c.values) <= 30]


@family(8)
def split_by(m: Maker) -> Pair:
    """`gender split`, `break down orders by channel`, `what's our plan mix`."""
    table = m.table(lambda t: groups(m, t))
    column = m.pick(groups(m, table))
    filters = some(m, table, 0.0, simple=True) if m.chance(0.3) else []
    if any(f.column is column for f in filters):
        raise Skip
    query = m.query(table)
    query.where = [f.sql for f in filters]
    words = {"n": m.noun(column), "ts": joined(m, filters, m.many(table)), "w": m.pick(["split", "breakdown", "mix", "distribution"]),
             "our": m.pick(["our", "the", "the", ""])}
    total = "COUNT(*)"
    if m.measures(table) and m.chance(0.3):
        measure = m.measure(table)
        total, words["ts"] = f"SUM({measure.sql})", m.say("[total|] {n} of {t}\n{n} of {t}", n=measure.noun, t=words["ts"]) if filters else measure.noun
    query.select, query.group = [at(column), total], [at(column)]
    lines = """
        [break down|split|split up|slice] [the|our|] {ts} by {n}
        [breakdown|split|distribution] of [the|our|] {ts} by {n}
        {ts} [split|broken down|grouped|sliced] by {n}
        {ts} by {n} [breakdown|split|]
        how [are|do] [our|the] {ts} [split|break down|distribute] by {n}
        """.replace("how [are|do] [our|the] {ts} [split|break down|distribute] by {n}", "[give me|show|need] {ts} by {n}")
    if total == "COUNT(*)":
        lines += "\n{n} {w} of [our|the|] {ts}\n[how many|count of|# of|nr of] {ts} per {n}"
        if not filters and len(table.of_kind("category")) < 5:
            lines += "\n[what's|whats|show|] {our} {n} {w}\n{n} {w}"
    return m.say(lines, **words), query


ENDS = [(" DESC", "[most|highest|biggest|largest|top] first"), (" DESC", "[|in] descending [order|]"), (" DESC", "[from|] [most to least|high to low|biggest to smallest]"),
        ("", "[fewest|lowest|smallest|least] first"), ("", "[from|] [least to most|low to high|smallest to biggest]"), (" DESC", "[best on top|highest on top]")]


@family(6)
def sorted_groups(m: Maker) -> Pair:
    """`nr of products per supplier, most first`: the order is that of the figure."""
    key, child, parent = m.key()
    query = m.query(parent).join(key) if m.names(parent) and parent.primary and m.chance(0.55) else m.query(child)
    total, noun = what(m, child, [])
    noun = noun.replace("how many", "number of")
    if query.has(parent):
        query.select, query.group, by = m.shown(parent).sql + [total], [identity(m, parent)], m.one(parent)
    else:
        column = m.pick(groups(m, child))
        query.select, query.group, by = [at(column), total], [at(column)], m.noun(column)
    end, word = m.pick(ENDS)
    query.order = [total + end]
    return m.say("""
        {n} [per|by|for each] {b}, {e}
        <lead> {n} [per|by] {b}, {e}
        {n} [per|by] {b} ({e})
        {n} by {b} {e}
        {n} [per|by] {b}, sorted {e}
        """, n=noun, b=by, e=m.say(word)), query


@family(7)
def by_two(m: Maker) -> Pair:
    """`incidents by type and year`."""
    table = dated(m)
    column, _ = main_date(m, table)
    unit = m.pick(["year", "year", "month", "quarter"])
    part = PARTS[unit][1].format(c=at(column))
    total, noun = what(m, table, [])
    first = m.pick(groups(m, table))
    both = [(at(first), m.noun(first)), (part, unit)]
    if m.chance(0.35):
        both.reverse()
    query = m.query(table)
    query.select, query.group = [sql for sql, _ in both] + [total], [sql for sql, _ in both]
    return m.say("""
        {n} by {a} and {b}
        {n} per {a} and {b}
        {n} per {a} per {b}
        {n} by {a}, by {b}
        {n} for each {a} and {b}
        <lead> {n} [broken down|split|grouped] by {a} and {b}
        {n} by {a} by {b}
        """, n=noun, a=both[0][1], b=both[1][1]), query


def parts_played(m: Maker) -> list:
    """Keys of one table to the same other one, told apart by a word: landing page, exit page."""
    found = []
    for key in m.schema.keys:
        child, parent = m.child(key), m.parent(key)
        rivals = [k for k in m.schema.keys if k is not key and m.child(k) is child and m.parent(k) is parent]
        words = key_words(m.schema.columns[key.child])
        if not rivals or child is parent or not m.names(parent) or not parent.primary or not words:
            continue
        own = [w for w in words if w not in [singular(p) for p in parent.words]]
        if own and all(w.isalpha() and len(w) > 3 for w in own) and not {"created", "updated", "entered", "second", "from", "fifa"} & set(own):
            found.append((key, " ".join(own) if len(own) == len(words) else f"{' '.join(own)} {m.one(parent)}"))
    return found


@family(6)
def part_most(m: Maker) -> Pair:
    """`top 5 landing pages`, `most common destination`."""
    key, role = m.pick(parts_played(m))
    child, parent = m.child(key), m.parent(key)
    query = m.query(parent).join(key)
    shown = m.shown(parent)
    filters = some(m, child, 0.0, simple=True) if m.chance(0.25) else []
    query.where = [f.sql for f in filters]
    query.group, query.order = [identity(m, parent)], ["COUNT(*) DESC"]
    words = {"r": role, "rs": plural_phrase(role), "cs": joined(m, filters, m.many(child)), "f": joined(m, filters, m.many(child)) if filters else ""}
    tail = " [of|for|in] {f}" if filters else ""
    if m.chance(0.4):
        query.select, query.limit = shown.sql, 1
        return m.say(f"""
            most [common|frequent|popular|used] {{r}}{tail}
            [which|what] is the most [common|frequent|popular] {{r}}{tail}
            {{r}} with [the|] most {{cs}}
            which {{r}} [has|sees|gets] the most {{cs}}
            """, **words), query
    if m.chance(0.5):
        query.select, query.limit = shown.sql + ["COUNT(*)"], m.limit()
        return m.say(f"""
            top {{k}} {{rs}}{tail}
            top {{k}} {{rs}} by number of {{cs}}
            {{k}} most [common|frequent|popular|used] {{rs}}{tail}, with the count
            """, k=m.number_word(query.limit), **words), query
    query.select, query.order = shown.sql + ["COUNT(*)"], []
    return m.say("""
        {cs} [per|by|for each] {r}
        number of {cs} [per|by|for each] {r}
        how many {cs} [per|for each] {r}
        <lead> each {r} and [its|the] number of {cs}
        """, **words), query


KINDS = {"type", "kind", "category", "class", "role", "job", "title", "position", "form", "membership", "group", "species", "jobtitle"}
# kinds that people say instead of the thing: vans, mortgages, interns
THINGS = set("""van truck car bus trailer bike scooter coupe sedan suv wagon cabrio mortgage loan deposit withdrawal refund payment transfer fee concert festival talk lecture
    workshop seminar webinar play musical movie film documentary drama comedy novel apartment house flat studio duplex penthouse loft villa suite dog cat rabbit horse parrot
    turtle bird laptop tablet phone desktop printer robot lathe oven pump treadmill bench rower sofa chair lamp dessert drink starter call email meeting demo interview visit
    checkup vaccination surgery appointment invoice letter contract grant donation apple pear plum accountant analyst assistant attendant buyer captain copilot cleaner clerk
    cook director editor engineer guide intern lawyer manager packer porter receptionist technician viewer owner student adult child senior freelancer goalkeeper defender
    midfielder striker admin photo article tournament violin viola cello bass supplier customer subscriber company startup ngo school hotel gym pool sauna playground
    leak crack scratch dent theft damage delay loss bug incident request complaint question""".split())


@family(7)
def value_as_noun(m: Maker) -> Pair:
    """`vans bought before 2018`, `avg rate on mortgages`, `trucks with no service`: a kind stands for the thing."""
    def is_noun(value) -> bool:
        return isinstance(value, str) and singular(value.lower()) in THINGS

    def kinds(table) -> list:
        taken = {singular(w) for other in m.schema.tables for w in other.words}
        return [c for c in table.of_kind("category") if c.words[-1] in KINDS and any(is_noun(v) and singular(v.lower()) not in taken for v in c.values)]

    table = m.table(kinds)
    column = m.pick(kinds(table))
    taken = {singular(w) for other in m.schema.tables for w in other.words}
    value = m.pick([v for v in column.values if is_noun(v) and singular(v.lower()) not in taken])
    noun = plural(singular(value.lower()))
    m.values += [value, noun]
    query = m.query(table)
    test = f"{at(column)} = {literal(value)}"
    children = [k for k in m.schema.main_keys if m.parent(k) is table and table.primary and k.parent == table.primary.id]
    dice = m.rng.random()
    if dice < 0.25 and children and m.names(table):
        key = m.pick(children)
        inner = m.query(m.child(key))
        more = some(m, m.child(key), 0.0, simple=True) if m.chance(0.5) else []
        inner.select, inner.where = [at(key.child)], [f.sql for f in more]
        query.select, query.where = m.shown(table).sql, [test, f"{at(key.parent)} NOT IN ({inner.sql()})"]
        return m.say("{n} [w/o|without|with no|without any] {cs}\nwhich {n} [have no|had no] {cs}\n<lead> <the> {n} <without> {cs}\nany {n} with no {cs}",
                     n=noun, cs=joined(m, more, m.many(m.child(key)))), query
    filters = [f for f in (some(m, table, 0.1, simple=m.chance(0.5)) if m.chance(0.6) else []) if f.column is not column]
    query.where = [test] + [f.sql for f in filters]
    said = joined(m, filters, noun)
    if dice < 0.45:
        query.select = ["COUNT(*)"]
        return m.say("how many {x} [do we have|are there|]\n[number|count|nr|#] of {x}\n{x} count\nhow many {x}", x=said), query
    if dice < 0.7 and m.measures(table):
        measure = m.pick(m.measures(table))
        if any(f.column is measure for f in filters):
            raise Skip
        kind, word = m.pick([("AVG", "[avg|average|mean]"), ("SUM", "total"), ("MAX", "[max|highest]"), ("MIN", "[min|lowest]")])
        query.select = [f"{kind}({at(measure)})"]
        return m.say("{w} {n} [of|for|on|across] [our|all|] {x}\n<what> the {w} {n} [of|for|on] {x}\n{x}: {w} {n}\n{w} {n} {x}", w=m.say(word), n=m.noun(measure), x=said), query
    query.select = m.shown_or_all(table)
    return m.say("{x}\n<lead> <the> {x}\nwhich {x} do we have\n[all|our] {x}\nany {x}\n[list|show] {x}", x=said), query


PAST = set("sold bought took gave wrote sent held led ran won lost paid went taught built got came drew hit met saw spoke flew drove did".split())


@family(7)
def who_never(m: Maker) -> Pair:
    """`who hasn't ordered anything yet`: the verb tells which people."""
    keys = [k for k in m.schema.keys if m.people(m.parent(k)) and m.names(m.parent(k)) and m.child(k) is not m.parent(k)
            and m.parent(k).primary and m.parent(k).primary.id == k.parent]
    found = []
    for key in keys:
        deeds = key.hints.yes or ([] if m.schema.own else DEEDS.get(singular(m.child(key).words[-1]), []))
        found += [(key, verb) for verb in deeds if verb not in VAGUE and (verb.split()[0].endswith("ed") or verb.split()[0] in PAST)]
    key, verb = m.pick(found)
    child, parent = m.child(key), m.parent(key)
    words = {"v": verb, "c": m.one(child), "cs": m.many(child), "ps": m.many(parent)}
    plain = not key.hints.yes  # `ordered orders` is not said
    if m.chance(0.3) and not plain:
        query = m.query(parent).join(key)
        shown = m.shown(parent)
        query.select, query.group, query.order, query.limit = shown.sql, [identity(m, parent)], ["COUNT(*) DESC"], 1
        if m.chance(0.4):
            query.limit = m.limit()
            query.select = shown.sql + ["COUNT(*)"]
            return m.say("top {k} {ps} by number of {cs} [{v}|]\n{k} {ps} who {v} the most {cs}, with the [number|count]", k=m.number_word(query.limit), **words), query
        return m.say("who {v} the most [{cs}|]\nwho has {v} the most {cs}\nwho {v} the most {cs}", **words), query
    inner = m.query(child)
    inner.select = [at(key.child)]
    filters = some(m, child, 0.0, simple=True) if m.chance(0.25) and not plain else []
    inner.where = [f.sql for f in filters]
    query = m.query(parent)
    query.select, query.where = m.shown(parent).sql, [f"{at(key.parent)} NOT IN ({inner.sql()})"]
    count = m.chance(0.15) and not plain
    if count:
        query.select = ["COUNT(*)"]
    words["cs"] = joined(m, filters, words["cs"])
    if count:
        return m.say("how many {ps} [never|haven't|have not|have never] {v} [any|] {cs}\nnumber of {ps} who [never|haven't] {v} [any|] {cs}", **words), query
    if filters:
        return m.say("who [hasn't|has not|never|hasnt|has never] {v} [any|] {cs}\n{ps} who [haven't|never|have not] {v} [any|] {cs}\nwhich {ps} never {v} [any|] {cs}", **words), query
    words["x"] = "anything" if plain else m.say("[anything|a {c}|any {cs}|a single {c}]", **words)
    return m.say("""
        who [hasn't|has not|hasnt|has never|never] {v} {x} [yet|so far|]
        who [hasn't|has not|hasnt|has never|never] {v} {x} [yet|so far|]
        {ps} who [haven't|havent|have not|never] {v} {x} [yet|so far|]
        [which|any] {ps} [that haven't|that havent|that never] {v} {x} [yet|]
        anyone who [hasn't|never] {v} {x} [yet|]
        {ps} who never {v} {x}
        """, **words), query


LEADERS = {"head": "heads", "manager": "manages", "mgr": "manages", "lead": "leads", "leader": "leads", "boss": "runs", "dean": "heads", "director": "directs",
           "chief": "runs", "principal": "runs", "caretaker": "looks after", "supervisor": "supervises", "owner": "owns", "captain": "captains", "coach": "coaches",
           "chair": "chairs", "president": "presides over", "host": "hosts", "editor": "edits", "mayor": "governs", "chairman": "chairs", "ceo": "runs"}


@family(7)
def who_leads(m: Maker) -> Pair:
    """`who runs marketing`: the key or the column that says head, manager, owner."""
    found = []
    for table in m.schema.tables:
        if not m.names(table):
            continue
        roles = [c for c in table.columns if LEADERS.keys() & set(c.words) and c not in m.names(table) and c.kind in ("key", "text", "category", "name")]
        if len(roles) == 1 and not roles[0].primary and roles[0].words[-1] in {*LEADERS, "name", "id", "no", "nm", "num"}:
            found.append((table, roles[0]))
    table, column = m.pick(found)
    key = next((k for k in m.schema.keys if k.child == column.id), None)
    role = next(w for w in column.words if w in LEADERS)
    if key is None and (column.kind == "key" or column.type != "text") or key is not None and (not m.names(m.parent(key)) or m.parent(key) is table):
        raise Skip
    where, said = named(m, table)
    query = m.query(table)
    query.where = where
    if key is not None:
        query = m.query(m.parent(key)).join(key)
        query.where, query.select = where, m.shown(m.parent(key)).sql
    else:
        query.select = [at(column)]
    verb = LEADERS[role] if m.chance(0.5) else m.pick(["runs", "leads", "is in charge of", "is responsible for"]) if role not in ("owner", "host", "editor", "coach", "captain") else LEADERS[role]
    if m.chance(0.15):
        query.where = []
        query.select = m.shown(table).sql + query.select
        return m.say("[who|which person] {v} each {t}\n{ts} and who {v} them\n<lead> {ts} with their {r}\n{r} of each {t}", v=verb, t=m.one(table), ts=m.many(table), r={"mgr": "manager"}.get(role, role)), query
    return m.say("who {v} {x}\nwho {v} {x}\nwho is the {r} of {x}\n{x} {r}\n{r} of {x}\nwhos the {r} of {x}\nname of the {r} of {x}", v=verb, x=said, r={"mgr": "manager"}.get(role, role)), query


SIZES = {"amount", "total", "value", "principal", "sum", "worth", "amt"}


@family(7)
def size_of(m: Maker) -> Pair:
    """`avg deal size per industry`, `loan volume`: the size of a thing of money is its amount."""
    def sized(table) -> list:
        found = [c for c in m.measures(table) if c.words[-1] in SIZES and not m.people(table)]
        taken = {w for c in table.columns for w in c.words}
        return found if len(found) == 1 and not {"size", "volume"} & taken else []

    table = m.table(sized)
    column = sized(table)[0]
    kind, line = m.pick([
        ("AVG", "[average|avg|mean|typical] {t} [size|value|amount]"), ("AVG", "[average|avg] size of [our|the|] {ts}"), ("SUM", "[total|overall|] {t} volume"),
        ("SUM", "[total|combined] value of [all|our|the|] {ts}"), ("MAX", "[biggest|largest|max] {t} [size|value]"), ("SUM", "volume of {ts}"),
    ])
    total = f"{kind}({at(column)})"
    filters = some(m, table, 0.0, simple=True) if m.chance(0.35) else []
    if any(f.column is column for f in filters):
        raise Skip
    bare = {"t": m.one(table), "ts": joined(m, filters, m.many(table))}
    if filters and "{ts}" not in line:
        bare["t"] = m.one(table)
        noun = m.say(line + " [of|for] {ts}", **bare)
    else:
        noun = m.say(line, **bare)
    query = m.query(table)
    query.where = [f.sql for f in filters]
    parents = [k for k in m.schema.main_keys if m.child(k) is table]
    dice = m.rng.random()
    if dice < 0.35:
        query.select = [total]
        return m.say("{n}\n<what> [our|the|] {n}\n[whats|what's|what is] our {n}", n=noun), query
    if dice < 0.6 or not parents:
        group = m.pick(groups(m, table))
        by = m.noun(group)
        query.select, query.group = [at(group), total], [at(group)]
    else:
        key = m.pick(parents)
        parent = m.parent(key)
        if groups(m, parent) and m.chance(0.6):
            group = m.pick(groups(m, parent))
            query.join(key)
            by, query.select, query.group = m.pick([m.noun(group), f"{m.one(parent)} {m.noun(group)}"]), [at(group), total], [at(group)]
        else:
            query = m.query(parent).join(key)
            query.where = [f.sql for f in filters]
            by, query.select, query.group = m.one(parent), m.shown(parent).sql + [total], [identity(m, parent)]
    return m.say("{n} [per|by|for each] {b}\n<what> the {n} [per|by] {b}\n{n} by {b}", n=noun, b=by), query


@family(7)
def older_than(m: Maker) -> Pair:
    """`open tickets older than 30 days`: the day before today by so much."""
    table = dated(m)
    column = [c for c in table.of_kind("date") if "birth" not in c.phrase][0]
    if m.people(table):
        raise Skip  # their age is another question
    unit = m.pick(["day", "day", "day", "month", "year"])
    number = m.pick({"day": [3, 7, 10, 14, 30, 45, 60, 90, 120, 180], "month": [2, 3, 6, 9, 12, 18], "year": [2, 3, 5, 10]}[unit])
    filters = [f for f in (some(m, table, 0.0, simple=m.chance(0.7)) if m.chance(0.55) else []) if f.column is None or f.column.kind != "date"]
    query = m.query(table)
    query.where = [f.sql for f in filters] + [f"{at(column)} < date('now', '-{number} {unit}s')"]
    words = {"ts": joined(m, filters, m.many(table)), "k": f"{m.number_word(number)} {unit}s", "q": f"{number}{unit[0]}"}
    if m.chance(0.3):
        query.select = ["COUNT(*)"]
        return m.say("how many {ts} are [older than|more than] {k} [old|]\nnumber of {ts} older than {k}\nhow many {ts} are over {k} old".replace("[older than|more than] {k} [old|]", "older than {k}"), **words), query
    query.select = m.shown_or_all(table)
    return m.say("""
        {ts} older than {k}
        <lead> <the> {ts} older than {k}
        any {ts} [that are|] older than {k}
        {ts} [that are|] more than {k} old
        {ts} from [over|more than] {k} ago
        which {ts} are older than {k}
        {ts} over {k} old
        """, **words), query


EARN = {"salary": "earning", "wage": "earning", "pay": "earning", "income": "earning", "price": "costing", "cost": "costing", "weight": "weighing", "fee": "charging"}


@family(5)
def around_average(m: Maker) -> Pair:
    """`ppl earning above average`, `products pricier than avg`."""
    table = m.table(lambda t: any(EARN.keys() & set(c.words) for c in m.measures(t)) and m.names(t))
    column = m.pick([c for c in m.measures(table) if EARN.keys() & set(c.words)])
    up = m.chance(0.65)
    inner = m.query(table)
    inner.select = [f"AVG({at(column)})"]
    query = m.query(table)
    query.select, query.where = m.shown(table).sql, [f"{at(column)} {'>' if up else '<'} ({inner.sql()})"]
    if m.chance(0.25):
        query.select = ["COUNT(*)"]
    word = EARN[next(w for w in column.words if w in EARN)]
    who = m.pick(["ppl", "people", m.many(table)]) if m.people(table) and m.main_people is table else m.many(table)
    words = {"ts": who, "v": word, "a": m.pick(["average", "avg", "the average", "the mean"]), "x": "above" if up else "below", "y": "more than" if up else "less than", "n": m.noun(column)}
    if query.select == ["COUNT(*)"]:
        return m.say("how many {ts} are {v} [{x}|{y}] {a}\nnumber of {ts} {v} {y} {a}\nhow many {ts} have {n} {x} {a}", **words), query
    return m.say("{ts} {v} [{x}|{y}] {a}\n<lead> {ts} {v} [{x}|{y}] {a}\nwho is {v} {y} {a}\n{ts} with {x} [average|avg] {n}\n{ts} [with|whose] {n} {x} {a}".replace("[with|whose] {n}", "with {n}")
                 if m.people(table) else "{ts} {v} [{x}|{y}] {a}\n<lead> {ts} {v} [{x}|{y}] {a}\n{ts} with {x} [average|avg] {n}\n{ts} with {n} {x} {a}", **words), query


RATES = {"converted": "conversion", "cancelled": "cancellation", "returned": "return", "failed": "failure", "defaulted": "default",
         "rejected": "rejection", "hired": "hire", "accepted": "acceptance", "approved": "approval", "delivered": "delivery", "completed": "completion",
         "closed": "close", "resolved": "resolution", "expired": "expiry", "refunded": "refund", "renewed": "renewal", "answered": "answer", "missed": "miss",
         "confirmed": "confirmation", "declined": "decline", "settled": "settlement", "sold": "sale", "signed": "signing", "churned": "churn",
         "attended": "attendance", "no show": "no show", "denied": "denial", "lapsed": "lapse", "delayed": "delay", "damaged": "damage"}


@family(6)
def rate_of_value(m: Maker) -> Pair:
    """`win rate by region`: the share of rows in one state, told by a noun of its own."""
    def states(table) -> list:
        return [(c, v) for c in table.of_kind("category") for v in c.values if str(v).lower() in RATES]

    table = m.table(states)
    column, value = m.pick(states(table))
    m.values.append(RATES[str(value).lower()])  # a slip there would lose the value
    total = f"100.0 * COUNT(CASE WHEN {at(column)} = {literal(value)} THEN 1 END) / COUNT(*)"
    noun = m.say("{r} rate\n{t} {r} rate\n{r} rate of {ts}\n{r} [%|ratio in percent|percentage]", r=RATES[str(value).lower()], t=m.one(table), ts=m.many(table))
    query = m.query(table)
    filters = [f for f in (some(m, table, 0.0, simple=True) if m.chance(0.25) else []) if f.column is not column and f.after]
    query.where = [f.sql for f in filters]
    m.said += filters
    tail = " " + " ".join(f.after for f in filters) if filters else ""
    parents = [k for k in m.schema.main_keys if m.child(k) is table and m.names(m.parent(k)) and m.parent(k).primary]
    if m.chance(0.4):
        query.select = [total]
        return m.say("{n}{x}\n<what> [our|the|] {n}{x}\n[whats|what's] our {n}{x}\nhow high is [our|the] {n}{x}", n=noun, x=tail), query
    others = [c for c in groups(m, table) if c is not column]
    if others and (not parents or m.chance(0.5)):
        group = m.pick(others)
        by, query.select, query.group = m.noun(group), [at(group), total], [at(group)]
    else:
        key = m.pick(parents)
        query.join(key)
        by, query.select, query.group = m.one(m.parent(key)), m.shown(m.parent(key)).sql + [total], [identity(m, m.parent(key))]
    return m.say("{n} [per|by|for each] {b}{x}\n<what> the {n} [per|by] {b}{x}\n{n} by {b}{x}", n=noun, b=by, x=tail), query


@family(5)
def this_against_last(m: Maker) -> Pair:
    """`spend this year vs last year`: two periods side by side."""
    table = dated(m)
    column, _ = main_date(m, table)
    total, noun = what(m, table, [])
    noun = noun.removeprefix("how many ")
    unit = m.pick(["year", "year", "month", "quarter"])
    kind, inner = ("COUNT", "1") if total == "COUNT(*)" else (total[:3], total[4:-1])
    query = m.query(table)
    both = [f"this {unit}", f"last {unit}"]
    if m.chance(0.2):
        both.reverse()
    query.select = [f"{kind}(CASE WHEN ir_during({at(column)}, '{said}') THEN {inner} END)" for said in both]
    return m.say("""
        {n} {a} [vs|versus|vs.|compared to|against] {b}
        compare {n} {a} [and|with|to] {b}
        {a} vs {b} {n}
        {n}: {a} vs {b}
        <what> {n} {a} compared to {b}
        """, n=noun, a=both[0], b=both[1]), query


UNITS = {"kg": ["kg", "kilo"], "km": ["km", "kilometer"], "hours": ["hour", "h"], "minutes": ["minute", "min"], "min": ["minute", "min"], "seconds": ["second", "sec"], "days": ["day"],
         "grams": ["gram"], "liters": ["liter"], "kwh": ["kwh"], "pages": ["page"], "seats": ["seat"], "miles": ["mile"], "sqm": ["square meter", "sqm"], "units": ["unit"],
         "quantity": ["unit", "piece"], "qty": ["unit", "piece"], "nights": ["night"], "clicks": ["click"], "weight": ["kg"], "distance": ["km"], "words": ["word"]}


@family(5)
def per_unit(m: Maker) -> Pair:
    """`avg cost per kg` divides sums; `avg length in min` leaves minutes as they are."""
    def units(table) -> list:
        return [(c, w) for c in m.measures(table) for w in c.words[-1:] if w in UNITS]

    table = m.table(units)
    column, word = m.pick(units(table))
    query = m.query(table)
    filters = [f for f in (some(m, table, 0.0, simple=True) if m.chance(0.3) else []) if f.column is not column]
    query.where = [f.sql for f in filters]
    things = joined(m, filters, m.many(table))
    money = [c for c in m.measures(table) if c is not column and not {"unit", "per", "rate", "hourly", "daily"} & set(c.words) and {"cost", "amount", "fee", "revenue", "total", "paid", "freight", "postage", "charge", "fare"} & set(c.words)]
    if money and m.chance(0.7):
        other = m.pick(money)
        if any(f.column is other for f in filters):
            raise Skip
        query.select = [f"1.0 * SUM({at(other)}) / SUM({at(column)})"]
        lines = "[avg|average|] {a} per {u} [of|for] {ts}\n<what> the [avg|average|overall|] {a} per {u} [of|for|across] {ts}"
        if not filters:
            lines += "\n[avg|average|] {a} per {u}\n[our|] {a} per {u}\nwhat do we [pay|get|charge] per {u} [on|for] {ts}".rsplit("\n", 1)[0]
        if groups(m, table) and m.chance(0.35):
            group = m.pick(groups(m, table))
            query.select.insert(0, at(group))
            query.group = [at(group)]
            return m.say("{a} per {u} [by|for each] {g}" + (" of {ts}" if filters else ""), a=m.noun(other), u=m.pick(UNITS[word]), ts=things, g=m.noun(group)), query
        return m.say(lines, a=m.noun(other), u=m.pick(UNITS[word]), ts=things), query
    if word not in ("kg", "km", "hours", "minutes", "min", "seconds", "days", "grams", "liters", "miles"):
        raise Skip
    kind, said = m.pick([("AVG", "[avg|average|mean]"), ("SUM", "total"), ("MAX", "[longest|max|highest]")])
    query.select = [f"{kind}({at(column)})"]
    noun = " ".join(column.words[:-1]) or m.pick(["duration", "length", "time"] if word not in ("kg", "grams", "km", "liters", "miles") else ["weight"] if word in ("kg", "grams") else ["distance"])
    return m.say("{w} {n} of {ts} in {u}\n{w} {t} {n} in {u}\n<what> the {w} {n} of {ts} in {u}\n{w} {n} ({u}) of {ts}" if not filters else
                 "{w} {n} of {ts} in {u}\n<what> the {w} {n} in {u} of {ts}", w=m.say(said), n=noun, ts=things, t=m.one(table),
                 u=m.pick([word, plural_phrase(UNITS[word][0]) if word not in ("kg", "km") else word, UNITS[word][-1] if len(UNITS[word][-1]) > 1 else word])), query
