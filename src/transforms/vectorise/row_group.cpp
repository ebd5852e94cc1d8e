// Each instruction that depends on the row once for each row, on the column once for each column.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/row_group.h"

namespace gridspan::transforms {

using namespace llvm;

RowGroup::RowGroup(const RowVectors& vectors, const RowCounters& counters, const RowCode& code,
                   GroupSize size)
    : vectors_(vectors),
      counters_(counters),
      code_(code),
      size_(size),
      maps_(std::size_t{size.rows} * size.columns) {}

void RowGroup::write(const Panels* panels) {
  panels_ = panels;
  make_blocks();
  make_rows();
  for (BasicBlock* block : code_.blocks()) write_block(*block);
  for (BasicBlock* block : code_.blocks()) fill_phis(*block);
  for (BasicBlock* block : code_.blocks()) load_from_panels(*block);
}

BasicBlock* RowGroup::write_test(const LoneRows& alone, BasicBlock* otherwise) {
  BasicBlock* test = block("group");
  IRBuilder<> builder(test);
  Value* number = builder.getInt32(size_.rows);
  Value* threads = builder.CreateMul(vectors_.count, number);
  Value* left = builder.CreateSub(counters_.last, counters_.thread);
  Value* rows_left = builder.CreateSub(counters_.size_y, counters_.y);
  // Whole rows, in whole vectors, of one layer of the block.
  Value* begins_inside = counters_.x ? builder.CreateOr(alone.rows, counters_.x) : alone.rows;
  Value* holds = builder.CreateICmpEQ(begins_inside, builder.getInt32(0));
  holds = builder.CreateAnd(holds, builder.CreateICmpULE(threads, left));
  holds = builder.CreateAnd(holds, builder.CreateICmpUGE(rows_left, number));
  holds = builder.CreateAnd(holds, builder.CreateICmpEQ(vectors_.count, vectors_.whole));
  // A row alone is for what is left of many, whose panels are there.
  if (size_.rows == 1)
    holds = builder.CreateAnd(
        holds, builder.CreateICmpUGE(counters_.size_y, builder.getInt32(least_panel_rows)));
  if (size_.columns > 1) {
    Value* rest =
        builder.CreateURem(vectors_.count, builder.getInt32(vectors_.lanes * size_.columns));
    holds = builder.CreateAnd(holds, builder.CreateICmpEQ(rest, builder.getInt32(0)));
  }
  builder.CreateCondBr(holds, entry_, otherwise);
  return test;
}

void RowGroup::write_ends(const LoneRows& alone) {
  IRBuilder<> builder(done_);
  Value *zero = builder.getInt32(0), *number = builder.getInt32(size_.rows);
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

unsigned RowGroup::owner(Dependence dependence, unsigned copy) const {
  unsigned row = dependence.row ? row_of(copy) : 0;
  unsigned column = dependence.column ? column_of(copy) : 0;
  return row * size_.columns + column;
}

bool RowGroup::is_owner(const Value* value, unsigned copy) const {
  return owner(code_.dependence(value), copy) == copy;
}

Value* RowGroup::mapped(Value* value, unsigned copy) const {
  Value* found = maps_[copy].lookup(value);
  return found ? found : value;
}

void RowGroup::make_rows() {
  IRBuilder<> builder(entry_);
  for (unsigned copy = 0; copy < copies(); ++copy) {
    unsigned row = row_of(copy);
    if (row == 0) continue;
    if (column_of(copy) != 0) {
      maps_[copy] = maps_[copy - 1];
      continue;
    }
    Value* number = builder.getInt32(row);
    // The rows are rows of the block: their numbers do not wrap.
    Value* threads = builder.CreateMul(number, vectors_.count, "", true, true);
    maps_[copy][counters_.thread] = builder.CreateAdd(counters_.thread, threads, "", true, true);
    maps_[copy][counters_.y] = builder.CreateAdd(counters_.y, number, "", true, true);
  }
  for (Instruction& instruction : *vectors_.row) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    if (code_.dependence(&instruction).row) write_copies(instruction, builder);
  }
  builder.CreateBr(copies_.lookup(vectors_.header));
}

void RowGroup::write_copies(Instruction& instruction, IRBuilder<>& builder) {
  Dependence dependence = code_.dependence(&instruction);
  // What was computed before the loop is there for the first row.
  bool is_before = instruction.getParent() == vectors_.row;
  for (unsigned copy = 0; copy < copies(); ++copy) {
    unsigned owner = this->owner(dependence, copy);
    if (is_before && row_of(owner) == 0) continue;
    if (owner != copy) {
      maps_[copy][&instruction] = maps_[owner].lookup(&instruction);
      continue;
    }
    Instruction* twin = instruction.clone();
    for (Use& operand : twin->operands()) operand = mapped(operand, copy);
    builder.Insert(twin, instruction.getName());
    maps_[copy][&instruction] = twin;
  }
}

void RowGroup::write_phi(PHINode& phi, IRBuilder<>& builder) {
  for (unsigned copy = 0; copy < copies(); ++copy) {
    unsigned owner = &phi == vectors_.index ? 0 : this->owner(code_.dependence(&phi), copy);
    maps_[copy][&phi] =
        owner == copy ? builder.CreatePHI(phi.getType(), 2) : maps_[owner].lookup(&phi);
  }
}

void RowGroup::number_columns(IRBuilder<>& builder) {
  for (unsigned copy = 1; copy < copies(); ++copy) {
    unsigned column = column_of(copy);
    if (column == 0) continue;
    if (row_of(copy) != 0) {
      maps_[copy][vectors_.index] = maps_[column].lookup(vectors_.index);
      continue;
    }
    Value* first = maps_[0].lookup(vectors_.index);
    maps_[copy][vectors_.index] =
        builder.CreateAdd(first, builder.getInt32(column * vectors_.lanes), "", true, true);
  }
}

Value* RowGroup::condition_of(BranchInst& branch, IRBuilder<>& builder) const {
  Value* original = branch.getCondition();
  // The last of the vectors that go together tells whether another follows.
  if (branch.getParent() == vectors_.latch) return mapped(original, copies() - 1);
  Value* condition = mapped(original, 0);
  for (unsigned copy = 1; copy < copies(); ++copy)
    if (is_owner(original, copy)) condition = builder.CreateAnd(condition, mapped(original, copy));
  return condition;
}

void RowGroup::write_block(BasicBlock& original) {
  IRBuilder<> builder(copies_.lookup(&original));
  for (PHINode& phi : original.phis()) write_phi(phi, builder);
  if (&original == vectors_.header) number_columns(builder);
  for (Instruction& instruction : original)
    if (!isa<PHINode>(instruction) && !instruction.isTerminator())
      write_copies(instruction, builder);
  write_panels(original, builder);
  ends_[&original] = builder.GetInsertBlock();
  auto* branch = cast<BranchInst>(original.getTerminator());
  bool is_whole = &original == vectors_.header && vectors_.part;
  if (!branch->isConditional() || is_whole) {
    builder.CreateBr(copies_.lookup(branch->getSuccessor(0)));
    return;
  }
  builder.CreateCondBr(condition_of(*branch, builder), copies_.lookup(branch->getSuccessor(0)),
                       copies_.lookup(branch->getSuccessor(1)));
}

void RowGroup::fill_phis(BasicBlock& original) {
  for (PHINode& phi : original.phis()) {
    bool counts = &phi == vectors_.index;
    for (unsigned copy = 0; copy < copies(); ++copy) {
      if (counts ? copy != 0 : !is_owner(&phi, copy)) continue;
      auto* twin = cast<PHINode>(maps_[copy].lookup(&phi));
      // The next group of vectors begins behind the last of this one.
      unsigned from = counts ? copies() - 1 : copy;
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
        twin->addIncoming(mapped(phi.getIncomingValue(i), from), end_of(phi.getIncomingBlock(i)));
    }
  }
}

BasicBlock* RowGroup::end_of(BasicBlock* original) const {
  BasicBlock* end = ends_.lookup(original);
  return end ? end : copies_.lookup(original);
}

void RowGroup::write_panels(const BasicBlock& preheader, IRBuilder<>& builder) {
  if (!panels_) return;
  for (unsigned i = 0; i < panels_->loads.size(); ++i) {
    const PanelLoad& panel = panels_->loads[i];
    if (panel.preheader != &preheader) continue;
    PanelSource source{{}, mapped(panel.step, 0)};
    for (unsigned column = 0; column < size_.columns; ++column)
      source.first.push_back(mapped(panel.first, column));
    Value* threads = builder.getInt32(vectors_.lanes * size_.columns);
    Value* strip = builder.CreateUDiv(mapped(vectors_.index, 0), threads);
    Value* strips = builder.CreateUDiv(vectors_.count, threads);
    sources_[i] = write_panel(builder, *panels_, i, source, mapped(panel.rounds, 0), strip, strips,
                              counters_.size_y);
  }
}

void RowGroup::load_from_panels(const BasicBlock& original) {
  if (!panels_) return;
  for (unsigned i = 0; i < panels_->loads.size(); ++i) {
    const PanelLoad& panel = panels_->loads[i];
    if (panel.load->getParent() != &original) continue;
    BasicBlock* header = copies_.lookup(panel.header);
    IRBuilder<> builder(header, header->begin());
    PHINode* round = builder.CreatePHI(builder.getInt64Ty(), 2, "round");
    builder.SetInsertPoint(end_of(panel.latch)->getTerminator());
    Value* next = builder.CreateAdd(round, builder.getInt64(1), "", true, true);
    round->addIncoming(builder.getInt64(0), end_of(panel.preheader));
    round->addIncoming(next, end_of(panel.latch));
    builder.SetInsertPoint(header, header->getFirstInsertionPt());
    const PanelSource& source = sources_[i];
    Value* bytes = builder.CreateMul(round, source.step);
    for (unsigned column = 0; column < size_.columns; ++column) {
      Value* place = builder.CreateGEP(builder.getInt8Ty(), source.first[column], bytes);
      auto* load = cast<LoadInst>(maps_[column].lookup(panel.load));
      load->setOperand(0, place);
      const DataLayout& layout = load->getModule()->getDataLayout();
      if (column * layout.getTypeStoreSize(load->getType()) % bytes_of_line == 0)
        prefetch_from_panel(builder, place, source.step);
    }
  }
}

}  // namespace gridspan::transforms
