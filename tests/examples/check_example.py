#!/usr/bin/env python3
"""Compiles one example with gridcc and tries it.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    check_example.py GRIDCC EXAMPLE.cu WORK_FOLDER

The example must pass at sizes that fit no block, in both executors (interpreted with all checks), on several devices, and with
launches as chains and as one kernel; touch memory as its kernels' models say (GRIDSPAN_VERIFY=1); explain itself with --help; answer bad arguments with one line
and exit 1; and fail when its kernel is broken on purpose, which shows that its check checks.
"""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zlib

# Example -> argument lists (1s and primes; the last one also runs in interpret mode), and one edit
# that breaks its kernel.
CASES = {
    "vector_add": (["1 1", "65537 2", "10007 1"], ("a[i] + b[i]", "a[i] - b[i]")),
    "reduction": (
        ["1 1", "100003 2", "1000003 1 1024", "5003 1 1", "99991 1 97", "10007 1 33"],
        ("offset = 16", "offset = 8"),
    ),
    "histogram": (
        ["1 1 1", "1000003 257 2", "100003 12288 1", "10007 20011 1", "10007 13 1"],
        ("atomicAdd(&mine[keys[i]], 1u)", "atomicAdd(&mine[keys[i]], 2u)"),
    ),
    "transpose": (
        ["1 1 1", "1 1009 1", "1009 1 1", "521 257 2", "97 131 1"],
        ("tile[threadIdx.x][threadIdx.y + dy]", "tile[threadIdx.y + dy][threadIdx.x]"),
    ),
    "matmul": (
        ["1 1 1 1", "1 257 31 1", "127 1 61 1", "127 113 1 1", "131 149 97 2", "37 29 41 1"],
        ("sum += tile_a[y][i] * tile_b[i][x]", "sum += tile_a[y][i] * tile_b[x][i]"),
    ),
    "black_scholes": (["1 1", "100003 2", "10007 1"], ("normcdff(-d2)", "normcdff(d2)")),
    "floyd_warshall": (["1", "2", "257", "61"], ("distance[size_t(k) * n + to]", "1")),
    "fdtd2d": (
        ["1 1 1", "1 67 3", "67 1 3", "2 2 5", "257 263 60", "61 37 10"],
        ("ex[i + 1] - ex[i]", "ex[i] - ex[i]"),
    ),
    "nbody": (["1 1", "2 3", "1021 5", "131 2"], ("ay += dy * pull", "ay += dx * pull")),
    "cg": (["1", "2 3", "37", "131 9", "61 7"], ("add(x > 0, cell - 1, -1)", "add(x > 0, cell - 1, -2)")),
    "hotspot": (
        ["1 1 1", "1 97 7", "97 1 7", "257 263 60", "67 41 5"],
        ("tile[ty - 1][tx] +", "tile[ty + 1][tx] +"),
    ),
}

LIBRARIES = {"cg": ["-lcublas", "-lcusparse"]}

BAD_ARGUMENTS = [["0"], ["-5"], ["x"], ["7x"], [""], ["1e3"], ["99999999999999999999"], ["1"] * 9,
                 ["--fast"]]


def run(command, executor="regions", **variables):
    environment = dict(os.environ, GRIDSPAN_CPU=executor, **variables)
    return subprocess.run(["timeout", "-k", "2", "240", *command], capture_output=True, text=True, env=environment,
                          stdin=subprocess.DEVNULL)


def without_times(text):
    return re.sub(r"^.*\d ms\b.*\n", "", text, flags=re.MULTILINE)


def require(condition, what, result=None):
    if condition:
        return
    print(f"FAILED: {what}")
    if result:
        print(f"exit {result.returncode}\n{result.stdout}\n{result.stderr}")
    sys.exit(1)


def compile_example(gridcc, source, program):
    libraries = LIBRARIES.get(source.stem.removeprefix("broken_"), [])
    result = run([gridcc, "-O2", str(source), "-o", str(program), *libraries])
    require(result.returncode == 0, f"compile {source}", result)
    require(not result.stderr, f"compiling {source} says something", result)


