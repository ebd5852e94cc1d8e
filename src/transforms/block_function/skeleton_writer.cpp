// Computed values, calls of segments, exchanges between lanes, and the branches around them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/skeleton_writer.h"

#include "abi/launch.h"
#include "transforms/block_function/warp_counter.h"
#include "transforms/region_debug_info.h"
#include "transforms/region_writer.h"
#include "transforms/thread_functions.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::transforms {

using namespace llvm;
using abi::BlockContext;

namespace {

class SkeletonWriter {
 public:
  SkeletonWriter(Function& kernel, const Skeleton& skeleton, ArrayRef<Type*> more,
                 const Twine& name);

  Function& function() { return *function_; }
  /// The value that a caller hands in.
  void take(const Value* original, Argument* argument) { map_[original] = argument; }
  void write_block();
  void write_warps();

 private:
  void make_places();
  BasicBlock* part_of(const BasicBlock* first) {
    return cast_or_null<BasicBlock>(map_.lookup(first));
  }
  void write_parts(BasicBlock* leave);
  void write_part(const Segment& segment, const SegmentCode& code, BasicBlock* leave);
  void call_segment(const SegmentCode& code, IRBuilder<>& builder);
  void call_one_of(const SegmentCode& code, ArrayRef<Value*> arguments, IRBuilder<>& builder);
  void take_found(const Segment& segment, const SegmentCode& code, IRBuilder<>& builder);
  void exchange(const WarpExchange& exchange, IRBuilder<>& builder);
  Value* first_in_frame(AllocaInst* memory, IRBuilder<>& builder);
  Value* there(IRBuilder<>& builder);
  std::uint64_t size_of(AllocaInst* memory) const {
    return skeleton_.frame->slots.find(memory)->second.size;
  }
  Value* column_of(AllocaInst* memory);
  void finish();

  Function& kernel_;
  const Skeleton& skeleton_;
  Function* function_;
  IRBuilder<> prologue_;
  ContextValues context_;
  ValueToValueMapTy map_;
  SmallVector<std::pair<BasicBlock*, BasicBlock*>> moved_;  // ends of parts, from where they began
  // Warps only:
  DenseMap<const AllocaInst*, Value*> columns_;
  Value* lanes_there_ = nullptr;  // <32 x i1>; null: all are
};

Function* declare(Function& kernel, const Twine& name, ArrayRef<Type*> more) {
  LLVMContext& context = kernel.getContext();
  Type* i32 = Type::getInt32Ty(context);
  SmallVector<Type*> parameters{PointerType::get(context, 0), i32, i32};
  append_range(parameters, more);
  Function* function =
      Function::Create(FunctionType::get(Type::getVoidTy(context), parameters, false),
                       GlobalValue::InternalLinkage, name, kernel.getParent());
  copy_code_attributes(kernel, *function);
  return function;
}

SkeletonWriter::SkeletonWriter(Function& kernel, const Skeleton& skeleton, ArrayRef<Type*> more,
                               const Twine& name)
    : kernel_(kernel),
      skeleton_(skeleton),
      function_(declare(kernel, name, more)),
      prologue_(BasicBlock::Create(kernel.getContext(), "entry", function_)) {
  context_ = load_block_values(prologue_, function_->getArg(0));
  skeleton_.debug->adopt(*function_, map_);
  for (Argument& parameter : kernel_.args())
    map_[&parameter] = load_argument(prologue_, context_.arguments, parameter);
}

void SkeletonWriter::make_places() {
  for (const Segment& segment : skeleton_.segments) {
    BasicBlock* part =
        BasicBlock::Create(kernel_.getContext(), segment.first().getName(), function_);
    map_[&segment.first()] = map_[&segment.last()] = part;
  }
}

void SkeletonWriter::call_segment(const SegmentCode& code, IRBuilder<>& builder) {
  if (code.function) {
    SmallVector<Value*> arguments{function_->getArg(0)};
    if (context_.linear) {  // a warp: its first thread
      arguments.append({context_.linear, function_->getArg(2)});
      append_range(arguments, context_.thread_index);
    } else {
      arguments.append({builder.getInt32(0), function_->getArg(2)});
    }
    // Originals: mapped with everything else at the end.
    append_range(arguments, code.wants);
    for (AllocaInst* memory : code.columns) arguments.push_back(column_of(memory));
    if (code.all_there) {
      call_one_of(code, arguments, builder);
    } else {
      builder.CreateCall(code.function, arguments);
    }
  }
}

/// By whether some threads have left.
void SkeletonWriter::call_one_of(const SegmentCode& code, ArrayRef<Value*> arguments,
                                 IRBuilder<>& builder) {
  LLVMContext& context = kernel_.getContext();
  BasicBlock *before = builder.GetInsertBlock(),
             *all = BasicBlock::Create(context, "all_there", function_),
             *some = BasicBlock::Create(context, "some_left", function_),
             *behind = BasicBlock::Create(context, "behind", function_);
  Value* are_all = write_all_there(builder, there(builder), function_->getArg(2));
  builder.CreateCondBr(are_all, all, some);
  for (const auto& [block, function] : {std::pair(all, code.all_there), {some, code.function}}) {
    builder.SetInsertPoint(block);
    builder.CreateCall(function, arguments);
    builder.CreateBr(behind);
  }
  builder.SetInsertPoint(behind);
  moved_.push_back({before, behind});
}

/// From the first thread that is there.
void SkeletonWriter::take_found(const Segment& segment, const SegmentCode& code,
                                IRBuilder<>& builder) {
  if (code.finds.empty()) return;
  Value* thread = nullptr;
  if (lanes_there_)
    thread = builder.CreateIntrinsic(
        Intrinsic::cttz, {builder.getInt32Ty()},
        {builder.CreateBitCast(lanes_there_, builder.getInt32Ty()), builder.getTrue()});
  else if (skeleton_.there && (segment.presence || (code.vote && !code.vote->votes)))
    thread = write_first_there(builder, there(builder), function_->getArg(2));
  for (Instruction* value : code.finds) {
    AllocaInst* place = skeleton_.values->place_of(value);
    Value* first = context_.linear ? column_of(place) : first_in_frame(place, builder);
    if (thread)
      first = builder.CreateInBoundsGEP(ArrayType::get(builder.getInt8Ty(), size_of(place)), first,
                                        thread);
    Value* found = builder.CreateLoad(place->getAllocatedType(), first, value->getName());
    map_[value] = builder.CreateTrunc(found, value->getType());
  }
}

/// Thread 0's copy of the variable.
Value* SkeletonWriter::first_in_frame(AllocaInst* memory, IRBuilder<>& builder) {
  Value* frames = load_field(builder, builder.getPtrTy(), context_.block,
                             offsetof(BlockContext, frames), "frames");
  Value* padded = load_field(builder, builder.getInt32Ty(), context_.block,
                             offsetof(BlockContext, padded_threads), "padded");
  const std::uint64_t offset = skeleton_.frame->slots.find(memory)->second.offset;
  Value* bytes = builder.CreateMul(builder.CreateZExt(padded, builder.getInt64Ty()),
                                   builder.getInt64(offset), "", true, true);
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), frames, bytes);
}

