"""The loop of train.py: steps on first turns and on later ones, evaluation, averaged weights, checkpoints.

On a GPU each step is recorded once per shape as a CUDA graph and replayed, because a step of this small network is
otherwise spent starting kernels. On a CPU, which is only for trials, the same work runs as it is.
"""

import math
import os
import random
import time

import torch

from model import Together

ON_GPU = torch.cuda.is_available()
DEVICE = "cuda" if ON_GPU else "cpu"


def autocast():
    return torch.autocast("cuda", torch.bfloat16) if ON_GPU else torch.autocast("cpu", torch.bfloat16, enabled=False)


def clip(parameters, most):
    """As torch does it, in few kernels."""
    torch.nn.utils.clip_grad_norm_(parameters, most, **({"foreach": True} if ON_GPU else {}))


class Learner:
    """The members that learn from one kind of turns, what they may change, and how fast."""

    def __init__(self, net, later, settings):
        self.members = net.later() if later else net.first()
        self.outputs = net.outputs
        self.parameters = net.parameters_of(later)
        kept = {id(p) for p in net.words()} if later else set()  # of the words, only marks change: others do not decay
        parts = [
            {"params": [p for p in self.parameters if id(p) not in kept], "weight_decay": settings.weight_decay},
            {"params": [p for p in self.parameters if id(p) in kept], "weight_decay": 0.0},
        ]
        rate = torch.tensor(settings.lr, device=DEVICE) if ON_GPU else settings.lr
        more = dict(fused=True, capturable=True) if ON_GPU else {}
        self.optimizer = torch.optim.AdamW([p for p in parts if p["params"]], lr=rate, betas=(0.9, 0.98), **more)

    def set_rate(self, rate):
        for group in self.optimizer.param_groups:
            if ON_GPU:
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    def forget(self):
        """What recording has left behind."""
        for state in self.optimizer.state.values():
            for value in state.values():
                if torch.is_tensor(value):
                    value.zero_()


class Step:
    """One training step for one shape."""

    def __init__(self, learner, bucket, size, settings, renamer, pool):
        self.learner, self.bucket, self.settings, self.renamer = learner, bucket, settings, renamer
        self.index = torch.zeros(len(learner.members), size, dtype=torch.long, device=DEVICE)
        self.loss = torch.zeros((), device=DEVICE)
        self.graph = None
        if ON_GPU:
            self.record(pool)

    def record(self, pool):
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                self.work()
        torch.cuda.current_stream().wait_stream(stream)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, pool=pool):
            self.work()

    def choose(self):
        chosen = torch.multinomial(self.bucket.weight, self.index.numel(), replacement=True)
        self.index.copy_(chosen.view_as(self.index))

    def loss_of(self, net, index):
        """Of one member and its own examples."""
        b, s = self.bucket, self.settings
        items, types = b.items[index].long(), b.types[index].long()
        relations, mask = b.relations[index], b.mask[index]
        pointable, target = b.pointable[index], b.target[index].long()
        if self.renamer:
            items, relations = self.renamer(items, b.kinds[index], relations)
        if s.schema_drop:
            gone = self.hidden(net, b.hideable[index], target)
            mask, pointable = mask & ~gone, pointable & ~gone
        begin = torch.ones(len(target), 1, dtype=torch.long, device=mask.device)
        inputs = torch.cat([begin, target[:, :-1].clamp(min=0)], 1)
        with autocast():
            memory = net.encode(items, types, relations, mask)
            scores = net.decode(memory, mask, pointable, inputs).float()
        logs = scores.log_softmax(-1)
        there = target >= 0
        right = -logs.gather(2, target.clamp(min=0)[..., None])[..., 0]
        valid = scores > -5e3
        even = -(logs * valid).sum(-1) / valid.sum(-1)
        return (((1 - s.smooth) * right + s.smooth * even) * there).sum() / there.sum()

    def hidden(self, net, hideable, target):
        """Columns that the query does not need are left out now and then."""
        length = hideable.shape[1]
        place = torch.where(target >= net.outputs, target - net.outputs, torch.full_like(target, length))
        used = torch.zeros(len(target), length + 1, dtype=torch.bool, device=target.device)
        used = used.scatter(1, place, True)[:, :-1]
        share = torch.rand(len(target), 1, device=target.device) * 2 * self.settings.schema_drop
        return hideable & ~used & (torch.rand(hideable.shape, device=target.device) < share)

    def work(self):
        learner = self.learner
        loss = sum(self.loss_of(net, index) for net, index in zip(learner.members, self.index))
        learner.optimizer.zero_grad(set_to_none=False)
        loss.backward()
        clip(learner.parameters, len(learner.members) ** 0.5)
        learner.optimizer.step()
        self.loss.copy_(loss.detach() / len(learner.members))

    def run(self):
        self.choose()
        self.graph.replay() if self.graph else self.work()


