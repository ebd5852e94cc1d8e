#!/usr/bin/env python3
"""Which functions of CUDA's APIs there are: checks them and makes docs/api-coverage.md.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    api_coverage.py exported CLANG HEADERS LIBRARY...   what the headers declare, the libraries export
    api_coverage.py write HEADERS ANSWERS PAGE          the page
    api_coverage.py check HEADERS ANSWERS PAGE          fails if the page is not what `write` makes

ANSWERS (api_answers.txt) says what declared functions refuse, and what is not declared, and why.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# Header -> (what its functions begin with, at least so many).
APIS = {
    "cuda_runtime_api.h": ("cuda", 273),
    "cuda_profiler_api.h": ("cuda", 273),
    "cuda.h": ("cu", 340),
    "cudaProfiler.h": ("cu", 342),
    "nvml.h": ("nvml", 29),
    "nvrtc.h": ("nvrtc", 21),
}
PER_THREAD = "CUDA_API_PER_THREAD_DEFAULT_STREAM"
AT_LEAST_PER_THREAD = 139

HEAD = """# Functions of CUDA's APIs

Made by `tests/headers/api_coverage.py` from our headers. Every function listed as there is defined: a test holds the
headers against what `libgridspan.so` exports, so nothing is missing when a program is linked. What a function does is
held to CUDA's documentation by the tests that [the feature list](features.md) names.

The list that is ours to match is CUDA 12.5's, which our headers say they are (`CUDART_VERSION` 12050), and what came later
where programs use it.
"""


def functions_of(text, prefix):
    """Names of the functions that preprocessed C declares."""
    names = re.findall(rf"\b({prefix}[A-Z]\w*)\s*\([^;{{}}]*\)\s*(?:__attribute__\S*\s*)*;", text)
    return {name for name in names if not (prefix == "cu" and name.startswith("cuda"))}


def preprocess(clang, headers, name, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        file.write(f"#include <{name}>\n")
        file.flush()
        command = [clang, "-E", "-P", "-x", "c", "-isystem", headers, *options, file.name]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def exported(clang, headers, *libraries):
    there = set()
    for library in libraries:
        listing = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
        there |= {line.split()[-1].split("@")[0] for line in listing.stdout.splitlines() if line}
    problems = []
    for header, (prefix, at_least) in APIS.items():
        declared = functions_of(preprocess(clang, headers, header), prefix)
        print(f"{header}: {len(declared)} functions")
        if len(declared) < at_least:
            problems.append(f"{header}: only {len(declared)} functions are declared, not {at_least}")
        renamed = functions_of(preprocess(clang, headers, header, f"-D{PER_THREAD}"), prefix) - declared
        missing = sorted((declared | renamed) - there)
        problems += [f"{header} declares {name}, which no library exports" for name in missing]
        if header == "cuda_runtime_api.h":
            per_thread = set(renamed)
        elif header == "cuda.h":
            per_thread |= renamed
    print(f"with {PER_THREAD}: {len(per_thread)} names")
    if len(per_thread) < AT_LEAST_PER_THREAD:
        problems.append(f"only {len(per_thread)} names have a form for the thread's default stream")
    print("\n".join(problems))
    return 1 if problems else 0


def read_answers(path):
    """{"refused": [(names, reason)], "absent": [...]}"""
    answers = {"refused": [], "absent": []}
    for line in pathlib.Path(path).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        kind, names, reason = (part.strip() for part in line.split("|"))
        answers[kind].append((names.split(), reason))
    return answers


def declared_in(path):
    text = re.sub(r"//.*", "", path.read_text())
    return sorted(set(re.findall(r"\b((?:cu|cuda)[A-Z]\w*)\((?!CUDART?_CB)[^;{}#]*\);", text)))


def sections(headers):
    """(what the header is about, its functions) for each of the two APIs."""
    folder = pathlib.Path(headers) / "gridspan"
    for title, pattern in (("Run-time API", "api_*.h"), ("Driver API", "driver_*.h")):
        groups = []
        for path in sorted(folder.glob(pattern)):
            if path.name in ("api_templates.h", "driver_templates.h"):
                continue
            about = re.match(r"//\s*((?:[^\n]|\n// )*?) ?[.(:]", path.read_text()).group(1)
            names = declared_in(path)
            if names:
                groups.append((about.replace("\n// ", " "), names))
        yield title, groups


def lists(names):
    return ", ".join(f"`{name}`" for name in names)


def page(headers, answers_path):
    answers = read_answers(answers_path)
    refused = {name for names, _ in answers["refused"] for name in names}
    lines = [HEAD]
    everything = set()
    for title, groups in sections(headers):
        count = sum(len(names) for _, names in groups)
        lines += [f"## {title}: {count} functions", ""]
        for about, names in groups:
            everything |= set(names)
            there = [name for name in names if name not in refused]
            lines += [f"**{about}**: {lists(there)}.", ""]
    lines += ["## Declared, but refused", "", "These return `cudaErrorNotSupported` or `CUDA_ERROR_NOT_SUPPORTED`.", ""]
    lines += ["| functions | why |", "| --- | --- |"]
    lines += [f"| {lists(names)} | {reason} |" for names, reason in answers["refused"]]
    lines += ["", "## Not declared", "", "A program that calls these does not compile.", ""]
    lines += ["| functions | why |", "| --- | --- |"]
    lines += [f"| {lists(names)} | {reason} |" for names, reason in answers["absent"]]
    absent = {name for names, _ in answers["absent"] for name in names}
    problems = [f"{name} is said to be refused, but not declared" for name in sorted(refused - everything)]
    problems += [f"{name} is said to be absent, but declared" for name in sorted(absent & everything)]
    return "\n".join(lines) + "\n", problems


def write_or_check(action, headers, answers, file):
    text, problems = page(headers, answers)
    if action == "write":
        pathlib.Path(file).write_text(text)
    elif pathlib.Path(file).read_text() != text:
        problems.append(f"{file} is out of date: its head says how it is made")
    print("\n".join(problems))
    return 1 if problems else 0


def main():
    action, *arguments = sys.argv[1:]
    return exported(*arguments) if action == "exported" else write_or_check(action, *arguments)


if __name__ == "__main__":
    sys.exit(main())
