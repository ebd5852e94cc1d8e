// What code for GPUs writes on the list of launches, run as code for this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi/child_list.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

using namespace gridspan::abi;

namespace {

struct Dim {
  unsigned x, y, z;
};
struct Place {
  Dim thread{0, 0, 0}, block_size{1, 1, 1}, block{0, 0, 0}, grid{1, 1, 1};
};
Place place;

}  // namespace

using Word = unsigned long long;

extern "C" {
// The library's.
void gridspan_clear_device_error();
void gridspan_device_set_error(unsigned error);
unsigned gridspan_device_last_error(unsigned clear);
unsigned gridspan_configure_child(ChildRecord* made, const Dim* grid, const Dim* block, Word shared,
                                  Word stream);
void gridspan_launch_child(const ChildRecord* configured, Word kernel, const Word* arguments,
                           unsigned argument_bytes, unsigned most);
void gridspan_device_copy(void* to, const void* from, Word bytes, Word stream);
void gridspan_device_fill(void* to, unsigned value, Word bytes, Word stream);
void gridspan_copy_bytes(char* to, const char* from, Word bytes);
void gridspan_fill_bytes(char* to, Word value, Word bytes);

// A GPU's.
extern ChildList* gridspan_children;
ChildList* gridspan_children = nullptr;
#define REGISTER(name, value)                      \
  unsigned __gridspan_nvvm_read_ptx_sreg_##name(); \
  unsigned __gridspan_nvvm_read_ptx_sreg_##name() { return value; }
REGISTER(tid_x, place.thread.x)
REGISTER(tid_y, place.thread.y)
REGISTER(tid_z, place.thread.z)
REGISTER(ntid_x, place.block_size.x)
REGISTER(ntid_y, place.block_size.y)
REGISTER(ctaid_x, place.block.x)
REGISTER(nctaid_x, place.grid.x)
}

namespace {

class GpuChildList : public testing::Test {
 protected:
  GpuChildList() {
    place = {};
    make(1 << 12, 0);
    gridspan_clear_device_error();
  }
  void make(std::size_t bytes, unsigned depth) {
    memory_.assign((sizeof(ChildList) + bytes) / 16, {});
    gridspan_children = reinterpret_cast<ChildList*>(memory_.data());
    *gridspan_children = {.used = 0,
                          .end = ~0ull,
                          .capacity = bytes,
                          .refused = 0,
                          .depth = depth,
                          .most_shared = 1000,
                          .reserved = {}};
  }
  static const ChildRecord& record(std::size_t offset) {
    return *reinterpret_cast<const ChildRecord*>(reinterpret_cast<char*>(gridspan_children + 1) +
                                                 offset);
  }
  static unsigned launch(Dim grid, Dim block, Word shared = 0, Word stream = 0, unsigned most = 0) {
    ChildRecord made;
    if (gridspan_configure_child(&made, &grid, &block, shared, stream) != 0) return 1;
    const Word arguments[] = {11, 22, 33};
    gridspan_launch_child(&made, 77, arguments, 20, most);
    return 0;
  }

