# nvrtc: kernels compiled by the running program.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Run-time compilation | nvrtcCompileProgram; the module as PTX (a string) and as cubin, loaded by cuModuleLoadData, cuModuleLoad
# FEATURE: Run-time compilation | headers given in memory, options (-D, -I, --std, -arch, --use_fast_math, -default-device)
# FEATURE: Run-time compilation | name expressions and lowered names: templates, overloads, namespaces, __device__ and __constant__ variables
# FEATURE: Run-time compilation | errors and warnings in the log, with the program's own name and lines; result codes
"$GRIDCC" -O2 -std=c++17 -I.. -DFOLDER="\"$OUT\"" main.cu -lnvrtc -lcuda -o "$OUT/program"
