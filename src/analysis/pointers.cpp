// What pointers point into.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

namespace gridspan::analysis {

using namespace llvm;

namespace {

constexpr std::size_t max_targets = 8;

std::vector<Target> nowhere(const Symbols& symbols, Base::Kind kind, const Value* value) {
  return {{{kind, 0, 0, value}, {symbols.constant(0), {}}}};
}

}  // namespace

std::vector<Target> Evaluator::targets(const Value* pointer) {
  if (auto* known = find(&Layer::targets, pointer)) return *known;
  std::vector<Target> result = evaluate_targets(pointer);
  if (result.size() > max_targets) result = nowhere(symbols_, Base::Kind::unknown, pointer);
  layers_.back().targets.insert_or_assign(pointer, result);
  return result;
}

std::vector<Target> Evaluator::evaluate_targets(const Value* pointer) {
  auto at = [&](Base::Kind kind, const Value* value, unsigned argument = 0) {
    return std::vector<Target>{{{kind, argument, 0, value}, {symbols_.constant(0), {}}}};
  };
  if (auto* argument = dyn_cast<Argument>(pointer)) {
    bool by_value = argument->hasByValAttr();
    return at(by_value ? Base::Kind::by_value : Base::Kind::argument, argument,
              argument->getArgNo());
  }
  if (auto* variable = dyn_cast<GlobalVariable>(pointer)) return at(Base::Kind::variable, variable);
  if (auto* slot = dyn_cast<AllocaInst>(pointer)) return at(Base::Kind::local, slot);
  if (auto* gep = dyn_cast<GEPOperator>(pointer)) return add_offset(*gep);
  if (auto* operation = dyn_cast<Operator>(pointer);
      operation && (operation->getOpcode() == Instruction::AddrSpaceCast ||
                    operation->getOpcode() == Instruction::BitCast ||
                    operation->getOpcode() == Instruction::Freeze))
    return targets(operation->getOperand(0));
  if (const Value* part = part_of_struct(pointer)) return targets(part);
  if (auto* load = dyn_cast<LoadInst>(pointer)) return loaded_pointer(*load);
  if (auto* phi = dyn_cast<PHINode>(pointer)) return merge_targets(*phi);
  if (auto* select = dyn_cast<SelectInst>(pointer)) {
    Condition when = condition(select->getCondition());
    std::vector<Target> all;
    for (bool is_true : {true, false})
      for (Target target : targets(is_true ? select->getTrueValue() : select->getFalseValue())) {
        target.offset.value =
            target.offset.value.intersect_domain(is_true ? when.holds : when.holds.complement());
        target.offset.uses = together(target.offset.uses, when.uses);
        all.push_back(target);
      }
    return all;
  }
  if (auto* call = dyn_cast<CallInst>(pointer)) {
    // Intrinsics and functions that hand their argument back.
    if (const Value* same = call->getReturnedArgOperand()) return targets(same);
  }
  return nowhere(symbols_, Base::Kind::unknown, pointer);
}

std::vector<Target> Evaluator::add_offset(const GEPOperator& gep) {
  const DataLayout& layout = function_.getParent()->getDataLayout();
  Number offset{symbols_.constant(0), {}};
  for (auto type = gep_type_begin(gep); type != gep_type_end(gep); ++type) {
    const Value* index = type.getOperand();
    if (StructType* structure = type.getStructTypeOrNull()) {
      auto field = static_cast<unsigned>(cast<ConstantInt>(index)->getZExtValue());
      offset.value = offset.value.add_constant(
          static_cast<long>(layout.getStructLayout(structure)->getElementOffset(field)));
      continue;
    }
    auto size = static_cast<long>(type.getSequentialElementStride(layout).getFixedValue());
    if (!isa<IntegerType>(index->getType())) return nowhere(symbols_, Base::Kind::unknown, &gep);
    Number steps = number(index);
    offset.value = offset.value.add(steps.value.scale(isl::val(symbols_.context(), size)));
    offset.uses = together(offset.uses, steps.uses);
  }
  std::vector<Target> result = targets(gep.getPointerOperand());
  for (Target& target : result) {
    target.offset.value = symbols_.recombined(target.offset.value.add(offset.value));
    target.offset.uses = together(target.offset.uses, offset.uses);
  }
  return result;
}

/// A pointer field of a struct argument is an array of its own; other loaded pointers are unknown.
std::vector<Target> Evaluator::loaded_pointer(const LoadInst& load) {
  std::vector<Target> from = targets(load.getPointerOperand());
  if (from.size() == 1 && from[0].base.kind == Base::Kind::by_value) {
    auto* argument = cast<Argument>(from[0].base.value);
    std::vector<Piece> offset = pieces(from[0].offset.value);
    if (offset.size() == 1 && offset[0].value.is_cst() && is_read_only(*argument)) {
      Base base{Base::Kind::argument, argument->getArgNo(),
                static_cast<unsigned>(offset[0].value.constant_val().num_si()), argument};
      return {{base, {symbols_.constant(0), {}}}};
    }
  }
  return nowhere(symbols_, Base::Kind::loaded, &load);
}

std::vector<Target> Evaluator::merge_targets(const PHINode& phi) {
  const BasicBlock* block = phi.getParent();
  if (const Loop* loop = loop_of(block); loop && loop->getHeader() == block)
    return pointer_recurrence(phi);
  const BasicBlock* start = before_merge(block);
  std::vector<Target> all;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const Loop* inner = loop_of(phi.getIncomingBlock(i));
    Condition when = phi.getNumIncomingValues() == 1
                         ? Condition{symbols_.universe(), {}}
                         : through(phi.getIncomingBlock(i), block, start);
    for (Target target : targets(phi.getIncomingValue(i))) {
      if (inner && !inner->contains(block) && symbols_.varies_in(target.offset.value, inner))
        target.offset = data(phi, "the last value of a loop");
      target.offset.value = target.offset.value.intersect_domain(when.holds);
      target.offset.uses = together(target.offset.uses, when.uses);
      all.push_back(target);
    }
  }
  return all;
}

