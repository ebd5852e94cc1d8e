// Edges that leave for good, where their threads wait for the others, and conditions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/early_returns.h"

#include "transforms/block_function/block_votes.h"
#include "transforms/block_function/segment_finder.h"
#include "transforms/block_function/ways_out.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// A branch one of whose ways leads to the end without barriers.
struct Leaving {
  BasicBlock* from;
  Value* condition;
  bool leaves_if;         // so the condition is
  BasicBlock* stay;       // the other way
  BasicBlock* last_work;  // first block of what is done on the way out, or `gone`
  BasicBlock* gone;       // there the thread is done
};

/// Where those who stay and those who go come together.
struct Meeting {
  BasicBlock* before = nullptr;  // null: on the way to `Leaving::stay`
  SmallVector<BasicBlock*> from;
  bool is_known = true;
};

class EarlyReturnTaker {
 public:
  EarlyReturnTaker(Function& kernel, std::vector<Cut>& cuts) : kernel_(kernel), cuts_(cuts) {
    for (const Cut& cut : cuts)
      (abi::is_block_wide(cut.kind) ? barriers_ : warp_operations_).insert(cut.before);
    for (BasicBlock& block : kernel)
      if (isa<ReturnInst>(block.getTerminator())) exit_ = &block;
  }

  EarlyReturns take();

 private:
  bool take_some();
  void detach(BasicBlock& from, unsigned way);
  Meeting find_meeting(const Leaving& leaving, const PostDominatorTree& post_dominators) const;
  void depart(ArrayRef<const Leaving*> together, const Meeting& meeting);
  void mend_values();

  Function& kernel_;
  std::vector<Cut>& cuts_;
  bool has_meeting(const SetVector<BasicBlock*>& between) const;

  BlockSet barriers_;         // end at barriers
  BlockSet warp_operations_;  // end at these
  BasicBlock* exit_ = nullptr;
  std::vector<Leaving> open_;
  SmallVector<BasicBlock*> gone_;
  EarlyReturns made_;
};

/// Takes the way out of the kernel: `from` goes on with its other one.
void EarlyReturnTaker::detach(BasicBlock& from, unsigned way) {
  auto* branch = dyn_cast<BranchInst>(from.getTerminator());
  if (!branch) return;
  BasicBlock *out = branch->getSuccessor(way), *stay = branch->getSuccessor(1 - way);
  auto work = work_behind(*out, *exit_);
  if (!can_copy(work)) return;
  BasicBlock* gone = BasicBlock::Create(kernel_.getContext(), "gone", &kernel_);
  new UnreachableInst(kernel_.getContext(), gone);  // for now
  BasicBlock* last_work = copy_work(work, from, *exit_, *gone);
  open_.push_back({&from, branch->getCondition(), way == 0, stay, last_work, gone});
  gone_.push_back(gone);
  out->removePredecessor(&from, /*KeepOneInputPHIs=*/true);
  auto* goes_on = BranchInst::Create(stay, branch);
  goes_on->setDebugLoc(branch->getDebugLoc());
  branch->eraseFromParent();
}

bool EarlyReturnTaker::has_meeting(const SetVector<BasicBlock*>& between) const {
  return any_of(between, [&](BasicBlock* one) {
    return barriers_.contains(one) || warp_operations_.contains(one);
  });
}

/// The next place that all threads come through, but for those that leave.
Meeting EarlyReturnTaker::find_meeting(const Leaving& leaving,
                                       const PostDominatorTree& post_dominators) const {
  Meeting meeting;
  SetVector<BasicBlock*> around;
  for (BasicBlock* at = leaving.from;;) {
    BasicBlock* outer = nullptr;
    for (BasicBlock& block : kernel_) {
      if (block.getTerminator()->getNumSuccessors() < 2 || !post_dominators.getNode(&block))
        continue;
      auto between = blocks_between(block, post_dominators);
      if (!between.contains(at) || has_meeting(between)) continue;
      outer = &block;
      around = std::move(between);
      around.insert(&block);
      break;
    }
    if (!outer) break;
    const auto* node = post_dominators.getNode(outer)->getIDom();
    at = meeting.before = node ? node->getBlock() : nullptr;
    if (!at) {
      meeting.is_known = false;
      return meeting;
    }
  }
  if (!meeting.before) return meeting;
  for (BasicBlock* from : predecessors(meeting.before))
    if (around.contains(from) && !is_contained(meeting.from, from)) meeting.from.push_back(from);
  return meeting;
}

