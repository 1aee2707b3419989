"""Goes on from a weights file as if its run had not ended.

The file holds one word table: what a row learnt and what its vector says, added up. Words that no training question
had never learnt anything of their own, so their rows say what the vectors were turned into; that is fitted on them
first, and what other rows have beyond it is what they learnt.
"""

import torch
import torch.nn.functional as F

import export

FIT_STEPS = 3000


def never_seen(words, known):
    """How many words at the end of the list came from the vectors alone: they stand in the order of these."""
    place = {word: i for i, word in enumerate(known)}
    first = len(words)
    while first and words[first - 1] in place and (
        first == len(words) or place[words[first - 1]] < place[words[first]]
    ):
        first -= 1
    return len(words) - first


def fit_vectors(table, vectors, wanted):
    """Turns the layers over the vectors into what gave these rows."""
    layers = [*table.straight.parameters(), *table.bend_a.parameters(), *table.bend_b.parameters()]
    optimizer = torch.optim.Adam(layers, lr=2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, FIT_STEPS)
    for _ in range(FIT_STEPS):
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


def load_weights(path, net, lists, rows_of, known):
    """rows_of: what the rows of a tensor stand for; known: the words that have vectors, most frequent first."""
    header, payload = export.read_file(path)
    tensors = export.read_tensors(header, payload)
    words = net.members[0].w
    device = words.weight.device
    folded = torch.from_numpy(tensors["w"]).to(device)
    count = never_seen(header["words"], known)
    place = {word: i + 2 for i, word in enumerate(lists["words"])}
    pairs = [(i + 2, place[w]) for i, w in enumerate(header["words"]) if i >= len(header["words"]) - count and w in place]
    old, new = torch.tensor(pairs, device=device).t()
    off = fit_vectors(words, words.vectors[new], folded[old])
    print(f"{path}: vectors fitted on {len(pairs)} words, {off:.5f} of their size left", flush=True)
    state = net.state_dict()
    with torch.no_grad():
        for key, value in state.items():
            number, rest = key.split(".", 2)[1:]
            if rest.startswith("w.") or number != "0" and rest.startswith("t."):
                continue
            name = (f"m{number}." if number != "0" else "") + export.names_of(rest)
            array = torch.from_numpy(tensors[name]).to(device)
            before, now = rows_of(header, key), rows_of(lists, key)
            if now is None:
                value.copy_(array.view_as(value))
            else:
                copy_rows(value, array.view(-1, *value.shape[1:]), before, now)
        own = words.weight.detach()
        copy_rows(own, folded, rows_of(header, "members.0.w.weight"), rows_of(lists, "members.0.w.weight"))
        both = set(header["words"])
        met = torch.tensor([False, True] + [w in both for w in lists["words"]], device=device)[:, None]
        own -= said_by(words, words.vectors) * words.has * met
