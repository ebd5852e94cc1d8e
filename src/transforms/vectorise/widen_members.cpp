// Wide loads and stores of whole structures, shuffled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/widener.h"

#include "llvm/Analysis/VectorUtils.h"

namespace gridspan::transforms {

using namespace llvm;

static void copy_common_alias_facts(const MemberGroup& group, Instruction& made) {
  AAMDNodes facts = group.members.front().access->getAAMetadata();
  for (const MemberGroup::Member& member : group.members)
    facts = facts.merge(member.access->getAAMetadata());
  made.setAAMetadata(facts);
}

static Align alignment_of_lowest(const MemberGroup& group) {
  Align known = getLoadStoreAlignment(group.members.front().access);
  return commonAlignment(known, static_cast<std::uint64_t>(std::abs(group.low)));
}

Value* Widener::lowest_address(const MemberGroup& group, Value* first) {
  if (group.low == 0) return first;
  return builder_.CreateGEP(builder_.getInt8Ty(), first, builder_.getInt64(group.low));
}

/// Null: lanes are not close to each other, or some are not here.
Value* Widener::write_member_load(LoadInst& load) {
  if (is_linear()) return nullptr;
  auto known = member_loads_.find(&load);
  if (known == member_loads_.end()) {
    auto group = find_members(shapes_, load);
    if (!group) return nullptr;
    // What is behind the last lane's last member is nobody's.
    unsigned size = group->distance * loop_.lanes;
    unsigned touched = group->distance * (loop_.lanes - 1) + group->extent;
    auto* type = FixedVectorType::get(load.getType(), size);
    Value* address = lowest_address(*group, scalar(load.getPointerOperand()));
    SmallVector<Constant*> mask(size, builder_.getFalse());
    std::fill_n(mask.begin(), touched, builder_.getTrue());
    Instruction* all = touched == size
                           ? static_cast<Instruction*>(builder_.CreateAlignedLoad(
                                 type, address, alignment_of_lowest(*group)))
                           : builder_.CreateMaskedLoad(type, address, alignment_of_lowest(*group),
                                                       ConstantVector::get(mask));
    copy_common_alias_facts(*group, *all);
    for (const MemberGroup::Member& member : group->members)
      member_loads_[member.access] = builder_.CreateShuffleVector(
          all, createStrideMask(member.place, group->distance, loop_.lanes),
          member.access->getName());
    known = member_loads_.find(&load);
  }
  return known->second;
}

/// False: not all members are stored, or some lanes are not here.
bool Widener::write_member_store(StoreInst& store) {
  if (is_linear()) return false;
  auto known = member_stores_.find(&store);
  if (known == member_stores_.end()) {
    auto group = find_members(shapes_, store);
    if (!group || !group->is_complete()) return false;
    Value* first = scalar(store.getPointerOperand());
    for (const MemberGroup::Member& member : group->members)
      member_stores_[member.access] = {*group, first};
    known = member_stores_.find(&store);
  }
  const auto& [group, first] = known->second;
  if (group.members.back().access != &store) return true;  // all at once where the last one is
  SmallVector<Value*, 4> values(group.distance);
  for (const MemberGroup::Member& member : group.members)
    values[member.place] = vector(cast<StoreInst>(member.access)->getValueOperand());
  Value* all = builder_.CreateShuffleVector(concatenateVectors(builder_, values),
                                            createInterleaveMask(loop_.lanes, group.distance));
  Instruction* made =
      builder_.CreateAlignedStore(all, lowest_address(group, first), alignment_of_lowest(group));
  copy_common_alias_facts(group, *made);
  return true;
}

}  // namespace gridspan::transforms
