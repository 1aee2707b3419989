"""Wordings: alternatives in brackets, shared openings, and how sloppily people type."""

import random
import re
from functools import lru_cache

CHOICE = re.compile(r"\[([^\[\]]*)\]")
MACRO = re.compile(r"<(\w+)>")

MACROS = {
    "lead": "[show|show me|list|give me|find|display|get|tell me|return|i need|i want|please list|can you show me|"
            "could you list|what are|which are|report|fetch|see|provide|i would like to see|need|pull|pull up|can i get|could i see|i'd like||||]",
    "the": "[the|the|all|all the|]",
    "what": "[what is|what's|whats|show|give me|find|tell me|calculate|compute|get||||]",
    "each": "[each|every|per|by]",
    "per": "[per|by|for each|for every|by each|in each|of each]",
    "count": "[number of|count of|total number of|amount of|total|#|no. of]",
    "many": "[how many|how many|how many|number of|count|what number of]",
    "that": "[that|which|who]",
    "top": "[top|first|best]",
    "more": "[more than|over|greater than|above|exceeding|>|higher than|larger than|bigger than|in excess of]",
    "less": "[less than|under|below|lower than|fewer than|smaller than|<]",
    "least": "[at least|no less than|>=|a minimum of|not less than|minimum]",
    "most": "[at most|no more than|<=|up to|not more than|maximum]",
    "highest": "[highest|largest|greatest|biggest|maximum|max|top]",
    "lowest": "[lowest|smallest|least|minimum|min]",
    "sorted": "[sorted by|ordered by|order by|sort by|in order of|ranked by|arranged by]",
    "desc": "[descending|from high to low|highest first|desc|in descending order|from largest to smallest|decreasing]",
    "asc": "[|ascending|from low to high|lowest first|asc|in ascending order|increasing]",
    "without": "[without|with no|without any|that have no|that do not have any|having no|w/o|lacking|that don't have]",
}


def expand(rng: random.Random, text: str) -> str:
    """One reading of a wording: macros put in, one alternative of each bracket taken."""
    while "<" in text:
        text, macros = MACRO.subn(lambda m: MACROS[m[1]], text)
        if not macros:
            break
    while "[" in text:
        text = CHOICE.sub(lambda m: rng.choice(m[1].split("|")), text)
    return text


@lru_cache(8192)
def lines_of(text: str) -> list[str]:
    return [line for line in (part.strip() for part in text.split("\n")) if line]


def wording(rng: random.Random, text: str, **words) -> str:
    """One line of `text`, expanded and filled in."""
    filled = expand(rng, rng.choice(lines_of(text))).format_map(words)
    return re.sub(r"\s+([,?.])", r"\1", " ".join(filled.split()))


# what people add that means nothing, though a table may be called so
EMPTY = """in [the|our|this] [company|database|system|organization|list|business|data|records|register|dataset]
    on [record|file|the list|our books]
    [that|] we have [on file|in the system|]
    [currently|] in [the|our] system""".split("\n")
EMPTY_COUNT = "[in total|in all|all together|altogether|overall|in total|on record|all in all|so far]"
EMPTY_BEST = "[of all time|of all|ever|so far|overall|on record]"


def padded(rng: random.Random, text: str, sql: str) -> str:
    """The question with some words more that change nothing."""
    choice = rng.choice(EMPTY).strip()
    if sql.startswith("SELECT COUNT(*) FROM") and "GROUP BY" not in sql and rng.random() < 0.5:
        choice = EMPTY_COUNT
    elif sql.endswith("LIMIT 1") and "GROUP BY" not in sql and "ir_during" not in sql and rng.random() < 0.4:
        choice = EMPTY_BEST
    return " ".join([text, *expand(rng, choice).split()])


# a slip in one of these would lose a value
FRAGILE = set("""january february march april june july august september october november december
    first second third fourth quarter three seven eight thousand million""".split())


def typo(rng: random.Random, word: str) -> str:
    """A slip of the fingers: a letter lost, doubled, or swapped with its neighbour."""
    at = rng.randrange(1, len(word) - 1)
    return rng.choice([
        word[:at] + word[at + 1:],
        word[:at] + word[at] + word[at:],
        word[:at] + word[at + 1] + word[at] + word[at + 2:],
    ])


def with_typo(rng: random.Random, text: str, keep: set[str]) -> str:
    """One typo, never in a word of `keep` (values must stay findable)."""
    places = [m for m in re.finditer(r"[A-Za-z]{5,}", text) if m[0].lower() not in keep | FRAGILE]
    if not places:
        return text
    place = rng.choice(places)
    return text[: place.start()] + typo(rng, place[0]) + text[place.end():]


# what busy people make of long words; none that a period or a value could need
SHORTER = {
    "people": ["ppl"], "number of": ["nr of", "# of", "no of", "num of"], "without": ["w/o"], "with": ["w/", "w"], "department": ["dept"], "departments": ["depts"],
    "average": ["avg", "avg."], "maximum": ["max"], "minimum": ["min"], "please": ["pls", "plz"], "transactions": ["txns"], "transaction": ["txn"],
    "account": ["acct"], "accounts": ["accts"], "quantity": ["qty"], "amount": ["amt"], "manager": ["mgr"], "managers": ["mgrs"], "and": ["&", "+"],
    "what is": ["whats"], "what are": ["whats", "what r"], "who is": ["whos"], "percentage": ["%", "pct"], "percent": ["%", "pct"], "information": ["info"],
    "tickets": ["tix"], "appointments": ["appts"], "documents": ["docs"], "products": ["prods"], "address": ["addr"], "haven't": ["havent"], "hasn't": ["hasnt"],
    "don't": ["dont"], "customers": ["custs"], "employees": ["emps"], "numbers": ["nrs"], "phone number": ["phone nr"], "give me": ["gimme"], "i want": ["want"],
    "category": ["cat"], "categories": ["cats"], "shipments": ["shpmts"], "payments": ["pmts"], "invoices": ["invs"], "you": ["u"],
}
SHORTABLE = re.compile(r"\b(" + "|".join(sorted(map(re.escape, SHORTER), key=len, reverse=True)) + r")\b", re.I)


def shortened(rng: random.Random, text: str, keep: set[str]) -> str:
    """In telegram style: short forms, no articles."""
    def short(match: re.Match) -> str:
        word = match[1].lower()
        return match[0] if set(word.split()) & keep or rng.random() < 0.3 else rng.choice(SHORTER[word])

    text = SHORTABLE.sub(short, text)
    if not {"the", "a", "an"} & keep and '"' not in text and "'" not in text:
        text = re.sub(r"(?i)\b(the|our) (?=[a-z])", "", text)
    return " ".join(text.split()) or text


def finish(rng: random.Random, text: str, values: list[str], sloppy: float = 0.12) -> str:
    """Capital and final mark as some people write them; a typo now and then."""
    if rng.random() < sloppy:
        keep = {word.lower() for value in values for word in re.findall(r"[A-Za-z]+", str(value))}
        text = with_typo(rng, text, keep)
    elif rng.random() < 0.09:
        keep = {word.lower() for value in values for word in re.findall(r"[A-Za-z]+", str(value))}
        text = shortened(rng, text, keep)
    dice = rng.random()
    if dice < 0.45:
        text = text[:1].upper() + text[1:]
        if rng.random() < 0.75:
            text += "?" if re.match(r"(?i)(what|which|how|who|when|where|can|could|is|are|do|does)", text) else "."
    elif dice < 0.6:
        text += "?"
    elif dice < 0.75:
        text = text.lower()
    return text
