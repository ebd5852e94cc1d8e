#!/usr/bin/env python3
"""Kernels through gridcc against the same work with OpenMP and through PoCL and Intel's OpenCL, run in turn.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    cpu.py BUILD [--threads N] [--rounds N] [--runs N] [--best] [--busy]
           [--isa v3,v4] [--specialised] [--also NAME=PROGRAM]... [--json FILE] [CASE ...]

Every setting of a case runs once a round, in a process of its own; medians over all runs are
compared. For a machine that has other things to do: --best takes the best run, --busy processor
time of all threads (with --threads 1: threads that wait are busy, too). The limits of the machine
(fused multiply-adds, bandwidth of memory and of the caches) are measured in the same rounds.
Results are compared element by element with OpenMP's; a form that fails, takes too long or
disagrees is named, and the exit status is 1. --isa adds columns for other instruction sets,
--specialised for kernels specialised at run time (they are made before, in a cache of their own),
--also for other builds of cuda_form: their time against the ordinary one's.
"""

import argparse
import array
import dataclasses
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

LIMITS = {"flop": "limit_fma", "memory": "limit_memory", "cache": "limit_cache"}
NO_DEVICE = 77  # exit status of `FORM --device`
GOOD_SHARE = 0.9  # of OpenMP's speed
# Platforms of the OpenCL form, by what they need; None stands for the number of threads. PoCL's second name is of version 5 on.
OPENCL = {
    "pocl": {"BENCH_OPENCL_PLATFORM": "Portable Computing Language", "POCL_MAX_PTHREAD_COUNT": None, "POCL_CPU_MAX_CU_COUNT": None},
    "intel": {"BENCH_OPENCL_PLATFORM": "Intel(R) OpenCL", "DPCPP_CPU_NUM_CUS": None},
}
TITLES = {"openmp": "OpenMP", "pocl": "PoCL", "intel": "Intel OpenCL"}


@dataclasses.dataclass
class Setting:
    """A program with environment variables: a column of the table."""

    name: str
    program: pathlib.Path
    variables: dict
    runs: int = 5  # in each process

    def start(self, *words, timeout=60):
        return subprocess.run([str(self.program), *map(str, words)], capture_output=True, text=True,
                              timeout=timeout, env={**os.environ, **self.variables}, check=False)

    def cases(self):
        return self.start().stdout.split()

    def run(self, case, timeout, file=None):
        """What the program says about a case, or {"error": ...}."""
        try:
            made = self.start(case, self.runs, *([file] if file else []), timeout=timeout)
        except subprocess.TimeoutExpired:
            return {"error": f"more than {timeout} s"}
        if made.returncode != 0:
            lines = made.stderr.strip().splitlines() or [""]
            return {"error": f"exit {made.returncode}: {lines[-1]}"}
        return json.loads(made.stdout)


class Specialised(Setting):
    """Before a case is measured, its kernels are made."""

    warm = frozenset()

    def run(self, case, timeout, file=None):
        if case not in self.warm:
            self.warm |= {case}
            made = Setting(self.name, self.program, {**self.variables, "GRIDSPAN_SPECIALISE": "now"}, 1)
            made.run(case, timeout)
        return super().run(case, timeout, file)


class Measured:
    """One case with all settings."""

    def __init__(self, case, settings, timeout, best=False, clock="seconds"):
        self.case = case
        self.timeout = timeout
        self.clock = clock
        self.typical = min if best else statistics.median
        self.settings = [setting for setting in settings if case in setting.cases()]
        self.seconds = {setting.name: [] for setting in self.settings}
        self.errors = {}
        self.about = {}  # what cases.h says

    def round(self, folder=None):
        """Each setting once; with a folder, results go there and are compared."""
        files = {}
        for setting in self.settings:
            if setting.name in self.errors:
                continue
            file = folder / setting.name if folder else None
            outcome = setting.run(self.case, self.timeout, file)
            if "error" in outcome:
                self.errors[setting.name] = outcome["error"]
                continue
            self.seconds[setting.name] += outcome[self.clock]
            self.about = outcome
            if file:
                files[setting.name] = file
        if "openmp" in files:
            self.compare(files)

    def compare(self, files):
        want = elements(files.pop("openmp"), self.about["type"])
        for name, file in files.items():
            wrong = difference(elements(file, self.about["type"]), want, self.about)
            if wrong:
                self.errors[name] = wrong

    def time(self, name):
        """Seconds, or None."""
        times = self.seconds.get(name)
        return self.typical(times) if times and name not in self.errors else None

    def speed(self, name, peer):
        """Of `name`, against `peer`'s; None if one of them has no time."""
        mine, other = self.time(name), self.time(peer)
        return other / mine if mine and other else None

    def share(self, name, most):
        """What the case reaches of the limit it is nearest to, and that limit's name."""
        seconds = self.time(name)
        level = "cache" if self.about.get("in_cache") else "memory"
        amounts = {"flop": self.about.get("flop", 0), level: self.about.get("byte", 0)}
        shares = [(amount / seconds / most[limit], limit)
                  for limit, amount in amounts.items() if seconds and amount and most.get(limit)]
        return max(shares, default=None)


