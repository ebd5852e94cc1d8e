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
/// Beside those of usual size.
constexpr Shape small_block = {64, 1, 1};
/// For `unfold`, which then leaves the shape open.
constexpr Shape any_block = {0, 0, 0};

/// Functions in whose code an array of shared memory is named, or an access is volatile if that
/// orders nothing.
SmallPtrSet<const Function*, 16> functions_with_arrays(Module& module, bool volatile_is_ordered) {
  SmallPtrSet<const Function*, 16> found;
  for (const Function& function : module)
    if (!volatile_is_ordered && any_of(instructions(function), [](const Instruction& one) {
          return one.isVolatile() && !visible_accesses(one).empty();
        }))
      found.insert(&function);
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

/// Steps of one kernel after the other.
class StepFinder {
 public:
  StepFinder(Module& module, bool volatile_is_ordered)
      : with_arrays_(functions_with_arrays(module, volatile_is_ordered)),
        places_(module),
        volatile_is_ordered_(volatile_is_ordered) {}

  void look_at(const KernelDeclaration& kernel, const StepShapes& known_shapes);

  WarpSteps take() {
    for (const unsigned place : unsettled_) steps_.settled.erase(place);
    return std::move(steps_);
  }

 private:
  void note(const std::string& kernel, const std::vector<Conflict>& found);

  SmallPtrSet<const Function*, 16> with_arrays_;
  Places places_;
  bool volatile_is_ordered_;
  WarpSteps steps_;
  std::set<unsigned> unsettled_;
};

void StepFinder::note(const std::string& kernel, const std::vector<Conflict>& found) {
  std::set<StepPlace> known;
  for (const Conflict& conflict : found) {
    if (!known.insert({conflict.place, conflict.inside}).second) continue;
    steps_.places.insert({conflict.place, conflict.inside});
    steps_.of_kernel[kernel].push_back(
        {source_line(places_.at(conflict.second)), source_line(places_.at(conflict.first)),
         !conflict.second_writes, !conflict.first_writes, conflict.is_certain});
  }
}

void StepFinder::look_at(const KernelDeclaration& kernel, const StepShapes& known_shapes) {
  const SetVector<Function*> reached = reachable_functions(*kernel.function);
  std::set<unsigned> loads;  // that are volatile, and of which nothing is known yet
  if (!volatile_is_ordered_)
    for (const Function* function : reached) loads.merge(places_.volatile_loads_in(*function));
  if (none_of(reached, [&](Function* one) { return with_arrays_.contains(one); })) {
    unsettled_.merge(loads);
    return;
  }
  StepShapes shapes = shapes_to_try(kernel, reached, known_shapes);
  if (!loads.empty()) {  // they must be settled in whatever blocks other launches have
    const StepShapes usual = shapes_to_try(kernel, reached, {});
    shapes.insert(shapes.end(), usual.begin(), usual.end());
    shapes.push_back(small_block);
  }
  std::vector<Conflict> found;
  std::set<unsigned> settled;
  for (const Shape& shape : shapes) {
    const UnfoldedKernel unfolded = unfold(*kernel.function, reached, places_, shape);
    const std::optional<Conflicts> here = find_conflicts(unfolded, shape, volatile_is_ordered_);
    if (!here) {
      unsettled_.merge(loads);
      loads.clear();
      break;
    }
    found.insert(found.end(), here->found.begin(), here->found.end());
    settled.insert(here->settled.begin(), here->settled.end());
    unsettled_.insert(here->unsettled.begin(), here->unsettled.end());
  }
  note(kernel.function->getName().str(), found);
  for (const unsigned place : settled) loads.erase(place);
  if (!loads.empty()) {  // the kernel never comes there, or not with these blocks
    const UnfoldedKernel unfolded = unfold(*kernel.function, reached, places_, any_block);
    for (Instruction& instruction : instructions(*unfolded.kernel))
      if (const auto place = Places::marked_by(instruction); place && loads.erase(*place))
        unsettled_.insert(*place);
  }
  steps_.settled.merge(settled);
  steps_.settled.merge(loads);
}

}  // namespace

WarpSteps find_warp_steps(Module& module, ArrayRef<KernelDeclaration> kernels,
                          function_ref<StepShapes(StringRef kernel)> shapes,
                          bool volatile_is_ordered) {
  StepFinder finder(module, volatile_is_ordered);
  for (const KernelDeclaration& kernel : kernels)
    finder.look_at(kernel, shapes(kernel.function->getName()));
  return finder.take();
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

void keep_warps_in_step(Module& module, const WarpSteps& steps) {
  if (!steps.settled.empty()) {
    const Places places(module);
    for (const unsigned place : steps.settled)
      places.at(place).setMetadata(settled_mark, MDNode::get(module.getContext(), {}));
  }
  insert_warp_steps(module, steps.places, call_step);
}

}  // namespace gridspan::transforms
