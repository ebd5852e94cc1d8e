// What instructions compute, and which lanes come to a block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/lane_numbers.h"

#include "transforms/warp_steps/shared_arrays.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// Of operands of operands.
constexpr unsigned deepest = 400;

const LaneNumber unknown{0, {}, {}};

bool is_power_of_two(std::int64_t number) { return number > 0 && (number & (number - 1)) == 0; }

unsigned bits_of(const Value& value) {
  return value.getType()->isIntegerTy() ? value.getType()->getIntegerBitWidth() : 64;
}

}  // namespace

LaneNumbers::LaneNumbers(Function& kernel, const LoopInfo& loops,
                         const std::array<std::uint32_t, 3>& shape, std::uint32_t first_thread)
    : loops_(loops),
      layout_(kernel.getParent()->getDataLayout()),
      shape_(shape),
      first_thread_(first_thread) {
  const std::uint32_t threads = shape[0] * shape[1] * shape[2] - first_thread;
  const std::uint32_t all = threads >= lane_count ? ~0u : (1u << threads) - 1;
  ReversePostOrderTraversal<Function*> blocks(&kernel);
  for (BasicBlock* block : blocks) {
    std::uint32_t lanes = block == &kernel.getEntryBlock() ? all : 0;
    const Loop* loop = loops.getLoopFor(block);
    for (BasicBlock* from : predecessors(block)) {
      const bool is_back = loop && loop->getHeader() == block && loop->contains(from);
      if (!is_back) lanes |= lanes_on_edge(from, block);
    }
    lanes_[block] = lanes;
  }
}

std::uint32_t LaneNumbers::lanes_on_edge(const BasicBlock* from, const BasicBlock* to) {
  const auto seen = lanes_.find(from);
  std::uint32_t lanes = seen == lanes_.end() ? ~0u : seen->second;
  const Instruction* end = from->getTerminator();
  auto* branch = dyn_cast<BranchInst>(end);
  auto* choice = dyn_cast<SwitchInst>(end);
  if (branch && (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)))
    return lanes;
  if (!branch && !choice) return lanes;
  const LaneNumber& condition = of(branch ? branch->getCondition() : choice->getCondition());
  for (unsigned i = 0; i < lane_count; ++i) {
    if ((condition.known >> i & 1) == 0) continue;
    if (any_of(condition.terms, [&](const auto& term) { return term.factor[i] != 0; })) continue;
    const BasicBlock* next = nullptr;
    if (branch) {
      next = branch->getSuccessor(condition.number[i] != 0 ? 0 : 1);
    } else {
      next = choice->getDefaultDest();
      for (const auto& one : choice->cases())
        if (one.getCaseValue()->getSExtValue() == condition.number[i])
          next = one.getCaseSuccessor();
    }
    if (next != to) lanes &= ~(1u << i);
  }
  return lanes;
}

const LaneNumber& LaneNumbers::of(const Value* value) {
  if (auto found = known_.find(value); found != known_.end()) return *found->second;
  if (depth_ >= deepest) return unknown;
  ++depth_;
  auto number = std::make_unique<LaneNumber>(compute(value));
  --depth_;
  auto [at, is_new] = known_.try_emplace(value, nullptr);
  if (is_new) order_.push_back(value);
  at->second = std::move(number);
  return *at->second;
}

void LaneNumbers::forget_since(std::size_t mark) {
  while (order_.size() > mark) {
    known_.erase(order_.back());
    order_.pop_back();
  }
}

std::optional<std::int64_t> LaneNumbers::step_of(const Value* phi) const {
  auto found = steps_.find(phi);
  return found == steps_.end() ? std::nullopt : std::optional(found->second);
}

