// LLVM's form of inline assembly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/asm_call.h"

#include "transforms/inline_ptx/syntax.h"

#include "llvm/IR/Constants.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

CallInst* as_asm_call(llvm::Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  if (!call || !call->isInlineAsm()) return nullptr;
  StringRef text = cast<InlineAsm>(call->getCalledOperand())->getAsmString();
  const bool is_fence = text.trim().empty() && call->getType()->isVoidTy() && call->arg_empty();
  return is_fence ? nullptr : call;
}

static Type* result_type(const CallInst& call, unsigned index) {
  auto* structure = dyn_cast<StructType>(call.getType());
  return structure ? structure->getElementType(index) : call.getType();
}

/// The operands in the order in which the text counts them; tied inputs are no operands of their
/// own.
static void read_operands(const CallInst& call, AsmCall& read) {
  unsigned outputs = 0, arguments = 0;
  for (const InlineAsm::ConstraintInfo& constraint :
       cast<InlineAsm>(call.getCalledOperand())->ParseConstraints()) {
    if (constraint.Type == InlineAsm::isClobber) continue;
    if (constraint.Type == InlineAsm::isLabel || constraint.isIndirect) {
      read.problem = "its operands are memory or labels";
      return;
    }
    if (constraint.Type == InlineAsm::isOutput) {
      read.operands.push_back({result_type(call, outputs++), true, nullptr});
      continue;
    }
    Value* input = call.getArgOperand(arguments++);
    int tied = -1;
    if (constraint.Codes.size() == 1) StringRef(constraint.Codes[0]).getAsInteger(10, tied);
    if (tied >= 0 && static_cast<std::size_t>(tied) < read.operands.size()) {
      read.operands[static_cast<std::size_t>(tied)].input = input;
      read.operands.push_back({nullptr, false, nullptr});  // counted, never named
      continue;
    }
    read.operands.push_back({input->getType(), false, input});
  }
}

/// $2 and ${2:x}: the operand's name, or its digits where it is a constant.
static std::string operand_text(const AsmCall& read, unsigned index) {
  const AsmOperand& operand = read.operands[index];
  if (auto* number = dyn_cast_or_null<ConstantInt>(operand.input); number && !operand.is_output)
    return std::to_string(number->getSExtValue());
  return argument_name(index);
}

static void read_text(StringRef text, AsmCall& read) {
  static unsigned statement = 0;
  ++statement;
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('$'), text.size());
    read.text += text.take_front(plain);
    text = text.drop_front(plain);
    if (!text.consume_front("$")) continue;
    if (text.consume_front("$")) {
      read.text += '$';
      continue;
    }
    const bool in_braces = text.consume_front("{");
    if (in_braces && text.consume_front(":uid}")) {
      read.text += std::to_string(statement);
      continue;
    }
    unsigned index = 0;
    if (text.consumeInteger(10, index) || index >= read.operands.size()) {
      read.problem = "an operand of it is not there";
      return;
    }
    if (in_braces) text = text.drop_front(std::min(text.find('}'), text.size() - 1) + 1);
    read.text += operand_text(read, index);
  }
}

AsmCall read_asm_call(const CallInst& call) {
  AsmCall read;
  read_operands(call, read);
  if (read.problem.empty())
    read_text(cast<InlineAsm>(call.getCalledOperand())->getAsmString(), read);
  return read;
}

}  // namespace gridspan::transforms::ptx
