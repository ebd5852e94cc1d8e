#!/usr/bin/env python3
# Runs test programs on CUDA devices: on a GPU, or with the driver that has none (fake_cuda).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   gpu_tests.py real BUILD [NAME...]       all programs of a built tree, on the machine's GPUs
#   gpu_tests.py fake BUILD [NAME...]       the same with the fake driver
#   gpu_tests.py failures BUILD CALL...     programs of which these calls of the fake driver fail
#
# Needs nothing but the built tree and Python: it can be carried to a machine with a GPU. A program passes if its
# own checks do (and, for those of tests/devices, if its results are those of one CPU device, and its source is right
# about the fake driver's devices: see CLAIM). What cannot run on a GPU yet has to end with a clear error; with the
# fake driver these are kernels that have no code for GPUs and the programs of REFUSED, and no others.
import concurrent.futures
import operator
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIMEOUT = 60  # seconds; nothing may hang
# Programs that start a dozen processes, each of which makes contexts. NVIDIA's driver makes them one after the other,
# also those of other programs that run meanwhile: alone exit_early takes 8 s on two H100s, 16 at once 80 s.
MANY_PROCESSES = {"exit_early": 300, "faults": 300}
LIBRARY_TIMEOUT = 300  # of a test of a library, which has hundreds of cases
SETTINGS = {
    "real": ["cuda", "cuda:0x3", "cuda:0x2+cpu"],
    # It has two GPUs, so that copies between GPUs are made, too.
    "fake": ["cuda:0", "cuda:0x3", "cuda:0x2+cpu", "cuda", "cpu+cuda:0"],
}
# Programs of tests/devices also with little memory, in MiB, of the fake driver's GPUs.
LITTLE_MEMORY = [("cpu+cuda:0x2", "4"), ("cpu+cuda:0x2", "16"), ("cpu+cuda", "6")]
# And with little memory for copies (GRIDSPAN_COPY_MEMORY), on any GPU.
LITTLE_COPIES = [("cpu+cuda:0x2", "6M"), ("cuda:0x2", "6M")]
# Programs of tests/devices also change from one GPU to all and back, or into rounds on one, at random; of this one each
# change moves much memory.
NEVER_AT_RANDOM = {"devices.most_blocks"}
NO_CODE = "no code for GPUs"
# Programs with kernels that gridcc makes no PTX of yet (docs/gpu.md), and no others.
WITHOUT_CODE = {
    "dynamic_parallelism_waits",
}
# Programs that need what else CUDA devices do not have yet, whatever the driver.
REFUSED = {
    "range_attributes": "not supported with CUDA devices",
    "virtual_devices": "not supported with CUDA devices",
    "virtual_devices_threads": "not supported with CUDA devices",
    "virtual_memory": "not supported on CUDA devices",
    "shared_memory_processes": "not shared with processes",
}
# What a GPU need not do as our CPU devices do: programs that test it on these only.
ONLY_ON_CPUS = {
    "devices.device_copies": "copies that overlap",
    "grid_sync": "blocks that leave before a barrier of the grid",
    "inline_ptx_reals": "payloads of NaN",
    "inline_ptx_warps": "%warpid and %nwarpid",
    "printf": "conversions that the driver's printf does not know",
    "reciprocal_roots": "the same bits from a CPU and a GPU",
    "warp_returns": "shuffles from lanes that have returned",
}
# On a GPU that runs parts: the driver's line counts an assertion's blocks from the part's first (docs/gpu-devices.md).
ON_WHOLE_GRIDS = {"assert_trap"}
# Takes all memory that a GPU has: others would find none meanwhile.
RUNS_ALONE = {"devices.device_properties"}
# Programs that run with launches made one kernel at once, too (docs/fusion.md), and their arguments; at least one has to be made.
FUSED = {
    "chains": "",
    "fused_kernels": "",
    "fuse.lives": "freed freed_in_order but_one but_the_first kept aliases overlaps_later other_n guarded two_streams timing sizes empty",
}
# Programs that start gridcc themselves.
NEED_COMPILER = {"run_time_compilation", "driver_linking"}
# What programs say on machines without GPUs. A driver that does not work is a failure.
NO_GPU = re.compile(r"GRIDSPAN_DEVICES: cuda: (?:no CUDA driver: |.*no CUDA-capable device|the CUDA driver finds no GPU).*")
REFUSALS = re.compile(
    r"no code for GPUs|not supported (?:with|on) CUDA devices|not shared with processes|has code for sm_"
)