def elements(file, kind):
    values = array.array(kind)
    values.frombytes(file.read_bytes())
    return values


def difference(got, want, about):
    """Empty if they agree as cases.h wants it, else what differs first."""
    if got.tobytes() == want.tobytes():
        return ""
    if len(got) != len(want):
        return f"{len(got)} elements instead of {len(want)}"
    tolerance = about["tolerance"]
    floor = tolerance * sum(map(abs, want)) / len(want)
    wrong = [i for i, (a, b) in enumerate(zip(got, want))
             if not abs(a - b) <= tolerance * abs(b) + floor]  # not: NaN is wrong, too
    if len(wrong) <= about["outliers"] * len(want):
        return ""
    i = wrong[0]
    return f"wrong: {len(wrong)} of {len(want)} elements; [{i}] is {got[i]:g} instead of {want[i]:g}"


def measure(names, settings, arguments):
    """All cases, one after the other, in some rounds each."""
    with tempfile.TemporaryDirectory() as folder:
        for case in names:
            one = Measured(case, settings, arguments.timeout, arguments.best, arguments.clock)
            for i in range(arguments.rounds):
                one.round(pathlib.Path(folder) if i == 0 else None)
            yield one


class Limits:
    """What the machine can do: the best of all runs, in as many rounds as the cases and one more."""

    def __init__(self, openmp, timeout, clock):
        self.all = {limit: Measured(case, [openmp], timeout, best=True, clock=clock)
                    for limit, case in LIMITS.items()}

    def round(self):
        for one in self.all.values():
            one.round()

    def most(self):
        """Operations or bytes in a second."""
        return {limit: (one.about["flop"] or one.about["byte"]) / one.time("openmp")
                for limit, one in self.all.items() if one.time("openmp")}


def find_settings(arguments):
    """OpenMP, gridcc, the OpenCLs that are here, and what was asked for; what is skipped is printed."""
    folder, threads = arguments.build / "bench" / "cpu", str(arguments.threads)
    cuda = Setting("gridcc", folder / "cuda_form",
                   {"GRIDSPAN_THREADS": threads, "GRIDSPAN_SPECIALISE": "off"})
    settings = [Setting("openmp", folder / "openmp_form", {"OMP_NUM_THREADS": threads}), cuda]
    for name, needs in OPENCL.items():
        peer = Setting(name, folder / "opencl_form",
                       {variable: value or threads for variable, value in needs.items()})
        reason = missing(peer)
        if reason:
            print(f"skipped: {TITLES[name]} ({reason})")
        else:
            settings.append(peer)
    variants = []
    for isa in filter(None, arguments.isa.split(",")):
        variants.append(Setting(isa, cuda.program, {**cuda.variables, "GRIDSPAN_CPU_ISA": isa}))
    if arguments.specialised:
        variants.append(Specialised("specialised", cuda.program, {
            **cuda.variables, "GRIDSPAN_SPECIALISE": "cached", "XDG_CACHE_HOME": arguments.cache}))
    for also in arguments.also:
        name, _, program = also.partition("=")
        variants.append(Setting(name, pathlib.Path(program), cuda.variables))
    for setting in settings + variants:
        setting.runs = arguments.runs
    return settings, variants


def missing(setting):
    """Why the setting cannot run; empty if it can."""
    if not setting.program.exists():
        return f"no {setting.program.name}: CMake found no OpenCL"
    made = setting.start("--device")
    return made.stderr.strip() if made.returncode == NO_DEVICE else ""


