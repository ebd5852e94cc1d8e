// Functions of the program's that elements are loaded or stored by, as kernels: how they are
// launched. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cufftXt.h>

#include <array>
#include <cstdint>

namespace gridspan::libraries::fft {

/// The elements of an array: offsets that functions get count elements.
struct Elementwise4 {
  std::array<long long, 4> counts = {1, 1, 1, 1}, strides = {};
  long long all() const { return counts[0] * counts[1] * counts[2] * counts[3]; }
};

/// A function in device code, and what it gets beside an element.
struct Callback {
  void* function = nullptr;
  void* information = nullptr;
  std::size_t shared_bytes = 0;
};

/// to[offset] becomes what the function loads of `data`, for each element.
cudaError_t launch_load(cufftXtCallbackType type, const Callback& callback, void* data, void* to,
                        const Elementwise4& elements, cudaStream_t stream);
/// The function stores from[offset] in `data`, for each element.
cudaError_t launch_store(cufftXtCallbackType type, const Callback& callback, const void* from,
                         void* data, const Elementwise4& elements, cudaStream_t stream);

}  // namespace gridspan::libraries::fft
