#!/usr/bin/env python3
"""Objects hold machine code of the architectures that -arch and -gencode name, where ptxas is installed.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    sdk_machine_code.py BUILD SOURCE...

The assembler is found by itself, and takes what it is given. Exits with 77 (skipped), and says so, where there is no ptxas.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sdk

if not sdk.find("ptxas"):
    print("no ptxas on this machine")
    sys.exit(sdk.SKIPPED)
build = pathlib.Path(sys.argv[1]).resolve()
problems = 0
with tempfile.TemporaryDirectory(prefix="gridspan-machine-") as folder:
    for source in sys.argv[2:]:
        program = pathlib.Path(folder) / "program"
        command = [build / "bin/gridcc", "-w", "-arch=sm_90", "-gencode", "arch=compute_80,code=sm_90", source, "-o", program]
        subprocess.run([*command, f"-I{build.parent}"], check=True)
        text = subprocess.run([build / "bin/gridspan", "ptx", program], check=True, capture_output=True, text=True).stdout
        entries = re.findall(r"\.entry (\S+?)\(", text)
        if not text.startswith("// the object has machine code, too: sm_90\n") or not entries:
            problems += 1
            print(f"{source}: {text.splitlines()[0]}, {len(entries)} entries")
            continue
sys.exit(problems != 0)
