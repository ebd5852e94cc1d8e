// Looks for a pair of blocks that forbids it, by halves of the grid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/one_kernel.h"

#include "runtime/regions/region.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gridspan::runtime::fuse {

namespace {

using abi::Dim;

bool is_one(const BlockBox& part) {
  return part.count.x == 1 && part.count.y == 1 && part.count.z == 1;
}

/// In two along the axis with the most blocks, of equal ones the outermost.
std::pair<BlockBox, BlockBox> halves(const BlockBox& part) {
  int axis = 2;
  for (const int other : {1, 0})
    if (along(part.count, other) > along(part.count, axis)) axis = other;
  BlockBox low = part, high = part;
  const std::uint32_t half = along(part.count, axis) / 2;
  along(low.count, axis) = half;
  along(high.first, axis) += half;
  along(high.count, axis) -= half;
  return {low, high};
}

std::string text(const Dim& dim) {
  return "(" + std::to_string(dim.x) + ", " + std::to_string(dim.y) + ", " + std::to_string(dim.z) +
         ")";
}

std::string place_of(const Access& access) {
  if (!access.set || !access.set->where.file) return "";
  return " (" + std::string(access.set->where.file) + ":" + std::to_string(access.set->where.line) +
         ")";
}

/// How blocks of a step are those of the one kernel: some of them, along x, are one.
struct Side {
  const GroupStep* step;
  std::uint32_t blocks = 1;

  Dim grid() const { return {(step->grid.x + blocks - 1) / blocks, step->grid.y, step->grid.z}; }
  BlockBox own(BlockBox part) const {
    part.first.x *= blocks;
    part.count.x = std::min(part.count.x * blocks, step->grid.x - part.first.x);
    return part;
  }
};

/// A part of the one kernel's grid, and what one side touches in it.
struct Part {
  BlockBox blocks;
  std::vector<Access> accesses;
};

struct Conflict {
  Dim earlier, later;  // blocks
  Access first, second;
};

class Search {
 public:
  /// `meets`: whether accesses of different blocks forbid one kernel.
  template <class Meets>
  Search(const Side& earlier, const Side& later, std::size_t most_looks, Meets meets)
      : sides_{earlier, later}, meets_(std::move(meets)), most_looks_(most_looks) {}

  /// Nothing: there is none, or `gave_up`.
  std::optional<Conflict> find() {
    const BlockBox whole{{0, 0, 0}, sides_[0].grid()};
    return within(part(0, whole), part(1, whole));
  }
  bool gave_up() const { return looks_ > most_looks_; }

 private:
  Part part(int side, const BlockBox& blocks) {
    ++looks_;
    const Side& from = sides_[static_cast<std::size_t>(side)];
    return {blocks, from.step->touch(from.own(blocks))};
  }

  std::optional<std::pair<Access, Access>> meeting(const Part& earlier, const Part& later) const {
    for (const Access& one : earlier.accesses)
      for (const Access& other : later.accesses)
        if (one.buffer == other.buffer && meets_(one, other) && one.box.meets(other.box))
          return std::pair(one, other);
    return std::nullopt;
  }

  /// Of different blocks of one part.
  std::optional<Conflict> within(const Part& earlier, const Part& later) {
    if (is_one(earlier.blocks) || gave_up() || !meeting(earlier, later)) return std::nullopt;
    const auto [low, high] = halves(earlier.blocks);
    const Part earlier_low = part(0, low), later_high = part(1, high);
    if (auto found = across(earlier_low, later_high)) return found;
    const Part earlier_high = part(0, high), later_low = part(1, low);
    if (auto found = across(earlier_high, later_low)) return found;
    if (auto found = within(earlier_low, later_low)) return found;
    return within(earlier_high, later_high);
  }

  /// Of parts that have no block in common.
  std::optional<Conflict> across(const Part& earlier, const Part& later) {
    if (gave_up()) return std::nullopt;
    const auto met = meeting(earlier, later);
    if (!met) return std::nullopt;
    if (is_one(earlier.blocks) && is_one(later.blocks))
      return Conflict{earlier.blocks.first, later.blocks.first, met->first, met->second};
    const bool cuts_later = is_one(earlier.blocks) ||
                            (!is_one(later.blocks) && size(later.blocks) > size(earlier.blocks));
    const auto [low, high] = halves(cuts_later ? later.blocks : earlier.blocks);
    for (const BlockBox& half : {low, high}) {
      auto found = cuts_later ? across(earlier, part(1, half)) : across(part(0, half), later);
      if (found) return found;
    }
    return std::nullopt;
  }

