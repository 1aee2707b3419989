"""Writes the weights file that src/parser/weights.c maps: header, checksum, aligned tensors."""

import json
import struct

import numpy as np

ALIGN = 64
MASK = (1 << 64) - 1


def names_of(key):
    """The framework's name of a tensor -> the file's."""
    head = {
        "w.weight": "w", "t.weight": "t", "ty.weight": "ty", "k.weight": "k", "pos": "pos",
        "mix_norm.weight": "mix.norm.g", "mix_norm.bias": "mix.norm.b",
        "mix_a.weight": "mix.a.w", "mix_a.bias": "mix.a.b",
        "mix_b.weight": "mix.b.w", "mix_b.bias": "mix.b.b",
    }  # fmt: skip
    if key in head:
        return head[key]
    parts = key.split(".")
    if parts[0] in ("en", "dn"):
        return f"{parts[0]}.{'g' if parts[1] == 'weight' else 'b'}"
    if parts[0] in ("pin", "ok", "pq", "pk"):
        return f"{parts[0]}.{parts[1][0]}"
    side, number, rest = parts[0][0], parts[1], parts[2:]
    if rest[0] in ("n1", "n2", "n3"):
        return f"{side}.{number}.{rest[0]}.{'g' if rest[1] == 'weight' else 'b'}"
    if rest[0] == "feed":
        return f"{side}.{number}.f{rest[1]}.{rest[2][0]}"
    prefix = {"attention": "", "own": "a.", "cross": "c."}[rest[0]]
    if len(rest) == 2:  # rk, rv, rb
        return f"{side}.{number}.{rest[1]}"
    return f"{side}.{number}.{prefix}{rest[1]}.{rest[2][0]}"


def quantized(array):
    """Rows of 8-bit numbers and their scales."""
    scale = np.abs(array).max(axis=1, keepdims=True) / 127.0
    scale[scale == 0] = 1.0
    return np.clip(np.rint(array / scale), -127, 127).astype(np.int8), scale.astype(np.float32)


def checksum(data):
    """FNV-1a over 8-byte words: the same in C, and enough against damage."""
    padded = data + b"\0" * (-len(data) % 8)
    value = 0xCBF29CE484222325
    for word in np.frombuffer(padded, "<u8").tolist():
        value = ((value ^ word) * 0x100000001B3) & MASK
    return value


def write_weights(path, state, header, eight_bit=True, members=()):
    """state: name -> numpy float32 array; members: the same of further ones, words left out."""
    payload = bytearray()
    tensors = []

    def place(array):
        payload.extend(b"\0" * (-len(payload) % ALIGN))
        offset = len(payload)
        payload.extend(np.ascontiguousarray(array).tobytes())
        return offset

    everything = [(names_of(key), array) for key, array in state.items()]
    for number, member in enumerate(members, 1):
        everything += [(f"m{number}.{names_of(key)}", array) for key, array in member.items()]
    for name, array in everything:
        array = np.asarray(array, np.float32)
        entry = {"name": name, "shape": list(array.shape)}
        if eight_bit and array.ndim == 2 and array.size >= 4096 and array.shape[1] >= 32:
            whole, scale = quantized(array)
            entry |= {"type": "i8", "offset": place(whole), "scale_offset": place(scale)}
        else:
            entry |= {"type": "f32", "offset": place(array)}
        tensors.append(entry)
    write_file(path, header | {"tensors": tensors}, bytes(payload))


def write_file(path, header, payload):
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(28 + len(text)) % ALIGN)
    body = text + payload
    with open(path, "wb") as file:
        file.write(b"DGMW" + struct.pack("<IIQQ", 1, len(text), len(payload), checksum(body)))
        file.write(body)
