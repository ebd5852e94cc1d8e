// Takes a vector of addresses apart, and puts it together again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/gather_addresses.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr const char* shared_memory_mark = "gridspan.shared_memory";

/// index * stride, in bytes
struct Term {
  Value* index;  // one number, or one for each lane
  std::int64_t stride;
};

/// base + constant + the numbers + lanes' constants + lanes' numbers
struct Places {
  Value* base = nullptr;  // one address
  std::int64_t constant = 0;
  SmallVector<Term, 4> same, varying;
  SmallVector<std::int64_t, 16> constants;  // one for each lane
  bool within = true;                       // each sum of `base` and `same` is within its object
};

Value* lane_of(Value* value) {
  return value->getType()->isVectorTy() ? getSplatValue(value) : value;
}

/// Constants of all lanes.
bool add_constants(Places& places, Value* index, std::int64_t stride) {
  auto* vector = dyn_cast<ConstantDataVector>(index);
  if (!vector && !isa<ConstantAggregateZero>(index)) return false;
  for (auto [lane, sum] : enumerate(places.constants))
    if (vector) sum += static_cast<std::int64_t>(vector->getElementAsInteger(lane)) * stride;
  return true;
}

void add_index(Places& places, Value* index, std::int64_t stride, bool stays_within) {
  if (auto* one = lane_of(index)) {
    if (auto* number = dyn_cast<ConstantInt>(one)) {
      places.constant += number->getSExtValue() * stride;
    } else {
      places.same.push_back({one, stride});
      places.within &= stays_within;
    }
  } else if (index->getType()->getScalarSizeInBits() != 64 ||
             !add_constants(places, index, stride)) {
    places.varying.push_back({index, stride});
  }
}

bool add_subscripts(Places& places, const GEPOperator& address, const DataLayout& layout) {
  for (auto step = gep_type_begin(address); step != gep_type_end(address); ++step) {
    if (auto* type = step.getStructTypeOrNull()) {
      auto* member = dyn_cast_or_null<ConstantInt>(lane_of(step.getOperand()));
      if (!member) return false;
      places.constant += static_cast<std::int64_t>(
          layout.getStructLayout(type)->getElementOffset(member->getZExtValue()).getFixedValue());
      continue;
    }
    if (step.getOperand()->getType()->getScalarSizeInBits() > 64) return false;
    add_index(places, step.getOperand(),
              static_cast<std::int64_t>(step.getSequentialElementStride(layout).getFixedValue()),
              address.isInBounds() && !address.getType()->isVectorTy());
  }
  return true;
}

/// Down to the first address that is the same for all lanes.
bool find_places(Places& places, Value* addresses, const DataLayout& layout) {
  for (;;) {
    if (Value* one = lane_of(addresses)) {
      places.base = one;
      return true;
    }
    auto* step = dyn_cast<GEPOperator>(addresses);
    if (!step || !add_subscripts(places, *step, layout)) return false;
    addresses = step->getPointerOperand();
  }
}

bool is_shared_memory(const Value* value) {
  auto* load = dyn_cast<LoadInst>(value);
  return load && load->hasMetadata(shared_memory_mark);
}

/// Goes on to the beginning of shared memory, if that is where the base comes from.
bool goes_back_to_shared(Places& places, const DataLayout& layout) {
  Places further = places;
  while (auto* step = dyn_cast<GEPOperator>(further.base)) {
    if (!add_subscripts(further, *step, layout)) return false;
    further.base = step->getPointerOperand();
  }
  constexpr std::int64_t near = 1 << 30;
  if (!is_shared_memory(further.base) || std::abs(further.constant) > near ||
      std::abs(places.constant) > near)
    return false;
  // From an address within the object lanes' offsets are small, too.
  if (!further.within) places = further;
  return true;
}

class Rewriter {
 public:
  Rewriter(IntrinsicInst& access, Places& places, Type* element)
      : builder_(&access),
        places_(places),
        size_(static_cast<std::int64_t>(
            access.getDataLayout().getTypeAllocSize(element).getFixedValue())),
        lanes_(static_cast<unsigned>(places.constants.size())) {}

