# What gridcc takes and nvcc refuses, or the other way round, and why that is so.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re

# (what nvcc says, or None where it takes the piece; what gridcc says, or None; the reason)
KNOWN = []


def matches(pattern, said):
    return said is None if pattern is None else said is not None and re.search(pattern, said) is not None


def reason(piece, by_nvcc, by_gridcc):
    """Why the two may disagree about a piece; None if they may not."""
    for nvcc, gridcc, why in KNOWN:
        if matches(nvcc, by_nvcc) and matches(gridcc, by_gridcc):
            return why
    return None