/// Does nothing in the kernel write the bytes of this struct argument?
bool Evaluator::is_read_only(const Argument& argument) {
  auto [entry, is_new] = read_only_.try_emplace(&argument, false);
  if (!is_new) return entry->second;
  SmallVector<const Value*, 16> work{&argument};
  SmallPtrSet<const Value*, 16> seen;
  bool result = true;
  while (!work.empty() && result) {
    const Value* value = work.pop_back_val();
    if (!seen.insert(value).second) continue;
    for (const User* user : value->users()) {
      if (isa<LoadInst>(user) || isa<ICmpInst>(user)) continue;
      if (auto* intrinsic = dyn_cast<IntrinsicInst>(user)) {
        if (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic()) continue;
        if (auto* copy = dyn_cast<MemTransferInst>(intrinsic); copy && copy->getRawDest() != value)
          continue;
        result = false;
      } else if (isa<GEPOperator>(user) || isa<AddrSpaceCastOperator>(user) || isa<PHINode>(user) ||
                 isa<SelectInst>(user) || isa<FreezeInst>(user)) {
        work.push_back(user);
      } else {
        result = false;
      }
    }
  }
  return read_only_[&argument] = result;
}

/// The extents of the grid and of blocks.
static bool is_of_launch(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    case Intrinsic::nvvm_read_ptx_sreg_warpsize:
      return true;
    default:
      return false;
  }
}

/// Is it made of nothing but constants, arguments and what is the same for the whole launch? Quick.
static bool comes_from_launch(const Value* value) {
  std::set<const Value*> seen;
  std::vector<const Value*> work{value};
  while (!work.empty()) {
    auto* instruction = dyn_cast<Instruction>(work.back());
    work.pop_back();
    if (!instruction || !seen.insert(instruction).second) continue;
    if (auto* load = dyn_cast<LoadInst>(instruction)) {
      auto* from = dyn_cast<Argument>(getUnderlyingObject(load->getPointerOperand()));
      if (!from || !from->hasByValAttr()) return false;
      continue;
    }
    if (auto* call = dyn_cast<CallInst>(instruction)) {
      if (!call->doesNotAccessMemory()) return false;
      if (call->arg_empty() && !is_of_launch(call->getIntrinsicID())) return false;
    } else if (instruction->mayReadOrWriteMemory()) {
      return false;
    }
    for (const Value* operand : instruction->operands()) work.push_back(operand);
  }
  return true;
}

bool Evaluator::is_launch_invariant(const Value* value) {
  if (isa<Constant>(value)) return !isa<UndefValue>(value);
  if (auto* argument = dyn_cast<Argument>(value)) return !argument->hasByValAttr();
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !comes_from_launch(value)) return false;
  if (auto* load = dyn_cast<LoadInst>(instruction)) {
    std::vector<Target> from = targets(load->getPointerOperand());
    return from.size() == 1 && from[0].base.kind == Base::Kind::by_value &&
           is_read_only(*cast<Argument>(from[0].base.value)) &&
           model::involved_parameters(from[0].offset.value).empty();
  }
  if (value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() <= 64) {
    Number result = number(value);
    for (const std::string& name : model::involved_parameters(result.value))
      if (!symbols_.is_parameter(name)) return false;
    return true;
  }
  if (isa<CastInst>(instruction) || isa<BinaryOperator>(instruction)) {
    for (const Value* operand : instruction->operands())
      if (!is_launch_invariant(operand)) return false;
    return true;
  }
  return false;
}

}  // namespace gridspan::analysis
