"""interrupt.py GRIDCC SOURCE TMPDIR SIGNAL CLANG: sends a signal to gridcc at work, says what is left.

A first signal before the one that ends, as in HUP,TERM, is ignored from the start, as with nohup.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

gridcc, source, temporary, names, clang = sys.argv[1:]
*ignored, ending = [getattr(signal, "SIG" + name) for name in names.split(",")]
children = pathlib.Path(temporary + ".children")
children.unlink(missing_ok=True)


def plain_signals():
    """Whoever runs the tests may ignore or block signals; we inherit that, gridcc must not."""
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN if one in ignored else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def child_ids():
    return [int(word) for word in children.read_text().split()] if children.exists() else []


def is_alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state not in "ZX"  # a zombie waits for its parent only
    except (FileNotFoundError, ProcessLookupError):
        return False


def end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


process = subprocess.Popen(
    [gridcc, "-c", source, "-o", "interrupted.o"],
    env=dict(os.environ, TMPDIR=temporary, GRIDSPAN_CLANG=clang),
    preexec_fn=plain_signals,
)
deadline = time.monotonic() + 100
while len(child_ids()) < 2 and process.poll() is None and time.monotonic() < deadline:
    time.sleep(0.005)
for one in ignored:
    process.send_signal(one)
    time.sleep(0.2)
    print(f"signal {int(one)} ignored: {process.poll() is None}")
process.send_signal(ending)
try:
    print(f"ended by signal {-process.wait(100)}")
except subprocess.TimeoutExpired:
    process.kill()
    print("did not end")
left = [pid for pid in child_ids() if is_alive(pid)]
print("children:", len(child_ids()))
print("temporary files:", len(os.listdir(temporary)))
print("children still there:", len(left))
for pid in left:  # whatever went wrong, nothing of it stays on this machine
    end(pid)
