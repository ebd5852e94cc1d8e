// Memory comes back where it was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/replay_memory.h"

#include "runtime/record/log_file.h"
#include "temporary_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace gridspan::tests {
namespace {

using namespace runtime::record;

/// Where nothing is: taken and given back.
std::uint64_t free_place(std::size_t size) {
  void* place = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(place, size);
  return reinterpret_cast<std::uint64_t>(place);
}

TEST(ReplayMemory, RangesThatShareAPageAreMappedOnce) {
  const std::uint64_t place = free_place(4 * 4096);
  const TemporaryFile file;
  {
    auto writer = LogWriter::open(file.name());
    ASSERT_TRUE(writer);
    writer->write(MemoryNote{place + 256, 512, 0, 0, true});
    writer->write(MemoryNote{place + 256, 512, 0, 0, false});
    writer->write(MemoryNote{place + 1024, 8192, 0, 0, true});
    writer->write(MemoryNote{place + 3 * 4096, 16, 0, 0, true});
  }
  const auto mapped = map_recorded_memory(file.name());
  ASSERT_TRUE(mapped) << mapped.error().message;
  for (std::uint64_t at = place; at < place + 4 * 4096; at += 512) {
    *reinterpret_cast<char*>(at) = 1;
  }
  // It is taken now.
  EXPECT_FALSE(map_recorded_memory(file.name()));
  munmap(reinterpret_cast<void*>(place), 4 * 4096);
}

}  // namespace
}  // namespace gridspan::tests