  Value* write(bool is_shared) {
    // Far sums of what all lanes share go round modulo 2^32 with the lanes' own.
    const bool same_in_lanes = is_shared && !places_.within && !places_.varying.empty();
    bool in_elements =
        all_of(places_.varying, [&](Term term) { return term.stride % size_ == 0; }) &&
        all_of(places_.constants, [&](auto sum) { return sum % size_ == 0; });
    if (same_in_lanes)
      in_elements &= all_of(places_.same, [&](Term term) { return term.stride % size_ == 0; });
    unit_ = in_elements ? size_ : 1;
    Type* wide = builder_.getInt64Ty();
    Type* number = is_shared && !places_.varying.empty() ? builder_.getInt32Ty() : wide;
    Value* base = places_.base;
    Value* same = nullptr;
    for (Term term : places_.same)
      same = sum(same, product(term, same_in_lanes ? number : wide, same_in_lanes ? unit_ : 1));
    if (same && !same_in_lanes) base = builder_.CreateGEP(builder_.getInt8Ty(), base, same);
    if (places_.constant != 0)
      base = builder_.CreateGEP(builder_.getInt8Ty(), base,
                                ConstantInt::getSigned(wide, places_.constant));
    Type* row = FixedVectorType::get(number, lanes_);
    Value* offsets = nullptr;
    for (Term term : places_.varying) offsets = sum(offsets, product(term, row, unit_));
    if (same_in_lanes && same) offsets = sum(offsets, builder_.CreateVectorSplat(lanes_, same));
    if (!offsets || any_of(places_.constants, [](auto one) { return one != 0; })) {
      SmallVector<Constant*> constants;
      for (std::int64_t one : places_.constants)
        constants.push_back(ConstantInt::getSigned(number, one / unit_));
      offsets = sum(offsets, ConstantVector::get(constants));
    }
    return builder_.CreateGEP(builder_.getIntNTy(static_cast<unsigned>(8 * unit_)), base, offsets);
  }

 private:
  Value* sum(Value* one, Value* other) { return one ? builder_.CreateAdd(one, other) : other; }

  Value* product(Term term, Type* type, std::int64_t unit) {
    Value* number = term.index;
    Type* scalar = type->getScalarType();
    // Modulo 2^32 it does not matter what a number was extended from.
    if (auto* cast = dyn_cast<CastInst>(number);
        cast && isa<SExtInst, ZExtInst>(cast) && cast->getSrcTy()->getScalarType() == scalar)
      number = cast->getOperand(0);
    number = builder_.CreateSExtOrTrunc(number, type);
    if (term.stride == unit) return number;
    return builder_.CreateMul(number, ConstantInt::getSigned(type, term.stride / unit));
  }

  IRBuilder<> builder_;
  Places& places_;
  std::int64_t size_, unit_ = 1;
  unsigned lanes_;
};

bool rewrite(IntrinsicInst& access) {
  const bool is_gather = access.getIntrinsicID() == Intrinsic::masked_gather;
  Use& addresses = access.getArgOperandUse(is_gather ? 0 : 1);
  Type* type = is_gather ? access.getType() : access.getArgOperand(0)->getType();
  auto* vector = dyn_cast<FixedVectorType>(type);
  const DataLayout& layout = access.getDataLayout();
  if (!vector || layout.getTypeSizeInBits(vector->getElementType()) % 8 != 0 ||
      layout.getTypeSizeInBits(vector->getElementType()) > 64)
    return false;
  Places places;
  places.constants.assign(vector->getNumElements(), 0);
  if (!find_places(places, addresses, layout)) return false;
  const bool is_shared = goes_back_to_shared(places, layout);
  Value* before = addresses;
  addresses.set(Rewriter(access, places, vector->getElementType()).write(is_shared));
  RecursivelyDeleteTriviallyDeadInstructions(before);
  return true;
}

}  // namespace

void mark_shared_memory(LoadInst& load) {
  load.setMetadata(shared_memory_mark, MDNode::get(load.getContext(), {}));
}

bool split_gather_addresses(Function& function) {
  SmallVector<IntrinsicInst*> accesses;
  for (Instruction& instruction : instructions(function)) {
    auto* access = dyn_cast<IntrinsicInst>(&instruction);
    if (access && (access->getIntrinsicID() == Intrinsic::masked_gather ||
                   access->getIntrinsicID() == Intrinsic::masked_scatter))
      accesses.push_back(access);
  }
  bool changed = false;
  for (IntrinsicInst* access : accesses) changed |= rewrite(*access);
  return changed;
}

}  // namespace gridspan::transforms
