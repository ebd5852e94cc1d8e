// Recognises guards in a row; writes their code a second time, without branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/joint_guards.h"

#include "transforms/parallel_loop.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr const char *joint_mark = "gridspan.joint_guards", *apart_mark = "gridspan.apart_guard";
constexpr unsigned most_guards = 16, most_instructions = 200, deepest = 8;

/// `at` ends with the test, `inside` is what it lets in, `next` where both ways meet.
struct Guard {
  BasicBlock *at, *inside, *next;
  ICmpInst* test;
  bool wanted;  // what lets in
};

std::optional<Guard> as_guard(BasicBlock& at) {
  auto* branch = dyn_cast<BranchInst>(at.getTerminator());
  if (!branch || !branch->isConditional() || branch->hasMetadata(apart_mark)) return std::nullopt;
  auto* test = dyn_cast<ICmpInst>(branch->getCondition());
  for (unsigned way = 0; test && way < 2; ++way) {
    BasicBlock *inside = branch->getSuccessor(way), *next = branch->getSuccessor(1 - way);
    if (inside != next && inside->getSinglePredecessor() == &at &&
        inside->getSingleSuccessor() == next && next->hasNPredecessors(2))
      return Guard{&at, inside, next, test, way == 0};
  }
  return std::nullopt;
}

class Joiner {
 public:
  Joiner(Function& region, Loop& threads, LoopInfo& loops)
      : region_(region), threads_(threads), loops_(loops) {}

  /// Finds the longest row of guards that begins at `first`.
  bool find(BasicBlock& first);
  void write();

 private:
  bool is_bound(const Guard& guard);
  bool is_early(Value* value, unsigned depth);
  bool is_plain(const BasicBlock& block) const;
  BasicBlock& first() const { return *guards_.front().at; }
  BasicBlock* end() const { return guards_.back().next; }
  SmallVector<BasicBlock*> blocks() const;
  void hoist();
  BasicBlock* write_joint(BasicBlock& before_guards, ValueToValueMapTy& map);
  void mend(BasicBlock& joint, ValueToValueMapTy& map, ArrayRef<BasicBlock*> originals);

  Function& region_;
  Loop& threads_;
  LoopInfo& loops_;
  SmallVector<Guard> guards_;
  SetVector<Instruction*> early_;  // what tests are made of, in an order in which it can stand
};

bool Joiner::find(BasicBlock& first) {
  unsigned size = 0, accesses = 0;
  for (BasicBlock* at = &first; guards_.size() < most_guards;) {
    auto guard = as_guard(*at);
    if (!guard || guard->next == threads_.getHeader() || loops_.getLoopFor(at) != &threads_ ||
        loops_.getLoopFor(guard->inside) != &threads_)
      break;
    guards_.push_back(*guard);  // is_early looks at the first
    if ((at != &first && !is_plain(*at)) || !is_plain(*guard->inside) || !is_bound(*guard)) {
      guards_.pop_back();
      break;
    }
    size += guard->inside->size() + (at == &first ? 0 : at->size());
    accesses += any_of(*guard->inside,
                       [](const Instruction& one) { return isa<LoadInst, StoreInst>(one); });
    at = guard->next;
  }
  return accesses >= 2 && size <= most_instructions;
}

/// A number that the threads make themselves against one that all share.
bool Joiner::is_bound(const Guard& guard) {
  Value *left = guard.test->getOperand(0), *right = guard.test->getOperand(1);
  return guard.test->isRelational() &&
         threads_.isLoopInvariant(left) != threads_.isLoopInvariant(right) &&
         is_early(guard.test, 0);
}

/// Made of thread numbers only, so it can be computed before the first guard.
bool Joiner::is_early(Value* value, unsigned depth) {
  auto* made = dyn_cast<Instruction>(value);
  if (!made || !threads_.contains(made)) return true;
  if (isa<PHINode>(made)) return made->getParent() == threads_.getHeader();
  bool is_arithmetic = isa<ICmpInst, CastInst, BinaryOperator>(made) && !made->isIntDivRem();
  if (!is_arithmetic || depth == deepest) return false;
  for (Value* operand : made->operands())
    if (!is_early(operand, depth + 1)) return false;
  bool is_behind = any_of(guards_, [&](const Guard& guard) {
    return made->getParent() == guard.inside ||
           (made->getParent() == guard.at && guard.at != &first());
  });
  if (is_behind) early_.insert(made);
  return true;
}

/// Runs to its end; nothing in it may not be there twice.
bool Joiner::is_plain(const BasicBlock& block) const {
  return all_of(block, [](const Instruction& instruction) {
    if (instruction.isTerminator() || isa<PHINode>(instruction)) return true;
    if (instruction.isAtomic() || instruction.isVolatile()) return false;
    if (isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction)) return false;
    return isGuaranteedToTransferExecutionToSuccessor(&instruction) &&
           !instruction.getType()->isTokenTy();
  });
}

SmallVector<BasicBlock*> Joiner::blocks() const {
  SmallVector<BasicBlock*> found;
  for (const Guard& guard : guards_) {
    if (guard.at != &first()) found.push_back(guard.at);
    found.push_back(guard.inside);
  }
  return found;
}

