# The GPU's device library as code for this machine, so that the same tests can look at it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: gpu_on_host.py LLVM_BIN GPU.bc CPU.bc OUTPUT.ll

The GPU's instructions become calls of what takes their place on a CPU; those that approximate are
in gpu_stand_ins.cpp, with errors like the GPU's.
"""
import os
import re
import subprocess
import sys


# PTX's types: the letters of LLVM's intrinsics, and what they are in IR.
TYPES = {"s32": ("i", "i32"), "u32": ("ui", "i32"), "s64": ("ll", "i64"), "u64": ("ull", "i64"),
         "f32": ("f", "float"), "f64": ("d", "double")}
declared = set()


def conversion(match):
    (to, result), (source, argument) = TYPES[match.group(1)], TYPES[match.group(2)]
    name = f"@__gridspan_nvvm_{source}2{to}_rz"
    declared.add(f"declare {result} {name}({argument})\n")
    return name + "("


def main():
    directory, gpu, cpu, output = sys.argv[1:]

    def run(tool, *words, text=None):
        return subprocess.run([os.path.join(directory, tool), *words], check=True, input=text,
                              capture_output=True, text=True).stdout

    # Products of matrices and barriers are instructions of GPUs.
    run("llvm-extract", "--delete", "--rfunc=^(__gridspan_(warp|mbarrier)_|gridspan_phase_wait)", gpu, "-o", output + ".gpu.bc")
    text = run("llvm-dis", output + ".gpu.bc", "-o", "-")
    text = re.sub(r"^target (triple|datalayout) = .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"@llvm\.nvvm\.([\w.]+)\(",
                  lambda match: "@__gridspan_nvvm_" + match.group(1).replace(".", "_") + "(", text)
    text = re.sub(r'asm "cvt\.rzi?\.(\w+)\.(\w+) \$0, \$1;", "[^"]*"\(', conversion, text)
    text += "".join(sorted(declared))
    # What waits has no meaning here.
    text = re.sub(r"call i32 asm sideeffect [^\n]*", "add i32 0, 0", text)
    text = text.replace("@__nvvm_reflect(", "@gridspan_test_reflect(")
    # Not under the names of this machine's C library, which LLVM knows.
    text = re.sub(r"@([a-z]\w*)\(", r"@gridspan_gpu_\1(", text)
    text = re.sub(r"@gridspan_gpu_(gridspan_\w+|llvm)\b", r"@\1", text)
    with open(output + ".gpu.ll", "w", encoding="utf-8") as file:
        file.write(text)
    # The CPU's functions keep to themselves but for those names.
    names = sorted(set(re.findall(r"@(__gridspan_nvvm_\w+)", text)))
    have = set(re.findall(r"^define .*?@([\w.]+)\(", run("llvm-dis", cpu, "-o", "-"),
                          flags=re.MULTILINE))
    run("opt", "-passes=internalize,globaldce", "--internalize-public-api-list=" +
        ",".join(name for name in names if name in have and "_approx_" not in name), cpu, "-o", output + ".cpu.bc")
    linked = run("llvm-link", "-S", output + ".gpu.ll", output + ".cpu.bc", "-o", "-")
    with open(output, "w", encoding="utf-8") as file:
        file.write(linked.replace("fdiv arcp", "fdiv"))  # exact, as in the CPU's test


if __name__ == "__main__":
    main()
