// Recognises appends; writes the list and what empties it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/appends.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr const char* append_mark = "gridspan.append";
constexpr std::uint64_t capacity = 256, largest_element = 16;

/// Arithmetic from the number drawn to an address.
bool is_step(const Instruction& instruction) {
  if (auto* operation = dyn_cast<BinaryOperator>(&instruction)) return !operation->isIntDivRem();
  return isa<SExtInst, ZExtInst, TruncInst, GetElementPtrInst>(instruction);
}

bool is_marked(const Instruction& instruction) { return instruction.hasMetadata(append_mark); }

/// Code that lists what a function appends at one place.
class List {
 public:
  List(Function& function, const Append& append)
      : function_(function), append_(append), builder_(function.getContext()) {}

  /// What addresses are made of is known wherever the list is emptied.
  bool is_possible(const DominatorTree& dominators) const;
  AllocaInst* write();

 private:
  SetVector<Instruction*> steps() const;
  void add();
  void flush_before(Instruction* where);
  void write_elements(Value* first);
  void erase();
  Value* place(unsigned store, Value* number) {
    return builder_.CreateInBoundsGEP(elements_[store]->getAllocatedType(), elements_[store],
                                      {builder_.getInt64(0), number});
  }

  Function& function_;
  const Append& append_;
  IRBuilder<> builder_;
  AllocaInst* count_ = nullptr;  // i64
  SmallVector<AllocaInst*, 2> elements_;
};

/// From the number to the addresses, in their order.
SetVector<Instruction*> List::steps() const {
  SetVector<Instruction*> found;
  for (Instruction& next :
       make_range(std::next(append_.update->getIterator()), append_.update->getParent()->end())) {
    bool follows = any_of(next.operands(), [&](Value* operand) {
      auto* step = dyn_cast<Instruction>(operand);
      return step && (step == append_.update || found.contains(step));
    });
    if (follows && !isa<StoreInst>(next)) found.insert(&next);
  }
  return found;
}

bool List::is_possible(const DominatorTree& dominators) const {
  const auto inner = steps();
  SmallVector<Value*> parts{append_.update->getPointerOperand()};
  for (Instruction* step : inner)
    for (Value* operand : step->operands())
      if (operand != append_.update && !inner.contains(dyn_cast<Instruction>(operand)))
        parts.push_back(operand);
  return all_of(parts, [&](Value* part) {
    auto* made = dyn_cast<Instruction>(part);
    return !made || all_of(function_, [&](BasicBlock& block) {
      return !isa<ReturnInst>(block.getTerminator()) ||
             dominators.dominates(made, block.getTerminator());
    });
  });
}

AllocaInst* List::write() {
  builder_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
  count_ = builder_.CreateAlloca(builder_.getInt64Ty(), nullptr, "appended");
  for (StoreInst* store : append_.stores)
    elements_.push_back(
        builder_.CreateAlloca(ArrayType::get(store->getValueOperand()->getType(), capacity)));
  builder_.CreateStore(builder_.getInt64(0), count_);
  SmallVector<Instruction*> ends;
  for (BasicBlock& block : function_)
    if (isa<ReturnInst>(block.getTerminator())) ends.push_back(block.getTerminator());
  add();
  for (Instruction* end : ends) {
    builder_.SetInsertPoint(end);
    Value* count = builder_.CreateLoad(builder_.getInt64Ty(), count_);
    Value* any = builder_.CreateICmpNE(count, builder_.getInt64(0));
    flush_before(SplitBlockAndInsertIfThen(any, end->getIterator(), false));
  }
  erase();
  return count_;
}

/// Where the last of the stores stands.
void List::add() {
  StoreInst* last = append_.stores.back();
  builder_.SetInsertPoint(last);
  Value* count = builder_.CreateLoad(builder_.getInt64Ty(), count_);
  for (auto [i, store] : enumerate(append_.stores))
    builder_.CreateStore(store->getValueOperand(), place(i, count));
  Value* more = builder_.CreateAdd(count, builder_.getInt64(1), "", true, true);
  builder_.CreateStore(more, count_);
  Value* full = builder_.CreateICmpEQ(more, builder_.getInt64(capacity));
  Instruction* then =
      SplitBlockAndInsertIfThen(full, std::next(last->getIterator()), false,
                                MDBuilder(function_.getContext()).createBranchWeights(1, capacity));
  flush_before(then);
  builder_.SetInsertPoint(then);
  builder_.CreateStore(builder_.getInt64(0), count_);
}

