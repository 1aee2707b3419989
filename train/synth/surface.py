"""The same question as other people would type it: openings, case, marks, articles, typos."""

import random
import re

from speech import with_typo

OPENING = re.compile(
    r"(?i)(what is|what are|what's|show me|show|list|find|give me|give|return|tell me|display|please show|which are|"
    r"can you tell me|please give me|what were|what was|compute|report)\s+(the |all |all the )?"
)
LEADS = ["show me", "list", "give me", "find", "display", "tell me", "get", "i need", "i want to see", "please list",
         "can you show", "could you tell me", "show", "return", "what are", "report", "i'd like to know", "fetch"]
COUNTS = ["number of", "count", "count the", "total number of", "what is the number of", "give me the number of"]
PLAIN = [
    (r"(?i)\bin descending order of\b", ["sorted descending by", "from highest to lowest"]),
    (r"(?i)\bin ascending order of\b", ["sorted by", "sorted ascending by"]),
    (r"(?i)\bas well as\b", ["and", "and also"]),
    (r"(?i)\bgreater than\b|\bmore than\b|\blarger than\b", ["over", "above", "more than", ">"]),
    (r"(?i)\bless than\b|\bsmaller than\b|\bfewer than\b", ["under", "below", "less than", "<"]),
    (r"(?i)\bat least\b", ["no less than", ">=", "at least"]),
    (r"(?i)\bdo not have any\b|\bdo not have\b", ["don't have", "have no", "lack"]),
    (r"(?i)\bare there\b", ["do we have", "exist", "are there"]),
    (r"(?i)\bfor each\b", ["per", "for every", "by"]),
    (r"(?i)\bof each\b", ["per", "of every"]),
    (r"(?i)\bdistinct\b|\bdifferent\b", ["unique", "distinct", "different"]),
    (r"(?i)\baverage\b", ["mean", "avg", "average"]),
    (r"(?i)\bmaximum\b", ["highest", "max", "largest"]),
    (r"(?i)\bminimum\b", ["lowest", "min", "smallest"]),
    (r"(?i)\bthe most\b", ["the highest number of", "the largest number of", "the most"]),
]


def surface(rng: random.Random, question: str, values: list[str]) -> str | None:
    """Another spelling with the same meaning, or None when nothing came to mind."""
    text = question.strip()
    opening, dice = OPENING.match(text), rng.random()
    if opening and dice < 0.75:
        rest = text[opening.end():]
        text = rest.rstrip(" ?.") if rng.random() < 0.3 else f"{rng.choice(LEADS)} {opening[2] or ''}{rest}"
    elif dice < 0.6:
        many = re.match(r"(?i)how many (.*?) (are there|do we have|exist)\b(.*)", text)
        if many:
            text = f"{rng.choice(COUNTS)} {many[1]}{many[3]}"
    for pattern, choices in PLAIN:
        if rng.random() < 0.3:
            text = re.sub(pattern, rng.choice(choices), text)
    dice = rng.random()
    if dice < 0.4:
        text = text.rstrip(" ?.")
    if dice < 0.55 and not re.search(r"[\"']", text):
        text = text.lower()
    if rng.random() < 0.25:
        keep = {w.lower() for value in values for w in re.findall(r"[A-Za-z]+", str(value))}
        text = with_typo(rng, text, keep)
    if rng.random() < 0.25:
        text = re.sub(r"\b([Tt]he|[Aa]ll) ", "", text)
    text = " ".join(text.split())
    return text if text != question else None
