// Comparisons with the bounds of a block's shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/address_spaces.h"

#include "abi/launch.h"
#include "transforms/context.h"

#include "llvm/Analysis/ValueTracking.h"

#include <cstddef>

namespace gridspan::transforms {

using namespace llvm;

/// Static shared memory comes first, then dynamic.
Value* is_in_shared(IRBuilder<>& builder, Value* pointer) {
  Module& module = *builder.GetInsertBlock()->getModule();
  Value* block = builder.CreateCall(marker(module, Marker::block));
  auto field = [&](Type* type, Value* base, std::uint64_t offset) {
    return load_field(builder, type, base, offset, "shared.end");
  };
  Type* i32 = builder.getInt32Ty();
  Type* i64 = builder.getInt64Ty();
  Value* launch = field(builder.getPtrTy(), block, offsetof(abi::BlockContext, launch));
  Value* size = builder.CreateAdd(
      builder.CreateZExt(field(i32, block, offsetof(abi::BlockContext, dynamic_shared_offset)),
                         i64),
      builder.CreateZExt(field(i32, launch, offsetof(abi::LaunchContext, dynamic_shared)), i64));
  Value* start = builder.CreateCall(marker(module, Marker::shared),
                                    {builder.getInt64(0), builder.getInt64(0)});
  Value* offset =
      builder.CreateSub(builder.CreatePtrToInt(pointer, i64), builder.CreatePtrToInt(start, i64));
  return builder.CreateICmpULT(offset, size);
}

Value* is_in_global(IRBuilder<>& builder, Value* pointer) {
  if (isa<AllocaInst>(getUnderlyingObject(pointer))) return builder.getFalse();
  return builder.CreateNot(is_in_shared(builder, pointer));
}

}  // namespace gridspan::transforms
