#!/usr/bin/env python3
# Makes docs/features.md from the feature tests and what became of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   features.py write TESTS RESULTS PAGE   the page, from test results (build/tests/run/results)
#   features.py check TESTS PAGE           fails if the committed page has other rows than the tests
#
# A test names what it covers in lines `// FEATURE: group | feature` (`#` in build.sh); a feature
# is listed as supported only where every test that names it passed.
import pathlib
import re
import sys

MODES = ("regions", "interpret", "devices")
GROUPS = (
    "Language",
    "Functions and classes",
    "Kernel arguments",
    "Launches",
    "Memory",
    "Shared memory",
    "Device variables",
    "Barriers",
    "Warp operations",
    "Cooperative groups",
    "Matrices",
    "Textures and surfaces",
    "Atomics",
    "Forward progress",
    "Arithmetic",
    "Integer intrinsics",
    "Inline PTX",
    "Math functions",
    "16-bit floating point",
    "Built-in functions",
    "Device library",
    "Host memory functions",
    "Streams and events",
    "Graphs",
    "Device management",
    "Driver API",
    "Run-time compilation",
    "Errors",
    "Compiling and linking",
    "Programs",
)
HEAD = """# Supported CUDA features

Made by `tests/run/features.py` from the tests in `tests/run/`: each line is checked by the test it
names, element by element against an independent reference, with one and with three worker threads.
*Compiled* is the default way to run kernels, *interpreter* is `GRIDSPAN_CPU=interpret`, *devices*
is `GRIDSPAN_DEVICES=cpu:N` with N = 2, 3, 4 and 7.
Do not edit; run `make test`, then
`tests/run/features.py write tests/run build/tests/run/results docs/features.md`.
"""


def declarations(tests):
    """(group, feature, test) for every FEATURE line."""
    sources = sorted([*tests.glob("*.cu"), *tests.glob("*/build.sh")])
    for source in sources:
        name = source.parent.name if source.name == "build.sh" else source.stem
        found = re.findall(r"^(?://|#) FEATURE: ([^|\n]+)\| (.+)$", source.read_text(), re.M)
        if not found:
            sys.exit(f"{source}: no FEATURE line")
        for group, feature in found:
            group = group.strip()
            if group not in GROUPS:
                sys.exit(f"{source}: unknown group '{group}'")
            yield group, feature.strip(), name


def code(feature):
    """Names of CUDA and C++ in code font: what has an underscore, a known prefix or brackets."""
    feature = feature.replace("`", "")
    return re.sub(
        r"<<<.*?>>>|[\w./]*\w*_\w+(?:\.h)?|\bcuda[A-Z]\w+|\batomic[A-Z]\w*|\b\w+\.h\b|%\w+",
        lambda m: f"`{m.group(0)}`",
        feature,
    ).replace("|", "\\|")


def passed(results, name, mode):
    file = results / f"{name}.{mode}"
    return file.exists() and file.read_text().startswith("passed")


def page(tests, results):
    rows = {}
    for group, feature, name in declarations(tests):
        rows.setdefault(group, {}).setdefault(feature, []).append(name)
    lines = [HEAD]
    for group in GROUPS:
        if group not in rows:
            continue
        lines += [
            f"## {group}",
            "",
            "| feature | compiled | interpreter | devices | test |",
            "| --- | --- | --- | --- | --- |",
        ]
        for feature, names in rows[group].items():
            marks = [
                "yes" if all(passed(results, n, mode) for n in names) else "no" for mode in MODES
            ]
            links = ", ".join(link(tests, n) for n in names)
            lines.append(f"| {code(feature)} | {' | '.join(marks)} | {links} |")
        lines.append("")
    return "\n".join(lines)


def link(tests, name):
    file = f"{name}.cu" if (tests / f"{name}.cu").exists() else name
    return f"[{name}](../tests/run/{file})"


def rows_of(text):
    """The page without the marks: which features it lists, and with which tests."""
    return {
        (cells[1].strip(), cells[-2].strip())
        for line in text.splitlines()
        if line.startswith("| ") and "---" not in line
        for cells in [re.split(r"(?<!\\)\|", line)]
    }


def check(tests, file):
    wanted, there = rows_of(page(tests, pathlib.Path("/nonexistent"))), rows_of(file.read_text())
    for row in sorted(wanted - there):
        print(f"{file}: missing: {row[0]} ({row[1]})")
    for row in sorted(there - wanted):
        print(f"{file}: no such test any more: {row[0]} ({row[1]})")
    if wanted != there:
        sys.exit("docs/features.md is out of date: see its head for the command")


def main():
    action, tests, *rest = sys.argv[1:]
    tests = pathlib.Path(tests)
    if action == "write":
        pathlib.Path(rest[1]).write_text(page(tests, pathlib.Path(rest[0])))
    else:
        check(tests, pathlib.Path(rest[0]))


if __name__ == "__main__":
    main()
