"""Our own business schemas: read from train/schemas, renamed into variants, filled with rows."""

import random
import re
import sqlite3
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path

import pools
from query import at
from schema import Column, Fact, Formula, Hints, Key, Rate, Schema, Table, quote, read_values
from words import plural, singular

STYLES = ("snake", "camel", "pascal", "joined", "short", "upper")
KINDS = {
    "pk": "key", "ref": "key", "first": "first", "last": "last", "person": "name", "company": "name", "pick": "name",
    "code": "name", "city": "category", "country": "category", "enum": "category", "int": "measure", "money": "measure",
    "real": "measure", "year": "year", "date": "date", "time": "date", "flag": "flag", "email": "text", "phone": "text",
    "text": "text", "street": "text", "sub": "key", "pkcode": "key",
}
TYPES = {
    "key": ("INTEGER", "number"), "measure": ("INTEGER", "number"), "year": ("INTEGER", "number"),
    "flag": ("BOOLEAN", "boolean"), "date": ("DATE", "time"),
}


@dataclass
class Line:
    """A column as written in a schema file."""

    words: list[str]
    kind: str
    arguments: str
    nulls: float
    hints: Hints
    made: str = ""  # the name in the variant
    cells: tuple = ()  # what a flag keeps for no and yes; empty: 0 and 1
    type: str = ""  # as declared, where that is not usual


@dataclass
class Block:
    """A table as written in a schema file."""

    words: list[str]
    rows: int
    hints: Hints
    lines: list[Line] = field(default_factory=list)
    formulas: list[tuple[str, list[str]]] = field(default_factory=list)
    facts: list[tuple[str, Hints]] = field(default_factory=list)
    rates: list[tuple[str, list[str]]] = field(default_factory=list)
    made: str = ""
    code: str = ""  # the name in the file, which other lines refer to
    prefix: str = ""  # stands before the names of its columns: emp_fname
    together: list[Line] = field(default_factory=list)  # columns that are the key together


def parse_hints(text: str) -> Hints:
    """`n: cost, fee; yes: paid; no: unpaid; hi: priciest; lo: cheapest`"""
    hints = Hints()
    names = {"n": "nouns", "yes": "yes", "no": "no", "hi": "high", "lo": "low"}
    for part in filter(None, (p.strip() for p in text.split(";"))):
        tag, _, words = part.partition(":")
        setattr(hints, names[tag.strip()], [w.strip() for w in words.split(",")])
    return hints


def parse(text: str) -> list[Block]:
    """A schema file: a table per unindented line, its columns and formulas below."""
    blocks: list[Block] = []
    for raw in text.split("\n"):
        line, _, hints = raw.partition("~")
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split(None, 2)
        if not raw.startswith(" "):
            blocks.append(Block(fields[0].split("_"), int(fields[1]), parse_hints(hints), code=fields[0]))
            blocks[-1].prefix = fields[2].strip() if len(fields) > 2 else ""
        elif fields[0] == "=":
            blocks[-1].formulas.append((line.split("=", 1)[1].strip(), parse_hints(hints).nouns))
        elif fields[0] == "?":
            blocks[-1].facts.append((line.split("?", 1)[1].strip(), parse_hints(hints)))
        elif fields[0] == "!":
            named = [name.strip() for name in line.split("!", 1)[1].split(",")]
            blocks[-1].together = [line for line in blocks[-1].lines if "_".join(line.words) in named]
        elif fields[0] == "%":
            blocks[-1].rates.append((line.split("%", 1)[1].strip(), parse_hints(hints).nouns))
        else:
            kind, _, nulls = fields[1].partition("?")
            share = (float(nulls) if nulls else 0.15) if "?" in fields[1] else 0.0
            rest = fields[2].strip() if len(fields) > 2 else ""
            blocks[-1].lines.append(Line(fields[0].split("_"), kind, rest, share, parse_hints(hints)))
    return blocks


def render(words: list[str], style: str) -> str:
    if style == "camel":
        return words[0] + "".join(w.capitalize() for w in words[1:])
    if style == "pascal":
        return "".join(w.capitalize() for w in words)
    if style == "joined":
        return "".join(words)
    if style == "short":
        return "_".join(pools.SHORT.get(w, w) for w in words)
    if style == "upper":
        return "_".join(words).upper()
    return "_".join(words)