LaneNumber LaneNumbers::compute(const Value* value) {
  if (auto* number = dyn_cast<ConstantInt>(value)) {
    if (number->getBitWidth() > 64) return unknown;
    return constant(number->getBitWidth() == 1 ? number->isOne() : number->getSExtValue());
  }
  if (isa<ConstantPointerNull>(value)) return constant(0);
  if (auto* expression = dyn_cast<ConstantExpr>(value)) {
    if (expression->isCast()) return of(expression->getOperand(0));
    APInt offset(layout_.getIndexTypeSizeInBits(value->getType()), 0);
    if (auto* address = dyn_cast<GEPOperator>(expression);
        address && address->accumulateConstantOffset(layout_, offset))
      return sum(of(address->getPointerOperand()), 1, constant(offset.getSExtValue()), 1);
    return symbol(value);
  }
  if (isa<UndefValue>(value)) return unknown;
  if (auto* array = dyn_cast<GlobalVariable>(value)) return symbol(&named_array(*array));
  if (isa<Constant, Argument>(value)) return symbol(value);
  if (auto* instruction = dyn_cast<Instruction>(value)) return compute(*instruction);
  return unknown;
}

LaneNumber LaneNumbers::compute(const Instruction& instruction) {
  if (instruction.getType()->isVectorTy()) return unknown;
  if (auto* binary = dyn_cast<BinaryOperator>(&instruction);
      binary && binary->getType()->isIntegerTy() && bits_of(*binary) <= 64)
    return compute_binary(*binary);
  if (auto* comparison = dyn_cast<ICmpInst>(&instruction)) return compute_comparison(*comparison);
  if (auto* cast = dyn_cast<CastInst>(&instruction)) return compute_cast(*cast);
  if (auto* call = dyn_cast<CallInst>(&instruction)) return compute_call(*call);
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction)) return compute_address(*address);
  if (auto* choice = dyn_cast<SelectInst>(&instruction)) return compute_choice(*choice);
  if (auto* phi = dyn_cast<PHINode>(&instruction)) return compute_phi(*phi);
  if (isa<FreezeInst>(instruction)) return of(instruction.getOperand(0));
  if (isa<AllocaInst>(instruction)) return symbol(&instruction);
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() ? if_uniform(*load) : unknown;
  if (instruction.mayReadOrWriteMemory()) return unknown;
  return if_uniform(instruction);
}

/// A symbol, if lanes find it from the same.
LaneNumber LaneNumbers::if_uniform(const Instruction& instruction) {
  for (const Value* operand : instruction.operand_values())
    if (!isa<BasicBlock, Function>(operand) && !of(operand).is_uniform()) return unknown;
  return symbol(&instruction);
}

LaneNumber LaneNumbers::compute_binary(const BinaryOperator& instruction) {
  const LaneNumber x = of(instruction.getOperand(0)), y = of(instruction.getOperand(1));
  const unsigned bits = bits_of(instruction), opcode = instruction.getOpcode();
  if (x.terms.empty() && y.terms.empty()) {
    LaneNumber result{x.known & y.known, {}, {}};
    for (unsigned i = 0; i < lane_count; ++i) {
      const auto number = folded(opcode, x.number[i], y.number[i], bits);
      if (!number) result.known &= ~(1u << i);
      result.number[i] = wrapped(number.value_or(0), bits);
    }
    return result;
  }
  const bool is_constant = y.is_plain() && is_same_everywhere(y.number);
  const std::int64_t operand = y.number[0];
  switch (opcode) {
    case Instruction::Add:
      return sum(x, 1, y, 1);
    case Instruction::Sub:
      return sum(x, 1, y, -1);
    case Instruction::Or:
      if (cast<PossiblyDisjointInst>(instruction).isDisjoint()) return sum(x, 1, y, 1);
      break;
    case Instruction::Mul:
      if (y.terms.empty()) return product(x, y);
      if (x.terms.empty()) return product(y, x);
      break;
    case Instruction::Shl:
      if (is_constant && operand >= 0 && operand < 32)
        return product(x, constant(std::int64_t{1} << operand));
      break;
    case Instruction::And:
      if (is_constant && is_power_of_two(operand + 1) && are_symbols_multiples(x, operand + 1)) {
        LaneNumber result{x.known, {}, {}};
        for (unsigned i = 0; i < lane_count; ++i) result.number[i] = x.number[i] & operand;
        return result;
      }
      break;
    case Instruction::URem:
    case Instruction::SRem:
      if (is_constant && is_power_of_two(operand) && are_symbols_multiples(x, operand)) {
        LaneNumber result{x.known, {}, {}};
        for (unsigned i = 0; i < lane_count; ++i) result.number[i] = x.number[i] & (operand - 1);
        return result;
      }
      break;
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::UDiv:
    case Instruction::SDiv: {
      const bool is_shift = opcode == Instruction::LShr || opcode == Instruction::AShr;
      if (!is_constant || operand < 0 || (is_shift ? operand >= 32 : !is_power_of_two(operand)))
        break;
      const std::int64_t unit = is_shift ? std::int64_t{1} << operand : operand;
      if (!are_symbols_multiples(x, unit)) break;
      LaneNumber result = x;
      for (unsigned i = 0; i < lane_count; ++i) {
        result.number[i] = (x.number[i] - (x.number[i] & (unit - 1))) / unit;
        for (auto& term : result.terms) term.factor[i] /= unit;
      }
      return result;
    }
    default:
      break;
  }
  return if_uniform(instruction);
}

