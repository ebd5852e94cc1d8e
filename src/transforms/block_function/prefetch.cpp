// Finds how far addresses move in a round.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/prefetch.h"

#include "transforms/context.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Bytes per round that the CPU's own prefetchers follow.
constexpr std::int64_t near = 256;
constexpr unsigned address_depth = 12;

/// How far a value moves when the loop's counter makes a step: a constant times a uniform value.
struct Motion {
  bool is_known = false;
  std::int64_t factor = 0;
  Value* times = nullptr;  // null: one

  static Motion none() { return {true}; }
  bool is_zero() const { return is_known && factor == 0; }
};

class Mover {
 public:
  Mover(const Segments& segments, const Loop& loop, const PHINode& counter, std::int64_t step)
      : uniform_(*segments.in_block), loop_(&loop), counter_(&counter), step_(step) {}
  /// From block to block along x.
  explicit Mover(const Segments& segments) : uniform_(*segments.in_block) {}

  Motion of(Value* value, unsigned depth = 0) const;

 private:
  static Motion sum(Motion a, Motion b, std::int64_t sign);
  static Motion scaled(Motion motion, std::int64_t factor);
  Motion of_product(BinaryOperator& product, unsigned depth) const;
  Motion of_address(GetElementPtrInst& address, unsigned depth) const;

  Motion of_one_of(Instruction& choice, unsigned depth) const;
  bool moves(const Instruction& instruction) const {
    return !loop_ || loop_->contains(&instruction);
  }

  const UniformValues& uniform_;
  const Loop* loop_ = nullptr;
  const PHINode* counter_ = nullptr;
  std::int64_t step_ = 1;
};

Motion Mover::sum(Motion a, Motion b, std::int64_t sign) {
  if (!a.is_known || !b.is_known) return {};
  if (b.is_zero()) return a;
  if (a.is_zero()) return scaled(b, sign);
  if (a.times != b.times) return {};
  a.factor += sign * b.factor;
  return a;
}

Motion Mover::scaled(Motion motion, std::int64_t factor) {
  if (MulOverflow(motion.factor, factor, motion.factor)) return {};
  return motion;
}

Motion Mover::of_product(BinaryOperator& product, unsigned depth) const {
  Motion left = of(product.getOperand(0), depth), right = of(product.getOperand(1), depth);
  Value* other = product.getOperand(1);
  if (left.is_zero()) {
    std::swap(left, right);
    other = product.getOperand(0);
  }
  if (!left.is_known || !right.is_zero()) return {};
  if (left.is_zero()) return left;
  if (auto* constant = dyn_cast<ConstantInt>(other)) return scaled(left, constant->getSExtValue());
  auto* instruction = dyn_cast<Instruction>(other);
  bool is_fixed = !instruction || !moves(*instruction) || is_repeatable_context_call(*instruction);
  if (left.times || !is_fixed || !uniform_.is_uniform(other)) return {};
  left.times = other;
  return left;
}

Motion Mover::of_address(GetElementPtrInst& address, unsigned depth) const {
  const DataLayout& layout = address.getModule()->getDataLayout();
  Motion total = of(address.getPointerOperand(), depth);
  for (auto step = gep_type_begin(address); step != gep_type_end(address); ++step) {
    if (step.isStruct()) continue;
    auto size = static_cast<std::int64_t>(step.getSequentialElementStride(layout));
    total = sum(total, scaled(of(step.getOperand(), depth), size), 1);
  }
  return total;
}

/// Clamped, or a counter that begins somewhere: a hint need not be exact.
Motion Mover::of_one_of(Instruction& choice, unsigned depth) const {
  Motion found = Motion::none();
  for (Value* operand : choice.operand_values()) {
    if (operand->getType() != choice.getType()) continue;
    Motion motion = of(operand, depth);
    if (motion.is_known && motion.factor != 0) found = motion;
  }
  return found;
}

Motion Mover::of(Value* value, unsigned depth) const {
  if (counter_ && value == counter_) return {true, step_};
  auto* instruction = dyn_cast<Instruction>(value);
  if (!counter_ && match(value, m_Intrinsic<Intrinsic::nvvm_read_ptx_sreg_ctaid_x>()))
    return {true, step_};
  if (!instruction || !moves(*instruction) || is_repeatable_context_call(*instruction))
    return Motion::none();
  if (++depth > address_depth) return {};
  if (!counter_ && isa<PHINode, SelectInst, MinMaxIntrinsic>(instruction))
    return of_one_of(*instruction, depth);
  if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(instruction))
    return of(instruction->getOperand(0), depth);
  if (auto* address = dyn_cast<GetElementPtrInst>(instruction)) return of_address(*address, depth);
  auto* operation = dyn_cast<BinaryOperator>(instruction);
  if (!operation) return {};
  Value *left = operation->getOperand(0), *right = operation->getOperand(1);
  switch (operation->getOpcode()) {
    case Instruction::Add:
      return sum(of(left, depth), of(right, depth), 1);
    case Instruction::Sub:
      return sum(of(left, depth), of(right, depth), -1);
    case Instruction::Or:
      if (!cast<PossiblyDisjointInst>(operation)->isDisjoint()) return {};
      return sum(of(left, depth), of(right, depth), 1);
    case Instruction::Mul:
      return of_product(*operation, depth);
    case Instruction::Shl:
      if (auto* by = dyn_cast<ConstantInt>(right); by && by->getZExtValue() < 31)
        return scaled(of(left, depth), std::int64_t{1} << by->getZExtValue());
      return {};
    default:
      return {};
  }
}

