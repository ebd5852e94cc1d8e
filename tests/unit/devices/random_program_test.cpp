// Random programs: regions, fibers and interpret mode against the reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random_program.h"

#include <cstdlib>
#include <string>

namespace gridspan::test {
namespace {

/// GRIDSPAN_TEST_SEEDS: how many programs, for a longer run by hand.
std::uint64_t seeds(std::uint64_t standard) {
  const char* given = std::getenv("GRIDSPAN_TEST_SEEDS");
  if (given != nullptr) return std::strtoull(given, nullptr, 10);
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  standard /= 10;
#endif
#endif
  return standard;
}

void compare(devices::Device& device, const Program& program, bool fibers, std::uint32_t blocks,
             std::uint32_t threads, const std::string& name) {
  const auto kernel = kernel_of(program, fibers);
  if (!kernel) return;
  const Program* text = &program;
  std::vector<std::uint32_t> out(blocks * threads, 0xdddddddd);
  std::uint32_t* data = out.data();
  const RunResult result = run(device, *kernel, {{blocks, 1, 1}, {threads, 1, 1}, {&text, &data}});
  ASSERT_EQ(result.fault, Fault::none) << name << ": " << result.message;
  ASSERT_EQ(out, reference(program, blocks, threads)) << name;
}

void compare_all(bool warps, std::uint64_t count) {
  const auto plain = devices::cpu::make_device({.threads = 2});
  const auto interpreter = devices::cpu::make_device({.threads = 2, .interpret = true});
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const Program program = random_program(seed, warps);
    const auto part = static_cast<std::uint32_t>(seed % 3 + 1);
    const std::uint32_t threads = (block_sizes[seed % block_sizes.size()] + part - 1) / part;
    const std::string name = "seed " + std::to_string(seed) + ", " + std::to_string(threads);
    compare(*plain, program, false, 3, threads, name + " threads as regions");
    compare(*plain, program, true, 3, threads, name + " threads on fibers");
    if (seed % 4 == 0) compare(*interpreter, program, false, 1, threads, name + " interpreted");
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(RandomPrograms, BlockBarriers) { compare_all(false, seeds(150)); }
TEST(RandomPrograms, WarpOperationsAndBlockBarriers) { compare_all(true, seeds(300)); }

}  // namespace
}  // namespace gridspan::test
