#!/usr/bin/env python3
"""Records programs and replays them, end to end.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    record_test.py round-trip BIN WORK PROGRAM [ARGUMENTS]   on one device and on several
    record_test.py same BIN WORK PROGRAM [ARGUMENTS]         on one device, then on others
    record_test.py CHECK BIN WORK GRIDSPAN_PROGRAMS          one of the checks below

GRIDSPAN_PROGRAMS is the folder with the compiled programs of this folder.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

TIMEOUT = 100
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GRIDSPAN_")}


class Place:
    """A folder to work in, and gridspan."""

    def __init__(self, bin_folder, work):
        self.gridspan = pathlib.Path(bin_folder) / "gridspan"
        self.work = pathlib.Path(work)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    def __call__(self, *words, devices=None):
        environment = {**CLEAN, "GRIDSPAN_DEVICES": devices} if devices else CLEAN
        return subprocess.run(
            ["timeout", "-k", "2", str(TIMEOUT), str(self.gridspan), *map(str, words)],
            cwd=self.work,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
        )

    def path(self, name):
        return self.work / name


def expect(condition, *what):
    if not condition:
        print(*[f"{w.args}: {w.returncode}\n{w.stdout}{w.stderr}" if hasattr(w, "args") else w for w in what])
        sys.exit(1)


def one_error(result, *words):
    """It failed with one line on standard error that has these words."""
    lines = result.stderr.splitlines()
    expect(result.returncode == 1 and len(lines) == 1, "not one line:", result)
    expect(lines[0].startswith("gridspan: error: "), result)
    for word in words:
        expect(word in lines[0], f"no '{word}' in", result)


def round_trip(gridspan, program, *arguments):
    for devices, others in (("cpu", ("cpu", "cpu:3x1", "cpu:7x1")), ("cpu:3x1", ("cpu:2x1", "cpu"))):
        made = gridspan("record", "--data", "-o", "a.record", "--", program, *arguments, devices=devices)
        expect(made.returncode == 0, made)
        shown = gridspan("replay", "--print", "a.record")
        expect(shown.returncode == 0 and shown.stdout.endswith("the program ended\n"), shown)
        planned = gridspan("replay", "a.record")
        expect(planned.returncode == 0, planned)
        if devices != "cpu":
            expect("all launches are planned as they were" in planned.stdout, planned)
        for setting in others:
            ran = gridspan("replay", "--run", "--devices", setting, "a.record")
            expect(ran.returncode == 0, f"on {setting}:", ran)
            expect(re.search(r"brought the recorded bytes", ran.stdout), ran)


def same(gridspan, program, *arguments):
    """Recorded on one device: on several, each copy to the host brings the same bytes."""
    made = gridspan("record", "--data", "-o", "a.record", "--", program, *arguments, devices="cpu:1x1")
    expect(made.returncode == 0, made)
    for count in (1, 2, 3, 4, 7):
        ran = gridspan("replay", "--run", "--devices", f"cpu:{count}x1", "a.record")
        expect(ran.returncode == 0, f"on {count}:", ran)
        expect(re.search(r"brought the recorded bytes", ran.stdout), ran)
    gridspan.path("a.record").unlink()


def printed(gridspan, programs):
    """One line for each kind of call and command, and JSON that says the same."""
    made = gridspan("record", "--data", programs / "everything", devices="cpu:3x1")
    expect(made.returncode == 0 and "recorded in gridspan.record" in made.stderr, made)
    text = gridspan("replay", "--print").stdout
    for pattern in (
        r"recording of .*everything",
        r"GRIDSPAN_DEVICES=cpu:3x1",
        r"on 3 devices, with contents of memory",
        r"kernel apply\(int const\*, int\*, int\)",
        r"variable offset, 4 bytes",
        r"cudaMalloc\(pointer=\[0x[0-9a-f]+\], size=4000\) = cudaSuccess",
        r"cudaMemcpyToSymbol\(symbol=0x[0-9a-f]+, source=.*, kind=HostToDevice\) = cudaSuccess  -> #\d+",
        r"cudaLaunchKernel\(.*grid=\(4, 1, 1\), block=\(256, 1, 1\)",
        r"cudaEventRecord\(",
        r"#\d+ +launch apply\(0x[0-9a-f]+, 0x[0-9a-f]+, 1000\) grid \(4, 1, 1\) block \(256, 1, 1\)",
        r"#\d+ +fill 4000 bytes at 0x[0-9a-f]+ with 0",
        r"#\d+ +copy 4000 bytes from 0x[0-9a-f]+ \(host\) to 0x[0-9a-f]+$",
        r"#\d+ +copy 2000 bytes in 50 rows from 0x[0-9a-f]+ to 0x[0-9a-f]+ \(host\)",
        r"#\d+ +event 0x",
        r"#\d+ +plan \d+: exact, 3 parts along x",
        r"#\d+ +plan \d+: one_device, 1 part: goes through a pointer loaded from memory",
        r"device 1: \(2, 1, 1\) blocks from \(1, 0, 0\)",
        r"reads \[\d+\.\.\d+\]",
        r"writes \[\d+\.\.\d+\]",
        r"moved .*bytes to the host",
        r"memory 0x[0-9a-f]+, 4096 bytes, managed",
        r"contents of 0x[0-9a-f]+, 4096 bytes",
        r"is gone",
        r"the program ended",
    ):
        expect(re.search(pattern, text, re.M), f"no line like {pattern} in\n{text}")
    records = json.loads(gridspan("replay", "--json").stdout)
    kinds = {record["kind"] for record in records}
    expect(kinds >= {"header", "module", "call", "memory", "image", "chunk", "contents", "launch",
                     "copy", "memory", "fill", "event", "plan", "planned", "passed", "digest", "end"}, kinds)
    calls = [record for record in records if record["kind"] == "call"]
    in_text = re.findall(r"^ *[\d.]+ \d+  (cuda\w+)\(", text, re.M)
    expect([call["name"] for call in calls] == in_text, "JSON and text differ")
    launches = [record for record in records if record["kind"] == "launch"]
    expect([launch["grid"]["x"] for launch in launches] == [4, 4, 1], launches)


def statuses(gridspan, programs):
    """The exit status is the program's, and a crash leaves what was done until then."""
    expect(gridspan("record", programs / "clock").returncode == 7)
    for number in (signal.SIGSEGV, signal.SIGKILL):
        made = gridspan("record", "--", programs / "crash", int(number))
        expect(made.returncode == -number, made)
        shown = gridspan("replay", "--print")
        expect(shown.returncode == 0 and "cudaDeviceSynchronize() = cudaSuccess" in shown.stdout, shown)
        expect("the program ended" not in shown.stdout, shown)
        planned = gridspan("replay", "--devices", "cpu:4x1")
        expect(planned.returncode == 0 and re.search(r"launches exact +- +1", planned.stdout), planned)
    failed = gridspan("record", "--data", programs / "crash", 0, "kernel")
    expect(failed.returncode == 9, failed)
    shown = gridspan("replay", "--print").stdout
    expect(re.search(r"^#\d+ +FAILED: illegal address$", shown, re.M), shown)
    expect("cudaDeviceSynchronize() = cudaErrorIllegalAddress" in shown, shown)
    again = gridspan("replay", "--run")
    expect(again.returncode == 0 and "illegal address" in again.stderr, again)
    nothing = gridspan("record", "-o", "none.record", programs / "plain")
    expect(nothing.returncode == 3 and "made no CUDA call" in nothing.stderr, nothing)
    expect(not gridspan.path("none.record").exists())
    both = gridspan("record", "-o", "n.%p", "sh", "-c", f"{programs}/clock; {programs}/everything")
    expect(both.returncode == 0 and len(list(gridspan.work.glob("n.*"))) == 2, both)
    words = gridspan("record", "sh", "-c", 'printf "%s|" "$@"', "sh", "-o", "--", "x y")
    expect(words.stdout == "-o|--|x y|", words)


