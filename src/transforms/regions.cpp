// From one kernel function to its region functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/regions.h"

#include "abi/launch.h"
#include "abi/module.h"
#include "transforms/context.h"
#include "transforms/frame.h"
#include "transforms/live_values.h"
#include "transforms/parallel_loop.h"
#include "transforms/region_debug_info.h"
#include "transforms/stack_variables.h"
#include "transforms/sync_cuts.h"
#include "transforms/thread_functions.h"
#include "transforms/thread_loop.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstddef>

namespace gridspan::transforms {

using namespace llvm;
using abi::BlockContext;
using abi::ThreadContext;

namespace {

/// Marks the store that says where a thread waits.
constexpr const char* next_store = "gridspan.next";

/// Builds the functions of one kernel's regions.
class RegionBuilder {
 public:
  RegionBuilder(Function& kernel, std::vector<Cut> cuts) : kernel_(kernel), cuts_(std::move(cuts)) {
    for (unsigned i = 0; i < cuts_.size(); ++i) region_after_[cuts_[i].before] = i + 1;
  }

  RegionKernel build() {
    find_region_blocks();
    prepare_frame();
    RegionKernel result;
    result.frame_bytes = frame_.bytes;
    result.regions.push_back(build_region(kernel_.getEntryBlock(), 0));
    for (unsigned i = 0; i < cuts_.size(); ++i) {
      RegionCode code = build_region(*cuts_[i].continuation, i + 1);
      code.kind = cuts_[i].kind;
      code.where = cuts_[i].where;
      result.regions.push_back(code);
    }
    kernel_.deleteBody();
    return result;
  }

 private:
  using Blocks = SetVector<BasicBlock*>;

  void find_region_blocks();
  void prepare_frame();
  bool stays_in_one_region(AllocaInst& memory);
  Blocks blocks_of_region(BasicBlock& entry);
  RegionCode build_region(BasicBlock& entry, unsigned number);
  void place_stack_variables(IRBuilder<>& prologue, IRBuilder<>& body, const ContextValues& values,
                             const Blocks& blocks, ValueToValueMapTy& map);
  void clone_blocks(Function& region, const Blocks& blocks, ValueToValueMapTy& map);
  void leave(BasicBlock& block, unsigned successor, const Blocks& blocks, BasicBlock& latch,
             ValueToValueMapTy& map);
  void link_exits(const Blocks& blocks, BasicBlock& latch, ValueToValueMapTy& map);

  Function& kernel_;
  std::vector<Cut> cuts_;
  DenseMap<BasicBlock*, unsigned> region_after_;  // block that ends at a sync point → region
  std::vector<Blocks> region_blocks_;             // blocks of each region, its entry first
  std::vector<AllocaInst*> slots_;                // demoted values
  DenseMap<unsigned, SmallPtrSet<AllocaInst*, 16>> live_slots_;  // region → slots it starts with
  std::vector<AllocaInst*> variables_;                           // the kernel's own stack variables
  FrameLayout frame_;

