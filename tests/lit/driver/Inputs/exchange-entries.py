#!/usr/bin/env python3
# Spoils a cache of precompiled headers: damage FOLDER | exchange FOLDER.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

action, folder = sys.argv[1], pathlib.Path(sys.argv[2])
entries = [file.with_suffix("") for file in sorted(folder.glob("*.facts"))]
contents = [(entry.with_suffix(".pch").read_bytes(), entry.with_suffix(".facts").read_bytes()) for entry in entries]
assert len(entries) >= 2, entries
for i, entry in enumerate(entries):
    pch, facts = contents[i] if action == "damage" else contents[i - 1]  # an entry whose seals are right
    if action == "damage":
        middle = len(pch) // 2
        pch = pch[:middle] + bytes([pch[middle] ^ 1]) + pch[middle + 1:]
    entry.with_suffix(".pch").write_bytes(pch)
    entry.with_suffix(".facts").write_bytes(facts)
