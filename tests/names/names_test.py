#!/usr/bin/env python3
"""names_test.py CASE BUILD WORK: several libraries with CUDA's names in one process.

Decoys export every name of CUDA's that our libraries export, and each function returns 0 and does
nothing: whoever binds to one gets poison for a result, and no error.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
CUDA_NAME = re.compile(r"^(?:__)?(?:cuda|cu(?=[A-Z])|cu(?:blas|dnn|rand|fft|sparse|solver)|p?nccl|nvml|nvrtc)")
LINKERS = ("bfd", "lld")


class Failed(Exception):
    pass


def run(*command, **environment):
    done = subprocess.run(["timeout", "120", *map(str, command)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env={**os.environ, **environment})
    if done.returncode != 0:
        where = " ".join(f"{name}={value}" for name, value in environment.items())
        raise Failed(f"{where} {' '.join(map(str, command))}\nexit {done.returncode}\n{done.stdout}")
    return done.stdout


def expect_right(*command, **environment):
    output = run(*command, **environment)
    if output != "right\n":
        raise Failed(f"{' '.join(map(str, command))}\n{output}")


def exports(library):
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


class Place:
    def __init__(self, build, work):
        self.gridcc = build / "bin/gridcc"
        self.lib = build / "lib"
        self.toolkit = self.lib / "gridspan/toolkit"
        self.work = work
        work.mkdir(parents=True, exist_ok=True)
        run("gcc", HERE / "opener.c", "-o", work / "opener", "-ldl", "-lm")

    def compile(self, *words, linker=None, product):
        """With gridcc; libraries are found beside the product."""
        run(self.gridcc, "-O2", f"-I{HERE}", *([f"-Xcompiler=-fuse-ld={linker}"] if linker else []),
            "-Xlinker=-rpath", f"-Xlinker={self.work}", f"-L{self.work}", *words, "-o",
            self.work / product)
        return self.work / product

    def decoys(self):
        """Without versions, as a tool's library; with NVIDIA's, as NVIDIA's."""
        names = exports(self.lib / "libgridspan.so") | exports(self.lib / "libgridspan_nvrtc.so")
        names = sorted(name for name in names if CUDA_NAME.match(name))
        assert len(names) > 800 and "cudaLaunchKernel" in names and "nvrtcVersion" in names
        source = self.work / "decoy.c"
        lines = [f"long {name}(void) {{ return 0; }}" for name in names]
        lines += ["static void* handle[8];"]
        text = "\n".join(lines).replace(
            "long __cudaRegisterFatBinary(void) { return 0; }",
            "void* __cudaRegisterFatBinary(void) { static void* handle[8]; return handle; }")
        source.write_text(text)
        (self.work / "versions.map").write_text("libcudart.so.12 { global: *; };\n")
        plain, versioned = self.work / "libdecoy.so", self.work / "libcudart.so.12"
        compiler = ["gcc", "-w", "-shared", "-fPIC", source]
        run(*compiler, "-o", plain)
        run(*compiler, f"-Wl,--version-script={self.work}/versions.map",
            "-Wl,-soname,libcudart.so.12", "-o", versioned)
        return plain, versioned


def test_extensions(place):
    """A process opens a decoy for all, then a library that gridcc linked."""
    decoys = place.decoys()
    for linker in LINKERS:
        for runtime in ("shared", "static"):
            extension = place.compile("-shared", "-Xcompiler=-fPIC", f"-cudart={runtime}", "-lnvrtc",
                                      HERE / "extension.cu", "-lnvrtc", linker=linker,
                                      product=f"extension_{linker}_{runtime}.so")
            for before in ([], *([decoy] for decoy in decoys), decoys):
                expect_right(place.work / "opener", *before, extension)


def test_programs(place):
    """Programs beside a decoy that is loaded before them, and beside libraries of either kind."""
    plain, versioned = place.decoys()
    sources = (HERE / "program.cu", HERE / "extension.cu")
    for linker in LINKERS:
        for runtime in ("shared", "static"):
            cudart = f"-cudart={runtime}"
            place.compile("-shared", "-Xcompiler=-fPIC", cudart, sources[1], "-lnvrtc", linker=linker,
                          product="libextension.so")
            programs = [
                place.compile(cudart, *sources, "-lnvrtc", linker=linker, product="alone"),
                place.compile(cudart, *sources, "-ldecoy", "-lnvrtc", linker=linker, product="linked"),
                place.compile(cudart, sources[0], "-lextension", "-ldecoy", linker=linker,
                              product="last"),
                place.compile(cudart, sources[0], plain, "-lextension", linker=linker,
                              product="first"),
            ]
            for program in programs:
                expect_right(program)
                for decoy in (plain, versioned):
                    expect_right(program, LD_PRELOAD=str(decoy))


