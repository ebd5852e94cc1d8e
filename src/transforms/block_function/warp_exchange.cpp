// Shuffles as permutations of 32 lanes, votes and matches as comparisons of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/warp_exchange.h"

#include "abi/launch.h"
#include "transforms/block_function/lanes_alike.h"
#include "transforms/sync_cuts.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;
using abi::SyncKind;

namespace {

constexpr unsigned warp = abi::warp_size;

bool is_shuffle(SyncKind kind) {
  return kind >= SyncKind::shuffle_up && kind <= SyncKind::shuffle_index;
}
bool is_warp_vote(SyncKind kind) {
  return kind >= SyncKind::vote_all && kind <= SyncKind::vote_ballot;
}
bool is_match(SyncKind kind) { return kind == SyncKind::match_any || kind == SyncKind::match_all; }
bool is_reduction(SyncKind kind) {
  return kind >= SyncKind::reduce_add && kind <= SyncKind::reduce_xor;
}
/// Lanes meet, and that is all.
bool only_meets(SyncKind kind) {
  return kind == SyncKind::warp_barrier || kind == SyncKind::warp_step;
}
bool is_whole_warp(Value* mask) { return mask && match(mask, m_AllOnes()); }

/// Type of what travels: predicates as i32.
Type* travelling(Value* value) {
  Type* type = value->getType();
  return type->isIntegerTy(1) ? Type::getInt32Ty(value->getContext()) : type;
}

AllocaInst* new_variable(Function& function, Type* type, const Twine& name) {
  BasicBlock& entry = function.getEntryBlock();
  return IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, name);
}

}  // namespace

std::optional<Reason> why_no_exchange(const Cut& cut) {
  SyncPoint point = *as_sync_point(sync_call(cut));
  auto refuse = [&](const char* text) { return Reason{cut.where, text}; };
  if (only_meets(point.kind)) return std::nullopt;
  if (is_shuffle(point.kind))
    return isa<ConstantInt>(point.clamp) ? std::nullopt
                                         : std::optional(refuse("shuffle of varying width"));
  if (is_warp_vote(point.kind) || is_match(point.kind)) return std::nullopt;
  if (is_reduction(point.kind))
    return is_whole_warp(point.mask) ? std::nullopt
                                     : std::optional(refuse("reduction of some lanes of a warp"));
  return refuse("a warp operation that is no shuffle, vote, match or reduction");
}

bool gives_all_lanes_one(const Instruction& instruction) {
  auto point = as_sync_point(const_cast<Instruction&>(instruction));
  if (!point || point->call->getType()->isStructTy()) return false;
  if (point->kind == SyncKind::shuffle_index) return match(point->clamp, m_SpecificInt(warp - 1));
  return (is_warp_vote(point->kind) || is_reduction(point->kind)) && is_whole_warp(point->mask);
}

const Value* sent_lane(const Instruction& instruction) {
  auto point = as_sync_point(const_cast<Instruction&>(instruction));
  return point->lane ? point->lane : point->mask;
}

WarpExchange take_out(const Cut& cut, const UniformValues& in_warp,
                      function_ref<bool(const Instruction&)> stays_inside) {
  CallInst& call = sync_call(cut);
  Function& kernel = *call.getFunction();
  SyncPoint point = *as_sync_point(call);
  WarpExchange exchange{point.kind};
  bool is_one = !call.use_empty() && gives_all_lanes_one(call) && in_warp.is_uniform(&call) &&
                stays_inside(call);
  if (only_meets(point.kind)) {
    call.eraseFromParent();
    return exchange;
  }
  IRBuilder<> before(&call), after(cut.continuation, cut.continuation->begin());
  auto send = [&](Value* value, const char* name) {
    AllocaInst* memory = new_variable(kernel, travelling(value), name);
    if (value->getType()->isIntegerTy(1)) value = before.CreateZExt(value, before.getInt32Ty());
    before.CreateStore(value, memory);
    return memory;
  };
  exchange.in = send(point.value, "sent");
  const bool asks_mask = is_warp_vote(point.kind) || is_match(point.kind);
  if (asks_mask && !is_whole_warp(point.mask)) exchange.mask = send(point.mask, "mask");
  if (is_shuffle(point.kind)) {
    exchange.clamp = static_cast<std::uint32_t>(cast<ConstantInt>(point.clamp)->getZExtValue());
    exchange.lane = point.lane;
    if (!isa<Constant>(point.lane) && !is_one) exchange.lanes = send(point.lane, "lane");
  }
  if (call.use_empty()) {
    call.eraseFromParent();
    return exchange;
  }
  if (is_one) {
    exchange.result = &call;
    return exchange;
  }
  bool is_same = in_warp.is_uniform(&call);
  auto receive = [&](Type* type, AllocaInst*& memory, const char* name) {
    bool is_bit = type->isIntegerTy(1);
    Type* moved = is_bit ? after.getInt32Ty() : type;
    memory = new_variable(kernel, moved, name);
    Value* value = after.CreateLoad(moved, memory);
    return is_bit ? after.CreateICmpNE(value, after.getInt32(0)) : value;
  };
  auto* pair = dyn_cast<StructType>(call.getType());
  Value* result = receive(pair ? pair->getElementType(0) : call.getType(), exchange.out, "got");
  if (pair) {
    Value* flag = receive(pair->getElementType(1), exchange.flag, "flag");
    result = after.CreateInsertValue(PoisonValue::get(pair), result, 0);
    result = after.CreateInsertValue(result, flag, 1);
  }
  if (is_same) exchange.same = cast<Instruction>(result);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return exchange;
}

