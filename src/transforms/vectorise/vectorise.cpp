// The loop over whole vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/vectorise.h"

#include "transforms/far_rounds.h"
#include "transforms/math_calls.h"
#include "transforms/vectorise/assumptions.h"
#include "transforms/vectorise/joint_guards.h"
#include "transforms/vectorise/masks.h"
#include "transforms/vectorise/own_arrays.h"
#include "transforms/vectorise/rounds.h"
#include "transforms/vectorise/rows.h"
#include "transforms/vectorise/short_rows.h"
#include "transforms/vectorise/wide.h"
#include "transforms/vectorise/widener.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// All rows are so many whole vectors.
bool are_rows_whole(const ThreadBody& body, unsigned lanes) {
  auto* count = dyn_cast<ConstantInt>(body.count);
  return count && count->getZExtValue() % lanes == 0;
}

/// As many lanes as elements of the arithmetic's usual size fit into a vector. Where each round of
/// a loop reads from another page, as fit into a line of the cache: it will be gone when the next
/// vector comes along. Doubles that come from floats and become floats take two vectors if that
/// leaves no row a rest: all but arithmetic is for whole vectors then.
unsigned lanes_for(const ThreadBody& body, const LoopInfo& loops, unsigned vector_bits) {
  bool has_double = any_of(body.order, [](BasicBlock* block) {
    return any_of(*block, [](Instruction& instruction) {
      return instruction.getType()->isDoubleTy() && !isa<LoadInst, PHINode>(instruction);
    });
  });
  constexpr unsigned cache_line = 512;
  bool is_far = false, keeps_double = false;
  bool calls_math = false;  // whose functions are for the target's vectors
  for (BasicBlock* block : body.order)
    for (Instruction& instruction : *block) {
      auto* load = dyn_cast<LoadInst>(&instruction);
      auto* call = dyn_cast<CallInst>(&instruction);
      auto* store = dyn_cast<StoreInst>(&instruction);
      const bool is_kept = load || isa<PHINode>(instruction);
      keeps_double |= is_kept && instruction.getType()->isDoubleTy();
      keeps_double |= store && store->getValueOperand()->getType()->isDoubleTy();
      is_far |= load && far_step(*load, loops, body.loop);
      calls_math |= call && is_math_call(*call);
    }
  const bool is_mixed = !keeps_double && !calls_math && are_rows_whole(body, vector_bits / 32);
  return (is_far && !calls_math ? std::max(cache_line, vector_bits) : vector_bits) /
         (has_double && !is_mixed ? 64 : 32);
}

/// So many threads are worth a vector under masks. Where masked stores are slow (widen_memory.cpp),
/// short code runs faster thread by thread: the last steps of a tree in shared memory.
unsigned smallest_part(const ThreadBody& body, unsigned lanes) {
  constexpr unsigned fast_lanes = 16, masked_store = 30;  // as many instructions
  const unsigned half = std::max(3u, lanes / 2);
  if (lanes >= fast_lanes || !body.loop->getSubLoops().empty()) return half;
  unsigned size = 0, stores = 0;
  for (BasicBlock* block : body.order)
    for (Instruction& instruction : *block) {
      const bool is_free = isa<PHINode, CastInst, GetElementPtrInst, DbgInfoIntrinsic>(instruction);
      if (!is_free && !instruction.isTerminator()) ++size;
      if (isa<StoreInst>(instruction)) ++stores;
    }
  return std::max(half, std::min(lanes, divideCeil(masked_store * stores, std::max(1u, size)) + 2));
}

