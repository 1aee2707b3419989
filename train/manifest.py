"""Where a weights file comes from: every step with its settings, seeds, counts, digests and seconds.

pipeline.py writes OUT/parser.manifest.json: what the weights that it began with say of themselves, and one more step.
"""

import hashlib
import json
import platform
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPTS = ("*.py", "*.txt", "questions/*.jsonl", "schemas/*.txt", "synth/*.py", "synth/*.txt", "synth/families/*.py")


def digest(path):
    value = hashlib.sha256()
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            value.update(part)
    return value.hexdigest()


def digest_of_many(paths):
    """Of the names and contents, in the order of the names."""
    value = hashlib.sha256()
    for name, path in sorted(paths.items()):
        value.update(f"{name} {digest(path)}\n".encode())
    return value.hexdigest()


def device():
    try:
        import torch

        return torch.cuda.get_device_name() if torch.cuda.is_available() else f"CPU ({platform.machine()})", torch.__version__
    except ImportError:
        return "unknown", "unknown"


def inputs(data, vectors):
    found = {path.name: digest(path) for path in (data / "dialogues-train.json", vectors) if path.exists()}
    for folder in sorted(data.glob("*-train")):
        found[folder.name] = digest_of_many({p.name: p for p in folder.glob("*.json*")})
    return found


def step_of(pipeline):
    run, settings = pipeline.run, vars(pipeline.set)
    names = [name for name in run.stages if name != "describe"]
    facts = {name: run.facts(name) for name in names}
    trained, (kind, version) = facts["train"], device()
    vectors = next((p for p in (pipeline.data / "vectors.npz", pipeline.out / "vectors.npz") if p.exists()), pipeline.data / "vectors.npz")
    return {
        "step": "network, member for later turns, verifier and probabilities by one command",
        "command": "train/all",
        "settings": {key: value for key, value in settings.items() if key not in ("start", "dragoman")},
        "network": trained,
        "started_from_sha256": None if settings["start"] == "none" else digest(settings["start"]),
        "data": {
            "inputs": inputs(pipeline.data, vectors),
            "made questions": facts["questions"]["sha256"],
            "public questions": {k: v for k, v in facts["public"].items() if k != "seconds"},
            "examples": facts["features"]["examples"],
            "train/": digest_of_many({str(p.relative_to(HERE)): p for pattern in SCRIPTS for p in HERE.glob(pattern)}),
            "program": digest(settings["dragoman"]),
        },
        "chosen": {key: facts["judge"][key] for key in ("share", "figures")},
        "seconds": {name: facts[name]["seconds"] for name in names},
        "device": kind,
        "torch": version,
    }


def write(pipeline):
    path, weights = pipeline.out / "parser.manifest.json", pipeline.out / "parser.dgw"
    before = Path(pipeline.set.start).with_suffix(".manifest.json")
    known = json.loads(before.read_text()) if before.exists() else {"file": "parser.dgw", "steps": []}
    known |= {"bytes": weights.stat().st_size, "sha256": digest(weights)}
    known["steps"] = known["steps"] + [step_of(pipeline) | {"result_sha256": known["sha256"]}]
    path.write_text(json.dumps(known, indent=2) + "\n")