namespace {

/// Writes the code of one exchange.
class ExchangeWriter {
 public:
  ExchangeWriter(IRBuilder<>& builder, const WarpExchange& exchange, Value* lane, Value* there,
                 function_ref<Value*(AllocaInst*)> of_warp)
      : builder_(builder), exchange_(exchange), lane_(lane), there_(there), of_warp_(of_warp) {}

  Value* write() {
    if (only_meets(exchange_.kind)) return nullptr;
    if (is_shuffle(exchange_.kind)) return write_shuffle();
    if (is_match(exchange_.kind)) return write_match();
    return is_warp_vote(exchange_.kind) ? write_vote() : write_reduction();
  }

 private:
  Type* vector_of(Type* type) const { return FixedVectorType::get(type, warp); }
  Type* numbers() const { return vector_of(builder_.getInt32Ty()); }
  Value* splat(std::uint32_t value) const {
    return ConstantVector::getSplat(ElementCount::getFixed(warp), builder_.getInt32(value));
  }
  Value* lane_numbers() const {
    SmallVector<Constant*> lanes;
    for (unsigned lane = 0; lane < warp; ++lane) lanes.push_back(builder_.getInt32(lane));
    return ConstantVector::get(lanes);
  }
  Align align_of(Type* type) const { return Align(type->getScalarSizeInBits() / 8); }
  Value* load(AllocaInst* memory) {
    Type* type = memory->getAllocatedType();
    return builder_.CreateAlignedLoad(vector_of(type), of_warp_(memory), align_of(type));
  }
  void give(Value* vector, AllocaInst* memory) {
    if (!memory) return;
    Type* type = vector_of(memory->getAllocatedType());
    if (vector->getType()->isIntOrIntVectorTy(1)) vector = builder_.CreateZExt(vector, type);
    builder_.CreateAlignedStore(vector, of_warp_(memory), align_of(type->getScalarType()));
  }
  /// Of lanes named by `mask`, those that are there.
  Value* present(Value* mask) {
    if (!there_) return mask;
    Value* bits = builder_.CreateBitCast(there_, builder_.getInt32Ty());
    if (mask->getType()->isVectorTy()) bits = builder_.CreateVectorSplat(warp, bits);
    return builder_.CreateAnd(mask, bits);
  }
  Value* identity() const;
  Value* write_shuffle();
  Value* write_vote();
  Value* write_match();
  Value* write_reduction();

