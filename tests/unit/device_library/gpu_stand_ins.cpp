// What the GPU's device library asks for that is not there, on a GPU or on this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that call the functions below have no PTX. Tests of them would see NaN.
#include <limits>

#define ABSENT(name) \
  extern "C" double name(double) { return std::numeric_limits<double>::quiet_NaN(); }
#define ABSENT_OF_ORDER(name) \
  extern "C" double name(int, double) { return std::numeric_limits<double>::quiet_NaN(); }

extern "C" {
double gridspan_gpu_tgamma(double);
double gridspan_gpu_j0(double);
double gridspan_gpu_j1(double);
double gridspan_gpu_y0(double);
double gridspan_gpu_y1(double);
double gridspan_gpu_jn(int, double);
double gridspan_gpu_yn(int, double);
double gridspan_math_cyl_bessel_i0(double);
double gridspan_math_cyl_bessel_i1(double);
int gridspan_test_reflect(const char*);
}

ABSENT(gridspan_gpu_tgamma)
ABSENT(gridspan_gpu_j0)
ABSENT(gridspan_gpu_j1)
ABSENT(gridspan_gpu_y0)
ABSENT(gridspan_gpu_y1)
ABSENT_OF_ORDER(gridspan_gpu_jn)
ABSENT_OF_ORDER(gridspan_gpu_yn)
ABSENT(gridspan_math_cyl_bessel_i0)
ABSENT(gridspan_math_cyl_bessel_i1)

/// No -ftz=true.
int gridspan_test_reflect(const char*) { return 0; }
