// Finds sums over loops of known length.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/own_tiles.h"

#include "transforms/function_analyses.h"
#include "transforms/stack_variables.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <optional>

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr StringRef mark = "gridspan.own_tile";
/// Fewer sums, each of which waits for its last one, keep a CPU's multipliers waiting, too.
constexpr unsigned least_bytes = 128;
constexpr unsigned most_bytes = 4096, most_rounds = 64;
/// Of the floating-point operations, elements summed are at least the reciprocal. (Four products at
/// a time are some five operations for each.)
constexpr double most_other_work = 8;
constexpr double most_unrolled = 8192;  // operations of a tile's loops

Type* innermost(Type* type) {
  while (true) {
    auto* array = dyn_cast<ArrayType>(type);
    auto* structure = dyn_cast<StructType>(type);
    if (array)
      type = array->getElementType();
    else if (structure && structure->getNumElements() != 0)
      type = structure->getElementType(0);
    else
      return type;
  }
}

/// All loops that the address moves with, if each goes so many rounds; `address` is in the array.
bool loops_of(Value& address, ScalarEvolution& evolution, SetVector<const Loop*>& loops) {
  const SCEV* place = evolution.removePointerBase(evolution.getSCEV(&address));
  while (auto* step = dyn_cast<SCEVAddRecExpr>(place)) {
    const unsigned rounds = evolution.getSmallConstantTripCount(step->getLoop());
    if (!step->isAffine() || !isa<SCEVConstant>(step->getStepRecurrence(evolution)) ||
        rounds == 0 || rounds > most_rounds)
      return false;
    loops.insert(step->getLoop());
    place = step->getStart();
  }
  return isa<SCEVConstant>(place);
}

/// An array all of whose elements have known subscripts once `loops` are unrolled.
struct Array {
  AllocaInst* memory;
  SmallVector<Instruction*> accesses;
  SetVector<const Loop*> loops;
};

std::optional<Array> read_array(AllocaInst& memory, ScalarEvolution& evolution) {
  const auto bytes = memory.getAllocationSize(memory.getDataLayout());
  if (memory.isArrayAllocation() || !memory.getAllocatedType()->isAggregateType() || !bytes ||
      bytes->getFixedValue() > most_bytes)
    return std::nullopt;
  Array array{&memory, {}, {}};
  bool escapes = false;
  for (Instruction* user : users_through_pointers(memory, escapes)) {
    if (isa<LoadInst, StoreInst>(user)) {
      Value* address = getLoadStorePointerOperand(user);
      if (user->isVolatile() || user->isAtomic() || !loops_of(*address, evolution, array.loops))
        return std::nullopt;
      array.accesses.push_back(user);
    } else if (!isa<GetElementPtrInst>(user) && !isa<MemIntrinsic>(user) &&
               !user->isLifetimeStartOrEnd()) {
      return std::nullopt;
    }
  }
  if (escapes) return std::nullopt;
  return array;
}

/// How often `block` runs for once of the innermost loop of unknown length around it.
double rounds_of(const BasicBlock& block, const LoopInfo& loops, ScalarEvolution& evolution) {
  double rounds = 1;
  for (const Loop* loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
    rounds *= std::max(1u, evolution.getSmallConstantTripCount(loop));
  return rounds;
}

bool is_sum(const Instruction& instruction) {
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return instruction.getOpcode() == Instruction::FAdd ||
         (call && (call->getIntrinsicID() == Intrinsic::fmuladd ||
                   call->getIntrinsicID() == Intrinsic::fma));
}

/// `array[i] = array[i] + ...`, also several times over.
bool is_update(const StoreInst& store, const Array& array, ScalarEvolution& evolution) {
  const SCEV* place = evolution.getSCEV(const_cast<Value*>(store.getPointerOperand()));
  SmallVector<const Value*> left{store.getValueOperand()};
  while (!left.empty()) {
    const Value* value = left.pop_back_val();
    if (auto* load = dyn_cast<LoadInst>(value)) {
      if (is_contained(array.accesses, load) &&
          evolution.getSCEV(const_cast<Value*>(load->getPointerOperand())) == place)
        return true;
      continue;
    }
    auto* sum = dyn_cast<Instruction>(value);
    if (!sum || !is_sum(*sum)) continue;
    const bool is_fused = isa<CallInst>(sum);
    if (!is_fused) left.push_back(sum->getOperand(0));
    left.push_back(sum->getOperand(is_fused ? 2 : 1));
  }
  return false;
}

}  // namespace

