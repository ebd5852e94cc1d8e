// Each instruction that depends on the row once for each row, the others once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/row_group.h"

namespace gridspan::transforms {

using namespace llvm;

RowGroup::RowGroup(const RowVectors& vectors, const RowCounters& counters, const RowCode& code,
                   unsigned rows)
    : vectors_(vectors), counters_(counters), code_(code), maps_(rows) {}

void RowGroup::write() {
  make_blocks();
  make_rows();
  for (BasicBlock* block : code_.blocks()) write_block(*block);
  for (BasicBlock* block : code_.blocks()) fill_phis(*block);
}

BasicBlock* RowGroup::write_test(const LoneRows& alone, BasicBlock* otherwise) {
  BasicBlock* test = block("group");
  IRBuilder<> builder(test);
  Value* number = builder.getInt32(rows());
  Value* threads = builder.CreateMul(vectors_.count, number);
  Value* left = builder.CreateSub(counters_.last, counters_.thread);
  Value* rows_left = builder.CreateSub(counters_.size_y, counters_.y);
  // Whole rows, in whole vectors, of one layer of the block.
  Value* begins_inside = counters_.x ? builder.CreateOr(alone.rows, counters_.x) : alone.rows;
  Value* holds = builder.CreateICmpEQ(begins_inside, builder.getInt32(0));
  holds = builder.CreateAnd(holds, builder.CreateICmpULE(threads, left));
  holds = builder.CreateAnd(holds, builder.CreateICmpUGE(rows_left, number));
  holds = builder.CreateAnd(holds, builder.CreateICmpEQ(vectors_.count, vectors_.whole));
  builder.CreateCondBr(holds, entry_, otherwise);
  return test;
}

void RowGroup::write_ends(const LoneRows& alone) {
  IRBuilder<> builder(done_);
  Value *zero = builder.getInt32(0), *number = builder.getInt32(rows());
  Value* next_thread = builder.CreateAdd(
      counters_.thread, builder.CreateMul(vectors_.count, number, "", true, true), "", true, true);
  Value* next_y = builder.CreateAdd(counters_.y, number, "", true, true);
  Value* wraps = builder.CreateICmpEQ(next_y, counters_.size_y);
  Value* next_z =
      counters_.z ? builder.CreateAdd(counters_.z, builder.CreateZExt(wraps, builder.getInt32Ty()))
                  : nullptr;
  next_y = builder.CreateSelect(wraps, zero, next_y);
  auto* round = cast<BranchInst>(counters_.next_row->getTerminator());
  builder.CreateCondBr(builder.CreateICmpULT(next_thread, counters_.last), vectors_.row,
                       round->getSuccessor(1));
  continue_with(done_, next_thread, next_y, next_z, alone, zero, zero);

  builder.SetInsertPoint(broken_);
  if (broken_->hasNPredecessors(0)) {
    builder.CreateUnreachable();
    return;
  }
  builder.CreateBr(vectors_.row);
  continue_with(broken_, counters_.thread, counters_.y, counters_.z, alone, number,
                maps_[0].lookup(vectors_.index));
}

void RowGroup::continue_with(BasicBlock* block, Value* thread, Value* y, Value* z,
                             const LoneRows& alone, Value* alone_rows, Value* from) {
  counters_.thread->addIncoming(thread, block);
  if (counters_.x) counters_.x->addIncoming(ConstantInt::get(counters_.x->getType(), 0), block);
  counters_.y->addIncoming(y, block);
  if (counters_.z) counters_.z->addIncoming(z, block);
  alone.rows->addIncoming(alone_rows, block);
  alone.from->addIncoming(from, block);
}

BasicBlock* RowGroup::block(const Twine& name) {
  return BasicBlock::Create(vectors_.row->getContext(), name, vectors_.row->getParent(),
                            vectors_.header);
}

void RowGroup::make_blocks() {
  entry_ = block("rows");
  for (BasicBlock* one : code_.blocks()) copies_[one] = block(one->getName() + ".rows");
  done_ = block("rows.done");
  broken_ = block("rows.broken");
  copies_[vectors_.row] = entry_;
  copies_[vectors_.done] = done_;
  if (vectors_.general) copies_[vectors_.general] = broken_;
}

Value* RowGroup::mapped(Value* value, unsigned row) const {
  Value* found = maps_[row].lookup(value);
  return found ? found : value;
}

void RowGroup::make_rows() {
  IRBuilder<> builder(entry_);
  for (unsigned row = 1; row < rows(); ++row) {
    Value* number = builder.getInt32(row);
    // The rows are rows of the block: their numbers do not wrap.
    Value* threads = builder.CreateMul(number, vectors_.count, "", true, true);
    maps_[row][counters_.thread] = builder.CreateAdd(counters_.thread, threads, "", true, true);
    maps_[row][counters_.y] = builder.CreateAdd(counters_.y, number, "", true, true);
  }
  for (Instruction& instruction : *vectors_.row) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    if (!code_.depends(&instruction)) continue;
    for (unsigned row = 1; row < rows(); ++row) write_for(instruction, row, builder);
  }
  builder.CreateBr(copies_.lookup(vectors_.header));
}

void RowGroup::write_for(Instruction& instruction, unsigned row, IRBuilder<>& builder) {
  Instruction* copy = instruction.clone();
  for (Use& operand : copy->operands()) operand = mapped(operand, row);
  builder.Insert(copy, instruction.getName());
  maps_[row][&instruction] = copy;
}

void RowGroup::write_block(BasicBlock& original) {
  IRBuilder<> builder(copies_.lookup(&original));
  for (Instruction& instruction : original) {
    if (instruction.isTerminator()) continue;
    unsigned count = code_.depends(&instruction) ? rows() : 1;
    if (isa<PHINode>(instruction))
      for (unsigned row = 0; row < count; ++row)
        maps_[row][&instruction] = builder.CreatePHI(instruction.getType(), 2);
    else
      for (unsigned row = 0; row < count; ++row) write_for(instruction, row, builder);
    for (unsigned row = count; row < rows(); ++row)
      maps_[row][&instruction] = maps_[0].lookup(&instruction);
  }
  auto* branch = cast<BranchInst>(original.getTerminator());
  bool is_whole = &original == vectors_.header && vectors_.part;
  if (!branch->isConditional() || is_whole) {
    builder.CreateBr(copies_.lookup(branch->getSuccessor(0)));
    return;
  }
  Value* condition = mapped(branch->getCondition(), 0);
  if (code_.depends(branch->getCondition()))
    for (unsigned row = 1; row < rows(); ++row)
      condition = builder.CreateAnd(condition, mapped(branch->getCondition(), row));
  builder.CreateCondBr(condition, copies_.lookup(branch->getSuccessor(0)),
                       copies_.lookup(branch->getSuccessor(1)));
}

void RowGroup::fill_phis(BasicBlock& original) {
  for (PHINode& phi : original.phis()) {
    unsigned count = code_.depends(&phi) ? rows() : 1;
    for (unsigned row = 0; row < count; ++row) {
      auto* copy = cast<PHINode>(maps_[row].lookup(&phi));
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
        copy->addIncoming(mapped(phi.getIncomingValue(i), row),
                          copies_.lookup(phi.getIncomingBlock(i)));
    }
  }
}

}  // namespace gridspan::transforms
