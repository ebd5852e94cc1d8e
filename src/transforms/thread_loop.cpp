// Builds the nest described in the header.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/thread_loop.h"

#include "abi/launch.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

using namespace llvm;

ThreadLoop make_thread_loop(IRBuilder<>& builder, Value* first, Value* last, const BlockRows& rows,
                            ContextValues& values) {
  LLVMContext& context = builder.getContext();
  Function* function = builder.GetInsertBlock()->getParent();
  BasicBlock* entry = builder.GetInsertBlock();
  auto block = [&](const char* name) { return BasicBlock::Create(context, name, function); };
  BasicBlock *row = block("row"), *body = block("thread"), *latch = block("next_thread"),
             *row_end = block("next_row"), *exit = block("done");
  Type* i32 = builder.getInt32Ty();
  Value *zero = builder.getInt32(0), *one = builder.getInt32(1);
  Value *size_x = rows.threads, *size_y = rows.count;

  Value* first_x = builder.CreateURem(first, size_x);
  Value* first_row = builder.CreateUDiv(first, size_x);
  Value* first_y = builder.CreateURem(first_row, size_y);
  Value* first_z = builder.CreateUDiv(first_row, size_y);
  builder.CreateBr(row);

  builder.SetInsertPoint(row);
  PHINode* t = builder.CreatePHI(i32, 2, "t");
  PHINode* x = rows.are_whole ? nullptr : builder.CreatePHI(i32, 2, "x");
  PHINode* y = builder.CreatePHI(i32, 2, "y");
  PHINode* z = builder.CreatePHI(i32, 2, "z");
  Value* run = x ? builder.CreateBinaryIntrinsic(Intrinsic::umin, builder.CreateSub(size_x, x),
                                                 builder.CreateSub(last, t), nullptr, "run")
                 : size_x;
  builder.CreateBr(body);

  builder.SetInsertPoint(body);
  PHINode* i = builder.CreatePHI(i32, 2, "i");
  i->addIncoming(zero, row);
  values.linear = builder.CreateAdd(t, i, "linear", true, true);
  values.thread_index = {x ? builder.CreateAdd(x, i, "threadIdx.x", true, true) : i, y, z};

  builder.SetInsertPoint(latch);
  Value* next_i = builder.CreateAdd(i, one, "", true, true);
  i->addIncoming(next_i, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next_i, run), body, row_end);

  builder.SetInsertPoint(row_end);
  Value* next_t = builder.CreateAdd(t, run, "", true, true);
  Value* next_y = builder.CreateAdd(y, one, "", true, true);
  Value* wraps = builder.CreateICmpEQ(next_y, size_y);
  t->addIncoming(first, entry);
  t->addIncoming(next_t, row_end);
  if (x) {
    x->addIncoming(first_x, entry);
    x->addIncoming(zero, row_end);
  }
  y->addIncoming(first_y, entry);
  y->addIncoming(builder.CreateSelect(wraps, zero, next_y), row_end);
  z->addIncoming(first_z, entry);
  z->addIncoming(builder.CreateAdd(z, builder.CreateZExt(wraps, i32)), row_end);
  builder.CreateCondBr(builder.CreateICmpULT(next_t, last), row, exit);

  builder.SetInsertPoint(exit);
  builder.CreateRetVoid();
  return {body, latch, i};
}

/// A loop of `count` > 0 rounds; the builder stands in its body.
static ThreadLoop make_plain_loop(IRBuilder<>& builder, Value* count) {
  LLVMContext& context = builder.getContext();
  BasicBlock* entry = builder.GetInsertBlock();
  Function* function = entry->getParent();
  auto block = [&](const char* name) { return BasicBlock::Create(context, name, function); };
  BasicBlock *body = block("thread"), *latch = block("next_thread"), *exit = block("done");
  builder.CreateBr(body);
  builder.SetInsertPoint(latch);
  PHINode* i = PHINode::Create(builder.getInt32Ty(), 2, "i", body);
  i->addIncoming(builder.getInt32(0), entry);
  Value* next = builder.CreateAdd(i, builder.getInt32(1), "", true, true);
  i->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, count), body, exit);
  builder.SetInsertPoint(exit);
  builder.CreateRetVoid();
  builder.SetInsertPoint(body);
  return {body, latch, i};
}

ThreadLoop make_linear_loop(IRBuilder<>& builder, Value* first, Value* last,
                            ContextValues& values) {
  const ThreadLoop loop = make_plain_loop(builder, builder.CreateSub(last, first, "", true, true));
  values.linear = builder.CreateAdd(first, loop.index, "linear", true, true);
  return loop;
}

ThreadLoop make_warp_loop(IRBuilder<>& builder, ContextValues& values) {
  const ThreadLoop loop = make_plain_loop(builder, builder.getInt32(abi::warp_size));
  // So written, threadIdx.x % 32 and threadIdx.x / 32 are easy to see.
  constexpr std::uint32_t low = abi::warp_size - 1;
  Value* lane = builder.CreateAnd(loop.index, low, "lane");
  auto number = [&](Value* first, const char* name) {
    Value* sum = builder.CreateOr(builder.CreateAnd(first, ~low), lane, name);
    if (auto* both = dyn_cast<PossiblyDisjointInst>(sum)) both->setIsDisjoint(true);
    return sum;
  };
  values.linear = number(values.linear, "linear");
  values.thread_index[0] = number(values.thread_index[0], "threadIdx.x");
  return loop;
}

}  // namespace gridspan::transforms