  static std::uint64_t size(const BlockBox& part) {
    return std::uint64_t{part.count.x} * part.count.y * part.count.z;
  }

  Side sides_[2];
  std::function<bool(const Access&, const Access&)> meets_;
  std::size_t most_looks_, looks_ = 0;
};

/// One of two steps writes.
bool forbids(const Access& one, const Access& other) {
  return writes(one.effect) || writes(other.effect);
}

const char* verb(const Access& access) {
  switch (access.effect) {
    case Effect::read:
      return "reads";
    case Effect::update:
      return "updates";
    case Effect::may_write:
    case Effect::must_write:
      break;
  }
  return "writes";
}

std::string array_name(const Steps& steps, std::uint32_t buffer) {
  const std::string& name = steps.buffers[buffer].name;
  return name.empty() ? "its memory" : "'" + name + "'";
}

/// A box that is larger than what is touched may be the only reason.
std::string doubt(const Conflict& found) {
  return found.first.is_exact && found.second.is_exact ? "" : ", as far as the models tell";
}

std::string reason(const Steps& steps, const Side& earlier, const Side& later,
                   const Conflict& found) {
  const auto block = [](const Side& side, const Dim& one) {
    const std::string of = " of '" + side.step->name + "'";
    if (side.blocks == 1) return "block " + text(one) + of;
    const Dim first = side.own({one, {1, 1, 1}}).first;
    return "one of " + std::to_string(side.blocks) + " blocks from " + text(first) + of;
  };
  return block(later, found.later) + " " + verb(found.second) + " bytes of " +
         array_name(steps, found.first.buffer) + place_of(found.second) + " that " +
         block(earlier, found.earlier) + " " + verb(found.first) + place_of(found.first) +
         doubt(found);
}

OneKernel too_many(const GroupStep& earlier, const GroupStep& later) {
  return {false,
          "the blocks of '" + earlier.name + "' and '" + later.name +
              "' are too many, or touch too much, to be compared",
          true};
}

/// Neighbours along x, as many as it takes for blocks of equal size.
std::optional<std::pair<Side, Side>> sides_of(const GroupStep& earlier, const GroupStep& later) {
  Side first{&earlier}, second{&later};
  const Dim &a = earlier.block, &b = later.block;
  if (a.y != b.y || a.z != b.z) return std::nullopt;
  if (b.x % a.x == 0)
    first.blocks = b.x / a.x;
  else if (a.x % b.x == 0)
    second.blocks = a.x / b.x;
  else
    return std::nullopt;
  return are_equal(first.grid(), second.grid()) ? std::optional(std::pair(first, second))
                                                : std::nullopt;
}

std::string sizes_text(const GroupStep& step) {
  return "'" + step.name + "' has " + text(step.grid) + " blocks of " + text(step.block) +
         " threads";
}

OneKernel of_kernels(const Steps& steps, const GroupStep& earlier, const GroupStep& later,
                     std::size_t most_looks) {
  const auto sides = sides_of(earlier, later);
  if (!sides) return {false, sizes_text(earlier) + ", " + sizes_text(later)};
  Search search(sides->first, sides->second, most_looks, forbids);
  if (const auto found = search.find())
    return {false, reason(steps, sides->first, sides->second, *found)};
  return search.gave_up() ? too_many(earlier, later) : OneKernel{true, {}, false};
}

/// Each byte that a copy or fill writes may go to the one block that touches it. What a copy reads
/// is in no block's way unless one writes it.
OneKernel with_moved(const Steps& steps, const GroupStep& moving, const GroupStep& kernel,
                     std::size_t most_looks) {
  const std::vector<Access> moved = moving.touch(moving.whole());
  const auto meets_moved = [&](const Access& access, Effect effect) {
    return std::ranges::any_of(moved, [&](const Access& one) {
      return one.buffer == access.buffer && one.effect == effect && one.box.meets(access.box);
    });
  };
  for (const Access& access : kernel.touch(kernel.whole()))
    if (writes(access.effect) && meets_moved(access, Effect::read))
      return {false, "'" + kernel.name + "' writes bytes of " + array_name(steps, access.buffer) +
                         place_of(access) + " that the " + moving.name + " reads"};
  const Side side{&kernel};
  const auto both_touch_moved = [&](const Access& one, const Access& other) {
    return std::ranges::any_of(moved, [&](const Access& moved_one) {
      return moved_one.buffer == one.buffer && writes(moved_one.effect) &&
             moved_one.box.meets(one.box.intersection(other.box));
    });
  };
  Search search(side, side, most_looks, both_touch_moved);
  if (const auto found = search.find())
    return {false, "blocks " + text(found->earlier) + " and " + text(found->later) + " of '" +
                       kernel.name + "' touch the same bytes of " +
                       array_name(steps, found->first.buffer) + place_of(found->second) +
                       " that the " + moving.name + " writes" + doubt(*found)};
  return search.gave_up() ? too_many(moving, kernel) : OneKernel{true, {}, false};
}

/// Two of them may become part of a third step, a kernel, if no byte ties them together.
OneKernel of_moved(const Steps& steps, const GroupStep& earlier, const GroupStep& later) {
  for (const Access& one : earlier.touch(earlier.whole()))
    for (const Access& other : later.touch(later.whole()))
      if (one.buffer == other.buffer && forbids(one, other) && one.box.meets(other.box))
        return {false, "a " + earlier.name + " and a " + later.name + " touch the same bytes of " +
                           array_name(steps, one.buffer)};
  return {true, {}};
}

using RegionOfBuffer = std::map<std::uint32_t, regions::Region>;  // by buffer

RegionOfBuffer reads_in(const GroupStep& step, const BlockBox& part) {
  RegionOfBuffer all;
  for (const Access& access : step.touch(part))
    if (reads(access.effect)) all[access.buffer].add(access.box);
  return all;
}

double common_bytes(const RegionOfBuffer& one, const RegionOfBuffer& other) {
  double bytes = 0;
  for (const auto& [buffer, region] : one)
    if (const auto at = other.find(buffer); at != other.end())
      bytes += static_cast<double>(region.intersection(at->second).volume());
  return bytes;
}

/// Block `number` of `grid`, x first.
Dim block_at(const Dim& grid, std::uint64_t number) {
  return {static_cast<std::uint32_t>(number % grid.x),
          static_cast<std::uint32_t>(number / grid.x % grid.y),
          static_cast<std::uint32_t>(number / grid.x / grid.y)};
}

}  // namespace

