// Copies into, out of and between CUDA arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/arrays.h"
#include "runtime/api/call.h"
#include "runtime/api/copy_calls.h"

using namespace gridspan::runtime;

namespace {

/// `count` bytes from (x, y) on, row after row: rows have no gaps.
Status run_of(Runtime& state, cudaArray_const_t handle, std::size_t x, std::size_t y,
              std::size_t count, Pitched& run) {
  std::shared_ptr<Array> array;
  GRIDSPAN_TRY(find_array(state, handle, array));
  const std::size_t all = array->bytes.width * array->bytes.height;
  GRIDSPAN_TRY(part_of(*array, x, y, 0, {0, 0, 0}, run));
  const std::size_t first = y * array->bytes.width + x;
  if (first > all || count > all - first) {
    return refuse(cudaErrorInvalidValue, "%zu bytes from (%zu, %zu) on leave the array's %zu",
                  count, x, y, all);
  }
  run = flat(run.base);
  return cudaSuccess;
}

Status to_array(Runtime& state, cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                std::size_t count, cudaMemcpyKind kind, cudaStream_t stream,
                Asynchrony asynchrony) {
  Pitched run;
  GRIDSPAN_TRY(run_of(state, to, x, y, count, run));
  return copy(state, run, flat(from), {count}, kind, stream, asynchrony);
}

Status from_array(Runtime& state, void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                  std::size_t count, cudaMemcpyKind kind, cudaStream_t stream,
                  Asynchrony asynchrony) {
  Pitched run;
  GRIDSPAN_TRY(run_of(state, from, x, y, count, run));
  return copy(state, flat(to), run, {count}, kind, stream, asynchrony);
}

/// The box of `width` bytes x `height` rows at byte x of row y.
Status box_of(Runtime& state, cudaArray_const_t handle, std::size_t x, std::size_t y,
              std::size_t width, std::size_t height, Pitched& box) {
  std::shared_ptr<Array> array;
  GRIDSPAN_TRY(find_array(state, handle, array));
  return part_of(*array, x, y, 0, {width, height, 1}, box);
}

Status check_pitch(std::size_t pitch, std::size_t width, std::size_t height) {
  if (height <= 1 || pitch >= width) return cudaSuccess;
  return refuse(cudaErrorInvalidPitchValue, "pitch %zu is smaller than the width %zu", pitch,
                width);
}

Status rows_to_array(Runtime& state, cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                     std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                     cudaStream_t stream, Asynchrony asynchrony) {
  Pitched box;
  GRIDSPAN_TRY(check_pitch(pitch, width, height));
  GRIDSPAN_TRY(box_of(state, to, x, y, width, height, box));
  return copy(state, box, rows(from, pitch), {width, height, 1}, kind, stream, asynchrony);
}

Status rows_from_array(Runtime& state, void* to, std::size_t pitch, cudaArray_const_t from,
                       std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                       cudaMemcpyKind kind, cudaStream_t stream, Asynchrony asynchrony) {
  Pitched box;
  GRIDSPAN_TRY(check_pitch(pitch, width, height));
  GRIDSPAN_TRY(box_of(state, from, x, y, width, height, box));
  return copy(state, rows(to, pitch), box, {width, height, 1}, kind, stream, asynchrony);
}

}  // namespace

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t count,
                              cudaMemcpyKind kind) {
  GRIDSPAN_CALL(to, x, y, from, count, kind) {
    return to_array(state, to, x, y, from, count, kind, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  GRIDSPAN_CALL(to, x, y, from, count, kind, stream) {
    return to_array(state, to, x, y, from, count, kind, stream, Asynchrony::yes);
  });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  GRIDSPAN_CALL(to, from, x, y, count, kind) {
    return from_array(state, to, from, x, y, count, kind, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  GRIDSPAN_CALL(to, from, x, y, count, kind, stream) {
    return from_array(state, to, from, x, y, count, kind, stream, Asynchrony::yes);
  });
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t count,
                                   cudaMemcpyKind kind) {
  GRIDSPAN_CALL(to, to_x, to_y, from, from_x, from_y, count, kind) {
    Pitched target, source;
    GRIDSPAN_TRY(run_of(state, to, to_x, to_y, count, target));
    GRIDSPAN_TRY(run_of(state, from, from_x, from_y, count, source));
    return copy(state, target, source, {count}, kind, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  GRIDSPAN_CALL(to, x, y, from, pitch, width, height, kind) {
    return rows_to_array(state, to, x, y, from, pitch, width, height, kind, nullptr,
                         Asynchrony::no);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  GRIDSPAN_CALL(to, x, y, from, pitch, width, height, kind, stream) {
    return rows_to_array(state, to, x, y, from, pitch, width, height, kind, stream,
                         Asynchrony::yes);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  GRIDSPAN_CALL(to, pitch, from, x, y, width, height, kind) {
    return rows_from_array(state, to, pitch, from, x, y, width, height, kind, nullptr,
                           Asynchrony::no);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  GRIDSPAN_CALL(to, pitch, from, x, y, width, height, kind, stream) {
    return rows_from_array(state, to, pitch, from, x, y, width, height, kind, stream,
                           Asynchrony::yes);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  GRIDSPAN_CALL(to, to_x, to_y, from, from_x, from_y, width, height, kind) {
    Pitched target, source;
    GRIDSPAN_TRY(box_of(state, to, to_x, to_y, width, height, target));
    GRIDSPAN_TRY(box_of(state, from, from_x, from_y, width, height, source));
    return copy(state, target, source, {width, height, 1}, kind, nullptr, Asynchrony::no);
  });
}
