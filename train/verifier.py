"""The verifier: reads a finished query beside the encoded question. src/parser/network/network_verify.c is the same in C."""

import math
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

import export
from model import POSITIONS, EncoderLayer

FAR = 4.0  # spreads from the mean; what is further says no more


def attended(q, k, v, mask):
    """As torch 2 does it in one kernel; older ones are enough for a trial."""
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    scores = (q @ k.transpose(-1, -2)) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -1e4).softmax(-1) @ v


class Attention(nn.Module):
    def __init__(self, settings):
        super().__init__()
        d, self.heads = settings.d, settings.heads
        self.q, self.kv, self.o = nn.Linear(d, d), nn.Linear(d, 2 * d), nn.Linear(d, d)

    def forward(self, x, memory, mask):
        batch, length, d = x.shape
        size = d // self.heads
        q = self.q(x).view(batch, length, self.heads, size).transpose(1, 2)
        k, v = self.kv(memory).view(batch, -1, 2, self.heads, size).permute(2, 0, 3, 1, 4)
        out = attended(q, k, v, mask)
        return self.o(out.transpose(1, 2).reshape(batch, length, d))


class Layer(nn.Module):
    def __init__(self, settings):
        super().__init__()
        d, self.drop = settings.d, settings.drop
        self.n1, self.n2, self.n3 = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.own, self.cross = Attention(settings), Attention(settings)
        self.a, self.b = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def dropped(self, x):
        return F.dropout(x, self.drop, self.training)

    def forward(self, x, memory, own, cross):
        """x: [questions, candidates, tokens, d]. All candidates of a question read its memory in one go."""
        questions, candidates, tokens, d = x.shape
        h = self.n1(x).view(questions * candidates, tokens, d)
        x = x + self.dropped(self.own(h, h, own)).view_as(x)
        h = self.n2(x).reshape(questions, candidates * tokens, d)
        x = x + self.dropped(self.cross(h, memory, cross)).view_as(x)
        return x + self.dropped(self.b(F.gelu(self.a(self.n3(x)))))


class Verifier(nn.Module):
    def __init__(self, settings, wide, outputs, mean, spread):
        """wide: all members' d; mean, spread: of the numbers of src/parser/judge/judge.def that it sees."""
        super().__init__()
        d = settings.d
        self.drop, self.outputs = settings.drop, outputs
        self.memory, self.mn = nn.Linear(wide, d), nn.LayerNorm(d)
        self.k = nn.Embedding(outputs, d)
        nn.init.normal_(self.k.weight, 0, 0.05)
        self.pin = nn.Linear(d, d)
        self.pos = nn.Parameter(torch.randn(POSITIONS, d) * 0.02)
        self.layers = nn.ModuleList(Layer(settings) for _ in range(settings.layers))
        self.on = nn.LayerNorm(d)
        self.a, self.b = nn.Linear(2 * d + len(mean), d), nn.Linear(d, 2)
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)

    def dropped(self, x):
        return F.dropout(x, self.drop, self.training)

    def embed(self, tokens, memory):
        """Tokens as the decoder has them, with the one that ends a query; -1 behind it."""
        questions, candidates, length = tokens.shape
        place = (tokens - self.outputs).clamp(min=0).view(questions, -1, 1).expand(-1, -1, memory.shape[-1])
        pointed = self.pin(memory).gather(1, place).view(questions, candidates, length, -1)
        spoken = self.k(tokens.clamp(0, self.outputs - 1)).to(pointed.dtype)
        return torch.where((tokens >= self.outputs)[..., None], pointed, spoken) + self.pos[:length]

    def forward(self, memory, mask, tokens, numbers, heard=None):
        """Which candidate to take (as logs) and whether it is right (as log-odds): [questions, candidates, 2].
        heard: another network's layer in place of `memory`."""
        length = tokens.shape[-1]
        there = tokens >= 0
        memory = self.mn((heard or self.memory)(memory))
        x = self.dropped(self.embed(tokens, memory))
        # a candidate that could not be read has no token at all, but must look somewhere
        own = there.view(-1, 1, 1, length) | (torch.arange(length, device=x.device) == 0)
        for layer in self.layers:
            x = layer(x, memory, own, mask[:, None, None, :])
        x, kept = self.on(x), there[..., None]
        mean = (x * kept).sum(2) / kept.sum(2).clamp(min=1)
        most = x.masked_fill(~kept, -30).amax(2) * there.any(2)[..., None]
        far = ((numbers - self.mean) / self.spread).clamp(-FAR, FAR)
        seen = torch.cat([mean, most, self.dropped(far).to(x.dtype)], -1)
        return self.b(self.dropped(F.gelu(self.a(seen)))).float()


