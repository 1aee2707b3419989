"""Going on from the shipped weights, which have a member for later turns: mixing, aligning, starting. Needs PyTorch."""

import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

try:
    import numpy as np
    import torch

    import align
    import blend
    import export
    import resume
    import steps
    import train
    from model import Members, Parser
except ImportError:
    torch = None

SHIPPED = HERE.parent / "models" / "parser.dgw"


def without(prefix, header, payload):
    return header | {"tensors": [e for e in header["tensors"] if not e["name"].startswith(prefix)]}, payload


@unittest.skipUnless(torch, "PyTorch is not installed")
class Shipped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.file = export.read_file(SHIPPED)
        cls.tensors = export.read_tensors(*cls.file)

    def second(self, factor, prefix="v."):
        """A run that went on: the same tensors a little larger, without a verifier and the marks of newer words."""
        header, payload = without(prefix, *self.file)
        out = export.Payload()
        for entry in header["tensors"]:
            array = self.tensors[entry["name"]] * factor
            out.add(entry["name"], array, entry["type"] == "i8")
        return header | {"tensors": out.tensors}, bytes(out.data)

    def test_mixing_takes_members_for_later_turns_along(self):
        header, payload = blend.blended((dict(self.file[0]), self.file[1]), self.second(3.0), 0.5)
        names = [e["name"] for e in header["tensors"]]
        self.assertEqual(len(names), len(set(names)))
        mixed = export.read_tensors(header, payload)
        self.assertEqual(set(mixed), set(self.tensors))
        for name in ("h0.en.g", "en.g", "m1.en.g"):
            np.testing.assert_allclose(mixed[name], 2 * self.tensors[name], rtol=1e-5, err_msg=name)
        np.testing.assert_array_equal(mixed["v.mn.g"], self.tensors["v.mn.g"])

    def test_mixing_with_a_run_that_lacks_them(self):
        header, payload = blend.blended((dict(self.file[0]), self.file[1]), without("h0.", *self.second(3.0)), 0.5)
        mixed = export.read_tensors(header, payload)
        np.testing.assert_array_equal(mixed["h0.en.g"], self.tensors["h0.en.g"])

    def test_verifier_moves_to_the_other_network(self):
        other = without("v.", *self.second(1.0))
        taken = {n: a for n, a in self.tensors.items() if n.startswith("v.")}
        heard = {"v.memory.b": self.tensors["v.memory.b"] + 1}
        header, payload = align.with_verifier(*other, taken, self.file[0], heard)
        tensors = export.read_tensors(header, payload)
        self.assertEqual(set(tensors), set(self.tensors))
        self.assertEqual(header["judged_by"], self.file[0]["judged_by"])
        np.testing.assert_array_equal(tensors["v.memory.b"], heard["v.memory.b"])
        np.testing.assert_allclose(tensors["en.g"], self.tensors["en.g"])

    def test_each_member_begins_as_the_one_before(self):
        self.assertEqual([resume.prefix_of(i, 2, self.tensors) for i in range(3)], ["", "m1.", "h0."])
        plain = {n: a for n, a in self.tensors.items() if not n.startswith("h0.")}
        self.assertEqual(resume.prefix_of(2, 2, plain), "")


@unittest.skipUnless(torch, "PyTorch is not installed")
class Words(unittest.TestCase):
    def test_words_that_came_from_vectors_are_found_before_later_ones(self):
        known = [f"w{i}" for i in range(100)]
        words = ["w9", "asked", "w3", *known[20:60], "new", "w5", "@select", "@from"]
        self.assertEqual(resume.never_seen(words, known), range(2, 43))

    def test_relations_and_types_of_first_turns(self):
        state = {"encoder.0.attention.rk": np.arange(8)[:, None], "ty.weight": np.arange(17)[:, None], "en.weight": np.ones(3)}
        cut = train.cut_rows(state, 5, 14)
        self.assertEqual(cut["encoder.0.attention.rk"][:, 0].tolist(), [0, 1, 2, 3, 4, 7])
        self.assertEqual(len(cut["ty.weight"]), 14)
        self.assertEqual(len(cut["en.weight"]), 3)


@unittest.skipUnless(torch, "PyTorch is not installed")
class Learning(unittest.TestCase):
    def net(self):
        torch.manual_seed(1)
        shape = SimpleNamespace(d=16, heads=2, encoder_layers=1, decoder_layers=1, drop=0.0, trigrams=20, word_drop=0.0,
                                own_drop=0.0, item_drop=0.0, weight_decay=0.1, lr=0.01)  # fmt: skip
        make = lambda share: Parser(shape, 4, torch.arange(6), torch.zeros(6, 10, dtype=torch.long), 5, 7, None, share)  # noqa: E731
        net = Members(make, 2, 1)
        net.members[0].w.marks[5] = True  # the last word is a mark
        return net, shape

    def step(self, net, later, settings):
        learner = steps.Learner(net, later, settings)
        items = torch.tensor([[[2], [5]]])
        given = (items, torch.zeros(1, 2, dtype=torch.long), torch.zeros(1, 2, 2, dtype=torch.long), torch.ones(1, 2, dtype=torch.bool))
        sum(member.encode(*given).square().sum() for member in learner.members).backward()
        learner.optimizer.step()

    def changed(self, later):
        net, settings = self.net()
        before = {k: v.clone() for k, v in net.state_dict().items()}
        self.step(net, later, settings)
        return {k for k, v in net.state_dict().items() if not torch.equal(v, before[k])}, net, before

    def test_later_turns_leave_first_ones_as_they_are(self):
        keys, net, before = self.changed(True)
        self.assertTrue(any(k.startswith("members.2.encoder") for k in keys))
        self.assertFalse([k for k in keys if k.startswith(("members.0.", "members.1.")) and ".w.weight" not in k])
        words, old = net.members[0].w.weight, before["members.0.w.weight"]
        self.assertEqual([i for i in range(6) if not torch.equal(words[i], old[i])], [5])  # the mark

    def test_first_turns_leave_the_other_member_as_it_is(self):
        keys, _, _ = self.changed(False)
        self.assertTrue(any(k.startswith("members.1.encoder") for k in keys))
        self.assertFalse([k for k in keys if k.startswith("members.2.") and ".w." not in k and ".t." not in k])


if __name__ == "__main__":
    unittest.main()
