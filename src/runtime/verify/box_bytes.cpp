// From strided boxes of subscripts to bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/box_bytes.h"

namespace gridspan::runtime::verify {

namespace {

/// More would take the memory of the whole machine.
constexpr double most_pieces = 1e8;

/// One subscript's range in a box.
struct Range {
  std::int64_t first, last, stride;
  bool is_all_of(std::int64_t extent) const {
    return first == 0 && last == extent - 1 && stride == 1;
  }
};

class BoxWriter {
 public:
  BoxWriter(const ArrayLayout& layout, const std::int64_t* box, IntervalSet& bytes)
      : layout_(layout), box_(box), bytes_(bytes), piece_(layout.element_bytes) {
    // Whole rows are one piece each.
    depth_ = layout.rank;
    while (depth_ > 1 && range(depth_ - 1).is_all_of(layout.inner[depth_ - 2])) {
      piece_ *= layout.inner[depth_ - 2];
      --depth_;
    }
  }

  void write() { write(0, 0); }

  /// Intervals the box comes to.
  double pieces() const {
    double count = 1;
    for (std::uint32_t i = 0; i < depth_; ++i) {
      const Range r = range(i);
      if (i + 1 == depth_ && r.stride == 1) break;
      const auto steps = (r.last - r.first) / r.stride;
      count *= static_cast<double>(steps + 1);
    }
    return count;
  }

 private:
  Range range(std::uint32_t subscript) const {
    const std::int64_t* at = box_ + std::size_t{3} * subscript;
    return {at[0], at[1], at[2]};
  }

  /// `offset`: of the subscripts before, in units of this one's extent.
  void write(std::uint32_t subscript, std::int64_t offset) {
    const Range r = range(subscript);
    if (subscript > 0) offset *= layout_.inner[subscript - 1];
    if (subscript + 1 < depth_) {
      for (std::int64_t i = r.first; i <= r.last; i += r.stride) write(subscript + 1, offset + i);
    } else if (r.stride == 1) {
      add(offset + r.first, offset + r.last + 1);
    } else {
      for (std::int64_t i = r.first; i <= r.last; i += r.stride) add(offset + i, offset + i + 1);
    }
  }

  void add(std::int64_t begin, std::int64_t end) {
    bytes_.add(layout_.base + static_cast<std::uintptr_t>(begin * piece_),
               layout_.base + static_cast<std::uintptr_t>(end * piece_));
  }

  const ArrayLayout& layout_;
  const std::int64_t* box_;
  IntervalSet& bytes_;
  std::int64_t piece_;  // bytes
  std::uint32_t depth_;
};

}  // namespace

std::string add_box(const ArrayLayout& layout, const std::int64_t* box, IntervalSet& bytes) {
  for (std::uint32_t i = 0; i < layout.rank; ++i) {
    const std::int64_t* range = box + std::size_t{3} * i;
    if (range[2] >= 1 && range[0] <= range[1]) continue;
    return "a box has the " + std::string(range[2] < 1 ? "" : "empty ") + "range " +
           std::to_string(range[0]) + ".." + std::to_string(range[1]) + " step " +
           std::to_string(range[2]) + " in subscript " + std::to_string(i);
  }
  BoxWriter writer(layout, box, bytes);
  if (writer.pieces() > most_pieces) return "a box falls into more than 10^8 pieces";
  writer.write();
  return {};
}

}  // namespace gridspan::runtime::verify
