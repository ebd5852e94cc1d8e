// Looks through the blocks before the first side effect, again and again: what is assumed gives
// more values a shape about which something can be assumed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/assumptions.h"

#include "transforms/vectorise/joint_guards.h"
#include "transforms/vectorise/lane_comparison.h"
#include "transforms/vectorise/rounds.h"
#include "transforms/vectorise/widener.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// The way from `block` to `meeting` does nothing worth having a version for.
bool is_short_way(const BasicBlock* block, const BasicBlock* meeting) {
  for (unsigned steps = 0; block != meeting; ++steps) {
    if (steps > 2 || !block->getSingleSuccessor()) return false;
    for (const Instruction& instruction : *block)
      if (instruction.mayReadOrWriteMemory()) return false;
    block = block->getSingleSuccessor();
  }
  return true;
}

/// The successor most vectors take with all lanes, if `block` ends with a guard.
std::optional<unsigned> guarded_way(const BasicBlock& block,
                                    const PostDominatorTree& post_dominators) {
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional()) return std::nullopt;
  if (tests_joint_guards(*branch)) return 1;
  const BasicBlock* meeting = post_dominators.getNode(&block)->getIDom()->getBlock();
  bool short_0 = is_short_way(branch->getSuccessor(0), meeting);
  bool short_1 = is_short_way(branch->getSuccessor(1), meeting);
  if (short_0 == short_1) return std::nullopt;
  return short_0 ? 1 : 0;
}

/// An integer made from thread numbers and what all threads share, not from what a lane has loaded,
/// and not repeating within a vector as `i % 4` does.
bool is_from_thread_numbers(const Value* value, const Shapes& now, unsigned depth = 0) {
  constexpr unsigned most_steps = 8;
  if (!now.of(value).is_varying()) return true;
  auto* operation = dyn_cast<Instruction>(value);
  if (!operation || depth == most_steps || !operation->getType()->isIntegerTy()) return false;
  bool is_arithmetic =
      isa<BinaryOperator, CastInst, ICmpInst, SelectInst, MinMaxIntrinsic>(operation);
  constexpr unsigned few = 16;
  const APInt* small;
  bool repeats = match(operation, m_And(m_Value(), m_APInt(small))) ||
                 match(operation, m_URem(m_Value(), m_APInt(small))) ||
                 match(operation, m_SRem(m_Value(), m_APInt(small)));
  if (!is_arithmetic || (repeats && small->ult(few))) return false;
  unsigned count = operation->getNumOperands() - (isa<MinMaxIntrinsic>(operation) ? 1 : 0);
  return all_of(seq(0u, count), [&](unsigned i) {
    return is_from_thread_numbers(operation->getOperand(i), now, depth + 1);
  });
}

/// All lanes of most vectors find that `condition` is `wanted`: bounds of arrays are like this.
/// What is loaded (`if (way < distance[i])`) differs from lane to lane; only one lane is equal.
bool is_bound(const Value* condition, bool wanted, const Shapes& now) {
  if (now.of(condition).is_uniform()) return true;
  const Value *left, *right;
  if (match(condition, m_Not(m_Value(left)))) return is_bound(left, !wanted, now);
  if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right))) ||
      match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return is_bound(left, wanted, now) && is_bound(right, wanted, now);
  auto* comparison = dyn_cast<ICmpInst>(condition);
  if (!comparison) return false;
  auto rare = wanted ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE;
  return comparison->getPredicate() != rare &&
         is_from_thread_numbers(comparison->getOperand(0), now) &&
         is_from_thread_numbers(comparison->getOperand(1), now);
}

bool changes_something(const Instruction& instruction) {
  if (isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(instruction)) return false;
  if (is_prefetch(instruction)) return false;
  return instruction.mayHaveSideEffects() || instruction.isVolatile();
}

bool changes_something(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& one) { return changes_something(one); });
  });
}

/// Values from which the addresses of loads and stores are made.
SmallPtrSet<const Value*, 32> parts_of_addresses(const ThreadBody& body) {
  SmallPtrSet<const Value*, 32> found;
  SmallVector<const Value*> open;
  for (BasicBlock* block : body.order)
    for (Instruction& instruction : *block)
      if (const Value* address = getLoadStorePointerOperand(&instruction)) open.push_back(address);
  while (!open.empty()) {
    auto* instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction || !body.loop->contains(instruction)) continue;
    bool is_part =
        isa<GetElementPtrInst, CastInst, BinaryOperator, SelectInst, PHINode>(instruction) ||
        isa<MinMaxIntrinsic>(instruction) || is_saturating(*instruction);
    if (!is_part || !found.insert(instruction).second) continue;
    for (const Value* operand : instruction->operand_values())
      if (!operand->getType()->isIntegerTy(1)) open.push_back(operand);
  }
  return found;
}

