// Masks: one bit for each lane, <lanes x i1>, never poison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"

namespace gridspan::transforms {

/// The first way of a branch is the one worth registers.
inline llvm::MDNode* likely(llvm::LLVMContext& context) {
  return llvm::MDBuilder(context).createBranchWeights(1000, 1);
}

/// The mask's bits as a number.
inline llvm::Value* mask_bits(llvm::IRBuilder<>& builder, llvm::Value* mask, unsigned lanes) {
  return builder.CreateBitCast(mask, builder.getIntNTy(lanes));
}

inline llvm::Value* any_lane(llvm::IRBuilder<>& builder, llvm::Value* mask, unsigned lanes) {
  return builder.CreateICmpNE(mask_bits(builder, mask, lanes), builder.getIntN(lanes, 0));
}

inline llvm::Value* all_lanes(llvm::IRBuilder<>& builder, llvm::Value* mask, unsigned lanes) {
  return builder.CreateICmpEQ(mask_bits(builder, mask, lanes),
                              llvm::Constant::getAllOnesValue(builder.getIntNTy(lanes)));
}

/// The lanes of `mask` in which `condition` holds; it may be poison in others.
inline llvm::Value* lanes_where(llvm::IRBuilder<>& builder, llvm::Value* mask,
                                llvm::Value* condition) {
  return builder.CreateSelect(mask, condition, llvm::Constant::getNullValue(mask->getType()));
}

inline llvm::Value* lanes_where_not(llvm::IRBuilder<>& builder, llvm::Value* mask,
                                    llvm::Value* condition) {
  return builder.CreateSelect(mask, builder.CreateNot(condition),
                              llvm::Constant::getNullValue(mask->getType()));
}

/// Number of the first lane; undefined where there is none.
inline llvm::Value* first_lane(llvm::IRBuilder<>& builder, llvm::Value* mask, unsigned lanes) {
  llvm::Value* bits = builder.CreateZExt(mask_bits(builder, mask, lanes), builder.getInt32Ty());
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder.getFalse());
}

inline llvm::Value* last_lane(llvm::IRBuilder<>& builder, llvm::Value* mask, unsigned lanes) {
  llvm::Value* bits = builder.CreateZExt(mask_bits(builder, mask, lanes), builder.getInt32Ty());
  llvm::Value* leading =
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, builder.getFalse());
  return builder.CreateSub(builder.getInt32(31), leading);
}

}  // namespace gridspan::transforms
