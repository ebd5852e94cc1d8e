// Counters along each axis: no division says where the next warp is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/warp_counter.h"

#include "abi/launch.h"
#include "transforms/linear_threads.h"

namespace gridspan::transforms {

using namespace llvm;

void count_warps(const WarpLoopBlocks& blocks, Value* threads, ContextValues& context) {
  IRBuilder<> builder(blocks.warp);
  Type* number = builder.getInt32Ty();
  auto counter = [&](const char* name) {
    PHINode* phi = builder.CreatePHI(number, 2, name);
    phi->addIncoming(builder.getInt32(0), blocks.before);
    return phi;
  };
  PHINode* first = counter("first");
  Value* warp = builder.getInt32(abi::warp_size);
  auto go_on = [&] {
    Value* following = builder.CreateAdd(first, warp, "", true, true);
    first->addIncoming(following, blocks.next);
    builder.CreateCondBr(builder.CreateICmpULT(following, threads), blocks.warp, blocks.done);
  };
  if (has_linear_threads(*blocks.warp->getParent())) {
    Value* none = builder.getInt32(0);
    context.linear = first;
    context.thread_index = {none, none, none};
    builder.SetInsertPoint(blocks.next);
    return go_on();
  }
  std::array<PHINode*, 3> index{counter("x"), counter("y"), counter("z")};
  context.linear = first;
  context.thread_index = {index[0], index[1], index[2]};
  builder.SetInsertPoint(blocks.next);
  Value* step = warp;
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value* moved = builder.CreateAdd(index[axis], step, "", true, true);
    Value* is_end = builder.CreateICmpEQ(moved, context.block_size[axis]);
    index[axis]->addIncoming(builder.CreateSelect(is_end, builder.getInt32(0), moved), blocks.next);
    step = builder.CreateZExt(is_end, number);
  }
  go_on();
}

}  // namespace gridspan::transforms