def difference(gridspan, programs):
    """--run finds what is not as it was, and says where."""
    expect(gridspan("record", "--data", programs / "clock").returncode == 7)
    ran = gridspan("replay", "--run")
    expect(ran.returncode == 1, ran)
    # Element 100 of the buffer lies at its byte 800: in bytes 512..767 of the copy, which begins at 64.
    place = r"bytes 512 to 767 are not all as recorded\. They begin at offset 576 of buffer 0x[0-9a-f]+"
    expect(re.search(r"command #3 copies 4032 bytes to the host; of these, " + place, ran.stdout), ran)


def errors(gridspan, programs):
    """One clear line for whatever is wrong."""
    expect(gridspan("record", "--data", "-o", "a.record", programs / "everything").returncode == 0)
    whole = gridspan.path("a.record").read_bytes()
    one_error(gridspan("replay", "nowhere.record"), "nowhere.record: cannot be read: No such file")
    for words in (["--print"], ["--json"], ["--fuse"], ["--fuse", "--json"], []):
        gridspan.path("cut.record").write_bytes(whole[: len(whole) - 5])
        one_error(gridspan("replay", *words, "cut.record"), f"cut.record: is cut off at offset {len(whole) - 16}")
        gridspan.path("bad.record").write_bytes(whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:])
        one_error(gridspan("replay", *words, "bad.record"), "bad.record: is damaged at offset ")
        gridspan.path("other.record").write_bytes(b"\x7fELF and so on and on and on")
        one_error(gridspan("replay", *words, "other.record"), "other.record: is no recording")
        gridspan.path("empty.record").write_bytes(b"")
        one_error(gridspan("replay", *words, "empty.record"), "empty.record: is no recording")
    one_error(gridspan("replay", "--program", programs / "clock", "a.record"), "another build")
    one_error(gridspan("replay", "--program", "/bin/true", "a.record"), "another build")
    one_error(gridspan("replay", "--program", "/nowhere/x", "a.record"), "'/nowhere/x' cannot be run")
    one_error(gridspan("replay", "--fuse", "--program", "/nowhere/x", "a.record"), "'/nowhere/x' cannot be run")
    one_error(gridspan("replay", "--fuse", "--program", programs / "clock", "a.record"), "another build")
    one_error(gridspan("replay", "--fuse", "--run", "a.record"), "--fuse goes without")
    expect(gridspan("replay", "--fuse", "a.record").returncode == 0)
    one_error(gridspan("replay", "--devices", "gpu:9", "a.record"), "--devices gpu:9: ")
    one_error(gridspan("record"), "which program?")
    one_error(gridspan("record", "--fast", "x"), "unknown option --fast")
    one_error(gridspan("record", "/nowhere/x"), "/nowhere/x: No such file")
    expect(gridspan("record", "-o", "b.record", programs / "everything").returncode == 0)
    one_error(gridspan("replay", "--run", "b.record"), "gridspan record --data")
    unwritable = gridspan("record", "-o", "/nowhere/b.record", programs / "everything")
    expect(unwritable.returncode == 1, unwritable)
    expect("gridspan: error: GRIDSPAN_RECORD: cannot write '/nowhere/b.record'" in unwritable.stderr, unwritable)
    moved = gridspan.path("moved")
    shutil.copy(programs / "everything", moved)
    expect(gridspan("replay", "--program", moved, "b.record").returncode == 0)


