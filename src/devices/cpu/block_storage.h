// Memory a worker lends to the block it runs: shared memory, frames, sync operands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/launch.h"
#include "abi/module.h"
#include "abi/services.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace gridspan::devices::cpu {

/// Memory that grows and never shrinks; contents are lost when it grows. 1024-byte aligned.
class GrowingBuffer {
 public:
  /// At least `size` bytes, never null.
  char* reserve(std::size_t size);

 private:
  struct Release {
    void operator()(char* memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Release> memory_;
  std::size_t size_ = 0;
};

/// Bytes of shared memory a block has: static, rounded up to 16, then dynamic.
std::uint32_t dynamic_shared_offset(const abi::Kernel& kernel);
std::uint64_t shared_bytes(const abi::Kernel& kernel, const abi::LaunchContext& launch);

/// BlockContext::good_places where nobody looks at accesses.
extern const std::array<abi::GoodPlaces, abi::access_slots + 1> all_places_are_good;

/// Everything a BlockContext points to. `prepare` once per launch, then only the block index
/// changes, so that starting a block costs three stores.
class BlockStorage {
 public:
  /// Sets the context up for blocks of this launch. `with_frames`: the block runs as regions.
  abi::BlockContext& prepare(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                             bool with_frames);
  abi::BlockContext& context() { return context_; }
  const abi::BlockContext& context() const { return context_; }

 private:
  // A cache line between the columns keeps them out of each other's cache sets.
  static constexpr std::size_t gap = 32;
  struct Columns {
    alignas(64) std::uint64_t value[abi::max_block_threads + gap];
    alignas(64) std::uint32_t mask[abi::max_block_threads + gap];
    alignas(64) std::uint32_t lane[abi::max_block_threads + gap];
    alignas(64) std::uint32_t clamp[abi::max_block_threads + gap];
    alignas(64) std::uint32_t flag[abi::max_block_threads + gap];
    alignas(64) std::uint16_t next[abi::max_block_threads + gap];
  };
  abi::BlockContext context_{};
  std::unique_ptr<Columns> columns_ = std::make_unique<Columns>();
  GrowingBuffer shared_;
  GrowingBuffer frames_;
};

}  // namespace gridspan::devices::cpu
