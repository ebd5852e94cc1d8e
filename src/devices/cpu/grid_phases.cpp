// The blocks of a part that meet at grid barriers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/grid_phases.h"

namespace gridspan::devices::cpu {

GridPhases::GridPhases(const Part& part) {
  blocks_.reserve(part.tiles().size());
  abi::Dim index = part.tiles().at(0);
  for (std::uint64_t i = 0; i < part.tiles().size(); ++i) {
    auto& block = *blocks_.emplace_back(std::make_unique<GridBlock>());
    block.storage.prepare(part.kernel(), part.launch(), true).block_index = index;
    part.tiles().advance(index);
    turn_.push_back(&block);
  }
}

GridBlock* GridPhases::claim() {
  const std::size_t number = next_.fetch_add(1, std::memory_order_relaxed);
  return number < turn_.size() ? turn_[number] : nullptr;
}

bool GridPhases::begin_next() {
  std::erase_if(blocks_, [](const auto& block) { return block->finished; });
  turn_.clear();
  for (const auto& block : blocks_)
    if (block->waits_for_children) turn_.push_back(block.get());
  if (turn_.empty())
    for (const auto& block : blocks_) turn_.push_back(block.get());
  next_.store(0, std::memory_order_relaxed);
  return !blocks_.empty();
}

}  // namespace gridspan::devices::cpu
