#!/usr/bin/env python3
"""Which functions of CUDA's libraries there are.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    library_functions.py exported LIBRARY FOLDER   the library has every function that its headers declare
    library_functions.py refusals LIBRARY FOLDER   those that are not there yet say so, once, and answer so
    library_functions.py write LIB LISTS PAGE      makes docs/library-functions.md
    library_functions.py check LIB LISTS PAGE      fails if the page is not what `write` makes
    library_functions.py self-test CLANG           src/libraries/make_stubs.py understands declarations

FOLDER has what make_stubs.py made: names.txt, stubs_*.cpp. A function that is there is a strong symbol, one that is not a weak
one.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.append(str(ROOT / "src/libraries"))
import make_stubs  # noqa: E402

# Library: what it is called, at least so many functions.
LIBRARIES = {
    "blas": ("cuBLAS, cuBLASLt, cublasXt", 780),
    "rand": ("cuRAND (host)", 29),
    "fft": ("cuFFT", 56),
    "sparse": ("cuSPARSE", 460),
    "solver": ("cuSOLVER", 580),
    "nccl": ("NCCL", 66),
    "dnn": ("cuDNN", 180),
}

HEAD = """# Functions of CUDA's libraries

Made by `tests/libraries/library_functions.py` from our headers and libraries. Every declared function is in its library, so
programs link. One that is not there yet answers that it is not supported, and writes one line that names it. [CUDA's
libraries](libraries.md) says more.
"""


def symbols(library):
    """Our names of functions, T or W."""
    listing = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    found = (line.split()[1:] for line in listing.stdout.splitlines())
    return {name.split("@")[0]: kind for kind, name in found}


def declared_in(folder):
    return (pathlib.Path(folder) / "names.txt").read_text().split()


def name_of(library):
    return re.match(r"libgridspan_(\w+)\.so", pathlib.Path(library).name).group(1)


def exported(library, folder):
    there, names = symbols(library), declared_in(folder)
    at_least = LIBRARIES[name_of(library)][1]
    problems = [] if len(names) >= at_least else [f"{len(names)} functions are declared, not {at_least}"]
    for name in names:
        if there.get("gridspan_" + name) not in ("T", "W"):
            problems.append(f"{name} has no function")
        if there.get(name) != "W":
            problems.append(f"{name} has no jump to ours")
    strangers = [name for name in there if name.removeprefix("gridspan_") not in names and name != "GRIDSPAN_1"]
    problems += [f"shows {name}" for name in strangers]
    print(f"{len(names)} functions, {sum(there.get('gridspan_' + name) == 'T' for name in names)} of them there")
    print("\n".join(problems))
    return not problems


STUB = re.compile(r"^\[\[gnu::weak\]\] (.*?)\s*\b(\w+)\((?:.*)\) \{\n  GRIDSPAN_NOT_THERE_YET\(\"(\w+)\", \"(\w+)\"\);$", re.M)

# Calls each function given twice; says what it answered.
CALLER = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
for line in open(sys.argv[2]):
    name, kind = line.split()
    function = getattr(library, "gridspan_" + name)
    function.restype = {"status": ctypes.c_int, "none": None, "float": ctypes.c_float, "other": ctypes.c_longlong}[kind]
    sys.stdout.write(f"{name} {function()} {function()}\\n")
"""


def values_of(folder):
    """Statuses by name, as the headers of the stubs have them."""
    headers = sorted({line for path in pathlib.Path(folder).glob("stubs_*.cpp")
                      for line in re.findall(r"^#include <.*>$", path.read_text(), re.M)})
    wanted = sorted({value for path in pathlib.Path(folder).glob("stubs_*.cpp")
                     for *_, value in STUB.findall(path.read_text()) if value not in ("nothing", "0")})
    values = {}
    for value in wanted:
        for header in headers:
            text = f"{header}\nint value = {value};\n"
            done = subprocess.run(["gcc", "-w", "-isystem", ROOT / "cuda_headers", "-x", "c", "-S", "-o-", "-"],
                                  input=text, capture_output=True, text=True)
            number = re.search(r"\.long\s+(\d+)", done.stdout)
            if done.returncode == 0 and number:
                values[value] = int(number.group(1))
                break
    return values


