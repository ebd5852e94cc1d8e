// Which kernels are looked at, for which blocks, and what is put in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/warp_steps.h"

#include "abi/sync.h"
#include "transforms/services.h"
#include "transforms/warp_steps/conflicts.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <set>

namespace gridspan::transforms {

using namespace llvm;

namespace {

using Shape = std::array<std::uint32_t, 3>;
constexpr std::uint32_t most_threads = 1024;

/// Functions in whose code an array of shared memory is named.
SmallPtrSet<const Function*, 16> functions_with_arrays(Module& module) {
  SmallPtrSet<const Function*, 16> found;
  SmallVector<const Value*> open;
  for (const GlobalVariable& variable : module.globals())
    if (is_shared_array(&variable)) open.push_back(&variable);
  SmallPtrSet<const Value*, 16> seen;
  while (!open.empty()) {
    for (const User* user : open.pop_back_val()->users()) {
      if (auto* instruction = dyn_cast<Instruction>(user))
        found.insert(instruction->getFunction());
      else if (seen.insert(user).second)
        open.push_back(user);
    }
  }
  return found;
}

bool reads(const SetVector<Function*>& functions, Intrinsic::ID reg) {
  return any_of(functions, [&](Function* function) {
    return any_of(instructions(*function), [&](const Instruction& instruction) {
      const auto* call = dyn_cast<IntrinsicInst>(&instruction);
      return call && call->getIntrinsicID() == reg;
    });
  });
}

/// Of launches that are known, or what blocks usually look like.
StepShapes shapes_to_try(const KernelDeclaration& kernel, const SetVector<Function*>& reached,
                         StepShapes known) {
  erase_if(known, [](const Shape& shape) {
    return shape[0] == 0 || shape[1] == 0 || shape[2] == 0 ||
           std::uint64_t{shape[0]} * shape[1] * shape[2] > most_threads;
  });
  constexpr unsigned enough = 3;
  StepShapes shapes;
  for (const Shape& shape : known)
    if (!is_contained(shapes, shape) && shapes.size() < enough) shapes.push_back(shape);
  if (!shapes.empty()) return shapes;
  const std::uint32_t most = kernel.max_threads == 0 ? most_threads : kernel.max_threads;
  const bool is_flat = !reads(reached, Intrinsic::nvvm_read_ptx_sreg_tid_y) &&
                       !reads(reached, Intrinsic::nvvm_read_ptx_sreg_tid_z);
  if (is_flat) {
    shapes.push_back({std::min(most, most_threads), 1, 1});
    return shapes;
  }
  if (reads(reached, Intrinsic::nvvm_read_ptx_sreg_tid_z)) shapes.push_back({8, 8, 8});
  shapes.push_back({16, 16, 1});
  shapes.push_back({32, 32, 1});
  return shapes;
}

void call_step(Instruction& at) {
  IRBuilder<> builder(&at);
  CallInst* step =
      call_service(builder, abi::warp_step_function, builder.getVoidTy(), {builder.getInt32(0)});
  step->getCalledFunction()->setConvergent();
  step->setConvergent();
}

/// Reads all, waits, and writes all.
void step_inside(MemTransferInst& copy, function_ref<void(Instruction&)> step_before) {
  IRBuilder<> entry(&*copy.getFunction()->getEntryBlock().getFirstInsertionPt());
  AllocaInst* memory = entry.CreateAlloca(
      ArrayType::get(entry.getInt8Ty(), cast<ConstantInt>(copy.getLength())->getZExtValue()));
  memory->setAlignment(Align(16));
  IRBuilder<> builder(&copy);
  builder.CreateMemCpy(memory, Align(16), copy.getRawSource(), copy.getSourceAlign(),
                       copy.getLength());
  builder.CreateMemCpy(copy.getRawDest(), copy.getDestAlign(), memory, Align(16), copy.getLength());
  step_before(*copy.getPrevNode());
  copy.eraseFromParent();
}

}  // namespace

WarpSteps find_warp_steps(Module& module, ArrayRef<KernelDeclaration> kernels,
                          function_ref<StepShapes(StringRef kernel)> shapes,
                          bool volatile_is_ordered) {
  WarpSteps steps;
  const auto with_arrays = functions_with_arrays(module);
  if (with_arrays.empty()) return steps;
  const Places places(module);
  for (const KernelDeclaration& kernel : kernels) {
    const SetVector<Function*> reached = reachable_functions(*kernel.function);
    if (none_of(reached, [&](Function* one) { return with_arrays.contains(one); })) continue;
    const std::string name = kernel.function->getName().str();
    std::set<StepPlace> known;
    for (const Shape& shape : shapes_to_try(kernel, reached, shapes(name))) {
      const UnfoldedKernel unfolded = unfold(*kernel.function, reached, places, shape);
      for (const Conflict& conflict : find_conflicts(unfolded, shape, volatile_is_ordered)) {
        if (!known.insert({conflict.place, conflict.inside}).second) continue;
        steps.places.insert({conflict.place, conflict.inside});
        steps.of_kernel[name].push_back({source_line(places.at(conflict.second)),
                                         source_line(places.at(conflict.first)),
                                         !conflict.second_writes, !conflict.first_writes});
      }
    }
  }
  return steps;
}

void insert_warp_steps(Module& module, const std::set<StepPlace>& wanted,
                       function_ref<void(Instruction&)> step_before) {
  if (wanted.empty()) return;
  const Places places(module);
  for (const auto& [place, inside] : wanted) {
    if (inside)
      step_inside(cast<MemTransferInst>(places.at(place)), step_before);
    else
      step_before(places.at(place));
  }
}

void keep_warps_in_step(Module& module, const std::set<StepPlace>& places) {
  insert_warp_steps(module, places, call_step);
}

}  // namespace gridspan::transforms
