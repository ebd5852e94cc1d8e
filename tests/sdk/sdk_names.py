#!/usr/bin/env python3
"""Which names of an installed CUDA SDK's headers ours lack, and which structs are of another size.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    sdk_names.py CLANG HEADERS SDK LEFT_OUT     HEADERS: ours; SDK: a folder with include/cuda_runtime.h

clang reads both for the host and for a device: functions, types, enumerators, members and macros of NVIDIA's headers
must be in ours, or in LEFT_OUT with a reason (lines `patterns | reason`; `size TYPES | reason`). The difference is
printed. Values of enumerators must be the same. Exits with 77 (skipped), and says so, where there is no SDK. Nothing
of the SDK is stored.
"""

import concurrent.futures
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
MADE_FOR = 13000  # the CUDA_VERSION that LEFT_OUT was written for
AT_LEAST = 7000  # names; fewer: the headers were not understood
HEADERS = """
    cuda_runtime.h cuda_runtime_api.h cuda.h cudaTypedefs.h cuda_fp16.h cuda_bf16.h cuda_fp8.h cuda_fp6.h cuda_fp4.h
    cooperative_groups.h cooperative_groups/reduce.h cooperative_groups/scan.h cooperative_groups/memcpy_async.h
    cuComplex.h mma.h cuda_pipeline.h cuda_pipeline_primitives.h cuda_awbarrier.h cuda_awbarrier_primitives.h
    cuda_occupancy.h nvrtc.h nvtx3/nvToolsExt.h nvtx3/nvToolsExtCudaRt.h cuda_profiler_api.h cudaProfiler.h
    library_types.h math_constants.h cuda_gl_interop.h device_launch_parameters.h channel_descriptor.h
    surface_indirect_functions.h texture_indirect_functions.h sm_61_intrinsics.h cuda_device_runtime_api.h nvml.h
""".split()
# Headers whose structs and enumerators are measured.
MEASURED = {"cuda.h", "driver_types.h", "cuda_runtime_api.h", "library_types.h", "texture_types.h", "surface_types.h",
            "vector_types.h", "device_types.h"}
COMMON = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-Xclang", "-target-feature", "-Xclang",
          "+ptx83", "-std=c++20", "-fdeclspec", "-ferror-limit=0", "-w", "-include", "cuda_runtime.h"]
SIDES = (["--cuda-device-only", "--cuda-gpu-arch=sm_90", "-U__CUDA_ARCH__", "-D__CUDA_ARCH__=1000"], ["--cuda-host-only"])
NVIDIAS = ["-D__NV_NO_HOST_COMPILER_CHECK=1", "-D__CUDACC__", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=13",
           "-D__CUDACC_VER_MINOR__=0"]

DECLARATION = re.compile(r"^([|` -]*)(\w+Decl) 0x[0-9a-f]+ (?:(?:parent|prev) 0x[0-9a-f]+ )*<(.*)$")
FILE = re.compile(r"(/[^:<>,()]+):\d+:\d+")
PLACE = re.compile(r"(?:/[^:<>,()]+|<[a-z ]+>|line|col):\d+(?::\d+)?|<invalid sloc>")
TEMPLATES = {"ClassTemplateDecl", "FunctionTemplateDecl", "TypeAliasTemplateDecl", "VarTemplateDecl"}
WRAPPERS = TEMPLATES | {"LinkageSpecDecl", "TranslationUnitDecl"}
SCOPES = WRAPPERS | {"EnumDecl", "RecordDecl", "CXXRecordDecl", "NamespaceDecl"}
NAMED = SCOPES | {"FunctionDecl", "VarDecl", "TypedefDecl", "TypeAliasDecl", "EnumConstantDecl", "FieldDecl",
                  "CXXMethodDecl", "IndirectFieldDecl", "UsingDecl"}
MARKS = {"implicit", "used", "referenced", "invalid", "struct", "union", "class", "enum", "definition", "constexpr",
         "inline", "nested", "hidden", "mutable"}
INLINE_NAMESPACES = re.compile(r"\b(?:__v1|__4)::")


