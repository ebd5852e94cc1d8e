// Kernels that launch kernels, as regions and on fibers: who waits, in which order, what is
// refused. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_kernel.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gridspan::test {
namespace {

using Cell = std::uint32_t;
constexpr std::uint64_t tail = 3;

std::size_t cell_of(const BlockContext* block, std::uint32_t t) {
  return block_number(block) * block->thread_count + t;
}

std::uint32_t launch(const char* name, Dim block, std::uint64_t stream,
                     std::vector<const void*> arguments) {
  const Dim grid{1, 1, 1};
  const std::uint32_t refused = gridspan_device_configure(&grid, &block, 0, stream);
  if (refused == 0) gridspan_device_launch(name, arguments.data());
  return refused;
}

// ---- parent: every third thread launches a child over its cell and waits for it; then all meet

void launch_or_pass(BlockContext* block, std::uint32_t t) {
  auto* cells = argument<Cell*>(block, 0);
  const std::size_t cell = cell_of(block, t);
  cells[cell] = t;
  if (t % 3 == 0) launch("triple", {1, 1, 1}, 0, {&cells, &cell});
}
void see_child(BlockContext* block, std::uint32_t t) {
  argument<Cell*>(block, 0)[cell_of(block, t)] += 1;
}
void copy_neighbour(BlockContext* block, std::uint32_t t) {
  const auto* cells = argument<const Cell*>(block, 0);
  const std::uint32_t neighbour = (t + 1) % block->thread_count;
  argument<Cell*>(block, 1)[cell_of(block, t)] = cells[cell_of(block, neighbour)];
}

void begin(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) {
    launch_or_pass(block, t);
    block->next[t] = t % 3 == 0 ? 1 : 2;
  }
}
void behind_children(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) see_child(block, t);
}
void behind_barrier(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) copy_neighbour(block, t);
}
void parent_on_fiber(ThreadContext* thread) {
  const auto wait = [&](SyncKind kind) {
    gridspan_fiber_barrier(thread, static_cast<std::uint32_t>(kind), 0, nullptr);
  };
  launch_or_pass(thread->block, thread->thread);
  if (thread->thread % 3 == 0) {
    wait(SyncKind::children);
    see_child(thread->block, thread->thread);
  }
  wait(SyncKind::barrier);
  copy_neighbour(thread->block, thread->thread);
}

void triple(BlockContext* block, std::uint32_t, std::uint32_t) {
  argument<Cell*>(block, 0)[argument<std::size_t>(block, 1)] =
      3 * argument<Cell*>(block, 0)[argument<std::size_t>(block, 1)] + 7;
}

// ---- tree: writes its name and its children's into a list

using List = std::string;
void note(BlockContext* block, std::uint32_t, std::uint32_t) {
  auto* list = argument<List*>(block, 0);
  const auto depth = argument<std::size_t>(block, 1);
  list->push_back(static_cast<char>('a' + depth));
  const std::size_t next = depth + 1, last = 'z' - 'a';
  if (depth < 2) {
    launch("note", {1, 1, 1}, tail, {&list, &last});
    launch("note", {1, 1, 1}, 0, {&list, &next});
    launch("note", {1, 1, 1}, 0, {&list, &next});
  }
}

void descend(BlockContext* block, std::uint32_t, std::uint32_t) {
  auto* list = argument<List*>(block, 0);
  const auto depth = argument<std::size_t>(block, 1) + 1;
  list->push_back('.');
  if (launch("descend", {1, 1, 1}, 0, {&list, &depth}) != 0)
    list->append(std::to_string(gridspan_device_last_error(1)));
}

void ask_for_too_much(BlockContext* block, std::uint32_t, std::uint32_t) {
  auto* list = argument<List*>(block, 0);
  launch("note", {1025, 1, 1}, 0, {&list});
  list->append(std::to_string(gridspan_device_last_error(0)) + " ");
  launch("note", {0, 1, 1}, 0, {&list});
  list->append(std::to_string(gridspan_device_last_error(1)) + " ");
  list->append(std::to_string(gridspan_device_last_error(1)));
}

