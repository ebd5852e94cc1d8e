// Whether the pointers and sizes of a copy or fill are what the program claims.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"
#include "runtime/memory/copy.h"

namespace gridspan::runtime {

/// Memory of one side of a copy, from the program's view.
enum class Side : std::uint8_t {
  device,    // cudaMalloc, symbols, and mapped host memory taken as device memory
  visible,   // page-locked, registered or managed: the host may look while we copy
  pageable,  // everything else
};

struct CheckedCopy {
  Side to = Side::pageable;
  Side from = Side::pageable;
};

/// Checks kind, pointers and ranges of a non-empty copy.
Status check_copy(Runtime& state, const Pitched& to, const Pitched& from, const Extent& extent,
                  cudaMemcpyKind kind, CheckedCopy& checked);

/// Checks a non-empty fill of device-accessible memory. `side` says which.
Status check_fill(Runtime& state, const Pitched& to, const Extent& extent, Side& side);

}  // namespace gridspan::runtime