OneKernel one_kernel(const Steps& steps, std::size_t earlier, std::size_t later,
                     std::size_t most_looks) {
  const GroupStep &first = steps.steps[earlier], &second = steps.steps[later];
  if (first.is_kernel && second.is_kernel) return of_kernels(steps, first, second, most_looks);
  if (second.is_kernel) return with_moved(steps, first, second, most_looks);
  if (first.is_kernel) return with_moved(steps, second, first, most_looks);
  return of_moved(steps, first, second);
}

bool shares_reads(const Steps& steps, std::size_t earlier, std::size_t later) {
  constexpr std::uint64_t most_samples = 32;
  const GroupStep &first = steps.steps[earlier], &second = steps.steps[later];
  if (!first.is_kernel || !second.is_kernel) return true;
  const auto sides = sides_of(first, second);
  if (!sides) return false;
  const Dim grid = sides->first.grid();
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  const std::uint64_t samples = std::min(blocks, most_samples);
  const RegionOfBuffer all = reads_in(second, second.whole());
  double by_one_index = 0, by_any = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    const BlockBox one{block_at(grid, i * blocks / samples), {1, 1, 1}};
    const RegionOfBuffer own = reads_in(first, sides->first.own(one));
    by_any += common_bytes(own, all);
    by_one_index += common_bytes(own, reads_in(second, sides->second.own(one)));
  }
  return by_one_index >= by_any / 2;
}

}  // namespace gridspan::runtime::fuse