/// A module of all these kernels, which have an array and a number as parameters.
class Family : public testing::TestWithParam<unsigned> {
 protected:
  Family() {
    constexpr std::uint32_t waits =
        abi::kernel_launches | abi::kernel_waits_for_children | abi::kernel_has_block_sync;
    add("parent", {parent_.data(), parent_.size()}, waits, nullptr);
    add("parent_on_fibers", {}, waits | abi::kernel_needs_fibers, parent_on_fiber);
    add("triple", {triple_.data(), 1}, 0, nullptr);
    add("note", {note_.data(), 1}, abi::kernel_launches, nullptr);
    add("descend", {descend_.data(), 1}, abi::kernel_launches, nullptr);
    add("ask", {ask_.data(), 1}, abi::kernel_launches, nullptr);
    module_.kernels = kernels_.data();
    module_.kernel_count = static_cast<std::uint32_t>(kernels_.size());
    for (abi::Kernel& kernel : kernels_) kernel.module = &module_;
  }
  void add(const char* name, std::span<const Region> regions, std::uint32_t flags,
           abi::ThreadFunction thread) {
    abi::Kernel kernel{};
    kernel.name = name;
    kernel.thread = thread;
    kernel.regions = regions.data();
    kernel.region_count = static_cast<std::uint32_t>(regions.size());
    kernel.flags = flags;
    kernel.parameters = parameters_;
    kernel.parameter_count = 2;
    kernels_.push_back(kernel);
  }
  RunResult run(const char* name, const TestLaunch& launch) {
    for (const abi::Kernel& kernel : kernels_)
      if (std::string(name) == kernel.name)
        return device_->queue().run_part(kernel, launch.context());
    return {Fault::trap, "no such kernel"};
  }
  List list_of(const char* name) {
    List list;
    List* data = &list;
    const std::size_t depth = 0;
    expect_clean(run(name, {.arguments = {&data, &depth}}));
    return list;
  }

  std::unique_ptr<devices::Device> device_ = devices::cpu::make_device({.threads = GetParam()});
  abi::Parameter parameters_[2] = {{8, 8, 0, 1}, {8, 8, 8, 0}};
  std::vector<Region> parent_ = {{begin, many, {}, {}},
                                 {behind_children, 2, SyncKind::children, {}},
                                 {behind_barrier, abi::exited, SyncKind::barrier, {}}};
  std::vector<Region> triple_ = {{triple, abi::exited, {}, {}}};
  std::vector<Region> note_ = {{note, abi::exited, {}, {}}};
  std::vector<Region> descend_ = {{descend, abi::exited, {}, {}}};
  std::vector<Region> ask_ = {{ask_for_too_much, abi::exited, {}, {}}};
  std::vector<abi::Kernel> kernels_;
  abi::Module module_{};
};

INSTANTIATE_TEST_SUITE_P(Threads, Family, testing::Values(1u, 2u, 5u));

TEST_P(Family, SomeWaitForChildrenOthersForThem) {
  for (const char* name : {"parent", "parent_on_fibers"})
    for (const std::uint32_t threads : {1u, 33u, 100u}) {
      constexpr std::uint32_t blocks = 11;
      std::vector<Cell> cells(blocks * threads), copies(blocks * threads);
      Cell *data = cells.data(), *copy = copies.data();
      expect_clean(run(name, {{blocks, 1, 1}, {threads, 1, 1}, {&data, &copy}}));
      for (std::uint32_t i = 0; i < copies.size(); ++i) {
        const std::uint32_t neighbour = (i % threads + 1) % threads;
        ASSERT_EQ(copies[i], neighbour % 3 == 0 ? 3 * neighbour + 8 : neighbour) << name << i;
      }
    }
}

TEST_P(Family, EachIsDoneWithItsOwnBeforeTheNext) {
  EXPECT_EQ(list_of("note"),
            "abccz"
            "bccz"
            "z");
}

TEST_P(Family, NestsAsDeepAsOnAGpu) { EXPECT_EQ(list_of("descend"), std::string(24, '.') + "65"); }

TEST_P(Family, RefusesImpossibleLaunches) { EXPECT_EQ(list_of("ask"), "9 9 0"); }

}  // namespace
}  // namespace gridspan::test