def kept(gridspan, programs):
    """A replay's own recording is one like any other."""
    expect(gridspan("record", programs / "everything").returncode == 0)
    planned = gridspan("replay", "--devices", "cpu:4x1", "-o", "four.record")
    expect(planned.returncode == 0, planned)
    text = gridspan("replay", "--print", "four.record").stdout
    expect("4 parts along x" in text, text)
    # Planned on four devices as it runs there: the program itself, recorded there, says the same.
    real = gridspan("record", "-o", "real.record", programs / "everything", devices="cpu:4x1")
    expect(real.returncode == 0, real)
    summary = lambda name: [
        re.sub(r"0x[0-9a-f]+|plan \d+", "", line)
        for line in gridspan("replay", "--print", name).stdout.splitlines()
        if re.match(r"#\d+ +(plan|moved)", line)
    ]
    expect(summary("four.record") == summary("real.record"), summary("four.record"), summary("real.record"))


def help_teaches(gridspan, _):
    for command in ("record", "replay"):
        text = gridspan(command, "--help").stdout
        expect(f"gridspan {command}" in text and "hotspot" in text, text)
    expect("GRIDSPAN_RECORD=FILE" in gridspan("--help").stdout)
    expect("gridspan replay --fuse hotspot.record" in gridspan("replay", "--help").stdout)


