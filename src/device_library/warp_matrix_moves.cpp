// ldmatrix, stmatrix, movmatrix: 8 x 8 matrices of 16-bit elements change hands within a warp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between memory and these functions a lane has one row, 4 words: lanes 0 to 7 have the first
// matrix, lanes 8 to 15 the second, and so on. In registers a lane has of each matrix the elements
// (lane / 4, 2 (lane % 4)) and the next one of the row, in one word.
#include "warp_matrix.h"

namespace {

using namespace gridspan::device_library;
using namespace gridspan::device_library::matrix;

constexpr int side = 8, matrices = 4;
using Matrices = unsigned short[matrices][side][side];

/// What a lane has of a matrix: one word. Transposed, the word is two elements of a column.
HELPER unsigned fragment(const unsigned short (&all)[side][side], int lane, bool transposed) {
  const int row = lane / 4, column = lane % 4 * 2;
  const unsigned first = transposed ? all[column][row] : all[row][column];
  const unsigned second = transposed ? all[column + 1][row] : all[row][column + 1];
  return first | second << 16;
}

HELPER void set_fragment(unsigned short (&all)[side][side], int lane, unsigned word,
                         bool transposed) {
  const int row = lane / 4, column = lane % 4 * 2;
  (transposed ? all[column][row] : all[row][column]) = static_cast<unsigned short>(word);
  (transposed ? all[column + 1][row] : all[row][column + 1]) =
      static_cast<unsigned short>(word >> 16);
}

HELPER void rows_to_fragments(void* const* lanes, bool transposed) {
  Matrices all;
  unsigned absent[matrices] = {};
  for (int lane = 0; lane < warp_size; ++lane)
    __builtin_memcpy(all[lane / side][lane % side], words_of(lanes, lane, absent), 16);
  for (int lane = 0; lane < warp_size; ++lane)
    for (int i = 0; i < matrices; ++i)
      words_of(lanes, lane, absent)[i] = fragment(all[i], lane, transposed);
}

HELPER void fragments_to_rows(void* const* lanes, bool transposed) {
  Matrices all;
  unsigned absent[matrices] = {};
  for (int lane = 0; lane < warp_size; ++lane)
    for (int i = 0; i < matrices; ++i)
      set_fragment(all[i], lane, words_of(lanes, lane, absent)[i], transposed);
  for (int lane = 0; lane < warp_size; ++lane)
    __builtin_memcpy(words_of(lanes, lane, absent), all[lane / side][lane % side], 16);
}

}  // namespace

DEVICE_FUNCTION void __gridspan_lanes_ldmatrix(void* const* lanes) {
  rows_to_fragments(lanes, false);
}
DEVICE_FUNCTION void __gridspan_lanes_ldmatrix_trans(void* const* lanes) {
  rows_to_fragments(lanes, true);
}
DEVICE_FUNCTION void __gridspan_lanes_stmatrix(void* const* lanes) {
  fragments_to_rows(lanes, false);
}
DEVICE_FUNCTION void __gridspan_lanes_stmatrix_trans(void* const* lanes) {
  fragments_to_rows(lanes, true);
}

DEVICE_FUNCTION void __gridspan_lanes_movmatrix(void* const* lanes) {
  unsigned short all[side][side];
  unsigned absent[1] = {};
  for (int lane = 0; lane < warp_size; ++lane)
    set_fragment(all, lane, *words_of(lanes, lane, absent), false);
  for (int lane = 0; lane < warp_size; ++lane)
    *words_of(lanes, lane, absent) = fragment(all, lane, true);
}
