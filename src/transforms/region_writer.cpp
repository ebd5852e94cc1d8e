// Cloning, the loop around it, and the way of values in and out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/region_writer.h"

#include "abi/launch.h"
#include "transforms/frame_arrays.h"
#include "transforms/known_shape.h"
#include "transforms/linear_threads.h"
#include "transforms/own_tiles.h"
#include "transforms/parallel_loop.h"
#include "transforms/stack_variables.h"
#include "transforms/thread_functions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstddef>

namespace gridspan::transforms {

using namespace llvm;
using abi::BlockContext;
using abi::ThreadContext;

std::vector<AllocaInst*> stack_variables(Function& kernel) {
  std::vector<AllocaInst*> variables;
  for (Instruction& instruction : instructions(kernel))
    if (auto* memory = dyn_cast<AllocaInst>(&instruction)) variables.push_back(memory);
  return variables;
}

static Function* declare(Function& kernel, const Twine& name, const RegionParameters& given) {
  LLVMContext& context = kernel.getContext();
  Type* i32 = Type::getInt32Ty(context);
  SmallVector<Type*> parameters{PointerType::get(context, 0), i32, i32};
  if (given.threads == RegionThreads::warp) parameters.append(3, i32);
  append_range(parameters, given.more);
  parameters.append(given.columns.size(), PointerType::get(context, 0));
  auto* type = FunctionType::get(Type::getVoidTy(context), parameters, false);
  Function* function =
      Function::Create(type, GlobalValue::InternalLinkage, name, kernel.getParent());
  copy_code_attributes(kernel, *function);
  return function;
}

RegionWriter::RegionWriter(Function& kernel, const KernelFrame& frame, const RegionDebugInfo& debug,
                           const RegionBlocks& blocks, const Twine& name,
                           const RegionParameters& parameters)
    : kernel_(kernel),
      frame_(frame),
      blocks_(blocks),
      function_(declare(kernel, name, parameters)),
      more_(function_->arg_begin() + (parameters.threads == RegionThreads::warp ? 6 : 3)),
      entry_(BasicBlock::Create(kernel.getContext(), "entry", function_)),
      prologue_(entry_),
      body_(kernel.getContext()) {
  values_ = load_block_values(prologue_, function_->getArg(0));
  debug.adopt(*function_, map_);
  for (Argument& parameter : kernel_.args())
    map_[&parameter] = load_argument(prologue_, values_.arguments, parameter);
  make_loop(parameters);
  body_.SetInsertPoint(loop_.body);
  place_slots(parameters.columns);
  place_variables();
  clone_blocks();
}

/// Of a block whose shape is known, else null.
static Value* known_threads(IRBuilder<>& builder, const Function& kernel) {
  const auto [x, y, z] = known_shape(kernel);
  const std::uint32_t threads = x * y * z;
  return threads != 0 ? builder.getInt32(threads) : nullptr;
}

void RegionWriter::make_loop(const RegionParameters& parameters) {
  IRBuilder<> nest(BasicBlock::Create(kernel_.getContext(), "threads", function_));
  Value *first = function_->getArg(1), *last = function_->getArg(2);
  if (parameters.threads == RegionThreads::warp) {
    values_.linear = first;
    values_.thread_index = {function_->getArg(3), function_->getArg(4), function_->getArg(5)};
    loop_ = make_warp_loop(nest, values_);
  } else {
    bool is_block = parameters.threads == RegionThreads::block;
    if (is_block && !parameters.joined)
      if (Value* known = known_threads(nest, kernel_)) last = known;
    Value* begin = is_block ? static_cast<Value*>(nest.getInt32(0)) : first;
    if (has_linear_threads(kernel_)) {
      loop_ = make_linear_loop(nest, begin, last, values_);
      return;
    }
    BlockRows rows{values_.block_size[0], values_.block_size[1], is_block};
    if (parameters.joined) {
      auto load = [&](std::size_t offset, const char* name) {
        return load_field(prologue_, prologue_.getInt32Ty(), values_.block, offset, name);
      };
      rows.threads = load(offsetof(BlockContext, row_threads), "row_threads");
      rows.count = load(offsetof(BlockContext, rows), "rows");
    }
    loop_ = make_thread_loop(nest, begin, last, rows, values_);
  }
}

bool RegionWriter::is_used(const AllocaInst& memory) const {
  return any_of(memory.users(), [&](const User* user) {
    return blocks_.contains(const_cast<BasicBlock*>(cast<Instruction>(user)->getParent()));
  });
}

bool RegionWriter::is_set(const AllocaInst& slot) const {
  return any_of(slot.users(), [&](const User* user) {
    auto* store = dyn_cast<StoreInst>(user);
    return store && blocks_.contains(const_cast<BasicBlock*>(store->getParent()));
  });
}

bool RegionWriter::is_written(AllocaInst& array) const {
  bool escapes = false;
  return any_of(users_through_pointers(array, escapes), [&](const Instruction* user) {
    return user->mayWriteToMemory() && blocks_.contains(const_cast<BasicBlock*>(user->getParent()));
  });
}

/// Demoted values become local slots, filled from the frame.
void RegionWriter::place_slots(ArrayRef<AllocaInst*> columns) {
  Value* frames = load_field(prologue_, prologue_.getPtrTy(), values_.block,
                             offsetof(BlockContext, frames), "frames");
  Value* padded = load_field(prologue_, prologue_.getInt32Ty(), values_.block,
                             offsetof(BlockContext, padded_threads), "padded");
  padded = prologue_.CreateZExt(padded, prologue_.getInt64Ty());
  Value* t = body_.CreateZExt(values_.linear, body_.getInt64Ty());
  Value* lane = body_.CreateZExt(loop_.index, body_.getInt64Ty());
  for (auto& [memory, slot] : frame_.layout.slots) {
    if (!is_used(*memory)) continue;
    if (const auto* column = find(columns, memory); column != columns.end()) {
      Argument* base = function_->arg_end() - (columns.end() - column);
      Value* own = body_.CreateMul(lane, body_.getInt64(slot.stride()), "", true, true);
      frame_address_[memory] =
          body_.CreateInBoundsGEP(body_.getInt8Ty(), base, own, memory->getName() + ".lane");
      if (slot.element) spaced_.push_back({memory, slot.element, body_.getInt64(abi::warp_size)});
      continue;
    }
    Value* offset = prologue_.CreateMul(padded, prologue_.getInt64(slot.offset), "", true, true);
    Value* base = prologue_.CreateInBoundsGEP(prologue_.getInt8Ty(), frames, offset);
    Value* own = body_.CreateMul(t, body_.getInt64(slot.stride()), "", true, true);
    frame_address_[memory] =
        body_.CreateInBoundsGEP(body_.getInt8Ty(), base, own, memory->getName() + ".frame");
    if (slot.element) spaced_.push_back({memory, slot.element, padded});
  }
  for (AllocaInst* slot : frame_.slots) {
    if (!is_used(*slot)) continue;
    AllocaInst* local = prologue_.CreateAlloca(slot->getAllocatedType(), nullptr, slot->getName());
    local_slot_[slot] = local;
    map_[slot] = local;
  }
}

/// Variables of the frame become addresses in it, but for tiles, of which the region has a copy;
/// the rest stays on the region's stack.
void RegionWriter::place_variables() {
  for (AllocaInst* memory : frame_.variables) {
    if (!is_used(*memory)) continue;
    const auto found = frame_address_.find(memory);
    const bool is_in_frame = found != frame_address_.end();
    if (is_in_frame && !is_own_tile(*memory)) {
      map_[memory] = found->second;
      continue;
    }
    auto* local = cast<AllocaInst>(memory->clone());
    prologue_.Insert(local, memory->getName());
    local->setDebugLoc({});  // of the kernel, not of this function
    map_[memory] = local;
    if (is_in_frame) copy_from_frame(*memory, *local);
  }
}

void RegionWriter::copy_from_frame(AllocaInst& tile, AllocaInst& local) {
  const std::uint64_t bytes = frame_.layout.slots.lookup(&tile).size;
  Value* in_frame = frame_address_[&tile];
  body_.CreateMemCpy(&local, local.getAlign(), in_frame, local.getAlign(), bytes);
  if (is_written(tile)) written_tiles_.push_back({&local, in_frame, bytes});
}

void RegionWriter::clone_blocks() {
  for (BasicBlock* block : blocks_) {
    BasicBlock* copy = BasicBlock::Create(function_->getContext(), block->getName(), function_);
    map_[block] = copy;
    for (Instruction& instruction : *block) {
      if (isa<AllocaInst>(instruction)) continue;  // placed already
      Instruction* twin = instruction.clone();
      twin->setName(instruction.getName());
      twin->insertInto(copy, copy->end());
      map_[&instruction] = twin;
    }
  }
  for (BasicBlock* block : blocks_) {
    for (PHINode& phi : block->phis()) {
      auto* twin = cast<PHINode>(map_[&phi]);
      for (BasicBlock* from : SmallVector<BasicBlock*>(phi.blocks()))
        if (!blocks_.contains(from)) twin->removeIncomingValue(from, false);
    }
  }
}

Instruction* RegionWriter::leave(BasicBlock& copy, const SlotSet& live) {
  if (Instruction* terminator = copy.getTerminator()) terminator->eraseFromParent();
  IRBuilder<> builder(&copy);
  for (auto& [slot, local] : local_slot_) {
    if (!live.contains(slot) || !is_set(*slot)) continue;
    Value* value = builder.CreateLoad(slot->getAllocatedType(), local);
    builder.CreateStore(value, frame_address_[slot]);
  }
  for (const auto& [local, in_frame, bytes] : written_tiles_)
    builder.CreateMemCpy(in_frame, local->getAlign(), local, local->getAlign(), bytes);
  return builder.CreateBr(loop_.latch);
}

/// Code that is not inlined finds its thread through a ThreadContext on the region's stack.
void RegionWriter::provide_thread_context() {
  bool needed = any_of(instructions(*function_),
                       [](Instruction& i) { return is_marker(&i, Marker::thread); });
  if (!needed) return;
  Type* bytes = ArrayType::get(prologue_.getInt8Ty(), sizeof(ThreadContext));
  AllocaInst* thread = prologue_.CreateAlloca(bytes, nullptr, "thread");
  thread->setAlignment(Align(alignof(ThreadContext)));
  const auto index = has_linear_threads(kernel_)
                         ? thread_index_of(body_, values_.linear, values_.block_size)
                         : values_.thread_index;
  prologue_.CreateStore(values_.block,
                        field_address(prologue_, thread, offsetof(ThreadContext, block)));
  for (unsigned axis = 0; axis < 3; ++axis)
    body_.CreateStore(index[axis], field_address(body_, thread,
                                                 offsetof(ThreadContext, thread_index) + 4 * axis));
  body_.CreateStore(values_.linear, field_address(body_, thread, offsetof(ThreadContext, thread)));
  values_.thread = thread;
}

void RegionWriter::finish(BasicBlock& entry, const SlotSet& live, const Instruction* presence) {
  for (BasicBlock* block : blocks_)
    for (Instruction& instruction : copy_of(*block))
      RemapInstruction(&instruction, map_, RF_IgnoreMissingLocals);
  for (const auto& [array, element, spacing] : spaced_)
    space_elements(*array, element, spacing, map_);
  if (presence) {
    auto* test = cast<Instruction>(map_[presence]);
    BasicBlock* rest = test->getParent()->splitBasicBlock(test->getNextNode(), "present");
    Instruction* end = test->getParent()->getTerminator();
    BranchInst::Create(rest, loop_.latch, test, end);
    end->eraseFromParent();
  }
  provide_thread_context();
  for (auto& [slot, local] : local_slot_) {
    Type* type = slot->getAllocatedType();
    Value* value = live.contains(slot) ? body_.CreateLoad(type, frame_address_[slot])
                                       : static_cast<Value*>(PoisonValue::get(type));
    body_.CreateStore(value, local);
  }
  body_.CreateBr(&copy_of(entry));
  prologue_.CreateBr(entry_->getNextNode());
  lower_context(*function_, values_);
  forget_tail_calls(*function_);
  const WeakVH latch = loop_.latch;
  removeUnreachableBlocks(*function_);
  if (latch) mark_parallel(*function_, *loop_.latch);  // else every thread ends in a trap
}

}  // namespace gridspan::transforms