static bool may_be_tile(const AllocaInst& memory) {
  Type* element = innermost(memory.getAllocatedType());
  const auto bytes = memory.getAllocationSize(memory.getDataLayout());
  return (element->isFloatTy() || element->isDoubleTy()) && bytes &&
         bytes->getFixedValue() >= least_bytes;
}

/// Floating-point operations of the block.
static double operations_in(const BasicBlock& block) {
  return static_cast<double>(count_if(block, [](const Instruction& instruction) {
    return instruction.getType()->isFPOrFPVectorTy() && isa<CallInst, BinaryOperator>(instruction);
  }));
}

std::optional<SourceLine> mark_own_tiles(Function& kernel) {
  std::vector<AllocaInst*> memories;
  for (Instruction& instruction : instructions(kernel))
    if (auto* memory = dyn_cast<AllocaInst>(&instruction)) memories.push_back(memory);
  if (none_of(memories, [](AllocaInst* memory) { return may_be_tile(*memory); }))
    return std::nullopt;

  FunctionAnalyses analyses(kernel);
  ScalarEvolution& evolution = analyses.evolution;
  std::vector<Array> arrays;
  SmallPtrSet<const Loop*, 8> around;  // the outermost loops around updates
  SmallPtrSet<const Loop*, 8> unrolled;
  const StoreInst* update = nullptr;
  double updates = 0, operations = 0;
  for (AllocaInst* memory : memories) {
    auto array = read_array(*memory, evolution);
    if (!array) continue;
    for (const Instruction* access : array->accesses) {
      auto* store = dyn_cast<StoreInst>(access);
      if (!store || !may_be_tile(*memory) || !is_update(*store, *array, evolution)) continue;
      const Loop* loop = analyses.loops.getLoopFor(store->getParent());
      if (!loop) continue;
      update = store;
      updates += rounds_of(*store->getParent(), analyses.loops, evolution);
      around.insert(loop->getOutermostLoop());
    }
    unrolled.insert(array->loops.begin(), array->loops.end());
    arrays.push_back(std::move(*array));
  }
  if (!update) return std::nullopt;
  double size = 0;
  for (const BasicBlock& block : kernel) {
    const Loop* loop = analyses.loops.getLoopFor(&block);
    if (!loop || !around.contains(loop->getOutermostLoop())) continue;
    operations += operations_in(block) * rounds_of(block, analyses.loops, evolution);
    double rounds = 1;
    for (; loop; loop = loop->getParentLoop())
      if (unrolled.contains(loop)) rounds *= evolution.getSmallConstantTripCount(loop);
    size += rounds * static_cast<double>(block.size());
  }
  if (operations > most_other_work * updates || size > most_unrolled) return std::nullopt;
  const auto is_around = [&](const Instruction* access) {
    const Loop* loop = analyses.loops.getLoopFor(access->getParent());
    return loop && around.contains(loop->getOutermostLoop());
  };
  for (const Array& array : arrays)
    if (any_of(array.accesses, is_around))
      array.memory->setMetadata(mark, MDNode::get(kernel.getContext(), {}));
  return source_line(*update);
}

bool is_own_tile(const Instruction& array) { return array.hasMetadata(mark); }

bool uses_own_tiles(const Function& region) { return any_of(region.getEntryBlock(), is_own_tile); }

void unroll_own_tiles(Function& region) {
  FunctionAnalyses analyses(region);
  SetVector<const Loop*> loops;
  for (Instruction& instruction : instructions(region)) {
    if (!is_own_tile(instruction)) continue;
    if (auto array = read_array(cast<AllocaInst>(instruction), analyses.evolution))
      loops.insert(array->loops.begin(), array->loops.end());
  }
  LLVMContext& context = region.getContext();
  MDNode* full = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.full"));
  for (Loop* loop : analyses.loops.getLoopsInPreorder())
    if (loops.contains(loop))
      loop->setLoopID(makePostTransformationMetadata(context, loop->getLoopID(),
                                                     {"llvm.loop.unroll."}, {full}));
}

}  // namespace gridspan::transforms
