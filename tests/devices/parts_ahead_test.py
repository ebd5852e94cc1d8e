#!/usr/bin/env python3
# One of several GPUs runs a program alone until the others are there and the driver has compiled what runs parts of grids;
# nobody waits for that.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   parts_ahead_test.py BUILD
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

build = pathlib.Path(sys.argv[1]).resolve()
folder = pathlib.Path(tempfile.mkdtemp(prefix="gridspan-parts-"))
problems = 0

# Launches that are worth dividing, if there are many threads; each is waited for.
SOURCE = r"""
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>
__global__ void turn(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i];
  for (int k = 0; k < 500; ++k) x = x * 0.5f + k;
  a[i] = x;
}
// Nothing is known of how long these take.
__global__ void turn_as_told(float* a, const int* turns, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i];
  for (int k = 0; k < turns[i]; ++k) x = x * 0.5f + k;
  a[i] = x;
}
// More launches than are kept, of a stream of their own, while another stream waits for the program.
int work_beside_a_wait(int n) {
  float* a;
  cudaStream_t waiting, working;
  static std::atomic<bool> may_go_on{false};
  if (cudaMalloc(&a, n * sizeof *a) != cudaSuccess || cudaMemset(a, 0, n * sizeof *a) != cudaSuccess) return 7;
  cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&working, cudaStreamNonBlocking);
  cudaLaunchHostFunc(waiting, [](void*) { while (!may_go_on) std::this_thread::yield(); }, nullptr);
  for (int i = 0; i < 1500; ++i) {
    turn<<<(n + 127) / 128, 128, 0, working>>>(a, n);
    if (i == 5) std::this_thread::sleep_for(std::chrono::milliseconds(400));  // as if that stream alone were used
  }
  may_go_on = true;
  if (cudaDeviceSynchronize() != cudaSuccess) return 8;
  float last;
  cudaMemcpy(&last, a + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("sum %.17g\n", last);
  return 0;
}
int work(int count, char** arguments) {
  if (std::getenv("WAITING")) return work_beside_a_wait(std::atoi(arguments[1]));
  const int n = std::atoi(arguments[1]), steps = std::atoi(arguments[2]);
  if (std::getenv("SET_LIMITS") && (cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 21) != cudaSuccess ||
                                    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24) != cudaSuccess))
    return 4;
  float *a, *host = new float[n];
  for (int i = 0; i < n; ++i) host[i] = i % 17;
  if (cudaMalloc(&a, n * sizeof *a) != cudaSuccess) return 1;
  cudaMemcpy(a, host, n * sizeof *a, cudaMemcpyHostToDevice);
  const int reset = count > 3 ? std::atoi(arguments[3]) : -1;
  const bool is_unknown = std::getenv("UNKNOWN");
  for (int step = 0; step < (is_unknown ? 0 : steps); ++step) {
    if (step == reset) {
      cudaMemcpy(host, a, n * sizeof *a, cudaMemcpyDeviceToHost);
      if (cudaDeviceReset() != cudaSuccess || cudaMalloc(&a, n * sizeof *a) != cudaSuccess) return 3;
      cudaMemcpy(a, host, n * sizeof *a, cudaMemcpyHostToDevice);
    }
    turn<<<(n + 127) / 128, 128>>>(a, n);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  }
  if (is_unknown) {
    int* turns;
    if (cudaMalloc(&turns, n * sizeof *turns) != cudaSuccess) return 5;
    int* const told = new int[n];
    for (int i = 0; i < n; ++i) told[i] = 500;
    cudaMemcpy(turns, told, n * sizeof *turns, cudaMemcpyHostToDevice);
    for (int step = 0; step < steps; ++step) turn_as_told<<<(n + 127) / 128, 128>>>(a, turns, n);
    if (cudaDeviceSynchronize() != cudaSuccess) return 6;
  }
  cudaMemcpy(host, a, n * sizeof *a, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (i % 1000 + 1.0) * host[i];
  std::printf("sum %.17g\n", sum);
  return 0;
}
int main(int count, char** arguments) {
  if (!std::getenv("IN_THREAD")) return work(count, arguments);
  int status = 1;
  std::thread([&] { status = work(count, arguments); }).join();
  return status;
}
"""


