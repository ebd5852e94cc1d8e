// Looks ahead in the block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/members.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

bool is_simple_access(const Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return load->isSimple();
  auto* store = dyn_cast<StoreInst>(&instruction);
  return store && store->isSimple();
}

/// The accesses behind it must not move in front of it, or those before it behind it.
bool stands_between(const Instruction& instruction, bool are_loads) {
  if (isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(instruction)) return false;
  if (!isGuaranteedToTransferExecutionToSuccessor(&instruction)) return true;
  return are_loads ? instruction.mayWriteToMemory() : instruction.mayReadOrWriteMemory();
}

class Search {
 public:
  Search(const Shapes& shapes, Instruction& first)
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
    base_ = base_and_offset(first_, offset_);
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
  const Value* base_and_offset(const Instruction& access, std::int64_t& offset) const {
    const Value* address = getLoadStorePointerOperand(&access);
    APInt bytes(layout_.getIndexTypeSizeInBits(address->getType()), 0);
    const Value* base = address->stripAndAccumulateConstantOffsets(layout_, bytes, true);
    offset = bytes.getSExtValue();
    return base;
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
    std::int64_t offset;
    if (base_and_offset(access, offset) != base_) return false;
    offset -= offset_;
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
  const Value* base_ = nullptr;
  std::uint64_t size_ = 0;
  std::int64_t stride_ = 0, offset_ = 0, low_ = 0, high_ = 0;  // bytes behind the first member
  SmallVector<std::pair<Instruction*, std::int64_t>, 4> found_;
};

}  // namespace

std::optional<MemberGroup> find_members(const Shapes& shapes, Instruction& first) {
  if (!is_simple_access(first)) return std::nullopt;
  return Search(shapes, first).find();
}

}  // namespace gridspan::transforms
