// How threads find their place along an axis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/joined_blocks.h"

#include "transforms/context.h"
#include "transforms/grid_rounds.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// A few rows of this many numbers stay in the nearest cache.
constexpr std::uint32_t long_row = 1024;
/// Rounds of a grid's loop read what nobody reads again: the longer a row, the longer the
/// stretches.
constexpr std::uint32_t row_of_rounds = 16 * long_row;
/// Threads with loops of their own go through memory their own way: no row is better than another,
/// but it should fill some vectors.
constexpr std::uint32_t short_row = 32;
/// So many threads share what one of them loads: copying it first costs little. Whole groups of two
/// and of three vectors fit into rows of this length.
constexpr std::uint32_t many_rows = 384, row_of_many = 96;

/// A whole launch's positions fit into 31 bits (abi::joins_blocks), so numbers of these kinds can
/// be extended; sums with other numbers cannot, as they may wrap between two blocks.
enum class Place {
  thread,       // threadIdx
  thread_plus,  // ... and other numbers
  block,        // blockIdx
  block_begin,  // blockIdx * width
  block_plus,   // ... and other numbers
  position,     // blockIdx * width + threadIdx, and other numbers: what may be known
};

struct Axis {
  Intrinsic::ID thread, block, block_size;
};
constexpr Axis axis_x{Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                      Intrinsic::nvvm_read_ptx_sreg_ntid_x};
constexpr Axis axis_y{Intrinsic::nvvm_read_ptx_sreg_tid_y, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                      Intrinsic::nvvm_read_ptx_sreg_ntid_y};

bool asks_for(const Value* value, Intrinsic::ID which) {
  auto* call = dyn_cast<IntrinsicInst>(value);
  return call && call->getIntrinsicID() == which;
}

class PlacesFinder {
 public:
  PlacesFinder(Function& kernel, const Axis& axis) : kernel_(kernel), axis_(axis) {}

  /// Every use of threadIdx and blockIdx along the axis is part of a position.
  bool find() {
    for (Instruction& instruction : instructions(kernel_)) {
      if (!is_allowed(instruction)) return false;
      if (asks_for(&instruction, axis_.thread))
        places_[&instruction] = Place::thread;
      else if (asks_for(&instruction, axis_.block))
        places_[&instruction] = Place::block;
      else
        continue;
      open_.insert(&instruction);
    }
    for (unsigned i = 0; i < open_.size(); ++i)
      for (User* user : open_[i]->users())
        if (!add(*cast<Instruction>(user))) return false;
    // A sum is only known when both its operands are.
    return has_position_ && all_of(sums_, [&](BinaryOperator* sum) { return has_place(sum); });
  }

  std::uint32_t width() const { return width_.value_or(0); }

  /// The numbers of a joined block's threads are larger than LLVM thought.
  void relax() {
    for (auto [value, place] : places_) {
      if (auto* call = dyn_cast<CallInst>(value)) call->removeRetAttr(Attribute::Range);
      if (auto* trunc = dyn_cast<TruncInst>(value)) trunc->dropPoisonGeneratingFlags();
      auto* sum = dyn_cast<BinaryOperator>(value);
      if (!sum || place == Place::block_begin) continue;
      if (sum->getOpcode() == Instruction::Or) {
        auto* plain = BinaryOperator::CreateAdd(sum->getOperand(0), sum->getOperand(1), "", sum);
        plain->takeName(sum);
        plain->setDebugLoc(sum->getDebugLoc());
        sum->replaceAllUsesWith(plain);
        sum->eraseFromParent();
      } else {
        sum->setHasNoSignedWrap(false);
        sum->setHasNoUnsignedWrap(false);
      }
    }
  }

 private:
  static bool is_allowed(const Instruction& instruction) {
    for (Marker one : {Marker::shared, Marker::dynamic_shared, Marker::block, Marker::thread,
                       Marker::linear_thread})
      if (is_marker(&instruction, one)) return false;
    auto* call = dyn_cast<CallInst>(&instruction);
    if (!call) return true;
    const Function* callee = call->getCalledFunction();
    bool is_register = callee && callee->getName().starts_with("llvm.nvvm.read.ptx.sreg.");
    return !is_register || is_repeatable_context_call(instruction);
  }

  std::optional<Place> place_of(const Value* value) const {
    auto found = places_.find(const_cast<Value*>(value));
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }
  bool has_place(Value* value) const { return places_.contains(value); }

  bool set(Instruction& instruction, Place place) {
    if (place == Place::position) has_position_ = true;
    auto [entry, is_new] = places_.try_emplace(&instruction, place);
    if (is_new && place != Place::position) open_.insert(&instruction);
    return entry->second == place;
  }

  /// The user of a place.
  bool add(Instruction& user) {
    if (isa<CastInst>(user)) return add_cast(user);
    auto* sum = dyn_cast<BinaryOperator>(&user);
    if (!sum) return false;
    switch (sum->getOpcode()) {
      case Instruction::Mul:
      case Instruction::Shl:
        return add_begin(*sum);
      case Instruction::Or:
        return cast<PossiblyDisjointInst>(sum)->isDisjoint() && add_sum(*sum);
      case Instruction::Add:
        return add_sum(*sum);
      case Instruction::Sub:
        return !may_become_place(sum->getOperand(1)) && add_sum(*sum);
      default:
        return false;
    }
  }

