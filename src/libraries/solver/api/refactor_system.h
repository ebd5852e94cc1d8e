// Systems of one pattern whose factors are made anew: what a handle of cusolverRf holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/api/refactor_pattern.h"
#include "libraries/support/device_array.h"

#include <cusolverRf.h>

#include <memory>

namespace gridspan::libraries::solver {

/// One system, or a batch of them. Work is on the default stream.
class RefactorSystem {
 public:
  /// `as_columns`: the program's matrices are compressed columns. Throws bad_alloc.
  RefactorSystem(Bundle bundle, int systems, bool is_batch, bool as_columns,
                 cusolverRfUnitDiagonal_t unit_diagonal);

  /// System `number` begins from a matrix A, whose values are in device memory.
  cudaError_t refill(int number, const double* values);
  /// Finds the levels of rows. Throws bad_alloc.
  cudaError_t analyse();
  /// In place: L and U for what refill has left. Without an analysis nothing is done.
  cudaError_t refactor(PivotRule rule);
  /// x = A^-1 x of each system; pointers are to device memory. `t` has rows() elements a system.
  cudaError_t solve(const int* p, const int* q, double* t, double* const* x);
  /// For each system the first row of L and U whose pivot was flagged, or -1. Waits.
  cudaError_t flagged(std::vector<int>& first) const;

  int rows() const { return static_cast<int>(bundle_.diagonals.size()); }
  int elements() const { return static_cast<int>(bundle_.rows.indices.size()); }
  int systems() const { return systems_; }
  bool is_batch() const { return is_batch_; }
  /// Did the last factors replace flagged pivots?
  bool boosts() const { return boosts_; }
  cusolverRfUnitDiagonal_t unit_diagonal() const { return unit_diagonal_; }
  bool upper_is_unit() const;
  /// L and U of the first system in one matrix, compressed as the program's are. Waits.
  cudaError_t bundled(Compressed<double>& result) const;
  /// The same by rows.
  cudaError_t bundled_rows(Compressed<double>& result) const;
  bool as_columns() const { return as_columns_; }
  /// In device memory, as the program's; values follow those of the factors.
  int* offsets_on_device() const { return (as_columns_ ? turned_ : own_).offsets.as<int>(); }
  int* indices_on_device() const { return (as_columns_ ? turned_ : own_).indices.as<int>(); }
  double* values_on_device() const { return (as_columns_ ? turned_ : own_).values.as<double>(); }

 private:
  struct Arrays {
    DeviceArray offsets, indices, values;
  };
  BundledFactors factors() const;
  cudaError_t turn();

  Bundle bundle_;
  int systems_;
  bool is_batch_, as_columns_, is_analysed_ = false, was_factored_ = false, boosts_ = false;
  cusolverRfUnitDiagonal_t unit_diagonal_;
  Arrays own_, turned_;  // the second for columns only
  DeviceArray sources_, turned_sources_, diagonals_, flags_, down_order_, up_order_;
  Schedule down_, up_;
};

}  // namespace gridspan::libraries::solver

struct cusolverRfCommon {
  cusolverRfMatrixFormat_t format = CUSOLVERRF_MATRIX_FORMAT_CSR;
  cusolverRfUnitDiagonal_t unit_diagonal = CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
  gridspan::libraries::solver::PivotRule rule;
  cusolverRfFactorization_t factorization = CUSOLVERRF_FACTORIZATION_ALG0;
  cusolverRfTriangularSolve_t triangular_solve = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
  cusolverRfResetValuesFastMode_t fast_mode = CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
  std::unique_ptr<gridspan::libraries::solver::RefactorSystem> system;
  gridspan::libraries::DeviceArray room;  // of a batch's solutions
  std::size_t room_bytes = 0;
};
