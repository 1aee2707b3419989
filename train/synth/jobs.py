"""One piece of work for one process: some hundred examples of one source."""

import random
from dataclasses import dataclass, field

import families
import resolve
import speech
import surface
import swap
from maker import Maker, Skip
from schema import Schema


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


READY = Ready()


def prepare(public: dict[str, Schema], own: dict[str, Schema], questions: dict[str, list[dict]]) -> None:
    """`public` without the databases kept for validation."""
    READY.public, READY.own = public, own
    READY.questions = questions["spider"] + questions["syn"]
    READY.resolved = []
    for question in READY.questions:
        schema = public[question["db_id"]]
        try:
            READY.resolved.append((schema, question, resolve.resolve(question["query"], schema)))
        except resolve.Unclear:
            continue
    families.load()


def from_templates(rng: random.Random, schemas: list[Schema], loose: float) -> dict | None:
    """One question of one family over one schema; None when they do not suit each other."""
    known = families.load()
    chosen = rng.choices(known, [f.weight for f in known])[0]
    maker = Maker(rng.choice(schemas), rng, loose)
    try:
        question, query = chosen.write(maker)
    except Skip:
        return None
    sql = query if isinstance(query, str) else query.sql()
    return {"db_id": maker.schema.db_id, "question": speech.finish(rng, question, maker.values), "query": sql}


def template(rng: random.Random) -> dict | None:
    return from_templates(rng, list(READY.public.values()), 0.1)


def related(rng: random.Random) -> dict | None:
    return from_templates(rng, list(READY.public.values()), 0.75)


def own(rng: random.Random) -> dict | None:
    return from_templates(rng, list(READY.own.values()), rng.choice([0.05, 0.3, 0.6]))


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


SOURCES = {
    "template": template,
    "related": related,
    "own": own,
    "value_swap": value_swap,
    "column_swap": column_swap,
    "surface": reworded,
}


def run(job: Job) -> list[dict]:
    """The examples of a job; the same for the same seed on every machine."""
    rng = random.Random(job.seed)
    make = SOURCES.get(job.source)
    examples: list[dict] = []
    for _ in range(job.count * 10 if make else 0):
        example = make(rng)
        if example:
            examples.append(example | {"source": job.source, "weight": 0.0})
            if len(examples) == job.count:
                break
    return examples
