// Launches over memory that is addresses only: planning looks at none of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "plan_fixture.h"
#include "runtime/plan/split.h"

namespace gridspan::tests::planning {

using namespace gridspan::runtime;

inline constexpr abi::Dim grid{12, 1, 1}, block{32, 1, 1};
inline constexpr std::int32_t n = 370;  // the last block is not full

class PlanTest : public testing::Test {
 protected:
  const void* allocate(std::size_t size, MemoryKind kind = MemoryKind::device) {
    const std::uintptr_t base = next_;
    next_ += (size | 0xfffff) + 1;
    EXPECT_TRUE(table_.insert({base, size, kind, 0}));
    return reinterpret_cast<const void*>(base);
  }
  LaunchPlan best(const KernelCommand& command, unsigned devices = 3) {
    plans_ = ways(command, devices);
    return plans_.front();
  }
  std::vector<LaunchPlan> ways(const KernelCommand& command, unsigned devices) {
    return ways(command, Machine(std::vector<std::uint32_t>(devices, 1)));
  }
  std::vector<LaunchPlan> ways(const KernelCommand& command, const Machine& machine) {
    const BoundLaunch launch(command, buffers);
    return split(launch, command.shape.grid, machine, true);
  }
  const BufferUse& use(const LaunchPlan& plan, std::size_t part, const void* memory) {
    const VirtualBuffer* buffer = buffers.find(reinterpret_cast<std::uintptr_t>(memory));
    for (const BufferUse& one : plan.parts[part].uses) {
      if (one.buffer == buffer) return one;
    }
    ADD_FAILURE() << "part " << part << " does not use the buffer";
    static const BufferUse none{};
    return none;
  }

  AllocationTable table_;
  BufferTable buffers{table_, 8};

 private:
  std::uintptr_t next_ = 0x1000000;
  std::vector<LaunchPlan> plans_;
};

}  // namespace gridspan::tests::planning
