// What every device does, whatever its kind and whatever is in front of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host reads and writes a device's memory by copies only, as if it did not reach it. All of it
// is poisoned before, and what must not change is compared, too.
#include "every_device.h"
#include "test_kernel.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <set>
#include <thread>

namespace gridspan::test {
namespace {

using devices::BoxMove;
using devices::Extent;
using devices::Marking;
using devices::Pitched;
using Bytes = std::vector<char>;

constexpr char poison = '\xa5';

Bytes random_bytes(std::size_t size) {
  static std::mt19937 random(7);
  Bytes bytes(size);
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

Pitched row(void* memory, std::size_t size) { return {static_cast<char*>(memory), size, size}; }

// --- a kernel: values[i] = values[i] * 2 + add, for whole grids and parts

void step(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* const values = argument<std::uint32_t*>(block, 0);
  const auto add = argument<std::uint32_t>(block, 1);
  const std::uint64_t start = block_number(block) * block->thread_count;
  for (std::uint32_t t = first; t < last; ++t) values[start + t] = values[start + t] * 2 + add;
}
void step_on_fiber(ThreadContext* thread) {
  step(thread->block, thread->thread, thread->thread + 1);
}

constexpr Dim grid{37, 1, 1}, block{33, 1, 1};
constexpr std::size_t count = 37 * 33, bytes = count * sizeof(std::uint32_t);

/// In a module of its own: GPUs load it.
struct Stepper {
  Stepper() {
    kernel.name = "step";
    kernel.where = {"conformance.cu", 3, 1};
    kernel.thread = step_on_fiber;
    kernel.regions = &region;
    kernel.region_count = 1;
    kernel.parameters = parameters;
    kernel.parameter_count = 2;
    kernel.module = &module;
    module.kernels = &kernel;
    module.kernel_count = 1;
  }
  Stepper(const Stepper&) = delete;

  abi::LaunchContext launch(Dim first, Dim blocks, const void* const* arguments) const {
    abi::LaunchContext context{};
    context.version = abi::version;
    context.grid = grid;
    context.block = block;
    context.first_block = first;
    context.block_count = blocks;
    context.arguments = arguments;
    return context;
  }

  Region region{step, abi::exited, {}, {}};
  abi::Parameter parameters[2] = {{8, 8, 0, 1}, {4, 4, 8, 0}};
  abi::Module module{};
  abi::Kernel kernel{};
};

/// Arguments of a launch.
struct Values {
  Values(void* memory_, std::uint32_t add_) : memory(memory_), add(add_) {}
  Values(const Values&) = delete;
  void* memory;
  std::uint32_t add;
  const void* pointers[2] = {&memory, &add};
};

std::vector<std::uint32_t> stepped(std::vector<std::uint32_t> values, std::uint32_t add,
                                   std::size_t first = 0, std::size_t last = count) {
  for (std::size_t i = first; i < last; ++i) values[i] = values[i] * 2 + add;
  return values;
}

class EachDevice : public testing::TestWithParam<EveryDevice> {
 protected:
  devices::Device& device() { return *all_[0]; }
  devices::Device& other() { return *all_[1]; }
  devices::CommandQueue& queue() { return device().queue(); }

  /// A range with memory behind all of it, poisoned.
  char* range(std::size_t size) { return range_of(device(), size); }
  char* range_of(devices::Device& on, std::size_t size) {
    auto* const memory = static_cast<char*>(on.memory().reserve(size));
    EXPECT_NE(memory, nullptr);
    if (on.memory().memory_unit(size) != 0) EXPECT_EQ(on.memory().commit(memory, size), size);
    write(on, memory, Bytes(size, poison));
    ranges_.push_back({&on, memory, size});
    return memory;
  }
  static void write(devices::Device& on, void* to, Bytes from) {
    const RunResult result =
        on.memory().copy(row(to, from.size()), row(from.data(), from.size()), {from.size()});
    EXPECT_EQ(result.fault, Fault::none) << result.message;
  }
  static Bytes read(devices::Device& on, void* from, std::size_t size) {
    Bytes to(size, '\x5a');
    const RunResult result = on.memory().copy(row(to.data(), size), row(from, size), {size});
    EXPECT_EQ(result.fault, Fault::none) << result.message;
    return to;
  }
  /// The values for steps, and what they are.
  char* values(std::vector<std::uint32_t>& want) {
    char* const memory = range(bytes);
    want.resize(count);
    std::iota(want.begin(), want.end(), 11u);
    write(device(), memory, as_bytes(want));
    return memory;
  }
  static Bytes as_bytes(const std::vector<std::uint32_t>& values) {
    Bytes result(values.size() * sizeof values[0]);
    std::memcpy(result.data(), values.data(), result.size());
    return result;
  }
  void finish() { expect_good(queue().finish(queue().mark(Marking::exact))); }
  static void expect_good(const RunResult& result) {
    EXPECT_EQ(result.fault, Fault::none) << result.message;
  }

  void SetUp() override {
    all_ = make(GetParam());
    ASSERT_EQ(all_.size(), 2u);
    device().queue().adopt_thread();
  }
  void TearDown() override {
    for (const auto& [on, memory, size] : ranges_) on->memory().release(memory, size);
  }

  Stepper stepper_;

 private:
  struct Range {
    devices::Device* on;
    char* memory;
    std::size_t size;
  };
  Devices all_;
  std::vector<Range> ranges_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, EachDevice, testing::ValuesIn(every_device()),
                         [](const auto& info) { return std::string(info.param.name); });

// --- memory

TEST_P(EachDevice, BlocksAreAlignedAndApart) {
  std::vector<std::pair<void*, Bytes>> blocks;
  for (const std::size_t size : {1, 3, 255, 257, 4097, 70001, 1 << 21}) {
    void* const memory = device().memory().allocate(size);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0u);
    blocks.emplace_back(memory, random_bytes(size));
    write(device(), memory, blocks.back().second);
  }
  for (const auto& [memory, want] : blocks) {
    EXPECT_EQ(read(device(), memory, want.size()), want);
    device().memory().free(memory);
  }
  device().memory().free(nullptr);
  EXPECT_EQ(device().memory().allocate(~std::size_t{0}), nullptr);
}

TEST_P(EachDevice, BoxesMoveWithoutTheirSurroundings) {
  const Extent box{13, 7, 3};
  const std::size_t pitch = 29, slice = pitch * 9, size = slice * 4;
  Bytes host = random_bytes(size), want(size, poison);
  char *const first = range(size), *const second = range(size);
  const auto at = [&](char* memory) { return Pitched{memory + 5, pitch, slice}; };
  expect_good(device().memory().copy(at(first), at(host.data()), box));
  expect_good(device().memory().copy(at(second), at(first), box));
  for (std::size_t z = 0; z < box.depth; ++z)
    for (std::size_t y = 0; y < box.height; ++y)
      for (std::size_t x = 0; x < box.width; ++x) {
        const std::size_t i = 5 + z * slice + y * pitch + x;
        want[i] = host[i];
      }
  EXPECT_EQ(read(device(), second, size), want);
  Bytes back(size, poison);
  expect_good(device().memory().copy(at(back.data()), at(second), box));
  EXPECT_EQ(back, want);
  expect_good(device().memory().copy(at(second), at(host.data()), {13, 0, 3}));
  expect_good(device().memory().copy_all({}));
  EXPECT_EQ(read(device(), second, size), want);
}

TEST_P(EachDevice, BoxesAreFilledWithoutTheirSurroundings) {
  const Extent box{11, 5, 2};
  const std::size_t pitch = 17, slice = pitch * 6, size = slice * 3;
  char* const memory = range(size);
  Bytes want(size, poison);
  for (const bool begins : {false, true}) {
    const unsigned char value = begins ? 0x7f : 0;
    const Pitched to{memory + 3, pitch, slice};
    expect_good(begins ? queue().begin_fill(to, box, value)
                       : device().memory().fill(to, box, value));
    finish();
    for (std::size_t z = 0; z < box.depth; ++z)
      for (std::size_t y = 0; y < box.height; ++y)
        std::memset(&want[3 + z * slice + y * pitch], value, box.width);
    EXPECT_EQ(read(device(), memory, size), want);
  }
}

TEST_P(EachDevice, SeveralBoxesMoveAtOnce) {
  const std::size_t size = 40 * 1000;
  Bytes host = random_bytes(size), want(size, poison);
  char* const memory = range(size);
  std::vector<BoxMove> moves;
  for (std::size_t i = 0; i < 300; ++i) {
    const std::size_t at = i * 133, length = 1 + i % 97;
    moves.push_back({row(memory + at, length), row(host.data() + at, length), {length}});
    std::copy_n(host.begin() + static_cast<std::ptrdiff_t>(at), length,
                want.begin() + static_cast<std::ptrdiff_t>(at));
  }
  expect_good(device().memory().copy_all(moves));
  EXPECT_EQ(read(device(), memory, size), want);
  write(device(), memory, Bytes(size, poison));
  expect_good(queue().begin_copies(moves));
  finish();
  EXPECT_EQ(read(device(), memory, size), want);
}

TEST_P(EachDevice, ReadsOtherDevices) {
  const std::size_t size = 70001;
  const Bytes want = random_bytes(size);
  char *const there = range_of(other(), size), *const here = range(size);
  write(other(), there, want);
  expect_good(device().memory().copy(row(here, size), row(there, size), {size}));
  EXPECT_EQ(read(device(), here, size), want);
  expect_good(queue().begin_fill(row(here, size), {size}, 0));
  expect_good(queue().begin_copy(row(here, size - 1), row(there, size - 1), {size - 1}));
  finish();
  Bytes all_but_one = want;
  all_but_one.back() = 0;
  EXPECT_EQ(read(device(), here, size), all_but_one);
}

TEST_P(EachDevice, RangesKeepWhatIsNotDiscarded) {
  const std::size_t size = (5 << 21) + 12345;
  devices::DeviceMemory& memory = device().memory();
  auto* const all = static_cast<char*>(memory.reserve(size));
  ASSERT_NE(all, nullptr);
  const std::size_t unit = memory.memory_unit(size);
  const std::size_t piece = unit ? unit : 1 << 21;
  ASSERT_LT(2 * piece, size);
  EXPECT_EQ(memory.commit(all, 2 * piece), 2 * piece);
  if (unit) {
    EXPECT_EQ(memory.commit(all + 2 * piece, size - 2 * piece), size - 2 * piece);
  }
  const Bytes want = random_bytes(size);
  write(device(), all, want);
  memory.discard(all + piece, piece);
  if (unit) EXPECT_EQ(memory.commit(all + piece, piece), piece);
  const Bytes second = random_bytes(piece);
  write(device(), all + piece, second);
  Bytes expected = want;
  std::ranges::copy(second, expected.begin() + static_cast<std::ptrdiff_t>(piece));
  EXPECT_EQ(read(device(), all, size), expected);
  memory.release(all, size);
}

// --- the queue

TEST_P(EachDevice, PartsRunAndNothingElse) {
  std::vector<std::uint32_t> want;
  char* const memory = values(want);
  const Values arguments(memory, 3);
  expect_good(queue().run_part(stepper_.kernel,
                               stepper_.launch({5, 0, 0}, {11, 1, 1}, arguments.pointers)));
  want = stepped(want, 3, 5 * 33, 16 * 33);
  EXPECT_EQ(read(device(), memory, bytes), as_bytes(want));
  expect_good(
      queue().run_part(stepper_.kernel, stepper_.launch({0, 0, 0}, {0, 1, 1}, arguments.pointers)));
  expect_good(
      queue().run_part(stepper_.kernel, stepper_.launch({0, 0, 0}, grid, arguments.pointers)));
  want = stepped(want, 3);
  EXPECT_EQ(read(device(), memory, bytes), as_bytes(want));
}

/// Parts of a list come one after the other: v*2+3 and v*2+5 in turn. The lists share no blocks.
TEST_P(EachDevice, ListsOfPartsKeepTheirOrders) {
  std::vector<std::uint32_t> want;
  char* const memory = values(want);
  const Values three(memory, 3), five(memory, 5);
  std::vector<devices::PartList> lists(7);
  for (std::uint32_t list = 0; list < 7; ++list) {
    const std::uint32_t first = list * 5, blocks = std::min(5u, grid.x - first);
    for (std::uint32_t turn = 0; turn < 4 + list % 3; ++turn) {
      const Values& values = turn % 2 == 0 ? three : five;
      lists[list].push_back(
          {&stepper_.kernel, stepper_.launch({first, 0, 0}, {blocks, 1, 1}, values.pointers)});
      want = stepped(want, values.add, first * block.x, (first + blocks) * block.x);
    }
  }
  lists.insert(lists.begin() + 3, devices::PartList{});
  expect_good(queue().run_lists(lists));
  expect_good(queue().run_lists({}));
  EXPECT_EQ(read(device(), memory, bytes), as_bytes(want));
}

TEST_P(EachDevice, OneLineKeepsTheOrder) {
  std::vector<std::uint32_t> want;
  char *const memory = values(want), *const copy = range(bytes);
  Bytes host(bytes, '\x5a');
  for (std::uint32_t turn = 0; turn < 20; ++turn) {
    const Values arguments(memory, turn);
    expect_good(
        queue().begin_part(stepper_.kernel, stepper_.launch({0, 0, 0}, grid, arguments.pointers)));
    expect_good(queue().begin_copy(row(copy, bytes), row(memory, bytes), {bytes}));
    expect_good(queue().begin_fill(row(memory, 4), {4}, static_cast<unsigned char>(turn)));
    want = stepped(want, turn);
    if (turn == 19) break;
    std::memset(want.data(), static_cast<int>(turn), 4);
  }
  expect_good(queue().begin_copy(row(host.data(), bytes), row(copy, bytes), {bytes}));
  finish();
  EXPECT_EQ(host, as_bytes(want));
}

TEST_P(EachDevice, LinesWaitForMarks) {
  std::vector<std::uint32_t> want;
  char *const memory = values(want), *const copy = range(bytes);
  for (std::uint32_t turn = 1; turn < 12; ++turn) {
    const Values arguments(memory, turn);
    queue().use_line(turn % 3);
    expect_good(
        queue().begin_part(stepper_.kernel, stepper_.launch({0, 0, 0}, grid, arguments.pointers)));
    want = stepped(want, turn);
    const devices::Mark mark = queue().mark(Marking::exact);
    queue().use_line((turn + 1) % 3);
    expect_good(queue().begin_after(device(), mark));
  }
  expect_good(queue().begin_copy(row(copy, bytes), row(memory, bytes), {bytes}));
  finish();
  EXPECT_EQ(read(device(), copy, bytes), as_bytes(want));
}

TEST_P(EachDevice, WaitsForOtherDevices) {
  std::vector<std::uint32_t> want;
  char *const memory = values(want), *const there = range_of(other(), bytes);
  for (std::uint32_t turn = 1; turn < 9; ++turn) {
    const Values arguments(memory, turn);
    expect_good(
        queue().begin_part(stepper_.kernel, stepper_.launch({0, 0, 0}, grid, arguments.pointers)));
    want = stepped(want, turn);
    expect_good(other().queue().begin_after(device(), queue().mark(Marking::exact)));
    expect_good(other().queue().begin_copy(row(there, bytes), row(memory, bytes), {bytes}));
    expect_good(queue().begin_after(other(), other().queue().mark(Marking::exact)));
  }
  expect_good(other().queue().finish(other().queue().mark(Marking::exact)));
  EXPECT_EQ(read(other(), there, bytes), as_bytes(want));
}

TEST_P(EachDevice, MarksAreDoneInTheirTurn) {
  std::vector<std::uint32_t> want;
  const Values arguments(values(want), 1);
  const std::int64_t begin = devices::now_nanoseconds();
  const devices::Mark first = queue().mark_time();
  expect_good(
      queue().begin_part(stepper_.kernel, stepper_.launch({0, 0, 0}, grid, arguments.pointers)));
  const devices::Mark last = queue().mark_time();
  // Another thread may wait.
  std::thread([&] { expect_good(queue().finish(last)); }).join();
  EXPECT_TRUE(queue().is_done(last));
  EXPECT_TRUE(queue().is_done(first));
  // Others ask for theirs in another order.
  const std::int64_t ended = queue().time_of(last), began = queue().time_of(first);
  EXPECT_LE(began, ended);
  EXPECT_LT(ended - began, devices::now_nanoseconds() - begin);
  constexpr std::int64_t clocks_differ = 100'000'000;
  EXPECT_GE(began, begin - clocks_differ);
  EXPECT_LE(ended, devices::now_nanoseconds() + clocks_differ);
}

TEST_P(EachDevice, ARefusedLaunchHarmsNothing) {
  std::vector<std::uint32_t> want;
  char* const memory = values(want);
  const Values arguments(memory, 9);
  auto launch = stepper_.launch({0, 0, 0}, grid, arguments.pointers);
  launch.block = {1025, 1, 1};
  EXPECT_NE(queue().run_part(stepper_.kernel, launch).fault, Fault::none);
  EXPECT_EQ(read(device(), memory, bytes), as_bytes(want));
  launch.block = block;
  expect_good(queue().run_part(stepper_.kernel, launch));
  EXPECT_EQ(read(device(), memory, bytes), as_bytes(stepped(want, 9)));
}

TEST_P(EachDevice, GraphsAreBegunAgain) {
  devices::WorkGraphs* const graphs = queue().graphs();
  if (!graphs) return;  // said at once, not by the graph
  std::vector<std::uint32_t> want;
  char *const memory = values(want), *const copy = range(bytes);
  const Values arguments(memory, 5);
  const auto launch = stepper_.launch({0, 0, 0}, grid, arguments.pointers);
  const devices::GraphStep steps[] = {
      {[&] { return queue().begin_part(stepper_.kernel, launch); }, {}},
      {[&] { return queue().begin_copy(row(copy, bytes), row(memory, bytes), {bytes}); }, {0}},
      {[&] { return queue().begin_fill(row(memory, 4), {4}, 1); }, {1}},
  };
  // The module is there before: that can't be in a graph.
  expect_good(queue().run_part(stepper_.kernel, launch));
  want = stepped(want, 5);
  const auto graph = graphs->make(steps);
  ASSERT_NE(graph, nullptr);
  finish();
  EXPECT_EQ(read(device(), memory, bytes), as_bytes(want)) << "making it begins nothing";
  for (int turn = 0; turn < 3; ++turn) {
    ASSERT_TRUE(graphs->is_current(*graph));
    expect_good(graphs->begin(*graph));
    want = stepped(want, 5);
    finish();
    EXPECT_EQ(read(device(), copy, bytes), as_bytes(want));
    std::memset(want.data(), 1, 4);
  }
}

TEST_P(EachDevice, CallsTheHostInItsTurn) {
  devices::HostCalls* const calls = queue().host_calls();
  if (!calls) return;
  std::atomic<int> called{0};
  expect_good(calls->begin(
      [](void* data, bool after_fault) {
        static_cast<std::atomic<int>*>(data)->fetch_add(after_fault ? 100 : 1);
      },
      &called));
  finish();
  EXPECT_EQ(called.load(), 1);
}

TEST_P(EachDevice, LimitsDoNoHarm) {
  expect_good(queue().set_limit(devices::Limit::stack_bytes, 70000));
  expect_good(queue().set_limit(devices::Limit::printf_bytes, 2 << 20));
  const auto stack = queue().limit(devices::Limit::stack_bytes);
  if (stack) EXPECT_GE(*stack, 70000u);
}

// --- code, host memory, identity

TEST_P(EachDevice, KnowsItsCode) {
  devices::DeviceCode& code = device().code();
  for (const bool whole : {true, false}) {
    EXPECT_EQ(code.refusal(stepper_.kernel, whole), "");
    EXPECT_GE(code.most_threads(stepper_.kernel, whole), 32u);
  }
  EXPECT_GE(code.resident_blocks(stepper_.kernel, 33, 0), 1u);
  std::vector<std::uint32_t> want;
  char* const memory = values(want);
  const Values arguments(memory, 2);
  const auto launch = stepper_.launch({0, 0, 0}, grid, arguments.pointers);
  expect_good(queue().run_part(stepper_.kernel, launch));
  code.forget(stepper_.module);
  expect_good(queue().run_part(stepper_.kernel, launch));
  EXPECT_EQ(read(device(), memory, bytes), as_bytes(stepped(stepped(want, 2), 2)));
}

TEST_P(EachDevice, ReachesHostMemoryOfItsOwn) {
  devices::HostMemory* const host = device().host_memory();
  EXPECT_EQ(host == nullptr, device().facts().host_reaches_memory);
  if (!host) return;
  auto* const memory = static_cast<char*>(host->allocate_host(bytes));
  auto* const managed = static_cast<char*>(host->allocate_managed(bytes));
  ASSERT_NE(memory, nullptr);
  ASSERT_NE(managed, nullptr);
  std::vector<std::uint32_t> want(count);
  std::iota(want.begin(), want.end(), 4u);
  const Values arguments(memory, 6);
  std::memcpy(memory, want.data(), bytes);
  expect_good(
      queue().run_part(stepper_.kernel, stepper_.launch({0, 0, 0}, grid, arguments.pointers)));
  EXPECT_EQ(Bytes(memory, memory + bytes), as_bytes(stepped(want, 6)));
  std::memset(managed, poison, bytes);
  host->begin_prefetch(managed, bytes, false);
  expect_good(queue().begin_fill(row(managed, 7), {7}, 1));
  finish();
  EXPECT_EQ(managed[6], 1);
  EXPECT_EQ(managed[7], poison);
  host->free_host(memory);
  host->free_managed(managed);
}

TEST_P(EachDevice, IsRecognised) {
  EXPECT_NE(device().id(), other().id());
  EXPECT_EQ(device().id(), device().id());
  EXPECT_EQ(&device().memory(), &device().memory());
  EXPECT_EQ(&device().queue(), &device().queue());
}

TEST(Decorators, KeepTheIdentity) {
  for (const EveryDevice& one : every_device()) {
    if (!one.decorate) continue;
    EveryDevice plain = one;
    plain.decorate = nullptr;
    auto all = make(plain);
    const devices::DeviceId before = all[0]->id();
    const devices::HostMemory* const host = all[0]->host_memory();
    const auto decorated = one.decorate(std::move(all[0]));
    EXPECT_EQ(decorated->id(), before) << one.name;
    EXPECT_EQ(decorated->host_memory(), host) << one.name;
  }
}

}  // namespace
}  // namespace gridspan::test