/// The empty loop over vectors, in front of the loop over threads.
class VectorLoopFrame {
 public:
  /// `least`: threads that are worth a vector under masks.
  VectorLoopFrame(const ThreadBody& body, unsigned lanes, unsigned least)
      : body_(body), lanes_(lanes) {
    header_ = block("vectors");
    part_ = block("part");
    latch_ = block("next_vector");
    done_ = block("vectors.done");
    by_threads_ = block("by_threads");
    IRBuilder<> builder(body.preheader->getTerminator());
    Type* type = body.index->getType();
    auto number = [&](std::int64_t value) { return ConstantInt::getSigned(type, value); };
    whole_ = builder.CreateAnd(body.count, number(-std::int64_t(lanes)), "in_vectors");
    Value* rest = builder.CreateSub(body.count, whole_);
    Value* end = builder.CreateSelect(builder.CreateICmpULT(rest, number(least)), whole_,
                                      builder.CreateAdd(whole_, number(lanes)), "end");
    builder.CreateCondBr(builder.CreateICmpNE(end, number(0)), header_, body.header);
    body.preheader->getTerminator()->eraseFromParent();

    builder.SetInsertPoint(header_);
    index_ = builder.CreatePHI(type, 2, "v");
    builder.SetInsertPoint(latch_);
    Value* next = builder.CreateAdd(index_, number(lanes), "", true, true);
    index_->addIncoming(number(0), body.preheader);
    index_->addIncoming(next, latch_);
    builder.CreateCondBr(builder.CreateICmpULT(next, end), header_, done_);
    builder.SetInsertPoint(done_);
    builder.CreateCondBr(builder.CreateICmpUGE(end, body.count), body.exit, body.header);
    body.index->addIncoming(end, done_);
    builder.SetInsertPoint(by_threads_);
    builder.CreateBr(body.header);
    body.index->addIncoming(index_, by_threads_);
  }

  VectorLoop with(BasicBlock* where_broken) const {
    return {lanes_, index_, latch_, where_broken, &body_.function->getEntryBlock()};
  }
  /// Where the threads of a vector, and what follows in its row, run one by one.
  BasicBlock* by_threads() const { return by_threads_; }
  void begin_at(BasicBlock* whole, BasicBlock* part) {
    IRBuilder<> builder(part_);
    builder.CreateBr(part);
    builder.SetInsertPoint(header_);
    builder.CreateCondBr(builder.CreateICmpULT(index_, whole_), whole, part_,
                         likely(part_->getContext()));
  }
  NarrowVectors narrow() const { return {header_, index_, lanes_}; }
  RowVectors rows(BasicBlock* general, const Vectors& vectors) const {
    return {body_.preheader,   header_,     part_,       latch_, done_,
            general,           index_,      body_.count, whole_, lanes_,
            vectors.registers, vectors.rows};
  }

 private:
  BasicBlock* block(const char* name) {
    return BasicBlock::Create(body_.function->getContext(), name, body_.function, body_.header);
  }

  const ThreadBody& body_;
  unsigned lanes_;
  BasicBlock *header_, *part_, *latch_, *done_, *by_threads_;
  PHINode* index_;
  Value* whole_;
};

/// The general version of the code, and faster ones in front of it.
class Versions {
 public:
  Versions(const ThreadBody& body, const LoopInfo& loops, const DominatorTree& dominators,
           const PostDominatorTree& post_dominators)
      : body_(body), loops_(loops), dominators_(dominators), post_dominators_(post_dominators) {
    add(Version::general);
  }

  const Shapes& general() const { return all_.front()->shapes; }
  const Shapes& fastest() const { return all_.back()->shapes; }

  /// What fails at an array's edges should not fall back to masks throughout.
  void add_fast() {
    for (Version version : {Version::fast, Version::fastest}) {
      add(version);
      const Assumptions& assumed = all_.back()->assumed;
      bool is_idle =
          version == Version::fastest && assumed.chosen.empty() && assumed.agreed.empty();
      if (is_idle || find_obstacle(body_, fastest())) all_.pop_back();
    }
  }

  /// Returns where the fastest hands over to.
  BasicBlock* write(VectorLoopFrame& frame) {
    BasicBlock *slower = nullptr, *begin = frame.by_threads(), *general = nullptr;
    for (const auto& version : all_) {
      slower = begin;
      Widener code(body_, loops_, version->shapes, frame.with(slower));
      begin = code.write();
      if (!general) general = begin;
      append_range(variables_, code.variables());
    }
    frame.begin_at(begin, general);
    body_.guard->setCondition(ConstantInt::getTrue(body_.function->getContext()));
    return slower;
  }

  void promote_variables(DominatorTree& dominators) {
    erase_if(variables_, [](AllocaInst* variable) { return !isAllocaPromotable(variable); });
    PromoteMemToReg(variables_, dominators);
  }

 private:
  struct Code {
    Assumptions assumed;
    Shapes shapes;
    Code(const ThreadBody& body, const LoopInfo& loops, const PostDominatorTree& post_dominators,
         Assumptions taken_for_granted)
        : assumed(std::move(taken_for_granted)), shapes(body, loops, post_dominators, assumed) {}
  };

