# Puts together the device library for GPUs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: make_gpu_library.py LLVM_BIN GENERIC.bc LIBCLC.bc|none OUTPUT.bc GPU.bc...

GENERIC.bc is the library for any processor. What calls for something that only CPUs have is taken
out of it, math that LLVM knows but no GPU has an instruction for becomes calls of the C library's
functions, and those are libclc's. Functions in GPU.bc take the place of those of the same name.
Without libclc, functions stay undefined and kernels that need them are not made for GPUs.
"""
import os
import re
import subprocess
import sys
import tempfile

TRIPLE = "nvptx64-nvidia-cuda"
LAYOUT = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
# Of the compilation, not of the function.
ATTRIBUTES = ("target-cpu", "target-features", "tune-cpu", "frame-pointer", "no-trapping-math",
              "min-legal-vector-width", "stack-protector-buffer-size")
# Matrices lie in lanes as a CPU likes it.
FOR_CPUS = r"^(__gridspan_lanes_|__gridspan_nvvm_)"
MATH = ("acos|asin|atan|cosh|cos|exp10|exp2|exp|log10|log2|log|pow|sinh|sin|tanh|tan")
SIMPLIFY = ("globaldce,function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
            "simplifycfg),always-inline,function(sroa,early-cse<memssa>,"
            "instcombine<no-verify-fixpoint>,simplifycfg),globaldce")


def generic_text(text):
    """IR without what ties it to one compilation, and with our triple."""
    for name in ATTRIBUTES:
        text = re.sub(rf' "{name}"="[^"]*"', "", text)
    text = re.sub(r' "no-builtins"| uwtable(\(\w+\))?', "", text)
    text = re.sub(r"^(attributes #\d+ = \{) *\}", r"\1 nounwind }", text, flags=re.MULTILINE)
    text = re.sub(r"^!(llvm\.(module\.flags|ident)|opencl\.ocl\.version|nvvm\.annotations) = .*\n",
                  "", text, flags=re.MULTILINE)
    text = re.sub(r"^target (triple|datalayout) = .*\n", "", text, flags=re.MULTILINE)
    return f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n' + text


def call_c_library(text):
    """llvm.sin.f32 becomes sinf; remainders, which PTX can only approximate, fmod's."""
    def name(match):
        return "@" + match.group(1) + ("f" if match.group(2) == "32" else "")
    text = re.sub(rf"@llvm\.({MATH})\.f(32|64)\b", name, text)
    text = re.sub(r"= (?:tail )?frem (?:\w+ )*?(float|double) ([^,\n]+), ([^,\n]+)",
                  lambda m: f"= call {m[1]} @fmod{'f' if m[1] == 'float' else ''}"
                            f"({m[1]} {m[2]}, {m[1]} {m[3]})", text)
    declared = set(re.findall(r"^(?:declare|define) .*?@([\w.]+)\(", text, flags=re.MULTILINE))
    for suffix, kind in (("f", "float"), ("", "double")):
        if f"@fmod{suffix}(" in text and f"fmod{suffix}" not in declared:
            text += f"\ndeclare {kind} @fmod{suffix}({kind}, {kind})\n"
    return without_repeated_declarations(text)


def tables_in_global_memory(text):
    """Lanes that read different words of constant memory wait for each other."""
    return text.replace("addrspace(4)", "addrspace(1)")


def without_repeated_declarations(text):
    seen, lines = set(), []
    for line in text.splitlines():
        found = re.match(r"declare .*?@([\w.]+)\(", line)
        if found and found.group(1) in seen:
            continue
        if found:
            seen.add(found.group(1))
        lines.append(line)
    return "\n".join(lines) + "\n"


class Tools:
    def __init__(self, directory, work):
        self.directory, self.work = directory, work

    def path(self, name):
        return os.path.join(self.work, name)

    def run(self, tool, *words):
        program = os.path.join(self.directory, tool)
        subprocess.run([program, *words], check=True, stderr=None)

    def text_of(self, file):
        program = os.path.join(self.directory, "llvm-dis")
        return subprocess.run([program, file, "-o", "-"], check=True, capture_output=True,
                              text=True).stdout

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)


def main():
    directory, generic, libclc, output, *gpu = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        tools = Tools(directory, work)
        tools.run("llvm-extract", "--delete", f"--rfunc={FOR_CPUS}", "-o", tools.path("any.bc"),
                  generic)
        text = call_c_library(generic_text(tools.text_of(tools.path("any.bc"))))
        files = [tools.write("any.ll", text)]
        for i, file in enumerate(gpu):
            name = tools.write(f"gpu{i}.ll", generic_text(tools.text_of(file)))
            files.append(f"--override={name}")
        linked = tools.path("linked.bc")
        tools.run("llvm-link", *files, "-o", linked)
        if libclc != "none":
            clc = tools.write("libclc.ll", tables_in_global_memory(
                call_c_library(generic_text(tools.text_of(libclc)))))
            tools.run("llvm-link", "--only-needed", "--suppress-warnings", linked, clc, "-o",
                      tools.path("whole.bc"))
            linked = tools.path("whole.bc")
        # libclc's own names (_Z3sinf) are nobody else's.
        ours = [name for name in re.findall(r"^define .*?@([\w.$]+)\(", tools.text_of(linked),
                                            flags=re.MULTILINE) if not name.startswith("_Z")]
        tools.run("opt", f"-passes=internalize,{SIMPLIFY}",
                  "--internalize-public-api-list=" + ",".join(ours), linked, "-o", output)


if __name__ == "__main__":
    main()