def name_in(words):
    while words and words[0] in MARKS:
        words.pop(0)
    while words and words[-1] in MARKS:
        words.pop()
    return words[0] if words and re.match(r"[A-Za-z_]\w*$", words[0]) else ""


def declared(lines):
    """{name: (kind, file)} of what `clang -ast-dump` tells; names are qualified, functions are not looked into."""
    names, file, stack = {}, "", []
    for line in lines:
        match = DECLARATION.match(line)
        head = line.split(" '", 1)[0]
        if places := FILE.findall(head):
            file = places[-1]
        if not match:
            continue
        depth, kind, rest = len(match.group(1)), match.group(2), match.group(3)
        while stack and stack[-1][0] >= depth:
            stack.pop()
        looked_into, scope = (stack[-1][1], stack[-1][2]) if stack else (True, "")
        if not looked_into or kind not in NAMED:
            stack.append((depth, False, scope))
            continue
        level, end = 1, 0
        for end, character in enumerate(rest):  # the range, which may hold <built-in>
            level += {"<": 1, ">": -1}.get(character, 0)
            if level == 0:
                break
        words = PLACE.sub("", rest[end + 1:].split(" '", 1)[0]).split()
        made_up = "implicit" in words
        name = "" if kind in WRAPPERS else name_in(words)
        full = scope + "::" + name if scope and name else name or scope
        if name and not made_up and not name.startswith("operator"):
            names.setdefault(INLINE_NAMESPACES.sub("", full), (kind, file))
        # Enumerators of plain enumerations belong to what is around them.
        inner = scope if kind == "EnumDecl" and " class " not in line else full
        stack.append((depth, kind in SCOPES, inner))
    return names


def macros(lines):
    names, file = {}, ""
    for line in lines:
        if match := re.match(r'# \d+ "([^"]*)"', line):
            file = match.group(1)
        elif match := re.match(r"#define (\w+)", line):
            names[match.group(1)] = ("macro", file)
        elif match := re.match(r"#undef (\w+)", line):
            names.pop(match.group(1), None)
    return names


def output(command, text):
    with tempfile.NamedTemporaryFile("w", suffix=".cu") as source:
        source.write(text)
        source.flush()
        run = subprocess.run([*command, source.name], capture_output=True, text=True)
    if fatal := [line for line in run.stderr.splitlines() if "fatal error" in line]:
        sys.exit("\n".join(fatal))
    return run.stdout


def names_of(clang, root, options, wanted):
    text = "".join(f"#include <{name}>\n" for name in HEADERS if os.path.exists(os.path.join(root, name)))
    base = [clang, *COMMON, "-isystem", root, *options]

    def one(side):
        tree = output([*base, *side, "-fsyntax-only", "-fno-color-diagnostics", "-Xclang", "-ast-dump"], text)
        return macros(output([*base, *side, "-E", "-dD"], text).splitlines()) | declared(tree.splitlines())

    with concurrent.futures.ThreadPoolExecutor() as executor:
        found = list(executor.map(one, SIDES))
    return {name: what for names in found for name, what in names.items() if wanted(what[1])}


def numbers(clang, root, options, types, members, enumerators):
    """Sizes, offsets and values; -1 for what is not there."""
    lines = ["#include <cuda.h>", "#include <cuda_runtime_api.h>", "#include <library_types.h>", "#include <device_types.h>",
             "#include <cstddef>",
             "template <class T, long n = sizeof(T)> constexpr long size_of(int) { return n; }",
             "template <class T> constexpr long size_of(...) { return -1; }"]
    for name in types:
        lines.append(f'extern "C" const long size__{name}; const long size__{name} = size_of<{name}>(0);')
    for name in members:
        record, member = name.split("::")
        lines.append(f'extern "C" const long at__{record}__{member}; const long at__{record}__{member} = '
                     f"[]<class T>(T*) {{ if constexpr (requires(T t) {{ t.{member}; }}) return long(offsetof(T, "
                     f"{member})); else return -1L; }}(static_cast<{record}*>(nullptr));")
    for name in enumerators:
        lines.append(f'extern "C" const long value__{name}; const long value__{name} = {name};')
    command = [clang, "-x", "c++", "-std=c++20", "-w", "-isystem", root, *options, "-S", "-emit-llvm", "-o", "-"]
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write("\n".join(lines) + "\n")
        source.flush()
        run = subprocess.run([*command, source.name], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr[:2000])
    return {name: int(value) for name, value in re.findall(r"@(\w+__\w+) = .*?constant i64 (-?\d+)", run.stdout)}