bool is_shared(const Value* address) {
  const Value* object = getUnderlyingObject(address);
  return is_marker(object, Marker::shared) || is_marker(object, Marker::dynamic_shared);
}

void prefetch(Instruction& access, const Motion& motion) {
  IRBuilder<> builder(&access);
  Value* bytes = builder.getInt64(static_cast<std::uint64_t>(motion.factor));
  if (motion.times)
    bytes = builder.CreateMul(builder.CreateSExtOrTrunc(motion.times, builder.getInt64Ty()), bytes);
  Value* address = getLoadStorePointerOperand(&access);
  Value* next = builder.CreateGEP(builder.getInt8Ty(), address, bytes, "next");
  Value *writes = builder.getInt32(isa<StoreInst>(access)), *stays = builder.getInt32(3),
        *data = builder.getInt32(1);
  builder.CreateIntrinsic(Intrinsic::prefetch, {builder.getPtrTy()}, {next, writes, stays, data});
}

/// The loop's counter, if it is all threads' together and makes constant steps.
std::optional<Mover> find_mover(const Segments& segments, const Loop& loop) {
  BasicBlock* latch = loop.getLoopLatch();
  for (PHINode& phi : loop.getHeader()->phis()) {
    if (!latch || !phi.getType()->isIntegerTy() || !segments.in_block->is_uniform(&phi)) continue;
    auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
    auto* step = next && next->getOpcode() == Instruction::Add
                     ? dyn_cast<ConstantInt>(next->getOperand(1))
                     : nullptr;
    if (step && next->getOperand(0) == &phi)
      return Mover(segments, loop, phi, step->getSExtValue());
  }
  return std::nullopt;
}

bool is_simple(const Instruction& access) {
  auto* load = dyn_cast<LoadInst>(&access);
  auto* store = dyn_cast<StoreInst>(&access);
  return (load && load->isSimple()) || (store && store->isSimple());
}

/// Threads of several rows load or store.
bool is_of_tile(const Value* address) {
  SmallSetVector<const Value*, 16> parts;
  parts.insert(address);
  for (unsigned i = 0; i < parts.size() && i < 100; ++i) {
    if (match(parts[i], m_Intrinsic<Intrinsic::nvvm_read_ptx_sreg_tid_y>())) return true;
    auto* part = dyn_cast<Instruction>(parts[i]);
    if (part && !isa<LoadInst>(part)) parts.insert(part->value_op_begin(), part->value_op_end());
  }
  return false;
}

/// Whether a load of this address beside it has been seen to.
class Lines {
 public:
  explicit Lines(const DataLayout& layout) : layout_(layout) {}
  bool add(const Value* address) {
    APInt offset(layout_.getIndexTypeSizeInBits(address->getType()), 0);
    const Value* base = address->stripAndAccumulateConstantOffsets(layout_, offset, true);
    constexpr std::int64_t line = 64;
    return seen_.insert({base, offset.getSExtValue() / line}).second;
  }

 private:
  const DataLayout& layout_;
  DenseSet<std::pair<const Value*, std::int64_t>> seen_;
};

/// By the time the block's other segments are done, the CPU's prefetchers have fallen asleep.
constexpr std::int64_t blocks_ahead = 2;

}  // namespace

void prefetch_next_blocks(const Segments& segments) {
  Mover mover(segments);
  SmallPtrSet<const Value*, 16> known;  // also addresses that are first loaded from, then stored to
  for (const Segment& segment : segments.all) {
    Lines lines(segment.first().getDataLayout());
    for (BasicBlock* block : segment.blocks) {
      const Loop* loop = segments.loops.getLoopFor(block);
      if (loop && !segment.blocks.contains(loop->getLoopLatch())) continue;
      for (Instruction& instruction : make_early_inc_range(*block)) {
        Value* address = getLoadStorePointerOperand(&instruction);
        if (!is_simple(instruction) || is_shared(address)) continue;
        const bool is_flat = !is_of_tile(address);
        Motion motion = mover.of(address);
        if (!motion.is_known || motion.factor == 0) continue;
        if (is_flat ? loop || isa<StoreInst>(instruction) ||
                          segments.in_block->is_uniform(address) || !lines.add(address)
                    : !known.insert(address).second)
          continue;
        if (is_flat) motion.factor *= blocks_ahead;
        prefetch(instruction, motion);
      }
    }
  }
}

void prefetch_next_rounds(const Segments& segments) {
  for (const Segment& segment : segments.all)
    for (BasicBlock* block : segment.blocks) {
      const Loop* loop = segments.loops.getLoopFor(block);
      if (!loop || segment.blocks.contains(loop->getLoopLatch())) continue;
      auto mover = find_mover(segments, *loop);
      if (!mover) continue;
      for (Instruction& instruction : make_early_inc_range(*block)) {
        auto* load = dyn_cast<LoadInst>(&instruction);
        if (!load || !load->isSimple() || is_shared(load->getPointerOperand())) continue;
        Motion motion = mover->of(load->getPointerOperand());
        bool is_far =
            motion.times || std::abs(motion.factor) > near || is_of_tile(load->getPointerOperand());
        if (motion.is_known && motion.factor != 0 && is_far) prefetch(*load, motion);
      }
    }
}

void drop_prefetches(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::prefetch)
      call->eraseFromParent();
}

}  // namespace gridspan::transforms