  IRBuilder<>& builder_;
  const WarpExchange& exchange_;
  Value *lane_, *there_;
  function_ref<Value*(AllocaInst*)> of_warp_;
};

/// PTX shfl.sync; its predicate says whether the source is in range, else a lane keeps its own.
Value* ExchangeWriter::write_shuffle() {
  Type* type = exchange_.in->getAllocatedType();
  if (exchange_.result) {
    Value* from = builder_.CreateZExt(builder_.CreateAnd(lane_, warp - 1), builder_.getInt64Ty());
    return builder_.CreateLoad(type,
                               builder_.CreateInBoundsGEP(type, of_warp_(exchange_.in), from));
  }
  Value* operand =
      exchange_.lanes ? load(exchange_.lanes) : builder_.CreateVectorSplat(warp, lane_);
  Value *own = lane_numbers(), *delta = builder_.CreateAnd(operand, splat(warp - 1));
  const std::uint32_t clamp = exchange_.clamp & (warp - 1);
  const std::uint32_t segment = exchange_.clamp >> 8 & (warp - 1);
  Value* last = builder_.CreateOr(builder_.CreateAnd(own, splat(segment)), splat(clamp & ~segment));
  Value *from, *in_range;
  switch (exchange_.kind) {
    case SyncKind::shuffle_up:
      from = builder_.CreateSub(own, delta);
      in_range = builder_.CreateICmpSGE(from, last);
      break;
    case SyncKind::shuffle_down:
      from = builder_.CreateAdd(own, delta);
      in_range = builder_.CreateICmpSLE(from, last);
      break;
    case SyncKind::shuffle_xor:
      from = builder_.CreateXor(own, delta);
      in_range = builder_.CreateICmpSLE(from, last);
      break;
    default:
      from = builder_.CreateOr(builder_.CreateAnd(own, splat(segment)),
                               builder_.CreateAnd(delta, splat(~segment & (warp - 1))));
      in_range = builder_.CreateICmpSLE(from, last);
      break;
  }
  from = builder_.CreateSelect(in_range, from, own);
  if (auto* fixed = dyn_cast<Constant>(from)) {
    SmallVector<int> places;
    for (unsigned lane = 0; lane < warp; ++lane)
      places.push_back(
          static_cast<int>(cast<ConstantInt>(fixed->getAggregateElement(lane))->getZExtValue()));
    Value* sent = load(exchange_.in);
    Value* got = builder_.CreateShuffleVector(sent, places);
    if (there_)
      got = builder_.CreateSelect(builder_.CreateShuffleVector(there_, places), got, sent);
    give(got, exchange_.out);
  } else {
    if (there_) {
      Value* bits =
          builder_.CreateVectorSplat(warp, builder_.CreateBitCast(there_, builder_.getInt32Ty()));
      Value* is_there = builder_.CreateTrunc(builder_.CreateLShr(bits, from), there_->getType());
      from = builder_.CreateSelect(is_there, from, own);
    }
    Value* addresses = builder_.CreateInBoundsGEP(
        type, of_warp_(exchange_.in), builder_.CreateZExt(from, vector_of(builder_.getInt64Ty())));
    give(builder_.CreateMaskedGather(vector_of(type), addresses, align_of(type)), exchange_.out);
  }
  give(in_range, exchange_.flag);
  return nullptr;
}

Value* ExchangeWriter::write_vote() {
  Type* word = builder_.getInt32Ty();
  Value* votes = builder_.CreateBitCast(
      builder_.CreateICmpNE(load(exchange_.in), Constant::getNullValue(numbers())), word);
  // One mask for all, or each lane its own.
  Value* mask = present(exchange_.mask ? load(exchange_.mask) : builder_.getInt32(~0u));
  Value* none = Constant::getNullValue(mask->getType());
  if (exchange_.mask) votes = builder_.CreateVectorSplat(warp, votes);
  votes = builder_.CreateAnd(votes, mask);
  Value* result = votes;
  if (exchange_.kind == SyncKind::vote_all) result = builder_.CreateICmpEQ(votes, mask);
  if (exchange_.kind == SyncKind::vote_any) result = builder_.CreateICmpNE(votes, none);
  if (exchange_.kind == SyncKind::vote_uniform)
    result =
        builder_.CreateOr(builder_.CreateICmpEQ(votes, mask), builder_.CreateICmpEQ(votes, none));
  if (exchange_.result) return result;
  if (!exchange_.mask) result = builder_.CreateVectorSplat(warp, result);
  give(result, exchange_.out);
  return nullptr;
}

/// Lanes that have found the same; match_all: those of the mask, if all of them have.
Value* ExchangeWriter::write_match() {
  Value* same = write_lanes_alike(builder_, load(exchange_.in));
  Value* mask = present(exchange_.mask ? load(exchange_.mask) : splat(~0u));
  same = builder_.CreateAnd(same, mask);
  if (exchange_.kind == SyncKind::match_all) {
    Value* are_all = builder_.CreateICmpEQ(same, mask);
    same = builder_.CreateSelect(are_all, mask, Constant::getNullValue(numbers()));
    give(are_all, exchange_.flag);
  }
  give(same, exchange_.out);
  return nullptr;
}

/// What changes no result.
Value* ExchangeWriter::identity() const {
  switch (exchange_.kind) {
    case SyncKind::reduce_min_signed:
      return splat(0x7fffffffu);
    case SyncKind::reduce_max_signed:
      return splat(0x80000000u);
    case SyncKind::reduce_min_unsigned:
    case SyncKind::reduce_and:
      return splat(~0u);
    default:
      return splat(0);
  }
}

Value* ExchangeWriter::write_reduction() {
  Value* values = load(exchange_.in);
  if (there_) values = builder_.CreateSelect(there_, values, identity());
  auto reduce = [&]() -> Value* {
    switch (exchange_.kind) {
      case SyncKind::reduce_add:
        return builder_.CreateAddReduce(values);
      case SyncKind::reduce_min_signed:
        return builder_.CreateIntMinReduce(values, true);
      case SyncKind::reduce_max_signed:
        return builder_.CreateIntMaxReduce(values, true);
      case SyncKind::reduce_min_unsigned:
        return builder_.CreateIntMinReduce(values, false);
      case SyncKind::reduce_max_unsigned:
        return builder_.CreateIntMaxReduce(values, false);
      case SyncKind::reduce_and:
        return builder_.CreateAndReduce(values);
      case SyncKind::reduce_or:
        return builder_.CreateOrReduce(values);
      default:
        return builder_.CreateXorReduce(values);
    }
  };
  Value* result = reduce();
  if (exchange_.result) return result;
  give(builder_.CreateVectorSplat(warp, result), exchange_.out);
  return nullptr;
}

}  // namespace

Value* write_exchange(IRBuilder<>& builder, const WarpExchange& exchange, Value* lane, Value* there,
                      function_ref<Value*(AllocaInst*)> of_warp) {
  return ExchangeWriter(builder, exchange, lane, there, of_warp).write();
}

}  // namespace gridspan::transforms
