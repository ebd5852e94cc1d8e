// Kept as an attribute of functions: "gridspan-linear-threads".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/linear_threads.h"

#include "abi/launch.h"
#include "transforms/context.h"
#include "transforms/known_shape.h"
#include "transforms/special_registers.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr StringRef attribute = "gridspan-linear-threads";

struct Division {
  Value *quotient, *rest;
};

Division divide(IRBuilder<>& builder, Value* number, Value* by) {
  constexpr unsigned bits = 20;
  if (auto* constant = dyn_cast<ConstantInt>(by); constant && constant->getValue().isPowerOf2()) {
    const APInt& value = constant->getValue();
    return {builder.CreateLShr(number, value.logBase2()), builder.CreateAnd(number, value - 1)};
  }
  Value* unit = builder.getInt32((1u << bits) - 1);
  Value* reciprocal = builder.CreateUDiv(builder.CreateAdd(by, unit, "", true, true), by);
  Value* quotient = builder.CreateLShr(builder.CreateMul(number, reciprocal, "", true, true), bits);
  Value* whole = builder.CreateMul(quotient, by, "", true, true);
  return {quotient, builder.CreateSub(number, whole, "", true, true)};
}

}  // namespace

std::array<Value*, 3> thread_index_of(IRBuilder<>& builder, Value* linear,
                                      const std::array<Value*, 3>& size) {
  const auto [row, x] = divide(builder, linear, size[0]);
  const auto [z, y] = divide(builder, row, size[1]);
  return {x, y, z};
}

void number_threads_linearly(Function& kernel) {
  kernel.addFnAttr(attribute);
  SmallVector<std::pair<CallInst*, unsigned>> reads;
  for (Instruction& instruction : instructions(kernel)) {
    const SpecialRegister reg = special_register(&instruction);
    if (reg.group == SpecialRegister::thread_index)
      reads.emplace_back(cast<CallInst>(&instruction), reg.axis);
  }
  if (reads.empty()) return;
  BasicBlock& entry = kernel.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  CallInst* linear = builder.CreateCall(marker(*kernel.getParent(), Marker::linear_thread));
  bound_thread(*linear, abi::max_block_threads);
  const BlockShape shape = known_shape(kernel);
  std::array<Value*, 3> size;
  for (unsigned axis = 0; axis < size.size(); ++axis)
    size[axis] = shape[axis] != 0 ? static_cast<Value*>(builder.getInt32(shape[axis]))
                                  : builder.CreateIntrinsic(block_size_registers[axis], {}, {},
                                                            nullptr, "blockDim");
  const auto index = thread_index_of(builder, linear, size);
  for (auto [read, axis] : reads) {
    read->replaceAllUsesWith(index[axis]);
    read->eraseFromParent();
  }
}

bool has_linear_threads(const Function& function) { return function.hasFnAttribute(attribute); }

bool has_rows(Function& kernel) {
  return any_of(instructions(kernel), [](const Instruction& instruction) {
    const SpecialRegister reg = special_register(&instruction);
    return reg.group == SpecialRegister::thread_index && reg.axis > 0;
  });
}

}  // namespace gridspan::transforms
