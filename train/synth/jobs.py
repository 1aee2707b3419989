"""One piece of work for one process: some hundred examples of one source."""

import random
import re
from dataclasses import dataclass, field
from functools import cached_property

import families
import related as related_words
import resolve
import speech
import surface
import swap
import talk
import thesaurus
from maker import Maker, Skip
from schema import Schema
from transplant import Plan, transplant


@dataclass
class Job:
    source: str
    count: int
    seed: str


@dataclass
class Ready:
    """What all jobs share; set before the processes are forked."""

    public: dict[str, Schema] = field(default_factory=dict)
    own: dict[str, Schema] = field(default_factory=dict)
    questions: list[dict] = field(default_factory=list)
    resolved: list = field(default_factory=list)  # (schema, question, Resolved)
    movable: list[Plan] = field(default_factory=list)

    @cached_property
    def public_list(self) -> list[Schema]:
        return list(self.public.values())

    @cached_property
    def own_list(self) -> list[Schema]:
        return list(self.own.values())


    @cached_property
    def by_database(self) -> dict[str, list[dict]]:
        found: dict[str, list[dict]] = {}
        for question in self.questions:
            found.setdefault(question["db_id"], []).append(question)
        return found


READY = Ready()


GROUPED = re.compile(r"(?is)select\s+(.*?)\s+from\s.*group\s+by\s+(?:\w+\.)?(\w+)")
KEYS_SAID = re.compile(r"(?i)\b(ids?|codes?|keys?|identifiers?|numbers?(?! of))\b")


HIGHEST = re.compile(r"\b(most|highest|largest|biggest|greatest|maximum)\b", re.I)
LOWEST = re.compile(r"\b(least|fewest|lowest|smallest|minimum)\b", re.I)
BOUND = re.compile(r"\bat (least|most)\b|\bmost recent", re.I)
SORTED = re.compile(r"order by (.*?) limit \d+", re.I | re.S)


def sorts_the_wrong_way(question: str, sql: str) -> bool:
    """The highest asked for and the lowest taken: some published queries do."""
    found = SORTED.search(sql)
    if not found or BOUND.search(question) or sql.lower().count("order by") > 1:
        return False
    high, low = bool(HIGHEST.search(question)), bool(LOWEST.search(question))
    falls = " desc" in found.group(1).lower()
    return high != low and high != falls


def has_unasked_key(question: str, sql: str) -> bool:
    """Whether a group shows its key besides names and numbers though nobody asked for keys."""
    found = GROUPED.match(sql.strip())
    if not found or KEYS_SAID.search(question):
        return False
    items = [item.strip().lower() for item in found[1].split(",")]
    plain = [item.split(".")[-1] for item in items if "(" not in item]
    joined = re.search(rf"(?is)\bon\b.*\b{found[2]}\b.*\bgroup\b", sql)  # the key of a join
    return bool(joined) and 1 < len(plain) < len(items) and found[2].lower() in plain


def is_doubtful(question: str, sql: str) -> bool:
    return has_unasked_key(question, sql) or sorts_the_wrong_way(question, sql)


def prepare(public: dict[str, Schema], own: dict[str, Schema], questions: dict[str, list[dict]]) -> None:
    """`public` without the databases kept for validation."""
    READY.public, READY.own = public, own
    asked = [q for group in questions.values() for q in group]
    READY.questions = [q for q in asked if not is_doubtful(q["question"], q["query"])]
    READY.resolved = []
    for question in READY.questions:
        schema = public.get(question["db_id"]) or own.get(question["db_id"])
        if not schema:
            continue  # the same question under other names
        try:
            READY.resolved.append((schema, question, resolve.resolve(question["query"], schema)))
        except resolve.Unclear:
            continue
    plans = [Plan(schema, question["question"], resolved) for schema, question, resolved in READY.resolved]
    READY.movable = [plan for plan in plans if plan.read()]
    families.load()
    thesaurus.table()


COMMON = ("basic", "groups", "joins", "bridges", "nested", "counts")
PADDED = 0.035  # how often words are added that mean nothing
TRIES = 6  # schemas that a family is offered before another one is drawn


def from_templates(
    rng: random.Random, schemas: list[Schema], loose: float, groups: tuple[str, ...] = (), tries: int = 0,
) -> dict | None:
    """One question of one family over one schema; None when they do not suit each other."""
    known = families.of_groups(*groups) if groups else families.load()
    chosen = rng.choices(known, [f.weight for f in known])[0]
    for _ in range(tries or (TRIES if schemas[0].own else 1)):
        maker = Maker(rng.choice(schemas), rng, loose)
        try:
            question, query = chosen.write(maker)
        except Skip:
            continue
        if not maker.is_said(question):
            return None
        sql = query if isinstance(query, str) else query.sql()
        if rng.random() < PADDED and len(question) < 90:
            question = speech.padded(rng, question, sql)
        return {"db_id": maker.schema.db_id, "question": speech.finish(rng, question, maker.values), "query": sql,
                "family": chosen.name}
    return None