def expect(what, condition, seen):
    global problems
    if not condition:
        problems += 1
        print(f"{what}: {seen}")


def run(*command, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GRIDSPAN_", "CUDA_", "FAKE_"))}
    environment.update(variables, XDG_CACHE_HOME=str(folder / "cache"))
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200)
    return done.returncode, done.stdout


def on_gpus(n, steps, devices="cuda", reset=-1, **variables):
    """The program's result, launches of the driver, loads of code, launches on the home device alone, and all the output."""
    library = os.pathsep.join(str(build / part) for part in ("lib", "tests/devices/fake_cuda/lib"))
    begin = time.monotonic()
    status, output = run(folder / "turns", str(n), str(steps), str(reset), LD_LIBRARY_PATH=library, FAKE_CUDA_GPUS="2", FAKE_CUDA_COUNTS="1",
                         GRIDSPAN_MEASURE="off", GRIDSPAN_DEVICES=devices, GRIDSPAN_LOG="info", **{"GRIDSPAN_FUSE": "off", **variables})
    expect(f"{n} {steps} {variables}", status == 0, f"exit {status}\n{output}")

    def number(pattern):
        found = re.search(pattern, output)
        return int(found[1]) if found else 0

    return {"sum": re.findall("sum .*", output), "launches": number(r"(\d+) calls of cuLaunchKernel"),
            "loads": number(r"(\d+) calls of cuModuleLoadDataEx"), "alone": number(r"launches_on_home_alone (\d+)"),
            "limits": number(r"(\d+) calls of cuCtxSetLimit"), "contexts": number(r"(\d+) calls of cuDevicePrimaryCtxRetain"), "seconds": time.monotonic() - begin, "output": output}


(folder / "turns.cu").write_text(SOURCE)
status, output = run(build / "bin/gridcc", "--ptxas=none", folder / "turns.cu", "-o", folder / "turns")
expect("it compiles", status == 0, output)
MANY, FEW, STEPS = 1 << 19, 100, 60
one = on_gpus(MANY, STEPS, "cuda:0")
expect("one GPU loads no clones", one["loads"] == 1 and len(one["sum"]) == 1, one)

# They are there when 30 launches have come: until then no launch waits, which would take seconds, and none is divided.
ahead = on_gpus(MANY, STEPS, FAKE_CUDA_CLONES_AFTER="30")
expect("the same result", ahead["sum"] == one["sum"], ahead)
expect("launches before that are whole", 30 <= ahead["alone"] < STEPS, ahead)
expect("later ones are divided", ahead["launches"] > STEPS and "launches are divided" in ahead["output"], ahead)
expect("nobody waits", ahead["seconds"] < 18, ahead)

# The other GPU is not touched before: memory of the first is reached from there all the same.
for peers in ("none", "direct"):
    late = on_gpus(MANY, STEPS, FAKE_CUDA_CONTEXT_MS="150", FAKE_CUDA_PEERS=peers)
    expect(f"{peers}: the same result", late["sum"] == one["sum"], late)
    expect(f"{peers}: launches before that are whole", 0 < late["alone"] < STEPS, late)
    expect(f"{peers}: later ones are divided", "launches are divided" in late["output"] and late["contexts"] == 2, late)
random = on_gpus(MANY, STEPS, FAKE_CUDA_PEERS="direct", GRIDSPAN_POLICY="random:7")
expect("changes at random", random["sum"] == one["sum"] and random["contexts"] == 2, random)

