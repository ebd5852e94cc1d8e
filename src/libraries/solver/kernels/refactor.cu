// New factors of matrices of one pattern, and solutions with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/kernels/refactor.h"

#include "libraries/support/start_kernel.h"

namespace gridspan::libraries::solver {
namespace {

constexpr unsigned rows_of_block = 32, systems_of_block = 8, elements_of_block = 128;

__device__ inline long long own_number() {
  return blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
}
unsigned blocks_for(std::int64_t count, unsigned size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

/// Rows of L times U above are subtracted, from the left to the right (Y. Saad, Iterative methods
/// for sparse linear systems, 2003, algorithm 10.4).
struct FactorRow {
  BundledFactors m;
  PivotRule rule;
  unsigned char* flags;

  __device__ void operator()(int row, int system) const {
    double* const values = m.values + m.count * system;
    const int end = m.offsets[row + 1], diagonal = m.diagonals[row];
    for (int k = m.offsets[row]; k < diagonal; ++k) {
      const int above = m.columns[k], diagonal_above = m.diagonals[above];
      double factor = values[k];
      if (!m.upper_is_unit) values[k] = factor = factor / values[diagonal_above];
      int to = k + 1;
      for (int from = diagonal_above + 1; from < m.offsets[above + 1]; ++from) {
        while (to < end && m.columns[to] < m.columns[from]) ++to;
        if (to < end && m.columns[to] == m.columns[from]) values[to] -= factor * values[from];
      }
    }
    const bool is_zero = fabs(values[diagonal]) <= rule.zero;
    flags[static_cast<long long>(m.rows) * system + row] = is_zero;
    if (is_zero && rule.boost > 0) values[diagonal] = rule.boost;
    if (!m.upper_is_unit) return;
    const double pivot = values[diagonal];
    for (int k = diagonal + 1; k < end; ++k) values[k] /= pivot;
  }
};

struct ForwardRow {
  BundledFactors m;
  double* t;

  __device__ void operator()(int row, int system) const {
    const double* const values = m.values + m.count * system;
    double* const own = t + static_cast<long long>(m.rows) * system;
    const int diagonal = m.diagonals[row];
    double rest = own[row];
    for (int k = m.offsets[row]; k < diagonal; ++k) rest -= values[k] * own[m.columns[k]];
    own[row] = m.upper_is_unit ? rest / values[diagonal] : rest;
  }
};

struct BackwardRow {
  BundledFactors m;
  double* t;

  __device__ void operator()(int row, int system) const {
    const double* const values = m.values + m.count * system;
    double* const own = t + static_cast<long long>(m.rows) * system;
    const int end = m.offsets[row + 1], diagonal = m.diagonals[row];
    double rest = own[row];
    for (int k = diagonal + 1; k < end; ++k) rest -= values[k] * own[m.columns[k]];
    own[row] = m.upper_is_unit ? rest : rest / values[diagonal];
  }
};

template <typename Row>
__global__ void side_by_side(Row make, const int* order, int begin, int rows, int systems) {
  const long long own = own_number();
  if (own >= static_cast<long long>(rows) * systems) return;
  make(order[begin + own % rows], static_cast<int>(own / rows));
}

template <typename Row>
__global__ void one_by_one(Row make, const int* order, int begin, int end, int systems) {
  const long long system = own_number();
  if (system >= systems) return;
  for (int i = begin; i < end; ++i) make(order[i], static_cast<int>(system));
}

template <typename Row>
cudaError_t launch_rows(const Row& make, const int* order, RowRun run, cudaStream_t stream) {
  const int rows = run.end - run.begin, systems = make.m.systems;
  if (run.side_by_side)
    return start_kernel(side_by_side<Row>,
                        dim3(blocks_for(std::int64_t{rows} * systems, rows_of_block)),
                        dim3(rows_of_block), stream, make, order, run.begin, rows, systems);
  return start_kernel(one_by_one<Row>, dim3(blocks_for(systems, systems_of_block)),
                      dim3(systems_of_block), stream, make, order, run.begin, run.end, systems);
}

__global__ void refill(const int* sources, const double* from, double* to, long long count) {
  const long long k = own_number();
  if (k < count) to[k] = sources[k] < 0 ? 0.0 : from[sources[k]];
}

__global__ void permute(const double* from, const int* p, double* to, int count) {
  const long long i = own_number();
  if (i < count) to[i] = from[p[i]];
}

__global__ void permute_back(const double* from, const int* q, double* to, int count) {
  const long long i = own_number();
  if (i < count) to[q[i]] = from[i];
}

}  // namespace

cudaError_t launch_refill(const int* sources, const double* from, double* to, std::int64_t count,
                          cudaStream_t stream) {
  return start_kernel(refill, dim3(blocks_for(count, elements_of_block)), dim3(elements_of_block),
                      stream, sources, from, to, count);
}

cudaError_t launch_refactor(const BundledFactors& factors, const int* order, RowRun run,
                            PivotRule rule, unsigned char* flags, cudaStream_t stream) {
  return launch_rows(FactorRow{factors, rule, flags}, order, run, stream);
}
cudaError_t launch_forward(const BundledFactors& factors, const int* order, RowRun run, double* t,
                           cudaStream_t stream) {
  return launch_rows(ForwardRow{factors, t}, order, run, stream);
}
cudaError_t launch_backward(const BundledFactors& factors, const int* order, RowRun run, double* t,
                            cudaStream_t stream) {
  return launch_rows(BackwardRow{factors, t}, order, run, stream);
}

cudaError_t launch_permute(const double* from, const int* p, double* to, int count,
                           cudaStream_t stream) {
  return start_kernel(permute, dim3(blocks_for(count, elements_of_block)), dim3(elements_of_block),
                      stream, from, p, to, count);
}
cudaError_t launch_permute_back(const double* from, const int* q, double* to, int count,
                                cudaStream_t stream) {
  return start_kernel(permute_back, dim3(blocks_for(count, elements_of_block)),
                      dim3(elements_of_block), stream, from, q, to, count);
}

}  // namespace gridspan::libraries::solver
