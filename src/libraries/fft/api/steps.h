// A transform as a list of launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/fft/api/tables.h"

#include <cufft.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace gridspan::libraries::fft {

/// What the numbers of an array of the program's are.
enum class Numbers { half_precision, single_precision, double_precision };

/// An array of the program's: distances between elements along each dimension, and between the
/// arrays of a batch, in elements.
struct Layout {
  std::vector<std::int64_t> strides;
  std::int64_t batch = 0;
};

struct Shape {
  std::vector<std::int64_t> sizes;  // of the transform, the last one is the fastest
  std::int64_t batch = 1;
  bool from_real = false, to_real = false;
  Numbers numbers = Numbers::single_precision;
  Layout in, out;
};

/// A call: where its arrays are.
struct Call {
  void* in = nullptr;
  void* out = nullptr;
  void* work = nullptr;
  bool is_inverse = false;  // of a transform from complex to complex numbers
  cudaStream_t stream = nullptr;
};

struct Steps {
  std::vector<std::function<cudaError_t(const Call&)>> steps;
  std::size_t work_bytes = 0;
  cufftResult status = CUFFT_SUCCESS;
};

/// `tables` keeps what the steps use; null: nothing is to be run, only work_bytes is wanted.
Steps steps_of(const Shape& shape, Tables* tables);

}  // namespace gridspan::libraries::fft
