#!/usr/bin/env python3
# What programs are told of a GPU is what its driver says; limits reach the driver, and its errors the program.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   driver_properties_test.py BUILD
import pathlib
import sys

from gpu_tests import programs_of, run_once

# See tests/devices/fake_cuda/device_calls.cpp.
OF_GPU = {
    "maxThreadsPerMultiProcessor": "1536", "maxBlocksPerMultiProcessor": "24", "sharedMemPerMultiprocessor": "233472",
    "sharedMemPerBlockOptin": "232448", "reservedSharedMemPerBlock": "1024", "regsPerBlock": "65528",
    "regsPerMultiprocessor": "65536", "memoryBusWidth": "5120", "memoryClockRate": "2000000", "clockRate": "1000000",
    "l2CacheSize": "4194304", "asyncEngineCount": "3", "singleToDoublePrecisionPerfRatio": "64", "ECCEnabled": "1",
    "tccDriver": "1", "integrated": "0", "computeMode": "0", "hostNativeAtomicSupported": "0",
    "concurrentManagedAccess": "1", "pageableMemoryAccess": "0", "memoryPoolSupportedHandleTypes": "0",
    "pciBusID": "1", "pciDeviceID": "3", "pciDomainID": "0", "major": "8", "minor": "9",
    "uuid": "000102030405060708090a0b0c0d0e0f", "bus": "0000:01:03.0", "numRegs": "64", "localSizeBytes": "16",
    "binaryVersion": "90", "maxThreadsPerBlock": "1024", "printf": "4096", "managed": "0", "taken": "64", "locked": "0",
    "whole": "0",
}
SECOND = {"pciBusID": "2", "uuid": "101112131415161718191a1b1c1d1e1f", "bus": "0000:02:03.0"}
build = pathlib.Path(sys.argv[1]).resolve()
program = programs_of(build)["devices.device_properties"]
problems = 0


def expect(what, condition, output):
    global problems
    if not condition:
        problems += 1
        print(f"{what}:\n{output}")


def told(setting, **more):
    """Exit status, {name: value}, everything said."""
    status, output, log = run_once(build, "fake", program, setting, **more)
    values = dict(line.split(" ", 1) for line in output.splitlines() if line.count(" ") == 1)
    return status, values, output + log


def expect_told(setting, want, **more):
    status, values, text = told(setting, **more)
    different = {name: values.get(name) for name, value in want.items() if values.get(name) != value}
    expect(f"{setting} {more}: {different}", status == 0 and not different, text)


expect_told("cuda:0", OF_GPU | {"totalGlobalMem": "4096", "free": "4096"})
expect_told("cuda:1", OF_GPU | SECOND)
expect_told("cuda", OF_GPU | {"totalGlobalMem": "4096"})
# Shares, and what other processes have of the memory.
expect_told("cuda:0x4", OF_GPU | {"totalGlobalMem": "1024", "free": "1024"})
expect_told("cuda:0", {"totalGlobalMem": "4096", "free": "1024"}, FAKE_CUDA_OTHERS="3072")
expect_told("cuda:0x4", {"totalGlobalMem": "1024", "free": "512"}, FAKE_CUDA_OTHERS="3584")
expect_told("cuda:0", {"totalGlobalMem": "96", "free": "96", "locked": "0", "whole": "0", "managed": "0"},
            FAKE_CUDA_MEMORY="96")
# A CPU as the device that programs see says nothing of the GPU beside it.
expect_told("cpu+cuda:0", {"memoryBusWidth": "64", "bus": "0000:00:00.0", "numRegs": "32"})
# A driver that answers nothing leaves what CPU devices say.
status, values, text = told("cuda:0", FAKE_CUDA_FAIL="cuFuncGetAttribute:0")
expect("no attributes of kernels", status == 0 and values["numRegs"] == "32", text)

for error, name in [(1, "cudaErrorInvalidValue"), (2, "cudaErrorMemoryAllocation")]:
    for setting in ["cuda:0", "cuda"]:
        status, values, text = told(setting, FAKE_CUDA_FAIL=f"cuCtxSetLimit:0:{error}:3")
        refused = all(f"limit {limit}: {error}" in text for limit in range(3 if setting == "cuda:0" else 2))
        expect(f"limits, {error} on {setting}", status == 0 and refused and name in text, text)
# Each GPU is told.
for setting, limit in [("cuda:0", 1), ("cuda", 0)]:
    status, values, text = told(setting, FAKE_CUDA_FAIL="cuCtxSetLimit:1:1:1")
    expect(f"the second call of limits on {setting}", status == 0 and text.count(f"limit {limit}: 1") == 1, text)
sys.exit(problems > 0)
