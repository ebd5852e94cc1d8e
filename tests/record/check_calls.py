#!/usr/bin/env python3
"""check_calls.py ROOT: every API call tells the recording its name and all of its arguments.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    check_calls.py ROOT          every cuda* function defined below ROOT/src/runtime/{api,driver}
    check_calls.py --self-test   shows that a call that forgets an argument is found
"""

import pathlib
import re
import sys

# Pure look-ups that begin no work and need no run time.
NOT_RECORDED = {"cudaGetErrorName", "cudaGetErrorString"}
DEFINITION = re.compile(
    r"^(?:cudaError_t|const char\*) (cuda\w+)\(((?:[^()]|\([^()]*\))*)\) \{(.*?)(?:^|(?<=; ))\}$", re.M | re.S
)
# Another name of a call, which tells for both: `{ return cudaSetDevice(device); }`.
OTHER_NAME = re.compile(r" return cuda\w+\([^()]*\); $")
TOLD = re.compile(r"(?:GRIDSPAN_CALL|GRIDSPAN_DESCRIBE)\(((?:[^()]|\([^()]*\))*)\)")


def parameter_names(text):
    if text.strip() in ("", "void"):
        return []
    # A parameter without a name is not read, as in calls that are always refused.
    named = (re.search(r"[\s*&](?!int\s*$)(\w+)\s*$", one.strip()) for one in text.split(","))
    return [one.group(1) for one in named if one]


def told_names(text):
    names = []
    for one in filter(None, (part.strip() for part in text.split(","))):
        inner = re.fullmatch(r"record::address\((\w+)\)", one)
        names.append(inner.group(1) if inner else one)
    return names


def check(source):
    """(functions seen, complaints)"""
    seen, wrong = [], []
    for name, parameters, body in DEFINITION.findall(source):
        seen.append(name)
        if name in NOT_RECORDED or OTHER_NAME.match(body):
            continue
        told = TOLD.search(body)
        if not told:
            wrong.append(f"{name} is not recorded")
        elif told_names(told.group(1)) != parameter_names(parameters):
            wrong.append(f"{name} has ({parameters}) but records ({told.group(1)})")
    return seen, wrong


def self_test():
    good = "cudaError_t cudaA(int* x, size_t n) {\n  GRIDSPAN_CALL(x, n) { return f(x); });\n}\n"
    assert check(good) == (["cudaA"], [])
    assert check(good.replace("CALL(x, n)", "CALL(x)"))[1]
    assert check(good.replace("CALL(x, n)", "CALL(n, x)"))[1]
    assert check(good.replace("GRIDSPAN_CALL(x, n) {", "{"))[1]
    assert check(good.replace("CALL(x, n)", "CALL(record::address(x), n)"))[1] == []
    assert check("cudaError_t cudaB(int n) { return cudaA(n); }\n" + good)[1] == []
    assert check("cudaError_t cudaB(int n) { return f(n); }\n" + good)[1]
    refused = "cudaError_t cudaC(int*, unsigned int) {\n  GRIDSPAN_CALL() { return no(); });\n}\n"
    assert check(refused)[1] == []
    assert check(refused.replace("int*,", "int* x,"))[1]


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    seen, wrong = [], []
    runtime = pathlib.Path(sys.argv[1]) / "src/runtime"
    for path in sorted([*(runtime / "api").rglob("*.cpp"), *(runtime / "driver").rglob("*.cpp")]):
        found, complaints = check(path.read_text())
        seen += found
        wrong += [f"{path.name}: {line}" for line in complaints]
    print("\n".join(wrong) or f"{len(seen)} API calls record all of their arguments")
    return 1 if wrong or len(seen) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
