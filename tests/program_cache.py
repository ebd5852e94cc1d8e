#!/usr/bin/env python3
# Keeps what gridcc made of test programs, so that a change that leaves the compiler alone does not compile them again;
# and what nvcc said of its own.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   program_cache.py self-test
#
# Entries lie beside ccache's, in FOLDER; TEST_PROGRAM_CACHE names another folder, or is `no`. An entry's name is a digest
# of everything that its content depends on: gridcc, its plug-ins and device libraries, all CUDA headers and headers of tests,
# the names that programs link with, clang, linker and system headers (by size and time), the command, the sources, and the
# place of the program, which gridcc makes part of a module's identity. What is linked statically counts by content.
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

MOST_DAYS = 14  # since an entry was of use
ENVIRONMENT = ("GRIDSPAN_CLANG", "CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH")
TESTS = pathlib.Path(__file__).resolve().parent
# A package that brings another version brings other times.
SYSTEM = ("clang++-19", "ld.lld-19", "ld", "g++", "/usr/include/features.h", "/usr/lib/llvm-19/lib/libLLVM.so.1",
          "/usr/lib/llvm-19/lib/libclang-cpp.so.19.1", "/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/local/cuda/bin/nvcc")


def folder():
    """Where entries lie; None: nowhere."""
    chosen = os.environ.get("TEST_PROGRAM_CACHE")
    if chosen:
        return None if chosen == "no" else pathlib.Path(chosen)
    if not shutil.which("ccache"):
        return None
    asked = subprocess.run(["ccache", "--get-config", "cache_dir"], capture_output=True, text=True)
    return pathlib.Path(asked.stdout.strip()) / "gridspan_programs" if asked.returncode == 0 else None


class Digest:
    def __init__(self):
        self.sha = hashlib.sha256()

    def add(self, *texts):
        for text in texts:
            data = text if isinstance(text, bytes) else str(text).encode()
            self.sha.update(b"%d:" % len(data) + data)

    def add_files(self, paths):
        for path in sorted(paths):
            if path.is_file():
                self.add(path, path.read_bytes())


def system_state():
    for name in SYSTEM:
        path = shutil.which(name) or name
        if os.path.exists(path):
            state = os.stat(path)
            yield f"{os.path.realpath(path)} {state.st_size} {int(state.st_mtime)}"
    cpu = pathlib.Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else ""
    yield from sorted({line for line in cpu.splitlines() if line.startswith(("flags", "model"))})  # -march=native


def exported_names(library):
    """What nm says; remembered, since hundreds of programs ask for the same libraries."""
    state = os.stat(library)
    root = folder()
    known = root and root / "names" / hashlib.sha256(
        f"{library.resolve()} {state.st_size} {state.st_mtime_ns}".encode()).hexdigest()
    if known and known.is_file():
        return known.read_text()
    said = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], capture_output=True, text=True).stdout
    if known:
        known.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=known.parent, delete=False) as made:
            made.write(said)
        os.replace(made.name, known)
    return said


def names_of(text):
    return "\n".join(sorted(line.split(" ")[0] for line in text.splitlines()))


def included(source):
    """Files that the source includes by a path from its folder, and those that these include."""
    found, left = set(), [source]
    while left:
        file = left.pop()
        if not file.is_file():
            continue
        for name in re.findall(r'^\s*#\s*include\s+"(.+)"', file.read_text(errors="replace"), re.MULTILINE):
            path = (file.parent / name).resolve()
            if path.is_file() and path not in found:
                found.add(path)
                left.append(path)
    return found


def key(gridcc, command, sources, place, is_static):
    """Of a program at `place` that `command` makes of the files `sources` with this gridcc."""
    build = pathlib.Path(gridcc).resolve().parent.parent
    digest = Digest()
    digest.add(*command, place, *(f"{name}={os.environ.get(name, '')}" for name in ENVIRONMENT), *system_state())
    digest.add_files([pathlib.Path(gridcc), *(build / "lib/gridspan").rglob("*"), *(build / "include").rglob("*")])
    digest.add_files(set(sources).union(*(included(source) for source in sources)))
    digest.add_files([*TESTS.rglob("*.h"), *(TESTS.parent / "examples").glob("*.h")])
    libraries = (build / "lib").glob("libgridspan*")
    for library in sorted(libraries):
        if is_static:
            digest.add_files([library])
        elif library.suffix == ".so":
            digest.add(library, names_of(exported_names(library)))
    return digest.sha.hexdigest()


