// Operands and registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/lowering.h"

#include "llvm/ADT/STLExtras.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

AllocaInst* FunctionState::variable(Type* type, const Twine& name) {
  BasicBlock& entry = function.getEntryBlock();  // may be empty while a statement is being cut out
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  builder.SetCurrentDebugLocation(DebugLoc());
  return builder.CreateAlloca(type, nullptr, name);
}

AllocaInst* FunctionState::carry_flag() {
  if (!carry) {
    carry = variable(Type::getInt1Ty(function.getContext()), "ptx.carry");
    IRBuilder<> builder(carry->getParent(), std::next(carry->getIterator()));
    builder.SetCurrentDebugLocation(DebugLoc());
    builder.CreateStore(builder.getFalse(), carry);
  }
  return carry;
}

void Lowering::begin(const Instruction& instruction) {
  instruction_ = &instruction;
  modifiers_.clear();
  SmallVector<StringRef> words;
  StringRef(instruction.opcode).split(words, '.');
  name_ = words.front().str();
  for (StringRef word : drop_begin(words)) modifiers_.push_back(word.str());
}

bool Lowering::take(StringRef modifier) {
  auto found = find_if(modifiers_, [&](const std::string& word) { return modifier == word; });
  if (found == modifiers_.end()) return false;
  modifiers_.erase(found);
  return true;
}

std::optional<DataType> Lowering::take_type() {
  for (auto word = modifiers_.begin(); word != modifiers_.end(); ++word)
    if (auto type = data_type(*word)) {
      modifiers_.erase(word);
      return type;
    }
  return std::nullopt;
}

DataType Lowering::type() {
  if (auto type = take_type()) return *type;
  fail();
  return {};
}

std::optional<std::string> Lowering::take_any() {
  if (modifiers_.empty()) return std::nullopt;
  std::string word = modifiers_.front();
  modifiers_.erase(modifiers_.begin());
  return word;
}

const Operand& Lowering::operand(std::size_t index) {
  static const Operand none;
  if (index < instruction_->operands.size()) return instruction_->operands[index];
  fail("an operand is missing");
  return none;
}

Value* Lowering::fail(const std::string& reason) {
  if (!failed_) problem_ = reason;
  failed_ = true;
  return PoisonValue::get(builder.getInt32Ty());
}

void Lowering::close_scope() {
  if (scopes_.size() == 1)
    fail("'}' without '{'");
  else
    scopes_.pop_back();
}

void Lowering::declare(const std::string& name, Type* type) {
  scopes_.back()[name] =
      state_.variable(type, "ptx." + Twine(name[0] == '\x01' ? "operand" : name));
}

AllocaInst* Lowering::find(const std::string& name) const {
  for (const auto& scope : reverse(scopes_))
    if (auto found = scope.find(name); found != scope.end()) return found->second;
  return nullptr;
}

Value* Lowering::read(const Operand& operand) {
  if (operand.kind != Operand::Kind::name) return fail("an operand is not a register");
  if (AllocaInst* place = find(operand.name))
    return builder.CreateLoad(place->getAllocatedType(), place);
  if (Value* special = special_register(*this, operand.name)) return special;
  return fail("'" + operand.name + "' is no register of this statement");
}

Value* Lowering::raw(const Operand& operand) {
  if (operand.kind == Operand::Kind::integer) return builder.getInt64(operand.integer);
  return read(operand);
}

Value* Lowering::integer(const Operand& operand, unsigned bits, bool is_signed) {
  Type* type = builder.getIntNTy(bits);
  if (operand.negated) fail("'!' before a number");
  if (operand.kind == Operand::Kind::integer) return ConstantInt::get(type, operand.integer);
  if (operand.kind == Operand::Kind::real && (bits == 32 || bits == 64))
    return ConstantExpr::getBitCast(
        ConstantFP::get(bits == 64 ? builder.getDoubleTy() : builder.getFloatTy(), operand.real),
        type);
  Value* value = read(operand);
  if (value->getType()->isPointerTy()) value = builder.CreatePtrToInt(value, builder.getInt64Ty());
  if (value->getType()->isFloatingPointTy())
    value =
        builder.CreateBitCast(value, builder.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
  if (!value->getType()->isIntegerTy()) return PoisonValue::get(type);
  if (value->getType()->isIntegerTy(1)) fail("a predicate where a number should be");
  return builder.CreateIntCast(value, type, is_signed);
}

Value* Lowering::value(const Operand& operand, const DataType& type) {
  if (type.kind == DataType::Kind::predicate) return predicate(operand);
  if (!type.is_real()) return integer(operand, type.width(), type.is_signed());
  Type* real = type.type(builder.getContext());
  if (operand.kind == Operand::Kind::real) return ConstantFP::get(real, operand.real);
  if (operand.kind == Operand::Kind::integer) fail("an integer where a real number should be");
  return builder.CreateBitCast(integer(operand, type.bits), real);
}

Value* Lowering::predicate(const Operand& operand) {
  Value* value = operand.kind == Operand::Kind::integer ? builder.getInt1(operand.integer != 0)
                                                        : read(operand);
  if (!value->getType()->isIntegerTy(1)) {
    fail("an operand is not a predicate");
    return builder.getFalse();
  }
  return operand.negated ? builder.CreateNot(value) : value;
}

unsigned Lowering::width(const Operand& operand) {
  AllocaInst* place = operand.kind == Operand::Kind::name ? find(operand.name) : nullptr;
  if (!place) {
    fail("'" + operand.name + "' is no register of this statement");
    return 32;
  }
  Type* type = place->getAllocatedType();
  return type->isPointerTy() ? 64 : static_cast<unsigned>(type->getPrimitiveSizeInBits());
}

void Lowering::set(const Operand& operand, Value* value, bool is_signed) {
  if (operand.kind == Operand::Kind::sink || failed_) return;
  AllocaInst* place = operand.kind == Operand::Kind::name ? find(operand.name) : nullptr;
  if (!place) {
    fail("'" + operand.name + "' is no register of this statement");
    return;
  }
  Type* type = place->getAllocatedType();
  if (value->getType() != type) {
    if (type->isIntegerTy(1) != value->getType()->isIntegerTy(1)) {
      fail("a predicate where a number should be, or the reverse");
      return;
    }
    if (value->getType()->isPointerTy())
      value = builder.CreatePtrToInt(value, builder.getInt64Ty());
    else if (value->getType()->isFloatingPointTy())
      value = builder.CreateBitCast(value,
                                    builder.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
    value = builder.CreateIntCast(value, builder.getIntNTy(width(operand)), is_signed);
    if (type->isPointerTy())
      value = builder.CreateIntToPtr(value, type);
    else
      value = builder.CreateBitCast(value, type);
  }
  builder.CreateStore(value, place);
}

Value* Lowering::library(StringRef name, Type* result, ArrayRef<Value*> arguments) {
  SmallVector<Type*> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  FunctionCallee callee =
      module().getOrInsertFunction(name, FunctionType::get(result, types, false));
  if (auto* function = dyn_cast<Function>(callee.getCallee());
      function && function->isDeclaration()) {
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
  }
  return builder.CreateCall(callee, arguments);
}

Value* Lowering::intrinsic(Intrinsic::ID id, ArrayRef<Value*> arguments,
                           ArrayRef<Type*> overloads) {
  return builder.CreateIntrinsic(id, overloads, arguments);
}

}  // namespace gridspan::transforms::ptx