def renamed(rng: random.Random, words: list[str], hints: Hints, share: float) -> list[str]:
    """Sometimes a related noun becomes the name, and the name a related noun."""
    nouns = [n for n in hints.nouns if re.fullmatch(r"[a-z]+( [a-z]+)?", n)]
    if not nouns or rng.random() > share:
        return words
    noun = rng.choice(nouns)
    hints.nouns = [n for n in hints.nouns if n != noun] + [" ".join(words)]
    return noun.split()


def clashes(words: list[str], taken: list[list[str]]) -> bool:
    """Would a table of this name have the name of another, in the plural or not?"""
    forms = {" ".join(words), " ".join([*words[:-1], plural(words[-1])])}
    return any(forms & {" ".join(other), " ".join([*other[:-1], plural(other[-1])])} for other in taken)


def vary(blocks: list[Block], rng: random.Random, share: float) -> None:
    """Drops columns and outer tables, and renames, so that a variant is a schema of its own."""
    used = {line.arguments.split()[0] for block in blocks for line in block.lines if line.kind in ("ref", "sub")}
    formulas = " ".join(f for block in blocks for f, _ in block.formulas + block.facts + block.rates)
    for block in blocks:
        block.lines = [line for line in block.lines if line in block.together or line.kind in (
            "pk", "ref", "first", "last", "person", "pick", "company", "code", "sub", "pkcode",
        )
                       or "_".join(line.words) in formulas or rng.random() > share * 0.8]
    if len(blocks) > 6:
        blocks[:] = [b for b in blocks if b.code in used or rng.random() > share * 0.5]


FLAG_CELLS = [(), (), (), ("N", "Y"), ("F", "T"), ("no", "yes"), ("No", "Yes")]
KEPT_FLAGS = {"is", "has", "was", "in", "on", "under", "no", "sold", "out", "never", "opted", "checked", "part", "auto"}


def vary_flags(blocks: list[Block], rng: random.Random, names: bool) -> None:
    """Yes and no are kept and called differently in every house: is_active, ACTIVE_YN, active_flag."""
    cells = rng.choice(FLAG_CELLS) if names else ()
    declared = rng.choice(["INTEGER", "INTEGER", "INTEGER", "BOOLEAN", "BOOLEAN", "TINYINT(1)", "SMALLINT"])
    dates = rng.choice(["", "", "TEXT"])
    front, back = rng.choice([("is", ""), ("is", ""), ("", ""), ("", ""), ("", "flag"), ("", "ind"), ("", "yn")])
    for block in blocks:
        for line in block.lines:
            if line.kind in ("date", "time"):
                line.type = dates
            if line.kind != "flag":
                continue
            line.cells = cells
            line.type = "" if cells else declared
            if names and not KEPT_FLAGS & set(line.words) and (front, back) != ("", "") and rng.random() < 0.8:
                line.words = [w for w in (front, *line.words, back) if w]


SHORT_UNITS = {"seconds": ["sec", "secs", "seconds"], "minutes": ["min", "mins", "minutes"], "grams": ["grams"], "milliseconds": ["ms"]}


def vary_counts(blocks: list[Block], rng: random.Random) -> None:
    """seats may be called seat_count, num_seats or number_of_seats: people say `number of seats`."""
    for block in blocks:
        for line in block.lines:
            last = line.words[-1]
            if last in SHORT_UNITS and len(line.words) > 1 and rng.random() < 0.6:
                line.words = [*line.words[:-1], rng.choice(SHORT_UNITS[last])]
            elif line.words in (["minutes"], ["seconds"]) and rng.random() < 0.5:
                line.words = [rng.choice(["duration", "length"]), rng.choice(SHORT_UNITS[last])]
            elif line.kind == "int" and len(line.words) == 1 and plural(last) == last and last.endswith("s") and rng.random() < 0.4:
                line.words = rng.choice([[singular(last), "count"], ["num", last], ["number", "of", last], ["no", "of", last]])
                line.hints.nouns = [f"number of {last}", last, *line.hints.nouns]


SQUEEZED = {"first name": "fname", "last name": "lname", "birth date": "dob", "hire date": "hiredate", "start date": "startdt",
            "job title": "jobtitle", "phone number": "phone", "description": "descr", "name": "nm", "number": "num"}


