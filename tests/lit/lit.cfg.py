# How lit runs the driver and lowering tests.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import lit.formats

config.name = "gridspan"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".cpp", ".ll", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.gridspan_test_dir

# Tools come from the build and from LLVM; nothing else of the user's environment matters.
config.environment["PATH"] = os.path.pathsep.join(
    [config.gridspan_bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "/usr/bin:/bin")])
config.environment["LC_ALL"] = "C"
for name in list(config.environment):
    if name.startswith("GRIDSPAN_"):
        del config.environment[name]

# Headers that one test has had precompiled serve the others. Device code is compiled each time.
config.environment["GRIDSPAN_DEVICE_CACHE"] = "off"
config.environment["XDG_CACHE_HOME"] = os.path.join(config.gridspan_test_dir, "cache")

# The longer names first: lit replaces text, not words.
config.substitutions += [
    ("%gridspan-ptx", os.path.join(config.gridspan_bin_dir, "gridspan-ptx")),
    ("%gridspan-lower", os.path.join(config.gridspan_bin_dir, "gridspan-lower")),
    ("%gridspan", os.path.join(config.gridspan_bin_dir, "gridspan")),
    ("%gridcc", os.path.join(config.gridspan_bin_dir, "gridcc")),
    ("%libdir", config.gridspan_lib_dir),
    ("%headers", config.gridspan_include_dir),
    ("%python", config.python),
]
