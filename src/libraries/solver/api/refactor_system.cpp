// Systems of one pattern: their arrays in device memory, and the launches of each step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/refactor_system.h"

#include <algorithm>
#include <numeric>

namespace gridspan::libraries::solver {
namespace {

constexpr cudaStream_t default_stream = nullptr;

template <typename T>
void to_device(DeviceArray& array, const std::vector<T>& values) {
  // One element more: there may be none.
  if (!array.make((values.size() + 1) * sizeof(T)) ||
      cudaMemcpy(array.as<T>(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice) !=
          cudaSuccess)
    throw std::bad_alloc();
}
void make(DeviceArray& array, std::size_t bytes) {
  if (!array.make(bytes)) throw std::bad_alloc();
}

}  // namespace

RefactorSystem::RefactorSystem(Bundle bundle, int systems, bool is_batch, bool as_columns,
                               cusolverRfUnitDiagonal_t unit_diagonal)
    : bundle_(std::move(bundle)),
      systems_(systems),
      is_batch_(is_batch),
      as_columns_(as_columns),
      unit_diagonal_(unit_diagonal) {
  const std::size_t count = bundle_.rows.indices.size(), all = static_cast<std::size_t>(systems);
  to_device(own_.offsets, bundle_.rows.offsets);
  to_device(own_.indices, bundle_.rows.indices);
  to_device(sources_, bundle_.rows.values);
  to_device(diagonals_, bundle_.diagonals);
  make(own_.values, count * all * sizeof(double));
  make(flags_, bundle_.diagonals.size() * all);
  if (!as_columns) return;
  Compressed<int> places = bundle_.rows;
  std::iota(places.values.begin(), places.values.end(), 0);
  const Compressed<int> turned = places.turned(rows());
  to_device(turned_.offsets, turned.offsets);
  to_device(turned_.indices, turned.indices);
  to_device(turned_sources_, turned.values);
  make(turned_.values, count * sizeof(double));
}

bool RefactorSystem::upper_is_unit() const {
  return unit_diagonal_ == CUSOLVERRF_UNIT_DIAGONAL_STORED_U ||
         unit_diagonal_ == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U;
}

BundledFactors RefactorSystem::factors() const {
  BundledFactors result;
  result.rows = rows();
  result.systems = systems_;
  result.count = static_cast<std::int64_t>(bundle_.rows.indices.size());
  result.offsets = own_.offsets.as<int>();
  result.columns = own_.indices.as<int>();
  result.diagonals = diagonals_.as<int>();
  result.values = own_.values.as<double>();
  result.upper_is_unit = upper_is_unit();
  return result;
}

cudaError_t RefactorSystem::turn() {
  if (!as_columns_) return cudaSuccess;
  return launch_refill(turned_sources_.as<int>(), own_.values.as<double>(),
                       turned_.values.as<double>(), factors().count, default_stream);
}

cudaError_t RefactorSystem::refill(int number, const double* values) {
  const BundledFactors m = factors();
  const cudaError_t error = launch_refill(sources_.as<int>(), values, m.values + number * m.count,
                                          m.count, default_stream);
  return error == cudaSuccess && number == 0 ? turn() : error;
}

cudaError_t RefactorSystem::analyse() {
  down_ = schedule_down(bundle_);
  up_ = schedule_up(bundle_);
  to_device(down_order_, down_.order);
  to_device(up_order_, up_.order);
  is_analysed_ = true;
  return cudaSuccess;
}

cudaError_t RefactorSystem::refactor(PivotRule rule) {
  if (!is_analysed_) return cudaSuccess;
  boosts_ = rule.boost > 0;
  was_factored_ = true;
  cudaError_t error = cudaSuccess;
  for (const RowRun& run : down_.runs)
    if (error == cudaSuccess)
      error = launch_refactor(factors(), down_order_.as<int>(), run, rule,
                              flags_.as<unsigned char>(), default_stream);
  return error == cudaSuccess ? turn() : error;
}

cudaError_t RefactorSystem::solve(const int* p, const int* q, double* t, double* const* x) {
  cudaError_t error = is_analysed_ ? cudaSuccess : analyse();
  const auto step = [&](auto launch, auto... arguments) {
    if (error == cudaSuccess) error = launch(arguments..., default_stream);
  };
  const std::int64_t n = rows();
  for (int z = 0; z < systems_; ++z) step(launch_permute, x[z], p, t + z * n, rows());
  for (const RowRun& run : down_.runs)
    step(launch_forward, factors(), down_order_.as<int>(), run, t);
  for (const RowRun& run : up_.runs) step(launch_backward, factors(), up_order_.as<int>(), run, t);
  for (int z = 0; z < systems_; ++z) step(launch_permute_back, t + z * n, q, x[z], rows());
  return error;
}

cudaError_t RefactorSystem::flagged(std::vector<int>& first) const {
  first.assign(static_cast<std::size_t>(systems_), -1);
  if (!was_factored_) return cudaSuccess;
  const auto n = static_cast<std::ptrdiff_t>(rows());
  std::vector<unsigned char> flags(first.size() * static_cast<std::size_t>(n));
  const cudaError_t error =
      cudaMemcpy(flags.data(), flags_.as<unsigned char>(), flags.size(), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) return error;
  for (int z = 0; z < systems_; ++z) {
    const auto begin = flags.begin() + z * n, found = std::find(begin, begin + n, 1);
    if (found != begin + n) first[z] = static_cast<int>(found - begin);
  }
  return cudaSuccess;
}

cudaError_t RefactorSystem::bundled_rows(Compressed<double>& result) const {
  result.offsets = bundle_.rows.offsets;
  result.indices = bundle_.rows.indices;
  result.values.resize(result.indices.size());
  return cudaMemcpy(result.values.data(), own_.values.as<double>(),
                    result.values.size() * sizeof(double), cudaMemcpyDeviceToHost);
}

cudaError_t RefactorSystem::bundled(Compressed<double>& result) const {
  const cudaError_t error = bundled_rows(result);
  if (as_columns_) result = result.turned(rows());
  return error;
}

}  // namespace gridspan::libraries::solver
