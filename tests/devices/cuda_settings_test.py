#!/usr/bin/env python3
# What GRIDSPAN_DEVICES says of GPUs, with the fake driver and with none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   cuda_settings_test.py BUILD
import json
import os
import pathlib
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()
problems = 0


def run(command, library="", **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    environment.update(variables, LD_LIBRARY_PATH=str(library))
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def expect(what, condition, output):
    global problems
    if not condition:
        problems += 1
        print(f"{what}:\n{output}")


def devices(setting, **variables):
    """Of a machine with the fake driver: exit status, output."""
    return run([build / "bin/gridspan", "devices", "--devices", setting], build / "tests/devices/fake_cuda/lib", **variables)


def kinds_of(setting, **variables):
    command = [build / "bin/gridspan", "devices", "--json", "--devices", setting]
    status, output = run(command, build / "tests/devices/fake_cuda/lib", **variables)
    return [(one["kind"], one["memory_bytes"]) for one in json.loads(output)["devices"]] if status == 0 else output


GIB = 1 << 30
expect("all GPUs", kinds_of("cuda", FAKE_CUDA_GPUS="2") == [("cuda", 4 * GIB)] * 2, "")
expect("one of two", kinds_of("cuda:1", FAKE_CUDA_GPUS="2") == [("cuda", 4 * GIB)], "")
expect("shares", kinds_of("cuda:0x4") == [("cuda", GIB)] * 4, kinds_of("cuda:0x4"))
mixed = [kind for kind, _ in kinds_of("cpu+cuda:0x2+cpu:2+cuda:1", FAKE_CUDA_GPUS="2")]
expect("in order", mixed == ["cpu", "cuda", "cuda", "cpu", "cpu", "cuda"], mixed)

status, output = devices("cuda:2", FAKE_CUDA_GPUS="2")
expect("too few", status == 1 and "cuda:2 is not there: this machine has 2 GPUs" in output, output)
status, output = devices("cuda", FAKE_CUDA_GPUS="0")
expect("no GPU", status == 1 and "the CUDA driver finds no GPU" in output, output)
status, output = devices("cpu", FAKE_CUDA_GPUS="2")
expect("listed", status == 0 and output.count("fake GPU, sm_90") == 2, output)
status, output = devices("cuda:0x65")
expect("too many", status == 1 and "at most 64" in output, output)

# One that is too old for us is left out, and does not keep others from being used.
old = {"FAKE_CUDA_GPUS": "2", "FAKE_CUDA_OLD": "0"}
lack = "compute capability 6.0 is below 7.0"
expect("the suitable one", kinds_of("cuda:1", **old) == [("cuda", 4 * GIB)], kinds_of("cuda:1", **old))
status, output = devices("cuda:0", **old)
expect("the old one", status == 1 and f"GRIDSPAN_DEVICES: cuda: GPU 0 (fake GPU): {lack}" in output, output)
status, output = devices("cpu", **old)
listed = f"fake GPU, sm_60, 8 multiprocessors, 4.0 GiB: cannot be used: {lack}\n"
expect("both are listed", status == 0 and listed in output and "fake GPU, sm_90" in output, output)
status, output = devices("cuda", FAKE_CUDA_GPUS="1", FAKE_CUDA_OLD="0")
expect("only an old one", status == 1 and f"cuda: GPU 0 (fake GPU): {lack}" in output, output)
program = build / "tests/devices/programs/device_properties"
status, output = run([program], build / "tests/devices/fake_cuda/lib", GRIDSPAN_DEVICES="cuda", GRIDSPAN_LOG="warn", **old)
told = f"gridspan: warning: GRIDSPAN_DEVICES: cuda: left out: GPU 0 (fake GPU): {lack}\n"
expect("left out", status == 0 and output.count(told) == 1 and "bus 0000:02:03.0" in output, output)

# Texts that ask for a newer PTX than the driver reads ask for that which it reads.
for version in ["11000", "11080", "12040"]:
    status, output = run([build / "tests/devices/programs/grids"], build / "tests/devices/fake_cuda/lib",
                         GRIDSPAN_DEVICES="cuda", FAKE_CUDA_VERSION=version)
    expect(f"a driver of CUDA {version}", status == 0 and "passed" in output, output)

# A folder that has no library of that name, and one whose library is no driver.
status, output = run([build / "bin/gridspan", "devices"])
has_driver = "cuda:0" in output
expect("why none", has_driver or "none: no CUDA driver" in output, output)
if not has_driver:
    status, output = run([build / "tests/devices/programs/atomics"], GRIDSPAN_DEVICES="cuda")
    expect("no driver", status == 1 and output.startswith("gridspan: error: GRIDSPAN_DEVICES: cuda: no CUDA driver")
           and output.count("\n") == 1, output)

# auto, which is the default: GPUs, unless a variable is set that only CPUs heed, or there are none, or a kernel has no code for them.
library = build / "tests/devices/fake_cuda/lib"


def auto(program, library=library, **variables):
    """Exit status, the kinds of the devices that it ran on, and what else was said."""
    status, output = run([program], library, GRIDSPAN_LOG="info", **variables)
    kinds = ["cuda" if "fake GPU" in line else "cpu" for line in output.splitlines() if ": Gridspan " in line]
    return status, kinds, [line for line in output.splitlines() if "warning" in line]


grids = build / "tests/devices/programs/grids"
for setting in ({}, {"GRIDSPAN_DEVICES": "auto"}):
    expect("auto", auto(grids, FAKE_CUDA_GPUS="2", **setting) == (0, ["cuda", "cuda"], []), auto(grids, FAKE_CUDA_GPUS="2", **setting))
    expect("auto without GPUs", auto(grids, FAKE_CUDA_GPUS="0", **setting) == (0, ["cpu"], []), auto(grids, FAKE_CUDA_GPUS="0", **setting))
expect("auto, an old one", auto(grids, **old) == (0, ["cuda"], [told.strip()]), auto(grids, **old))
only_old = auto(grids, FAKE_CUDA_GPUS="1", FAKE_CUDA_OLD="0")
expect("auto, only an old one", only_old == (0, ["cpu"], []), only_old)
for name, value in [("THREADS", "2"), ("CPU", "interpret"), ("VERIFY", "1"), ("ISOLATE", "1"), ("VIRTUAL_GPUS", "2")]:
    found = auto(grids, **{f"GRIDSPAN_{name}": value})
    expect(f"auto with {name}", found == (0, ["cpu"], []), found)
expect("auto is no term", run([grids], library, GRIDSPAN_DEVICES="auto+cpu")[0] == 1, "")
with tempfile.TemporaryDirectory() as folder:
    source, parent = pathlib.Path(folder) / "parent.cu", pathlib.Path(folder) / "parent"
    source.write_text("""#include <cstdlib>
__global__ void child(int* x) { *x += 2; }
__global__ void parent(int* x) { *x = 30; child<<<1, 1>>>(x); cudaDeviceSynchronize(); *x += 10; }
int main() {
  int *x, y = 0;
  cudaMalloc(&x, sizeof y);
  parent<<<1, 1>>>(x);
  cudaMemcpy(&y, x, sizeof y, cudaMemcpyDeviceToHost);
  return y == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
""")
    status, output = run([build / "bin/gridcc", source, "-o", parent])
    expect("a kernel that waits for another one", status == 0, output)
    line = (f"gridspan: warning: kernel 'parent(int*)': it has no code for GPUs; gridspan explain says why ({source}:3): the program runs "
            "on the CPU; GRIDSPAN_DEVICES=cuda runs all others on GPUs")
    expect("it runs on the CPU", auto(parent) == (0, ["cpu"], [line]), auto(parent))

# What does not know GPUs yet says so.
for name, value in [("VERIFY", "1"), ("ISOLATE", "1"), ("VIRTUAL_GPUS", "2")]:
    variables = {f"GRIDSPAN_{name}": value, "GRIDSPAN_DEVICES": "cuda"}
    status, output = run([build / "tests/devices/programs/atomics"], build / "tests/devices/fake_cuda/lib", **variables)
    line = f"gridspan: error: GRIDSPAN_{name}: not supported with CUDA devices yet\n"
    expect(name, status == 1 and output == line, output)
# Plans are recorded (shares_test.py, places_test.py), contents of memory are not.
for setting in ["cuda", "cuda:0", "cpu+cuda"]:
    variables = {"GRIDSPAN_RECORD": "/dev/null", "GRIDSPAN_RECORD_DATA": "1", "GRIDSPAN_DEVICES": setting}
    status, output = run([build / "tests/devices/programs/atomics"], build / "tests/devices/fake_cuda/lib", **variables)
    expect(f"data on {setting}", status == 1 and "GRIDSPAN_RECORD: not supported with CUDA devices yet" in output, output)
# A GPU without registers for large blocks refuses them, and goes on.
for setting in ["cuda", "cuda:0x3", "cpu+cuda"]:
    variables = {"GRIDSPAN_DEVICES": setting, "FAKE_CUDA_THREADS": "256"}
    status, output = run([build / "tests/devices/programs/register_limits"], build / "tests/devices/fake_cuda/lib", **variables)
    expect(f"registers on {setting}", status == 0 and ("at most 256" in output) == (setting != "cpu+cuda"), output)
sys.exit(problems > 0)
