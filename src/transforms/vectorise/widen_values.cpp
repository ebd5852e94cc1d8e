// One instruction of one thread becomes one of all lanes, or one for all lanes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/half_conversions.h"
#include "transforms/math_calls.h"
#include "transforms/reciprocal_roots.h"
#include "transforms/vectorise/masks.h"
#include "transforms/vectorise/rounds.h"
#include "transforms/vectorise/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

Type* Widener::widened(Type* type) const {
  if (type->isVoidTy()) return type;
  auto* structure = dyn_cast<StructType>(type);
  if (!structure) return FixedVectorType::get(type, loop_.lanes);
  SmallVector<Type*> members;
  for (Type* member : structure->elements()) members.push_back(widened(member));
  return StructType::get(context_, members);
}

void Widener::define(Instruction& original, Value* value) {
  if (original.getType()->isVoidTy()) return;
  written_[&original] = value;
  if (AllocaInst* variable = kept_.lookup(&original)) builder_.CreateStore(value, variable);
}

Value* Widener::current(Value* value) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !body_.loop->contains(instruction)) return value;
  if (value == body_.index) return loop_.index;
  if (instruction->getParent() != writing_)
    if (AllocaInst* variable = kept_.lookup(value))
      return builder_.CreateLoad(variable->getAllocatedType(), variable, value->getName());
  return written_.lookup(value);
}

Value* Widener::scalar(Value* value) { return current(value); }

Value* Widener::spread(Value* first, std::int64_t stride) {
  Type* type = first->getType();
  bool is_pointer = type->isPointerTy();
  Type* step_type = is_pointer ? builder_.getInt64Ty() : type;
  SmallVector<Constant*> steps;
  for (unsigned lane = 0; lane < loop_.lanes; ++lane)
    steps.push_back(ConstantInt::getSigned(step_type, stride * static_cast<std::int64_t>(lane)));
  Value* offsets = ConstantVector::get(steps);
  if (is_pointer) return builder_.CreateGEP(builder_.getInt8Ty(), first, offsets);
  return builder_.CreateAdd(builder_.CreateVectorSplat(loop_.lanes, first), offsets);
}

Value* Widener::vector(Value* value) {
  Shape shape = shapes_.of(value);
  if (shape.is_varying()) return current(value);
  if (shape.kind == Shape::strided) return spread(current(value), shape.stride);
  return builder_.CreateVectorSplat(loop_.lanes, current(value));
}

void Widener::write_instruction(Instruction& instruction) {
  if (isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(instruction)) return;
  if (is_prefetch(instruction)) return write_prefetch(cast<CallInst>(instruction));
  if (auto* store = dyn_cast<StoreInst>(&instruction); store && store->isSimple())
    return write_store(*store);
  builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
  const Assumptions& assumed = shapes_.assumed();
  if (is_rounds_test(&instruction))
    return define(instruction, builder_.getInt1(!is_linear() && is_fast()));
  if (is_all_lanes_test(&instruction))
    return define(instruction,
                  is_linear() ? builder_.getFalse() : all_find(instruction.getOperand(0), true));
  bool is_wide = shapes_.of(&instruction).is_varying();
  if (auto* comparison = dyn_cast<ICmpInst>(&instruction); assumed.agreed.contains(comparison)) {
    auto test = compare_lanes(shapes_, *comparison);
    require(test ? all_agree(*test) : builder_.getFalse(), instruction);
  }
  if (auto chosen = assumed.chosen.find(&instruction); !is_wide && chosen != assumed.chosen.end())
    define(instruction, write_chosen(instruction, chosen->second));
  else
    define(instruction, is_wide ? write_vector(instruction) : write_scalar(instruction));
  check_exact(instruction);
}

/// Uniform: once for all. Strided: for the first lane, modulo 2^n.
Value* Widener::write_scalar(Instruction& instruction) {
  auto* cast = dyn_cast<CastInst>(&instruction);
  bool is_strided = shapes_.of(&instruction).kind == Shape::strided;
  if (cast && is_strided && cast->getOpcode() != Instruction::Trunc) return write_extension(*cast);
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction); address && is_strided)
    if (Value* made = write_split_address(*address)) return made;
  SmallVector<Value*> operands;
  for (Value* operand : instruction.operands()) operands.push_back(scalar(operand));
  // The first lane may be one that never comes here, or whose number nobody uses: bits that are
  // disjoint in the others' numbers need not be in its number, and it may wrap alone.
  if (is_strided && instruction.getOpcode() == Instruction::Or)
    return builder_.CreateAdd(operands[0], operands[1], instruction.getName());
  Instruction* copy = instruction.clone();
  for (auto [i, operand] : enumerate(operands)) copy->setOperand(i, operand);
  if (is_strided) copy->dropPoisonGeneratingFlags();
  return builder_.Insert(copy, instruction.getName());
}