def check_png(path, width, height):
    """A complete PNG of one byte a pixel: right checksums, right size, more than one colour."""
    data = path.read_bytes()
    require(data[:8] == b"\x89PNG\r\n\x1a\n", "PNG signature")
    chunks, at = {}, 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        (checksum,) = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
        require(zlib.crc32(kind + body) == checksum, f"PNG checksum of {kind}")
        chunks[kind] = body
        at += 12 + size
    require(struct.unpack(">II", chunks[b"IHDR"][:8]) == (width, height), "PNG size")
    rows = zlib.decompress(chunks[b"IDAT"])
    require(len(rows) == (width + 1) * height, "PNG pixels")
    pixels = [rows[y * (width + 1) + 1:(y + 1) * (width + 1)] for y in range(height)]
    used = set(b"".join(pixels))
    require(min(used) == 0 and max(used) == 255 and len(used) > 30, f"PNG colours: {sorted(used)}")


def main():
    gridcc, source, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    require(source.stem in CASES, f"no cases for {source.name}: add them here")
    arguments, (right, wrong) = CASES[source.stem]
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    program = work / source.stem
    compile_example(gridcc, source, program)

    executors = [(case.split(), "regions") for case in arguments]
    executors.append((arguments[-1].split(), "interpret"))
    for case, executor in executors:
        result = run([program, *case], executor, **({"GRIDSPAN_CHECK": "all"} if executor == "interpret" else {}))
        what = f"{source.stem} {' '.join(case)} ({executor})"
        require(result.returncode == 0 and result.stdout.endswith("PASS\n"), what, result)
        require(not result.stderr, f"{what} writes to stderr", result)

    for case in arguments:
        result = run([program, *case.split()], GRIDSPAN_VERIFY="1")
        what = f"verified {source.stem} {case}"
        require(result.returncode == 0 and result.stdout.endswith("PASS\n"), what, result)
        require(re.fullmatch(r"gridspan verify: \d+ launch(es)?, [1-9]\d* sets?, 0 differences.*\n",
                             result.stderr), what, result)

    for case in arguments:
        for devices in (2, 3, 4, 7):
            result = run([program, *case.split()], GRIDSPAN_DEVICES=f"cpu:{devices}x1")
            what = f"{source.stem} {case} on {devices} devices"
            require(result.returncode == 0 and result.stdout.endswith("PASS\n"), what, result)

    together = 0
    for case in arguments:
        wanted = run([program, *case.split()], GRIDSPAN_FUSE="off").stdout
        for mode, devices in (("now", "cpu"), ("check", "cpu"), ("now", "cpu:3x1")):
            log = work / "log"
            result = run([program, *case.split()], GRIDSPAN_FUSE=mode, GRIDSPAN_DEVICES=devices, GRIDSPAN_LOG=f"info:{log}",
                         XDG_CACHE_HOME=str(work))
            what = f"{source.stem} {case} on {devices} with GRIDSPAN_FUSE={mode}"
            require(result.returncode == 0 and without_times(result.stdout) == without_times(wanted), what, result)
            together += sum(map(int, re.findall(r"fuse: (?:chained|fused)_launches (\d+)$", log.read_text(), re.MULTILINE)))
    require(together > 0, f"no launches of {source.stem} became a chain or one kernel")

    result = run([program, "--help"])
    require(result.returncode == 0 and result.stdout.startswith(f"usage: {source.stem}"), "--help",
            result)
    for bad in BAD_ARGUMENTS:
        result = run([program, *bad])
        require(result.returncode == 1 and not result.stdout, f"arguments {bad}", result)
        require(result.stderr.count("\n") == 1, f"one line for arguments {bad}", result)

    if source.stem == "hotspot":
        picture = work / "hotspot.png"
        result = run([program, "211", "307", "40", "--png", str(picture)])
        require(result.returncode == 0, "hotspot --png", result)
        check_png(picture, 307, 211)
        result = run([program, "9", "9", "1", "--png", str(work / "no" / "such.png")])
        require(result.returncode == 1 and "cannot write" in result.stderr, "bad --png", result)

    text = source.read_text()
    require(text.count(right) == 1, f"'{right}' stands once in {source.name}")
    broken = work / f"broken_{source.stem}"
    broken.with_suffix(".cu").write_text(text.replace(right, wrong))
    compile_example(gridcc, broken.with_suffix(".cu"), broken)
    result = run([broken, *arguments[-1].split()])
    require(result.returncode == 1 and "are wrong" in result.stderr, "the broken kernel is noticed",
            result)
    print(f"{len(executors)} runs passed")


if __name__ == "__main__":
    main()
