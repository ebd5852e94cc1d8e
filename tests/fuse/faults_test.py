#!/usr/bin/env python3
"""What goes wrong while launches become one kernel, or may: results stay right, or errors are told; nothing hangs.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    faults_test.py errors | ends | objects | forks | compiler | differences | cache | counts | registers BUILD PROGRAM     the program is that of faults/
    faults_test.py driver BUILD PROGRAM LIVES CALL...       calls of the fake driver fail, once or from then on; LIVES: of lives.cu

Settings are the CPU with one and three threads, and the fake driver's GPU (tests/devices/fake_cuda), for `driver` also two.
"""

import fcntl
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from settings import count_of, counts, environment, on_gpu, run, shown

wrong = []


def expect(condition, what, text):
    if not condition:
        wrong.append(f"{what}\n{text}")
    return condition


def cpu(threads, mode, **more):
    return {"GRIDSPAN_THREADS": str(threads), "GRIDSPAN_FUSE": mode, **more}


def gpu(build, mode):
    return {**on_gpu(build), "GRIDSPAN_FUSE": mode}


# --- kernels that fail

SCALE = "scale(unsigned int*, unsigned int const*, unsigned int, int)"
ADD = "add(unsigned int*, unsigned int const*, unsigned int const*, int)"
SMOOTH = "smooth(unsigned int*, unsigned int const*, int)"
ASSERTS, TRAPS = "asserts(unsigned int*, unsigned int const*, int, int)", "traps(unsigned int*, unsigned int const*, int, int)"
ADDRESS, ASSERT, TRAP = "cudaErrorIllegalAddress", "cudaErrorAssert", "cudaErrorLaunchFailure"
ADDRESS_TOLD = r"\[\d+,0,0\].*: (illegal address 0x|write of 4 bytes at 0x)[0-9a-f]+\b"
# Case: the error, the kernel that the program launched, and what else is told of it (a regular expression).
FAULTS = {
    "null_first": (ADDRESS, SCALE, ADDRESS_TOLD),
    "null_second": (ADDRESS, ADD, ADDRESS_TOLD),
    "chain_first": (ADDRESS, SCALE, ADDRESS_TOLD),
    "chain_second": (ADDRESS, SMOOTH, ADDRESS_TOLD),
    "assert_first": (ASSERT, ASSERTS, r"block \[15,0,0\], thread \[40,0,0\]: assertion `i != where` failed"),
    "assert_second": (ASSERT, ASSERTS, r"block \[15,0,0\], thread \[40,0,0\]: assertion `i != where` failed"),
    "trap_first": (TRAP, TRAPS, r"block \[15,0,0\], thread \[40,0,0\]: trap"),
    "trap_second": (TRAP, TRAPS, r"block \[15,0,0\], thread \[40,0,0\]: trap"),
}


def test_errors(build, program, cache):
    line = line_of("main.cu", "  assert(i != where);")
    settings = [cpu(3, "now"), cpu(1, "now"), cpu(3, "now:without-kernels"), cpu(3, "check"), cpu(3, "off"),
                cpu(3, "now", GRIDSPAN_CPU="interpret")]
    for case, (error, kernel, told) in FAULTS.items():
        for variables in settings + [gpu(build, mode) for mode in ("now", "check", "off")]:
            status, text = run([program, case], cache, variables)
            what = f"{case}: exit {status}: {shown(variables)}"
            said = dict(re.findall(r"^(error|stays|later|copy) (\w+)$", text, re.MULTILINE))
            expect(status == 0 and set(said.values()) == {error} and len(said) == 4, what, text)
            # The one line that names it; a driver says of its GPU only which kernels may have done it.
            lines = [one for one in text.splitlines() if re.match(r"(gridspan: )?((?!fake_cuda)\S+: )?error: ", one)]
            if not expect(len(lines) == 1, f"{what}: {len(lines)} lines", text):
                continue
            if case in ("null_first", "null_second") and variables["GRIDSPAN_FUSE"] == "now" and "GRIDSPAN_CPU" not in variables:
                expect(counts(text) == (1, 2), f"{what}: {counts(text)}: not one kernel", text)
            if variables["GRIDSPAN_FUSE"] == "check":
                expect(count_of(text, "unchecked_launches") == 0, f"{what}: not all was compared", text)
            if "GRIDSPAN_DEVICES" in variables:
                expect(kernel in lines[0], f"{what}: {kernel} is not named", text)
                continue
            expect(f"kernel '{kernel}'," in lines[0] and re.search(told, lines[0]), f"{what}: another kernel or block", text)
            if error == ASSERT:
                expect(f"main.cu:{line}:" in lines[0], f"{what}: another line", text)
            elif error == ADDRESS and "GRIDSPAN_CPU" in variables:
                expect(re.match(r"(gridspan: )?\S*main.cu:\d+:\d+: error: ", lines[0]), f"{what}: no line", text)
            if case == "chain_second" and variables == settings[2]:
                expect("fuse: chained_launches 2" in text, f"{what}: no chain", text)


