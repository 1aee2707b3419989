"""Conditions on dates: named periods, spans between two, and periods counted from today."""

from maker import Maker, Skip
from query import at
from schema import ISO_DATE, Column

MONTHS = "january february march april may june july august september october november december".split()
UNITS = ("day", "week", "month", "quarter", "year")


def days_of(column: Column) -> list[str]:
    return [str(v)[:10] for v in column.values if ISO_DATE.match(str(v))]


def years_of(column: Column) -> list[int]:
    return sorted({int(day[:4]) for day in days_of(column)})


def year_text(m: Maker, year: str) -> str:
    """Mostly as it is; now and then as in a hurry."""
    if m.chance(0.92) or not "2000" <= year <= "2099":
        return year
    return m.pick([f"'{year[2:]}", f"FY{year[2:]}", f"fy{year[2:]}", f"FY {year}", f"fy{year}"])


def month_text(m: Maker, day: str) -> str:
    name = MONTHS[int(day[5:7]) - 1]
    short = name[:3] if name != "may" else name
    written = m.pick([name, name, name.capitalize(), name.capitalize(), short, short.capitalize()])
    return m.pick([
        f"{written} {day[:4]}", f"{written} {day[:4]}", f"{written} {day[:4]}", f"{written} of {day[:4]}",
        day[:7], f"{written} '{day[2:4]}" if day[:2] == "20" and m.chance(0.5) else f"{written} {day[:4]}",
    ])


def day_text(m: Maker, day: str) -> str:
    name, number = MONTHS[int(day[5:7]) - 1], int(day[8:10])
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}.get(number, "th")
    return m.pick([
        day, day, f"{number} {name} {day[:4]}", f"{name.capitalize()} {number}, {day[:4]}",
        f"{name.capitalize()} {number}{ending}, {day[:4]}", f"{number}{ending} of {name} {day[:4]}",
        f"{number} {name.capitalize()[:3]} {day[:4]}",
    ])


def quarter_text(m: Maker, quarter: int, year: str) -> str:
    word = ["first", "second", "third", "fourth"][quarter - 1]
    return m.pick([f"q{quarter} {year}", f"Q{quarter} {year}", f"Q{quarter} of {year}", f"the {word} quarter of {year}",
                   f"{year} Q{quarter}", f"{year}-Q{quarter}", f"quarter {quarter} of {year}",
                   f"q{quarter} '{year[2:]}", f"Q{quarter} {year}"])


def quarter_bounds(quarter: int, year: str) -> tuple[str, str]:
    first = f"{year}-{quarter * 3 - 2:02}-01"
    after = f"{year}-{quarter * 3 + 1:02}-01" if quarter < 4 else f"{int(year) + 1}-01-01"
    return first, after


def named(m: Maker, column: Column, name: str) -> tuple[str, str]:
    """One named period: SQL and its words with the preposition."""
    day = m.pick(days_of(column))
    year, dice = day[:4], m.rng.random()
    if dice < 0.5:
        word = m.pick(["in", "in", "in", "during", "in the year", "of", "from", "within", "for", ""])
        return f"strftime('%Y', {name}) = '{year}'", f"{word} {year_text(m, year)}"
    if dice < 0.75:
        word = m.pick(["in", "in", "during", "of", "from", "for", ""])
        return f"strftime('%Y-%m', {name}) = '{day[:7]}'", f"{word} {month_text(m, day)}"
    if dice < 0.87:
        quarter = (int(day[5:7]) + 2) // 3
        first, after = quarter_bounds(quarter, year)
        return f"{name} >= '{first}' AND {name} < '{after}'", m.pick(["in", "in", "during", "of", "for", ""]) + " " + quarter_text(m, quarter, year)
    if dice < 0.95:
        return f"date({name}) = '{day}'", m.pick(["on", "on", "dated", "from"]) + " " + day_text(m, day)
    month = MONTHS[int(day[5:7]) - 1]
    return f"ir_during({name}, '--{day[5:7]}')", m.pick(["in", "during"]) + " " + m.pick([month, month.capitalize()])


def one_sided(m: Maker, column: Column, name: str) -> tuple[str, str]:
    """Since, before, after, until."""
    day = m.pick(days_of(column))
    sign, word = m.pick([
        (">=", "[since|since|from|starting]"), ("<", "[before|before|prior to|earlier than]"),
        (">", "[after|later than]"), ("<=", "[until|up to|through|by the end of]"),
    ])
    dice = m.rng.random()
    if dice < 0.5:
        text, sql = day[:4], f"strftime('%Y', {name}) {sign} '{day[:4]}'"
    elif dice < 0.8:
        text, sql = month_text(m, day), f"strftime('%Y-%m', {name}) {sign} '{day[:7]}'"
    else:
        text, sql = day_text(m, day), f"date({name}) {sign} '{day}'"
    tail = m.pick(["", "", " on", " onwards"]) if word.startswith("[since|since|from") else ""
    phrase = m.say(word)
    if phrase == "from" and not tail:
        tail = " on"
    return sql, f"{phrase} {text}{tail if phrase == 'from' else ''}"


