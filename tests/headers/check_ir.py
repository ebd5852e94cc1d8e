# Compiles everything.cu for the device and checks what our headers turn into.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_ir.py CLANG HEADERS everything.cu"""
import re
import subprocess
import sys

# The llvm.nvvm intrinsics the device compiler must know. A new one in the headers belongs here and
# there.
INTRINSICS = re.compile(r"""llvm\.nvvm\.(
    read\.ptx\.sreg\.(tid|ntid|ctaid|nctaid)\.[xyz] | read\.ptx\.sreg\.clock(64)? |
    barrier0(\.(popc|and|or))? | bar\.warp\.sync | activemask | membar\.(cta|gl|sys) | nanosleep |
    vote\.(all|any|uni|ballot)\.sync | shfl\.sync\.(idx|up|down|bfly)\.[if]32 |
    match\.any\.sync\.i(32|64) | match\.all\.sync\.i(32|64)p |
    redux\.sync\.(add|min|max|umin|umax|and|or|xor) | atomic\.load\.(inc|dec)\.32\.p0
    )""", re.VERBOSE)
CALLS = {"vprintf", "malloc", "free", "__assertfail", "__trap"}


def main():
    clang, headers, source = sys.argv[1:]
    text = subprocess.run(
        [clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc",
         "-nocudalib", "--cuda-path=/nonexistent", "-isystem", headers, "-include",
         "cuda_runtime.h", "-fdeclspec", "-O2", "-std=c++17", "-Xclang", "-target-feature",
         "-Xclang", "+ptx83", "-emit-llvm", "-S", source, "-o", "-"],
        check=True, capture_output=True, text=True).stdout
    failures = []

    def expect(condition, message):
        if not condition:
            failures.append(message)

    expect(not re.search(r"\basm\b", text), "inline assembly in a header")
    names = set(re.findall(r"@(llvm\.nvvm\.[\w.]+)", text))
    for name in sorted(names):
        expect(INTRINSICS.fullmatch(name), f"intrinsic unknown to the device compiler: {name}")
    expect("llvm.nvvm.activemask" in names, "__activemask is not llvm.nvvm.activemask")

    calls = set(re.findall(r"^declare .*@(\w+)\(", text, flags=re.MULTILINE))
    for name in sorted(calls):
        expect(name.startswith("__nv_") or name in CALLS, f"call of unknown {name}")

    body = re.search(r"^define .*@_Z7atomics.*?^}", text, flags=re.MULTILINE | re.DOTALL)[0]
    # 4 + 1 types, 3 scopes each; see everything.cu.
    for operation, count in {"add i32": 6, "add i64": 3, "fadd float": 3, "fadd double": 3,
                             "sub i32": 6, "min i32": 3, "umin i32": 3, "max i64": 3,
                             "umax i64": 3, "and i32": 6, "or i64": 6, "xor i32": 6}.items():
        name, kind = operation.split()
        found = len(re.findall(rf"atomicrmw {name} ptr %\d+, {kind} \S+ monotonic", body))
        # The optimiser may turn `sub x` into `add -x`, but not merge or drop an operation.
        if name in ("add", "sub") and kind == "i32":
            found = len(re.findall(r"atomicrmw (?:add|sub) ptr %\d+, i32 \S+ monotonic", body))
            count = 12
        expect(found == count, f"atomicrmw {operation}: {found} of {count}")
    for kind in ("i16", "i32", "i64"):
        expect(re.search(rf"cmpxchg ptr %\d+, {kind} 1, {kind} 2 monotonic monotonic", body),
               f"no cmpxchg {kind}")
    expect(body.count("atomic.load.inc.32") == 3 and body.count("atomic.load.dec.32") == 3,
           "atomicInc and atomicDec are not one intrinsic each")

    for failure in failures:
        print(failure)
    print(f"{len(names)} intrinsics, {len(calls)} calls, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
