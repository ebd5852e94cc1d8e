// Copies and fills as launches: which ones, and what their models say that they touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/move_kernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace gridspan::runtime::fuse {
namespace {

struct Boxes : abi::BoxSink {
  Boxes() {
    take = [](abi::BoxSink* self, const std::int64_t* box) {
      static_cast<Boxes*>(self)->found.push_back({box[0], box[1]});
      EXPECT_EQ(box[2], 1);
    };
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
};

class Moves : public testing::Test {
 protected:
  static constexpr std::size_t size = 1 << 20;
  Moves() : first_(size), second_(size), managed_(size) {
    add(first_, MemoryKind::device);
    add(second_, MemoryKind::device);
    add(managed_, MemoryKind::managed);
  }
  void add(std::vector<char>& memory, MemoryKind kind) {
    Allocation allocation;
    allocation.base = reinterpret_cast<std::uintptr_t>(memory.data());
    allocation.size = memory.size();
    allocation.kind = kind;
    ASSERT_TRUE(table_.insert(allocation));
  }
  std::optional<KernelCommand> copy(char* to, const char* from, const Extent& extent,
                                    std::size_t pitch = 0) {
    Command command;
    command.emplace<CopyCommand>(
        CopyCommand{{to, pitch, 0}, {const_cast<char*>(from), pitch, 0}, extent, nullptr});
    return as_launch(command, table_);
  }
  std::optional<KernelCommand> fill(char* to, const Extent& extent, unsigned char value) {
    Command command;
    command.emplace<FillCommand>(FillCommand{{to, 0, 0}, extent, value});
    return as_launch(command, table_);
  }

  std::vector<char> first_, second_, managed_;
  AllocationTable table_;
};

TEST_F(Moves, OnlyBytesThatLieTogetherInMemoryOfTheDevice) {
  char *a = first_.data(), *b = second_.data();
  EXPECT_TRUE(copy(a, b, {size, 1, 1}));
  EXPECT_TRUE(copy(a + 3, b + 5, {1, 1, 1}));
  EXPECT_TRUE(copy(a, b, {64, 9, 1}, 64));
  EXPECT_FALSE(copy(a, b, {64, 9, 1}, 65)) << "rows are apart";
  EXPECT_FALSE(copy(a + 1, b, {size, 1, 1})) << "beyond its end";
  EXPECT_TRUE(copy(a, a + 100, {100, 1, 1}));
  EXPECT_FALSE(copy(a, a + 99, {100, 1, 1})) << "ends overlap";
  EXPECT_FALSE(copy(managed_.data(), b, {100, 1, 1})) << "the host may look at it";
  EXPECT_FALSE(copy(a, managed_.data(), {100, 1, 1})) << "the host may write it";
  char outside[8] = {};
  EXPECT_FALSE(copy(a, outside, {8, 1, 1})) << "the host's";
  EXPECT_TRUE(fill(b + 7, {size - 7, 1, 1}, 1));
  EXPECT_FALSE(fill(b + 7, {size - 6, 1, 1}, 1)) << "beyond its end";
  Command other;
  EXPECT_FALSE(as_launch(other, table_));
}

TEST_F(Moves, PartsTouchWhatTheyMoveAndNothingElse) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    const std::size_t bytes = 1 + random() % size;
    const auto launch = copy(first_.data(), second_.data(), {bytes, 1, 1});
    ASSERT_TRUE(launch);
    EXPECT_EQ(moved_bytes(*launch), bytes);
    const abi::KernelModel& model = *launch->kernel->model;
    ASSERT_EQ(model.array_count, 2u);
    const auto blocks = static_cast<std::int64_t>(launch->shape.grid.x);
    std::int64_t values[abi::first_scalar + 1] = {blocks, 1, 1, 1, 1, 1};
    values[abi::first_scalar] = static_cast<std::int64_t>(bytes);
    std::int64_t next = 0;
    for (std::int64_t block = 0; block < blocks;) {
      const std::int64_t last = std::min<std::int64_t>(blocks - 1, block + random() % 4);
      const std::int64_t part[6] = {block, 0, 0, last, 0, 0};
      Boxes read, written;
      model.arrays[0].sets[0].footprint(values, part, &written);
      model.arrays[1].sets[0].footprint(values, part, &read);
      EXPECT_EQ(written.found, read.found);
      ASSERT_EQ(written.found.size(), 1u);
      EXPECT_EQ(written.found[0].first, next);
      next = written.found[0].second + 1;
      block = last + 1;
    }
    EXPECT_EQ(next, static_cast<std::int64_t>(bytes));
  }
}

TEST_F(Moves, BlocksMoveTheirBytes) {
  std::mt19937 random(5);
  const std::size_t bytes = 100'003;
  for (char& one : second_) one = static_cast<char>(random());
  const auto launch = copy(first_.data() + 11, second_.data() + 5, {bytes, 1, 1});
  const auto filling = fill(first_.data() + 200'000, {bytes, 1, 1}, 0xa7);
  ASSERT_TRUE(launch && filling);
  std::vector<char> expected = first_;
  std::memcpy(expected.data() + 11, second_.data() + 5, bytes);
  std::memset(expected.data() + 200'000, 0xa7, bytes);
  for (const KernelCommand* command : {&*launch, &*filling}) {
    const void* arguments[3];
    for (std::uint32_t i = 0; i < 3; ++i)
      arguments[i] = command->arguments.bytes() + command->kernel->parameters[i].offset;
    abi::LaunchContext context{};
    context.arguments = arguments;
    abi::BlockContext block{};
    block.launch = &context;
    for (std::uint32_t i = 0; i < command->shape.grid.x; ++i) {
      block.block_index = {i, 0, 0};
      command->kernel->regions[0].run(&block, 0, 1);
    }
  }
  EXPECT_EQ(first_, expected);
}

}  // namespace
}  // namespace gridspan::runtime::fuse
