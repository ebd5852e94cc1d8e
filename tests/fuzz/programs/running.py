# Compiles libraries, runs programs on them, compares what programs read with one device's.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent))
import program_cache  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
REFERENCE = {"GRIDSPAN_DEVICES": "cpu:1"}
SETTINGS = [
    {"GRIDSPAN_DEVICES": "cpu:2x1"},
    {"GRIDSPAN_DEVICES": "cpu:3x1"},
    {"GRIDSPAN_DEVICES": "cpu:4x1"},
    {"GRIDSPAN_DEVICES": "cpu:4x1", "GRIDSPAN_POLICY": "always"},  # cuts along two axes
    {"GRIDSPAN_DEVICES": "cpu:6x1", "GRIDSPAN_POLICY": "always"},
    {"GRIDSPAN_DEVICES": "cpu:7x1"},
    {"GRIDSPAN_DEVICES": "cpu:1x1+cpu:1x3"},
    {"GRIDSPAN_DEVICES": "cpu:3x1", "GRIDSPAN_ISOLATE": "1"},
    {"GRIDSPAN_DEVICES": "cpu:4x1", "GRIDSPAN_POLICY": "always"},  # interiors of small parts, too
]
GPUS = {"FAKE_CUDA_GPUS": "2", "GRIDSPAN_MEASURE": "off"}
# With the fake driver: decisions that time would make are made at random, by the library's number.
RANDOM_SETTINGS = [
    {**GPUS, "GRIDSPAN_DEVICES": "cuda", "GRIDSPAN_POLICY": "random:{seed}"},  # one GPU, or both
    {**GPUS, "GRIDSPAN_DEVICES": "cuda:0", "GRIDSPAN_POLICY": "random:{seed}"},  # rounds, or whole
    {**GPUS, "GRIDSPAN_DEVICES": "cuda:0x3", "GRIDSPAN_POLICY": "random:{seed}"},
    {**GPUS, "GRIDSPAN_DEVICES": "cuda:0+cpu:1", "GRIDSPAN_POLICY": "random:{seed}"},
]
VERIFYING = {"GRIDSPAN_DEVICES": "cpu:1", "GRIDSPAN_VERIFY": "1"}


def random_settings(seed, driver):
    """With the fake driver in the folder `driver`."""
    libraries = f"{driver}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")
    return [
        {name: value.format(seed=seed) for name, value in setting.items()}
        | {"LD_LIBRARY_PATH": libraries}
        for setting in RANDOM_SETTINGS
    ]


def text_of(setting):
    return " ".join(f"{name}={value}" for name, value in setting.items())


def call(command, limit, variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    return subprocess.run(
        ["timeout", "-k", "2", str(limit), *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**environment, **variables},
    )


class Compiler:
    def __init__(self, gridcc, folder, flags="-O1"):
        self.gridcc, self.flags = pathlib.Path(gridcc).resolve(), flags.split()
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def compile(self, text, name):
        """The program; raises RuntimeError with the compiler's words."""
        source, program = self.folder / f"{name}.cu", self.folder / name
        source.write_text(text)
        flags = [*self.flags, "-std=c++20", "-arch=sm_90", "-w", f"-I{HERE}"]
        command = [self.gridcc, *flags, source, "-o", program]

        def compile_it():
            done = call(command, 1800, {})
            return done.returncode, done.stdout + done.stderr

        status, said = program_cache.kept(self.gridcc, command, source, program, compile_it)
        if status != 0:
            raise RuntimeError(f"{source} does not compile:\n{said}"[:4000])
        return program


class Outcome:
    """What programs read: {program number: [lines]}; and how the process ended."""

    def __init__(self, done):
        self.status, self.errors = done.returncode, done.stderr[-3000:]
        self.reads, self.finished = {}, set()
        for line in done.stdout.splitlines():
            name, _, value = line.partition(" ")
            number = int(name.split(".")[0])
            if value == "end":
                self.finished.add(number)
            else:
                self.reads.setdefault(number, []).append(line)

    def of(self, number):
        """What the program read, or None if it did not come to its end."""
        return self.reads.get(number, []) if number in self.finished else None


class Runner:
    """Runs lists of programs, each given as lines, with a library."""

    def __init__(self, binary, limit=600):
        self.binary, self.limit = binary, limit

    def run(self, programs, setting):
        """programs: lists of lines."""
        script = pathlib.Path(f"{self.binary}.{os.getpid()}.script")
        script.write_text("\n".join(line for lines in programs for line in lines) + "\n")
        try:
            return Outcome(call([self.binary, script], self.limit, setting))
        finally:
            script.unlink()

    def difference(self, number, expected, setting, got):
        """Text that says how the outcome differs, or None."""
        seen = got.of(number)
        if seen == expected:
            return None
        if seen is None:
            end = "hangs" if got.status in (124, 137) else f"ends with status {got.status}"
            return f"{text_of(setting)}: {end}: {got.errors.strip()[-600:]}"
        pairs = zip(expected, seen)
        first = next((f"{a}, not {b}" for a, b in pairs if a != b), "other numbers of reads")
        return f"{text_of(setting)}: {first}"
