"""Goes on from a weights file as if its run had not ended.

The file holds one word table: what a row learnt and what its vector says, added up. Words that no training question
had never learnt anything of their own, so their rows say what the vectors were turned into; that is fitted on them
first, and what other rows have beyond it is what they learnt.
"""

import torch
import torch.nn.functional as F

import export


def never_seen(words, known):
    """Where in the list the words stand that came from the vectors alone: the longest part in the order of these.
    What later runs added stands behind it."""
    place = {word: i for i, word in enumerate(known)}
    best, first = range(0), 0
    for i, word in enumerate(words):
        if word not in place:
            first = i + 1
        elif i > first and place[word] < place[words[i - 1]]:
            first = i
        if i + 1 - first > len(best):
            best = range(first, i + 1)
    return best


def fit_vectors(table, vectors, wanted, steps):
    """Turns the layers over the vectors into what gave these rows."""
    layers = [*table.straight.parameters(), *table.bend_a.parameters(), *table.bend_b.parameters()]
    optimizer = torch.optim.Adam(layers, lr=2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for _ in range(steps):
        off = (said_by(table, vectors) - wanted).square().mean()
        optimizer.zero_grad()
        off.backward()
        optimizer.step()
        schedule.step()
    return float(off.detach() / wanted.square().mean())


def said_by(table, vectors):
    return table.straight(vectors) + table.bend_b(F.gelu(table.bend_a(vectors)))


# What begins as what it is most like, where the file does not have it: words said before are words.
LIKE = {
    "qh": "qq", "vh": "vq", "th": "tq", "ch": "cq", "hq": "qq", "hv": "qv", "ht": "qt", "hc": "qc", "hh": "qq",
    "h-is": "qc-exact", "is-h": "cq-exact", "query before": "question", "question before": "question",
    "older question": "question",
}  # fmt: skip


def copy_rows(new, old, before, now):
    place = {name: i for i, name in enumerate(before)}
    known = [n if n in place else LIKE.get(n) for n in now]
    pairs = [(i, place[n]) for i, n in enumerate(known) if n in place]
    to, of = torch.tensor(pairs, device=new.device).t()
    new[to] = old[of]


def prefix_of(number, count, tensors):
    """Which member of the file one begins as: those for later turns as one that is there for them, or else as the first."""
    prefixes = [f"h{number - count}.", "h0.", ""] if number >= count else [f"m{number}." if number else ""]
    return next(p for p in prefixes if not p or f"{p}pos" in tensors)


def header_of(header, prefix, lists):
    """The lists as that member knows them: what it reads of earlier turns has relations and types of its own."""
    if prefix.startswith("h"):
        return header | {"relations": header["talk_relations"], "types": lists["types"]}
    return header


def load_weights(path, net, lists, rows_of, known, steps):
    """rows_of: what the rows of a tensor stand for; known: the words that have vectors, most frequent first."""
    header, payload = export.read_file(path)
    tensors = export.read_tensors(header, payload)
    words = net.members[0].w
    device = words.weight.device
    folded = torch.from_numpy(tensors["w"]).to(device)
    place = {word: i + 2 for i, word in enumerate(lists["words"])}
    pairs = [(i + 2, place[w]) for i in never_seen(header["words"], known) if (w := header["words"][i]) in place]
    old, new = torch.tensor(pairs, device=device).t()
    off = fit_vectors(words, words.vectors[new], folded[old], steps)
    print(f"{path}: vectors fitted on {len(pairs)} words, {off:.5f} of their size left", flush=True)
    state = net.state_dict()
    with torch.no_grad():
        for key, value in state.items():
            number, rest = key.split(".", 2)[1:]
            if rest.startswith("w.") or number != "0" and rest.startswith("t."):
                continue
            prefix = prefix_of(int(number), net.count, tensors)
            array = torch.from_numpy(tensors[prefix + export.names_of(rest)]).to(device)
            before, now = rows_of(header_of(header, prefix, lists), key), rows_of(lists, key)
            if now is None:
                value.copy_(array.view_as(value))
            else:
                copy_rows(value, array.view(-1, *value.shape[1:]), before, now)
        own = words.weight.detach()
        copy_rows(own, folded, rows_of(header, "members.0.w.weight"), rows_of(lists, "members.0.w.weight"))
        both = set(header["words"])
        met = torch.tensor([False, True] + [w in both for w in lists["words"]], device=device)[:, None]
        own -= said_by(words, words.vectors) * words.has * met
