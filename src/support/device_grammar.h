// GRIDSPAN_DEVICES: which devices a program asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   devices := term { '+' term }
//   term    := WORD | WORD ':' counts | WORD ':' numbers      as the word's row says
//   counts  := COUNT [ 'x' THREADS ]
//   numbers := number { ',' number }
//   number  := INDEX [ 'x' DEVICES ]
#pragma once

#include "support/result.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace gridspan::support {

/// One term of GRIDSPAN_DEVICES; terms are joined by '+'.
struct DeviceTerm {
  std::string_view word = "cpu";  // of the table
  unsigned count = 1;             // cpu:N
  unsigned threads_each = 0;      // cpu:NxT, 0 = share all threads evenly
  std::vector<unsigned> indices;  // cuda:0,2; empty = all; cuda:0x3 is three times 0
  friend bool operator==(const DeviceTerm&, const DeviceTerm&) = default;
};

/// A word that a term may begin with.
struct DeviceWord {
  std::string_view word;
  std::string_view kind;  // of its devices, DeviceFacts::kind
  enum class Detail { none, counts, numbers } detail;
  bool has_own_memory;  // of its devices, which the host does not reach
  // As `gridspan --help` shows them:
  std::string_view usage;  // the grammar
  std::string_view help;   // what devices these are, in lines that end
};

/// Of a term that was parsed.
const DeviceWord& word_of(const DeviceTerm& term);

/// Grammar only, not whether such devices are there.
Result<std::vector<DeviceTerm>> parse_devices(std::string_view text);

}  // namespace gridspan::support
