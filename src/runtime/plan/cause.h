// Why bytes move.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridspan::runtime {

enum class Cause : std::uint8_t {
  upload,    // the program copies from host memory
  download,  // ... to host memory
  copy,      // ... inside device memory, or from host to host
  read,      // a launch, or a copy on another device, reads them
  gather,    // the buffer lies in too many pieces to keep track of, or all of it is needed at home
  change_over,  // a launch is cut in another way from now on
  eviction,     // the device needs the memory for other data
  merge,        // parts changed them on copies of their own
  combination,  // parts updated private copies
};
inline constexpr std::size_t cause_count = 9;

const char* cause_name(Cause cause);

}  // namespace gridspan::runtime