# --- how programs end, and what they lack

# Case: its exit status; with `now`, kernels that were made of several, and launches in them, at least.
ENDS = {
    "end_of_main": (0, 0, 0),
    "exits": (5, 0, 0),
    "exits_at_once": (6, 0, 0),
    "exits_on_thread": (7, 0, 0),
    "exits_in_host_function": (8, 2, 10),
    "resets": (0, 6, 44),
    "unloads": (0, 1, 8),
    "spins": (0, 30, 60),
    "spins_on_results": (0, 0, 0),
    "no_memory": (0, 2, 4),
    "forks": (0, 4, 8),
    "child_goes_on": (0, 0, 0),
}


def check_left(case, text, variables, what):
    """Ten launches are left, queued or held, and done when the program's destructors look at what they have made."""
    if case in ("end_of_main", "exits"):
        left = count_of(text, "left_at_exit")
        # A GPU's are held for long enough only with `now`.
        if "GRIDSPAN_DEVICES" not in variables or variables["GRIDSPAN_FUSE"] == "now":
            expect(left >= 10 and counts(text) == (0, 0), f"{what}: {left} commands are left, {counts(text)}", text)
        expect("right at the end\n" in text and "freed at the end\n" in text, f"{what}: not right at the end", text)
    if case == "exits_on_thread" and variables["GRIDSPAN_FUSE"] == "now":
        expect(counts(text)[1] + count_of(text, "left_at_exit") >= 8, f"{what}: none are one kernel, and none are left", text)


def test_end(case, program, cache, variables):
    """Its exit status and output, once."""
    want, kernels, launches = ENDS[case]
    status, text = run([program, case], cache, variables)
    what = f"{case}: exit {status}, expected {want}: {shown(variables)}"
    expect(status == want, what, text)
    check_left(case, text, variables, what)
    if variables["GRIDSPAN_FUSE"] == "now":
        expect(counts(text)[0] >= kernels and counts(text)[1] >= launches, f"{what}: {counts(text)}, expected {kernels, launches}", text)
        if "GRIDSPAN_DEVICES" in variables and case != "exits_at_once":
            expect(count_of(text, "held_launches") > 0, f"{what}: none were held", text)
        if case == "spins_on_results":
            seen = r"'add\(.*\)' gets memory that the host may look at meanwhile \(\S*main.cu:\d+\)$"
            expect(counts(text) == (0, 0) and re.search(seen, text, re.MULTILINE), f"{what}: {counts(text)}, no reason {seen}", text)
    return status == want and "wrong at the end" not in text


def test_ends(build, program, cache):
    settings = [cpu(3, "now"), cpu(1, "now"), cpu(3, "on"), cpu(3, "cached"), cpu(1, "cached"), gpu(build, "now"), gpu(build, "on"),
                gpu(build, "cached")]
    for case in ENDS:
        for variables in settings:
            if case == "child_goes_on" and "GRIDSPAN_DEVICES" in variables:
                continue  # a driver's work is not the child's
            # On a busy machine a program may be slower than launches are held: how many became one kernel is asked again.
            for again in (True, True, False):
                before = len(wrong)
                is_right = test_end(case, program, cache, variables)
                if len(wrong) == before or not is_right or not again:
                    break
                del wrong[before:]


# --- kernels of two objects

def line_of(file, text):
    return 1 + pathlib.Path(__file__).with_name("faults").joinpath(file).read_text().splitlines().index(text)


