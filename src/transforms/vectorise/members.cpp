// Looks ahead in the block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/members.h"

#include "transforms/vectorise/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool is_simple_access(const Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return load->isSimple();
  auto* store = dyn_cast<StoreInst>(&instruction);
  return store && store->isSimple();
}

/// The accesses behind it must not move in front of it, or those before it behind it.
bool stands_between(const Instruction& instruction, bool are_loads) {
  if (isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(instruction)) return false;
  if (is_prefetch(instruction)) return false;
  if (!isGuaranteedToTransferExecutionToSuccessor(&instruction)) return true;
  return are_loads ? instruction.mayWriteToMemory() : instruction.mayReadOrWriteMemory();
}

class MemberSearch {
 public:
  MemberSearch(const Shapes& shapes, Instruction& first)
      : shapes_(shapes), first_(first), layout_(first.getModule()->getDataLayout()) {}

  std::optional<MemberGroup> find() {
    type_ = getLoadStoreType(&first_);
    size_ = layout_.getTypeAllocSize(type_).getFixedValue();
    Shape shape = shapes_.of(getLoadStorePointerOperand(&first_));
    if (shape.kind != Shape::strided || shape.stride % static_cast<std::int64_t>(size_) != 0 ||
        layout_.getTypeSizeInBits(type_) != 8 * size_)
      return std::nullopt;
    stride_ = shape.stride;
    std::int64_t distance = stride_ / static_cast<std::int64_t>(size_);
    if (distance < 2 || distance > 4) return std::nullopt;
    place_ = place(first_);
    collect();
    MemberGroup group;
    group.distance = static_cast<unsigned>(distance);
    group.low = low_;
    group.extent = static_cast<unsigned>((high_ - low_) / static_cast<std::int64_t>(size_)) + 1;
    for (auto [access, offset] : found_)
      group.members.push_back(
          {access, static_cast<unsigned>((offset - low_) / static_cast<std::int64_t>(size_))});
    return group;
  }

 private:
  Place place(const Instruction& access) const {
    return place_of(*getLoadStorePointerOperand(&access), layout_);
  }

  void collect() {
    found_.push_back({&first_, 0});
    bool are_loads = isa<LoadInst>(first_);
    for (Instruction* next = first_.getNextNode(); next; next = next->getNextNode())
      if (!is_simple_access(*next) || isa<LoadInst>(next) != are_loads || !add(*next))
        if (stands_between(*next, are_loads)) return;
  }

  /// Belongs to the same structure as those found so far, and is none of them.
  bool add(Instruction& access) {
    if (getLoadStoreType(&access) != type_) return false;
    const Place place = this->place(access);
    if (!place.is_beside(place_)) return false;
    std::int64_t offset = place.offset - place_.offset;
    std::int64_t low = std::min(low_, offset), high = std::max(high_, offset);
    if (offset % static_cast<std::int64_t>(size_) != 0 || high - low >= stride_ ||
        any_of(found_, [&](auto& one) { return one.second == offset; }))
      return false;
    low_ = low;
    high_ = high;
    found_.push_back({&access, offset});
    return true;
  }

  const Shapes& shapes_;
  Instruction& first_;
  const DataLayout& layout_;
  Type* type_ = nullptr;
  Place place_{};
  std::uint64_t size_ = 0;
  std::int64_t stride_ = 0, low_ = 0, high_ = 0;  // bytes behind the first member
  SmallVector<std::pair<Instruction*, std::int64_t>, 4> found_;
};

}  // namespace

Place place_of(const Value& address, const DataLayout& layout) {
  APInt bytes(layout.getIndexTypeSizeInBits(address.getType()), 0);
  Place place{address.stripAndAccumulateConstantOffsets(layout, bytes, true), nullptr};
  place.offset = bytes.getSExtValue();
  auto* step = dyn_cast<GetElementPtrInst>(place.base);
  if (!step || step->getNumIndices() != 1 || !step->getOperand(1)->getType()->isIntegerTy(64))
    return place;
  place.base = step->getPointerOperand();
  place.index = step->getOperand(1);
  place.element = layout.getTypeAllocSize(step->getSourceElementType()).getFixedValue();
  const Value* number;
  const APInt* more;
  if (match(place.index, m_AddLike(m_Value(number), m_APInt(more)))) {
    place.index = number;
    place.offset += more->getSExtValue() * static_cast<std::int64_t>(place.element);
  }
  return place;
}

std::optional<MemberGroup> find_members(const Shapes& shapes, Instruction& first) {
  if (!is_simple_access(first)) return std::nullopt;
  return MemberSearch(shapes, first).find();
}

}  // namespace gridspan::transforms