def prefixed(rng: random.Random, block: Block, line: Line, style: str, tight: bool) -> str:
    """A column as named in a house where every column carries its table: EMP_FNAME, stu_birth_date."""
    phrase = " ".join(line.words)
    words = [SQUEEZED[phrase]] if tight and phrase in SQUEEZED else line.words
    return render([block.prefix, *words] if words[0] != block.prefix else words, style)


def add_audit(blocks: list[Block], rng: random.Random) -> None:
    """Who typed a row in, beside whose row it is: created_by next to owner_id."""
    people = {b.code for b in blocks if any(line.kind in ("first", "person") for line in b.lines)}
    for block in blocks:
        refs = [line for line in block.lines if line.kind == "ref" and line.arguments.split()[0] in people - {block.code}]
        if len(refs) != 1 or rng.random() < 0.5:
            continue
        done, role = rng.choice([("created", "creator"), ("entered", "clerk"), ("updated", "last editor"), ("approved", "approver")])
        hints = Hints(nouns=[role], yes=[done], no=[done])
        block.lines.append(Line([done, "by"] + rng.choice([[], ["id"]]), "ref", refs[0].arguments, 0.0, hints))


PERSONS = ["person", "party", "contact", "individual", "people", "member"]
MOVED = ("first", "last", "person", "email", "phone", "city", "country")


def split_people(blocks: list[Block], rng: random.Random) -> None:
    """Names go to a table of persons, and what these people are stays: customer(person_id), person(first_name …)."""
    formulas = " ".join(f for block in blocks for f, _ in block.formulas + block.facts + block.rates)
    known = {block.code for block in blocks}
    for block in list(blocks):
        kinds = [line.kind for line in block.lines]
        if "pk" not in kinds or not {"first", "person"} & set(kinds) or rng.random() < 0.3:
            continue
        code = rng.choice([p for p in PERSONS if not clashes([p], [k.split("_") for k in known])] or [""])
        if not code:
            return
        known.add(code)
        moved = [line for line in block.lines if "_".join(line.words) not in formulas and (
            line.kind in MOVED and (line.kind in MOVED[:3] or rng.random() < 0.6) or "birth" in "".join(line.words))]
        for line in moved:
            if line.kind == "person":  # no driver_name in a table of persons
                line.words = rng.choice([["full", "name"], ["name"]])
        above = Block([code], block.rows + 12, Hints(), code=code)
        above.lines = [Line(["id"], "pk", "", 0.0, Hints()), *moved]
        block.lines = [line for line in block.lines if line not in moved]
        for line in block.lines:
            if line.kind == "pk":
                line.kind, line.arguments = "sub", code
                line.words = rng.choice([[code, "id"], [code, "id"], [*block.words, "id"]])
        blocks.insert(blocks.index(block), above)
        if rng.random() < 0.7:
            return  # mostly one of them


def add_prefixes(blocks: list[Block], rng: random.Random) -> None:
    """Every column carries a short form of its table."""
    long = rng.random() < 0.4
    for block in blocks:
        word = block.code.split("_")[-1]
        short = pools.SHORT.get(word, word[:3] if rng.random() < 0.6 else word[:4])
        block.prefix = block.prefix or (word if long else short)


NAMES = ("person", "pick", "company")
PREFIXES = ("tbl", "lkp")  # before the names of tables; nobody says them


def name_like_table(blocks: list[Block], rng: random.Random, share: float) -> None:
    """What a thing is called goes into a column called like the thing: campuses.campus, player.player."""
    for block in blocks:
        lines = [line for line in block.lines if line.kind in NAMES]
        if len(lines) == 1 and rng.random() < share and not any(line.words == block.words for line in block.lines):
            lines[0].words = list(block.words)
            lines[0].hints.nouns = [*lines[0].hints.nouns, "name"]