def two_sided(m: Maker, column: Column, name: str) -> tuple[str, str]:
    days = sorted(m.rng.choices(days_of(column), k=2))
    dice = m.rng.random()
    if dice < 0.45:
        low, high = days[0][:4], days[1][:4]
        sql = f"strftime('%Y', {name}) BETWEEN '{low}' AND '{high}'"
        words = (low, high)
    elif dice < 0.75:
        low, high = days[0][:7], days[1][:7]
        sql = f"strftime('%Y-%m', {name}) BETWEEN '{low}' AND '{high}'"
        words = (month_text(m, days[0]), month_text(m, days[1]))
    else:
        low, high = days
        sql = f"date({name}) BETWEEN '{low}' AND '{high}'"
        words = (day_text(m, low), day_text(m, high))
    if low == high:
        raise Skip
    return sql, m.say("""
            between {a} and {b}
            from {a} to {b}
            between {a} and {b}
            from {a} through {b}
            {a} to {b}
            {a} - {b}
            """, a=words[0], b=words[1])


def relative(m: Maker, name: str) -> tuple[str, str]:
    """Counted from today. Units that SQLite has no modifier for use the IR's own words."""
    dice = m.rng.random()
    if dice < 0.35:
        unit = m.rng.choices(UNITS, [3, 2, 4, 1, 3])[0]
        number = m.rng.choice({"day": [3, 7, 10, 14, 30, 30, 60, 90], "week": [2, 3, 4, 6], "month": [2, 3, 3, 6, 12, 24],
                               "quarter": [2, 4], "year": [2, 3, 5]}[unit])
        words = m.say(
            "[in the|during the|within the|over the|for the|] [last|past|previous|last] {n} {u}s",
            n=m.number_word(number), u=unit,
        )
        if unit in ("day", "month", "year"):
            return f"{name} >= date('now', '-{number} {unit}s')", words
        return f"ir_during({name}, 'last {number} {unit}')", words
    unit = m.rng.choices(UNITS, [2, 2, 5, 2, 5])[0]
    last = m.chance(0.55)
    if unit == "day":
        sql = f"date({name}) = date('now'{', ' + repr('-1 day') if last else ''})"
        return sql, "yesterday" if last else m.pick(["today", "so far today"])
    word = m.say("[in|in|from|during|] [the|] [previous|last] {u}\nlast {u}\nlast {u}" if last else
                 """
                         [in|] this {u}
                         this {u}
                         [in|] the current {u}
                         this {u} so far
                         """, u=unit).replace("in this", "this") if m.chance(0.8) else \
        ("last " if last else "this ") + unit
    if unit in ("month", "year"):
        form = {"month": "%Y-%m", "year": "%Y"}[unit]
        shift = f", 'start of {unit}', '-1 {unit}'" if last else ""
        return f"strftime('{form}', {name}) = strftime('{form}', 'now'{shift})", word
    return f"ir_during({name}, '{'last' if last else 'this'} {unit}')", word


def verb(m: Maker, column: Column) -> str:
    """`ordered`, `hired`: what happened on that date; empty only where the date is the main one."""
    table = m.schema.tables[column.table]
    dates = table.of_kind("date")
    if column.hints.yes and m.chance(0.75):
        return m.pick(column.hints.yes).lstrip("-")
    if dates and dates[0] is column and "birth" not in column.phrase and m.chance(0.6):
        return ""
    if "birth" in column.phrase and m.chance(0.6):
        return "born"
    return m.say("[with|with a|whose] {n}", n=m.noun(column)).replace("whose", "with")


def period(m: Maker, column: Column, copy: int = 0) -> tuple[str, str]:
    """Any condition on a date: SQL and the words behind the noun."""
    if not days_of(column):
        raise Skip
    name, dice = at(column, copy), m.rng.random()
    if dice < 0.5:
        sql, words = named(m, column, name)
    elif dice < 0.72:
        sql, words = one_sided(m, column, name)
    elif dice < 0.82:
        sql, words = two_sided(m, column, name)
    else:
        sql, words = relative(m, name)
    return sql, " ".join(f"{verb(m, column)} {words}".split())
