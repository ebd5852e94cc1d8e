// Devices that fail on purpose.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/failing_device.h"

#include "devices/make_devices.h"
#include "test_kernel.h"

#include <stdexcept>
#include <vector>

namespace gridspan::test {
namespace {

using devices::Device;
using devices::Fault;
using Kind = support::InjectedFailure::Kind;

std::vector<std::unique_ptr<Device>> make(const support::InjectedFailure& failure = {}) {
  support::Options options;
  options.devices = *support::parse_devices("cpu:3x1");
  options.failure = failure;
  auto made = devices::make_devices(options);
  EXPECT_TRUE(made) << made.error().message;
  return std::move(*made);
}

/// 3 slices of 2 rows of 4 bytes, in slices of 4 rows of 7 bytes.
constexpr devices::Extent box{4, 2, 3};
devices::Pitched in_padding(std::vector<char>& memory) { return {memory.data(), 7, 28}; }

TEST(FailingDevice, FailsAfterItsSuccessesAndForGood) {
  const auto all = make({Kind::copy, 1, 2});
  std::vector<char> from(100, 'a'), to(100, 'x');
  EXPECT_EQ(all[1]->memory().copy(in_padding(to), in_padding(from), box).fault, Fault::none);
  EXPECT_EQ(all[1]->memory().fill(in_padding(to), box, 'b').fault, Fault::none);
  const std::vector<char> before = to;
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_NE(all[1]->memory().copy(in_padding(to), in_padding(from), box).fault, Fault::none);
    EXPECT_NE(all[1]->memory().fill(in_padding(to), box, 'c').fault, Fault::none);
  }
  EXPECT_EQ(to, before);
  EXPECT_EQ(all[0]->memory().fill(in_padding(to), box, 'd').fault, Fault::none);  // others work
}

TEST(FailingDevice, HasNoRoom) {
  const auto all = make({Kind::reserve, 2, 1});
  void* const first = all[2]->memory().reserve(1 << 20);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(all[2]->memory().reserve(1 << 20), nullptr);
  all[2]->memory().release(first, 1 << 20);
  EXPECT_EQ(all[2]->memory().reserve(1 << 20), nullptr);
}

TEST(FailingDevice, RunsNoKernels) {
  const abi::Kernel kernel{};
  const abi::LaunchContext nothing{};
  const auto failing = make({Kind::part, 0, 1});
  EXPECT_EQ(failing[0]->queue().run_part(kernel, nothing).fault, Fault::none);
  EXPECT_EQ(failing[0]->queue().run_part(kernel, nothing).fault, Fault::trap);
  const auto stopping = make({Kind::thread, 0, 0});
  EXPECT_THROW(stopping[0]->queue().run_part(kernel, nothing), std::runtime_error);
}

TEST(FailingDevice, IsNoneThatIsNotThere) {
  const auto all = make({Kind::reserve, 7, 0});
  for (const auto& device : all) {
    void* const memory = device->memory().reserve(4096);
    EXPECT_NE(memory, nullptr);
    device->memory().release(memory, 4096);
  }
}

}  // namespace
}  // namespace gridspan::test