/// Those that leave and those that stay come to one block, and note which they are.
void EarlyReturnTaker::depart(ArrayRef<const Leaving*> together, const Meeting& meeting) {
  LLVMContext& context = kernel_.getContext();
  const Leaving& one = *together.front();
  BasicBlock* here;
  if (meeting.before) {
    here = SplitBlockPredecessors(meeting.before, meeting.from, ".depart");
  } else {
    here = BasicBlock::Create(context, "depart", &kernel_, one.stay);
    BranchInst::Create(one.stay, here);
    one.from->getTerminator()->replaceSuccessorWith(one.stay, here);
    one.stay->replacePhiUsesWith(one.from, here);
  }
  PHINode* stays = PHINode::Create(Type::getInt1Ty(context), 2, "stays", here->begin());
  for (BasicBlock* from : predecessors(here))
    stays->addIncoming(ConstantInt::getTrue(context), from);
  for (const Leaving* leaving : together) {
    leaving->gone->getTerminator()->eraseFromParent();
    BranchInst::Create(here, leaving->gone);
    for (PHINode& phi : here->phis())
      phi.addIncoming(&phi == stays ? static_cast<Value*>(ConstantInt::getFalse(context))
                                    : PoisonValue::get(phi.getType()),
                      leaving->gone);
    Instruction* goes_on = leaving->from->getTerminator();
    BasicBlock *out = leaving->last_work, *stay = goes_on->getSuccessor(0);
    if (!leaving->leaves_if) std::swap(out, stay);
    auto* branch = BranchInst::Create(out, stay, leaving->condition, goes_on);
    branch->setDebugLoc(goes_on->getDebugLoc());
    goes_on->eraseFromParent();
  }
  Value* condition = stays;
  IRBuilder<> builder(here, here->getFirstInsertionPt());
  if (!meeting.before) {  // of one branch: what it asks
    condition = one.leaves_if ? builder.CreateNot(one.condition, "stays") : one.condition;
    stays->eraseFromParent();
  }
  builder.SetInsertPoint(here->getTerminator());
  builder.CreateStore(builder.CreateZExt(condition, builder.getInt8Ty()), made_.there);
  CallInst* nobody = call_nobody_there(builder);
  BasicBlock* continuation = SplitBlock(here, here->getTerminator());
  Instruction* goes_on = continuation->getTerminator();
  BranchInst::Create(exit_, goes_on->getSuccessor(0), nobody, goes_on);
  goes_on->eraseFromParent();
  made_.departures.push_back({continuation, condition});
  cuts_.push_back(
      {here, continuation, abi::SyncKind::barrier, source_line(*one.from->getTerminator())});
}

/// Those that are gone do not have what those that stay have found.
void EarlyReturnTaker::mend_values() {
  DominatorTree dominators(kernel_);
  for (BasicBlock& block : kernel_)
    for (Instruction& value : block) {
      SmallVector<Use*> beyond;
      for (Use& use : value.uses()) {
        auto* user = cast<Instruction>(use.getUser());
        if (dominators.isReachableFromEntry(user->getParent()) &&
            !dominators.dominates(&value, use))
          beyond.push_back(&use);
      }
      if (beyond.empty()) continue;
      SSAUpdater updater;
      updater.Initialize(value.getType(), value.getName());
      updater.AddAvailableValue(&block, &value);
      for (BasicBlock* gone : gone_)
        updater.AddAvailableValue(gone, PoisonValue::get(value.getType()));
      for (Use* use : beyond) updater.RewriteUse(*use);
    }
}