def test_host_code(place):
    """Libraries that a C++ compiler links: through the toolkit folder, which brings own names, or
    with -lgridspan, by version."""
    plain, versioned = place.decoys()
    compiler = ["g++", "-shared", "-fPIC", f"-I{place.toolkit}/include", HERE / "host_only.cpp"]
    for linker in LINKERS:
        toolkit, direct = (place.work / f"lib{name}_{linker}.so" for name in ("toolkit", "direct"))
        run(*compiler, f"-fuse-ld={linker}", "-o", toolkit, f"-L{place.toolkit}/lib64", "-lcudart")
        run(*compiler, f"-fuse-ld={linker}", "-o", direct, f"-L{place.lib}", "-lgridspan",
            f"-Wl,-rpath,{place.lib}")
        expect_right(place.work / "opener", plain, versioned, toolkit)
        expect_right(place.work / "opener", versioned, direct)
        for library in (toolkit, direct):
            for runtime in ("shared", "static"):
                expect_right(place.compile(f"-cudart={runtime}", HERE / "program.cu", library,
                                           linker=linker, product="with_host_code"))


def test_own_calls(place):
    """Our libraries name their own functions only by names that nobody else has, and show all
    names with a version."""
    for name in ("libgridspan.so", *(path.name for path in sorted(place.lib.glob("libgridspan_*.so"))
                                    if path.name != "libgridspan_specialise.so")):
        table = run("readelf", "--dyn-syms", "-W", place.lib / name).splitlines()
        relocations = run("readelf", "-rW", place.lib / name)
        defined = [line.split()[7] for line in table if len(line.split()) == 8 and "UND" not in line]
        loose = [symbol for symbol in defined[1:] if not symbol.endswith("@@GRIDSPAN_1")
                 and symbol != "GRIDSPAN_1"]
        if loose:
            raise Failed(f"{name} shows names without our version: {loose[:5]}")
        bound = [word for word in re.findall(r"\s(\w+)(?:@+GRIDSPAN_1)? \+ 0", relocations)
                 if CUDA_NAME.match(word)]
        if bound:
            raise Failed(f"{name} calls by CUDA's names: {bound[:5]}")


def test_stranger(place):
    """A kernel that nobody registered: an error each time, and one line."""
    program = place.work / "stranger"
    run("g++", f"-I{place.toolkit}/include", HERE / "stranger.cpp", f"-L{place.toolkit}/lib64",
        "-lcudart", "-rdynamic", "-o", program)
    lines = run(program, GRIDSPAN_LOG="error").splitlines()
    told = [line for line in lines if "no kernel is registered for host address" in line]
    if len(told) != 1 or "kernel_of_nobody in" not in told[0] or len(lines) != 2:
        raise Failed("\n".join(lines))
    lines = run(program).splitlines()
    if len(lines) != 2:
        raise Failed("\n".join(lines))


MOST_TLS = 512  # bytes


def thread_local_bytes(library):
    sizes = [int(line.split()[5], 16) for line in run("readelf", "-lW", library).splitlines()
             if line.split()[:1] == ["TLS"]]
    return sum(sizes)


def test_static_tls(place):
    """Our libraries open in a process whose room for static thread-local variables is used up."""
    extensions = [place.compile("-shared", "-Xcompiler=-fPIC", f"-cudart={runtime}",
                                HERE / "extension.cu", "-lnvrtc", product=f"tls_{runtime}.so")
                  for runtime in ("shared", "static")]
    libraries = [place.lib / f"libgridspan{part}.so" for part in ("", "_nvrtc", "_specialise")]
    for library in [*libraries, *extensions]:
        if (size := thread_local_bytes(library)) > MOST_TLS:
            raise Failed(f"{library} has {size} bytes of thread-local variables")
        if "STATIC_TLS" in run("readelf", "-dW", library):
            raise Failed(f"{library} has variables of the initial-exec model")
    for size in (8 << step for step in range(8)):
        source = place.work / f"fill_{size}.c"
        source.write_text(f"__thread char fill[{size}] __attribute__((tls_model(\"initial-exec\")));\n"
                          "char* get_fill(void) { return fill; }\n")
        for number in range(8):
            run("gcc", "-shared", "-fPIC", source, "-o", place.work / f"libfill_{size}_{number}.so")
    run("gcc", HERE / "full_opener.c", "-o", place.work / "full_opener", "-ldl", "-lm")
    for extension in extensions:
        expect_right(place.work / "full_opener", place.work, extension)