def build(name: str, text: str, style: str, variant: int) -> tuple[Schema, list[Block]]:
    """The schema of one variant; variant 0 is as written, only in the given style."""
    rng = random.Random(f"{name}/{variant}")
    blocks = parse(text)
    share = 0.0 if variant == 0 else 0.3
    vary(blocks, rng, share)
    if variant in (2, 4):
        add_audit(blocks, rng)
    if variant == 5:
        split_people(blocks, rng)
        if rng.random() < 0.7:
            add_prefixes(blocks, rng)
    aliases = {id(line): "_".join(line.words) for block in blocks for line in block.lines}
    vary_flags(blocks, rng, variant > 0)
    if variant > 0:
        vary_counts(blocks, rng)
    if variant in (1, 3):
        name_like_table(blocks, rng, 0.25 if variant == 1 else 0.75)
    many = rng.random() < 0.6  # table names in the plural
    bare = rng.random() < 0.4  # keys called just `id`
    tight = rng.random() < 0.7  # fname, dob
    ending = rng.choice(["num", "id", "no", "id"])  # of keys in houses with prefixes
    original = {b.code: b for b in blocks}
    tables: list[Table] = []
    columns: list = [None]
    keys: list[Key] = []
    places: dict[tuple[str, str], Column] = {}
    for code, block in original.items():
        alike = [line for line in block.lines if line.kind in NAMES and line.words == block.words]
        taken = [table.words for table in tables] + [b.words for b in original.values() if b is not block]
        nouns, block.hints.nouns = block.hints.nouns, [n for n in block.hints.nouns if not clashes(n.split(), taken)]
        block.words = renamed(rng, block.words, block.hints, share)
        block.hints.nouns += [n for n in nouns if clashes(n.split(), taken)]
        for line in alike:
            line.words = list(block.words)
        named = [*block.words[:-1], plural(block.words[-1])] if many else block.words
        block.made = render(named, style)
        spoken = [w for w in block.words if w not in PREFIXES]
        table = Table(len(tables), block.made, spoken, hints=block.hints)
        tables.append(table)
        for line in block.lines:
            before = aliases[id(line)]
            if line.kind == "pk":
                line.words = ["id"] if bare and not block.prefix else [*spoken, "id"]
            elif line.words != block.words and line.kind not in ("ref", "flag", "sub", "pkcode"):
                line.words = renamed(rng, line.words, line.hints, share)
            line.made = render(line.words, style)
            target = original.get(line.arguments.split()[0]) if line.kind in ("ref", "sub") else None
            if block.prefix and line.kind == "pk":
                line.made = render([block.prefix, ending], style)
            elif block.prefix and line.kind not in ("ref", "sub"):
                line.made = prefixed(rng, block, line, style, tight)
            elif target and target.prefix and before in (f"{target.code}_id", f"{target.code}_code"):
                line.made = render([target.prefix, "code" if before.endswith("_code") else ending], style)
            others = {other.made.lower() for other in block.lines if other is not line}
            if line.made.lower() in others:
                line.words = aliases[id(line)].split("_")
                line.made = render([block.prefix, *line.words] if block.prefix else line.words, style)
            while line.made.lower() in others:  # line_no and lane_no are both ln_no
                line.made += "2"
            kind = KINDS[line.kind]
            type_of = "text" if line.cells or line.kind == "pkcode" else TYPES.get(kind, ("", "text"))[1]
            column = Column(
                len(columns), table.id, line.made, line.words, type_of, kind,
                hints=line.hints,
            )
            column.primary, column.foreign = line.kind in ("pk", "sub", "pkcode"), line.kind in ("ref", "sub")
            if target and any(own.kind == "pkcode" for own in target.lines):
                column.type, line.type = "text", "TEXT"
            columns.append(column)
            table.columns.append(column)
            places[code, before] = column
    schema = Schema(f"own_{name}_{variant}", tables, columns, keys, own=True)
    for code, block in original.items():
        for line in block.lines:
            if line.kind in ("ref", "sub"):
                target = next(c for c in tables[list(original).index(line.arguments.split()[0])].columns if c.primary)
                child = next(c for c in tables[list(original).index(code)].columns if c.name == line.made)
                keys.append(Key(child.id, target.id, line.hints))
        for formula, nouns in block.formulas:
            add_formula(schema, tables[list(original).index(code)], code, formula, nouns, places)
        for text, hints in block.facts:
            tables[list(original).index(code)].facts.append(read_fact(code, text, hints, places))
        for text, nouns in block.rates:
            tables[list(original).index(code)].rates.append(read_rate(code, text, nouns, places))
    return schema, blocks


OPPOSITES = {"<=": ">", ">": "<=", "<": ">=", ">=": "<", "=": "!=", "!=": "="}


