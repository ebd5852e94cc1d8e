# Graphs of the driver API.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Driver API | cuGraph...: kernel, memcpy, memset, host, child, event, memory and conditional nodes; parameters, edges, clones, updates
# FEATURE: Driver API | cuStreamBeginCapture, cuStreamEndCapture and what can be asked meanwhile
# FEATURE: Graphs | objects of the program that graphs keep: cudaUserObjectCreate, cudaGraphRetainUserObject
# FEATURE: Graphs | attributes of kernel nodes; arguments of a node as one buffer
"$GRIDCC" -fatbin kernels.cu -o "$OUT/kernels.fatbin"
"$GRIDCC" -O2 -std=c++17 -I.. main.cu -lcuda -o "$OUT/program"