  void add(Version version) {
    all_.push_back(std::make_unique<Code>(
        body_, loops_, post_dominators_,
        find_assumptions(body_, loops_, dominators_, post_dominators_, version)));
  }

  const ThreadBody& body_;
  const LoopInfo& loops_;
  const DominatorTree& dominators_;
  const PostDominatorTree& post_dominators_;
  std::vector<std::unique_ptr<Code>> all_;
  std::vector<AllocaInst*> variables_;
};

/// What is left for the loop over threads is less than a vector.
void mark_as_rest(Loop& loop) {
  LLVMContext& context = loop.getHeader()->getContext();
  auto flag = [&](const char* name) { return MDNode::get(context, MDString::get(context, name)); };
  Metadata* off = ConstantAsMetadata::get(ConstantInt::getFalse(context));
  MDNode* no_vectors =
      MDNode::get(context, {MDString::get(context, "llvm.loop.vectorize.enable"), off});
  MDNode* id =
      MDNode::getDistinct(context, {nullptr, no_vectors, flag("llvm.loop.unroll.disable")});
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
}

}  // namespace

static bool is_used_inside(const AllocaInst& memory, const Loop& loop) {
  return all_of(memory.users(),
                [&](const User* user) { return loop.contains(cast<Instruction>(user)); });
}

static std::optional<ScalarReason> write_vectors(Function& region, const Vectors& vectors,
                                                 std::vector<OwnArray> own_arrays) {
  DominatorTree dominators(region);
  LoopInfo loops(dominators);
  auto found = find_thread_body(region, dominators, loops);
  if (auto* reason = std::get_if<ScalarReason>(&found)) return *reason;
  ThreadBody& body = std::get<ThreadBody>(found);
  erase_if(own_arrays, [&](OwnArray& one) { return !is_used_inside(*one.memory, *body.loop); });
  body.own_arrays = std::move(own_arrays);
  PostDominatorTree post_dominators(region);
  {
    Assumptions assumed = find_assumptions(body, loops, dominators, post_dominators, Version::fast);
    Shapes fast(body, loops, post_dominators, assumed);
    if (split_rounds(body, loops, dominators, fast)) post_dominators.recalculate(region);
  }
  std::optional<Versions> versions(std::in_place, body, loops, dominators, post_dominators);
  if (auto obstacle = find_obstacle(body, versions->general())) return obstacle;
  versions->add_fast();
  if (auto single = find_single_work(body, loops, versions->fastest(), vectors)) return single;

  const unsigned lanes = lanes_for(body, loops, vectors.bits);
  if (!body.own_arrays.empty()) {
    spread_over_lanes(body.own_arrays, lanes);
    versions.emplace(body, loops, dominators, post_dominators);
    versions->add_fast();
  }
  VectorLoopFrame frame(body, lanes, smallest_part(body, lanes));
  BasicBlock* slower = versions->write(frame);
  mark_as_rest(*body.loop);
  dominators.recalculate(region);
  versions->promote_variables(dominators);
  if (!body.own_arrays.empty()) return std::nullopt;  // there is room for one vector's only
  if (vectors.rows.most != 1 && jam_rows(frame.rows(slower, vectors))) return std::nullopt;
  if (!vectors.wide) return std::nullopt;
  std::vector<AllocaInst*> variables;
  for (const WideVectors& wide :
       find_wide_vectors(body, loops, versions->fastest(), vectors, lanes))
    append_range(variables,
                 write_wide_vectors(body, loops, versions->fastest(), frame.narrow(), wide));
  if (may_be_short(body))
    for (unsigned few = lanes / 2; few > 1; few /= 2)
      append_range(variables,
                   write_short_vector(body, loops, versions->fastest(), frame.narrow(), few));
  dominators.recalculate(region);
  erase_if(variables, [](AllocaInst* variable) { return !isAllocaPromotable(variable); });
  PromoteMemToReg(variables, dominators);
  return std::nullopt;
}

std::optional<ScalarReason> vectorise(Function& region, const Vectors& vectors) {
  join_guards(region);
  auto reason = write_vectors(region, vectors, simplify_own_arrays(region));
  drop_rounds(region);
  return reason;
}

}  // namespace gridspan::transforms
