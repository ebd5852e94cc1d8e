// Copies and fills of a device, and devices that fail on purpose.
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

/// The bytes that lie in the box, one by one.
std::vector<bool> inside() {
  std::vector<bool> bytes(100);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = i / 28 < 3 && i % 28 / 7 < 2 && i % 7 < 4;
  return bytes;
}

TEST(DeviceBoxes, AreCopiedWithoutTheirPadding) {
  const auto all = make();
  std::vector<char> from(100), to(100, 'x');
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i);
  EXPECT_EQ(all[1]->copy(in_padding(to), in_padding(from), box).fault, Fault::none);
  const std::vector<bool> in_box = inside();
  for (std::size_t i = 0; i < to.size(); ++i) EXPECT_EQ(to[i], in_box[i] ? from[i] : 'x') << i;
}

TEST(DeviceBoxes, AreFilledWithoutTheirPadding) {
  const auto all = make();
  std::vector<char> to(100, 'x');
  EXPECT_EQ(all[2]->fill(in_padding(to), box, 'y').fault, Fault::none);
  const std::vector<bool> in_box = inside();
  for (std::size_t i = 0; i < to.size(); ++i) EXPECT_EQ(to[i], in_box[i] ? 'y' : 'x') << i;
}

TEST(FailingDevice, FailsAfterItsSuccessesAndForGood) {
  const auto all = make({Kind::copy, 1, 2});
  std::vector<char> from(100, 'a'), to(100, 'x');
  EXPECT_EQ(all[1]->copy(in_padding(to), in_padding(from), box).fault, Fault::none);
  EXPECT_EQ(all[1]->fill(in_padding(to), box, 'b').fault, Fault::none);
  const std::vector<char> before = to;
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_NE(all[1]->copy(in_padding(to), in_padding(from), box).fault, Fault::none);
    EXPECT_NE(all[1]->fill(in_padding(to), box, 'c').fault, Fault::none);
  }
  EXPECT_EQ(to, before);
  EXPECT_EQ(all[0]->fill(in_padding(to), box, 'd').fault, Fault::none);  // others work
}

TEST(FailingDevice, HasNoRoom) {
  const auto all = make({Kind::reserve, 2, 1});
  void* const first = all[2]->reserve(1 << 20);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(all[2]->reserve(1 << 20), nullptr);
  all[2]->release(first, 1 << 20);
  EXPECT_EQ(all[2]->reserve(1 << 20), nullptr);
}

TEST(FailingDevice, RunsNoKernels) {
  const abi::Kernel kernel{};
  const abi::LaunchContext nothing{};
  const auto failing = make({Kind::part, 0, 1});
  EXPECT_EQ(failing[0]->run_part(kernel, nothing).fault, Fault::none);
  EXPECT_EQ(failing[0]->run_part(kernel, nothing).fault, Fault::trap);
  const auto stopping = make({Kind::thread, 0, 0});
  EXPECT_THROW(stopping[0]->run_part(kernel, nothing), std::runtime_error);
}

TEST(FailingDevice, IsNoneThatIsNotThere) {
  const auto all = make({Kind::reserve, 7, 0});
  for (const auto& device : all) {
    void* const memory = device->reserve(4096);
    EXPECT_NE(memory, nullptr);
    device->release(memory, 4096);
  }
}

}  // namespace
}  // namespace gridspan::test
