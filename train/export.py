"""Writes the weights file that src/parser/network/weights.c maps: header, checksum, aligned tensors."""

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


class Payload:
    """Tensors one after the other, each at an aligned place."""

    def __init__(self, data=b"", tensors=()):
        self.data, self.tensors = bytearray(data), list(tensors)

    def place(self, array):
        self.data.extend(b"\0" * (-len(self.data) % ALIGN))
        offset = len(self.data)
        self.data.extend(np.ascontiguousarray(array).tobytes())
        return offset

    def add(self, name, array, eight_bit=True):
        array = np.asarray(array, np.float32)
        entry = {"name": name, "shape": list(array.shape)}
        if eight_bit and array.ndim == 2 and array.size >= 4096 and array.shape[1] >= 32:
            whole, scale = quantized(array)
            entry |= {"type": "i8", "offset": self.place(whole), "scale_offset": self.place(scale)}
        else:
            entry |= {"type": "f32", "offset": self.place(array)}
        self.tensors.append(entry)


def write_weights(path, state, header, eight_bit=True, members=None):
    """state: name -> numpy float32 array; members: prefix -> the same of further ones, words left out."""
    payload = Payload()
    for key, array in state.items():
        payload.add(names_of(key), array, eight_bit)
    for prefix, member in (members or {}).items():
        for key, array in member.items():
            payload.add(prefix + names_of(key), array, eight_bit)
    write_file(path, header | {"tensors": payload.tensors}, bytes(payload.data))


def read_file(path):
    """Header and payload."""
    with open(path, "rb") as file:
        data = file.read()
    size, length = struct.unpack("<IQ", data[8:20])
    return json.loads(data[28 : 28 + size]), data[28 + size : 28 + size + length]


def read_tensors(header, payload):
    """name -> numpy float32 array."""
    tensors = {}
    for entry in header["tensors"]:
        shape, count = entry["shape"], int(np.prod(entry["shape"]))
        if entry["type"] == "i8":
            whole = np.frombuffer(payload, np.int8, count, entry["offset"]).reshape(shape)
            scale = np.frombuffer(payload, np.float32, shape[0], entry["scale_offset"])
            tensors[entry["name"]] = whole.astype(np.float32) * scale[:, None]
        else:
            flat = np.frombuffer(payload, np.float32, count, entry["offset"])
            tensors[entry["name"]] = flat.reshape(shape).copy()
    return tensors


def verifier_name(key):
    """The framework's name of one of the verifier's tensors -> the file's."""
    parts = key.split(".")
    end = {"weight": "w", "bias": "b"}.get(parts[-1])
    if parts[0] in ("mn", "on"):
        return f"v.{parts[0]}.{'g' if end == 'w' else 'b'}"
    if parts[0] != "layers":
        return f"v.{parts[0]}" + (f".{end}" if end and parts[0] != "k" else "")
    layer, part = f"v.d.{parts[1]}.", parts[2]
    if part in ("n1", "n2", "n3"):
        return f"{layer}{part}.{'g' if end == 'w' else 'b'}"
    if part in ("a", "b"):
        return f"{layer}f{part}.{end}"
    return f"{layer}{'a' if part == 'own' else 'c'}.{parts[3]}.{end}"


def copied(payload, data, entry):
    """Puts a tensor of another file's payload there, byte by byte."""
    rows, count = entry["shape"][0], int(np.prod(entry["shape"]))
    kind = np.int8 if entry["type"] == "i8" else np.float32
    place = {"offset": payload.place(np.frombuffer(data, kind, count, entry["offset"]))}
    if entry["type"] == "i8":
        place["scale_offset"] = payload.place(np.frombuffer(data, np.float32, rows, entry["scale_offset"]))
    payload.tensors.append(entry | place)


def add_verifier(path, state, settings, numbers, eight_bit=True):
    """Puts it into a weights file, in place of one that is there; other members may stand behind that one."""
    header, data = read_file(path)
    payload = Payload()
    for entry in header["tensors"]:
        if not entry["name"].startswith("v."):
            copied(payload, data, entry)
    for key, array in state.items():
        payload.add(verifier_name(key), array, eight_bit)
    said = {"d": settings.d, "heads": settings.heads, "layers": settings.layers}
    header |= {"tensors": payload.tensors, "verifier": said, "judged_by": numbers}
    write_file(path, header, bytes(payload.data))


def write_file(path, header, payload):
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(28 + len(text)) % ALIGN)
    body = text + payload
    with open(path, "wb") as file:
        file.write(b"DGMW" + struct.pack("<IIQQ", 1, len(text), len(payload), checksum(body)))
        file.write(body)
