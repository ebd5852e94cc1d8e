// Kept as an attribute of functions: "gridspan-block"="32,8,1".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/known_shape.h"

#include "transforms/special_registers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr StringRef shape_name = "gridspan-block";

void fix_register(IntrinsicInst& read, const BlockShape& shape) {
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    const std::uint32_t size = shape[axis];
    if (size == 0) continue;
    if (read.getIntrinsicID() == block_size_registers[axis])
      read.replaceAllUsesWith(ConstantInt::get(read.getType(), size));
    if (read.getIntrinsicID() != thread_index_registers[axis]) continue;
    // What is always zero keeps its name where neighbouring blocks may run as one, and it is not.
    if (size > 1)
      bound_thread(read, size);
    else if (axis == 2)
      read.replaceAllUsesWith(ConstantInt::get(read.getType(), 0));
  }
}

}  // namespace

void bound_thread(CallInst& read, std::uint32_t count) {
  read.removeRetAttr(Attribute::Range);
  read.addRetAttr(Attribute::get(read.getContext(), Attribute::Range,
                                 ConstantRange(APInt(32, 0), APInt(32, count))));
}

void set_known_shape(Function& function, const BlockShape& shape) {
  function.addFnAttr(shape_name,
                     join(map_range(shape, [](auto size) { return utostr(size); }), ","));
  for (Instruction& instruction : instructions(function))
    if (auto* read = dyn_cast<IntrinsicInst>(&instruction)) fix_register(*read, shape);
}

BlockShape known_shape(const Function& function) {
  BlockShape shape{};
  StringRef left = function.getFnAttribute(shape_name).getValueAsString();
  for (std::uint32_t& size : shape)
    if (left.consumeInteger(10, size) || (!left.empty() && !left.consume_front(","))) return {};
  return shape;
}

}  // namespace gridspan::transforms
