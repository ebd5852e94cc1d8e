# Do programs of nvcc's and gridcc's compute the same?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Of pieces that both take, each function `use` is asked for its value of 3. What it is for the host, a program made by
# each compiler prints. What it is for the device, gridcc's program prints as well; nvcc's PTX is read, as there may be
# no GPU (ptx_value.py). Each question has a process of its own: some pieces end it.
import functools
import pathlib
import re
import subprocess

import program_cache
import ptx_value

ARGUMENT = 3
LIMIT = 300  # seconds
UNLINKED = "undefined reference to `piece_"

MAIN = """
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
#ifndef HOST_ONLY
static int of_device(void (*launch)(int*)) {
  int* out;
  if (cudaMallocManaged(&out, sizeof *out) != cudaSuccess) _exit(1);
  *out = 0x5a5a5a5a;
  launch(out);
  if (cudaDeviceSynchronize() != cudaSuccess) _exit(1);
  return *out;
}
#endif
static void ask(const char* name, int (*question)()) {
  std::fflush(stdout);
  if (const int child = fork()) {
    int status;
    waitpid(child, &status, 0);
    if (status) std::printf("%s ends\\n", name);
    return;
  }
  std::printf("%s %d\\n", name, question());
  std::fflush(stdout);
  _exit(0);
}
"""


class Probe:
    """A function of a piece, asked on one side."""

    def __init__(self, piece, function, caller):
        self.piece, self.function, self.caller = piece, f"piece_{piece.number}::{function}", caller

    def names(self):
        """One for each side that can be asked."""
        base = self.function.replace("::", "_")
        sides = {"__global__ void": "k", "__device__ int": "d", "__host__ __device__ int": "hd", "int": "h"}[self.caller]
        return [f"{side}_{base}" for side in sides]

    def kernels(self):
        """For the device, what writes the value."""
        return "".join(f'extern "C" __global__ void {name}(int* out) {{ *out = {self.function}({ARGUMENT}); }}\n'
                       for name in self.names() if name.startswith("d"))

    def question(self, name):
        if name.startswith("h"):
            return f'  ask("{name}", [] {{ return int({self.function}({ARGUMENT})); }});\n'
        launch = f"{self.function}<<<1, 1>>>(out, {ARGUMENT})" if name.startswith("k") else f"{name}<<<1, 1>>>(out)"
        return f'  ask("{name}", [] {{ return of_device([](int* out) {{ {launch}; }}); }});\n'

    def mangled(self):
        space, function = self.function.split("::")
        return f"_ZN{len(space)}{space}{len(function)}{function}EPii"


def probes_of(members):
    return [Probe(piece, *use) for piece in members for use in piece.uses]


def run(words, folder):
    """(exit code, what it said)"""
    result = subprocess.run(["timeout", str(LIMIT), *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, errors="replace")
    return result.returncode, result.stdout


@functools.cache
def version(compiler):
    return subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, text=True).stdout


def identity(command):
    """What an installed compiler's answers depend on, beside the source."""
    return [*command, version(command[0]), version("g++")]


def printed(compiler, flags, source, program, folder):
    """What the program prints. Raises RuntimeError."""
    code, output = run([*compiler, *flags, str(source), "-o", str(program)], folder)
    if code:
        raise RuntimeError(f"{compiler[0]} does not build the pieces together:\n{output[:3000]}")
    return run([str(program)], folder)[1]


def of_program(compiler, flags, text, folder, label, is_nvcc=False):
    """{name: what the program printed}"""
    source, program = folder / f"{label}.cu", folder / f"{label}.program"
    source.write_text(text)

    def ask():
        return printed(compiler, flags, source, program, folder)

    texts = ["printed", *identity([*compiler, *flags]), text] if is_nvcc else []
    output = program_cache.remembered(texts, ask) if is_nvcc else ask()
    return dict(re.findall(r"^(\w+_piece_\d+_\w+) (-?\d+|ends)$", output, re.M))


def ptx_of(nvcc, flags, source, ptx, folder):
    code, output = run([*nvcc, *flags, "-ptx", "-o", str(ptx), str(source)], folder)
    if code:
        raise RuntimeError(f"nvcc writes no PTX:\n{output[:3000]}")
    return ptx.read_text()


def of_nvcc(nvcc, flags, pieces_text, probes, folder, label):
    source, ptx = folder / f"{label}.ptx.cu", folder / f"{label}.ptx"
    source.write_text(pieces_text + "".join(probe.kernels() for probe in probes))
    text = program_cache.remembered(["ptx", *identity([*nvcc, *flags]), source.read_text()],
                                    lambda: ptx_of(nvcc, flags, source, ptx, folder))
    plain, launched = ptx_value.values(text, ["out"]), ptx_value.values(text, ["out", ARGUMENT])
    told = {}
    for probe in probes:
        for name in probe.names():
            value = launched.get(probe.mangled()) if name.startswith("k") else plain.get(name)
            if not name.startswith("h") and value is not None:
                told[name] = str(value)
    hosts = [(probe, name) for probe in probes for name in probe.names() if name.startswith("h")]
    main = "int main() {\n" + "".join(probe.question(name) for probe, name in hosts) + "}\n"
    return told | of_program(nvcc, [*flags, "-DHOST_ONLY"], pieces_text + MAIN + main, folder, f"{label}.nvcc", is_nvcc=True)


def of_gridcc(gridcc, flags, pieces_text, probes, folder, label):
    main = "int main() {\n" + "".join(probe.question(name) for probe in probes for name in probe.names()) + "}\n"
    kernels = "".join(probe.kernels() for probe in probes)
    return of_program(gridcc, flags, pieces_text + kernels + MAIN + main, folder, f"{label}.gridcc")


def by_halves(members, compare_some, label):
    middle = len(members) // 2
    halves = [compare_some(half, f"{label}.{end}") for end, half in enumerate((members[:middle], members[middle:]))]
    return halves[0][0] + halves[1][0], halves[0][1] + halves[1][1]


def compare(members, source_of, nvcc, gridcc, flags, folder, label):
    """([(piece, question, nvcc's answer, gridcc's)] where they differ, how many were compared)

    What nvcc refuses only when pieces are called is left out: by halves, until the rest compiles. A device function's
    address in a host variable does not link with gridcc, which is left out, too; what else it does not build is shown."""
    folder = pathlib.Path(folder)

    def compare_some(some, label):
        text, probes = source_of(some), probes_of(some)
        try:
            by_nvcc = of_nvcc(nvcc, flags, text, probes, folder, label)
        except RuntimeError:
            return by_halves(some, compare_some, label) if len(some) > 1 else ([], 0)
        try:
            by_gridcc = of_gridcc(gridcc, flags, text, probes, folder, label)
        except RuntimeError as error:
            if len(some) > 1:
                return by_halves(some, compare_some, label)
            return [(some[0], "building it", "done", str(error))] if UNLINKED not in str(error) else [], 0
        asked = [(probe.piece, name) for probe in probes for name in probe.names()]
        found = [(piece, name, by_nvcc[name], by_gridcc.get(name, "nothing")) for piece, name in asked
                 if name in by_nvcc and by_nvcc[name] != by_gridcc.get(name)]
        return found, len(by_nvcc)

    return compare_some(members, label)
