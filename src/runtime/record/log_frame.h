// How records stand in the file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/record/log_records.h"
#include "support/hash.h"

#include <string>
#include <string_view>

namespace gridspan::runtime::record {

struct FrameHead {
  std::uint32_t size;  // of the payload
  std::uint32_t kind;
  std::uint64_t checksum;
};

/// The first bytes of every recording, up to its version.
inline constexpr std::string_view magic = "gridspan record ";

inline std::string first_line() {
  return std::string(magic) + std::to_string(format_version) + "\n";
}

inline std::uint64_t checksum(std::uint32_t kind, std::string_view payload) {
  return support::hash_bytes(payload.data(), payload.size(), kind);
}

}  // namespace gridspan::runtime::record