/// All tests are branched on whatever the others say, so none of them is poison.
void Joiner::hoist() {
  for (Instruction* one : early_) one->moveBefore(first().getTerminator());
}

/// Addresses should look alike that are.
Instruction* known_like(const Instruction& instruction, ArrayRef<BasicBlock*> blocks) {
  if (instruction.mayReadOrWriteMemory()) return nullptr;
  for (BasicBlock* block : blocks)
    for (Instruction& other : *block)
      if (other.isIdenticalTo(&instruction)) return &other;
  return nullptr;
}

/// A copy of all blocks in one, as if every guard let its thread in.
BasicBlock* Joiner::write_joint(BasicBlock& before_guards, ValueToValueMapTy& map) {
  BasicBlock* joint =
      BasicBlock::Create(region_.getContext(), "joint", &region_, guards_[0].inside);
  IRBuilder<> builder(joint);
  const BasicBlock* before = nullptr;
  for (BasicBlock* block : blocks()) {
    for (Instruction& instruction : *block) {
      if (instruction.isTerminator()) continue;
      if (auto* phi = dyn_cast<PHINode>(&instruction)) {
        Value* value = phi->getIncomingValueForBlock(before);
        Value* mapped = map.lookup(value);
        map[phi] = mapped ? mapped : value;
        continue;
      }
      Instruction* made = instruction.clone();
      RemapInstruction(made, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      Instruction* known = known_like(*made, {&before_guards, joint});
      if (known)
        made->deleteValue();
      else
        builder.Insert(made, instruction.getName());
      map[&instruction] = known ? known : made;
    }
    before = block;
  }
  builder.CreateBr(end());
  return joint;
}

/// What is used behind the guards comes from either way.
void Joiner::mend(BasicBlock& joint, ValueToValueMapTy& map, ArrayRef<BasicBlock*> originals) {
  const BasicBlock* last = guards_.back().inside;
  for (PHINode& phi : end()->phis()) {
    Value* value = phi.getIncomingValueForBlock(last);
    Value* mapped = map.lookup(value);
    phi.addIncoming(mapped ? mapped : value, &joint);
  }
  for (BasicBlock* block : originals)
    for (Instruction& instruction : *block) {
      SmallVector<Use*> outside;
      for (Use& use : instruction.uses()) {
        auto* user = cast<Instruction>(use.getUser());
        BasicBlock* at = user->getParent();
        if (auto* phi = dyn_cast<PHINode>(user)) at = phi->getIncomingBlock(use);
        if (at != &joint && !is_contained(originals, at)) outside.push_back(&use);
      }
      if (outside.empty()) continue;
      SSAUpdater updater;
      updater.Initialize(instruction.getType(), instruction.getName());
      updater.AddAvailableValue(block, &instruction);
      updater.AddAvailableValue(&joint, map.lookup(&instruction));
      for (Use* use : outside) updater.RewriteUse(*use);
    }
}

void Joiner::write() {
  hoist();
  const auto originals = blocks();
  BasicBlock& at = first();
  BasicBlock* apart = at.splitBasicBlock(at.getTerminator(), "apart");
  guards_.front().at = apart;  // holds the first branch alone, and is not copied
  ValueToValueMapTy map;
  BasicBlock* joint = write_joint(at, map);
  at.getTerminator()->eraseFromParent();
  IRBuilder<> builder(&at);
  Value* all = nullptr;
  for (const Guard& guard : guards_) {
    Value* passes = guard.wanted ? guard.test : builder.CreateNot(guard.test);
    all = all ? builder.CreateAnd(all, passes) : passes;
    guard.at->getTerminator()->setMetadata(apart_mark, MDNode::get(region_.getContext(), {}));
  }
  // In this order the joint code comes before the other in ThreadBody::order, not in its midst.
  BranchInst* branch = builder.CreateCondBr(builder.CreateNot(all), apart, joint);
  branch->setMetadata(joint_mark, MDNode::get(region_.getContext(), {}));
  mend(*joint, map, originals);
}

Loop* find_threads(LoopInfo& loops) {
  for (Loop* loop : loops.getLoopsInPreorder())
    if (findOptionMDForLoop(loop, thread_loop_mark)) return loop;
  return nullptr;
}

/// One row of guards at a time: blocks change.
bool join_some(Function& region) {
  DominatorTree dominators(region);
  LoopInfo loops(dominators);
  Loop* threads = find_threads(loops);
  if (!threads) return false;
  for (BasicBlock* block : threads->blocks()) {
    Joiner joiner(region, *threads, loops);
    if (!joiner.find(*block)) continue;
    joiner.write();
    return true;
  }
  return false;
}

}  // namespace

void join_guards(Function& region) {
  constexpr unsigned most_rows = 8;
  for (unsigned i = 0; i < most_rows && join_some(region); ++i) {
  }
}

bool tests_joint_guards(const BranchInst& branch) { return branch.hasMetadata(joint_mark); }

}  // namespace gridspan::transforms
