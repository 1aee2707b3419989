"""Examples as padded tensors on the device, in buckets of like length."""

from dataclasses import dataclass

import numpy as np
import torch

from dump import KINDS, TYPE_PADDING

LENGTHS = (32, 48, 64, 80, 96, 112, 128, 160, 200, 256, 320)
TARGETS = (12, 20, 32, 56, 100)
IGNORE = -100
HISTORY = KINDS.index("h")
NOTHING = len(KINDS)


@dataclass
class Bucket:
    items: torch.Tensor  # [n, length, words] int32
    types: torch.Tensor  # [n, length] uint8
    relations: torch.Tensor  # [n, length, length] uint8
    mask: torch.Tensor  # [n, length] bool: there is an item
    kinds: torch.Tensor  # [n, length] uint8: where in KINDS, NOTHING after the end
    pointable: torch.Tensor  # [n, length] bool: a value, table or column
    hideable: torch.Tensor  # [n, length] bool: a column that may be hidden when unused
    target: torch.Tensor  # [n, targets] int16, IGNORE after the end
    weight: torch.Tensor  # [n]
    index: list  # of the examples, in order

    def __len__(self):
        return len(self.index)


def least_that_fits(sizes, size):
    return next((s for s in sizes if s >= size), None)


def length_of(dump, example):
    schema = dump.schemas[example.schema]
    return len(example.question) + len(example.values) + schema.tables + schema.columns + len(example.history)


def assign(dump, examples, need_target=True):
    """(length, targets) -> indices of the examples that fit it."""
    buckets = {}
    for i, example in enumerate(examples):
        if need_target and (example.target is None or example.missing or len(example.target) == 0):
            continue
        targets = len(example.target) + 1 if example.target is not None else 1
        key = (
            least_that_fits(LENGTHS, length_of(dump, example)),
            least_that_fits(TARGETS, targets),
        )
        if None not in key:
            buckets.setdefault(key, []).append(i)
    return buckets


def fill_relations(dump, out, kinds, schema_at, examples, padding, device):
    """Defaults by kind and distance, the schema's own part, then the overrides."""
    header = dump.header
    block = torch.full((NOTHING + 1, NOTHING + 1), padding, dtype=torch.uint8)
    for a, first in enumerate(KINDS):
        for b, second in enumerate(KINDS):
            block[a, b] = header["block_default"][first + second]
    block = block.to(device)
    length = out.shape[1]
    step = torch.arange(length, device=device)
    distance = step[None, :] - step[:, None] + 4
    near = (distance >= 0) & (distance <= 8)
    codes = torch.tensor(header["distance"], dtype=torch.uint8, device=device)
    by_distance = codes[distance.clamp(0, 8)]
    widest = max(s.tables + s.columns for s in dump.schemas)
    schemas = torch.zeros((len(dump.schemas), widest, widest), dtype=torch.uint8)
    for i, schema in enumerate(dump.schemas):
        count = schema.tables + schema.columns
        schemas[i, :count, :count] = torch.from_numpy(schema.relations.copy())
    schemas = schemas.to(device)
    for at in range(0, len(examples), 4096):
        part = examples[at : at + 4096]
        rows = slice(at, at + len(part))
        kind = kinds[rows].long()
        relation = block[kind[:, :, None], kind[:, None, :]]
        both = torch.zeros_like(relation, dtype=torch.bool)
        for words in (kind == 0, kind == HISTORY):
            both |= words[:, :, None] & words[:, None, :] & near[None]
        relation = torch.where(both, by_distance[None].expand_as(relation), relation)
        own = (kind >= 2) & (kind < 4)
        place = (step[None, :] - schema_at[rows][:, None]).clamp(0, widest - 1)
        which = torch.tensor([e.schema for e in part], device=device)
        known = schemas[which[:, None, None], place[:, :, None], place[:, None, :]]
        relation = torch.where(own[:, :, None] & own[:, None, :], known, relation)
        out[rows] = relation
        example = np.concatenate(
            [np.full(len(e.overrides), at + i, np.int64) for i, e in enumerate(part)]
        )
        if len(example):
            flat = np.concatenate([e.overrides for e in part])
            out[
                torch.from_numpy(example).to(device),
                torch.from_numpy(flat["row"].astype(np.int64)).to(device),
                torch.from_numpy(flat["column"].astype(np.int64)).to(device),
            ] = torch.from_numpy(flat["code"].copy()).to(device)


def make_bucket(dump, examples, indices, length, targets, relations, device):
    count, words = len(indices), dump.header["max_words"]
    items = np.zeros((count, length, words), np.int32)
    types = np.full((count, length), TYPE_PADDING, np.uint8)
    kinds = np.full((count, length), NOTHING, np.uint8)
    schema_at = np.zeros(count, np.int64)
    hideable = np.zeros((count, length), bool)
    target = np.full((count, targets), IGNORE, np.int16)
    chosen = [examples[i] for i in indices]
    for row, example in enumerate(chosen):
        schema = dump.schemas[example.schema]
        first, values = len(example.question), len(example.values)
        start = first + values
        end = start + schema.tables + schema.columns
        items[row, :first, 0] = example.question
        types[row, :first] = 0
        for i, (kind, ids) in enumerate(example.values):
            items[row, first + i] = ids
            types[row, first + i] = kind
        items[row, start:end] = schema.items
        types[row, start:end] = schema.types
        kinds[row, :first] = 0
        kinds[row, first:start] = 1
        kinds[row, start : start + schema.tables] = 2
        kinds[row, start + schema.tables : end] = 3
        hideable[row, start + schema.tables + 1 : end] = True
        for i, (kind, ids) in enumerate(example.history):
            items[row, end + i] = ids
            types[row, end + i] = kind
            kinds[row, end + i] = HISTORY
        schema_at[row] = start
        if example.target is not None:
            target[row, : len(example.target)] = example.target
            target[row, len(example.target)] = 2  # END
    kinds = torch.from_numpy(kinds).to(device)
    out = torch.empty((count, length, length), dtype=torch.uint8, device=device)
    fill_relations(
        dump, out, kinds, torch.from_numpy(schema_at).to(device), chosen, relations, device
    )
    return Bucket(
        torch.from_numpy(items).to(device),
        torch.from_numpy(types).to(device),
        out,
        kinds < NOTHING,
        kinds,
        (kinds >= 1) & (kinds < HISTORY),
        torch.from_numpy(hideable).to(device),
        torch.from_numpy(target).to(device),
        torch.tensor([e.weight for e in chosen], dtype=torch.float32, device=device),
        indices,
    )


def make_buckets(dump, examples, device, need_target=True, relations=None):
    """relations: how many the network knows, where that is not what the dump has."""
    relations = relations or len(dump.header["relations"])
    return {
        key: make_bucket(dump, examples, indices, *key, relations, device)
        for key, indices in sorted(assign(dump, examples, need_target).items())
    }