 private:
  struct alignas(16) Quad {
    char bytes[16];
  };
  std::vector<Quad> memory_;
};

TEST_F(GpuChildList, LaunchesAreWrittenWithTheirArguments) {
  EXPECT_EQ(launch({1, 2, 3}, {4, 5, 6}, 1000), 0u);
  EXPECT_EQ(launch({1, 1, 1}, {32, 1, 1}, 0, tail_stream), 0u);
  EXPECT_EQ(gridspan_children->used, 2 * 96u);
  const ChildRecord& one = record(0);
  EXPECT_EQ(one.bytes, 96u);
  EXPECT_EQ(one.kind, ChildKind::launch);
  EXPECT_FALSE(one.is_tail);
  EXPECT_EQ(one.shared_bytes, 1000u);
  EXPECT_EQ(one.argument_bytes, 20u);
  EXPECT_EQ(one.operands[0], 77u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(one.grid[i], 1 + i);
    EXPECT_EQ(one.block[i], 4 + i);
  }
  const Word want[] = {11, 22, 33};
  EXPECT_EQ(std::memcmp(&one + 1, want, 20), 0);
  EXPECT_TRUE(record(96).is_tail);
  EXPECT_EQ(gridspan_device_last_error(1), 0u);
}

TEST_F(GpuChildList, CopiesAndFillsAreWritten) {
  int a = 0, b = 0;
  gridspan_device_copy(&a, &b, 4, 0);
  gridspan_device_fill(&a, 0x1ff, 3, tail_stream);
  EXPECT_EQ(gridspan_children->used, 2 * 64u);
  const auto number = [](const void* address) { return reinterpret_cast<Word>(address); };
  const ChildRecord &copy = record(0), &fill = record(64);
  EXPECT_EQ(copy.kind, ChildKind::copy);
  EXPECT_FALSE(copy.is_tail);
  EXPECT_EQ(copy.operands[0], number(&a));
  EXPECT_EQ(copy.operands[1], number(&b));
  EXPECT_EQ(copy.operands[2], 4u);
  EXPECT_EQ(fill.kind, ChildKind::fill);
  EXPECT_TRUE(fill.is_tail);
  EXPECT_EQ(fill.operands[0], number(&a));
  EXPECT_EQ(fill.operands[1] & 0xff, 0xffu);
  EXPECT_EQ(fill.operands[2], 3u);
}

TEST_F(GpuChildList, RefusedLaunchesAreErrorsOfTheThread) {
  place.block_size = {4, 2, 2};
  place.thread = {3, 1, 1};
  gridspan_clear_device_error();
  EXPECT_EQ(launch({1, 1, 1}, {1025, 1, 1}), 1u);
  place.thread = {3, 1, 0};
  gridspan_clear_device_error();
  EXPECT_EQ(gridspan_device_last_error(0), 0u);
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}, 1001), 1u);
  EXPECT_EQ(gridspan_device_last_error(0), child_invalid_configuration);
  EXPECT_EQ(gridspan_device_last_error(1), child_invalid_configuration);
  EXPECT_EQ(gridspan_device_last_error(1), 0u);
  place.thread = {3, 1, 1};
  EXPECT_EQ(gridspan_device_last_error(1), child_invalid_configuration);
  EXPECT_EQ(launch({1, 1, 1}, {65, 1, 1}, 0, 0, 64), 0u);
  EXPECT_EQ(gridspan_device_last_error(1), child_out_of_resources);
  EXPECT_EQ(launch({1, 1, 1}, {64, 1, 1}, 0, 0, 64), 0u);
  EXPECT_EQ(gridspan_device_last_error(1), 0u);
  EXPECT_EQ(gridspan_children->used, 96u);
}

TEST_F(GpuChildList, NestsAsDeepAsCuda) {
  make(1 << 12, most_nested - 2);
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), 0u);
  make(1 << 12, most_nested - 1);
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), 1u);
  EXPECT_EQ(gridspan_device_last_error(1), child_depth_exceeded);
}

TEST_F(GpuChildList, AFullListIsAnError) {
  make(2 * 96 + 64, 0);
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), 0u);
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), 0u);
  EXPECT_EQ(gridspan_device_last_error(1), 0u);
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), 0u);
  EXPECT_EQ(gridspan_device_last_error(1), child_count_exceeded);
  int a = 0;
  gridspan_device_fill(&a, 1, 4, 0);
  EXPECT_EQ(gridspan_device_last_error(1), child_count_exceeded);
  EXPECT_EQ(gridspan_children->end, 2 * 96u);
  EXPECT_EQ(gridspan_children->refused, 2u);
}

/// Runs all threads of a grid, one after the other.
template <class Kernel>
void on_grid(unsigned blocks, unsigned threads, Kernel kernel) {
  place.grid.x = blocks;
  place.block_size.x = threads;
  for (place.block.x = 0; place.block.x < blocks; ++place.block.x)
    for (place.thread.x = 0; place.thread.x < threads; ++place.thread.x) kernel();
}

TEST_F(GpuChildList, MoversMoveEveryByte) {
  struct alignas(16) Bytes {
    char all[400];
  };
  for (const unsigned offset : {0u, 1u, 8u})
    for (const unsigned bytes : {0u, 1u, 16u, 31u, 160u, 320u}) {
      Bytes from{}, to{}, filled{}, want_to{}, want_filled{};
      std::iota(std::begin(from.all), std::end(from.all), char{1});
      std::memcpy(want_to.all + offset, from.all + 16, bytes);
      std::memset(want_filled.all + offset, 0x5a, bytes);
      on_grid(2, 5, [&] { gridspan_copy_bytes(to.all + offset, from.all + 16, bytes); });
      on_grid(3, 2, [&] { gridspan_fill_bytes(filled.all + offset, 0x15a, bytes); });
      EXPECT_EQ(std::memcmp(&to, &want_to, sizeof to), 0) << offset << ' ' << bytes;
      EXPECT_EQ(std::memcmp(&filled, &want_filled, sizeof filled), 0) << offset << ' ' << bytes;
    }
}

}  // namespace
