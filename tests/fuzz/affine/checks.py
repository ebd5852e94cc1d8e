# Compiles and runs generated programs; says what is wrong with one.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent))
import program_cache  # noqa: E402

VERIFIED = re.compile(
    r"(\d+) (launch|set|assumption)(?:e?s)?\b(?! checked)( not modelled| failed)?"
)
DIFFERS = re.compile(r"kernel '(\w+)[^']*' differs from its model: (?:array \S+: )?([^;\n]*)")
HERE = pathlib.Path(__file__).parent


class Problem:
    """`symptom` is what stays the same while a kernel is cut down."""

    def __init__(self, symptom, text):
        self.symptom, self.text = symptom, text


def symptom_of(difference):
    """The words of a difference without names, numbers and what comes in brackets."""
    words = re.sub(r"\([^)]*\)| to \(.*?\)|\S*\[\S*|\d+ bytes in all", "", difference)
    words = re.sub(r"[^\w -]|\b\w*\d\w*\b|\bto\b", "", words)
    return "verify: " + " ".join(words.replace("blocks", "block").split())


def differences(output):
    """What GRIDSPAN_VERIFY=1 said: the first Problem of each kernel, by name."""
    found = {}
    for line in output.splitlines():
        match = DIFFERS.search(line)
        if match and match[1] not in found:
            found[match[1]] = Problem(symptom_of(match[2]), line[:1500])
    return found


def verified(output):
    """The numbers in the last words of GRIDSPAN_VERIFY=1: "launch", "launch not modelled", …"""
    summary = [line for line in output.splitlines() if line.startswith("gridspan verify: ")]
    return {m[2] + (m[3] or ""): int(m[1]) for line in summary for m in VERIFIED.finditer(line)}


def compile_symptom(status, said):
    """The first line that tells what went wrong, without places and numbers."""
    if status in (124, 137):
        return "does not compile: time limit"
    lines = said.splitlines() or [f"exit {status} without a word"]
    telling = next(
        (line for line in lines if re.search("error|assert|abort", line, re.I)), lines[0]
    )
    return "does not compile: " + re.sub(r"^[^ ]*:\d+:|'[^']*'|\d+", "…", telling)


class Checker:
    """`patience` stretches the time limits: 1 on a machine of one's own."""

    def __init__(self, gridcc, folder, flags, results=True, verify=True, patience=1):
        self.gridcc, self.flags = pathlib.Path(gridcc).resolve(), flags.split()
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.results, self.verify = results, verify
        self.compile_limit, self.run_limit = 300 * patience, 60 * patience

    def call(self, command, limit, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
        environment.update(variables)
        return subprocess.run(
            ["timeout", "-k", "2", str(limit), *map(str, command)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=environment,
        )

    def compile(self, text, name):
        """(program, None) or (None, Problem). The source stays beside the program."""
        source, program = self.folder / f"{name}.cu", self.folder / name
        source.write_text(text)
        command = [self.gridcc, *self.flags, "-std=c++17", "-arch=sm_90", "-w", f"-I{HERE}"]
        command += [source, "-o", program]

        def compile_it():
            result = self.call(command, self.compile_limit)
            return result.returncode, result.stdout

        status, said = program_cache.kept(self.gridcc, command, source, program, compile_it)
        if status in (126, 127):
            raise OSError(f"cannot run {self.gridcc}")
        if status == 0 and not said.strip():
            return program, None
        return None, Problem(compile_symptom(status, said), said[:4000])

    def run(self, program, kernel, counts=None, **variables):
        """(Problem or None, hashes as text); `counts` learns what was verified."""
        dump = pathlib.Path(f"{program}.{os.getpid()}.dump")
        command = [program, dump] + ([] if kernel is None else [kernel])
        result = self.call(command, self.run_limit, **variables)
        data = dump.read_text() if dump.exists() else ""
        dump.unlink(missing_ok=True)
        mode = " ".join(f"{k}={v}" for k, v in variables.items()) or "plain run"
        found = differences(result.stdout)
        if counts is not None:
            counts.update({f"verified {what}": n for what, n in verified(result.stdout).items()})
        if found:
            return next(iter(found.values())), data
        if result.returncode != 0:
            how = "time limit" if result.returncode in (124, 137) else f"exit {result.returncode}"
            return Problem(f"{mode}: {how}", result.stdout[:4000]), data
        return None, data

    def problem(self, program, kernel=None, counts=None):
        """What is wrong with the program (or one of its kernels, by number), or None."""
        found, plain = self.run(program, kernel)
        if found:
            return found
        modes = [{"GRIDSPAN_CPU": "interpret"}] if self.results else []
        modes += [{"GRIDSPAN_VERIFY": "1"}] if self.verify else []
        for mode in modes:
            found, data = self.run(program, kernel, counts, **mode)
            if found:
                return found
            if data != plain:
                name = next(iter(mode))
                return Problem(f"{name}: other results", different_lines(plain, data))
        return None

    def problems(self, program, names):
        """All kernels with a problem: number -> Problem. The names are those of the program's."""
        found = {}
        if self.verify:  # one run tells about all: each run compiles the recording build anew
            result = self.call([program, "/dev/null"], self.run_limit, GRIDSPAN_VERIFY="1")
            by_name = differences(result.stdout)
            found = {n: by_name[name] for n, name in enumerate(names) if name in by_name}
        if found:
            return found
        for number in range(len(names)):
            problem = self.problem(program, number)
            if problem:
                found[number] = problem
        return found


def different_lines(one, two):
    pairs = zip(one.splitlines(), two.splitlines())
    lines = [f"{a}   other: {b}" for a, b in pairs if a != b]
    return "\n".join(lines[:10]) or "one is shorter"