# Sequences of fusion.cu at n elements: launches, bytes as they are, as kernels, as chains; ends of
# windows; words that the text must have.
FUSED = {
    "axpydot": (3, 28, 16, 28, 8, {"cudaDeviceSynchronize": 1},
                [r"one kernel: duplicate \+ axpy_in_place \+ dot: \d+ -> \d+ bytes$",
                 r"no chain: .*'dot\(.* has atomic updates whose order shows \(.*fusion\.cu:\d+\)$"]),
    "axpydot_freed": (3, 28, 12, 28, 8, {"memory is given back": 1}, [r"need not be written: freed"]),
    "vadd": (2, 24, 20, 20, 0, {"cudaDeviceSynchronize": 1}, [r"one kernel: 2 add"]),
    "vadd_freed": (2, 24, 16, 20, 0, {"memory is given back": 1}, [r"'z' need not be written: freed"]),
    "madd": (2, 20, 12, 12, 0, {"cudaDeviceSynchronize": 1}, []),
    "stream_order": (3, 24, 12, 16, 0, {"cudaDeviceSynchronize": 1}, [r"one kernel: 3 duplicate"]),
}


def fusion_of(gridspan, programs, name, n):
    """What replay --fuse says of a sequence: as JSON, and as text."""
    made = gridspan("record", "-o", f"{name}.record", programs / "fusion", name, n, devices="cpu:1x2")
    expect(made.returncode == 0 and "no error" in made.stdout, made)
    told = gridspan("replay", "--fuse", "--json", f"{name}.record")
    text = gridspan("replay", "--fuse", f"{name}.record")
    expect(told.returncode == 0 and text.returncode == 0 and not told.stderr + text.stderr, told, text)
    return json.loads(told.stdout), text.stdout


def bytes_of(totals):
    return [totals[way] for way in ("apart_bytes", "glued_bytes", "chained_bytes")]


def fused_bytes(gridspan, programs):
    """Bytes of sequences as the formulas say, at sizes that do and do not fill their blocks."""
    for n in (1, 255, 256, 257, 10007):
        for name, (launches, apart, glued, chained, more, ends, words) in FUSED.items():
            found, text = fusion_of(gridspan, programs, name, n)
            totals = found["totals"]
            expect(totals["launches"] == launches and totals["is_exact"], name, n, totals)
            expect(totals["launches_in_kernels"] == launches and totals["kernels"] == 1, name, n, totals)
            # With one block, nothing can be put into another order.
            is_chained = totals["chains"] == 1
            expect(is_chained or n < 257 or chained == apart, name, n, text)
            expected = [apart * n + more, glued * n + more, (chained if is_chained else apart) * n + more]
            expect(bytes_of(totals) == expected, name, n, expected, totals)
            expect(found["ends"] == ends, name, found["ends"])
            for word in words:
                expect(re.search(word, text, re.M), f"no '{word}' in", text)


