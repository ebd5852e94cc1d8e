// cuBLAS: a routine is declared once for all element types and for 32-bit and 64-bit sizes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A family is a macro of four arguments: the letter of the element type, the type, the suffix of
// the name, and the type of sizes. GRIDSPAN_BLAS_SDCZ(FAMILY) thus declares cublasSgemm_v2 with int
// and cublasSgemm_v2_64 with int64_t, and likewise for the other letters. blas_families_end.h
// forgets the macros.

#define GRIDSPAN_BLAS(name) CUBLASAPI cublasStatus_t CUBLASWINAPI name
#define GRIDSPAN_BLAS_SIZES(family, letter, type) \
  family(letter, type, , int) family(letter, type, _64, int64_t)
#define GRIDSPAN_BLAS_S(family) GRIDSPAN_BLAS_SIZES(family, S, float)
#define GRIDSPAN_BLAS_D(family) GRIDSPAN_BLAS_SIZES(family, D, double)
#define GRIDSPAN_BLAS_C(family) GRIDSPAN_BLAS_SIZES(family, C, cuComplex)
#define GRIDSPAN_BLAS_Z(family) GRIDSPAN_BLAS_SIZES(family, Z, cuDoubleComplex)
#define GRIDSPAN_BLAS_SD(family) GRIDSPAN_BLAS_S(family) GRIDSPAN_BLAS_D(family)
#define GRIDSPAN_BLAS_CZ(family) GRIDSPAN_BLAS_C(family) GRIDSPAN_BLAS_Z(family)
#define GRIDSPAN_BLAS_SDCZ(family) GRIDSPAN_BLAS_SD(family) GRIDSPAN_BLAS_CZ(family)
/* With the real type beside: a fifth argument. */
#define GRIDSPAN_BLAS_CZ_REAL(family)                                          \
  family(C, cuComplex, , int, float) family(C, cuComplex, _64, int64_t, float) \
      family(Z, cuDoubleComplex, , int, double) family(Z, cuDoubleComplex, _64, int64_t, double)
/* Routines without a form for 64-bit sizes: letter and type. */
#define GRIDSPAN_BLAS_INT_SDCZ(family) \
  family(S, float) family(D, double) family(C, cuComplex) family(Z, cuDoubleComplex)