def read_fact(code: str, text: str, hints: Hints, places: dict) -> Fact:
    """`paid_on > due_on`, `in_stock = 0`, `due_on < now and paid_on null`."""
    parts, used, contrary = [], [], ""
    for part in text.split(" and "):
        left, *rest = part.split()
        column = places[code, left]
        used.append(column.id)
        if rest == ["null"]:
            parts.append(f"{at(column)} IS NULL")
            continue
        sign, right = rest
        other = places.get((code, right))
        if other:
            used.append(other.id)
        value = at(other) if other else "date('now')" if right == "now" else right
        parts.append(f"{at(column)} {sign} {value}")
        contrary = f"{at(column)} {'>' if (sign, right) == ('=', '0') else OPPOSITES[sign]} {value}"
    return Fact(" AND ".join(parts), contrary if len(parts) == 1 else "", used, hints.yes, hints.no, hints.nouns)


def read_rate(code: str, text: str, nouns: list[str], places: dict) -> Rate:
    """`clicks of impressions` in percent, `cost / clicks` as it is."""
    above, sign, below = text.split()
    a, b = places[code, above], places[code, below]
    factor = "100.0" if sign == "of" else "1.0"
    return Rate(f"{factor} * SUM({at(a)}) / SUM({at(b)})", [a.id, b.id], nouns)


def add_formula(schema: Schema, table: Table, code: str, text: str, nouns: list[str], places: dict) -> None:
    """`quantity * unit_price` or `days(end_date, start_date)` with the columns marked."""
    used = []

    def mark(match: re.Match) -> str:
        column = places.get((code, match[0]))
        if column is None:
            raise KeyError(f"{code}: no column {match[0]} in formula {text}")
        used.append(column.id)
        return at(column)

    spans = re.fullmatch(r"days\((\w+), (\w+)\)", text)
    if spans:
        later, earlier = (re.sub(r"\w+", mark, part) for part in spans.groups())
        sql = f"julianday({later}) - julianday({earlier})"
    else:
        sql = re.sub(r"[a-z_]+", mark, text)
    table.formulas.append(Formula(sql, used, nouns, table.id))


def span(text: str, default: tuple[float, float]) -> tuple[float, float]:
    low, dots, high = text.partition("..")
    return (float(low), float(high)) if dots else default


def cell(rng: random.Random, line: Line, row: int, rows: dict[str, int], city: str):
    """One value; repeated runs give the same ones."""
    kind, text = line.kind, line.arguments
    if kind in ("pk", "sub"):
        return row
    if kind == "pkcode":
        return [v.strip() for v in text.split("|")][row - 1]
    if rng.random() < line.nulls:
        return None
    if kind == "ref":
        target = text.split()[0]
        return rng.randint(1, max(1, int(rows[target] * 0.85)))
    if kind in ("enum", "pick"):
        values = [v.strip() for v in text.split("|")]
        return values[(row - 1) % len(values)] if kind == "pick" else rng.choice(values + values[:1])
    if kind == "int":
        return int(rng.triangular(*span(text, (1, 100)), span(text, (1, 100))[0] * 1.1))
    if kind in ("money", "real"):
        low, high = span(text, (5, 500))
        return round(low + (high - low) * rng.random() ** 2, 2)
    if kind == "year":
        return rng.randint(*(int(v) for v in span(text, (1990, 2025))))
    if kind in ("date", "time"):
        low, high = (int(v) for v in span(text, (2022, 2025)))
        day = date(low, 1, 1) + timedelta(days=rng.randrange(365 * (high - low + 1)))
        if kind == "date":
            return day.isoformat()
        return datetime(day.year, day.month, day.day, rng.randrange(7, 22), rng.randrange(60)).isoformat(" ")
    if kind == "flag":
        is_set = int(rng.random() < (float(text) if text else 0.4))
        return line.cells[is_set] if line.cells else is_set
    first, last = rng.choice(pools.FIRST), rng.choice(pools.LAST)
    simple = {
        "first": first, "last": last, "person": f"{first} {last}", "company": pools.COMPANIES[(row - 1) % len(pools.COMPANIES)],
        "city": city, "country": pools.CITIES[city], "email": f"{first}.{last}{row}@example.com".lower(),
        "phone": f"+{rng.randint(10, 99)} {rng.randint(100, 999)} {rng.randint(1000, 9999)}",
        "code": f"{text}{1000 + row}", "text": rng.choice(pools.PHRASES), "street": f"{rng.randint(1, 99)} {rng.choice(pools.STREETS)}",
    }
    return simple[kind]


