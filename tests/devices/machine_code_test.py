#!/usr/bin/env python3
# Machine code in objects: made where there is an assembler, loaded where the GPU runs it, else the PTX is compiled. The
# assembler is a stand-in that copies the text's names, which is all that the fake driver reads.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   machine_code_test.py BUILD
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()
folder = pathlib.Path(tempfile.mkdtemp(prefix="gridspan-machine-"))
gridcc = build / "bin/gridcc"
problems = 0

SOURCE = r"""
#include <cstdio>
#include <cuda_runtime.h>
__global__ void scale(float* a, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = by * a[i] + i;
}
int main() {
  const int n = 100003;
  float *a, *host = new float[n];
  for (int i = 0; i < n; ++i) host[i] = i % 17;
  if (cudaMalloc(&a, n * sizeof *a) != cudaSuccess) return 1;
  cudaMemcpy(a, host, n * sizeof *a, cudaMemcpyHostToDevice);
  for (int step = 0; step < 3; ++step) scale<<<(n + 127) / 128, 128>>>(a, 2, n);
  for (int i = 0; i < n; ++i) host[i] = -1;
  if (cudaMemcpy(host, a, n * sizeof *a, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += host[i] != 8.0f * (i % 17) + 7.0f * i;
  std::printf("%d wrong\n", wrong);
  return wrong ? 3 : 0;
}
"""
ASSEMBLER = """#!/bin/sh
echo "$@" >>"$0.calls"
printf '\\177ELF\\n' >"$4" && grep -v '^.version' "$2" >>"$4" && printf '\\0' >>"$4"
"""


def expect(what, condition, seen):
    global problems
    if not condition:
        problems += 1
        print(f"{what}: {seen}")


def run(*command, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GRIDSPAN_", "CUDA_"))}
    environment.update(variables, XDG_CACHE_HOME=str(folder / "cache"))
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200)
    return done.returncode, done.stdout


def script(name, text):
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


def compile(name, *options):
    status, output = run(gridcc, *options, folder / "scale.cu", "-o", folder / name)
    expect(f"{name} compiles", status == 0 and output == "", output)
    return folder / name


def machine_code(program):
    first = run(build / "bin/gridspan", "ptx", program)[1].splitlines()[0]
    return re.findall(r"sm_\d+", first) if first.startswith("// the object has machine code") else []


def loads(what, program, devices="cuda:0", **variables):
    """How often the driver was given code; the program must be right."""
    library = os.pathsep.join(str(build / part) for part in ("lib", "tests/devices/fake_cuda/lib"))
    status, output = run(program, LD_LIBRARY_PATH=library, FAKE_CUDA_GPUS="2", FAKE_CUDA_COUNTS="1", GRIDSPAN_MEASURE="off",
                         GRIDSPAN_POLICY="always", GRIDSPAN_FUSE="off", GRIDSPAN_DEVICES=devices, **variables)
    expect(f"{what} is right", status == 0 and "0 wrong" in output, f"exit {status}\n{output}")
    found = re.search(r"(\d+) calls of cuModuleLoadDataEx", output)
    return (int(found[1]) if found else 0), output


(folder / "scale.cu").write_text(SOURCE)
assembler = script("ptxas", ASSEMBLER)
calls = folder / "ptxas.calls"

with_code = compile("with_code", "-arch=sm_90", f"--ptxas={assembler}")
expect("code for what -arch names", machine_code(with_code) == ["sm_90"], machine_code(with_code))
asked = calls.read_text().split("\n")[:-1]
expect("one call", len(asked) == 1 and "-arch=sm_90" in asked[0], asked)
without = compile("without", "-arch=sm_90", "--ptxas=none")
expect("none", machine_code(without) == [], machine_code(without))
for options in [("-arch=compute_90",), ("-gencode", "arch=compute_75,code=compute_75"), ()]:
    other = compile("virtual", *options, f"--ptxas={assembler}")
    expect(f"virtual architectures {options}", machine_code(other) == [], machine_code(other))
for options, names in [(("-gencode", "arch=compute_75,code=[sm_75,sm_80,compute_75]"), ["sm_75", "sm_80"]),
                       (("-arch=compute_75", "-code=sm_86,sm_86"), ["sm_86"]),
                       (("-rdc=true", "-arch=sm_80"), ["sm_80"])]:
    other = compile("several", *options, f"--ptxas={assembler}")
    expect(f"{options}", machine_code(other) == names, machine_code(other))

# Parts of the grid are in machine code, too; of PTX they are a text of their own.
expect("machine code once on each", loads("two GPUs", with_code, "cuda")[0] == 2, "")
expect("PTX twice on each", loads("two GPUs, PTX", without, "cuda")[0] == 4, "")
expect("the user forces PTX", loads("forced", with_code, "cuda", CUDA_FORCE_PTX_JIT="1")[0] == 4, "")
older = compile("older", "-arch=sm_80", f"--ptxas={assembler}")
expect("code for another generation", machine_code(older) == ["sm_80"] and loads("sm_80 on sm_90", older, "cuda")[0] == 4, "")

# A driver that does not take it compiles the PTX.
count, output = loads("refused", with_code, FAKE_CUDA_FAIL="cuModuleLoadDataEx:0:200:1", GRIDSPAN_LOG="info")
expect("refused by the driver", count == 3 and "machine code for sm_90 is not taken" in output, output)

# An assembler that fails, or writes nothing, is no error.
for text in ("#!/bin/sh\necho no >&2\nexit 1\n", "#!/bin/sh\nexit 0\n", "#!/bin/sh\nkill -9 $$\n"):
    failing = compile("failing", "-arch=sm_90", f"--ptxas={script('broken', text)}")
    expect("no code", machine_code(failing) == [] and loads("its PTX", failing)[0] == 2, "")
status, output = run(gridcc, "-arch=sm_90", "--ptxas=/no/such/file", folder / "scale.cu", "-o", folder / "x")
expect("no such file", status == 1 and output.count("\n") == 1 and "--ptxas" in output and "/no/such/file" in output, output)
left = [path.name for path in folder.iterdir() if path.suffix in (".cubin", ".said")]
expect("files are left", left == [], left)
subprocess.run(["rm", "-rf", folder])
sys.exit(problems != 0)