/// What all lanes choose, once it is known that they do.
Value* Widener::write_chosen(Instruction& instruction, unsigned operand) {
  if (auto* select = dyn_cast<SelectInst>(&instruction)) {
    require(all_find(select->getCondition(), operand == 1), instruction);
  } else {
    auto test = choice_test(shapes_, cast<IntrinsicInst>(instruction), operand);
    require(test ? all_compare(*test) : builder_.getFalse(), instruction);
  }
  if (is_saturating(instruction))
    return builder_.CreateSub(scalar(instruction.getOperand(0)), scalar(instruction.getOperand(1)),
                              instruction.getName());
  return scalar(instruction.getOperand(operand));
}

Value* Widener::write_vector(Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction); load && load->isSimple())
    return write_load(*load);
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction)) return write_address(*address);
  if (auto* call = dyn_cast<CallInst>(&instruction)) return write_call(*call);
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return write_update(*update);
  auto operand = [&](unsigned i) { return vector(instruction.getOperand(i)); };
  Value* made = nullptr;
  if (auto* binary = dyn_cast<BinaryOperator>(&instruction))
    made = binary->isIntDivRem()
               ? write_division(*binary)
               : builder_.CreateBinOp(binary->getOpcode(), operand(0), operand(1));
  else if (isa<UnaryOperator>(instruction))
    made = builder_.CreateUnOp(Instruction::FNeg, operand(0));
  else if (auto* comparison = dyn_cast<CmpInst>(&instruction))
    made = builder_.CreateCmp(comparison->getPredicate(), operand(0), operand(1));
  else if (auto* cast = dyn_cast<CastInst>(&instruction))
    made = builder_.CreateCast(cast->getOpcode(), operand(0), widened(cast->getType()));
  else if (isa<FreezeInst>(instruction))
    made = builder_.CreateFreeze(operand(0));
  else if (auto* select = dyn_cast<SelectInst>(&instruction)) {
    Value* condition = select->getCondition();
    made =
        builder_.CreateSelect(shapes_.of(condition).is_uniform() ? scalar(condition) : operand(0),
                              operand(1), operand(2));
  } else if (auto* part = dyn_cast<ExtractValueInst>(&instruction))
    made = builder_.CreateExtractValue(current(part->getAggregateOperand()), part->getIndices());
  else
    return write_each_lane(instruction);
  if (auto* result = dyn_cast<Instruction>(made); result && !isa<ExtractValueInst>(result)) {
    if (result->getOpcode() == instruction.getOpcode()) result->copyIRFlags(&instruction);
    result->setName(instruction.getName());
  }
  return made;
}

/// 32-bit quotients are exact as doubles, rounded towards zero: the nearest number below the next
/// integer is further from it than the division is wrong. CPUs divide vectors of these only.
static Value* divide_as_doubles(IRBuilder<>& builder, const BinaryOperator& division, Value* left,
                                Value* right) {
  const auto opcode = division.getOpcode();
  const SimplifyQuery query(division.getDataLayout());
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem ||
                         (isKnownNonNegative(division.getOperand(0), query) &&
                          isKnownNonNegative(division.getOperand(1), query));
  Type* type = left->getType();
  Type* doubles = VectorType::get(builder.getDoubleTy(), cast<VectorType>(type));
  auto as_doubles = [&](Value* value) {
    return is_signed ? builder.CreateSIToFP(value, doubles) : builder.CreateUIToFP(value, doubles);
  };
  Value* quotient = builder.CreateFDiv(as_doubles(left), as_doubles(right));
  quotient =
      is_signed ? builder.CreateFPToSI(quotient, type) : builder.CreateFPToUI(quotient, type);
  if (opcode == Instruction::SDiv || opcode == Instruction::UDiv) return quotient;
  return builder.CreateSub(left, builder.CreateMul(quotient, right));
}

/// Nobody's division by it traps: neither 0 nor, where a quotient might overflow, -1.
static bool is_harmless(const Value& divisor) {
  const APInt* number;
  return match(&divisor, m_APInt(number)) && !number->isZero() && !number->isAllOnes();
}

/// Lanes that are not here must not trap.
Value* Widener::write_division(BinaryOperator& division) {
  Value *number = vector(division.getOperand(0)), *divisor = vector(division.getOperand(1));
  if (is_linear() && !is_harmless(*division.getOperand(1)))
    divisor = builder_.CreateSelect(mask_, divisor, ConstantInt::get(divisor->getType(), 1));
  const bool may_estimate =  // -use_fast_math
      body_.function->getFnAttribute("unsafe-fp-math").getValueAsBool();
  if (division.getType()->isIntegerTy(32) && !isa<Constant>(division.getOperand(1)) &&
      !may_estimate)
    return divide_as_doubles(builder_, division, number, divisor);
  return builder_.CreateBinOp(division.getOpcode(), number, divisor);
}