def fused_kinds(gridspan, programs):
    """What must not be fused, and why; what copies, fills, frees, graphs and sizes change."""
    n = 10007
    found, text = fusion_of(gridspan, programs, "jacobi", n)
    # Inner elements are written, two neighbours more are read. Both arrays stay.
    expect(bytes_of(found["totals"]) == [10 * (8 * n - 8), 10 * (8 * n - 8), 12 * n - 8], found["totals"])
    expect(found["totals"]["launches_in_chains"] == 10 and found["totals"]["kernels"] == 0, found["totals"])
    expect(re.search(r"not one kernel, 5 times: block \(\d+, 0, 0\) of 'relax' writes bytes of 'from' "
                     r"\(.*fusion\.cu:\d+\) that block \(\d+, 0, 0\) of 'relax' reads", text), text)
    expect(re.search(r"^  \.\.\. 10 times$", text, re.M), text)

    found, text = fusion_of(gridspan, programs, "srad", n)
    sequence, = found["sequences"]
    expect(sequence["count"] == 3 and found["ends"] == {"cudaDeviceSynchronize": 3}, found)
    # c: n - 1, the image: n, n - 2 of it in place.
    chain = 4 * n + 4 * (n - 1) + 4 * (n - 2)
    expect(bytes_of(found["totals"])[2] == 3 * chain and "of 'diffuse' writes bytes of 'image'" in text, text)

    found, text = fusion_of(gridspan, programs, "axpydot_copy", n)
    # The fill of the sum has no block to go to, and can run first.
    expect(bytes_of(found["totals"]) == [28 * n + 12, 16 * n + 12, 28 * n + 12], found["totals"])
    expect("one kernel: copy + axpy_in_place + dot, behind the fill: " in text, text)
    expect("that the fill writes" in text, text)
    expect(re.search(r"no chain: .*'dot\(.* has atomic updates whose order shows", text), text)

    # t, w and y once; z and x written.
    found, text = fusion_of(gridspan, programs, "copy_between", n)
    expect(bytes_of(found["totals"])[0::2] == [32 * n, 20 * n], found["totals"])
    expect(found["totals"]["chains"] == 1 and found["totals"]["launches_in_chains"] == 2, found["totals"])
    expect(re.search(r"one chain: 320224 -> 200140 bytes at best\n +here: ", text), text)
    found, text = fusion_of(gridspan, programs, "rows_between", n)
    expect(found["totals"]["chains"] == 0 and "no chain: a copy of rows that lie apart, or overlap" in text, text)

    found, text = fusion_of(gridspan, programs, "ratio", n)
    expect(bytes_of(found["totals"]) == [32 * n, 24 * n, 16 * n], found["totals"])
    expect("'add' has (10, 1, 1) blocks of (1024, 1, 1) threads, 'add' has (105, 1, 1) blocks of (96, 1, 1)" in text, text)

    found, text = fusion_of(gridspan, programs, "all_but_one", n)
    # The element that is not made is read from memory.
    expect(bytes_of(found["totals"])[:2] == [16 * n - 8, 8 * n], found["totals"])

    for name, kept in (("again", 0), ("again_but_one", 1)):
        found, text = fusion_of(gridspan, programs, name, 10240)
        kernel, = found["sequences"][0]["groups"][0]["kernels"]
        # Blocks of 128: half as many threads; they read the first half of what the fill covers then.
        half = 10240 // 2
        expect(kernel["bytes"] == 8 * 10240 + 4 * 10240 - 4 * (10240 - half) + 4 * kept, name, kernel)
        expect(kernel["dead"] == [{"array": "to", "why": "written again", "bytes": 4 * (10240 - half - kept)}], kernel)

    found, text = fusion_of(gridspan, programs, "sums", 1000)
    expect(found["totals"]["kernels"] == 0 and "read different parts of what both read" in text, text)
    expect(bytes_of(found["totals"])[1] == 8 * 1000 * 1000 + 8 * 1000, found["totals"])

    found, text = fusion_of(gridspan, programs, "graph", n)
    sequence, = found["sequences"]
    expect(sequence["is_graph"] and sequence["count"] == 3, sequence)
    expect(found["ends"] == {"a graph launch ends": 2, "cudaStreamSynchronize": 1}, found["ends"])
    expect(bytes_of(found["totals"]) == [60 * n, 24 * n, 24 * n], found["totals"])

    # The replay's own recording is one like any other.
    expect(gridspan("replay", "--fuse", "-o", "fused.record", "graph.record").returncode == 0)
    shown = gridspan("replay", "--print", "fused.record").stdout
    expect(re.search(r"^forecast 0: duplicate add_in_place, 1 group$", shown, re.M), shown)
    expect(len(re.findall(r"^window of #\d+ to #\d+, forecast 0, ended by ", shown, re.M)) == 3, shown)

    found, text = fusion_of(gridspan, programs, "between", n)
    expect(found["ends"] == {reason: 1 for reason in (
        "64 launches", "a copy from the host", "a copy to the host", "an event that takes a time",
        "cudaDeviceSynchronize", "cudaEventQuery", "cudaLaunchHostFunc", "cudaStreamSynchronize",
        "cudaStreamWaitEvent", "memory is given back", "work on another stream")}, found["ends"])
    totals = found["totals"]
    expect((totals["launches"], totals["windows"], totals["groups"]) == (82, 11, 4), totals)
    expect(re.search(r"in no group: kernel 'print\(.*\)' prints \(.*fusion\.cu:\d+\)", text), text)


CHECKS = {
    "fused_bytes": fused_bytes,
    "fused_kinds": fused_kinds,
    "printed": printed,
    "statuses": statuses,
    "difference": difference,
    "errors": errors,
    "kept": kept,
    "help": help_teaches,
}


def main():
    check, bin_folder, work, *rest = sys.argv[1:]
    place = Place(bin_folder, work)
    if check == "round-trip":
        round_trip(place, *rest)
    elif check == "same":
        same(place, *rest)
    else:
        CHECKS[check](place, pathlib.Path(rest[0]))


if __name__ == "__main__":
    main()