  bool add_cast(Instruction& cast) {
    Place place = *place_of(cast.getOperand(0));
    bool is_plain = place != Place::thread_plus && place != Place::block_plus;
    bool is_extended = isa<ZExtInst, SExtInst>(cast) && is_plain;
    return (is_extended || isa<TruncInst>(cast)) && set(cast, place);
  }

  /// blockIdx.x * width
  bool add_begin(BinaryOperator& product) {
    Value *factor, *first = product.getOperand(0), *second = product.getOperand(1);
    if (place_of(first) == Place::block && !place_of(second))
      factor = second;
    else if (place_of(second) == Place::block && !place_of(first) &&
             product.getOpcode() == Instruction::Mul)
      factor = first;
    else
      return false;
    std::uint32_t width = 0;
    const APInt* number;
    if (match(factor, m_APInt(number))) {
      if (number->getActiveBits() > 11) return false;
      std::uint64_t constant = number->getZExtValue();
      if (product.getOpcode() == Instruction::Shl) {
        if (constant > 10) return false;
        constant = std::uint64_t{1} << constant;
      }
      width = static_cast<std::uint32_t>(constant);
      if (width == 0) return false;
    } else {
      Value* size = factor;
      match(factor, m_ZExtOrSExt(m_Value(size)));
      if (product.getOpcode() != Instruction::Mul || !asks_for(size, axis_.block_size))
        return false;
    }
    if (width_.value_or(width) != width) return false;
    width_ = width;
    return set(product, Place::block_begin);
  }

  bool add_sum(BinaryOperator& sum) {
    auto first = place_of(sum.getOperand(0)), second = place_of(sum.getOperand(1));
    auto is = [](std::optional<Place> place, Place plain, Place plus) {
      return place == plain || place == plus;
    };
    auto is_thread = [&](auto p) { return is(p, Place::thread, Place::thread_plus); };
    auto is_block = [&](auto p) { return is(p, Place::block_begin, Place::block_plus); };
    if ((is_thread(first) && is_block(second)) || (is_block(first) && is_thread(second)))
      return set(sum, Place::position);
    if (first && second) return false;
    Value* other = sum.getOperand(first ? 1 : 0);
    if (may_become_place(other)) {
      sums_.push_back(&sum);  // comes again, from the other operand
      return true;
    }
    Place place = *(first ? first : second);
    if (place == Place::block) return false;
    return set(sum, is_thread(place) ? Place::thread_plus : Place::block_plus);
  }

  /// `value` depends on threadIdx or blockIdx.
  bool may_become_place(Value* value) const {
    SetVector<Value*> from;
    from.insert(value);
    for (unsigned i = 0; i < from.size(); ++i) {
      if (place_of(from[i])) return true;
      auto* user = dyn_cast<Instruction>(from[i]);
      if (!user || isa<PHINode, LoadInst>(user)) continue;
      for (Value* operand : user->operands()) from.insert(operand);
    }
    return false;
  }

  Function& kernel_;
  const Axis& axis_;
  MapVector<Value*, Place> places_;
  SetVector<Instruction*> open_;
  SmallVector<BinaryOperator*> sums_;
  std::optional<std::uint32_t> width_;  // 0: blockDim
  bool has_position_ = false;
};

/// Some loop loads what is the same for all rows of threads.
bool rows_share_loads(Function& kernel, const LoopInfo& loops) {
  DenseSet<const Value*> dependent;
  SmallVector<const Value*> open;
  for (Instruction& instruction : instructions(kernel))
    if (asks_for(&instruction, axis_y.thread) || asks_for(&instruction, axis_y.block))
      open.push_back(&instruction);
  while (!open.empty()) {
    const Value* value = open.pop_back_val();
    if (!dependent.insert(value).second) continue;
    append_range(open, value->users());
  }
  return any_of(instructions(kernel), [&](Instruction& one) {
    auto* load = dyn_cast<LoadInst>(&one);
    const Loop* loop = load ? loops.getLoopFor(load->getParent()) : nullptr;
    return loop && !loop->isLoopInvariant(load->getPointerOperand()) &&
           !dependent.contains(load->getPointerOperand());
  });
}

}  // namespace

JoinedBlocks join_blocks(Function& kernel, const JoinSizes& wanted) {
  PlacesFinder columns(kernel, axis_x), rows(kernel, axis_y);
  if (!columns.find()) return {};
  columns.relax();
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  const std::uint32_t row = is_grid_round(kernel) ? row_of_rounds
                            : loops.empty()       ? long_row
                                                  : short_row;
  JoinedBlocks joined{wanted.width ? wanted.width : row, columns.width()};
  if (rows_share_loads(kernel, loops) && rows.find()) {
    rows.relax();
    if (wanted.width == 0) joined.threads = row_of_many;
    joined.rows = wanted.height ? wanted.height : many_rows;
    joined.height = rows.width();
  }
  return joined;
}

}  // namespace gridspan::transforms