class Finder {
 public:
  Finder(const ThreadBody& body, const LoopInfo& loops, const DominatorTree& dominators,
         const PostDominatorTree& post_dominators, Version version)
      : body_(body),
        loops_(loops),
        dominators_(dominators),
        post_dominators_(post_dominators),
        version_(version),
        parts_(parts_of_addresses(body)) {}

  Assumptions find();

 private:
  bool look(const Shapes& now);
  bool look_at(BasicBlock& block, const Shapes& now);
  void assume_taken(const BasicBlock& block, const Shapes& now);
  void note_early(const BasicBlock& block);
  void assume_entered(const BasicBlock& block, const Shapes& now);
  void assume_exact(const CastInst& cast, const Shapes& now);
  bool look_for_bounds(const Shapes& now);
  void assume_choice(const Instruction& instruction, const Shapes& now);
  void assume_choice(const SelectInst& select, const Shapes& now);
  bool add_roots(const Value* value, bool is_signed, const Shapes& now);
  bool is_proven(const Instruction& number, Exactness exactness, const Shapes& now) const;
  bool guards(const BranchInst& branch, unsigned way, const Instruction& number,
              Exactness exactness, const Shapes& now) const;

  const ThreadBody& body_;
  const LoopInfo& loops_;
  const DominatorTree& dominators_;
  const PostDominatorTree& post_dominators_;
  Version version_;
  SmallPtrSet<const Value*, 32> parts_;
  Assumptions found_;
  bool is_new_ = false;
  SmallPtrSet<const Value*, 16> early_;  // comparisons before anything changes and any loop
  const BasicBlock* only_in_ = nullptr;  // rounds whose checks must not stand elsewhere
};

Assumptions Finder::find() {
  constexpr unsigned most_rounds = 12;
  if (version_ != Version::general) found_.taken[body_.guard] = 0;
  for (unsigned round = 0;; ++round) {
    Shapes now(body_, loops_, post_dominators_, found_);
    if (round < most_rounds && (look(now) || look_for_bounds(now))) continue;
    for (auto [number, exactness] : found_.exact)
      if (is_proven(*number, exactness, now)) found_.proven.insert(number);
    return found_;
  }
}

/// True if more is assumed than before.
bool Finder::look(const Shapes& now) {
  is_new_ = false;
  bool changed = false;
  bool after_loop = false;  // starting over would cost too much
  bool round_changed = false, changed_before = false;
  for (BasicBlock* block : body_.order) {
    if (const BasicBlock* rounds = rounds_around(*block, loops_)) {
      // Each round checks its own, unless it is one that all lanes do together in other versions.
      after_loop = true;
      if (block == rounds) {
        round_changed = version_ == Version::general || now.is_linear(block);
        changed_before = changed;
      }
      if (round_changed) continue;
      only_in_ = changed_before ? rounds : nullptr;
      round_changed = !look_at(*block, now);
      if (!round_changed && now.is_divergent(*block)) assume_taken(*block, now);
      only_in_ = nullptr;
      changed |= round_changed;
      continue;
    }
    Loop* loop = loops_.getLoopFor(block);
    if (loop != body_.loop) {
      while (loop->getParentLoop() != body_.loop) loop = loop->getParentLoop();
      changed |= changes_something(*loop);
      after_loop = true;
    }
    if (now.is_divergent(*block)) assume_entered(*block, now);
    if (changed) continue;
    changed = !look_at(*block, now);
    if (!after_loop && !now.is_linear(block)) note_early(*block);
    if (!changed && version_ != Version::general && !after_loop && now.is_divergent(*block))
      assume_taken(*block, now);
  }
  return is_new_;
}

/// False if the block changes something.
bool Finder::look_at(BasicBlock& block, const Shapes& now) {
  for (Instruction& instruction : block) {
    if (changes_something(instruction)) return false;
    if (auto* cast = dyn_cast<CastInst>(&instruction)) assume_exact(*cast, now);
    if (version_ == Version::fastest) assume_choice(instruction, now);
  }
  return true;
}

