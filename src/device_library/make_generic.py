# Removes from linked bitcode what ties it to one processor, so that it inlines into any caller.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: make_generic.py OPT INPUT.bc OUTPUT.bc"""
import re
import subprocess
import sys

# String attributes of the compilation, not of the function.
ATTRIBUTES = ("target-cpu", "target-features", "tune-cpu", "frame-pointer", "min-legal-vector-width",
              "stack-protector-buffer-size", "no-trapping-math", "uwtable")


def main():
    opt, source, destination = sys.argv[1:]
    text = subprocess.run([opt, "-S", source, "-o", "-"], check=True, capture_output=True,
                          text=True).stdout
    for name in ATTRIBUTES:
        text = re.sub(rf' "{name}"="[^"]*"', "", text)
    text = re.sub(r" uwtable(\(\w+\))?", "", text)
    # Nothing is left of the attributes of some functions; none of them throws.
    text = re.sub(r"^(attributes #\d+ = \{) *\}", r"\1 nounwind }", text, flags=re.MULTILINE)
    # Module flags and idents would clash with those of the module that links this one.
    text = re.sub(r"^!llvm\.(module\.flags|ident) = .*\n", "", text, flags=re.MULTILINE)
    # Triple and layout are the caller's.
    text = re.sub(r"^target (triple|datalayout) = .*\n", "", text, flags=re.MULTILINE)
    subprocess.run([opt, "-", "-o", destination], input=text, check=True, text=True)


if __name__ == "__main__":
    main()
