// Times of launches, and what is told of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/kernel_times.h"

#include "test_kernel.h"

namespace gridspan::test {
namespace {

using devices::KernelTimes;

abi::Kernel named(const char* name, const abi::Module* module) {
  abi::Kernel kernel{};
  kernel.name = name;
  kernel.where = {"folder/\"a\".cu", 7, 0};
  kernel.module = module;
  return kernel;
}

TEST(KernelTimes, AreToldLaunchByLaunch) {
  abi::Module module{};
  module.id = {{0xab, 0x12}};
  module.instruction_set = abi::InstructionSet::x86_64_v3;
  const abi::Kernel kernel = named("_Z1f", &module);
  KernelTimes times;
  times.add(kernel, 1500.7);
  times.add(kernel, 20);
  EXPECT_EQ(times.text(),
            "{\"cpu\": \"x86-64-v3\", \"kernels\": [\n"
            " {\"name\": \"_Z1f\", \"module\": \"00000000000000ab0000000000000012\", "
            "\"file\": \"folder/\\\"a\\\".cu\", \"line\": 7, \"launches\": 2, "
            "\"nanoseconds\": [1500, 20]}]}\n");
}

TEST(KernelTimes, ManyLaunchesShareTheirPlaces) {
  const abi::Kernel kernel = named("f", nullptr);
  KernelTimes times;
  for (std::size_t i = 0; i <= KernelTimes::most_places; ++i) times.add(kernel, 3);
  const std::string text = times.text();
  EXPECT_NE(text.find("\"launches\": 4097, \"nanoseconds\": [6, 3, 3"), std::string::npos);
}

TEST(KernelTimes, NothingRanIsAnAnswer) {
  EXPECT_EQ(KernelTimes().text(), "{\"cpu\": \"\", \"kernels\": []}\n");
}

}  // namespace
}  // namespace gridspan::test