LaneNumber LaneNumbers::compute_comparison(const ICmpInst& comparison) {
  const LaneNumber x = of(comparison.getOperand(0)), y = of(comparison.getOperand(1));
  if (x.is_uniform() && y.is_uniform() && !has_same_symbols(x, y, 0)) return symbol(&comparison);
  LaneNumber result{x.known & y.known, {}, {}};
  const unsigned bits = bits_of(*comparison.getOperand(0));
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_same_symbols(x, y, i)) result.known &= ~(1u << i);
    result.number[i] = holds(comparison.getPredicate(), x.number[i], y.number[i], bits);
  }
  return result;
}

LaneNumber LaneNumbers::compute_cast(const CastInst& cast) {
  LaneNumber result = of(cast.getOperand(0));
  switch (cast.getOpcode()) {
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc: {
      if (!result.terms.empty()) return result;
      const unsigned from = bits_of(*cast.getOperand(0)), to = bits_of(cast);
      if (from > 64 || to > 64) return unknown;
      for (std::int64_t& number : result.number) {
        if (cast.getOpcode() == Instruction::ZExt)
          number = static_cast<std::int64_t>(without_sign(number, from));
        else if (from == 1)
          number = -number;
        number = wrapped(number, to);
      }
      return result;
    }
    case Instruction::AddrSpaceCast:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
      return result;
    default:
      return if_uniform(cast);
  }
}

LaneNumber LaneNumbers::register_number(std::uint32_t which) const {
  LaneNumber result = constant(0);
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t thread = first_thread_ + i;
    const std::uint32_t place[] = {thread % shape_[0], thread / shape_[0] % shape_[1],
                                   thread / shape_[0] / shape_[1], i};
    result.number[i] = place[which];
  }
  return result;
}

LaneNumber LaneNumbers::compute_call(const CallInst& call) {
  auto* known = dyn_cast<IntrinsicInst>(&call);
  if (!known) return unknown;
  auto extreme = [&](auto pick) {
    const LaneNumber &x = of(call.getArgOperand(0)), &y = of(call.getArgOperand(1));
    if (!x.terms.empty() || !y.terms.empty()) return if_uniform(call);
    LaneNumber result{x.known & y.known, {}, {}};
    for (unsigned i = 0; i < lane_count; ++i) result.number[i] = pick(x.number[i], y.number[i]);
    return result;
  };
  const unsigned bits = bits_of(call);
  auto is_below = [&](std::int64_t a, std::int64_t b) {
    return without_sign(a, bits) < without_sign(b, bits);
  };
  using Number = std::int64_t;
  switch (known->getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return register_number(0);
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
      return register_number(1);
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
      return register_number(2);
    case Intrinsic::nvvm_read_ptx_sreg_laneid:
      return register_number(3);
    case Intrinsic::nvvm_read_ptx_sreg_warpsize:
      return constant(lane_count);
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
      return constant(shape_[0]);
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
      return constant(shape_[1]);
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return constant(shape_[2]);
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
      return symbol(call.getCalledFunction());
    case Intrinsic::smin:
      return extreme([](Number a, Number b) { return std::min(a, b); });
    case Intrinsic::smax:
      return extreme([](Number a, Number b) { return std::max(a, b); });
    case Intrinsic::umin:
      return extreme([&](Number a, Number b) { return is_below(a, b) ? a : b; });
    case Intrinsic::umax:
      return extreme([&](Number a, Number b) { return is_below(a, b) ? b : a; });
    default:
      return call.doesNotAccessMemory() && !call.isConvergent() ? if_uniform(call) : unknown;
  }
}

