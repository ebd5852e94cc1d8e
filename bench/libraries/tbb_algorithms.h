// TBB's parallel algorithms, as thrust.cu measures itself against them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace bench::tbb_algorithms {

/// False, and the others do nothing, where TBB was not found when this was built.
bool are_there();
/// 0: all of the machine's. From now on.
void use_threads(int count);

template <typename T>
void sort(T* numbers, std::size_t count);
template <typename T>
T sum(const T* numbers, std::size_t count);
template <typename T>
void inclusive_sums(const T* in, T* out, std::size_t count);

}  // namespace bench::tbb_algorithms