# Each a thin library over ours, and where a version node is named as NVIDIA's.
THIN = {
    "libcuda.so.1": None, "libnvidia-ml.so.1": "libnvidia-ml.so.1",
    "libcudart.so.11.0": "libcudart.so.11.0", "libcudart.so.12": "libcudart.so.12",
    "libcudart.so.13": "libcudart.so.13", "libnvrtc.so.11.2": "libnvrtc.so.11.2",
    "libnvrtc.so.12": "libnvrtc.so.12", "libnvrtc.so.13": "libnvrtc.so.13", "libnccl.so.2": None,
    **{name: name for name in (
        "libcublas.so.12", "libcublas.so.13", "libcublasLt.so.12", "libcudnn.so.8", "libcudnn.so.9", "libcufft.so.10",
        "libcufft.so.11", "libcurand.so.10", "libcusolver.so.11", "libcusolverMg.so.11", "libcusparse.so.12")},
}


def test_thin(place):
    """NVIDIA's names for our libraries: versions, and calls through each of them in one process."""
    lib64 = place.toolkit / "lib64"
    for name, version in THIN.items():
        lines = run("nm", "-D", "--defined-only", lib64 / name).splitlines()
        wrong = [line for line in lines if " A " not in line
                 and (line.split("@@")[1:] != ([version] if version else []))]
        if wrong or not lines:
            raise Failed(f"{name} shows {wrong[:3]}")
        if f"soname: [{name}]" not in run("readelf", "-d", lib64 / name):
            raise Failed(f"{name} is called otherwise")
    expect_right(sys.executable, HERE / "call_thin.py", lib64)


def sdk():
    """The folder of an installed SDK, or nothing, loudly."""
    folder = pathlib.Path(os.environ.get("CUDA_SDK", "/usr/local/cuda"))
    if (folder / "include/cuda.h").exists() and (folder / "lib64").exists():
        return folder
    print(f"SKIPPED: no CUDA SDK in {folder}; names compiled from its headers were not tried")
    return None


def test_sdk(place):
    """Programs compiled with NVIDIA's headers, linked with NVIDIA's libraries, run with ours."""
    folder = sdk()
    if not folder:
        return
    lib64 = place.toolkit / "lib64"
    for source, library, directory in (("sdk_driver", "cuda", "lib64/stubs"),
                                       ("sdk_runtime", "cudart", "lib64")):
        program = place.work / source
        run("g++", f"-I{folder}/include", HERE / f"{source}.cpp", f"-L{folder}/{directory}",
            f"-l{library}", "-Wl,-z,now", "-o", program)
        output = run(program, LD_LIBRARY_PATH=str(lib64))
        told = [line for line in output.splitlines() if "cuGetExportTable" in line]
        if output.splitlines()[-1:] != ["right"] or len(told) != (source == "sdk_driver"):
            raise Failed(f"{program}\n{output}")
    # The driver API's names are versioned, so that such a program links with us, too.
    program = place.work / "linked_with_us"
    run("g++", f"-I{folder}/include", HERE / "sdk_driver.cpp", f"-L{lib64}", "-lcuda", "-o", program)
    if run(program).splitlines()[-1:] != ["right"]:
        raise Failed(program)


def test_sdk_names(place):
    """Every function that NVIDIA's headers declare is there under the symbol that they give it."""
    folder = sdk()
    if not folder:
        return
    for header, library in (("cuda.h", "libcuda.so.1"), ("cuda_runtime_api.h", "libcudart.so.13")):
        text = run("g++", "-E", "-P", f"-I{folder}/include", folder / "include" / header)
        version = re.search(r"CUDA_VERSION (\d+)", (folder / "include/cuda.h").read_text())[1]
        if library == "libcudart.so.13" and not version.startswith("13"):
            continue
        prefix = "cu[A-Z]" if header == "cuda.h" else "cuda[A-Z]"
        results = r"(?:CUresult|cudaError_t)"
        declared = set(re.findall(rf"\b{results}\s+({prefix}\w*)\s*\(", text))
        assert len(declared) > 200
        if missing := sorted(declared - exports(place.toolkit / "lib64" / library)):
            raise Failed(f"{library} lacks {missing}")
    stub = folder / "lib64/stubs/libcuda.so"
    missing = exports(stub) - exports(place.toolkit / "lib64/libcuda.so.1") if stub.exists() else ()
    if missing := sorted(name for name in missing if name.startswith("cu")):
        raise Failed(f"libcuda.so.1 lacks {missing}")


def main():
    case, build, work = sys.argv[1:]
    place = Place(pathlib.Path(build).absolute(), pathlib.Path(work).absolute())
    try:
        globals()[f"test_{case}"](place)
    except Failed as failed:
        sys.exit(f"{case}: {failed}")


if __name__ == "__main__":
    main()