def number(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


class Table:
    """Prints one line a case."""

    def __init__(self, settings, variants):
        self.peers = [(s.name, TITLES[s.name]) for s in settings if s.name != "gridcc"]
        self.variants = [v.name for v in variants]
        head = ["case", "gridcc ms"]
        for _, title in self.peers:
            head += [f"{title} ms", f"of {title}"]
        head += [f"time of {name}" for name in self.variants] + ["of limit"]
        print("| " + " | ".join(head) + " |\n" + "| --- " * len(head) + "|")

    def line(self, one, most):
        def milliseconds(name):
            if name in one.errors:
                return "**" + one.errors[name].split(":")[0] + "**"
            seconds = one.time(name)
            return number(seconds * 1e3 if seconds else None)

        cells = [one.case, milliseconds("gridcc")]
        for name, _ in self.peers:
            cells += [milliseconds(name), number(one.speed("gridcc", name))]
        for name in self.variants:
            cells.append(milliseconds(name) if name in one.errors
                         else number(one.speed("gridcc", name)))
        share = one.share("gridcc", most)
        cells.append(f"{share[0]:.2f} {share[1]}" if share else "")
        print("| " + " | ".join(cells) + " |", flush=True)

    def columns(self):
        """What has a geometric mean: (of whom, the text before it)."""
        yield from ((name, f"gridcc's speed, of {title}'s") for name, title in self.peers)
        yield from ((name, f"time of {name}, of gridcc's") for name in self.variants)


def mean(measured, name):
    speeds = [one.speed("gridcc", name) for one in measured]
    speeds = [speed for speed in speeds if speed]
    return statistics.geometric_mean(speeds) if speeds else math.nan


def slower(measured, name, share):
    """Cases below a share of a peer's speed, slowest first."""
    slow = [(one.speed("gridcc", name), one.case) for one in measured]
    return ", ".join(f"{case} {speed:.2f}" for speed, case in sorted(
        pair for pair in slow if pair[0] is not None and pair[0] < share)) or "none"


def launch_time(build):
    """The first line of bench/launch, if that is built."""
    program = build / "bench" / "launch" / "bench_launch"
    if not program.exists():
        return ""
    made = subprocess.run([program], capture_output=True, text=True, check=False)
    return " ".join((made.stdout.splitlines() or [""])[0].split())


def report(measured, table, most, launch):
    print(f"\n{most.get('flop', 0) / 1e9:.1f} GFLOP/s of fused multiply-adds; triads "
          f"{most.get('memory', 0) / 1e9:.1f} GB/s in memory, {most.get('cache', 0) / 1e9:.1f} GB/s in cache")
    if launch:
        print(launch)
    for name, text in table.columns():
        print(f"geometric mean of {text}: {mean(measured, name):.3f}")
    print(f"below {GOOD_SHARE} of OpenMP: {slower(measured, 'openmp', GOOD_SHARE)}")
    for name, title in table.peers:
        if name in OPENCL:
            print(f"below {title}: {slower(measured, name, 1)}")
    for one in measured:
        for name, error in one.errors.items():
            print(f"{one.case}, {name}: {error}")


def processor():
    """The model's name, where the system tells."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def as_json(measured, table, most, launch, arguments):
    cases = {one.case: {"seconds": one.seconds, "errors": one.errors, "about": {
        key: one.about.get(key) for key in ("flop", "byte", "in_cache")}} for one in measured}
    return json.dumps({
        "processor": processor(), "threads": arguments.threads, "clock": arguments.clock, "limits": most,
        "launch": launch, "cases": cases,
        "means": {name: mean(measured, name) for name, _ in table.columns()}}, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=5, help="in each process")
    parser.add_argument("--best", action="store_true", help="compare best runs, not medians")
    parser.add_argument("--busy", action="store_const", dest="clock", const="busy",
                        default="seconds", help="compare processor time")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for each process")
    parser.add_argument("--isa", default="", help="further columns, e.g. baseline,v3")
    parser.add_argument("--specialised", action="store_true",
                        help="a column for kernels specialised at run time")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=PROGRAM")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_intermixed_args()
    cache = tempfile.TemporaryDirectory()
    arguments.cache = cache.name
    settings, variants = find_settings(arguments)
    openmp = settings[0]
    names = arguments.cases or [n for n in openmp.cases() if n not in LIMITS.values()]
    limits = Limits(openmp, arguments.timeout, arguments.clock)
    for _ in range(arguments.rounds):
        limits.round()
    print(f"{processor()}: {arguments.threads} threads, {arguments.rounds} rounds of {arguments.runs} runs\n")
    table, measured = Table(settings, variants), []
    for one in measure(names, settings + variants, arguments):
        table.line(one, limits.most())
        measured.append(one)
    limits.round()
    launch = launch_time(arguments.build)
    report(measured, table, limits.most(), launch)
    if arguments.json:
        arguments.json.write_text(as_json(measured, table, limits.most(), launch, arguments))
    sys.exit(any(one.errors for one in measured))


if __name__ == "__main__":
    main()
