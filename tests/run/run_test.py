#!/usr/bin/env python3
# Compiles and runs feature tests: the two steps CMake and CTest call.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   run_test.py compile GRIDCC CXX SOURCE PROGRAM     SOURCE is a .cu file or a folder with build.sh
#   run_test.py run PROGRAM MODE RESULT               MODE: a name of MODES
#
# `compile` takes what was compiled before (tests/program_cache.py). It keeps going when a test does not compile (the test itself then fails, with the
# compiler's words), so that one bad test does not hide the others. `run` writes "passed" or the
# reason into RESULT, from which features.py makes docs/features.md.
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree stays clean
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import program_cache  # noqa: E402

TIMEOUT = 60  # seconds; nothing may hang
LONG_TIMEOUT = 120  # a program that records its accesses is compiled first; interpret mode checks each access
# What the environment is in each mode; a test runs once with each.
MODES = {
    "regions": [{"GRIDSPAN_THREADS": "1"}, {"GRIDSPAN_THREADS": "3"}],
    "interpret": [
        {"GRIDSPAN_CPU": "interpret", "GRIDSPAN_THREADS": "1"},
        {"GRIDSPAN_CPU": "interpret", "GRIDSPAN_THREADS": "3", "GRIDSPAN_CHECK": "all"},
    ],
    # Every launch is held against the kernel model (docs/verification.md).
    "verify": [{"GRIDSPAN_VERIFY": "1", "GRIDSPAN_THREADS": "3"}],
    # Several devices with memories of their own.
    "devices": [{"GRIDSPAN_DEVICES": f"cpu:{count}x1"} for count in (2, 3, 4, 7)],
    # Launches that follow one another as chains of blocks, and as kernels made of several, compared with launches in order
    # (docs/fusion.md).
    "chained": [
        {"GRIDSPAN_FUSE": "check", "GRIDSPAN_THREADS": "1"},
        {"GRIDSPAN_FUSE": "check", "GRIDSPAN_THREADS": "3"},
        {"GRIDSPAN_FUSE": "check", "GRIDSPAN_THREADS": "3", "GRIDSPAN_CPU": "interpret"},
        {"GRIDSPAN_FUSE": "now", "GRIDSPAN_THREADS": "3"},
        {"GRIDSPAN_FUSE": "now:without-kernels", "GRIDSPAN_THREADS": "3"},
        {"GRIDSPAN_FUSE": "check:across-waits", "GRIDSPAN_THREADS": "3"},
        {"GRIDSPAN_FUSE": "check:across-waits", "GRIDSPAN_DEVICES": "cpu:3x1"},
    ],
    # The instruction sets that a better CPU leaves unused.
    "sets": [{"GRIDSPAN_CPU_ISA": one, "GRIDSPAN_THREADS": "3"} for one in ("v4", "v3", "baseline")],
    # Kernels compiled for their launches, and found by the second run (docs/specialise.md).
    "specialised": [{"GRIDSPAN_SPECIALISE": "now", "GRIDSPAN_THREADS": t} for t in ("3", "1")],
}


def log_of(program):
    return program.with_name(program.name + ".log")


def compile_command(gridcc, source, program):
    """gridcc with the flags the file asks for: a line `// FLAGS: ...`."""
    flags = []
    for line in source.read_text().splitlines():
        if match := re.match(r"// FLAGS: (.*)", line):
            flags += match.group(1).split()
        elif not line.startswith("//"):
            break
    return [gridcc, "-O2", "-std=c++17", *flags, str(source), "-o", str(program)]


def compile_test(gridcc, cxx, source, program):
    source, program = pathlib.Path(source), pathlib.Path(program)
    program.parent.mkdir(parents=True, exist_ok=True)
    program.unlink(missing_ok=True)
    if source.is_dir():
        command, options = recipe_command(gridcc, cxx, source, program)
        # A recipe may take sources of other tests, and link anything.
        key = program_cache.key(gridcc, [cxx, *command], source.parent.rglob("*"), program, is_static=True)
    else:
        command, options = compile_command(gridcc, source, program), {}
        key = program_cache.key(gridcc, command, [source], program, is_static=False)
    if program_cache.fetch(key, program.parent):
        return
    result = run(command, **options)
    log_of(program).write_text(result.stdout)
    if result.returncode != 0:
        program.unlink(missing_ok=True)
        print(f"{source.name} does not compile:\n{result.stdout}")
    elif source.is_dir():
        program_cache.store(key, [path for path in program.parent.iterdir() if path.is_file()])
    else:
        program_cache.store(key, [program, log_of(program)])


def recipe_command(gridcc, cxx, source, program):
    library = pathlib.Path(gridcc).resolve().parent.parent / "lib"
    environment = {
        **os.environ,
        "GRIDCC": gridcc,
        "CXX": cxx,
        "OUT": str(program.parent),
        "LIB": str(library),
    }
    return ["bash", "-eux", "build.sh"], {"cwd": source, "env": environment}


def run(command, limit=4 * TIMEOUT, **options):
    """Output and exit status; 124 when it took too long."""
    return subprocess.run(
        ["timeout", "-k", "2", str(limit), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        **options,
    )


def run_once(program, variables, cache):
    is_long = "GRIDSPAN_VERIFY" in variables or variables.get("GRIDSPAN_CPU") == "interpret"
    limit = LONG_TIMEOUT if is_long else TIMEOUT
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    return run([str(program)], limit=limit,
               env={**environment, "XDG_CACHE_HOME": cache, **variables})


def verdict(program, mode):
    """None if the test passed, else what went wrong."""
    if not program.exists():
        log = log_of(program)
        return f"did not compile\n{log.read_text() if log.exists() else ''}"
    with tempfile.TemporaryDirectory() as cache:
        return failure(program, mode, cache)


# By CUDA's rules; what GPUs do is asked.
RACY = {"handed_on", "warp_compaction", "warp_synchronous", "warp_synchronous_orders"}
# With all checks they take minutes; what is checked by default is.
SLOW_CHECKED = {"memory_reused_sources", "panels", "progress_blocks"}


def failure(program, mode, cache):
    for variables in MODES[mode]:
        if pathlib.Path(program).name in SLOW_CHECKED:
            variables = {name: value for name, value in variables.items() if name != "GRIDSPAN_CHECK"}
        result = run_once(program, variables, cache)
        if result.returncode != 0:
            return f"with {variables}: exit {result.returncode}\n{result.stdout}"
        if pathlib.Path(program).name in RACY:
            continue
        if made_up := [line for line in result.stdout.splitlines() if is_made_up(line)]:
            return f"with {variables}: checks make things up\n" + "\n".join(made_up)
    return None


def is_made_up(line):
    """What a check says of these programs, which do nothing wrong but leave kernels before barriers."""
    is_check = ": warning: kernel '" in line or "never freed" in line  # errors fail by themselves
    return is_check and "never reached: the first is" not in line


def run_test(program, mode, result_file):
    reason = verdict(pathlib.Path(program), mode)
    result_file = pathlib.Path(result_file)
    result_file.parent.mkdir(parents=True, exist_ok=True)
    result_file.write_text("passed\n" if reason is None else f"failed: {reason}\n")
    if reason is not None:
        print(f"{program} ({mode}) {reason}")
    return reason is not None


def main():
    action, *arguments = sys.argv[1:]
    if action == "compile":
        return compile_test(*arguments)
    return run_test(*arguments)


if __name__ == "__main__":
    sys.exit(main())
