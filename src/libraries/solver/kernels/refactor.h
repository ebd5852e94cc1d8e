// New factors of matrices of one pattern, and solutions with them: how kernels are launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// L and U are one matrix in compressed rows, from 0, columns in order. Systems of a batch have
// their values one behind the other. A row is made by one thread, in the order of its columns,
// whatever the number of devices.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gridspan::libraries::solver {

/// Rows order[begin] up to order[end]: each by a thread of its own, or one after the other.
struct RowRun {
  int begin = 0, end = 0;
  bool side_by_side = false;
};

struct BundledFactors {
  int rows = 0, systems = 1;
  std::int64_t count = 0;  // elements of a system
  const int* offsets = nullptr;
  const int* columns = nullptr;
  const int* diagonals = nullptr;  // where they are
  double* values = nullptr;
  bool upper_is_unit = false;  // else the lower triangle has the diagonal of ones
};

/// A pivot of at most `zero` is flagged, and becomes `boost` if that is more than 0.
struct PivotRule {
  double zero = 0, boost = 0;
};

/// to[k] = from[sources[k]], or 0 where there is none (-1).
cudaError_t launch_refill(const int* sources, const double* from, double* to, std::int64_t count,
                          cudaStream_t stream);
/// flags[rows system + row] = whether the pivot was flagged.
cudaError_t launch_refactor(const BundledFactors& factors, const int* order, RowRun run,
                            PivotRule rule, unsigned char* flags, cudaStream_t stream);
/// Of L t = t, or of U t = t; `rows` elements a system.
cudaError_t launch_forward(const BundledFactors& factors, const int* order, RowRun run, double* t,
                           cudaStream_t stream);
cudaError_t launch_backward(const BundledFactors& factors, const int* order, RowRun run, double* t,
                            cudaStream_t stream);
/// to[i] = from[p[i]]
cudaError_t launch_permute(const double* from, const int* p, double* to, int count,
                           cudaStream_t stream);
/// to[q[i]] = from[i]
cudaError_t launch_permute_back(const double* from, const int* q, double* to, int count,
                                cudaStream_t stream);

}  // namespace gridspan::libraries::solver
