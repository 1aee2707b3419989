"""Help for train/pack: word vectors in 8 bits, and one archive of a folder.

python3 train/smaller.py vectors [FILE] OUT   FILE: what vectors.py wrote; without it they are downloaded
python3 train/smaller.py pack FOLDER OUT      OUT.tar.xz of what is in FOLDER
"""

import sys
import tarfile
import tempfile
from pathlib import Path


def vectors(*paths):
    """Numbers between -1 and 1, in steps of 1/127 of each word's largest; vectors.load makes them of length 1 again."""
    import numpy as np

    from vectors import load

    given = paths[0] if len(paths) > 1 else ""
    with tempfile.TemporaryDirectory() as folder:
        if not given:
            given = download(folder)
        words, numbers = load(given)
    scale = np.abs(numbers).max(axis=1, keepdims=True)
    whole = np.rint(numbers / scale * 127).astype(np.int8)
    np.savez_compressed(paths[-1], words=np.array(" ".join(words)), vectors=whole)


def download(folder):
    import subprocess

    path = f"{folder}/vectors.npz"
    subprocess.run([sys.executable, Path(__file__).parent / "vectors.py", "--out", path], check=True)
    return path


def pack(folder, out):
    with tarfile.open(out, "w:xz", preset=6) as archive:
        for path in sorted(Path(folder).iterdir()):
            archive.add(path, path.name)


if __name__ == "__main__":
    {"vectors": vectors, "pack": pack}[sys.argv[1]](*[part for part in sys.argv[2:] if part])