def read_left_out(path):
    """[(pattern, reason)] of names, {type: reason} of sizes"""
    patterns, sizes = [], {}
    for line in pathlib.Path(path).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        names, reason = (part.strip() for part in line.split("|"))
        words = names.split()
        if words[0] == "size":
            sizes |= {word: reason for word in words[1:]}
        else:
            patterns += [(word, reason) for word in words]
    return patterns, sizes


def compare_numbers(clang, headers, sdk, theirs, ours, sizes):
    api = re.compile(r"(?:CU|cuda)\w*$")
    both = [name for name, what in theirs.items()
            if name in ours and what[0] != "macro" and os.path.basename(what[1]) in MEASURED]
    types = [n for n in both if api.match(n) and theirs[n][0] in ("TypedefDecl", "CXXRecordDecl", "RecordDecl")]
    members = [n for n in both if theirs[n][0] == "FieldDecl" and n.count("::") == 1 and api.match(n.split("::")[0])]
    enumerators = [n for n in both if theirs[n][0] == ours[n][0] == "EnumConstantDecl" and re.match("CU|cuda", n)
                   and "::" not in n]
    a = numbers(clang, sdk, [], types, members, enumerators)
    b = numbers(clang, headers, [], types, members, enumerators)
    problems = []
    for key, value in sorted(a.items()):
        kind, name = key.split("__", 1)
        if value in (-1, b.get(key)) or b.get(key) == -1 or name.split("__")[0] in sizes:
            continue
        problems.append(f"{kind} {name}: {value} in the SDK, {b.get(key)} here")
    print(f"{len(a)} sizes, offsets and values compared")
    return problems


def main():
    clang, headers, sdk, left_out = sys.argv[1:]
    root = os.path.join(sdk, "include")
    if not os.path.exists(os.path.join(root, "cuda_runtime.h")):
        print(f"SKIPPED, NOTHING WAS COMPARED: there is no {root}/cuda_runtime.h")
        return SKIPPED
    cccl = os.path.join(root, "cccl")
    real, real_cccl = os.path.realpath(root), os.path.realpath(cccl)

    def is_nvidias(file):
        path = os.path.realpath(file)
        inner = re.search(r"/details/|/nvtxDetail/|/nv/|_helpers\.h$", path)
        return path.startswith(real) and not path.startswith(real_cccl) and not inner

    theirs = names_of(clang, root, ["-isystem", cccl, *NVIDIAS], is_nvidias)
    ours = names_of(clang, headers, ["-D__CUDACC_EXTENDED_LAMBDA__"], lambda _: True)
    patterns, sizes = read_left_out(left_out)
    matched, lost = set(), []
    for name, (kind, file) in sorted(theirs.items()):
        if name in ours:
            continue
        found = next((pattern for pattern, _ in patterns if fnmatch.fnmatchcase(name, pattern)), None)
        matched.add(found)
        if not found:
            lost.append(f"{name}: {kind}, {os.path.relpath(os.path.realpath(file), real)}")
    problems = [f"not here, and not said to be left out: {name}" for name in lost]
    problems += compare_numbers(clang, headers, root, theirs, ours, sizes)
    version = re.search(r"define CUDA_VERSION (\d+)", pathlib.Path(root, "cuda.h").read_text())
    stale = [pattern for pattern, _ in patterns if pattern not in matched]
    if stale:
        print("left out, but here or not in this SDK:", *stale)
        if version and int(version.group(1)) == MADE_FOR:
            problems += [f"{pattern} is said to be left out, and nothing is missing of that name" for pattern in stale]
    there = sum(name in ours for name in theirs)
    print("\n".join(problems))
    print(f"{len(theirs)} names of the SDK, {there} are here, {len(theirs) - there - len(lost)} are left out with a "
          f"reason; {len(problems)} problems")
    return 1 if problems or len(theirs) < AT_LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
