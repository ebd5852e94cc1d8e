// Copies launch values from block functions and stores them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/launch_prologue.h"

#include "abi/module.h"
#include "transforms/context.h"
#include "transforms/thread_functions.h"

#include "llvm/ADT/STLExtras.h"

namespace gridspan::transforms {

using namespace llvm;

static Function* declare(Function& block) {
  Type* pointer = PointerType::get(block.getContext(), 0);
  auto* type = FunctionType::get(Type::getVoidTy(block.getContext()), {pointer, pointer}, false);
  Function* prologue = Function::Create(type, GlobalValue::InternalLinkage,
                                        block.getName() + ".prologue", block.getParent());
  copy_code_attributes(block, *prologue);
  prologue->getArg(0)->setName("launch");
  prologue->getArg(1)->setName("values");
  return prologue;
}

PrologueWriter::PrologueWriter(LaunchValues& values)
    : values_(values),
      function_(declare(*values.functions().front())),
      builder_(BasicBlock::Create(function_->getContext(), "entry", function_)),
      last_(builder_.GetInsertBlock()) {}

/// Copies of the block's code for several vectors ask for the same.
Value* PrologueWriter::inserted(Instruction* made) {
  for (Instruction* before : copies_.made)
    if (before->isIdenticalTo(made)) {
      made->deleteValue();
      return before;
    }
  builder_.Insert(made);
  copies_.made.push_back(made);
  return made;
}

/// Perhaps nobody would have divided.
Instruction* PrologueWriter::copy_of_division(const Instruction& division, Value* dividend,
                                              Value* divisor) {
  auto* type = cast<IntegerType>(division.getType());
  auto equals = [&](Value* value, Constant* number) {
    return inserted(new ICmpInst(ICmpInst::ICMP_EQ, value, number));
  };
  Value* is_bad = equals(divisor, ConstantInt::get(type, 0));
  if (is_contained({Instruction::SDiv, Instruction::SRem}, division.getOpcode())) {
    Value* is_least =
        equals(dividend, ConstantInt::get(type, APInt::getSignedMinValue(type->getBitWidth())));
    Value* is_minus_one = equals(divisor, Constant::getAllOnesValue(type));
    Value* overflows = inserted(BinaryOperator::CreateAnd(is_least, is_minus_one));
    is_bad = inserted(BinaryOperator::CreateOr(is_bad, overflows));
  }
  Value* one = ConstantInt::get(type, 1);
  Instruction* copy = division.clone();
  copy->setOperand(0, dividend);
  copy->setOperand(1, inserted(SelectInst::Create(is_bad, one, divisor)));
  return copy;
}

Value* PrologueWriter::copy_of(const Value* value) {
  value = values_.origin(value);
  if (isa<Constant>(value)) return const_cast<Value*>(value);
  if (values_.is_launch(value)) return function_->getArg(0);
  if (Value* known = copies_.of.lookup(value)) return known;
  auto& instruction = *cast<Instruction>(value);
  SmallVector<Value*> operands;
  for (const Value* operand : instruction.operands()) operands.push_back(copy_of(operand));
  Instruction* copy = nullptr;
  if (is_division(instruction) && !isa<Constant>(operands[1])) {
    for (Value*& operand : operands)
      if (!isa<Constant>(operand)) operand = inserted(new FreezeInst(operand));
    copy = copy_of_division(instruction, operands[0], operands[1]);
  } else {
    copy = instruction.clone();
    for (auto [i, operand] : enumerate(operands)) copy->setOperand(i, operand);
  }
  copy->setDebugLoc({});
  copy->dropUBImplyingAttrsAndMetadata();
  return copies_.of[value] = inserted(copy);
}

std::optional<std::uint32_t> PrologueWriter::add(const Instruction& value) {
  Value* copy = copy_of(&value);
  if (auto known = copies_.places.find(copy); known != copies_.places.end()) return known->second;
  const unsigned size = value.getType()->getScalarSizeInBits() / 8;
  const auto place = static_cast<std::uint32_t>(alignTo(bytes_, size));
  if (place + size > abi::max_launch_value_bytes) return std::nullopt;
  bytes_ = place + size;
  ++count_;
  builder_.CreateStore(copy, field_address(builder_, function_->getArg(1), place));
  copies_.places[copy] = place;
  return place;
}

Value* PrologueWriter::conjunction(ArrayRef<std::pair<const Value*, bool>> conditions) {
  Value* all = builder_.getTrue();
  for (auto [condition, is_true] : conditions) {
    Value* one = inserted(new FreezeInst(copy_of(condition)));
    if (!is_true) one = inserted(BinaryOperator::CreateNot(one));
    all = inserted(BinaryOperator::CreateAnd(all, one));
  }
  return all;
}

void PrologueWriter::begin_condition(ArrayRef<std::pair<const Value*, bool>> conditions) {
  Value* all = conjunction(conditions);
  inside_ = &sections_[all];
  outside_ = std::move(copies_);
  if (!inside_->block) {
    inside_->copies = outside_;
    inside_->block = BasicBlock::Create(function_->getContext(), "wanted", function_);
    last_ = BasicBlock::Create(function_->getContext(), "behind", function_);
    builder_.CreateCondBr(all, inside_->block, last_);
    BranchInst::Create(last_, inside_->block);
  }
  copies_ = std::move(inside_->copies);
  builder_.SetInsertPoint(inside_->block->getTerminator());
}

/// What was computed inside is nobody else's.
void PrologueWriter::end_condition() {
  inside_->copies = std::move(copies_);
  copies_ = std::move(outside_);
  builder_.SetInsertPoint(last_);
}

Function* PrologueWriter::finish() {
  builder_.CreateRetVoid();
  return function_;
}

}  // namespace gridspan::transforms