void Finder::note_early(const BasicBlock& block) {
  for (const Instruction& instruction : block) {
    if (changes_something(instruction)) return;
    if (isa<ICmpInst>(instruction)) early_.insert(&instruction);
  }
}

/// Lanes that leave a loop one by one begin it together, as a rule: rows of what the threads of a
/// block share are seldom shorter than a vector. In a loop over rows it is too late to start over;
/// but whether they do may have been known in the beginning.
void Finder::assume_entered(const BasicBlock& block, const Shapes& now) {
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (version_ == Version::general || !branch || !branch->isConditional()) return;
  if (loops_.getLoopFor(&block) == body_.loop) return;
  auto* condition = dyn_cast<Instruction>(branch->getCondition());
  auto way = guarded_way(block, post_dominators_);
  if (!way || !early_.contains(condition) || now.is_linear(&block)) return;
  const BasicBlock* before = branch->getSuccessor(*way);
  const Loop* loop = loops_.getLoopFor(before->getSingleSuccessor());
  bool is_entry = loop && loop->getLoopPreheader() == before;
  if (!is_entry || !is_bound(condition, *way == 0, now)) return;
  if (found_.early.try_emplace(condition, *way == 0).first->second != (*way == 0)) return;
  is_new_ |= found_.taken.try_emplace(branch, *way).second;
}

void Finder::assume_taken(const BasicBlock& block, const Shapes& now) {
  auto way = guarded_way(block, post_dominators_);
  if (way && is_bound(cast<BranchInst>(block.getTerminator())->getCondition(), *way == 0, now))
    is_new_ |= found_.taken.try_emplace(cast<BranchInst>(block.getTerminator()), *way).second;
}

// --- numbers that do not wrap --------------------------------------------------------------------

void Finder::assume_exact(const CastInst& cast, const Shapes& now) {
  if (!isa<SExtInst, ZExtInst>(cast) || !now.of(&cast).is_varying()) return;
  if (now.of(cast.getOperand(0)).kind != Shape::strided) return;
  add_roots(cast.getOperand(0), isa<SExtInst>(cast) || cast.hasNonNeg(), now);
}

static bool is_too_high(const CastInst& cast, const UpperBound& bound, std::int64_t stride) {
  constexpr std::int64_t most_lanes = 64;
  auto* limit = dyn_cast<ConstantInt>(bound.limit);
  if (!limit) return false;
  APInt highest = highest_limit(cast, bound, static_cast<std::uint64_t>(stride * most_lanes));
  return bound.is_signed ? limit->getValue().sgt(highest) : limit->getValue().ugt(highest);
}

/// Wherever they are: the bound is tested before anything happens.
bool Finder::look_for_bounds(const Shapes& now) {
  is_new_ = false;
  for (BasicBlock* block : body_.order)
    for (Instruction& instruction : *block) {
      auto* cast = dyn_cast<CastInst>(&instruction);
      if (!cast || !isa<SExtInst, ZExtInst>(cast) || !now.of(cast).is_varying()) continue;
      Shape shape = now.of(cast->getOperand(0));
      const Type& type = *cast->getSrcTy();
      if (shape.kind != Shape::strided || shape.stride <= 0 || !type.isIntegerTy() ||
          type.getScalarSizeInBits() < 32 || !is_short_reach(shape, type))
        continue;
      auto bound = find_upper_bound(*cast, body_, dominators_);
      if (bound && !is_too_high(*cast, *bound, shape.stride))
        is_new_ |= found_.bounded.try_emplace(cast, *bound).second;
    }
  return is_new_;
}

/// Where exactness gets lost that everything behind keeps: one check there instead of many.
bool Finder::add_roots(const Value* value, bool is_signed, const Shapes& now) {
  Shape shape = now.of(value);
  if (shape.is_uniform() || (is_signed ? shape.exact_signed : shape.exact_unsigned)) return true;
  auto* number = dyn_cast<Instruction>(value);
  const Type& type = *value->getType();
  // Narrow numbers do wrap; what the general version hands over runs thread by thread.
  if (version_ == Version::general && type.getScalarSizeInBits() < 32) return false;
  if (!number || shape.kind != Shape::strided || !type.isIntegerTy() ||
      type.getIntegerBitWidth() > 64 || !is_short_reach(shape, type))
    return false;
  if (auto* operation = dyn_cast<BinaryOperator>(number)) {
    Exactness kept = keeps_exact(*operation, shape.stride);
    if ((is_signed ? kept.is_signed : kept.is_unsigned) &&
        add_roots(operation->getOperand(0), is_signed, now) &&
        add_roots(operation->getOperand(1), is_signed, now))
      return true;
  }
  if (only_in_ && rounds_around(*number->getParent(), loops_) != only_in_) return false;
  Exactness& assumed = found_.exact[number];
  bool& part = is_signed ? assumed.is_signed : assumed.is_unsigned;
  is_new_ |= !part;
  return part = true;
}

