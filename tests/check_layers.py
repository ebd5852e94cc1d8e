#!/usr/bin/env python3
"""Checks that #include arrows between the folders of src/ run one way, and who says some words.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    check_layers.py ROOT          every file below ROOT/src; prints what is wrong, exit 1
    check_layers.py --self-test   shows that a wrong arrow is found
"""

import pathlib
import re
import sys

# Folder of src/ -> the folders it may include beside itself. Two halves share support, abi.
SHARED = {"support", "abi"}
MAY_INCLUDE = {
    "support": set(),
    "abi": {"support"},
    # run time
    "devices": SHARED,
    "runtime": SHARED | {"devices"},
    # CUDA's libraries: clients of the run time, by its API alone.
    "libraries": {"support"},
    # Run-time compilation: starts gridcc, links nothing of it.
    "nvrtc": {"support"},
    # A plug-in of the run time: starts gridcc, too.
    "specialise": SHARED,
    # Device code: compiled to bitcode, sees only the contract.
    "device_library": {"abi"},
    # compiler
    "model": SHARED,
    "fusion": SHARED | {"model"},
    "analysis": SHARED | {"model"},
    "transforms": SHARED | {"model", "analysis"},
    "codegen": SHARED | {"model", "analysis", "transforms", "fusion"},
    "driver": SHARED | {"codegen", "model", "fusion"},
    # Plug-ins of clang: each stands by itself.
    "host_plugin": {"abi"},
    "clang_plugin": {"abi"},
    # gridspan, the tool: looks at containers and devices, through the run time, and explains models
    "tools": SHARED | {"devices", "runtime", "model", "fusion"},
}
# Libraries only the compiler half may see.
COMPILER_LIBRARIES = {"llvm", "llvm-c", "clang", "clang-c", "lld", "polly"}
MAY_USE_COMPILER_LIBRARIES = {"analysis", "transforms", "codegen", "driver", "host_plugin",
                              "clang_plugin"}
# isl comes in through model/isl.h only; who may include model sees its value types.
ISL_IS_INCLUDED_BY = {"model"}

# Questions that one file of a layer asks for all of it: word -> files and folders that may say it.
ASKED_BY = {
    "host_reaches_memory": ("devices/", "runtime/memory/reach.cpp"),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)


def wrong_arrow(folder, included):
    """Why a file of src/<folder> may not include <included>, or None."""
    first = included.split("/")[0]
    if first in COMPILER_LIBRARIES and folder not in MAY_USE_COMPILER_LIBRARIES:
        return f"{folder} must not see {first}"
    if first == "isl" and folder not in ISL_IS_INCLUDED_BY:
        return f"{folder} must include model/isl.h for isl"
    if first in MAY_INCLUDE and first != folder and first not in MAY_INCLUDE[folder]:
        return f"{folder} must not include {first}"
    return None


def asked_elsewhere(relative, text):
    """The questions of others that src/<relative> asks."""
    return [word for word, places in ASKED_BY.items()
            if re.search(rf"\b{word}\b", text) and not relative.startswith(places)]


def check(root):
    source = pathlib.Path(root) / "src"
    wrong, seen = [], 0
    for path in sorted(source.rglob("*")):
        if path.suffix not in {".h", ".hpp", ".cpp", ".inc"}:
            continue
        seen += 1
        relative = path.relative_to(source)
        folder = relative.parts[0]
        if folder not in MAY_INCLUDE:
            wrong.append(f"src/{relative}: no layer is known for this folder (tests/check_layers.py)")
            continue
        text = path.read_text(encoding="utf-8")
        for word in asked_elsewhere(str(relative), text):
            wrong.append(f"src/{relative}: {word} is asked in {ASKED_BY[word][-1]} only")
        for match in INCLUDE.finditer(text):
            reason = wrong_arrow(folder, match.group(1))
            if reason:
                line = text.count("\n", 0, match.start(1)) + 1
                wrong.append(f'src/{relative}:{line}: #include "{match.group(1)}": {reason}')
    if not seen:
        wrong.append(f"{source}: no source files found")
    print("\n".join(wrong) if wrong else f"{seen} files, all arrows run the right way")
    return not wrong


def self_test():
    assert wrong_arrow("runtime", "llvm/IR/Module.h")
    assert wrong_arrow("devices", "isl/set.h")
    assert wrong_arrow("tools", "clang/Basic/Version.h")
    assert wrong_arrow("devices", "runtime/schedule/queue.h")
    assert wrong_arrow("runtime", "codegen/device_compiler.h")
    assert wrong_arrow("abi", "devices/device.h")
    assert wrong_arrow("model", "llvm/IR/Module.h")
    assert wrong_arrow("runtime", "model/kernel.h")
    assert wrong_arrow("tools", "isl/set.h")
    assert wrong_arrow("codegen", "isl/set.h")
    assert not wrong_arrow("model", "isl/cpp.h")
    assert not wrong_arrow("tools", "model/text.h")
    assert not wrong_arrow("runtime", "devices/device.h")
    assert not wrong_arrow("codegen", "llvm/IR/Module.h")
    assert not wrong_arrow("driver", "driver/options.h")
    assert not wrong_arrow("support", "vector")
    assert wrong_arrow("libraries", "runtime/schedule/queue.h")
    assert wrong_arrow("runtime", "libraries/support/log.h")
    assert asked_elsewhere("runtime/plan/a.cpp", "facts().host_reaches_memory ? 1 : 0")
    assert not asked_elsewhere("devices/summary.cpp", "host_reaches_memory")
    assert not asked_elsewhere("runtime/plan/a.cpp", "host_reaches_memory_too")
    found = INCLUDE.findall('#include <a>\n  # include "b/c.h"\n// #include <d>\nint x;')
    assert found == ["a", "b/c.h"], found
    return True


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(0 if (self_test() if sys.argv[1] == "--self-test" else check(sys.argv[1])) else 1)