LaneNumber LaneNumbers::compute_address(const GetElementPtrInst& address) {
  LaneNumber result = of(address.getPointerOperand());
  for (auto at = gep_type_begin(address), end = gep_type_end(address); at != end; ++at) {
    if (StructType* type = at.getStructTypeOrNull()) {
      const auto field = cast<ConstantInt>(at.getOperand())->getZExtValue();
      const auto offset = layout_.getStructLayout(type)->getElementOffset(field).getFixedValue();
      result = sum(result, 1, constant(static_cast<std::int64_t>(offset)), 1);
    } else {
      const auto size = at.getSequentialElementStride(layout_).getFixedValue();
      result = sum(result, 1, of(at.getOperand()), static_cast<std::int64_t>(size));
    }
  }
  return result;
}

LaneNumber LaneNumbers::compute_choice(const SelectInst& choice) {
  const LaneNumber condition = of(choice.getCondition());
  const LaneNumber x = of(choice.getTrueValue()), y = of(choice.getFalseValue());
  if (!condition.terms.empty() && condition.is_uniform() && x.is_uniform() && y.is_uniform())
    return symbol(&choice);
  LaneNumber result = unknown;
  for (unsigned i = 0; i < lane_count; ++i) {
    const bool is_decided = (condition.known >> i & 1) != 0 && condition.terms.empty();
    if (is_decided)
      take_lane(result, condition.number[i] != 0 ? x : y, i);
    else if (is_equal(x, y, i))
      take_lane(result, x, i);
  }
  return result;
}

LaneNumber LaneNumbers::compute_phi(const PHINode& phi) {
  const Loop* loop = loops_.getLoopFor(phi.getParent());
  if (loop && loop->getHeader() == phi.getParent()) return compute_loop_phi(phi, *loop);
  if (phi.getNumIncomingValues() == 1) return of(phi.getIncomingValue(0));
  LaneNumber result = unknown;
  std::uint32_t open = ~0u;  // lanes for which no way has been found
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    const std::uint32_t lanes = lanes_on_edge(phi.getIncomingBlock(k), phi.getParent());
    const LaneNumber value = of(phi.getIncomingValue(k));
    for (unsigned i = 0; i < lane_count; ++i) {
      if ((lanes >> i & 1) == 0) continue;
      if ((open >> i & 1) != 0) {
        open &= ~(1u << i);
        take_lane(result, value, i);
      } else if (!is_equal(result, value, i)) {
        result.known &= ~(1u << i);
      }
    }
  }
  result.known |= open;  // they never come here
  return result;
}

/// Lanes are in the same round. What grows by the same for all is where it began, and a symbol for
/// the rest; what all find from the same is a symbol.
LaneNumber LaneNumbers::compute_loop_phi(const PHINode& phi, const Loop& loop) {
  const BasicBlock *entry = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
  if (!entry || !latch) return unknown;
  const LaneNumber start = of(phi.getIncomingValueForBlock(entry));
  if (!start.is_known()) return unknown;
  const std::size_t mark = order_.size();
  auto assume = [&](LaneNumber number) {
    known_[&phi] = std::make_unique<LaneNumber>(std::move(number));
    order_.push_back(&phi);
  };
  assume(sum(start, 1, symbol(&phi), 1));
  const LaneNumber step =
      sum(of(phi.getIncomingValueForBlock(latch)), 1, LaneNumber(*known_[&phi]), -1);
  forget_since(mark);
  if (step.is_uniform()) {
    if (step.terms.empty()) steps_[&phi] = step.number[0];
    return sum(start, 1, symbol(&phi), 1);
  }
  if (!start.is_uniform()) return unknown;
  assume(symbol(&phi));
  const bool is_uniform = of(phi.getIncomingValueForBlock(latch)).is_uniform();
  forget_since(mark);
  return is_uniform ? symbol(&phi) : unknown;
}

}  // namespace gridspan::transforms