@torch.no_grad()
def greedy(net, bucket, at, size, most):
    rows = slice(at, at + size)
    with autocast():
        mask, pointable = bucket.mask[rows], bucket.pointable[rows]
        memory = net.encode(bucket.items[rows].long(), bucket.types[rows].long(), bucket.relations[rows], mask)
        out = torch.ones(len(mask), 1, dtype=torch.long, device=mask.device)
        done = torch.zeros(len(mask), dtype=torch.bool, device=mask.device)
        for _ in range(most):
            best = net.decode(memory, mask, pointable, out)[:, -1].argmax(-1)
            best = torch.where(done, torch.full_like(best, 2), best)
            out = torch.cat([out, best[:, None]], 1)
            done |= best == 2
            if done.all():
                break
    return out[:, 1:].tolist()


def exact_match(members, buckets):
    right = total = 0
    for key, bucket in buckets.items():
        wanted = bucket.target.tolist()
        for at in range(0, len(bucket), 256):
            for i, got in enumerate(greedy(Together(members), bucket, at, 256, key[1])):
                gold = [t for t in wanted[at + i] if t >= 0]
                right += got[: len(gold)] == gold
                total += 1
    return right / max(total, 1)


def told(net, checks):
    """checks: name -> (buckets, whether they are of later turns)."""
    net.eval()
    parts = [f"{name} {exact_match(net.later() if later else net.first(), buckets):.4f}"
             for name, (buckets, later) in checks.items() if not later or net.later()]  # fmt: skip
    net.train()
    return ", ".join(parts)


class Average:
    """A running mean of the weights; started anew where only what is learnt from there on counts."""

    def __init__(self, net, settings):
        self.net, self.kept, self.values = net, settings.ema**4, None

    def add(self):
        now = [p.detach() for p in self.net.parameters()]
        if self.values is None:
            self.values = [p.clone() for p in now]
        if ON_GPU:
            torch._foreach_lerp_(self.values, now, 1 - self.kept)
            return
        for value, new in zip(self.values, now):
            value.lerp_(new, 1 - self.kept)

    def __enter__(self):
        """The net speaks as the mean, until this is left."""
        self.plain = [p.detach().clone() for p in self.net.parameters()]
        self.put(self.values or self.plain)

    def __exit__(self, *_):
        self.put(self.plain)

    @torch.no_grad()
    def put(self, values):
        for parameter, value in zip(self.net.parameters(), values):
            parameter.copy_(value)


class Checkpoint:
    """All that a run needs to go on where it stopped."""

    def __init__(self, path, net, learners, average):
        self.path, self.net, self.learners, self.average = path, net, learners, average

    def save(self, step, elapsed, opened):
        torch.save({"net": self.net.state_dict(), "average": self.average.values, "step": step, "elapsed": elapsed,
                    "opened": opened, "optimizers": [w.optimizer.state_dict() for w in self.learners]},
                   f"{self.path}.new")  # fmt: skip
        os.replace(f"{self.path}.new", self.path)

    def load(self):
        """(step, seconds so far, whether what waits has been let in)."""
        if not os.path.exists(self.path):
            return 0, 0.0, False
        saved = torch.load(self.path, map_location=DEVICE)
        self.net.load_state_dict(saved["net"])
        self.average.values = saved["average"]
        for learner, state in zip(self.learners, saved["optimizers"]):
            self.fill(learner.optimizer, state)
        print(f"goes on at step {saved['step']}, {saved['elapsed']:.0f} s", flush=True)
        return saved["step"], saved["elapsed"], saved["opened"]

    @staticmethod
    def fill(optimizer, state):
        """In place where tensors are there: recorded steps read these very ones."""
        own = [p for group in optimizer.param_groups for p in group["params"]]
        if not optimizer.state:
            optimizer.load_state_dict(state)
            return
        for number, values in state["state"].items():
            for key, value in values.items():
                place = optimizer.state[own[number]]
                if torch.is_tensor(place.get(key)):
                    place[key].copy_(value)
                else:
                    place[key] = value