def test_objects(build, program, cache):
    places = rf"\(\S*pair.cu:{line_of('pair.cu', '__global__ void library_scale(U* y, const U* x, U a, int n) {')}, " \
             rf"\S*main.cu:{line_of('main.cu', '__global__ void add(U* z, const U* x, const U* y, int n) {')}\)$"
    reason = r"not one kernel: \d+: 'library_scale' and 'add' are in different objects \(-rdc=true, and a device link, join them\) " + places
    for variables in (cpu(3, "now:without-chains"), cpu(1, "now:without-chains"), gpu(build, "now")):
        status, text = run([program, "two_objects"], cache, variables)
        what = f"two objects: exit {status}, {counts(text)}: {shown(variables)}"
        expect(status == 0 and counts(text) == (0, 0), what, text)
        expect(re.search(reason, text, re.MULTILINE), f"{what}: no reason {reason}", text)


# --- forks while somebody has a lock

class FullPipe:
    """A log that takes no more lines until it is drained: who writes one stays where it is, locks and all."""

    def __init__(self, folder):
        self.path = folder / "log"
        os.mkfifo(self.path)
        self.end = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.end, fcntl.F_SETPIPE_SZ, 4096)

    def fill(self):
        for size in (512, 1):
            try:
                while True:
                    os.write(self.end, b"." * size)
            except BlockingIOError:
                pass

    def drain(self):
        try:
            while os.read(self.end, 1 << 16):
                pass
        except BlockingIOError:
            pass


def is_writing(process):
    """A thread of it waits for the pipe."""
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        try:
            if "pipe_w" in (task / "wchan").read_text() or (task / "syscall").read_text().startswith("1 "):
                return True
        except OSError:
            continue
    return False


def test_forks(build, program, cache):
    for variables in (cpu(3, "now"), cpu(1, "on"), cpu(3, "cached"), gpu(build, "now"), gpu(build, "cached")):
        with tempfile.TemporaryDirectory() as folder:
            log = FullPipe(pathlib.Path(folder))
            process = subprocess.Popen(
                [program, "forks_on_request"], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env={**environment(cache, variables), "GRIDSPAN_LOG": f"info:{log.path}"})
            text = process.stdout.readline()  # it has started
            log.fill()
            process.stdin.write("go\n")
            process.stdin.flush()
            until = time.monotonic() + 5  # nobody writes if nothing is made one kernel
            while not is_writing(process) and time.monotonic() < until:
                time.sleep(0.01)
            process.stdin.write("fork\n")
            process.stdin.flush()
            # The child ends although its parent's thread is in the middle of a line.
            forked = subprocess.run(["timeout", "20", "head", "-n", "1"], stdin=process.stdout, stdout=subprocess.PIPE, text=True,
                                    check=False).stdout
            expect(forked == "forked\n", f"the child does not end: {shown(variables)}", text + forked)
            while process.poll() is None and time.monotonic() < until + 60:
                log.drain()
                time.sleep(0.01)
            process.kill()
            text += forked + process.stdout.read()
            expect(process.wait() == 0, f"forks on request: exit {process.returncode}: {shown(variables)}", text)
            os.close(log.end)


# --- the compiler that makes kernels

