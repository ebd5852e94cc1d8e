#!/usr/bin/env python3
"""public_names.py LIST HEADER SOURCE...: which functions of CUDA's the sources define.

Writes their names, one a line, and a header that gives each a name of our own: cudaMalloc becomes
gridspan_cudaMalloc in every object that is compiled with it (README.md says why).

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import re
import sys

NAME = r"((?:__)?cuda[A-Z]\w*|cu[A-Z]\w*|nvml[A-Z]\w*|nvrtc[A-Z]\w*)"
DEFINITION = re.compile(r"^(?:GRIDSPAN_EXPORT )?(?:[\w:]+[ *]+)+" + NAME + r"\(", re.M)
MACROS = re.compile(r"^GRIDSPAN_NOT_SUPPORTED\((\w+)\)", re.M)
PER_THREAD = re.compile(r"^GRIDSPAN_PER_THREAD\(\s*(\w+),\s*(\w+),", re.M)


def names_in(text):
    yield from DEFINITION.findall(text)
    yield from MACROS.findall(text)
    for name, suffix in PER_THREAD.findall(text):
        yield name + suffix


def write_if_changed(path, text):
    """Leaves what nothing changed alone: every object of the run time depends on it."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    list_path, header, *sources = map(pathlib.Path, sys.argv[1:])
    names = sorted({name for path in sources for name in names_in(path.read_text())})
    write_if_changed(list_path, "".join(f"{name}\n" for name in names))
    write_if_changed(header, "#pragma once\n" + "".join(
        f"#pragma redefine_extname {name} gridspan_{name}\n" for name in names))


if __name__ == "__main__":
    main()
