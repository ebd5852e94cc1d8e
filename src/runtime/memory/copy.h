// Boxes in pitched memory that the program names, and how far they reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/boxes.h"

namespace gridspan::runtime {

using devices::copy_box;
using devices::Extent;
using devices::Pitched;

/// Bytes from the box's first to one past its last. The extent must not be empty. Nothing if the
/// sum does not fit an address.
struct Span {
  std::size_t bytes = 0;
  bool overflows = false;
};
Span span_of(const Pitched& memory, const Extent& extent);

}  // namespace gridspan::runtime
