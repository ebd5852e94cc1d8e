// How much memory of the host a process may still take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace gridspan::devices::machine {

/// Bytes that can be touched without swapping, and within the limit of the process's control group,
/// as Linux says below `root`; all there can be if it says nothing. Reads some files of /proc and
/// /sys.
std::uint64_t memory_room(const std::string& root = "");

}  // namespace gridspan::devices::machine
