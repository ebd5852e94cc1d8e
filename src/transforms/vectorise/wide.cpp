// Whether, and the loop over wide vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/wide.h"

#include "transforms/far_rounds.h"
#include "transforms/math_calls.h"
#include "transforms/shared_atomics.h"
#include "transforms/vectorise/rounds.h"

#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Of what differs between lanes: all of it has several registers.
struct Need {
  unsigned carried = 0, instructions = 0;
  unsigned carried_bits = 0, most_bits = 0;  // of a lane
  bool loads = false;
  bool is_far = false;        // a load that differs
  Value* elements = nullptr;  // how many such a load's array has, at least about; if it is known
  std::uint64_t element_size = 1;
  bool fits = true;
};

void add(Need& need, const Instruction& instruction, const ThreadBody& body, const LoopInfo& loops,
         const Shapes& shapes) {
  const DataLayout& layout = instruction.getModule()->getDataLayout();
  auto* store = dyn_cast<StoreInst>(&instruction);
  Type* type = store ? store->getValueOperand()->getType() : instruction.getType();
  if (const Value* address = getLoadStorePointerOperand(&instruction)) {
    need.fits &= shapes.of(address).is_uniform() || is_consecutive(shapes, address, type, layout);
    auto* load = dyn_cast<LoadInst>(&instruction);
    need.loads |= load != nullptr;
    const bool is_far =
        load && !shapes.of(address).is_uniform() && is_far_round(*load, loops, body.loop);
    need.is_far |= is_far;
    Value* end = is_far ? far_end(*load, loops, body.loop) : nullptr;
    if (end && !need.elements && shapes.of(end).is_uniform() && body.loop->isLoopInvariant(end)) {
      need.elements = end;
      need.element_size = layout.getTypeAllocSize(type);
    }
  }
  if (!shapes.of(&instruction).is_varying()) return;
  need.most_bits = std::max(need.most_bits, type->getScalarSizeInBits());
  need.fits &= !isa<CallInst>(instruction) || isa<IntrinsicInst>(instruction);
  ++need.instructions;
  if (!isa<PHINode>(instruction)) return;
  ++need.carried;
  need.carried_bits += type->getScalarSizeInBits();
}

bool has_bits_of(const Value* number, const Value* index) {
  Value *left, *right;
  return number == index || (match(number, m_CombineOr(m_And(m_Value(left), m_Value(right)),
                                                       m_Or(m_Value(left), m_Value(right)))) &&
                             (has_bits_of(left, index) || has_bits_of(right, index)));
}

/// The index modulo a number that `lanes` is a multiple of, or divided by it: what neighbours are,
/// or share, in shorter vectors only (Shapes::is_whole_part, is_same_part).
bool takes_parts(const Instruction& instruction, const Value* index, unsigned lanes) {
  auto* operation = dyn_cast<BinaryOperator>(&instruction);
  if (!operation) return false;
  auto* constant = dyn_cast<ConstantInt>(operation->getOperand(1));
  if (!has_bits_of(operation->getOperand(0), index) || (constant && constant->getBitWidth() > 64))
    return false;
  if (operation->getOpcode() == Instruction::LShr)
    return !constant || constant->getZExtValue() < Log2_32(lanes);
  const std::uint64_t all = lanes - 1;
  const std::uint64_t bits = constant ? constant->getZExtValue() & all : 1;
  return operation->getOpcode() == Instruction::And && bits != all && bits != 0;
}

bool takes_parts(const ThreadBody& body, unsigned lanes) {
  return any_of(body.order, [&](const BasicBlock* block) {
    return any_of(*block,
                  [&](const Instruction& one) { return takes_parts(one, body.index, lanes); });
  });
}

}  // namespace

std::vector<WideVectors> find_wide_vectors(const ThreadBody& body, const LoopInfo& loops,
                                           const Shapes& shapes, const Vectors& vectors,
                                           unsigned lanes) {
  constexpr unsigned most_carried = 2, most_instructions = 16, usual = 32;
  constexpr std::uint64_t large_bytes = 16 << 20;
  unsigned most_far = 256;
  bool takes_turns = false;  // in updates of shared memory
  Need need, beside;         // in rounds, and in front of them and behind
  for (const BasicBlock* block : body.order) {
    for (const Instruction& instruction : *block) {
      if (is_shared_atomic(instruction))
        takes_turns = true;
      else if (instruction.isAtomic())
        return {};
      if (instruction.isVolatile() || is_math_call(instruction)) return {};
      if (rounds_around(*block, loops))
        add(need, instruction, body, loops, shapes);
      else if (!body.rests.contains(block))
        add(beside, instruction, body, loops, shapes);
    }
  }
  if (takes_turns) most_far = 64;  // turns are written one behind the other
  // Rounds that only store wait for nothing, and run better narrow.
  const bool waits = need.carried > 0 || takes_turns;
  const bool is_worthwhile = need.loads && need.fits && waits && need.carried <= most_carried &&
                             need.instructions <= most_instructions;
  if (!is_worthwhile) return {};
  std::vector<WideVectors> found;
  const unsigned few = std::min(usual, 4 * lanes);
  if (need.most_bits <= 32 && few > lanes && !takes_parts(body, few)) found.push_back({few});
  // What is done once would be written for many lanes, and gathers one by one.
  constexpr unsigned most_beside = 32;
  if (!need.is_far || !beside.fits || beside.instructions > most_beside) return found;
  // Half of the registers are for sums.
  const unsigned sum_bits = std::max({need.carried_bits, need.most_bits, 8u});
  unsigned many = std::min(most_far, bit_floor(vectors.bits * vectors.registers / 2 / sum_bits));
  while (many > few && takes_parts(body, many)) many /= 2;
  if (many <= few) return found;
  found.push_back({many});
  if (!need.elements) return found;
  const std::uint64_t large = large_bytes / need.element_size;
  found.push_back({many, need.elements, large});
  if (takes_turns && !takes_parts(body, 2 * many))
    found.push_back({2 * many, need.elements, large});
  return found;
}

std::vector<AllocaInst*> write_wide_vectors(const ThreadBody& body, const LoopInfo& loops,
                                            const Shapes& shapes, const NarrowVectors& narrow,
                                            const WideVectors& wide) {
  const unsigned lanes = wide.lanes;
  InFront front(body, narrow, "wide");
  Type* type = body.index->getType();
  front.enter([&](IRBuilder<>& builder) {
    Value* rest = builder.CreateAnd(body.count, ConstantInt::get(type, lanes - 1));
    Value* is_whole = builder.CreateICmpEQ(rest, ConstantInt::get(type, 0));
    if (!wide.elements) return is_whole;
    Value* large = ConstantInt::get(wide.elements->getType(), wide.large);
    return builder.CreateAnd(is_whole, builder.CreateICmpUGT(wide.elements, large));
  });
  IRBuilder<> builder(front.begin);
  PHINode* index = builder.CreatePHI(type, 2, "w");
  builder.SetInsertPoint(front.latch);
  Value* next = builder.CreateAdd(index, ConstantInt::get(type, lanes), "", true, true);
  index->addIncoming(ConstantInt::get(type, 0), front.before());
  index->addIncoming(next, front.latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, body.count), front.begin, body.exit);
  return front.write(loops, shapes, lanes, index, wide.elements != nullptr);
}

}  // namespace gridspan::transforms