/// Ways out on which threads part, before a barrier threads of a block, before a warp operation
/// lanes of a warp; and those that part of the threads come to, all of which then go.
bool EarlyReturnTaker::take_some() {
  const auto before_barriers = reaching(barriers_), before_operations = reaching(warp_operations_);
  {
    DominatorTree dominators(kernel_);
    PostDominatorTree post_dominators(kernel_);
    LoopInfo loops(dominators);
    UniformValues in_block(kernel_, loops, post_dominators, Together::block);
    UniformValues in_warp(kernel_, loops, post_dominators, Together::warp);
    SmallVector<std::pair<BasicBlock*, unsigned>> ways;
    auto collect = [&](const BlockSet& before, const UniformValues& uniform, bool is_uniform) {
      for (BasicBlock* block : before) {
        Instruction* end = block->getTerminator();
        if (end->getNumSuccessors() != 2 || !dominators.isReachableFromEntry(block) ||
            uniform.is_uniform(end->getOperand(0)) != is_uniform ||
            (is_uniform && !uniform.is_divergent(*block)))
          continue;
        for (unsigned way = 0; way < 2; ++way)
          if (!before.contains(end->getSuccessor(way))) ways.push_back({block, way});
      }
    };
    BlockSet before_last_operations;  // that no barrier follows
    for (BasicBlock* block : before_operations)
      if (!before_barriers.contains(block)) before_last_operations.insert(block);
    // Behind a way out on which threads part everything is divergent.
    for (bool is_uniform : {false, true}) {
      if (!ways.empty()) break;
      collect(before_barriers, in_block, is_uniform);
      collect(before_last_operations, in_warp, is_uniform);
    }
    llvm::sort(ways, [&](const auto& a, const auto& b) {  // for the same code in each run
      return std::distance(kernel_.begin(), a.first->getIterator()) <
             std::distance(kernel_.begin(), b.first->getIterator());
    });
    open_.clear();
    for (auto [block, way] : ways) detach(*block, way);
  }
  if (open_.empty()) return false;
  PostDominatorTree post_dominators(kernel_);
  std::vector<std::pair<Meeting, SmallVector<const Leaving*>>> meetings;
  for (const Leaving& leaving : open_) {
    Meeting meeting = find_meeting(leaving, post_dominators);
    if (!meeting.is_known) {
      made_.obstacle = Reason{source_line(*leaving.from->getTerminator()), "a loop without end"};
      return false;
    }
    auto same = find_if(meetings, [&](const auto& one) {
      return meeting.before && one.first.before == meeting.before;
    });
    if (same == meetings.end())
      meetings.push_back({meeting, {&leaving}});
    else
      same->second.push_back(&leaving);
  }
  for (const auto& [meeting, together] : meetings) depart(together, meeting);
  EliminateUnreachableBlocks(kernel_);
  mend_values();
  return true;
}

EarlyReturns EarlyReturnTaker::take() {
  BasicBlock& entry = kernel_.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  made_.there = builder.CreateAlloca(builder.getInt8Ty(), nullptr, "there");
  made_.there->setAlignment(Align(1));  // a byte a thread, which some targets would not prefer
  constexpr unsigned most_rounds = 8;
  for (unsigned round = 0; round < most_rounds && take_some(); ++round) {
  }
  if (made_.departures.empty()) {
    made_.there->eraseFromParent();
    made_.there = nullptr;
  }
  return std::move(made_);
}

}  // namespace

EarlyReturns take_out_early_returns(Function& kernel, std::vector<Cut>& cuts) {
  if (cuts.empty()) return {};
  return EarlyReturnTaker(kernel, cuts).take();
}

}  // namespace gridspan::transforms
