// The hash sees every bit, wherever it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace gridspan::tests {
namespace {

using support::hash_bytes;

TEST(Hash, EveryBitAndEveryLengthCount) {
  for (std::size_t size = 0; size <= 70; ++size) {
    std::string bytes(size, '\x5a');
    std::set<std::uint64_t> seen{hash_bytes(bytes.data(), size)};
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      std::string other = bytes;
      other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
      seen.insert(hash_bytes(other.data(), size));
    }
    EXPECT_EQ(seen.size(), 8 * size + 1) << size;
  }
}

TEST(Hash, ZerosOfDifferentLengthsDiffer) {
  const std::string zeros(300, '\0');
  std::set<std::uint64_t> seen;
  for (std::size_t size = 0; size <= zeros.size(); ++size) {
    seen.insert(hash_bytes(zeros.data(), size));
  }
  EXPECT_EQ(seen.size(), zeros.size() + 1);
}

TEST(Hash, IsPartOfTheFormat) {
  // Recordings of earlier must stay readable. Worked out with Python's integers.
  EXPECT_EQ(hash_bytes("", 0), 0x1c6f549bed405c04);
  EXPECT_EQ(hash_bytes("gridspan", 8), 0x375b32490812279c);
  EXPECT_EQ(hash_bytes("an answer of 24 bytes...", 24, 7), 0xa21252d54f8aac0d);
}

}  // namespace
}  // namespace gridspan::tests
