"""interrupt.py GRIDCC SOURCE TMPDIR SIGNAL CLANG: sends a signal to gridcc at work, says what is left.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

gridcc, source, temporary, name, clang = sys.argv[1:]
children = pathlib.Path(temporary + ".children")
children.unlink(missing_ok=True)
environment = dict(os.environ, TMPDIR=temporary, GRIDSPAN_CLANG=clang)
process = subprocess.Popen([gridcc, "-c", source, "-o", "interrupted.o"], env=environment)


def child_ids():
    return [int(word) for word in children.read_text().split()] if children.exists() else []


def is_alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False


deadline = time.monotonic() + 60
while len(child_ids()) < 2 and time.monotonic() < deadline:
    time.sleep(0.02)
process.send_signal(getattr(signal, "SIG" + name))
status = process.wait(60)
print(f"ended by signal {-status}")
print("temporary files:", len(os.listdir(temporary)))
print("children still there:", sum(is_alive(pid) for pid in child_ids()))