  // While one region is built:
  MapVector<AllocaInst*, Value*> frame_address_;  // this thread's copy in the frame
  MapVector<AllocaInst*, Value*> local_slot_;     // the slot's stack variable in the region
  SmallSetVector<unsigned, 4> successors_;
};

/// The variable's contents cannot outlive one run of one region: it may stay on the stack.
bool RegionBuilder::stays_in_one_region(AllocaInst& memory) {
  if (cuts_.empty()) return true;
  bool escapes = false;
  SmallPtrSet<BasicBlock*, 8> used_in;
  for (Instruction* user : users_through_pointers(memory, escapes))
    used_in.insert(user->getParent());
  if (escapes) return false;
  int owner = -1;
  for (unsigned region = 0; region <= cuts_.size(); ++region) {
    const Blocks& blocks = region_blocks_[region];
    if (none_of(used_in, [&](BasicBlock* block) { return blocks.contains(block); })) continue;
    if (owner >= 0) return false;
    owner = static_cast<int>(region);
  }
  if (owner <= 0) return true;  // region 0 is entered once
  BasicBlock* entry = cuts_[owner - 1].continuation;
  SmallVector<BasicBlock*> next(successors(entry));
  if (next.empty()) return true;
  return !isPotentiallyReachableFromMany(next, entry, nullptr, nullptr, nullptr) &&
         !is_contained(next, entry);
}

void RegionBuilder::find_region_blocks() {
  region_blocks_.push_back(blocks_of_region(kernel_.getEntryBlock()));
  for (const Cut& cut : cuts_) region_blocks_.push_back(blocks_of_region(*cut.continuation));
}

void RegionBuilder::prepare_frame() {
  std::vector<BasicBlock*> continuations;
  for (const Cut& cut : cuts_) continuations.push_back(cut.continuation);
  for (Instruction& instruction : instructions(kernel_))
    if (auto* memory = dyn_cast<AllocaInst>(&instruction)) variables_.push_back(memory);
  if (!cuts_.empty()) repeat_cheap_values(kernel_, continuations);

  LiveValues live(kernel_);
  std::vector<SetVector<Instruction*>> live_into;
  for (BasicBlock* block : continuations) live_into.push_back(live.live_into(*block));
  SetVector<Instruction*> order;
  for (auto& values : live_into) order.insert(values.begin(), values.end());
  slots_ = demote_live_values(kernel_, continuations);
  DenseMap<Instruction*, AllocaInst*> slot_of;
  for (unsigned i = 0; i < order.size(); ++i) slot_of[order[i]] = slots_[i];
  for (unsigned i = 0; i < live_into.size(); ++i)
    for (Instruction* value : live_into[i]) live_slots_[i + 1].insert(slot_of.at(value));

  std::vector<AllocaInst*> in_frame = slots_;
  for (AllocaInst* memory : variables_) {
    if (stays_in_one_region(*memory)) continue;
    erase_lifetime_markers(*memory);
    in_frame.push_back(memory);
  }
  frame_ = lay_out_frame(in_frame);
}

RegionBuilder::Blocks RegionBuilder::blocks_of_region(BasicBlock& entry) {
  Blocks blocks;
  blocks.insert(&entry);
  for (unsigned i = 0; i < blocks.size(); ++i) {
    if (region_after_.contains(blocks[i])) continue;
    for (BasicBlock* next : successors(blocks[i])) blocks.insert(next);
  }
  return blocks;
}

/// Stack variables used in the region: demoted values become local slots filled from the frame,
/// variables of the frame become addresses in it, the rest stays on the region's stack.
void RegionBuilder::place_stack_variables(IRBuilder<>& prologue, IRBuilder<>& body,
                                          const ContextValues& values, const Blocks& blocks,
                                          ValueToValueMapTy& map) {
  frame_address_.clear();
  local_slot_.clear();
  auto is_used = [&](AllocaInst* memory) {
    return any_of(memory->users(), [&](User* user) {
      return blocks.contains(cast<Instruction>(user)->getParent());
    });
  };
  Value* frames = load_field(prologue, prologue.getPtrTy(), values.block,
                             offsetof(BlockContext, frames), "frames");
  Value* padded = load_field(prologue, prologue.getInt32Ty(), values.block,
                             offsetof(BlockContext, padded_threads), "padded");
  padded = prologue.CreateZExt(padded, prologue.getInt64Ty());
  Value* t = body.CreateZExt(values.linear, body.getInt64Ty());
  for (auto& [memory, slot] : frame_.slots) {
    if (!is_used(memory)) continue;
    Value* offset = prologue.CreateMul(padded, prologue.getInt64(slot.offset), "", true, true);
    Value* base = prologue.CreateInBoundsGEP(prologue.getInt8Ty(), frames, offset);
    Value* own = body.CreateMul(t, body.getInt64(slot.size), "", true, true);
    frame_address_[memory] =
        body.CreateInBoundsGEP(body.getInt8Ty(), base, own, memory->getName() + ".frame");
  }
  for (AllocaInst* slot : slots_) {
    if (!is_used(slot)) continue;
    AllocaInst* local = prologue.CreateAlloca(slot->getAllocatedType(), nullptr, slot->getName());
    local_slot_[slot] = map[slot] = local;
  }
  for (AllocaInst* memory : variables_) {
    if (!is_used(memory)) continue;
    if (auto found = frame_address_.find(memory); found != frame_address_.end()) {
      map[memory] = found->second;
      continue;
    }
    auto* local = cast<AllocaInst>(memory->clone());
    prologue.Insert(local, memory->getName());
    local->setDebugLoc({});  // of the kernel, not of this function
    map[memory] = local;
  }
}

void RegionBuilder::clone_blocks(Function& region, const Blocks& blocks, ValueToValueMapTy& map) {
  SmallVector<BasicBlock*> copies;
  for (BasicBlock* block : blocks) {
    BasicBlock* copy = BasicBlock::Create(region.getContext(), block->getName(), &region);
    map[block] = copy;
    copies.push_back(copy);
    for (Instruction& instruction : *block) {
      if (isa<AllocaInst>(instruction)) continue;  // placed already
      Instruction* twin = instruction.clone();
      twin->setName(instruction.getName());
      twin->insertInto(copy, copy->end());
      map[&instruction] = twin;
    }
  }
  for (BasicBlock* block : blocks) {
    for (PHINode& phi : block->phis()) {
      auto* twin = cast<PHINode>(map[&phi]);
      for (BasicBlock* from : SmallVector<BasicBlock*>(phi.blocks()))
        if (!blocks.contains(from)) twin->removeIncomingValue(from, false);
    }
  }
}

/// Ends `block` (a copy): live values to the frame, where the thread waits to next[t], next thread.
void RegionBuilder::leave(BasicBlock& block, unsigned successor, const Blocks& blocks,
                          BasicBlock& latch, ValueToValueMapTy&) {
  successors_.insert(successor);
  Instruction* terminator = block.getTerminator();
  IRBuilder<> builder(terminator);
  for (auto& [slot, local] : local_slot_) {
    if (!live_slots_[successor].contains(slot)) continue;
    bool is_set = any_of(slot->users(), [&](User* user) {
      auto* store = dyn_cast<StoreInst>(user);
      return store && blocks.contains(store->getParent());
    });
    if (!is_set) continue;
    Value* value = builder.CreateLoad(slot->getAllocatedType(), local);
    builder.CreateStore(value, frame_address_[slot]);
  }
  Value* next = builder.getInt16(successor);
  StoreInst* store = builder.CreateStore(
      next, thread_entry_of(builder, offsetof(BlockContext, next), next->getType()));
  store->setMetadata(next_store, MDNode::get(builder.getContext(), {}));
  builder.CreateBr(&latch);
  terminator->eraseFromParent();
}

void RegionBuilder::link_exits(const Blocks& blocks, BasicBlock& latch, ValueToValueMapTy& map) {
  successors_.clear();
  for (BasicBlock* block : blocks) {
    auto& copy = *cast<BasicBlock>(map[block]);
    if (auto found = region_after_.find(block); found != region_after_.end())
      leave(copy, found->second, blocks, latch, map);
    else if (isa<ReturnInst>(copy.getTerminator()))
      leave(copy, abi::exited, blocks, latch, map);
  }
}

/// With one way out nobody reads next[t].
void drop_next_stores(Function& region) {
  for (Instruction& instruction : make_early_inc_range(instructions(region)))
    if (auto* store = dyn_cast<StoreInst>(&instruction); store && store->hasMetadata(next_store))
      store->eraseFromParent();
}

/// Code that is not inlined finds its thread through a ThreadContext on the region's stack.
void provide_thread_context(Function& region, IRBuilder<>& prologue, IRBuilder<>& body,
                            ContextValues& values) {
  bool needed =
      any_of(instructions(region), [](Instruction& i) { return is_marker(&i, Marker::thread); });
  if (!needed) return;
  Type* bytes = ArrayType::get(prologue.getInt8Ty(), sizeof(ThreadContext));
  AllocaInst* thread = prologue.CreateAlloca(bytes, nullptr, "thread");
  thread->setAlignment(Align(alignof(ThreadContext)));
  prologue.CreateStore(values.block,
                       field_address(prologue, thread, offsetof(ThreadContext, block)));
  for (unsigned axis = 0; axis < 3; ++axis)
    body.CreateStore(values.thread_index[axis],
                     field_address(body, thread, offsetof(ThreadContext, thread_index) + 4 * axis));
  body.CreateStore(values.linear, field_address(body, thread, offsetof(ThreadContext, thread)));
  values.thread = thread;
}

RegionCode RegionBuilder::build_region(BasicBlock& entry, unsigned number) {
  LLVMContext& context = kernel_.getContext();
  Type* i32 = Type::getInt32Ty(context);
  auto* type =
      FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0), i32, i32}, false);
  Function* region =
      Function::Create(type, GlobalValue::InternalLinkage,
                       kernel_.getName() + ".region." + Twine(number), kernel_.getParent());
  copy_code_attributes(kernel_, *region);

  IRBuilder<> prologue(BasicBlock::Create(context, "entry", region));
  BasicBlock* threads = BasicBlock::Create(context, "threads", region);
  ContextValues values = load_block_values(prologue, region->getArg(0));
  ValueToValueMapTy map;
  adopt_debug_info(kernel_, *region, map);
  for (Argument& parameter : kernel_.args())
    map[&parameter] = load_argument(prologue, values.arguments, parameter);
  IRBuilder<> nest(threads);
  ThreadLoop loop = make_thread_loop(nest, region->getArg(1), region->getArg(2), values);
  IRBuilder<> body(loop.body);

  const Blocks& blocks = region_blocks_[number];
  place_stack_variables(prologue, body, values, blocks, map);
  clone_blocks(*region, blocks, map);
  link_exits(blocks, *loop.latch, map);
  SmallVector<BasicBlock*> copies;
  for (BasicBlock* block : blocks) copies.push_back(cast<BasicBlock>(map[block]));
  for (BasicBlock* copy : copies)
    for (Instruction& instruction : *copy)
      RemapInstruction(&instruction, map, RF_IgnoreMissingLocals);
  provide_thread_context(*region, prologue, body, values);
  for (auto& [slot, local] : local_slot_) {
    bool is_live = live_slots_[number].contains(slot);
    Type* slot_type = slot->getAllocatedType();
    Value* value = is_live ? body.CreateLoad(slot_type, frame_address_[slot])
                           : static_cast<Value*>(PoisonValue::get(slot_type));
    body.CreateStore(value, local);
  }
  body.CreateBr(cast<BasicBlock>(map[&entry]));
  prologue.CreateBr(threads);
  lower_context(*region, values);
  forget_tail_calls(*region);

  bool single = successors_.size() == 1;
  if (single) drop_next_stores(*region);
  // A region none of whose paths ends (they all trap) still needs an answer: it never comes back.
  std::uint16_t successor = successors_.empty() ? abi::exited
                            : single            ? static_cast<std::uint16_t>(successors_[0])
                                                : abi::many_successors;
  removeUnreachableBlocks(*region);
  mark_parallel(*region, *loop.latch);
  return {region, successor, abi::SyncKind::barrier, {}};
}

}  // namespace

RegionKernel cut_into_regions(Function& kernel, bool debug_info) {
  removeUnreachableBlocks(kernel);
  std::vector<Cut> cuts = cut_at_sync_points(kernel);
  if (!debug_info) stripDebugInfo(kernel);  // not earlier: the cuts know their lines
  return RegionBuilder(kernel, std::move(cuts)).build();
}

}  // namespace gridspan::transforms
