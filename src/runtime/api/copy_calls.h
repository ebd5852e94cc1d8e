// The one way of all copies and fills.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"
#include "runtime/memory/copy.h"

namespace gridspan::runtime {

/// Whether the caller asked for the ...Async form.
enum class Asynchrony : bool { no, yes };

/// Checks a copy and puts it into the stream. Returns when CUDA's rules say the caller may go on.
Status copy(Runtime& state, const Pitched& to, const Pitched& from, const Extent& extent,
            cudaMemcpyKind kind, cudaStream_t stream, Asynchrony asynchrony);

/// The same for fills.
Status fill(Runtime& state, const Pitched& to, const Extent& extent, int value, cudaStream_t stream,
            Asynchrony asynchrony);

/// One-dimensional memory as a box.
inline Pitched flat(const void* base) {
  return {static_cast<char*>(const_cast<void*>(base)), 0, 0};
}
/// A box whose first row starts at `base`, rows `pitch` bytes apart.
inline Pitched rows(const void* base, std::size_t pitch) {
  return {static_cast<char*>(const_cast<void*>(base)), pitch, 0};
}

}  // namespace gridspan::runtime
