// What a specialised build of a kernel, the plug-in that has it made, and the run time share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A specialised build (gridcc --compile-specialised) is a shared object with one kernel of a module
// once more, for launches of which some numbers are known. It registers nothing; it is found by the
// symbol `gridspan_specialised`. Variables have the numbers they have in the original module, so
// its launches' table of symbols (LaunchContext::symbols) serves both. A fused build (gridcc
// --compile-fused) is the same of several kernels of a module, as one.
#pragma once

#include "abi/module.h"

#include <cstdint>

namespace gridspan::abi {

struct Specialised {
  std::uint32_t version;  // = abi::version
  std::uint32_t reserved;
  const Module* module;  // one kernel; a fused one may use the variables of its kernels
};

/// GRIDSPAN_SPECIALISE, and of kernels that may be one GRIDSPAN_FUSE.
enum class SpecialiseMode : std::uint32_t {
  cached,  // what earlier processes left
  on,      // and what this one makes beside its work
  now,     // made at once, at each first launch
};

/// Like support::LogLevel.
enum class SpecialiserSays : std::uint32_t { warning, information, detail };

/// What the plug-in is told when it starts.
struct SpecialiserSetup {
  std::uint32_t version;  // = abi::version
  SpecialiseMode mode;
  InstructionSet instructions;  // the best that kernels may use
  const void* run_time;         // an address in the run-time library
  void (*say)(SpecialiserSays level, const char* line);
};

/// Kernels of one module that are to be one.
struct FuseRequest {
  const Module* module;
  const char* launches;  // support/fused_launches.h; null: of any kernels
  SpecialiseMode mode;
};

enum class FuseState : std::uint32_t {
  made,
  refused,  // there never will be one
  absent,   // there may be one, later or of some kernels
};

struct FuseAnswer {
  FuseState state;
  std::uint32_t reserved;
  /// made: its parameters are the launches' values in the order of their numbers. It stays to the
  /// end of the process.
  const Kernel* kernel;
};

/// The plug-in's side. All functions may be called by several threads at once.
struct Specialiser {
  std::uint32_t version;  // = abi::version
  /// The kernel to run in the place of `kernel` at this launch: itself, or one that computes the
  /// same.
  const Kernel* (*choose)(const Kernel* kernel, const LaunchContext* launch);
  /// The launch took so long; `used` is what choose answered.
  void (*ran)(const Kernel* kernel, const LaunchContext* launch, const Kernel* used,
              std::uint64_t nanoseconds);
  /// The kernel that does what those do. With mode `now` this takes as long as compiling it.
  FuseAnswer (*fuse)(const FuseRequest* request);
  /// The module goes; another may come to lie where it was. Nothing of it runs.
  void (*forget)(const Module* module);
  /// The process ends: nothing is made any more.
  void (*stop)();
};

}  // namespace gridspan::abi

extern "C" {
/// Defined by libgridspan_specialise.so; null if it cannot work with this run time.
const gridspan::abi::Specialiser* gridspan_specialiser(
    const gridspan::abi::SpecialiserSetup* setup);
}