def learning_rate(settings, step, share):
    warm = min(1.0, (step + 1) / settings.warmup)
    return settings.lr * warm * (0.5 * (1 + math.cos(math.pi * share)) * 0.98 + 0.02)


class Loop:
    """sets: name -> (buckets, learner, share of the time); waiting: key -> weights of buckets once all is let in."""

    def __init__(self, net, sets, checks, settings, renamer):
        self.net, self.checks, self.settings = net, checks, settings
        self.learners = [learner for _, learner, _ in sets.values()]
        for parameter in net.parameters():
            parameter.grad = torch.zeros_like(parameter)
        pool = torch.cuda.graph_pool_handle() if ON_GPU else None
        before = {k: v.clone() for k, v in net.state_dict().items()}
        self.steps, self.sets = {}, sets
        for name, (buckets, learner, _) in sets.items():
            for key, bucket in buckets.items():
                size = max(32 if ON_GPU else 1, settings.tokens // key[0] // 32 * 32)
                self.steps[(name, key)] = Step(learner, bucket, size, settings, renamer, pool)
        net.load_state_dict(before)  # recording has moved the weights
        for learner in self.learners:
            learner.forget()
        self.weigh()

    def weigh(self):
        """How often each shape comes: by what its examples weigh, within the share of their kind of turn."""
        self.keys, self.chances = list(self.steps), []
        for name, key in self.keys:
            buckets, _, share = self.sets[name]
            whole = sum(float(b.weight.sum()) for b in buckets.values())
            self.chances.append(share * float(buckets[key].weight.sum()) / max(whole, 1e-9))

    def run(self, path, keep, open_late):
        """keep(name): writes what has been learnt; open_late(): lets in what waits. The number of steps."""
        settings, average = self.settings, Average(self.net, self.settings)
        saved = Checkpoint(path, self.net, self.learners, average)
        step, before, opened = saved.load()
        if settings.until:
            settings.seconds, settings.until = max(before + settings.until - time.time(), 1.0), 0.0
        if opened:
            open_late()
            self.weigh()
        start = last = time.time()
        print(f"before: exact {told(self.net, self.checks)}", flush=True)
        while (elapsed := before + time.time() - start) < settings.seconds and step < settings.steps:
            share = max(elapsed / settings.seconds, step / settings.steps)
            rate = learning_rate(settings, step, share)
            for learner in self.learners:
                learner.set_rate(rate)
            self.steps[random.choices(self.keys, self.chances)[0]].run()
            step += 1
            if not opened and share >= settings.wait:
                with average:
                    print(f"{step} steps, {elapsed:.0f} s, now with what waited; exact {told(self.net, self.checks)}", flush=True)
                    keep("unseen")
                average.values, opened = None, True
                open_late()
                self.weigh()
            near = settings.wait - 0.1 <= share < settings.wait
            if (near or share > settings.ema_from) and step % 4 == 0:
                average.add()
            if step % 50 == 0 and ON_GPU:
                torch.cuda.synchronize()
            if time.time() - last > settings.evaluate:
                last = time.time()
                print(f"{step} steps, {elapsed:.0f} s, {self.losses()}, exact {told(self.net, self.checks)}", flush=True)
                with average:
                    keep(settings.name)
                saved.save(step, elapsed, opened)
        plain = told(self.net, self.checks)
        average.put(average.values or [p.detach() for p in self.net.parameters()])
        print(f"{step} steps in all, exact {plain}, averaged {told(self.net, self.checks)}", flush=True)
        return step

    def losses(self):
        said = []
        for name in self.sets:
            found = [float(s.loss) for (kind, _), s in self.steps.items() if kind == name]
            said.append(f"loss of {name} {sum(found) / max(len(found), 1):.4f}")
        return ", ".join(said)