def programs_of(build):
    """Name -> path."""
    tests = build / "tests"
    found = {}
    for path in sorted((tests / "run").glob("programs/*")) + sorted((tests / "devices").glob("programs/*")):
        if path.suffix != ".log" and os.access(path, os.X_OK):
            found[path.name if path.parts[-3] == "run" else f"devices.{path.name}"] = path
    for path in sorted((tests / "run").glob("*/program")):
        found[path.parent.name] = path
    if (lives := tests / "fuse/programs/lives").exists():
        found["fuse.lives"] = lives
    for path in sorted((tests / "libraries").glob("*/program")):
        found[f"libraries.{path.parent.name}"] = path
    return found


def run_once(build, driver, program, setting, level="warn", arguments=(), **more):
    """Exit status, output and log."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    # Programs know where the tree was built; it may be somewhere else now.
    libraries = [str(build / "lib"), environment.get("LD_LIBRARY_PATH", "")]
    if driver == "fake":
        libraries.insert(0, str(build / "tests/devices/fake_cuda/lib"))
        environment["FAKE_CUDA_GPUS"] = "2"
        environment["GRIDSPAN_MEASURE"] = "off"
    environment["LD_LIBRARY_PATH"] = ":".join(filter(None, libraries))
    with tempfile.NamedTemporaryFile("r", suffix=".log", errors="replace") as log, tempfile.TemporaryDirectory() as cache:
        environment.update(GRIDSPAN_DEVICES=setting, GRIDSPAN_POLICY="fixed", GRIDSPAN_THREADS="2",
                           GRIDSPAN_LOG=f"{level}:{log.name}", XDG_CACHE_HOME=cache)
        environment.update(more)
        limit = MANY_PROCESSES.get(program.name, TIMEOUT) if driver == "real" else TIMEOUT
        if program.parent.parent.name == "libraries":
            limit = LIBRARY_TIMEOUT
        done = subprocess.run(["timeout", "-k", "2", str(limit), str(program), *arguments], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return done.returncode, done.stdout, log.read()


# A counter of src/runtime/plan/traffic.h, on GPUs, or with copies (6M), of so many MiB:
#   // GPU cpu+cuda 6 packed_boxes >= 1
CLAIM = re.compile(r"^// GPU (\S+) (?:(\d+M?) )?(\w+) (<=|==|>=) (\d+)$", re.MULTILINE)
OPERATORS = {"<=": operator.le, "==": operator.eq, ">=": operator.ge}


def claims_of(name, setting, memory):
    """(counter, operator, number) of a source of tests/devices, where that is."""
    source = pathlib.Path(__file__).parent / (name.removeprefix("devices.") + ".cu")
    if not name.startswith("devices.") or not source.exists():
        return []
    return [claim[2:] for claim in CLAIM.findall(source.read_text()) if claim[:2] == (setting, memory or "")]


# What a program gets by with, such as a hint that was refused, is a mistake of ours all the same.
FAILED_CALL = re.compile(r"^gridspan: warning: cu[A-Z]\w+ failed.*$", re.MULTILINE)


def broken_claims(claims, log):
    counters = {name: int(value) for name, value in re.findall(r"traffic: (\w+) (\d+)", log)}
    for counter, relation, number in claims:
        if counter not in counters or not OPERATORS[relation](counters[counter], int(number)):
            yield f"{counter} is {counters.get(counter)}, not {relation} {number}"


def digest_of(output):
    match = re.search(r"^digest ([0-9a-f]{16})$", output, re.MULTILINE)
    return match.group(1) if match else None


def check_fused(build, driver, name, program):
    """The same, with launches as one kernel."""
    for setting in ("cuda:0", "cuda"):
        status, output, log = run_once(build, driver, program, setting, "info", FUSED[name].split(), GRIDSPAN_FUSE="now")
        made = re.search(r"fuse: fused_kernels ([1-9]\d*)$", log, re.MULTILINE)
        where = f"{name} on {setting}, as one kernel"
        if status != 0 or FAILED_CALL.search(log):
            yield "failed", f"{where}: exit {status}\n{output}{log}"
        else:
            yield ("passed", where) if made else ("failed", f"{where}: none was made\n{log}")


def check(build, driver, name, program):
    """(kind, text) for each setting: kind is passed, refused or failed."""
    if name in FUSED:
        yield from check_fused(build, driver, name, program)
    if name.startswith("fuse."):  # of cases that are for CPUs only, too
        return
    reference = None
    expected = NO_CODE if name in WITHOUT_CODE else REFUSED.get(name)
    if name.startswith("devices."):
        reference = digest_of(run_once(build, driver, program, "cpu")[1])
    cases = [(setting, None, "fixed") for setting in SETTINGS[driver]]
    if name.startswith("devices."):
        little = LITTLE_COPIES + (LITTLE_MEMORY if driver == "fake" else [])
        cases += [(setting, memory, "fixed") for setting, memory in little]
        cases.append(("cuda", None, "usual"))
        if driver == "fake" and name not in NEVER_AT_RANDOM:
            cases.append(("cuda", None, "random:1"))
            cases.append(("cuda:0", "6M", "random:1"))  # in rounds, or not
    elif driver == "real":
        cases.append(("cuda", None, "usual"))
    # A kernel without code is told whatever is logged: the program may ask for no errors.
    level = "error" if expected == NO_CODE else "warn"
    for setting, memory, policy in cases:
        if driver == "real" and name in ON_WHOLE_GRIDS and setting != "cuda":
            continue
        # Else nobody would give a CPU anything to do beside GPUs.
        more = {"GRIDSPAN_POLICY": "always" if "cpu" in setting else policy}
        if memory:
            more["GRIDSPAN_COPY_MEMORY" if memory.endswith("M") else "FAKE_CUDA_MEMORY"] = memory
        claims = claims_of(name, setting, memory) if driver == "fake" and policy == "fixed" else []
        status, output, log = run_once(build, driver, program, setting, "info" if claims else level, **more)
        where = f"{name} on {setting}, {policy}" + (f" of {memory.removesuffix('M')} MiB" if memory else "")
        broken = list(broken_claims(claims, log)) + FAILED_CALL.findall(log)
        refusal = REFUSALS.search(log + output)
        if status == 0 and broken:
            yield "failed", f"{where}: {'; '.join(broken)}"
        elif status == 0 and digest_of(output) == reference:
            yield "passed", where
        elif status == 0:
            yield "failed", f"{where}: digest {digest_of(output)}, on a CPU {reference}"
        elif status == 1 and refusal and (driver == "real" or refusal.group(0) == expected):
            yield "refused", f"{where}: {refusal.group(0)}"
        else:
            yield "failed", f"{where}: exit {status}\n{output}{log}"


def run_all(build, driver, names):
    programs = programs_of(build)
    missing = [name for name in names if name not in programs]
    if missing or not programs:
        print(f"no such program: {' '.join(missing) or 'none is built (ninja run_tests devices_tests)'}")
        return 1
    # On the fake driver tests of libraries run with their others (tests/libraries/check_program.sh).
    chosen = names or [name for name in programs if driver == "real" or not name.startswith("libraries.")]
    if driver == "real" and (absent := NO_GPU.search(run_once(build, driver, programs[chosen[0]], "cuda")[1])):
        print(f"SKIPPED, no program ran: {absent[0]}", file=sys.stderr)
        return 0
    if not (build / "bin/gridcc").exists():
        chosen = [name for name in chosen if name not in NEED_COMPILER]
        print(f"left out, gridcc is not here: {' '.join(sorted(NEED_COMPILER))}")
    if driver == "real" and not names:
        for name, reason in ONLY_ON_CPUS.items():
            print(f"left out: {name}: {reason}")
        chosen = [name for name in chosen if name not in ONLY_ON_CPUS]
    counts = {"passed": 0, "refused": 0, "failed": 0}
    print(f"on {'the fake driver' if driver == 'fake' else 'a real GPU'}: {', '.join(SETTINGS[driver])}", flush=True)
    workers = max(1, (os.cpu_count() or 1) // 2)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for group in (set(chosen) - RUNS_ALONE, set(chosen) & RUNS_ALONE):
            jobs = [pool.submit(lambda n=n: list(check(build, driver, n, programs[n]))) for n in sorted(group)]
            for job in jobs:
                for kind, text in job.result():
                    counts[kind] += 1
                    if kind != "passed":
                        print(f"{kind}: {text}", flush=True)
    print(", ".join(f"{number} {kind}" for kind, number in counts.items()))
    return counts["failed"] > 0


# Together these make nearly every call of the driver that devices use; programs that make the others.
VICTIMS = ["device_variables", "host_memory", "memory_copies", "devices.reductions", "devices.scatter", "devices.evictions"]
VICTIMS_OF = {
    "cuEventElapsedTime": ["events"],
    "cuFuncSetAttribute": ["shared_dynamic"],
    "cuLaunchCooperativeKernel": ["grid_sync_resident"],
    "cuMemAdvise": ["managed_prefetch"],
    "cuMemPrefetchAsync": ["managed_prefetch"],
    "cuModuleUnload": ["device_reset"],
    "cuOccupancyMaxActiveBlocksPerMultiprocessor": ["grid_sync_resident"],
    **{call: ["graph_repeated"] for call in [
        "cuGraphDestroy", "cuGraphExecDestroy", "cuGraphInstantiateWithFlags", "cuGraphLaunch", "cuStreamBeginCapture",
        "cuStreamEndCapture", "cuStreamGetCaptureInfo", "cuStreamUpdateCaptureDependencies"]},
    "cuStreamAddCallback": ["devices.concurrent_streams"],
    "cuPointerGetAttribute": ["devices.pageable_copies"],
}
# Destroys the stream of the trial of a pair of GPUs, while these are being made.
NEEDS_PEERS = {"cuStreamDestroy"}
FAULTS = re.compile(r"gridspan: (?:error|warning): .*cu[A-Z]\w+ failed|cannot run on .*cu[A-Z]\w+ failed|MemoryAllocation|no room|NotSupported|GRIDSPAN_DEVICES: cuda")


def fail(build, calls):
    """A call that fails, at once or later, ends in an error that is told; nothing crashes or hangs."""
    programs = programs_of(build)
    wrong = told = 0
    for call in calls:
        made = 0
        has_peers = "Peer" in call or call in NEEDS_PEERS
        for name in VICTIMS_OF.get(call, VICTIMS):
            for setting, policy in (("cuda:0", "fixed"), ("cuda:0x3", "fixed"), ("cuda", "fixed"), ("cuda", "random:1"),
                                    ("cpu+cuda:0", "fixed")):
                for after in (0, 1, 7):
                    status, output, log = run_once(build, "fake", programs[name], setting, GRIDSPAN_POLICY=policy,
                                                   FAKE_CUDA_PEERS="direct" if has_peers else "none",
                                                   FAKE_CUDA_FAIL=f"{call}:{after}")
                    was_made = "fails from now on" in output
                    is_told = FAULTS.search(output + log) is not None
                    made += was_made
                    told += was_made and is_told
                    if status < 0 or status >= 124 or (was_made and status != 0 and not is_told):
                        wrong += 1
                        print(f"{call} fails after {after}, {name} on {setting}, {policy}: exit {status}\n{output}{log}")
                    if not was_made:  # nor would it be later
                        break
        if made == 0:
            wrong += 1
            print(f"{call}: none of {' '.join(VICTIMS_OF.get(call, VICTIMS))} calls it")
    print(f"{told} failures told, {wrong} problems")
    return wrong > 0


def main():
    action, build, *names = sys.argv[1:]
    build = pathlib.Path(build).resolve()
    if action == "failures":
        return fail(build, names)
    return run_all(build, action, names)


if __name__ == "__main__":
    sys.exit(main())
