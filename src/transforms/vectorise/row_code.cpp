// Recognises the counters; follows what depends on them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/row_code.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned small_size = 64, largest_size = 200;  // instructions

std::optional<RowCounters> find_counters(const RowVectors& vectors) {
  RowCounters found;
  BasicBlock* row = vectors.row;
  if (!row->hasNPredecessors(2)) return std::nullopt;
  for (BasicBlock* before : predecessors(row)) {
    bool is_back = is_contained(successors(before), row) &&
                   isa<BranchInst>(before->getTerminator()) &&
                   cast<BranchInst>(before->getTerminator())->isConditional();
    (is_back ? found.next_row : found.outside) = before;
  }
  if (!found.next_row || !found.outside) return std::nullopt;
  auto* branch = cast<BranchInst>(found.next_row->getTerminator());
  for (PHINode& phi : row->phis()) {
    Value *next = phi.getIncomingValueForBlock(found.next_row), *wraps, *more, *size;
    ICmpInst::Predicate predicate;
    if (match(next, m_c_Add(m_Specific(&phi), m_Specific(vectors.count))) &&
        match(branch->getCondition(), m_ICmp(predicate, m_Specific(next), m_Value(size))) &&
        predicate == ICmpInst::ICMP_ULT && branch->getSuccessor(0) == row) {
      found.thread = &phi;
      found.last = size;
    } else if (match(next, m_Zero())) {
      found.x = &phi;
    } else if (match(next, m_Select(m_Value(wraps), m_Zero(), m_Value(more))) &&
               match(more, m_Add(m_Specific(&phi), m_One())) &&
               match(wraps, m_c_ICmp(predicate, m_Specific(more), m_Value(size))) &&
               predicate == ICmpInst::ICMP_EQ) {
      found.y = &phi;
      found.size_y = size;
    } else if (match(next, m_c_Add(m_Specific(&phi), m_ZExt(m_Value())))) {
      found.z = &phi;
    } else {
      return std::nullopt;
    }
  }
  bool is_plain = branch->getSuccessor(1)->phis().empty();
  return is_plain && found.are_complete() ? std::optional(found) : std::nullopt;
}

RowCode::RowCode(const RowVectors& vectors, const RowCounters& counters)
    : vectors_(vectors), counters_(counters) {
  collect();
  by_row_ = find_dependent({counters_.thread, counters_.y});
  by_column_ = find_dependent({vectors_.index});
  for (BasicBlock* block : blocks_) weigh(*block);
}

bool RowCode::is_small() const { return size_ <= small_size; }

bool RowCode::is_bearable() const { return size_ <= largest_size; }

bool RowCode::is_worthwhile() const { return is_bearable() && shared_ * 24 >= all_; }

bool RowCode::has_columns() const {
  if (!is_small() || !shares_columns_) return false;
  bool counts_only =
      all_of(vectors_.header->phis(), [&](const PHINode& phi) { return &phi == vectors_.index; });
  return counts_only && all_of(blocks_, [&](BasicBlock* block) {
           auto* branch = cast<BranchInst>(block->getTerminator());
           bool is_own = !branch->isConditional() || block == vectors_.latch ||
                         (block == vectors_.header && vectors_.part);
           return is_own || !by_column_.contains(branch->getCondition()) || goes_on_if(*branch);
         });
}

bool RowCode::is_fit() const {
  return all_of(blocks_, [&](BasicBlock* block) { return is_fit(*block); });
}

void RowCode::collect() {
  SetVector<BasicBlock*> found;
  found.insert(vectors_.header);
  for (unsigned i = 0; i < found.size(); ++i)
    for (BasicBlock* next : successors(found[i]))
      if (next != vectors_.done && next != vectors_.general && next != vectors_.part)
        found.insert(next);
  ReversePostOrderTraversal<Function*> order(vectors_.row->getParent());
  for (BasicBlock* block : order)
    if (found.contains(block)) blocks_.push_back(block);
}

bool RowCode::is_inside(const Instruction& instruction) const {
  return is_contained(blocks_, instruction.getParent());
}

RowCode::Values RowCode::find_dependent(SmallVector<const Value*> open) const {
  Values found;
  for (BasicBlock* block : blocks_)
    for (Instruction& instruction : *block)
      if (instruction.mayHaveSideEffects() || instruction.isAtomic()) open.push_back(&instruction);
  while (!open.empty()) {
    const Value* value = open.pop_back_val();
    if (!found.insert(value).second) continue;
    for (const User* user : value->users()) {
      auto* instruction = dyn_cast<Instruction>(user);
      if (!instruction || instruction == vectors_.count || instruction == vectors_.whole) continue;
      if (instruction->getParent() == vectors_.row ? !isa<PHINode>(instruction)
                                                   : is_inside(*instruction))
        open.push_back(instruction);
    }
  }
  return found;
}

/// Else it hands over to the general version.
bool RowCode::goes_on_if(const BranchInst& branch) const {
  return vectors_.general && branch.getSuccessor(1) == vectors_.general &&
         branch.getSuccessor(0) != vectors_.general;
}

bool RowCode::is_fit(const BasicBlock& block) const {
  for (const Instruction& instruction : block) {
    bool is_own = any_of(instruction.operands(), [](Value* used) { return isa<AllocaInst>(used); });
    bool leaves = &instruction != vectors_.index &&
                  any_of(instruction.users(),
                         [&](const User* user) { return !is_inside(*cast<Instruction>(user)); });
    if (is_own || leaves) return false;
  }
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch) return false;
  if (!branch->isConditional() || !by_row_.contains(branch->getCondition())) return true;
  return goes_on_if(*branch);
}

/// All lanes get the number, from memory in one instruction.
static bool is_spread(const Instruction& number) {
  return any_of(number.users(), [](const User* user) { return isa<InsertElementInst>(user); });
}

void RowCode::weigh(BasicBlock& block) {
  bool is_inner = is_in_inner_loop(block);
  double weight = is_inner ? 8 : 1;
  for (Instruction& instruction : block) {
    if (instruction.use_empty() && !instruction.mayHaveSideEffects()) continue;
    size_ += 1;
    all_ += weight;
    if (!instruction.mayReadFromMemory()) continue;
    Dependence dependence = this->dependence(&instruction);
    bool is_of_vectors = instruction.getType()->isVectorTy() || is_spread(instruction);
    if (is_of_vectors && !dependence.row) shared_ += weight;
    shares_columns_ |= is_inner && dependence.row && !dependence.column;
  }
}

bool RowCode::is_in_inner_loop(BasicBlock& block) const {
  SmallPtrSet<BasicBlock*, 16> seen;
  SmallVector<BasicBlock*> open(successors(&block));
  while (!open.empty()) {
    BasicBlock* next = open.pop_back_val();
    if (next == &block) return true;
    if (next == vectors_.latch || !is_contained(blocks_, next) || !seen.insert(next).second)
      continue;
    append_range(open, successors(next));
  }
  return false;
}

}  // namespace gridspan::transforms