def fetch(name, target):
    """Puts an entry's files into a folder; False if there is none."""
    entry = folder() and folder() / name
    if not entry or not entry.is_dir():
        return False
    try:
        for file in entry.iterdir():
            copy(file, target / file.name)
        os.utime(entry)
    except OSError:  # somebody removes it
        return False
    return True


def store(name, files):
    if not (root := folder()):
        return
    root.mkdir(parents=True, exist_ok=True)
    made = pathlib.Path(tempfile.mkdtemp(dir=root))
    try:
        for file in files:
            copy(file, made / file.name)
        made.rename(root / name)
    except OSError:  # another one was faster, or the disk is full
        shutil.rmtree(made, ignore_errors=True)
    remove_old(root)


def kept(gridcc, command, source, program, compile):
    """compile(), which makes `program` of `source` and gives an exit status and what was said; but where the environment
    says TEST_PROGRAM_KEEP=1, as tests with fixed seeds have it, what the same call made before."""
    if os.environ.get("TEST_PROGRAM_KEEP") != "1":
        return compile()
    name = key(gridcc, command, [source], program, is_static=False)
    if fetch(name, program.parent):
        return 0, ""
    status, said = compile()
    if status == 0 and not said.strip():
        store(name, [program])
    return status, said


def remembered(texts, ask):
    """What ask(), which makes a JSON value, made for the same texts before, else what it makes now."""
    digest = Digest()
    digest.add(*texts, *system_state())
    name = digest.sha.hexdigest()
    with tempfile.TemporaryDirectory() as work:
        answer = pathlib.Path(work) / "answer.json"
        if fetch(name, pathlib.Path(work)):
            return json.loads(answer.read_text())
        answer.write_text(json.dumps(ask()))
        store(name, [answer])
        return json.loads(answer.read_text())


def copy(source, target):
    """A program that runs keeps its file."""
    target.unlink(missing_ok=True)
    shutil.copy2(source, target)


def remove_old(root):
    for entry in root.iterdir():
        try:
            if entry.stat().st_mtime < time.time() - MOST_DAYS * 86400:
                shutil.rmtree(entry, ignore_errors=True)
        except OSError:
            pass  # somebody else removed it


def self_test():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        os.environ["TEST_PROGRAM_CACHE"] = str(work / "cache")
        build = work / "build"
        for name in ("bin/gridcc", "lib/gridspan/plugin.so", "include/gridspan/cuda/a.h", "lib/libgridspan.a", "a.inc", "b.inc"):
            (build / name).parent.mkdir(parents=True, exist_ok=True)
            (build / name).write_text("1")
        (build / "source.cu").write_text('#include "a.inc"\n')
        (build / "a.inc").write_text('  # include "b.inc"\n')
        source, program = build / "source.cu", work / "program"

        def key_of(command=("-O2",), place=program, is_static=False):
            return key(build / "bin/gridcc", command, [source], place, is_static)

        first = key_of()
        assert first == key_of()
        assert len({first, key_of(("-O3",)), key_of(("-O", "2")), key_of(place=work / "other"), key_of(is_static=True)}) == 5
        for name in ("bin/gridcc", "lib/gridspan/plugin.so", "include/gridspan/cuda/a.h", "source.cu", "a.inc", "b.inc"):
            before = (build / name).read_text()
            (build / name).write_text(before + "2")
            assert key_of() != first, name
            (build / name).write_text(before)
            assert key_of() == first, name
        static = key_of(is_static=True)
        (build / "lib/libgridspan.a").write_text("2")
        assert key_of() == first and key_of(is_static=True) != static

        program.write_text("made")
        program.chmod(0o755)
        assert not fetch(first, work)
        store(first, [program])
        store(first, [program])  # the second of two at a time
        program.unlink()
        assert fetch(first, work) and program.read_text() == "made" and os.access(program, os.X_OK)
        assert len(list((work / "cache").iterdir())) == 1
        os.utime(work / "cache" / first, (0, 0))
        store("0" * 64, [program])
        assert not fetch(first, work) and fetch("0" * 64, work)

        asked = []
        for texts in (["a", "b"], ["a", "b"], ["ab"]):
            assert remembered(texts, lambda: asked.append(texts) or [1, texts]) == [1, texts]
        assert asked == [["a", "b"], ["ab"]]
        os.environ["TEST_PROGRAM_CACHE"] = "no"
        assert not fetch("0" * 64, work)
    assert names_of("b T 1 2\na T\n") == "a\nb"


if __name__ == "__main__":
    sys.exit(self_test())