Value* Widener::write_call(CallInst& call) {
  if (is_math_call(call)) {
    SmallVector<Value*> arguments;
    for (Value* argument : call.args()) arguments.push_back(vector(argument));
    return call_math_of_vectors(builder_, call, arguments);
  }
  if (is_reciprocal_root(call))
    return reciprocal_root_of_vector(builder_, call, vector(call.getArgOperand(0)));
  if (is_half_conversion(call))
    return half_conversion_of_vector(builder_, call, vector(call.getArgOperand(0)));
  Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::not_intrinsic || !isTriviallyVectorizable(id)) return write_each_lane(call);
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (isVectorIntrinsicWithScalarOpAtArg(id, i) &&
        !shapes_.of(call.getArgOperand(i)).is_uniform())
      return write_each_lane(call);
  SmallVector<Value*> arguments;
  SmallVector<Type*> types;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) types.push_back(widened(call.getType()));
  for (auto [i, argument] : enumerate(call.args())) {
    bool stays = isVectorIntrinsicWithScalarOpAtArg(id, i);
    arguments.push_back(stays ? scalar(argument) : vector(argument));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, i)) types.push_back(arguments.back()->getType());
  }
  Function* callee = Intrinsic::getDeclaration(call.getModule(), id, types);
  CallInst* made = builder_.CreateCall(callee, arguments, call.getName());
  if (isa<FPMathOperator>(made)) made->copyFastMathFlags(&call);
  return made;
}

/// for each lane that is here, in order: the instruction itself
Value* Widener::write_each_lane(Instruction& instruction) {
  Type* type = instruction.getType();
  SmallVector<Value*> operands;
  for (Value* operand : instruction.operands()) {
    bool stays = isa<Function>(operand) || isa<MetadataAsValue>(operand) ||
                 isa<Constant>(operand) || shapes_.of(operand).is_uniform();
    bool is_late = !stays && is_for_turn(operand, instruction);
    operands.push_back(is_late ? nullptr : stays ? scalar(operand) : vector(operand));
  }
  BasicBlock* before = builder_.GetInsertBlock();
  auto block = [&](const char* name) {
    return BasicBlock::Create(context_, name, body_.function, body_.header);
  };
  BasicBlock *round = block("lane"), *done = block("lanes.done");
  Value* all = countable_bits(builder_, mask_or_all(), loop_.lanes);
  builder_.CreateBr(round);
  builder_.SetInsertPoint(round);
  PHINode* left = builder_.CreatePHI(all->getType(), 2, "lanes.left");
  Value* lane = first_of(builder_, left);
  for (auto [i, operand] : enumerate(operands))
    if (!operand) operand = of_lane(instruction.getOperand(i), lane, instruction);
  Instruction* copy = instruction.clone();
  for (auto [i, operand] : enumerate(operands)) {
    bool is_wide = operand->getType() != instruction.getOperand(i)->getType();
    copy->setOperand(i, is_wide ? builder_.CreateExtractElement(operand, lane) : operand);
  }
  // The clone stands in line with what extracts its operands.
  builder_.Insert(copy);
  PHINode* results = nullptr;
  Value* result = nullptr;
  if (!type->isVoidTy()) {
    builder_.SetInsertPoint(round, round->getFirstNonPHIIt());
    results = builder_.CreatePHI(widened(type), 2, instruction.getName());
    builder_.SetInsertPoint(round);
    result = insert_lane(results, copy, lane);
    results->addIncoming(PoisonValue::get(results->getType()), before);
    results->addIncoming(result, round);
  }
  Value* rest =
      builder_.CreateAnd(left, builder_.CreateSub(left, ConstantInt::get(left->getType(), 1)));
  left->addIncoming(all, before);
  left->addIncoming(rest, round);
  builder_.CreateCondBr(builder_.CreateIsNotNull(rest), round, done);
  builder_.SetInsertPoint(done);
  return result;
}

Value* Widener::insert_lane(Value* all, Value* one, Value* lane) {
  auto* structure = dyn_cast<StructType>(one->getType());
  if (!structure) return builder_.CreateInsertElement(all, one, lane);
  for (unsigned i = 0; i < structure->getNumElements(); ++i) {
    Value* member = builder_.CreateInsertElement(builder_.CreateExtractValue(all, i),
                                                 builder_.CreateExtractValue(one, i), lane);
    all = builder_.CreateInsertValue(all, member, i);
  }
  return all;
}

}  // namespace gridspan::transforms
