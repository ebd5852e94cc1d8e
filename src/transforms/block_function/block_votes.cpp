// Votes, and the loops over columns of bytes, in functions of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/block_votes.h"

#include "transforms/sync_points.h"

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

using namespace llvm;
using abi::SyncKind;

static bool is_block_vote(SyncKind kind) {
  return kind == SyncKind::barrier_count || kind == SyncKind::barrier_and ||
         kind == SyncKind::barrier_or;
}

static constexpr char nobody_there[] = "gridspan_nobody_there";

CallInst* call_nobody_there(IRBuilder<>& builder) {
  Module& module = *builder.GetInsertBlock()->getModule();
  FunctionCallee callee =
      module.getOrInsertFunction(nobody_there, FunctionType::get(builder.getInt1Ty(), false));
  cast<Function>(callee.getCallee())->setConvergent();
  return builder.CreateCall(callee, {}, "nobody");
}

static bool is_nobody_there(const Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == nobody_there;
}

bool is_block_vote(const Instruction& instruction) {
  if (is_nobody_there(instruction)) return true;
  auto point = as_sync_point(const_cast<Instruction&>(instruction));
  return point && is_block_vote(point->kind);
}

BlockVote take_out_vote(const Cut& cut) {
  CallInst& call = sync_call(cut);
  if (is_nobody_there(call)) return {SyncKind::barrier, nullptr, &call};
  BasicBlock& entry = call.getFunction()->getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst* votes = builder.CreateAlloca(builder.getInt8Ty(), nullptr, "votes");
  votes->setAlignment(Align(1));  // a byte a thread, which some targets would not prefer
  SyncPoint point = *as_sync_point(call);
  builder.SetInsertPoint(&call);
  Value* zero = Constant::getNullValue(point.value->getType());
  Value* vote = point.kind == SyncKind::barrier_and ? builder.CreateICmpEQ(point.value, zero)
                                                    : builder.CreateICmpNE(point.value, zero);
  builder.CreateStore(builder.CreateZExt(vote, builder.getInt8Ty()), votes);
  return {point.kind, votes, &call};
}

namespace {

/// `i32 name(columns..., i32 threads)`, to be inlined; null if it is there already.
Function* declare_once(Module& module, StringRef name, unsigned columns) {
  if (module.getFunction(name)) return nullptr;
  LLVMContext& context = module.getContext();
  Type* i32 = Type::getInt32Ty(context);
  SmallVector<Type*> parameters(columns, PointerType::get(context, 0));
  parameters.push_back(i32);
  Function* function = Function::Create(FunctionType::get(i32, parameters, false),
                                        GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(Attribute::AlwaysInline);
  function->setDoesNotThrow();
  return function;
}

constexpr char first_there[] = "gridspan_first_there";
constexpr char count_votes[] = "gridspan_count_votes";
constexpr char count_all_votes[] = "gridspan_count_all_votes";

/// A loop from 0 up to the last argument; `body` returns whether it goes on (null: it does).
struct ByteLoop {
  ByteLoop(Function& function)
      : builder(BasicBlock::Create(function.getContext(), "entry", &function)),
        threads(function.getArg(function.arg_size() - 1)) {
    auto block = [&](const char* name) {
      return BasicBlock::Create(function.getContext(), name, &function);
    };
    entry = builder.GetInsertBlock();
    body = block("thread"), done = block("done");
    builder.CreateBr(body);
    builder.SetInsertPoint(body);
    t = builder.CreatePHI(builder.getInt32Ty(), 2, "t");
    t->addIncoming(builder.getInt32(0), entry);
  }
  Value* load(Value* column) {
    Value* place = builder.CreateInBoundsGEP(builder.getInt8Ty(), column,
                                             builder.CreateZExt(t, builder.getInt64Ty()));
    return builder.CreateLoad(builder.getInt8Ty(), place);
  }
  /// The next round's number, which `done` may have.
  Value* next(Value* found) {
    Value* following = builder.CreateAdd(t, builder.getInt32(1), "", true, true);
    t->addIncoming(following, body);
    Value* ends = builder.CreateICmpEQ(following, threads);
    if (found) ends = builder.CreateLogicalOr(found, ends);
    builder.CreateCondBr(ends, done, body);
    builder.SetInsertPoint(done);
    return following;
  }

  IRBuilder<> builder;
  Argument* threads;
  BasicBlock *entry, *body, *done;
  PHINode* t;
};

void write_first(Function& function) {
  ByteLoop loop(function);
  Value* is_there =
      loop.builder.CreateICmpNE(loop.load(function.getArg(0)), loop.builder.getInt8(0), "is_there");
  loop.next(is_there);
  loop.builder.CreateRet(loop.builder.CreateSelect(is_there, loop.t, loop.threads));
}

void write_count(Function& function) {
  ByteLoop loop(function);
  PHINode* sum = loop.builder.CreatePHI(loop.builder.getInt32Ty(), 2, "sum");
  sum->addIncoming(loop.builder.getInt32(0), loop.entry);
  Value* counts = loop.load(function.getArg(0));
  if (function.arg_size() > 2)
    counts = loop.builder.CreateAnd(counts, loop.load(function.getArg(1)));
  Value* more = loop.builder.CreateAdd(
      sum, loop.builder.CreateZExt(counts, loop.builder.getInt32Ty()), "", true, true);
  sum->addIncoming(more, loop.body);
  loop.next(nullptr);
  loop.builder.CreateRet(more);
}

/// `threads` if there is none.
Value* count_first(IRBuilder<>& builder, Value* there, Value* threads) {
  Module& module = *builder.GetInsertBlock()->getModule();
  if (Function* function = declare_once(module, first_there, 1)) write_first(*function);
  return builder.CreateCall(module.getFunction(first_there), {there, threads});
}

/// Of the votes of threads that are there (null: all are).
Value* count(IRBuilder<>& builder, Value* votes, Value* there, Value* threads) {
  Module& module = *builder.GetInsertBlock()->getModule();
  const char* name = there ? count_votes : count_all_votes;
  if (Function* function = declare_once(module, name, there ? 2 : 1)) write_count(*function);
  SmallVector<Value*> arguments{votes};
  if (there) arguments.push_back(there);
  arguments.push_back(threads);
  return builder.CreateCall(module.getFunction(name), arguments);
}

}  // namespace

Value* write_vote(IRBuilder<>& builder, const BlockVote& vote, Value* votes, Value* there,
                  Value* threads) {
  if (!votes) return builder.CreateICmpEQ(count_first(builder, there, threads), threads);
  Value* votes_for = count(builder, votes, there, threads);
  Value* none = builder.getInt32(0);
  Type* type = vote.result->getType();
  if (vote.kind == SyncKind::barrier_count) return builder.CreateZExtOrTrunc(votes_for, type);
  return builder.CreateZExtOrTrunc(vote.kind == SyncKind::barrier_and
                                       ? builder.CreateICmpEQ(votes_for, none)
                                       : builder.CreateICmpNE(votes_for, none),
                                   type);
}

Value* write_all_there(IRBuilder<>& builder, Value* there, Value* threads) {
  return builder.CreateICmpEQ(count(builder, there, nullptr, threads), threads);
}

Value* write_first_there(IRBuilder<>& builder, Value* there, Value* threads) {
  Value* first = count_first(builder, there, threads);
  return builder.CreateSelect(builder.CreateICmpEQ(first, threads), builder.getInt32(0), first);
}

}  // namespace gridspan::transforms
