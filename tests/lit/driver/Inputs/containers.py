"""Writes object files with good and damaged containers (src/abi/container.h) into the current folder.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import pathlib
import struct
import subprocess

ABI = (pathlib.Path(__file__).parents[4] / "src/abi/launch.h").read_text()
VERSION = int(ABI.split(" version = ")[1].split(";")[0])  # abi::version
HEADER = "<8sIIQQQ"
ENTRY = "<IIQQ"
FACTS = {"source": "made.cu", "kernels": [
    {"name": "plain_name", "file": "made.cu", "line": 7, "executor": "fibers",
     "reason": "made.cu:9: barrier in a recursive function", "regions": 0, "block_barriers": 2,
     "warp_operations": 1, "static_shared": 48, "frame_bytes": 16, "parameters": 3}]}


def container(payload, version=VERSION, total=None, size=None):
    begin = struct.calcsize(HEADER) + struct.calcsize(ENTRY)
    body = payload + b"\0" * (-(begin + len(payload)) % 16)
    entry = struct.pack(ENTRY, 2, 1, begin, len(payload) if size is None else size)
    whole = begin + len(body)
    header = struct.pack(HEADER, b"GRIDSPC\0", version, 1, whole if total is None else total, 1, 2)
    return header + entry + body


def write(name, content):
    text = '.section .gridspan,"a"\n.p2align 4\n.byte ' + ",".join(str(b) for b in content) + "\n"
    subprocess.run(["clang++-19", "-x", "assembler", "-c", "-", "-o", name], input=text.encode(),
                   check=True)


facts = json.dumps(FACTS).encode()
write("good.o", container(facts) + b"\0" * 32 + container(facts))
write("short.o", container(facts, total=1 << 40))
write("version.o", container(facts, version=99))
write("outside.o", container(facts, size=1 << 62))
write("garbage.o", container(facts) + b"GRIDSPAN but not quite a container")
write("json.o", container(b'{"source": '))