# It cannot be had: the program goes on on one, and says so once.
lacking = on_gpus(MANY, STEPS, FAKE_CUDA_FAIL="cuDevicePrimaryCtxRetain:1:2")
said = lacking["output"].count("launches stay on one: GRIDSPAN_DEVICES: cuda:1: ")
expect("no context", lacking["alone"] == STEPS and lacking["sum"] == one["sum"] and said == 1, lacking)
needed = subprocess.run([folder / "turns", "1000", "1"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200, env={
    "LD_LIBRARY_PATH": os.pathsep.join(str(build / part) for part in ("lib", "tests/devices/fake_cuda/lib")), "FAKE_CUDA_GPUS": "2",
    "FAKE_CUDA_FAIL": "cuDevicePrimaryCtxRetain:2:2", "GRIDSPAN_MEASURE": "off", "GRIDSPAN_DEVICES": "cuda", "GRIDSPAN_POLICY": "fixed"})
expect("plans that must repeat need it", needed.returncode == 1 and "gridspan: error: GRIDSPAN_DEVICES: cuda:" in needed.stdout, needed.stdout)

# Plans that must repeat wait.
fixed = on_gpus(MANY, STEPS, GRIDSPAN_POLICY="fixed")
expect("fixed: all are divided", fixed["launches"] == 2 * STEPS and fixed["sum"] == one["sum"], fixed)

# Launches that nobody waits for come in windows, which may become one kernel: they are timed all the same.
unknown = {"UNKNOWN": "1", "GRIDSPAN_FUSE": "on"}
windows = on_gpus(MANY, STEPS * 2, **unknown)
expect("windows", "launches are divided: 'turn_as_told" in windows["output"] and windows["sum"] == on_gpus(MANY, STEPS * 2, "cuda:0", **unknown)["sum"], windows)

# The thread that launches never waits for what another stream waits for.
waiting = on_gpus(1 << 16, 0, WAITING="1")
expect("a full queue", waiting["sum"] == on_gpus(1 << 16, 0, "cuda:0", WAITING="1")["sum"] and len(waiting["sum"]) == 1, waiting)

# What runs alone in any case needs no clones.
few = on_gpus(FEW, STEPS)
expect("few threads", few["loads"] == 1 and few["alone"] == STEPS and few["contexts"] == 1, few)

# Limits are set on a GPU when it is made, not before; one that refuses them is not used.
limits = {"SET_LIMITS": "1"}
few = on_gpus(FEW, STEPS, **limits)
expect("limits make no device", few["contexts"] == 1 and few["limits"] == 2 and len(few["sum"]) == 1, few)
many = on_gpus(MANY, STEPS, **limits)
expect("limits of both", many["contexts"] == 2 and many["limits"] == 4 and many["sum"] == one["sum"], many)
refusing = on_gpus(MANY, STEPS, FAKE_CUDA_FAIL="cuCtxSetLimit:2:1", **limits)
said = len(re.findall("launches stay on one: fake GPU, .* refuses a limit of 2097152", refusing["output"]))
expect("one refuses", refusing["alone"] == STEPS and refusing["sum"] == one["sum"] and said == 1, refusing)

# They cannot be had: the program goes on on one, and says so once.
failed = on_gpus(MANY, STEPS, FAKE_CUDA_FAIL="cuModuleLoadDataEx:2:218:1")
said = failed["output"].count("stay on one: device 1 cannot run parts")
expect("refused", failed["alone"] == STEPS and failed["sum"] == one["sum"] and said == 1, failed)

# The program ends meanwhile.
short = on_gpus(MANY, 3, FAKE_CUDA_CLONES_AFTER="3")
expect("a short program", short["alone"] == 3, short)
for place in ({}, {"IN_THREAD": "1"}):
    ends = on_gpus(MANY, 3, FAKE_CUDA_COMPILE_MS="300", **place)
    expect(f"a program that ends while the driver compiles {place}", len(ends["sum"]) == 1, ends)
    ends = on_gpus(MANY, 3, FAKE_CUDA_CONTEXT_MS="300", **place)
    expect(f"a program that ends while the driver makes a context {place}", len(ends["sum"]) == 1, ends)

# Much memory: the other GPU is made ready while the program prepares its data.
large = on_gpus(1 << 26, 0)
expect("much memory", large["contexts"] == 2 and len(large["sum"]) == 1, large)

# The program gives everything back while the other GPU's code is being compiled, and goes on.
for reset in (1, 2, 5):
    again = on_gpus(MANY, 12, reset=reset, FAKE_CUDA_COMPILE_MS="300")
    alone = on_gpus(MANY, 12, "cuda:0", reset=reset)
    expect(f"a reset after {reset}", again["sum"] == alone["sum"] and len(again["sum"]) == 1, again)
subprocess.run(["rm", "-rf", folder])
sys.exit(problems != 0)
