#!/usr/bin/env python3
# Runs a program on one device and on several, and compares what it prints and what moved.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   devices_test.py run PROGRAM SOURCE     on all SETTINGS
#   devices_test.py verify PROGRAM         with every launch held against its model
#   devices_test.py self-test
#
# The source may claim what the planner does, in lines such as
#   // TRAFFIC cpu:3x1 device_to_device_bytes <= 2 * 2 * 97 * 4
#   // TRAFFIC cpu:3x1/64K evictions >= 1                       (with GRIDSPAN_COPY_MEMORY=64K)
# A program that takes long may ask for a few settings only:
#   // SETTINGS cpu:1 cpu:3x1
# The left side is a counter of src/runtime/plan/traffic.h; the numbers are derived in the program.
import operator
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIMEOUT = 60  # seconds; nothing may hang
SETTINGS = [
    {"GRIDSPAN_DEVICES": "cpu:1"},
    {},
    {"GRIDSPAN_DEVICES": "cpu:2x1"},
    {"GRIDSPAN_DEVICES": "cpu:3x1"},
    {"GRIDSPAN_DEVICES": "cpu:4x1"},
    {"GRIDSPAN_DEVICES": "cpu:6x1"},
    {"GRIDSPAN_DEVICES": "cpu:7x1"},
    {"GRIDSPAN_DEVICES": "cpu:1x1+cpu:1x3"},  # unequal parts
    {"GRIDSPAN_DEVICES": "cpu:3x1", "GRIDSPAN_ISOLATE": "1"},
    # Whatever can be split is, also where one device would cost less.
    {"GRIDSPAN_DEVICES": "cpu:2x1", "GRIDSPAN_POLICY": "always"},
    # It is also cut along two axes.
    {"GRIDSPAN_DEVICES": "cpu:4x1", "GRIDSPAN_POLICY": "always"},
    {"GRIDSPAN_DEVICES": "cpu:7x1", "GRIDSPAN_POLICY": "always", "GRIDSPAN_ISOLATE": "1"},
    # Little memory for copies: what other devices have is evicted, launches are done in rounds.
    {"GRIDSPAN_DEVICES": "cpu:3x1", "GRIDSPAN_COPY_MEMORY": "4M"},
    {"GRIDSPAN_DEVICES": "cpu:3x1", "GRIDSPAN_COPY_MEMORY": "1M"},
    {"GRIDSPAN_DEVICES": "cpu:3x1", "GRIDSPAN_COPY_MEMORY": "64K"},
    {"GRIDSPAN_DEVICES": "cpu:4x1", "GRIDSPAN_COPY_MEMORY": "64K", "GRIDSPAN_POLICY": "always"},
]
CLAIM = re.compile(r"// TRAFFIC (\S+) (\w+) (<=|==|>=) ([\d\s+*()/-]+)$")
OPERATORS = {"<=": operator.le, "==": operator.eq, ">=": operator.ge}


def claims_of(text):
    """The source's claims: (setting, counter, operator, number)."""
    claims = []
    for line in text.splitlines():
        if not line.startswith("// TRAFFIC"):
            continue
        match = CLAIM.match(line)
        if not match:
            raise ValueError(f"not a claim: {line}")
        setting, counter, relation, number = match.groups()
        claims.append((setting, counter, relation, eval(number)))  # digits and operators only
    return claims


def settings_of(text):
    match = re.search(r"^// SETTINGS (.*)$", text, re.MULTILINE)
    return [{"GRIDSPAN_DEVICES": one} for one in match.group(1).split()] if match else SETTINGS


def counters_of(log):
    return {name: int(value) for name, value in re.findall(r"traffic: (\w+) (\d+)", log)}


def broken_claims(claims, setting, counters):
    for where, counter, relation, number in claims:
        if where != setting:
            continue
        got = counters.get(counter)
        if got is None or not OPERATORS[relation](got, number):
            yield f"{counter} is {got}, claimed {relation} {number}"


def run_once(program, variables):
    """Exit status, output, log."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    with tempfile.NamedTemporaryFile("r", suffix=".log") as log:
        environment.update(variables, GRIDSPAN_LOG=f"info:{log.name}")
        done = subprocess.run(
            ["timeout", "-k", "2", str(TIMEOUT), program],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        return done.returncode, done.stdout, log.read()


def digest_of(output):
    match = re.search(r"^digest ([0-9a-f]{16})$", output, re.MULTILINE)
    return match.group(1) if match else None


def run(program, source):
    text = pathlib.Path(source).read_text()
    claims = claims_of(text)
    wrong = 0
    reference = None
    for variables in settings_of(text):
        status, output, log = run_once(program, variables)
        setting = "" if "GRIDSPAN_POLICY" in variables else variables.get("GRIDSPAN_DEVICES", "")
        if "GRIDSPAN_COPY_MEMORY" in variables and setting:
            setting += "/" + variables["GRIDSPAN_COPY_MEMORY"]
        problems = [] if status == 0 else [f"exit status {status}\n{output}"]
        digest = digest_of(output)
        if reference is None:
            reference = digest
        if digest is None or digest != reference:
            problems.append(f"digest {digest}, on one device {reference}")
        problems += broken_claims(claims, setting, counters_of(log))
        for problem in problems:
            print(f"{pathlib.Path(program).name} with {variables or 'nothing set'}: {problem}")
        wrong += len(problems)
    return wrong > 0


def verify(program):
    status, output, log = run_once(program, {"GRIDSPAN_VERIFY": "1"})
    if status != 0:
        print(f"{program}: exit status {status}\n{output}\n{log}")
    return status != 0


def self_test():
    text = "// TRAFFIC cpu:3x1 parts <= 2 * (3 + 4)\nint main() {}\n"
    claims = claims_of(text)
    assert claims == [("cpu:3x1", "parts", "<=", 14)]
    assert not list(broken_claims(claims, "cpu:3x1", {"parts": 14}))
    assert not list(broken_claims(claims, "cpu:2x1", {"parts": 15}))
    assert list(broken_claims(claims, "cpu:3x1", {"parts": 15}))
    assert list(broken_claims(claims, "cpu:3x1", {}))
    try:
        claims_of("// TRAFFIC cpu:3x1 parts ~ 2\n")
    except ValueError:
        pass
    else:
        raise AssertionError("took nonsense for a claim")
    assert counters_of("gridspan: info: traffic: parts 7\n") == {"parts": 7}
    assert settings_of("// SETTINGS cpu:1 numa\n") == [{"GRIDSPAN_DEVICES": "cpu:1"}, {"GRIDSPAN_DEVICES": "numa"}]
    assert settings_of(text) == SETTINGS
    assert digest_of("x\ndigest 0123456789abcdef\n") == "0123456789abcdef"
    assert digest_of("digest 12\n") is None
    return 0


def main():
    action, *arguments = sys.argv[1:]
    return {"run": run, "verify": verify, "self-test": self_test}[action](*arguments)


if __name__ == "__main__":
    sys.exit(main())