/// Null if nobody leaves early.
Value* SkeletonWriter::there(IRBuilder<>& builder) {
  return skeleton_.there ? first_in_frame(skeleton_.there, builder) : nullptr;
}

/// All lanes' copies of the variable.
Value* SkeletonWriter::column_of(AllocaInst* memory) {
  Value*& column = columns_[memory];
  if (column) return column;
  IRBuilder<> builder(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  const std::uint64_t bytes = size_of(memory) * abi::warp_size;
  AllocaInst* made = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes), nullptr,
                                          memory->getName() + ".column");
  made->setAlignment(Align(64));
  // Others may ask for what a lane that is gone has not sent.
  if (lanes_there_) builder.CreateMemSet(made, builder.getInt8(0), bytes, made->getAlign());
  return column = made;
}

void SkeletonWriter::exchange(const WarpExchange& exchange, IRBuilder<>& builder) {
  Value* got = write_exchange(builder, exchange, exchange.lane, lanes_there_,
                              [&](AllocaInst* memory) { return column_of(memory); });
  if (exchange.result) map_[exchange.result] = got;
}

/// What becomes of one segment: computed values, the call, what comes next.
void SkeletonWriter::write_part(const Segment& segment, const SegmentCode& code,
                                BasicBlock* leave) {
  IRBuilder<> builder(part_of(&segment.first()));
  for (BasicBlock* block : segment.common)
    for (Instruction& instruction : *block) {
      if (!skeleton_.values->is_computed(&instruction) &&
          !skeleton_.values->is_of_first_lane(&instruction))
        continue;
      Instruction* twin = instruction.clone();
      builder.Insert(twin, instruction.getName());
      map_[&instruction] = twin;
    }
  call_segment(code, builder);
  take_found(segment, code, builder);
  if (code.exchange) exchange(*code.exchange, builder);
  if (code.vote) {
    const BlockVote& vote = *code.vote;
    bool some_left = segment.presence || !vote.votes;
    map_[vote.result] =
        write_vote(builder, vote, vote.votes ? first_in_frame(vote.votes, builder) : nullptr,
                   some_left ? there(builder) : nullptr, function_->getArg(2));
  }
  if (segment.next) {
    BasicBlock* next = part_of(segment.next);
    builder.CreateBr(next ? next : leave);
  } else {
    Instruction* end = segment.last().getTerminator();
    bool is_own = all_of(successors(end), [&](BasicBlock* to) { return part_of(to); }) &&
                  (end->getNumSuccessors() > 0 || !leave);
    if (is_own)
      builder.Insert(end->clone());
    else
      builder.CreateBr(leave);
  }
}

