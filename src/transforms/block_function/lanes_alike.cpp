// One comparison for each lane.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/lanes_alike.h"

#include "abi/launch.h"

#include "llvm/ADT/SmallVector.h"

namespace gridspan::transforms {

using namespace llvm;

Value* write_lanes_alike(IRBuilder<>& builder, Value* values) {
  Type* masks = FixedVectorType::get(builder.getInt32Ty(), abi::warp_size);
  Value* none = Constant::getNullValue(masks);
  Value* alike = none;
  for (unsigned lane = 0; lane < abi::warp_size; ++lane) {
    const SmallVector<int> everywhere(abi::warp_size, static_cast<int>(lane));
    Value* same = builder.CreateICmpEQ(values, builder.CreateShuffleVector(values, everywhere));
    Value* bit = ConstantInt::get(masks, std::uint64_t{1} << lane);
    alike = builder.CreateOr(alike, builder.CreateSelect(same, bit, none));
  }
  return alike;
}

}  // namespace gridspan::transforms
