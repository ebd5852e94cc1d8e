// Compares what the blocks of a launch touched with what the model says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/comparison.h"

#include "runtime/verify/axis_check.h"
#include "runtime/verify/part_check.h"

#include <algorithm>
#include <random>

namespace gridspan::runtime::verify {

namespace {

/// After so many differences the rest of a launch tells nothing new.
constexpr std::size_t enough_differences = 1000;

constexpr int random_parts = 6;
/// Random parts are small: their blocks' accesses are merged.
constexpr std::uint32_t random_extent = 32;

class Comparison {
 public:
  Comparison(const Launch& launch, const Recorded& recorded)
      : launch_(launch),
        recorded_(recorded),
        bound_(launch),
        strays_(bound_, recorded.blocks),
        axes_(bound_) {}

  Findings run(std::uint64_t seed) {
    const abi::KernelModel& model = bound_.model();
    for (std::uint32_t i = 0; i < model.array_count; ++i)
      findings_.sets += model.arrays[i].set_count;
    for (std::uint32_t i = 0; i < model.assumption_count; ++i)
      if (!bound_.holds(i)) findings_.failed_assumptions.push_back(i);
    check_blocks();
    axes_.run(findings_.differences);
    for (const Box& part : choose_parts(launch_.grid, seed))
      if (!is_enough()) check_part(part);
    return std::move(findings_);
  }

 private:
  bool is_enough() const { return findings_.differences.size() >= enough_differences; }

  void check_blocks() {
    auto next = recorded_.blocks.begin();
    std::uint64_t number = 0;
    for (std::uint32_t z = 0; z < launch_.grid.z; ++z)
      for (std::uint32_t y = 0; y < launch_.grid.y; ++y)
        for (std::uint32_t x = 0; x < launch_.grid.x; ++x, ++number) {
          if (is_enough()) return;
          const bool touched = next != recorded_.blocks.end() && next->number == number;
          if (touched)
            check_block({x, y, z}, &*next++);
          else if (recorded_.is_sampled(number))
            check_block({x, y, z}, nullptr);
        }
  }

  void check_block(const abi::Dim& index, const BlockRecord* record) {
    std::vector<const BlockRecord*> blocks;
    if (record) blocks.push_back(record);
    PartCheck check(bound_, {index, index}, std::move(blocks), true, strays_, findings_);
    check.run();
    ++findings_.blocks;
    if (record && axes_.is_needed()) axes_.add(*record, check);
  }

  void check_part(const Box& part) {
    std::vector<const BlockRecord*> blocks;
    for (const BlockRecord& block : recorded_.blocks)
      if (part.contains(block.index)) blocks.push_back(&block);
    PartCheck(bound_, part, std::move(blocks), is_complete(part), strays_, findings_).run();
  }

  bool is_complete(const Box& part) const {
    const abi::Dim& grid = launch_.grid;
    for (std::uint64_t z = part.first.z; z <= part.last.z; ++z)
      for (std::uint64_t y = part.first.y; y <= part.last.y; ++y)
        for (std::uint64_t x = part.first.x; x <= part.last.x; ++x)
          if (!recorded_.is_sampled(x + grid.x * (y + grid.y * z))) return false;
    return true;
  }

  const Launch& launch_;
  const Recorded& recorded_;
  BoundModel bound_;
  StrayAccesses strays_;
  AxisCheck axes_;
  Findings findings_;
};

}  // namespace

Findings compare(const Launch& launch, const Recorded& recorded, std::uint64_t seed) {
  return Comparison(launch, recorded).run(seed);
}

std::vector<Box> choose_parts(const abi::Dim& grid, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint32_t count) {  // the same on every platform
    return static_cast<std::uint32_t>(random() % count);
  };
  const Box whole{{0, 0, 0}, {grid.x - 1, grid.y - 1, grid.z - 1}};
  std::vector<Box> parts{whole};
  std::uint32_t abi::Dim::* const axes[] = {&abi::Dim::x, &abi::Dim::y, &abi::Dim::z};
  for (const auto axis : axes) {
    if (grid.*axis < 2) continue;
    const std::uint32_t cut = 1 + below(grid.*axis - 1);
    Box low = whole, high = whole;
    low.last.*axis = cut - 1;
    high.first.*axis = cut;
    parts.insert(parts.end(), {low, high});
  }
  for (int i = 0; i < random_parts; ++i) {
    Box part;
    for (const auto axis : axes) {
      part.first.*axis = below(grid.*axis);
      const std::uint32_t most = std::min(random_extent, grid.*axis - part.first.*axis);
      part.last.*axis = part.first.*axis + below(most);
    }
    parts.push_back(part);
  }
  std::erase_if(parts, [](const Box& part) { return part.blocks() == 1; });
  return parts;
}

}  // namespace gridspan::runtime::verify
