// Box differences, slab by slab.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/box_union.h"

#include "llvm/IR/Intrinsics.h"

namespace gridspan::codegen {

using namespace llvm;

namespace {

class Difference {
 public:
  Difference(IslCode& code, const std::function<void(const ConcreteBox&)>& take)
      : code_(code), builder_(code.builder()), take_(take) {}

  /// `box` without boxes[from], ..., boxes[to - 1].
  void subtract(ConcreteBox box, const std::vector<ConcreteBox>& boxes, std::size_t from,
                std::size_t to);

 private:
  Value* some(const ConcreteBox& box);
  Value* smaller(Value* a, Value* b) {
    return builder_.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
  }
  Value* larger(Value* a, Value* b) {
    return builder_.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
  }
  Value* plus(Value* a, std::int64_t b) {
    return builder_.CreateAdd(a, builder_.getInt64(static_cast<std::uint64_t>(b)));
  }

  IslCode& code_;
  IRBuilder<>& builder_;
  const std::function<void(const ConcreteBox&)>& take_;
};

Value* Difference::some(const ConcreteBox& box) {
  Value* all = box.exists;
  for (std::size_t i = 0; i < box.first.size(); ++i)
    all = builder_.CreateAnd(all, builder_.CreateICmpSLE(box.first[i], box.last[i]));
  return all;
}

void Difference::subtract(ConcreteBox box, const std::vector<ConcreteBox>& boxes, std::size_t from,
                          std::size_t to) {
  code_.when(some(box), [&] {
    box.exists = builder_.getTrue();
    if (from == to) return take_(box);
    const ConcreteBox& hole = boxes[from];
    Value* is_hole = some(hole);
    for (std::size_t i = 0; i < box.first.size(); ++i) {
      // Without a hole everything lies below it.
      Value* hole_first = builder_.CreateSelect(is_hole, hole.first[i], plus(box.last[i], 1));
      Value* hole_last = builder_.CreateSelect(is_hole, hole.last[i], box.last[i]);
      ConcreteBox below = box, above = box;
      below.last[i] = smaller(box.last[i], plus(hole_first, -1));
      above.first[i] = larger(box.first[i], plus(hole_last, 1));
      subtract(below, boxes, from + 1, to);
      subtract(above, boxes, from + 1, to);
      box.first[i] = larger(box.first[i], hole_first);
      box.last[i] = smaller(box.last[i], hole_last);
    }
  });
}

}  // namespace

std::size_t union_pieces(std::size_t count, unsigned rank) {
  std::size_t all = 0, pieces = 1;
  for (std::size_t i = 0; i < count && all < 1000; ++i, pieces *= 2 * rank) all += pieces;
  return all;
}

void disjoint_boxes(IslCode& code, const std::vector<ConcreteBox>& boxes,
                    const std::function<void(const ConcreteBox&)>& take) {
  Difference difference(code, take);
  for (std::size_t i = 0; i < boxes.size(); ++i) difference.subtract(boxes[i], boxes, 0, i);
}

void box_around(IslCode& code, const std::vector<ConcreteBox>& boxes,
                const std::function<void(const ConcreteBox&)>& take) {
  if (boxes.empty()) return;
  IRBuilder<>& builder = code.builder();
  const std::size_t rank = boxes[0].first.size();
  Value* lowest = builder.getInt64(std::uint64_t{1} << 63);
  Value* highest = builder.getInt64(~(std::uint64_t{1} << 63));
  ConcreteBox around{builder.getFalse(), std::vector<Value*>(rank, highest),
                     std::vector<Value*>(rank, lowest)};
  auto join = [&](Intrinsic::ID closer, Value*& end, Value* other, Value* exists) {
    Value* moved = builder.CreateBinaryIntrinsic(closer, end, other);
    end = builder.CreateSelect(exists, moved, end);
  };
  for (const ConcreteBox& box : boxes) {
    around.exists = builder.CreateOr(around.exists, box.exists);
    for (std::size_t i = 0; i < rank; ++i) {
      join(Intrinsic::smin, around.first[i], box.first[i], box.exists);
      join(Intrinsic::smax, around.last[i], box.last[i], box.exists);
    }
  }
  code.when(around.exists, [&] { take(around); });
}

}  // namespace gridspan::codegen