class Judge(nn.Module):
    """The verifier while it learns: it hears from each of several networks through a layer of its own, and may read the
    question by an encoder of its own, which begins as a network's (own=1); begin=1: it begins as that network's decoder."""

    def __init__(self, settings, header, tensors, numbers, mean, spread, networks):
        """numbers: places of those it reads; mean, spread: of all; tensors: of the weights file it begins as."""
        super().__init__()
        d, members = header["d"], header.get("members", 1)
        wide = d if settings.own else d * members
        outputs = len(header["keywords"]) + len(header["fixed"])
        self.numbers = numbers
        self.verifier = Verifier(settings, wide, outputs, mean[numbers], spread[numbers])
        self.others = nn.ModuleList(nn.Linear(wide, settings.d) for _ in range(networks - 1))
        self.encoder, self.en = None, None
        if settings.own:
            shape = SimpleNamespace(d=d, heads=header["heads"], drop=settings.drop * 0.5)
            self.relations = tensors["e.0.rb"].shape[0]
            self.encoder = nn.ModuleList(EncoderLayer(shape, self.relations) for _ in range(header["encoder_layers"]))
            self.en = nn.LayerNorm(d)
        self.take(tensors, settings)

    @torch.no_grad()
    def take(self, tensors, settings):
        state = self.state_dict()
        for key, value in state.items():
            part, rest = key.split(".", 1)
            name = export.names_of(key) if part in ("encoder", "en") else None
            if part == "verifier" and settings.begin and rest.split(".")[0] in ("layers", "k", "pin", "pos"):
                name = export.verifier_name(rest)[2:]
            if name and name in tensors and tensors[name].size == value.numel():
                value.copy_(torch.from_numpy(tensors[name]).view_as(value))
        if settings.begin:
            for layer in [self.verifier.memory, *self.others]:
                layer.weight.zero_()
                layer.weight[:, : settings.d].copy_(torch.eye(settings.d))
                layer.bias.zero_()

    def parameters_by_speed(self):
        own = [p for module in (self.encoder, self.en) if module is not None for p in module.parameters()]
        known = {id(p) for p in own}
        return own, [p for p in self.parameters() if id(p) not in known]

    def encode(self, group, rows):
        mask = group.mask[rows]
        if self.encoder is None:
            return group.memory[rows].float() if not group.memory.is_cuda else group.memory[rows]
        relations = group.relations[rows]
        codes = torch.arange(self.relations, device=relations.device, dtype=relations.dtype)
        hot = (relations[..., None] == codes).to(torch.bfloat16 if relations.is_cuda else torch.float32)
        x = F.dropout(group.items[rows].float(), self.verifier.drop * 0.5, self.training)
        for layer in self.encoder:
            x = layer(x, ~mask[:, None, None, :], hot)
        return self.en(x)

    def forward(self, group, rows, tokens, numbers, network=0):
        memory = self.encode(group, rows)
        seen = numbers[..., self.numbers]
        heard = self.others[network - 1] if network else None
        return self.verifier(memory, group.mask[rows], tokens, seen, heard)

    def written(self):
        """What the weights file gets."""
        return {k[9:]: v.float().cpu().numpy() for k, v in self.state_dict().items() if k.startswith("verifier.")}
