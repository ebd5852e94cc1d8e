// A fast 64-bit hash of bytes: checksums, digests, and finding equal chunks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridspan::support {

/// Multiply-and-fold over 8 bytes at a time. The same on every little-endian machine; part of the
/// file format. No protection against people who look for collisions.
std::uint64_t hash_bytes(const void* bytes, std::size_t size, std::uint64_t seed = 0);

}  // namespace gridspan::support
