# What gridcc takes and nvcc refuses, or the other way round, and why that is so.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re

# (what nvcc says, or None where it takes the piece; what gridcc says, or None; the reason)
KNOWN = [
    # gridcc takes more.
    (r"more than one instance of (overloaded function|constructor)|is ambiguous", None,
     "of two overloads clang takes the one of the caller's side; for nvcc both are equal"),
    (r"is undefined in device code", None,
     "constants of the host are known in device code (--expt-relaxed-constexpr is always on)"),
    (r"calling a constexpr __host__ function", None, "--expt-relaxed-constexpr is always on"),
    (r"closure type for a lambda|extended .*lambda|--extended-lambda", None,
     "any lambda may be handed to a kernel, and may capture what it can"),
    (r"requires separate compilation mode", None, "kernels launch kernels without -rdc=true"),
    (r"loses precision", None, "g++ refuses (unsigned)pointer in host code; in kernels nvcc takes it"),
    (r"narrowing conversion of", None, "g++ refuses narrowing of constants in host code; in kernels nvcc only warns"),
    (r"in operator\+\+|use of an operand of type .bool.|call to non-.constexpr. function", None,
     "g++ refuses it in host code; in kernels nvcc takes it"),
    (r"expected identifier before .\[. token|expected .* before .\[. token", None,
     "g++ wants attributes in other places than clang"),
    # nvcc takes more.
    (None, r"reference to __host__ function .* in __host__ __device__ function",
     "kernels that reach a host function through others: nvcc warns, and leaves the call out"),
    (None, r"reference to __device__ function .* in __host__ __device__ function",
     "templates that call device functions on the host: nvcc makes a call of abort() of it"),
]


def matches(pattern, said):
    return said is None if pattern is None else said is not None and re.search(pattern, said) is not None


def reason(piece, by_nvcc, by_gridcc):
    """Why the two may disagree about a piece; None if they may not."""
    for nvcc, gridcc, why in KNOWN:
        if matches(nvcc, by_nvcc) and matches(gridcc, by_gridcc):
            return why
    return None
