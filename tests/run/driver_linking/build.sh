# cuLink...: modules made of several pieces while the program runs; cuLibrary..., cuKernel....
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Driver API | cuLinkCreate, cuLinkAddData, cuLinkAddFile, cuLinkComplete: objects, archives and modules of gridcc and nvrtc; error logs
# FEATURE: Driver API | cuLibraryLoadData, cuLibraryGetKernel, cuLibraryGetGlobal, cuKernelGetFunction; CUkernel as CUfunction
# FEATURE: Compiling and linking | gridcc -ptx, -cubin and -fatbin of whole and of relocatable modules (-rdc=true); linking them with gridcc -cubin
"$GRIDCC" -dc kernels.cu -o "$OUT/kernels.o"
"$GRIDCC" -ptx -rdc=true kernels.cu -o "$OUT/kernels.ptx"
"$GRIDCC" -dc pieces.cu -o "$OUT/pieces.o"
"$GRIDCC" -lib "$OUT/pieces.o" -o "$OUT/libpieces.a"
"$GRIDCC" -cubin "$OUT/kernels.o" "$OUT/libpieces.a" -o "$OUT/linked.cubin"
"$GRIDCC" -cubin -DWHOLE=first kernels.cu -o "$OUT/first.cubin"
"$GRIDCC" -ptx -DWHOLE=second kernels.cu -o "$OUT/second.ptx"
"$GRIDCC" -O2 -std=c++17 -I.. -DFOLDER="\"$OUT\"" -DTOOLKIT="\"$LIB/gridspan/toolkit\"" \
  main.cu -lnvrtc -lcuda -o "$OUT/program"
