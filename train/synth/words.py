"""Names split into words, and English plurals: how schema names become words in questions."""

import re

SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

IRREGULAR = {
    "person": "people",
    "child": "children",
    "man": "men",
    "woman": "women",
    "staff": "staff",
    "series": "series",
    "species": "species",
    "aircraft": "aircraft",
    "data": "data",
    "information": "information",
    "stock": "stock",
    "inventory": "inventory",
    "equipment": "equipment",
    "maintenance": "maintenance",
    "money": "money",
    "personnel": "personnel",
    "half": "halves",
    "analysis": "analyses",
    "status": "statuses",
    "bus": "buses",
    "address": "addresses",
}
REGULAR = {plural: single for single, plural in IRREGULAR.items()}
UNCHANGED = {"news", "gas", "canvas", "christmas", "always", "sales", "premises", "earnings", "plus"}

# What people write in full although the schema does not.
LONG_FORMS = {
    "qty": "quantity",
    "amt": "amount",
    "cust": "customer",
    "acct": "account",
    "nm": "name",
    "num": "number",
    "nbr": "number",
    "nr": "number",
    "dept": "department",
    "emp": "employee",
    "addr": "address",
    "desc": "description",
    "dob": "date of birth",
    "dt": "date",
    "cnt": "count",
    "avg": "average",
    "pct": "percent",
    "cntry": "country",
    "ctry": "country",
    "fname": "first name",
    "lname": "last name",
    "mgr": "manager",
    "prod": "product",
    "cat": "category",
    "inv": "invoice",
    "txn": "transaction",
    "tel": "phone",
    "max": "maximum",
    "min": "minimum",
    "bal": "balance",
    "typ": "type",
    "stat": "status",
    "tot": "total",
    "ord": "order",
    "grp": "group",
    "loc": "location",
    "org": "organization",
    "yr": "year",
    "hrs": "hours",
    "sal": "salary",
    "lvl": "level",
    "prc": "price",
    "msg": "message",
    "usr": "user",
    "vend": "vendor",
    "supp": "supplier",
    "veh": "vehicle",
    "pmt": "payment",
    "stu": "student",
}


def split_name(name: str) -> list[str]:
    """The words of `orderDate`, `ORDER_DATE` or `order date`."""
    return [word.lower() for word in SPLIT.findall(name)] or [name.lower()]


def singular(word: str) -> str:
    if word in REGULAR:
        return REGULAR[word]
    if word in UNCHANGED or word.endswith(("ss", "us", "is")) or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def plural(word: str) -> str:
    if word in REGULAR or word in UNCHANGED:
        return word
    if word in IRREGULAR:
        return IRREGULAR[word]
    if singular(word) != word:
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("ch", "sh", "s", "x", "z")):
        return word + "es"
    return word + "s"


def plural_phrase(phrase: str) -> str:
    """`place of birth` -> `places of birth`: only the head noun changes."""
    head, of, rest = phrase.partition(" of ")
    words = head.split()
    words[-1] = plural(words[-1])
    return " ".join(words) + of + rest


def singular_phrase(phrase: str) -> str:
    words = phrase.split()
    words[-1] = singular(words[-1])
    return " ".join(words)


def long_form(phrase: str) -> str:
    return " ".join(LONG_FORMS.get(word, word) for word in phrase.split())


def with_article(phrase: str) -> str:
    return ("an " if phrase[:1] in "aeiou" else "a ") + phrase


def listing(items: list[str], word: str = "and") -> str:
    """`a, b and c`"""
    if len(items) == 1:
        return items[0]
    return ", ".join(items[:-1]) + f" {word} " + items[-1]