/// The list is not empty.
void List::flush_before(Instruction* where) {
  builder_.SetInsertPoint(where);
  Value* count = builder_.CreateLoad(builder_.getInt64Ty(), count_);
  AtomicRMWInst* update = append_.update;
  auto* all = cast<AtomicRMWInst>(update->clone());
  all->setMetadata(append_mark, nullptr);
  all->setOperand(1, builder_.CreateZExtOrTrunc(count, update->getType()));
  builder_.Insert(all, "first");
  BasicBlock *before = where->getParent(), *after = before->splitBasicBlock(where, "appended");
  auto* round = BasicBlock::Create(function_.getContext(), "append", &function_, after);
  before->getTerminator()->setSuccessor(0, round);
  builder_.SetInsertPoint(round);
  PHINode* number = builder_.CreatePHI(builder_.getInt64Ty(), 2);
  Value* drawn = builder_.CreateAdd(all, builder_.CreateZExtOrTrunc(number, all->getType()));
  ValueToValueMapTy map;
  map[update] = drawn;
  const auto copy = [&](Instruction& instruction) {
    Instruction* made = builder_.Insert(instruction.clone());
    RemapInstruction(made, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    map[&instruction] = made;
    return made;
  };
  for (Instruction* step : steps()) copy(*step);
  for (auto [i, store] : enumerate(append_.stores)) {
    Instruction* made = copy(*store);
    made->setMetadata(LLVMContext::MD_access_group, nullptr);
    builder_.SetInsertPoint(made);
    made->setOperand(0, builder_.CreateLoad(store->getValueOperand()->getType(), place(i, number)));
    builder_.SetInsertPoint(round);
  }
  Value* next = builder_.CreateAdd(number, builder_.getInt64(1), "", true, true);
  number->addIncoming(builder_.getInt64(0), before);
  number->addIncoming(next, round);
  builder_.CreateCondBr(builder_.CreateICmpULT(next, count), round, after);
}

void List::erase() {
  const auto dead = steps();
  for (StoreInst* store : append_.stores) store->eraseFromParent();
  for (Instruction* step : reverse(dead)) step->eraseFromParent();
  append_.update->eraseFromParent();
}

}  // namespace

std::optional<Append> find_append(AtomicRMWInst& update) {
  auto* amount = dyn_cast<ConstantInt>(update.getValOperand());
  if (update.getOperation() != AtomicRMWInst::Add || !amount || !amount->isOne() ||
      update.isVolatile() || update.getOrdering() != AtomicOrdering::Monotonic ||
      update.getType()->getIntegerBitWidth() < 32)
    return std::nullopt;
  const DataLayout& layout = update.getDataLayout();
  SmallPtrSet<Instruction*, 8> places;
  SmallVector<Instruction*> open{&update};
  while (!open.empty()) {
    Instruction* number = open.pop_back_val();
    if (!places.insert(number).second) continue;
    for (User* user : number->users()) {
      auto* next = cast<Instruction>(user);
      if (next->getParent() != update.getParent()) return std::nullopt;
      if (is_step(*next)) {
        open.push_back(next);
        continue;
      }
      auto* store = dyn_cast<StoreInst>(next);
      if (!store || !store->isSimple() || store->getValueOperand() == number) return std::nullopt;
    }
  }
  Append found{&update, {}};
  for (Instruction& next : *update.getParent()) {
    auto* store = dyn_cast<StoreInst>(&next);
    if (!store || !places.contains(dyn_cast<Instruction>(store->getPointerOperand()))) continue;
    auto* value = dyn_cast<Instruction>(store->getValueOperand());
    TypeSize size = layout.getTypeAllocSize(store->getValueOperand()->getType());
    if ((value && places.contains(value)) || size.getFixedValue() > largest_element)
      return std::nullopt;
    found.stores.push_back(store);
  }
  return found.stores.empty() ? std::nullopt : std::optional(found);
}

void mark_append(AtomicRMWInst& update) {
  update.setMetadata(append_mark, MDNode::get(update.getContext(), {}));
}

bool has_marked_appends(Function& function) { return any_of(instructions(function), is_marked); }

void gather_appends(Function& region) {
  SmallVector<AtomicRMWInst*> marked;
  for (Instruction& instruction : instructions(region))
    if (is_marked(instruction)) marked.push_back(cast<AtomicRMWInst>(&instruction));
  if (marked.empty()) return;
  SmallVector<AllocaInst*> counts;
  for (AtomicRMWInst* update : marked) {
    const auto append = find_append(*update);
    if (!append) continue;
    List list(region, *append);
    if (list.is_possible(DominatorTree(region))) counts.push_back(list.write());
  }
  DominatorTree dominators(region);
  if (!counts.empty()) PromoteMemToReg(counts, dominators);
}

}  // namespace gridspan::transforms
