// TBB's parallel algorithms, as its documentation shows them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tbb_algorithms.h"

#include <cstdint>

#if GRIDSPAN_HAS_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_scan.h>
#include <oneapi/tbb/parallel_sort.h>
#include <functional>
#include <memory>
#include <numeric>
#endif

namespace bench::tbb_algorithms {

#if GRIDSPAN_HAS_TBB

using Range = tbb::blocked_range<std::size_t>;

bool are_there() { return true; }

void use_threads(int count) {
  static std::unique_ptr<tbb::global_control> limit;
  if (count > 0)
    limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(count));
}

template <typename T>
void sort(T* numbers, std::size_t count) {
  tbb::parallel_sort(numbers, numbers + count);
}

template <typename T>
T sum(const T* numbers, std::size_t count) {
  return tbb::parallel_reduce(
      Range(0, count), T{},
      [numbers](const Range& range, T begun) {
        return std::accumulate(numbers + range.begin(), numbers + range.end(), begun);
      },
      std::plus<T>());
}

template <typename T>
void inclusive_sums(const T* in, T* out, std::size_t count) {
  tbb::parallel_scan(
      Range(0, count), T{},
      [in, out](const Range& range, T begun, bool is_final) {
        if (!is_final) return std::accumulate(in + range.begin(), in + range.end(), begun);
        for (std::size_t i = range.begin(); i < range.end(); ++i) out[i] = begun += in[i];
        return begun;
      },
      std::plus<T>());
}

#else

bool are_there() { return false; }
void use_threads(int) {}
template <typename T>
void sort(T*, std::size_t) {}
template <typename T>
T sum(const T*, std::size_t) {
  return T{};
}
template <typename T>
void inclusive_sums(const T*, T*, std::size_t) {}

#endif

template void sort(std::int32_t*, std::size_t);
template void sort(float*, std::size_t);
template void sort(std::uint64_t*, std::size_t);
template std::int32_t sum(const std::int32_t*, std::size_t);
template float sum(const float*, std::size_t);
template void inclusive_sums(const std::int32_t*, std::int32_t*, std::size_t);

}  // namespace bench::tbb_algorithms
