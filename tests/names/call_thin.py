#!/usr/bin/env python3
"""call_thin.py LIB64: calls functions that versions of CUDA have in different forms, through our thin libraries.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ctypes
import pathlib
import struct
import sys

# Of cudaDeviceProp by version: its size, where `major` is, where `multiProcessorCount` is.
PROPERTIES = {
    "libcudart.so.11.0 cudaGetDeviceProperties": (None, 360, 388),
    "libcudart.so.12 cudaGetDeviceProperties": (None, 360, 388),
    "libcudart.so.12 cudaGetDeviceProperties_v2": (1032, 360, 388),
    "libcudart.so.13 cudaGetDeviceProperties": (1008, 360, 384),
}


def check(condition, what):
    if not condition:
        sys.exit(f"wrong: {what}")


def check_properties(lib64):
    driver = ctypes.CDLL(str(lib64 / "libcuda.so.1"))
    check(driver.cuInit(0) == 0, "cuInit")
    value = ctypes.c_int(-1)
    wanted = {}
    for name, number in (("major", 75), ("multiprocessors", 16)):
        check(driver.cuDeviceGetAttribute(ctypes.byref(value), number, 0) == 0, name)
        wanted[name] = value.value
    for where, (size, major, multiprocessors) in PROPERTIES.items():
        library, function = where.split()
        got = ctypes.create_string_buffer(b"\xee" * 2000, 2000)
        check(getattr(ctypes.CDLL(str(lib64 / library)), function)(got, 0) == 0, where)
        check(b"Gridspan" in got.raw[:256], f"{where}: name")
        check(struct.unpack_from("i", got, major)[0] == wanted["major"], f"{where}: major")
        check(struct.unpack_from("i", got, multiprocessors)[0] == wanted["multiprocessors"],
              f"{where}: multiprocessors")
        end = len(got.raw.rstrip(b"\xee"))
        check(end <= (size or 760), f"{where}: writes {end} bytes")


def check_memory(lib64):
    """Memory of one library is known to all: they are one run time."""
    old, new = (ctypes.CDLL(str(lib64 / f"libcudart.so.{major}")) for major in (12, 13))
    driver = ctypes.CDLL(str(lib64 / "libcuda.so.1"))
    memory = ctypes.c_void_p()
    check(old.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(1003)) == 0, "cudaMalloc")
    check(new.cudaMemset(memory, 0x5a, ctypes.c_size_t(1003)) == 0, "cudaMemset")
    got = ctypes.create_string_buffer(1003)
    check(driver.cuCtxGetCurrent(ctypes.byref(ctypes.c_void_p())) == 0, "cuCtxGetCurrent")
    check(old.cudaMemcpy(got, memory, ctypes.c_size_t(1003), 2) == 0, "cudaMemcpy")
    check(got.raw == b"\x5a" * 1003, "contents")
    managed = ctypes.c_void_p()
    size = ctypes.c_size_t(5000)
    check(old.cudaMallocManaged(ctypes.byref(managed), size, 1) == 0, "cudaMallocManaged")

    class Location(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int)]

    # A device by number in 12, a place by type and number in 13.
    check(old.cudaMemPrefetchAsync(managed, size, 0, None) == 0, "prefetch 12")
    check(old.cudaMemPrefetchAsync(managed, size, 55, None) != 0, "prefetch 12 to no device")
    check(new.cudaMemPrefetchAsync(managed, size, Location(1, 0), 0, None) == 0, "prefetch 13")
    check(new.cudaMemPrefetchAsync(managed, size, Location(1, 55), 0, None) != 0,
          "prefetch 13 to no device")
    old.cudaGetLastError()
    check(new.cudaFree(memory) == 0 and new.cudaFree(managed) == 0, "cudaFree")


def check_capture(lib64):
    """The first form of a call must not write where later ones have more results."""
    for name, form in (("libcudart.so.11.0", "cudaStreamGetCaptureInfo"),
                       ("libcudart.so.12", "cudaStreamGetCaptureInfo")):
        library = ctypes.CDLL(str(lib64 / name))
        status, number = ctypes.c_int(-1), ctypes.c_ulonglong(7)
        poison = [ctypes.c_ulonglong(0xeeeeeeee) for _ in range(3)]
        result = getattr(library, form)(None, ctypes.byref(status), ctypes.byref(number),
                                        *map(ctypes.byref, poison))
        check(result == 0 and status.value == 0, f"{name} {form}")
        check(all(one.value == 0xeeeeeeee for one in poison), f"{name} {form} writes too much")
    driver = ctypes.CDLL(str(lib64 / "libcuda.so.1"))
    found, status = ctypes.c_void_p(), ctypes.c_int(-9)
    name, flags = ctypes.c_char_p(b"cuMemAlloc"), ctypes.c_ulonglong(0)
    check(driver.cuGetProcAddress(name, ctypes.byref(found), 11030, flags, ctypes.byref(status)) == 0
          and found.value and status.value == -9, "cuGetProcAddress of CUDA 11.3 has four parameters")
    check(driver.cuGetProcAddress_v2(name, ctypes.byref(found), 12000, flags, ctypes.byref(status)) == 0
          and found.value and status.value == 0, "cuGetProcAddress_v2")


def check_others(lib64):
    for major in ("11.2", "12", "13"):
        number = ctypes.c_int()
        library = ctypes.CDLL(str(lib64 / f"libnvrtc.so.{major}"))
        check(library.nvrtcVersion(ctypes.byref(number), ctypes.byref(ctypes.c_int())) == 0,
              "nvrtcVersion")
    management = ctypes.CDLL(str(lib64 / "libnvidia-ml.so.1"))
    count = ctypes.c_uint()
    check(management.nvmlInit_v2() == 0, "nvmlInit_v2")
    check(management.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0 and count.value == 1, "count")


def main():
    lib64 = pathlib.Path(sys.argv[1])
    for check_one in (check_properties, check_memory, check_capture, check_others):
        check_one(lib64)
    print("right")


if __name__ == "__main__":
    main()
