// Keeps the lanes of a warp in step where a program counts on it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     if (t < 32) {                     if (t < 32) {
//       s[t] += s[t + 32];                s[t] += s[t + 32];
//       s[t] += s[t + 16];       ►        step
//                                         s[t] += s[t + 16];
//     }                                 }
//
// By CUDA's rules such code is a race: it lacks __syncwarp(). But all GPUs give what the lanes of a
// warp find that do one access after the other together, and programs of before 2017 are full of
// it. Between two accesses that different lanes of a warp make to the same bytes of shared memory,
// or of other memory that is volatile (conflicts.h), comes a *step*: the lanes that go through this
// code wait for each other. Those that have taken another way are not waited for
// (devices/cpu/warp_groups.h). Runs on clang's IR, before any pass keeps in a register what another
// lane has changed. What a step is in code for GPUs: codegen/ptx/warp_barriers.h.
#pragma once

#include "transforms/diagnostics.h"
#include "transforms/kernels.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gridspan::transforms {

struct WarpStep {
  SourceLine where, before;  // the access that lanes wait in front of, and who was there first
  bool reads;                // the access at `where`; else it overwrites
  bool read_before;          // the one at `before`
  bool is_certain;           // the bytes are the same; else nobody knows that they are not
};

using StepShapes = std::vector<std::array<std::uint32_t, 3>>;

/// In front of a place of the module (places.h), or between reading and writing of the copy there.
struct StepPlace {
  unsigned place;
  bool inside;
  auto operator<=>(const StepPlace&) const = default;
};

struct WarpSteps {
  std::set<StepPlace> places;
  std::set<unsigned> settled;  // places of volatile loads: steps do all that fibers would do there
  std::map<std::string, std::vector<WarpStep>> of_kernel;  // for `explain`
};

/// The steps of all kernels. `shapes` says which blocks a kernel is launched with, as far as it is
/// known. `volatile_is_ordered`: lanes do volatile accesses one after the other together anyway.
WarpSteps find_warp_steps(llvm::Module& module, llvm::ArrayRef<KernelDeclaration> kernels,
                          llvm::function_ref<StepShapes(llvm::StringRef kernel)> shapes,
                          bool volatile_is_ordered);

/// Puts them into the module, as it was when they were found, or into another that was read from
/// the same bitcode. `step_before` writes one.
void insert_warp_steps(llvm::Module& module, const std::set<StepPlace>& places,
                       llvm::function_ref<void(llvm::Instruction& at)> step_before);

/// Metadata of volatile loads that read the same in whatever order lanes go between steps.
inline constexpr const char* settled_mark = "gridspan.settled";

/// The same, as sync points for code of CPUs, and the marks.
void keep_warps_in_step(llvm::Module& module, const WarpSteps& steps);

}  // namespace gridspan::transforms