def refusals(library, folder):
    there, values = symbols(library), values_of(folder)
    stubs = [found for path in sorted(pathlib.Path(folder).glob("stubs_*.cpp")) for found in STUB.findall(path.read_text())]
    if {name for _, name, *_ in stubs} != set(declared_in(folder)):
        sys.exit("the stubs are not the declared functions")
    calls, expected_answers, expected_lines = [], [], []
    for result, name, spoken, answer in stubs:
        if there["gridspan_" + name] == "T":
            continue
        # Complex numbers are returned in registers that ctypes does not know of.
        if answer in values:
            kind, value = "status", values[answer]
        elif answer == "nothing":
            kind, value = "none", None
        elif result in ("float", "double", "cuComplex", "cuDoubleComplex"):
            kind, value = "float", 0.0
        else:
            kind, value = "other", 0
        calls.append(f"{name} {kind}\n")
        expected_answers.append(f"{name} {value} {value}")
        expected_lines.append(f"gridspan: {spoken} is not supported yet: it returns {answer}")
    with tempfile.TemporaryDirectory() as work:
        caller, names = pathlib.Path(work, "caller.py"), pathlib.Path(work, "names")
        caller.write_text(CALLER)
        names.write_text("".join(calls))
        done = subprocess.run([sys.executable, caller, library, names], capture_output=True, text=True)
    answers, lines = done.stdout.splitlines(), done.stderr.splitlines()
    wrong = sorted(set(expected_answers) ^ set(answers))[:20] + sorted(set(expected_lines) ^ set(lines))[:20]
    if len(lines) != len(expected_lines):
        wrong.append(f"{len(lines)} lines, not {len(expected_lines)}")
    print(f"{len(calls)} functions that are not there yet\n" + "\n".join(wrong))
    return done.returncode == 0 and not wrong and bool(stubs)


def page_of(folder, lists):
    text = HEAD + "\n| library | declared | there |\n| --- | --- | --- |\n"
    details = ""
    for name, (title, _) in LIBRARIES.items():
        there = symbols(pathlib.Path(folder) / f"libgridspan_{name}.so")
        names = declared_in(pathlib.Path(lists) / name / name)
        done = [one for one in names if there.get("gridspan_" + one) == "T"]
        text += f"| {title} | {len(names)} | {len(done)} |\n"
        details += f"\n## {title}: `libgridspan_{name}.so`\n\n" + ", ".join(f"`{one}`" for one in dict.fromkeys(map(make_stubs.spoken, done))) + "\n"
    return text + details


def self_test(clang):
    text = """typedef int status; struct s { int a; };
      __attribute__((unused)) static inline int libInline(int a) { return a; }
      status libOne(int a, const float* const b[]); const char* libText(void); typedef void (*libCallback)(int);
      extern unsigned long libSize(
        void) __attribute__((nothrow)); status other(libCallback f); float libF(void (*f)(int, int));"""
    found = list(make_stubs.declarations(text, "lib[A-Z]"))
    assert found == [("status", "libOne", "int a, const float* const b[]"), ("const char*", "libText", "void"),
                     ("unsigned long", "libSize", "void"), ("float", "libF", "void (*f)(int, int)")], found
    assert make_stubs.spoken("cublasSgemm_v2_64") == "cublasSgemm_64" and make_stubs.spoken("cusparseXgtsv_v2") != "x"
    assert "return A;" in make_stubs.stub("status", "libOne", "int a", {"status": "A"})
    assert "return nullptr;" in make_stubs.stub("const char*", "libText", "void", {})
    assert STUB.findall("[[gnu::weak]] " + make_stubs.stub("status", "libOne", "int (*a)(int)", {"status": "A"})) == [
        ("status", "libOne", "libOne", "A")]
    preprocessed = make_stubs.preprocessed(clang, str(ROOT / "cuda_headers"), "curand.h")
    assert len(list(make_stubs.declarations(preprocessed, "curand"))) == 29
    return True


def main():
    what, *arguments = sys.argv[1:]
    if what == "write":
        pathlib.Path(arguments[2]).write_text(page_of(*arguments[:2]))
        return True
    if what == "check":
        is_current = pathlib.Path(arguments[2]).read_text() == page_of(*arguments[:2])
        print("" if is_current else "docs/library-functions.md is old: library_functions.py write makes it again")
        return is_current
    return {"exported": exported, "refusals": refusals, "self-test": self_test}[what](*arguments)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
