// Loads and stores of all lanes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/masks.h"
#include "transforms/vectorise/widener.h"

#include "transforms/far_rounds.h"

#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

namespace gridspan::transforms {

using namespace llvm;

Value* Widener::mask_or_all() { return mask_ ? mask_ : Constant::getAllOnesValue(mask_type_); }

bool is_consecutive(const Shapes& shapes, const Value* address, Type* type,
                    const DataLayout& layout) {
  Shape shape = shapes.of(address);
  TypeSize bits = layout.getTypeSizeInBits(type), room = layout.getTypeAllocSizeInBits(type);
  return shape.kind == Shape::strided && bits == room &&
         shape.stride == static_cast<std::int64_t>(room.getFixedValue() / 8);
}

void copy_alias_facts(const Instruction& from, Instruction& to) {
  to.copyMetadata(from, {LLVMContext::MD_tbaa, LLVMContext::MD_noalias, LLVMContext::MD_alias_scope,
                         LLVMContext::MD_nontemporal});
}

/// What is known of the address of a lane that is here, of the first lane's.
static Align alignment_of_first(Align known, Type* element, const DataLayout& layout) {
  return commonAlignment(known, layout.getTypeAllocSize(element).getFixedValue());
}

Value* Widener::write_load(LoadInst& load) {
  if (Value* made = write_member_load(load)) return made;
  Type* type = widened(load.getType());
  Value* address = load.getPointerOperand();
  const DataLayout& layout = load.getModule()->getDataLayout();
  Align align = alignment_of_first(load.getAlign(), load.getType(), layout);
  bool is_gather = !is_consecutive(shapes_, address, load.getType(), layout);
  if (is_gather)
    if (Value* either = write_likely_neighbours(load)) return either;
  Instruction* made;
  if (is_gather)
    made = builder_.CreateMaskedGather(type, vector(address), load.getAlign(), mask_or_all());
  else if (prefetch_far_round(load); is_linear())
    made = builder_.CreateMaskedLoad(type, scalar(address), align, mask_);
  else
    made = builder_.CreateAlignedLoad(type, scalar(address), load.getAlign());
  copy_alias_facts(load, *made);
  made->setName(load.getName());
  return made;
}

/// Masked stores are slow on some CPUs (AMD's before AVX-512: some 20 cycles), and most of the time
/// in a loop that lanes leave one by one all are here.
Instruction* Widener::write_masked_store(StoreInst& store) {
  constexpr unsigned many_lanes = 16;
  Value *value = vector(store.getValueOperand()), *address = scalar(store.getPointerOperand());
  const DataLayout& layout = store.getModule()->getDataLayout();
  Align align = alignment_of_first(store.getAlign(), store.getValueOperand()->getType(), layout);
  if (loop_.lanes >= many_lanes) return builder_.CreateMaskedStore(value, address, align, mask_);
  Instruction* made;
  write_either(
      all_lanes(builder_, mask_, loop_.lanes),
      [&] { copy_alias_facts(store, *builder_.CreateAlignedStore(value, address, align)); },
      [&] { made = builder_.CreateMaskedStore(value, address, align, mask_); });
  return made;
}

void Widener::write_store(StoreInst& store) {
  builder_.SetCurrentDebugLocation(store.getDebugLoc());
  if (write_member_store(store)) return;
  Value *value = store.getValueOperand(), *address = store.getPointerOperand();
  const DataLayout& layout = store.getModule()->getDataLayout();
  Instruction* made;
  if (shapes_.of(address).is_uniform()) {
    // The last lane's value stays, as when threads run one after the other.
    Value* last = shapes_.of(value).is_uniform()
                      ? scalar(value)
                      : builder_.CreateExtractElement(
                            vector(value), is_linear() ? last_lane(builder_, mask_, loop_.lanes)
                                                       : builder_.getInt32(loop_.lanes - 1));
    made = builder_.CreateAlignedStore(last, scalar(address), store.getAlign());
  } else if (!is_consecutive(shapes_, address, value->getType(), layout)) {
    if (write_likely_neighbours(store)) return;
    made = builder_.CreateMaskedScatter(vector(value), vector(address), store.getAlign(),
                                        mask_or_all());
  } else if (is_linear()) {
    made = write_masked_store(store);
  } else {
    made = builder_.CreateAlignedStore(vector(value), scalar(address), store.getAlign());
  }
  copy_alias_facts(store, *made);
}

bool is_prefetch(const Instruction& instruction) {
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::prefetch;
}

static constexpr std::int64_t line = 64;  // of the cache

/// An earlier load of the block reads about the same lines in each round.
static bool is_read_before(const LoadInst& load, const LoopInfo& loops, const Loop* threads) {
  const DataLayout& layout = load.getDataLayout();
  const Place place = place_of(*load.getPointerOperand(), layout);
  for (const Instruction& other : *load.getParent()) {
    if (&other == &load) return false;
    auto* earlier = dyn_cast<LoadInst>(&other);
    if (!earlier || !far_step(*earlier, loops, threads)) continue;
    const Place known = place_of(*earlier->getPointerOperand(), layout);
    if (known.is_beside(place) && std::abs(known.offset - place.offset) < line) return true;
  }
  return false;
}

/// `rounds` ahead, each line up to `reach`.
void Widener::prefetch_lines(LoadInst& load, Value* step, std::uint64_t rounds,
                             std::uint64_t reach) {
  const std::uint64_t size = load.getDataLayout().getTypeAllocSize(load.getType());
  Value* distance = builder_.CreateSExtOrTrunc(scalar(step), builder_.getInt64Ty());
  distance = builder_.CreateMul(distance, builder_.getInt64(rounds * size));
  Value* there =
      builder_.CreateGEP(builder_.getInt8Ty(), scalar(load.getPointerOperand()), distance);
  Value *reads = builder_.getInt32(0), *stays = builder_.getInt32(3), *data = builder_.getInt32(1);
  for (std::uint64_t at = 0; at < reach; at += line)
    builder_.CreateIntrinsic(
        Intrinsic::prefetch, {builder_.getPtrTy()},
        {builder_.CreateConstGEP1_64(builder_.getInt8Ty(), there, at), reads, stays, data});
}

/// Several rounds ahead, since a round is short: the first line, where the CPU's prefetchers go on,
/// or all of them.
void Widener::prefetch_far_round(LoadInst& load) {
  constexpr std::uint64_t far = 16, ahead = 4096;
  Value* step = far_step(load, loops_, body_.loop);
  if (!step || !shapes_.of(step).is_uniform()) return;
  const std::uint64_t reach =
      load.getDataLayout().getTypeAllocSize(load.getType()) * std::uint64_t{loop_.lanes};
  if (!loop_.reads_all_lines || reach <= line) return prefetch_lines(load, step, far, line);
  if (is_read_before(load, loops_, body_.loop)) return;
  prefetch_lines(load, step, std::clamp<std::uint64_t>(ahead / reach, 1, far), reach);
}

/// What the block has asked for already: other members of the same structures.
static bool is_asked_for(const CallInst& prefetch) {
  const DataLayout& layout = prefetch.getDataLayout();
  const Place place = place_of(*prefetch.getArgOperand(0), layout);
  for (const Instruction& other : *prefetch.getParent()) {
    if (&other == &prefetch) return false;
    if (!is_prefetch(other)) continue;
    const Place known = place_of(*other.getOperand(0), layout);
    if (known.is_beside(place) && std::abs(known.offset - place.offset) < line / 2) return true;
  }
  return false;
}

/// Once for each line of lanes beside each other, not at all for scattered ones.
void Widener::write_prefetch(CallInst& prefetch) {
  if (is_asked_for(prefetch)) return;
  Value* address = prefetch.getArgOperand(0);
  const Shape shape = shapes_.of(address);
  if (shape.is_varying() && !is_clamped(shapes_, address)) return;
  Value* first = shape.is_varying()
                     ? builder_.CreateExtractElement(vector(address), std::uint64_t{0})
                     : scalar(address);
  std::int64_t reach = shape.is_varying() ? 0 : std::abs(shape.stride) * loop_.lanes;
  if (std::abs(shape.stride) > line) reach = line;
  for (std::int64_t at = 0; at == 0 || at < reach; at += line) {
    Value* there = first;
    if (at > 0)
      there = builder_.CreateGEP(
          builder_.getInt8Ty(), first,
          builder_.getInt64(static_cast<std::uint64_t>(shape.stride < 0 ? -at : at)));
    Instruction* copy = prefetch.clone();
    copy->setOperand(0, there);
    builder_.Insert(copy);
  }
}

}  // namespace gridspan::transforms
