"""The verifier: reads a finished query beside the encoded question. src/parser/network/network_verify.c is the same in C."""

import torch
import torch.nn.functional as F
from torch import nn

from model import POSITIONS

FAR = 4.0  # spreads from the mean; what is further says no more


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
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
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

    def forward(self, memory, mask, tokens, numbers):
        """Which candidate to take (as logs) and whether it is right (as log-odds): [questions, candidates, 2]."""
        length = tokens.shape[-1]
        there = tokens >= 0
        memory = self.mn(self.memory(memory))
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
