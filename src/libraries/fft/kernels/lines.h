// Transforms of lines of an array, as a kernel: how it is launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block has 16 lines in shared memory, side by side: a row holds one element of each, and a
// butterfly takes whole rows. Threads along x are the lines: what they compute is the same, and the
// factors are the same number for all. A line's elements are transformed in place, which leaves
// them in the order of their digits reversed; rows are put in order as they are stored.
//
// A longer line is cut into rows by columns: all columns are transformed, then all rows, and what
// is stored in between is multiplied by a root of unity for each element.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gridspan::libraries::fft {

template <typename T>
struct ComplexOf;
template <>
struct ComplexOf<float> {
  using Type = float2;
};
template <>
struct ComplexOf<double> {
  using Type = double2;
};
template <typename T>
using Complex = typename ComplexOf<T>::Type;

/// Lines of a block.
constexpr int lines_of_block = 16;
constexpr int shared_limit = 65536;  // bytes; all GPUs since Turing have them

/// How a block reads its lines, and writes them.
enum class Way {
  across,  // neighbouring lines are neighbours in memory
  along,   // neighbouring elements of a line are
  apart,   // neither
  parts,   // the lines are the sixteen parts of one line, whose elements are neighbours: the first
           // pass, by 16, is made as they are read
};

/// The rows that fit in a block's shared memory.
template <typename T>
constexpr int most_rows(Way from, Way to) {
  const bool has_copy = from == Way::along || from == Way::parts || to == Way::along;
  return shared_limit / (lines_of_block * 2 * static_cast<int>(sizeof(T))) / (has_copy ? 2 : 1);
}

/// Distances, in complex numbers: between the elements of a line, neighbouring lines, groups of
/// lines, groups of groups.
struct Places {
  std::int64_t row = 0, line = 0, group = 0, outer = 0;
};

/// What the passes over a block's rows are, in device memory: src/libraries/fft/api/tables.h makes
/// it. Numbers of `numbers` are
///   for each pass: radix, butterflies, distance of a butterfly's rows, place of its starts;
///   starts: for each butterfly of a pass its first row, and the exponent of its roots;
///   order: for each row of the result where it is;
///   natural: for each butterfly of the last pass the row of its first result.
struct Passes {
  int count = 0;
  const int* numbers = nullptr;
  int order = 0, natural = 0;  // places
};

template <typename T>
struct Lines {
  int rows = 0;            // elements of a line, all of whose factors are radices
  std::int64_t lines = 0;  // neighbours
  std::int64_t groups = 1, outer_groups = 1;
  const Complex<T>* in = nullptr;
  Complex<T>* out = nullptr;
  Places from, to;
  Way read = Way::across, write = Way::across;
  Passes passes;
  const Complex<T>* roots = nullptr;  // of unity, exp(-2 pi i k / rows)
  /// Results are multiplied by factors[row * by_row + line * by_line + group * by_group]. With
  /// Way::parts, result 4 b + c of the first pass over element e of each part is, by
  /// factors[4 (c * rows + e) + b]; behind them are the roots of 16.
  const Complex<T>* factors = nullptr;
  std::int64_t by_row = 0, by_line = 0, by_group = 0;
  bool is_inverse = false;  // not scaled
};

namespace detail {
/// For each pair there is a file.
template <typename T, Way read, Way write>
cudaError_t launch_ways(const Lines<T>& lines, cudaStream_t stream);
}  // namespace detail

/// In place if `from` and `to` are alike, else in and out are different memory. Ways are: both
/// across, both along, both apart, or from along or parts to across.
template <typename T>
cudaError_t launch_lines(const Lines<T>& lines, cudaStream_t stream) {
  if (lines.lines == 0 || lines.groups == 0 || lines.outer_groups == 0) return cudaSuccess;
  switch (lines.read) {
    case Way::across:
      return detail::launch_ways<T, Way::across, Way::across>(lines, stream);
    case Way::apart:
      return detail::launch_ways<T, Way::apart, Way::apart>(lines, stream);
    case Way::along:
      if (lines.write == Way::along)
        return detail::launch_ways<T, Way::along, Way::along>(lines, stream);
      return detail::launch_ways<T, Way::along, Way::across>(lines, stream);
    case Way::parts:
      return detail::launch_ways<T, Way::parts, Way::across>(lines, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace gridspan::libraries::fft