def coded(line: Line, value, blocks: list[Block]):
    """A reference to a table whose key is a code: the code instead of the row's number."""
    if line.kind == "ref" and value is not None:
        target = next(b for b in blocks if b.code == line.arguments.split()[0])
        codes = [own.arguments.split("|") for own in target.lines if own.kind == "pkcode"]
        return codes[0][value - 1].strip() if codes else value
    return value


# Variants whose keys nobody declares: the data must show them. And those with columns that say nothing.
UNDECLARED_IN = ("_3", "_4")
CONSTANT_IN = ("_2", "_4")

# Columns that hold the same in every row: nobody asks for them, and nothing is joined by them.
CONSTANT = [("currency", "EUR"), ("country", "USA"), ("tenant", "main"), ("source_system", "erp"), ("version", 1), ("is_test", 0)]


def constant_of(schema: Schema, table: Table) -> tuple[str, str | int] | None:
    """In some variants, one for some tables."""
    rng = random.Random(f"{schema.db_id}/{table.name}/constant")
    name, cell = rng.choice(CONSTANT)
    taken = any(column.name.lower() == name for column in table.columns)
    return (name, cell) if schema.db_id.endswith(CONSTANT_IN) and rng.random() < 0.5 and not taken else None


def write_database(path: Path, schema: Schema, blocks: list[Block]) -> None:
    rng = random.Random(schema.db_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    rows = {}
    for block in blocks:
        picks = [len(line.arguments.split("|")) for line in block.lines if line.kind in ("pick", "pkcode")]
        picks += [rows[line.arguments.split()[0]] for line in block.lines if line.kind == "sub"]
        rows[block.code] = min([block.rows, *picks])
    for block, table in zip(blocks, schema.tables):
        parts = []
        for line, column in zip(block.lines, table.columns):
            kind = "REAL" if line.kind in ("money", "real") else TYPES.get(column.kind, ("TEXT", ""))[0]
            kind = "TEXT" if line.kind == "pkcode" else line.type or ("DATETIME" if line.kind == "time" else "TEXT" if line.cells else kind)
            parts.append(f"{quote(column.name)} {kind}" + (" PRIMARY KEY" if column.primary else ""))
        declared = not schema.db_id.endswith(UNDECLARED_IN)
        for key in schema.keys if declared else []:
            if schema.columns[key.child].table == table.id:
                target = schema.table_of(key.parent)
                parts.append(f"FOREIGN KEY ({quote(schema.columns[key.child].name)}) REFERENCES "
                             f"{quote(target.name)} ({quote(schema.columns[key.parent].name)})")
        together = [block.lines.index(line) for line in block.together if line in block.lines]
        if declared and together:
            parts.append(f"PRIMARY KEY ({', '.join(quote(table.columns[i].name) for i in together)})")
        constant = constant_of(schema, table)
        parts[len(table.columns) : len(table.columns)] = [constant[0]] if constant else []
        base.execute(f"CREATE TABLE {quote(table.name)} ({', '.join(parts)})")
        data = []
        for row in range(1, rows[block.code] + 1):
            city = rng.choice(list(pools.CITIES))
            data.append([coded(line, cell(rng, line, row, rows, city), blocks) for line in block.lines])
        if together:
            data = list({tuple(cells[i] for i in together): cells for cells in data}.values())
        for cells in data if constant else []:
            cells.append(constant[1])
        marks = ", ".join("?" * (len(block.lines) + bool(constant)))
        base.executemany(f"INSERT INTO {quote(table.name)} VALUES ({marks})", data)
    base.commit()
    base.close()


def make(path: Path, name: str, text: str, style: str, variant: int, called: str = "") -> Schema:
    """Builds a variant, writes its database below `path`, and reads its values back."""
    schema, blocks = build(name, text, style, variant)
    place = f"own_{name}_{called}" if called else schema.db_id
    file = path / place / f"{place}.sqlite"
    write_database(file, schema, blocks)
    schema.db_id = place
    read_values(schema, file)
    return schema


def read_files(folder: Path) -> dict[str, tuple[str, str]]:
    """name -> (style, text) of every schema file; the first line says `# style: camel`."""
    files = {}
    for file in sorted(folder.glob("*.txt")):
        text = file.read_text()
        style = re.match(r"# style: (\w+)", text)
        files[file.stem] = (style[1] if style else "snake", text)
    return files
