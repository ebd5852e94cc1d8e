// Kernels for benchmarks that launch without the CUDA API: what the run time knows them by.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

extern "C" const void* hotspot_kernel() { return reinterpret_cast<const void*>(hotspot); }
extern "C" const void* jacobi_kernel() { return reinterpret_cast<const void*>(heat2d); }
extern "C" const void* lu_column_kernel() { return reinterpret_cast<const void*>(lu_column); }
extern "C" const void* lu_update_kernel() { return reinterpret_cast<const void*>(lu_update); }
