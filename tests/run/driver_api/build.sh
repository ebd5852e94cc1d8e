# The driver API: modules made by -fatbin and -cubin, loaded from files and from memory.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Driver API | contexts, devices, errors; streams, events and memory shared with the run-time API
# FEATURE: Driver API | cuModuleLoad, cuModuleLoadData, cuModuleGetFunction, cuModuleGetGlobal, cuModuleUnload; gridcc -fatbin, -cubin
# FEATURE: Driver API | cuLaunchKernel with arguments as pointers and as one buffer; cuParamSet..., cuLaunchGrid; attributes
# FEATURE: Driver API | copies of one, two and three dimensions, arrays, cuMemsetD8, D16 and D32
"$GRIDCC" -fatbin kernels.cu -o "$OUT/kernels.fatbin"
"$GRIDCC" -O3 -cubin -arch=sm_80 -DFACTOR=7 kernels.cu -o "$OUT/kernels.cubin"
"$GRIDCC" -O2 -std=c++17 -I.. main.cu -lcuda -o "$OUT/program"
