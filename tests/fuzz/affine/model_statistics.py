# What the models in a compiled program say, as counts: how much the analysis understood.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Read from the program's containers (src/abi/container.h), which costs nothing.
import collections
import json
import pathlib
import re
import struct

MAGIC = b"GRIDSPC\0"
HEADER = struct.Struct("<8sIIQ16s")  # magic, version, entries, bytes, module id
ENTRY = struct.Struct("<IIQQ")  # kind, version, offset, bytes
MODEL = 3
KINDS = ("exact", "may", "unbounded")


def models_in(program):
    """Every kernel's model, as JSON says it."""
    data = pathlib.Path(program).read_bytes()
    at = data.find(MAGIC)
    while at >= 0:
        _, _, entries, size, _ = HEADER.unpack_from(data, at)
        for number in range(entries):
            entry = at + HEADER.size + number * ENTRY.size
            kind, _, offset, length = ENTRY.unpack_from(data, entry)
            if kind == MODEL:
                text = data[at + offset : at + offset + length]
                yield from json.loads(text)["kernels"]
        at = data.find(MAGIC, at + size)


def statistics(program, classes):
    """Counts over a program; `classes`: class of each kernel by name (Kernel.class_of)."""
    counts = collections.Counter()
    for model in models_in(program):
        name = re.match(r"\w+", model["readable"])[0]
        count_kernel(model, classes.get(name, "other"), counts)
    return counts


def kind_of(access):
    return "unbounded" if access.get("unbounded") else "exact" if access["exact"] else "may"


def can_be_cut(model):
    """Some axis may be cut, at some launches at least."""
    return any(
        "legal" in axis and not re.search(r"\{\s*:\s*false\s*\}", axis["legal"])
        for axis in model["axes"].values()
    )


def count_kernel(model, name, counts):
    kinds = []
    for array in model.get("arrays", ()):
        if array.get("space") == "shared":
            continue
        for access in array.get("accesses", ()):
            kinds.append(kind_of(access))
            counts[f"{name} {kinds[-1]}"] += 1
            if kinds[-1] != "exact":
                reason = re.sub(r"'[^']*'|\d+", "…", access.get("reason", "none"))
                counts[f"reason {name}: {reason}"] += 1
    counts[f"{name} kernels"] += 1
    counts[f"{name} all exact"] += all(kind == "exact" for kind in kinds)
    counts[f"{name} can be cut"] += can_be_cut(model)


def classes_in(counts):
    return sorted(key[: -len(" kernels")] for key in counts if key.endswith(" kernels"))


def models(counts):
    return sum(counts[f"{name} kernels"] for name in classes_in(counts))


def share(counts, name, what):
    """Per cent of a class's accesses that are exact, or of its kernels that can be cut."""
    whole = counts[f"{name} kernels"]
    if what == "exact":
        whole = sum(counts[f"{name} {kind}"] for kind in KINDS)
    return 100 * counts[f"{name} {what}"] / whole if whole else 100.0


def text(counts, reasons=8):
    """A line for each class of kernels, then the commonest reasons."""
    lines = [
        f"{name}: {counts[f'{name} kernels']} models, {share(counts, name, 'can be cut'):.1f} % "
        f"can be cut, {counts[f'{name} all exact']} all exact; accesses: "
        + ", ".join(f"{counts[f'{name} {kind}']} {kind}" for kind in KINDS)
        + f" ({share(counts, name, 'exact'):.1f} % exact)"
        for name in classes_in(counts)
    ]
    found = [(n, key[len("reason ") :]) for key, n in counts.items() if key.startswith("reason ")]
    lines += [f"  {n} {reason}" for n, reason in sorted(found, reverse=True)[:reasons]]
    return "\n".join(lines) or "no models"