/// A guard that all lanes pass has looked at the lane that a wrap would carry furthest, and whoever
/// else uses the number comes after it.
bool Finder::is_proven(const Instruction& number, Exactness exactness, const Shapes& now) const {
  return any_of(found_.taken, [&](auto& taken) {
    return !now.is_linear(taken.first->getParent()) &&
           guards(*taken.first, taken.second, number, exactness, now);
  });
}

bool Finder::guards(const BranchInst& branch, unsigned way, const Instruction& number,
                    Exactness exactness, const Shapes& now) const {
  bool wanted = way == 0;
  SmallSetVector<const Value*, 8> conditions;  // all must be `wanted`
  conditions.insert(branch.getCondition());
  for (unsigned i = 0; i < conditions.size(); ++i) {
    const Value *left, *right;
    if (wanted ? match(conditions[i], m_LogicalAnd(m_Value(left), m_Value(right)))
               : match(conditions[i], m_LogicalOr(m_Value(left), m_Value(right)))) {
      conditions.insert(left);
      conditions.insert(right);
    }
  }
  bool holds = any_of(conditions, [&](const Value* condition) {
    auto* comparison = dyn_cast<ICmpInst>(condition);
    auto test = comparison ? compare_lanes(now, *comparison) : std::nullopt;
    if (!test || test->strided != &number) return false;
    if (!wanted) test->predicate = CmpInst::getInversePredicate(test->predicate);
    bool is_signed = CmpInst::isSigned(test->predicate);
    return implies_exact(now, *test) && exactness.is_signed <= is_signed &&
           exactness.is_unsigned <= !is_signed;
  });
  return holds && all_of(number.users(), [&](const User* user) {
           if (auto* comparison = dyn_cast<ICmpInst>(user); comparison && conditions.contains(user))
             return !found_.agreed.contains(comparison);
           return dominators_.properlyDominates(branch.getParent(),
                                                cast<Instruction>(user)->getParent());
         });
}

// --- choices -------------------------------------------------------------------------------------

void Finder::assume_choice(const Instruction& instruction, const Shapes& now) {
  if (!parts_.contains(&instruction) || !now.of(&instruction).is_varying()) return;
  if (auto* select = dyn_cast<SelectInst>(&instruction)) return assume_choice(*select, now);
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  for (unsigned operand = 0; call && operand < 2; ++operand)
    if (choice_test(now, *call, operand))
      is_new_ |= found_.chosen.try_emplace(call, operand).second;
}

/// Of a strided and a uniform value the strided one; of two alike the same in all lanes.
void Finder::assume_choice(const SelectInst& select, const Shapes& now) {
  Shape yes = now.of(select.getTrueValue()), no = now.of(select.getFalseValue());
  if (yes.is_varying() || no.is_varying()) return;
  const Value* condition = select.getCondition();
  if (yes.kind != no.kind) {
    bool wanted = yes.kind == Shape::strided;
    if (is_testable(now, condition, wanted))
      is_new_ |= found_.chosen.try_emplace(&select, wanted ? 1 : 2).second;
  } else if (yes.stride == no.stride) {
    auto* comparison = dyn_cast<ICmpInst>(condition);
    if (!comparison || !compare_lanes(now, *comparison)) return;
    if (comparison->isRelational()) {
      is_new_ |= found_.agreed.insert(comparison).second;
    } else {
      bool wanted = comparison->getPredicate() == CmpInst::ICMP_NE;
      is_new_ |= found_.chosen.try_emplace(&select, wanted ? 1 : 2).second;
    }
  }
}

}  // namespace

Assumptions find_assumptions(const ThreadBody& body, const LoopInfo& loops,
                             const DominatorTree& dominators,
                             const PostDominatorTree& post_dominators, Version version) {
  return Finder(body, loops, dominators, post_dominators, version).find();
}

}  // namespace gridspan::transforms
