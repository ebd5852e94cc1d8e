// Whether, and the loop over wide vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/wide.h"

#include "transforms/math_calls.h"
#include "transforms/vectorise/masks.h"
#include "transforms/vectorise/rounds.h"

#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned most_lanes = 32;  // of masks; and a warp

/// Of what differs between lanes, in rounds: all of it has several registers.
struct Need {
  unsigned carried = 0, instructions = 0;
  bool loads = false;
  bool fits = true;
};

void add(Need& need, const Instruction& instruction, const Shapes& shapes) {
  const DataLayout& layout = instruction.getModule()->getDataLayout();
  auto* store = dyn_cast<StoreInst>(&instruction);
  Type* type = store ? store->getValueOperand()->getType() : instruction.getType();
  if (const Value* address = getLoadStorePointerOperand(&instruction)) {
    need.fits &= shapes.of(address).is_uniform() || is_consecutive(shapes, address, type, layout);
    need.loads |= isa<LoadInst>(instruction);
  }
  if (!shapes.of(&instruction).is_varying()) return;
  need.fits &= type->isVoidTy() || type->isIntegerTy(1) || type->getScalarSizeInBits() <= 32;
  need.fits &= !isa<CallInst>(instruction) || isa<IntrinsicInst>(instruction);
  ++need.instructions;
  if (isa<PHINode>(instruction)) ++need.carried;
}

bool has_bits_of(const Value* number, const Value* index) {
  Value *left, *right;
  return number == index || (match(number, m_CombineOr(m_And(m_Value(left), m_Value(right)),
                                                       m_Or(m_Value(left), m_Value(right)))) &&
                             (has_bits_of(left, index) || has_bits_of(right, index)));
}

/// The index modulo 16, or divided by it: what neighbours are, or share, in vectors of up to 16
/// threads only (Shapes::is_whole_part, is_same_part).
bool takes_parts(const Instruction& instruction, const Value* index) {
  auto* operation = dyn_cast<BinaryOperator>(&instruction);
  if (!operation) return false;
  auto* constant = dyn_cast<ConstantInt>(operation->getOperand(1));
  if (!has_bits_of(operation->getOperand(0), index) || (constant && constant->getBitWidth() > 64))
    return false;
  if (operation->getOpcode() == Instruction::LShr)
    return !constant || constant->getZExtValue() < Log2_32(most_lanes);
  constexpr std::uint64_t all = most_lanes - 1;
  const std::uint64_t bits = constant ? constant->getZExtValue() & all : 1;
  return operation->getOpcode() == Instruction::And && bits != all && bits != 0;
}

/// Stack variables became values that no vector has from the one before.
Value* from_nowhere(const PHINode& phi) { return UndefValue::get(phi.getType()); }

}  // namespace

unsigned wide_lanes(const ThreadBody& body, const LoopInfo& loops, const Shapes& shapes,
                    unsigned lanes) {
  constexpr unsigned most_carried = 2, most_instructions = 16;
  Need need;
  for (const BasicBlock* block : body.order) {
    for (const Instruction& instruction : *block) {
      if (takes_parts(instruction, body.index)) return 0;
      if (instruction.isAtomic() || instruction.isVolatile() || is_math_call(instruction)) return 0;
      if (rounds_around(*block, loops)) add(need, instruction, shapes);
    }
  }
  const unsigned wide = std::min(most_lanes, 4 * lanes);
  bool is_worthwhile = need.loads && need.fits && need.carried <= most_carried &&
                       need.instructions <= most_instructions && wide > lanes;
  return is_worthwhile ? wide : 0;
}

std::vector<AllocaInst*> write_wide_vectors(const ThreadBody& body, const LoopInfo& loops,
                                            const Shapes& shapes, const NarrowVectors& narrow,
                                            unsigned lanes) {
  LLVMContext& context = body.function->getContext();
  auto block = [&](const char* name) {
    return BasicBlock::Create(context, name, body.function, narrow.header);
  };
  BasicBlock *header = block("wide"), *latch = block("next_wide"), *broken = block("wide.broken"),
             *others = block("narrow");
  // Rows of other lengths.
  BasicBlock* before = body.preheader;
  before->getTerminator()->moveBefore(*others, others->end());
  for (BasicBlock* next : successors(others)) next->replacePhiUsesWith(before, others);
  Type* type = body.index->getType();
  IRBuilder<> builder(before);
  Value* rest = builder.CreateAnd(body.count, ConstantInt::get(type, lanes - 1));
  builder.CreateCondBr(builder.CreateICmpEQ(rest, ConstantInt::get(type, 0)), header, others,
                       likely(context));
  builder.SetInsertPoint(header);
  PHINode* index = builder.CreatePHI(type, 2, "w");
  builder.SetInsertPoint(latch);
  Value* next = builder.CreateAdd(index, ConstantInt::get(type, lanes), "", true, true);
  index->addIncoming(ConstantInt::get(type, 0), before);
  index->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, body.count), header, body.exit);
  builder.SetInsertPoint(broken);
  builder.CreateBr(narrow.header);
  for (PHINode& phi : narrow.header->phis())
    phi.addIncoming(&phi == narrow.index ? index : from_nowhere(phi), broken);
  for (PHINode& phi : body.exit->phis()) phi.addIncoming(from_nowhere(phi), latch);

  Widener code(body, loops, shapes, {lanes, index, latch, broken, &body.function->getEntryBlock()});
  BasicBlock* begin = code.write();
  builder.SetInsertPoint(header);
  builder.CreateBr(begin);
  return code.variables();
}

}  // namespace gridspan::transforms
