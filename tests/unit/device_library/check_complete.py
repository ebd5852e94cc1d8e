# Checks that the device library defines every function clang's headers may call.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_complete.py CLANG LLVM_NM LIBRARY.bc"""
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    clang, nm, library = sys.argv[1:]
    resources = output(clang, "-print-resource-dir").strip()
    with open(f"{resources}/include/__clang_cuda_libdevice_declares.h") as file:
        header = file.read()
    # The SIMD functions in this block exist for CUDA 9.0 and 9.1 only.
    header = re.sub(r"#if CUDA_VERSION >= 9000 && CUDA_VERSION < 9020.*?#endif", "", header,
                    flags=re.DOTALL)
    wanted = set(re.findall(r"\b__nv_\w+", header))
    defined = set(re.findall(r"\bT (__nv_\w+)", output(nm, library)))
    missing = sorted(wanted - defined)
    print(f"{len(wanted)} functions declared, {len(missing)} missing")
    for name in missing:
        print("missing:", name)
    text = output(nm.replace("llvm-nm", "llvm-dis"), library, "-o", "-")
    tied = re.findall(r'"(?:target-cpu|target-features|tune-cpu|frame-pointer)"', text)
    if tied:
        print("attributes of one processor left:", sorted(set(tied)))
    return 1 if missing or tied or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
