"""The network: a relation-aware encoder and a pointer decoder. src/parser/network/network.c is the same in C."""

import math

import torch
import torch.nn.functional as F
from torch import nn

TRIGRAM_MOST = 10
TYPES = 17
POSITIONS = 128
MASKED = -1e4


class Attention(nn.Module):
    def __init__(self, settings, relations=0):
        super().__init__()
        d, self.heads = settings.d, settings.heads
        self.q = nn.Linear(d, d)
        self.kv = nn.Linear(d, 2 * d)
        self.o = nn.Linear(d, d)
        self.drop = settings.drop
        if relations:
            self.rk = nn.Parameter(torch.randn(relations, d // self.heads) * 0.05)
            self.rv = nn.Parameter(torch.randn(relations, d // self.heads) * 0.05)
            self.rb = nn.Parameter(torch.zeros(relations, self.heads))

    def forward(self, x, memory, mask=None, relations=None):
        batch, length, d = x.shape
        size = d // self.heads
        q = self.q(x).view(batch, length, self.heads, size).transpose(1, 2)
        k, v = self.kv(memory).view(batch, -1, 2, self.heads, size).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / math.sqrt(size)
        if relations is not None:
            # one product per query and relation, then spread by the one-hot relations
            by_code = q @ self.rk.t() / math.sqrt(size) + self.rb.t()[None, :, None, :]
            spread = by_code.transpose(1, 2).to(relations.dtype) @ relations.transpose(2, 3)
            scores = scores + spread.transpose(1, 2)
        if mask is not None:
            scores = scores.masked_fill(mask, MASKED)
        weights = F.dropout(scores.float().softmax(-1).to(v.dtype), self.drop, self.training)
        out = weights @ v
        if relations is not None:
            mass = (weights.transpose(1, 2).to(relations.dtype) @ relations).transpose(1, 2)
            out = out + mass @ self.rv.to(mass.dtype)
        return self.o(out.transpose(1, 2).reshape(batch, length, d))


class FeedForward(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.a = nn.Linear(settings.d, 4 * settings.d)
        self.b = nn.Linear(4 * settings.d, settings.d)
        self.drop = settings.drop

    def forward(self, x):
        return self.b(F.dropout(F.gelu(self.a(x)), self.drop, self.training))


class EncoderLayer(nn.Module):
    def __init__(self, settings, relations):
        super().__init__()
        self.n1 = nn.LayerNorm(settings.d)
        self.n2 = nn.LayerNorm(settings.d)
        self.attention = Attention(settings, relations)
        self.feed = FeedForward(settings)
        self.drop = settings.drop

    def forward(self, x, mask, relations):
        h = self.n1(x)
        x = x + F.dropout(self.attention(h, h, mask, relations), self.drop, self.training)
        return x + F.dropout(self.feed(self.n2(x)), self.drop, self.training)


class DecoderLayer(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.n1 = nn.LayerNorm(settings.d)
        self.n2 = nn.LayerNorm(settings.d)
        self.n3 = nn.LayerNorm(settings.d)
        self.own = Attention(settings)
        self.cross = Attention(settings)
        self.feed = FeedForward(settings)
        self.drop = settings.drop

    def forward(self, x, memory, later, mask):
        h = self.n1(x)
        x = x + F.dropout(self.own(h, h, later), self.drop, self.training)
        x = x + F.dropout(self.cross(self.n2(x), memory, mask), self.drop, self.training)
        return x + F.dropout(self.feed(self.n3(x)), self.drop, self.training)


class Words(nn.Module):
    """The word table: a row learnt for each word, and what its vector says where it has one.

    Words that training has never seen are known by their vectors alone, so the learnt part is left out
    now and then. The file holds one table: see folded().
    """

    def __init__(self, settings, vocabulary, vectors):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(vocabulary + 2, settings.d) * 0.05)
        self.own_drop = settings.own_drop
        with torch.no_grad():
            self.weight[0] = 0
        self.register_buffer("vectors", vectors, persistent=False)
        self.register_buffer("marks", torch.zeros(vocabulary + 2, dtype=torch.bool), persistent=False)
        if vectors is None:
            return
        d, size = settings.d, vectors.shape[1]
        has = vectors.abs().sum(1, keepdim=True) > 0
        with torch.no_grad():
            self.weight.mul_(~has)
        self.register_buffer("has", has, persistent=False)
        self.straight = nn.Linear(size, d, bias=False)
        self.bend_a = nn.Linear(size, d)
        self.bend_b = nn.Linear(d, d, bias=False)

    def table(self):
        if self.vectors is None:
            return self.weight
        said = self.straight(self.vectors) + self.bend_b(F.gelu(self.bend_a(self.vectors)))
        own = self.weight
        if self.training and self.own_drop:
            gone = (torch.rand(self.has.shape, device=own.device) < self.own_drop) & self.has
            own = own * ~gone
        return own + said * self.has

    def forward(self, rows):
        return F.embedding(rows, self.table(), padding_idx=0)

    @torch.no_grad()
    def folded(self, state):
        """A state_dict() with the table alone."""
        rest = {k: v for k, v in state.items() if not k.startswith("w.")}
        return {"w.weight": self.table()} | rest


class Parser(nn.Module):
    def __init__(
        self, settings, vocabulary, word_rows, word_trigrams, relations, outputs, vectors=None, share=None
    ):
        """word_rows: word id of the dump -> row of w (1: unknown); word_trigrams: [words, 10];
        vectors: [vocabulary + 2, any], zeros where there is none; share: a network whose words are taken."""
        super().__init__()
        d = settings.d
        self.listens = False  # a member for later turns: the words are not its own to change, but for its marks
        self.settings = settings
        self.relations = relations + 1  # the last one is padding
        self.outputs = outputs  # keywords and fixed literals
        self.w = share.w if share else Words(settings, vocabulary, vectors)
        self.t = share.t if share else nn.Embedding(settings.trigrams, d, padding_idx=0)
        self.ty = nn.Embedding(getattr(settings, "types", TYPES), d)
        if not share:
            nn.init.normal_(self.t.weight, 0, 0.05)
        self.mix_norm = nn.LayerNorm(d)
        self.mix_a = nn.Linear(d, d)
        self.mix_b = nn.Linear(d, d)
        self.encoder = nn.ModuleList(
            EncoderLayer(settings, self.relations) for _ in range(settings.encoder_layers)
        )
        self.en = nn.LayerNorm(d)
        self.k = nn.Embedding(outputs, d)
        self.pin = nn.Linear(d, d)
        self.pos = nn.Parameter(torch.randn(POSITIONS, d) * 0.02)
        self.decoder = nn.ModuleList(DecoderLayer(settings) for _ in range(settings.decoder_layers))
        self.dn = nn.LayerNorm(d)
        self.ok = nn.Linear(d, outputs)
        self.pq = nn.Linear(d, d)
        self.pk = nn.Linear(d, d)
        self.register_buffer("word_rows", word_rows, persistent=False)
        self.register_buffer("word_trigrams", word_trigrams, persistent=False)

    def embed(self, items, types):
        rows = self.word_rows[items]
        if self.training and self.settings.word_drop:
            hide = (torch.rand(rows.shape, device=rows.device) < self.settings.word_drop) & (rows > 0)
            rows = torch.where(hide, torch.ones_like(rows), rows)
        # once per word of the table, not once per place: ten rows are read for each
        spelt = F.embedding_bag(self.word_trigrams, self.t.weight, mode="mean", padding_idx=0)
        x, spelt = self.w(rows), F.embedding(items, spelt)
        if self.listens:
            x, spelt = torch.where(self.w.marks[rows][..., None], x, x.detach()), spelt.detach()
        x = x + spelt
        if self.training and self.settings.item_drop:
            keep = torch.rand(x.shape[:2], device=x.device) > self.settings.item_drop
            x = x * keep[..., None, None]
        there = (items > 0).unsqueeze(-1)
        x = (x * there).sum(-2) / there.sum(-2).clamp(min=1)
        x = x + self.ty(types)
        x = x + self.mix_b(F.gelu(self.mix_a(self.mix_norm(x))))
        return F.dropout(x, self.settings.drop, self.training)

    def encode(self, items, types, relations, mask):
        """mask: True where there is an item. relations: codes, [batch, length, length]."""
        codes = torch.arange(self.relations, device=relations.device, dtype=relations.dtype)
        # exact in 16 bits, which only a GPU multiplies fast
        hot = (relations[..., None] == codes).to(torch.bfloat16 if relations.is_cuda else torch.float32)
        x = self.embed(items, types)
        hidden = ~mask[:, None, None, :]
        for layer in self.encoder:
            x = layer(x, hidden, hot)
        return self.en(x)

    def decode(self, memory, mask, pointable, inputs):
        """Scores of what follows each prefix: keywords and literals, then positions."""
        length = inputs.shape[1]
        points = inputs >= self.outputs
        spoken = self.k(inputs.clamp(max=self.outputs - 1))
        place = (inputs - self.outputs).clamp(min=0)[..., None].expand(-1, -1, memory.shape[-1])
        pointed = self.pin(memory).gather(1, place)
        x = torch.where(points[..., None], pointed.to(spoken.dtype), spoken) + self.pos[:length]
        x = F.dropout(x, self.settings.drop, self.training)
        later = torch.ones(length, length, device=x.device, dtype=torch.bool).triu(1)
        hidden = ~mask[:, None, None, :]
        for layer in self.decoder:
            x = layer(x, memory, later, hidden)
        x = self.dn(x)
        words = self.ok(x)
        places = self.pq(x) @ self.pk(memory).transpose(1, 2) / math.sqrt(memory.shape[-1])
        places = places.masked_fill(~pointable[:, None, :], MASKED)
        return torch.cat([words, places], -1)


class Together:
    """Networks that answer as one: what they hold likely is averaged."""

    def __init__(self, members):
        self.members = members

    def encode(self, *given):
        return [member.encode(*given) for member in self.members]

    def decode(self, memories, *given):
        said = [m.decode(memory, *given).float() for m, memory in zip(self.members, memories)]
        return torch.stack([scores.log_softmax(-1) for scores in said]).logsumexp(0)


class Members(nn.Module):
    """Networks that share their words and err apart: the first `count` for first turns, the others for later ones."""

    def __init__(self, make, count, talk=0):
        """make(share): one network."""
        super().__init__()
        first = make(None)
        self.members = nn.ModuleList([first] + [make(first) for _ in range(count + talk - 1)])
        self.outputs, self.count = first.outputs, count
        for member in self.later():
            member.listens = True

    def first(self):
        return list(self.members)[: self.count]

    def later(self):
        return list(self.members)[self.count :]

    def parameters_of(self, later):
        """What a step on first or on later turns may change."""
        chosen = self.later() if later else self.first()
        found = {id(p): p for member in chosen for p in member.parameters()}
        shared = {id(p) for p in self.words() if p is not self.members[0].w.weight} if later else set()
        return [p for key, p in found.items() if key not in shared]

    def words(self):
        return [*self.members[0].w.parameters(), *self.members[0].t.parameters()]

    def own(self, number):
        """The state of one further member, without what it shares."""
        state = self.members[number].state_dict()
        return {k: v for k, v in state.items() if not k.startswith(("w.", "t."))}
