// How long kernels are left alone whose groups do not pay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/resting_kernels.h"

#include <gtest/gtest.h>

namespace gridspan::runtime::fuse {
namespace {

KernelCommand launch_of(const abi::Kernel& kernel, std::uint32_t blocks) {
  return KernelCommand(kernel, {}, {{blocks, 1, 1}, {64, 1, 1}, 0}, nullptr);
}

unsigned rest_of(RestingKernels& resting, const KernelCommand& launch) {
  unsigned launches = 0;
  while (resting.rests(launch)) ++launches;
  return launches;
}

TEST(RestingKernels, RestsGrowUntilAGroupPays) {
  const abi::Kernel kernel{}, other{};
  const KernelCommand launch = launch_of(kernel, 7);
  RestingKernels resting;
  EXPECT_EQ(rest_of(resting, launch), 0u);
  for (const unsigned rest : {32u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u, 4096u}) {
    resting.note(launch, false);
    EXPECT_FALSE(resting.rests(launch_of(kernel, 8))) << "another shape";
    EXPECT_FALSE(resting.rests(launch_of(other, 7))) << "another kernel";
    EXPECT_EQ(rest_of(resting, launch), rest);
  }
  resting.note(launch, true);
  EXPECT_EQ(rest_of(resting, launch), 0u);
  resting.note(launch, false);
  EXPECT_EQ(rest_of(resting, launch), 32u);
  resting.note(launch, false);
  resting.forget();
  EXPECT_EQ(rest_of(resting, launch), 0u);
}

TEST(RestingKernels, WindowsThatNeverComeAgainDoNotPay) {
  const abi::Kernel kernel{};
  const KernelCommand launch = launch_of(kernel, 7);
  RestingKernels resting;
  for (int i = 0; i < 15; ++i) {
    resting.note_unknown(launch);
    EXPECT_FALSE(resting.rests(launch));
  }
  resting.note_unknown(launch);
  EXPECT_EQ(rest_of(resting, launch), 32u);
}

}  // namespace
}  // namespace gridspan::runtime::fuse
