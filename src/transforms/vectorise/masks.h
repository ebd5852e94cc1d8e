// Masks: one bit for each lane, <lanes x i1>, never poison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"

#include <algorithm>

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

/// The same in a number that CPUs count with: of 32 bits, or as many as there are lanes.
inline llvm::Value* countable_bits(llvm::IRBuilder<>& builder, llvm::Value* mask, unsigned lanes) {
  return builder.CreateZExt(mask_bits(builder, mask, lanes),
                            builder.getIntNTy(std::max(lanes, 32u)));
}

/// Of the first lane in countable_bits, as i32; undefined where there is none.
inline llvm::Value* first_of(llvm::IRBuilder<>& builder, llvm::Value* bits) {
  llvm::Value* lane =
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder.getFalse());
  return builder.CreateTrunc(lane, builder.getInt32Ty());
}

/// Number of the first lane; undefined where there is none.
inline llvm::Value* first_lane(llvm::IRBuilder<>& builder, llvm::Value* mask, unsigned lanes) {
  return first_of(builder, countable_bits(builder, mask, lanes));
}

inline llvm::Value* last_lane(llvm::IRBuilder<>& builder, llvm::Value* mask, unsigned lanes) {
  llvm::Value* bits = countable_bits(builder, mask, lanes);
  llvm::Value* leading =
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, builder.getFalse());
  return builder.CreateSub(builder.getInt32(std::max(lanes, 32u) - 1),
                           builder.CreateTrunc(leading, builder.getInt32Ty()));
}

}  // namespace gridspan::transforms