void SkeletonWriter::write_parts(BasicBlock* leave) {
  for (auto [segment, code] : zip(skeleton_.segments, skeleton_.codes))
    write_part(segment, code, leave);
}

void SkeletonWriter::finish() {
  for (Instruction& instruction : instructions(*function_))
    RemapInstruction(&instruction, map_, RF_IgnoreMissingLocals);
  for (const auto& [begin, end] : moved_)
    for (BasicBlock* next : successors(end)) next->replacePhiUsesWith(begin, end);
  lower_context(*function_, context_);
  forget_tail_calls(*function_);
  // What is inlined needs to know where; each of its lines stays its own.
  DISubprogram* here = function_->getSubprogram();
  if (!here) return;
  for (Instruction& instruction : instructions(*function_))
    if (isa<CallInst>(instruction) && !instruction.getDebugLoc())
      instruction.setDebugLoc(DILocation::get(kernel_.getContext(), here->getLine(), 0, here));
}

void SkeletonWriter::write_block() {
  make_places();
  prologue_.CreateBr(part_of(&skeleton_.segments.front().first()));
  write_parts(nullptr);
  finish();
}

void SkeletonWriter::write_warps() {
  LLVMContext& context = kernel_.getContext();
  BasicBlock* warp = BasicBlock::Create(context, "warp", function_);
  make_places();
  BasicBlock *next = BasicBlock::Create(context, "next_warp", function_),
             *done = BasicBlock::Create(context, "done", function_);
  prologue_.CreateBr(warp);
  count_warps({prologue_.GetInsertBlock(), warp, next, done}, function_->getArg(2), context_);
  BasicBlock* first = part_of(&skeleton_.segments.front().first());
  IRBuilder<> builder(warp);
  if (Value* notes = there(builder)) {
    auto* bytes = FixedVectorType::get(builder.getInt8Ty(), abi::warp_size);
    Value* place = builder.CreateInBoundsGEP(builder.getInt8Ty(), notes, context_.linear);
    lanes_there_ =
        builder.CreateIsNotNull(builder.CreateAlignedLoad(bytes, place, Align(1)), "there");
    Value* bits = builder.CreateBitCast(lanes_there_, builder.getInt32Ty());
    builder.CreateCondBr(builder.CreateIsNotNull(bits), first, next);
  } else {
    builder.CreateBr(first);
  }
  write_parts(next);
  ReturnInst::Create(context, done);
  finish();
}

}  // namespace

Function* write_block_skeleton(Function& kernel, const Skeleton& skeleton, const Twine& name) {
  SkeletonWriter writer(kernel, skeleton, {}, name);
  writer.write_block();
  return &writer.function();
}

/// What the skeleton and its segments need from the outer one.
static SegmentCode needs_of(const Segment& whole, const Skeleton& skeleton,
                            const SkeletonValues& outer) {
  SetVector<Value*> wants;
  auto want = [&](Value* value) {
    auto* instruction = dyn_cast_or_null<Instruction>(value);
    if (instruction && outer.has(instruction) && !skeleton.values->has(instruction))
      wants.insert(instruction);
  };
  for (auto [segment, code] : zip(skeleton.segments, skeleton.codes)) {
    for (Value* value : code.wants) want(value);
    if (code.exchange) want(code.exchange->lane);
    for (BasicBlock* block : segment.common)
      for (Instruction& instruction : *block)
        if (skeleton.values->is_computed(&instruction) ||
            skeleton.values->is_of_first_lane(&instruction))
          for (Value* operand : instruction.operands()) want(operand);
    if (whole.decides_behind(segment)) want(segment.condition());
  }
  SegmentCode code;
  code.wants.append(wants.begin(), wants.end());
  for (BasicBlock* block : whole.blocks)
    for (Instruction& instruction : *block)
      if (outer.is_fetched(&instruction)) code.finds.push_back(&instruction);
  return code;
}

SegmentCode write_warp_skeleton(Function& kernel, const Segment& whole, const Skeleton& skeleton,
                                const SkeletonValues& outer, const Twine& name) {
  SegmentCode code = needs_of(whole, skeleton, outer);
  SmallVector<Type*> more;
  for (Value* value : code.wants) more.push_back(value->getType());
  SkeletonWriter writer(kernel, skeleton, more, name);
  Argument* argument = writer.function().getArg(3);
  for (Value* value : code.wants) writer.take(value, argument++);
  writer.write_warps();
  code.function = &writer.function();
  code.function->addFnAttr(Attribute::AlwaysInline);
  return code;
}

}  // namespace gridspan::transforms
