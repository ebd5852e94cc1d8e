// What stands before and after the transforms of lines, element by element, as kernels: how they
// are launched. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/fft/kernels/lines.h"

namespace gridspan::libraries::fft {

/// What the elements of a line are in an array of the program's. n is the length of the transform,
/// h half of it.
enum class Elements {
  whole,      // complex numbers
  real,       // real numbers: the imaginary parts are 0, and left away
  pairs,      // 2 real numbers make a complex one
  hermitian,  // n / 2 + 1 complex numbers stand for n. To be read only
  folded,     // the same, which become h that give pairs when they are transformed. To be read only
};

/// Lines of an array of the program's, of Number (float, double, half): distances are in real
/// numbers, from complex or real element to element.
struct Strided {
  std::int64_t row = 0, line = 0, group = 0, outer = 0;
};

/// Lines in work memory lie one after the other, `length` complex numbers each.
template <typename T, typename Number>
struct Moved {
  std::int64_t lines = 1, groups = 1, outer_groups = 1;
  Number* numbers = nullptr;
  Strided strides;
  Elements elements = Elements::whole;
  Complex<T>* work = nullptr;
  std::int64_t length = 0;  // complex numbers of a line in work memory
  std::int64_t count = 0;   // of these come from `numbers`, the others become 0; or go there
  std::int64_t n = 0;       // hermitian, folded: the length of the transform
  const Complex<T>* factors = nullptr;  // by which each is multiplied; folded: roots of n; or null
  bool exchanges = false;               // real and imaginary parts
};

template <typename T, typename Number>
cudaError_t launch_read(const Moved<T, Number>& moved, cudaStream_t stream);
template <typename T, typename Number>
cudaError_t launch_write(const Moved<T, Number>& moved, cudaStream_t stream);

/// In place: of n / 2 complex numbers that are the transform of pairs, the n / 2 + 1 that are the
/// transform of n real numbers. `strides` as in Moved; `roots` are those of n.
template <typename T>
struct Unfolded {
  std::int64_t lines = 1, groups = 1, outer_groups = 1;
  T* numbers = nullptr;
  Strided strides;
  std::int64_t n = 0;
  const Complex<T>* roots = nullptr;
};
template <typename T>
cudaError_t launch_unfold(const Unfolded<T>& unfolded, cudaStream_t stream);

/// Each of `lines` lines of `length` numbers, element by element.
template <typename T>
cudaError_t launch_multiply(Complex<T>* work, std::int64_t lines, std::int64_t length,
                            const Complex<T>* factors, cudaStream_t stream);

}  // namespace gridspan::libraries::fft