def stand_in(build, folder, script):
    """A tree of Gridspan's whose gridcc is the script; the variable that makes programs use it."""
    for name in ("lib", "bin"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name in ("libgridspan.so", "libgridspan_specialise.so"):
        shutil.copy(build / "lib" / name, folder / "lib" / name)
    gridcc = folder / "bin/gridcc"
    gridcc.write_text(f"#!/bin/bash\necho $$ >> {folder}/started\n{script}\n")
    gridcc.chmod(0o755)
    return folder


def with_library(variables, folder):
    before = variables.get("LD_LIBRARY_PATH", "").split(":")[0]
    return {**variables, "LD_LIBRARY_PATH": ":".join(filter(None, [before, f"{folder}/lib"]))}


def is_alive(pid):
    try:
        return "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False


OTHER_VERSION = """
extern "C" void gridspan_register_module(const void*);
extern "C" __attribute__((visibility("default"))) const struct { unsigned version, reserved; const void* module; }
    gridspan_specialised = {9999, 0, nullptr};
extern "C" __attribute__((visibility("default"))) void* const kept = (void*)&gridspan_register_module;
"""
UNDEFINED = 'extern "C" void gridspan_no_such_function();\nextern "C" void f() { gridspan_no_such_function(); }\n'
# Name: the script of gridcc, what is said of it (a regular expression) or nothing, whether an entry is left in the cache.
# Products are its third word.
COMPILERS = {
    "killed": ("kill -KILL $$", r"info: fuse: .*: \S*gridcc failed: ", False),
    "killed while it writes": ('head -c 1000 /dev/zero > "$2"; kill -KILL $$', r"info: fuse: .*: \S*gridcc failed: ", False),
    "fails": ("echo it is tired; exit 1", r"info: fuse: .*: \S*gridcc failed: it is tired", False),
    "ends at once": ("exit 0", r"info: fuse: .*: \S*gridcc made nothing", False),
    "refuses": ("echo 'not specialised: not today'; exit 1", r"not made one kernel: not today", True),
    "makes what is no library": ('echo hello > "$2"', r"info: fuse: .*: \S*gridcc made what is no library", False),
    "makes half a library": ('head -c 3000 {folder}/version.so > "$2"', r"info: fuse: .*: \S*gridcc made half a library", False),
    "makes another version": ('cp {folder}/version.so "$2"', r"fuse: .*: it is of another version", True),
    "makes what lacks a function": ('cp {folder}/undefined.so "$2"', r"fuse: .*undefined symbol", True),
    "makes another library": ('cp {folder}/lib/libgridspan_specialise.so "$2"', r"fuse: .*: the program must use the shared libgridspan.so", True),
}


def test_compiler(build, program, cache):
    folder = pathlib.Path(cache) / "tree"
    stand_in(build, folder, "exit 1")
    for name, source, libraries in (("version", OTHER_VERSION, [f"-L{folder}/lib", "-lgridspan"]), ("undefined", UNDEFINED, [])):
        (folder / f"{name}.cpp").write_text(source)
        subprocess.run(["c++", "-shared", "-fPIC", folder / f"{name}.cpp", "-o", folder / f"{name}.so", *libraries], check=True)
    for number, (name, (script, said, is_kept)) in enumerate(COMPILERS.items()):
        stand_in(build, folder, script.replace("{folder}", str(folder)))
        for variables in (cpu(3, "now:without-chains"), cpu(1, "on"), gpu(build, "now")):
            variables = with_library(variables, folder)
            own = pathlib.Path(cache) / f"{number}{variables['GRIDSPAN_FUSE']}{variables.get('GRIDSPAN_DEVICES', '')}"
            rounds = "6" if "now" in variables["GRIDSPAN_FUSE"] else "600"
            for again in range(2):
                status, text = run([program, "pairs", rounds], own, variables)
                what = f"gridcc {name}, run {again}: exit {status}: {shown(variables)}"
                expect(status == 0 and counts(text) == (0, 0), what, text)
                expect(re.search(said, text), f"{what}: {said} is not said", text)
            expect(bool(list(own.rglob("*.so"))) == is_kept, f"{what}: {list(own.rglob('*'))}", text)
            expect(not list(own.rglob(".new*")), f"{what}: {list(own.rglob('*'))}", text)

    # One that hangs keeps nobody; it goes with the program.
    stand_in(build, folder, "sleep 1000 & wait")
    for variables in (cpu(3, "on"), gpu(build, "on")):
        (folder / "started").unlink(missing_ok=True)
        status, text = run([program, "pairs", "600"], pathlib.Path(cache) / "hangs", with_library(variables, folder))
        what = f"gridcc hangs: exit {status}: {shown(variables)}"
        expect(status == 0 and counts(text) == (0, 0), what, text)
        started = (folder / "started").read_text().split() if (folder / "started").exists() else []
        expect(len(started) == 1, f"{what}: {len(started)} were started", text)
        until = time.monotonic() + 20
        while any(map(is_alive, started)) and time.monotonic() < until:
            time.sleep(0.02)
        expect(not any(map(is_alive, started)), f"{what}: it is still there", text)

    # A forked child that ends does not end the compiler of its parent.
    stand_in(build, folder, f'sleep 0.5; exec {build}/bin/gridcc "$@"')
    (folder / "started").unlink(missing_ok=True)
    own = pathlib.Path(cache) / "survives"
    status, text = run([program, "forks_beside", "10"], own, with_library(cpu(3, "on"), folder))
    expect(status == 0 and "gridcc failed" not in text and list(own.rglob("*.so")), f"the compiler of a parent: exit {status}", text)

    # No plug-in that would start it: what a library carries is there.
    for variables in (cpu(3, "now:without-chains"), cpu(1, "on"), gpu(build, "now")):
        (folder / "lib/libgridspan_specialise.so").unlink(missing_ok=True)
        variables = with_library(variables, folder)
        for case in ("pairs", "unloads"):
            status, text = run([program, case], pathlib.Path(cache) / "no plug-in", variables)
            what = f"no plug-in, {case}: exit {status}, {counts(text)}: {shown(variables)}"
            told = text.count("info: specialise and fuse: there is no plug-in\n")
            at_once = "now" in variables["GRIDSPAN_FUSE"]  # else it may end before a window is looked at
            expect(status == 0 and (told == 1 or (told == 0 and not at_once)), what, text)
            if at_once:
                expect((counts(text) == (0, 0)) == (case == "pairs"), what, text)
    expect(not (pathlib.Path(cache) / "no plug-in").exists(), "no plug-in: something is in the cache", "")

    # None at all.
    stand_in(build, folder, "exit 1")
    (folder / "bin/gridcc").unlink()
    status, text = run([program, "pairs"], pathlib.Path(cache) / "none", with_library(cpu(3, "now"), folder))
    expect(status == 0 and "there is no gridcc for" in text, f"no gridcc: exit {status}", text)


# --- a kernel that computes something else

def container_of(build, folder, source):
    """What a program of that source has for who makes kernels of its kernels, as in tests/lit/specialise/fused.cu."""
    (folder / "main.cu").write_text(source)
    own = pathlib.Path(__file__).with_name("faults")
    subprocess.run([build / "bin/gridcc", "-O2", "-std=c++17", "--without=fusion", "-I", own, "-c", folder / "main.cu", "-o", folder / "main.o"],
                   check=True)
    subprocess.run(["objcopy", "-O", "binary", "--only-section=.gridspan", "--set-section-flags", ".gridspan=alloc", folder / "main.o",
                    folder / "container"], check=True)


def test_differences(build, program, cache):
    source = pathlib.Path(__file__).with_name("faults").joinpath("main.cu").read_text()
    right, wrong_one = "y[i] = a * x[i] + 1;\n}", "y[i] = a * x[i] + 2;\n}"
    expect(source.count(right) == 1, "the kernel is another one", source)
    # Each round is compared, and told of.
    told = rf"error: fuse: with kernels made of several, launches of '{re.escape(SCALE)}', '{re.escape(ADD)}' leave another byte " \
           rf"\d+ of the \d+ bytes at 0x[0-9a-f]+$"
    for name, text_of_it, status_wanted in (("other", source.replace(right, wrong_one), 3), ("same", source, 0)):
        folder = pathlib.Path(cache) / name
        stand_in(build, folder, f'exec {folder}/bin/compiler -o "$2" --compile-fused={folder}/container "${{@:4}}"')
        # What it makes is linked with the library of its own tree, which is the program's.
        shutil.copy(build / "bin/gridcc", folder / "bin/compiler")
        for part in ("include", "lib/gridspan"):
            (folder / part).symlink_to(build / part)
        container_of(build, folder, text_of_it)
        for variables in (cpu(3, "check:without-chains"), cpu(1, "check:without-chains"), gpu(build, "check:without-chains")):
            for rounds in (1, 3):
                status, text = run([program, "pairs", str(rounds)], folder / "cache", with_library(variables, folder))
                what = f"{name}, {rounds} rounds: exit {status}, {counts(text)}: {shown(variables)}"
                expect(status == status_wanted and counts(text) == (rounds, 2 * rounds), what, text)
                lines = [line for line in text.splitlines() if "leave another byte" in line]
                expect(len(lines) == (rounds if status_wanted else 0), f"{what}: {len(lines)} lines", text)
                expect(all(re.search(told, line) for line in lines), f"{what}: other words", text)
                expect(count_of(text, "unchecked_launches") == 0, f"{what}: not all was compared", text)
        expect((folder / "started").exists(), f"{name}: the stand-in was not asked", "")


# --- the cache

def mounted(cache, mount, command):
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", f'{mount} && exec "$@"', "sh", *command]


def test_cache(build, program, cache):
    cache = pathlib.Path(cache)
    filled = cache / "filled"
    run([program, "pairs"], filled, cpu(3, "now:without-chains"))
    run([program, "unloads"], filled, cpu(3, "now:without-chains"))  # another pair
    products = sorted(filled.rglob("all.so"))
    expect(len(products) >= 2, f"{len(products)} products", "")
    whole = {path: path.read_bytes() for path in products}
    flipped = {path: bytes([*content[:2000], content[2000] ^ 1, *content[2001:]]) for path, content in whole.items()}
    damages = {
        "empty": {path: b"" for path in whole},
        "half": {path: content[: len(content) // 2] for path, content in whole.items()},
        "without its seal": {path: content[:-24] for path, content in whole.items()},
        "a bit": flipped,
        "noise": {path: os.urandom(len(content)) for path, content in whole.items()},
    }
    for name, content in damages.items():
        for variables in (cpu(3, "cached"), cpu(1, "on"), cpu(3, "now:without-chains"), gpu(build, "cached"), gpu(build, "now")):
            for path, damaged in content.items():
                path.write_bytes(damaged)
            is_now = "now" in variables["GRIDSPAN_FUSE"]
            status, text = run([program, "pairs", "6" if is_now else "300"], filled, variables)
            expect(status == 0, f"damaged ({name}): exit {status}: {shown(variables)}", text)
            if is_now:
                expect(counts(text) == (6, 12), f"damaged ({name}): {counts(text)}: not made again: {shown(variables)}", text)
            if variables["GRIDSPAN_FUSE"] == "cached":
                expect(counts(text) == (0, 0), f"damaged ({name}): {counts(text)}: used: {shown(variables)}", text)

    # Another product's file under the name of one: whole, but of other kernels. It is ignored, and replaced by who may make kernels.
    foreign = dict(zip(products, [*list(whole.values())[1:], whole[products[0]]]))
    for variables in (cpu(3, "cached"), gpu(build, "cached"), cpu(3, "now:without-chains"), cpu(1, "on"), gpu(build, "now")):
        for path, content in foreign.items():
            path.write_bytes(content)
        is_now, is_cached = "now" in variables["GRIDSPAN_FUSE"], variables["GRIDSPAN_FUSE"] == "cached"
        status, text = run([program, "pairs", "6" if is_now else "300"], filled, variables)
        what = f"of other kernels: exit {status}, {counts(text)}: {shown(variables)}"
        expect(status == 0 and "it is of other kernels" not in text, what, text)
        left = sum(path.read_bytes() == content for path, content in foreign.items())
        for rounds in ("3000", "30000"):  # a busy machine had not come to it when the program ended
            if is_now or is_cached or left < len(foreign):
                break
            status, text = run([program, "pairs", rounds], filled, variables)
            left = sum(path.read_bytes() == content for path, content in foreign.items())
        if is_now:
            expect(counts(text) == (6, 12), f"{what}: not made again", text)
        if is_cached:
            expect(counts(text) == (0, 0), f"{what}: used", text)
        expect(left == len(foreign) - (not is_cached), f"{what}: {left} of {len(foreign)} are still there", text)
        if not is_cached:  # what is in its place now serves a later process
            status, text = run([program, "pairs"], filled, cpu(3, "now:without-chains"))
            expect(status == 0 and counts(text) == (6, 12), f"{what}, then: exit {status}, {counts(text)}", text)
    for path, content in whole.items():
        path.write_bytes(content)

    # Folders that others may write to.
    (filled / "gridspan/kernels").chmod(0o777)
    status, text = run([program, "pairs"], filled, cpu(3, "now:without-chains"))
    expect(status == 0 and counts(text) == (0, 0), f"writable by others: exit {status}, {counts(text)}", text)
    (filled / "gridspan/kernels").chmod(0o700)

    # Files may not grow. (Memory of the fake driver's GPUs is one.)
    for limit in (0, 4096, 40_000):
        for variables in (cpu(3, "now:without-chains"), cpu(3, "on")):
            status, text = run([program, "pairs", "6" if "now" in variables["GRIDSPAN_FUSE"] else "600"], cache / f"limited{limit}",
                               variables, preexec_fn=lambda size=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
            expect(status == 0, f"files of {limit} bytes: exit {status}: {shown(variables)}", text)
            # With `on` the program may have ended before.
            expect("now" not in variables["GRIDSPAN_FUSE"] or re.search("fuse: '.*(cannot|failed|made)", text) or counts(text)[0] > 0, f"files of {limit} bytes: nothing is said: {shown(variables)}", text)

    # As root, access rights tell nothing: file systems do.
    if subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("left out: a full and a read-only file system (no right to mount)")
        return
    full = cache / "full"
    full.mkdir()
    for size in ("4k", "48k"):
        for variables in (cpu(3, "now:without-chains"), cpu(3, "on"), gpu(build, "now")):
            command = mounted(full, f"mount -t tmpfs -o size={size} none {full}",
                              [program, "pairs", "6" if "now" in variables["GRIDSPAN_FUSE"] else "600"])
            status, text = run(command, full, variables)
            expect(status == 0, f"{size} of room: exit {status}: {shown(variables)}", text)
            expect("now" not in variables["GRIDSPAN_FUSE"] or re.search("fuse: '.*(cannot|failed|made)", text) or counts(text)[0] > 0, f"{size} of room: nothing is said: {shown(variables)}", text)
    for variables in (cpu(3, "cached"), cpu(3, "now:without-chains"), gpu(build, "cached"), gpu(build, "now")):
        for folder, is_there in ((filled, True), (full, False)):
            command = mounted(folder, f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder}",
                              [program, "pairs", "6" if "now" in variables["GRIDSPAN_FUSE"] else "600"])
            status, text = run(command, folder, variables)
            what = f"read only, {'with' if is_there else 'without'} the product: exit {status}, {counts(text)}: {shown(variables)}"
            # A GPU does not load code for what saves as little as this.
            is_found = counts(text)[0] > 0 or ("cuda" in shown(variables) and "loaded as one kernel" in text)
            expect(status == 0 and is_found == is_there, what, text)


# --- what launches cost where nothing is to be had

def test_counts(build, program, cache):
    """With an empty cache, by default: no thread, lock or allocation for each launch that would not be there without."""
    launches = 4000

    def asked_for(variables):
        variables = {**variables, "LD_PRELOAD": str(pathlib.Path(program).with_name("libcount.so"))}
        status, text = run([program, "counts"], cache, variables)
        found = [tuple(map(int, one)) for one in re.findall(r"^asked for (\d+) (\d+) (\d+)$", text, re.MULTILINE)]
        expect(status == 0 and len(found) == 4, f"counts: exit {status}: {shown(variables)}", text)
        # The first stretches find out that nothing is to be had, on a busy machine more than one. What each launch costs is in all.
        return tuple(map(min, zip(*found[1:]))), text

    for variables in (cpu(1, "off"), cpu(3, "off"), gpu(build, "off")):
        without, _ = asked_for(variables)
        for mode in ("cached", ""):
            others, text = asked_for({name: value for name, value in {**variables, "GRIDSPAN_FUSE": mode}.items() if value})
            (allocations, locks, threads), (allocations_without, locks_without, threads_without) = others, without
            what = f"{shown(variables)}, then '{mode}': {others}, {without}"
            expect(allocations <= allocations_without + launches // 50, f"allocations: {what}", text)
            expect(threads <= threads_without + 2, f"threads: {what}", text)
            # Of a CPU's queue threads wake each other, now and then.
            most = launches // 50 if "GRIDSPAN_DEVICES" in variables else launches // 2
            expect(locks <= locks_without + most, f"locks: {what}", text)
    expect(not list(pathlib.Path(cache).iterdir()), f"something is in the cache: {list(pathlib.Path(cache).rglob('*'))}", "")


# --- kernels that a GPU has no registers for

def test_registers(build, program, cache):
    """The launches fit, a kernel made of them does not, or would spill: they run as they are. The fake driver says so of such kernels."""
    pair = r"fuse: not one kernel on GPUs: 'scale\(.*\)' \(\S*main.cu:\d+\), 'add\(.*\)' \(\S*main.cu:\d+\) as one kernel: "
    limits = {"FAKE_CUDA_FUSED_THREADS": ("32", "64", "there are registers for 32 threads a block"),
              "FAKE_CUDA_FUSED_LOCAL": ("40", "32", r"a thread spills registers \(40 bytes of local memory, apart 32\)")}
    for mode in ("now", "check"):
        for devices in ("cuda:0", "cuda"):
            for name, (small, large, told) in limits.items():
                for limit, fits in ((small, False), (large, True)):
                    variables = {**gpu(build, mode), "GRIDSPAN_DEVICES": devices, "GRIDSPAN_POLICY": "always", name: limit}
                    status, text = run([program, "pairs"], cache, variables)
                    what = f"registers: exit {status}: {shown(variables)}"
                    made, _ = counts(text)
                    expect(status == 0 and (made > 0) == fits, what, text)
                    expect((re.search(pair + told, text) is not None) != fits, f"{what}: no reason", text)


# --- calls of the driver that fail

TOLD = re.compile(r"gridspan: (?:error|warning): .*cu[A-Z]\w+ failed|cannot run on .*cu[A-Z]\w+ failed|MemoryAllocation|no room"
                  r"|NotSupported|GRIDSPAN_DEVICES: cuda|not one kernel on GPUs: .*cu[A-Z]\w+ failed")


# Which of the programs' cases make calls that few make: a case of PROGRAM (False) or LIVES (True).
CASES_OF = {
    **{call: (True, "graph") for call in ("cuStreamBeginCapture", "cuStreamEndCapture", "cuStreamGetCaptureInfo",
                                          "cuStreamUpdateCaptureDependencies")},
    "cuStreamWaitEvent": (True, "other_stream"),
    "cuEventElapsedTime": (True, "timing"),
    "cuLaunchCooperativeKernel": (True, "meets_all"),
    "cuMemAllocManaged": (True, "managed"),
    "cuMemFree": (True, "managed"),
    "cuMemHostAlloc": (True, "page_locked"),
    "cuMemFreeHost": (True, "page_locked"),
    "cuMemHostRegister": (True, "registered"),
    "cuMemHostUnregister": (True, "registered"),
    "cuMemGetInfo": (False, "no_memory"),
}
# Programs whose launches become one kernel have none of what makes these; cuda.failures has programs that do.
NOT_MADE = {"cuCtxSetLimit", "cuCtxGetLimit", "cuFuncSetAttribute", "cuMemAdvise", "cuMemPrefetchAsync", "cuMemsetD2D8Async"}


def test_driver(build, program, cache, lives, *calls):
    two = {"GRIDSPAN_DEVICES": "cuda", "GRIDSPAN_POLICY": "fixed", "FAKE_CUDA_PEERS": "direct"}
    for variables in (gpu(build, "now"), gpu(build, "cached"), {**gpu(build, "now"), **two}):  # fills the cache
        run([program, "pairs", "300"], cache, variables)
        run([lives, "but_one", "freed", "kept"], cache, variables)
    made = dict.fromkeys(calls, 0)
    told = 0
    for call in calls:
        of_lives, case = CASES_OF.get(call, (True, "graph"))
        more = [([lives if of_lives else program, case], "now", {})] if call in CASES_OF or call.startswith("cuGraph") else []
        for command, mode, devices in (
                ([program, "pairs"], "now", {}), ([program, "pairs", "200"], "cached", {}), ([lives, "but_one", "freed", "kept"], "now", {}),
                ([program, "unloads"], "now", {}), ([program, "pairs"], "now", two), *more):
            # The fake driver's GPU goes on after an error, in code of the library that goes. Real ones have code of their own.
            if "unloads" in command and call.endswith("Synchronize"):
                continue
            for after in (0, 1, 3, 9, 20):
                was_made = False
                for error, times in ((719, 1), (2, 1), (719, 10**6)):
                    variables = {**gpu(build, mode), **devices, "FAKE_CUDA_FAIL": f"{call}:{after}:{error}:{times}"}
                    status, text = run(command, cache, variables)
                    was_made = "fails from now on" in text
                    is_told = TOLD.search(text) is not None
                    made[call] += was_made
                    told += was_made and is_told
                    bad = status < 0 or status >= 124 or (status != 0 and not is_told)
                    expect(not bad, f"{call} fails after {after}: exit {status}: {shown(variables)} {' '.join(map(str, command))}", text)
                    if not was_made:
                        break
                if not was_made:  # nor would it be later
                    break
    print(f"{sum(made.values())} failures, {told} told: {made}")
    for call, count in made.items():
        expect((count > 0) != (call in NOT_MADE), f"{call}: {count} failures", "")


def main():
    test, build, program, *more = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as cache:
        globals()[f"test_{test}"](pathlib.Path(build), program, cache, *more)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