def template(rng: random.Random) -> dict | None:
    return from_templates(rng, READY.public_list, 0.1, COMMON)


def special(*groups: str, share: float = 0.65, tries: int = 0):
    """A source for some groups of families: mostly over our own schemas, which describe more. Many tries
    give families that suit few schemas their full part."""

    def make(rng: random.Random) -> dict | None:
        schemas = READY.own_list if rng.random() < share else READY.public_list
        return from_templates(rng, schemas, rng.choice([0.05, 0.3, 0.6]), groups, tries)

    return make


def related(rng: random.Random) -> dict | None:
    """Other words for what public questions, and templates over their schemas, name exactly."""
    if rng.random() < 0.35:
        return changed(rng, related_words.reword)
    return from_templates(rng, READY.public_list, 0.75)


def moved(rng: random.Random) -> dict | None:
    """Mostly to another public schema, sometimes to one of ours."""
    plan = rng.choice(READY.movable)
    schemas = READY.public if rng.random() < 0.8 else READY.own
    other = schemas[rng.choice(sorted(schemas))]
    pair = transplant(rng, plan, other)
    return {"db_id": other.db_id, "question": pair[0], "query": pair[1]} if pair else None


def own(rng: random.Random) -> dict | None:
    return from_templates(rng, READY.own_list, rng.choice([0.05, 0.3, 0.6]))


def changed(rng: random.Random, change) -> dict | None:
    schema, question, resolved = rng.choice(READY.resolved)
    pair = change(rng, schema, question["question"], resolved)
    return {"db_id": schema.db_id, "question": pair[0], "query": pair[1]} if pair else None


def value_swap(rng: random.Random) -> dict | None:
    return changed(rng, swap.value_swap)


def column_swap(rng: random.Random) -> dict | None:
    return changed(rng, swap.column_swap)


def reworded(rng: random.Random) -> dict | None:
    schema, question, resolved = rng.choice(READY.resolved)
    values = [resolve.literal_text(resolved.tokens[i].text) for i in resolved.literals]
    text = surface.surface(rng, question["question"], values)
    return {"db_id": schema.db_id, "question": text, "query": question["query"]} if text else None


def talked(rng: random.Random) -> dict | None:
    """A question that changes the one before it."""
    return talk.talk(rng, READY.own_list if rng.random() < 0.5 else READY.public_list)


def anew(rng: random.Random) -> dict | None:
    """A question that has nothing to do with the one before it, though both ask the same database."""
    before, question = rng.choice(READY.questions), None
    asked = READY.by_database[before["db_id"]]
    question = rng.choice(asked)
    if question["question"] == before["question"]:
        return None
    history = [{key: before[key] for key in ("question", "query")}]
    if rng.random() < 0.4:
        history = [{key: q[key] for key in ("question", "query")} for q in (rng.choice(asked),)] + history
    return {key: question[key] for key in ("db_id", "question", "query")} | {"history": history}


SOURCES = {
    "talk": talked,
    "anew": anew,
    "template": template,
    "related": related,
    "own": own,
    "value_swap": value_swap,
    "column_swap": column_swap,
    "surface": reworded,
    "transplant": moved,
    "analytic": special("analytic"),
    "everyday": special("everyday"),
    "dates": special("dates", "spans"),
    "shares": special("shares", "numbers"),
    "ranks": special("ranks"),
    "selves": special("selves"),
    "facts": special("facts", "events"),
    "across": special("across", share=0.6, tries=40),
    "office": special("office", "terse", share=0.7, tries=40),
    "contrasts": special("contrasts", "kinds", "links", share=0.5, tries=40),
    "analyst": special("statistics", "cohorts", share=0.6, tries=40),
    "finer": special("subtypes", "figures", "roles", "sets", "details", share=0.55, tries=40),
}


def run(job: Job) -> list[dict]:
    """The examples of a job; the same for the same seed on every machine."""
    rng = random.Random(job.seed)
    make = SOURCES.get(job.source)
    examples: list[dict] = []
    for _ in range(job.count * 60 if make else 0):
        example = make(rng)
        if example:
            examples.append(example | {"source": job.source, "weight": 0.0})
            if len(examples) == job.count:
                break
    return examples
