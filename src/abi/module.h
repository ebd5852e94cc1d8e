// What one object file tells the run time about its kernels and device variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lives as constant data inside the object; a constructor in the object passes it to
// gridspan_register_module before main. The host object only carries a ModuleReference in
// .nv_fatbin; the two meet by `ModuleId`, in whatever order constructors run.
#pragma once

#include "abi/instruction_set.h"
#include "abi/launch.h"
#include "abi/model.h"
#include "abi/sync.h"

#include <cstdint>

namespace gridspan::abi {

struct ModuleId {
  std::uint64_t words[2];
  friend bool operator==(const ModuleId&, const ModuleId&) = default;
};

/// Kernels that are compiled by themselves (codegen/library_kernels.h) are in modules of their own,
/// whose ids are the source file's but for their last bits: 1, 2, ...; those of the file's own are
/// 0. Host code names one id for all.
inline constexpr std::uint64_t module_number_bits = 0xffff;
constexpr ModuleId numbered(ModuleId id, std::uint64_t number) {
  return {{id.words[0], (id.words[1] & ~module_number_bits) | number}};
}

/// The bytes of `.nv_fatbin` in the host object.
struct ModuleReference {
  char magic[8];  // "GRIDSPAN"
  std::uint32_t version;
  std::uint32_t reserved;
  ModuleId id;
};

/// Runs threads [first, last) of the block, all waiting at this region's continuation.
using RegionFunction = void (*)(BlockContext* block, std::uint32_t first, std::uint32_t last);

/// Runs the whole kernel for one thread, on a fiber.
using ThreadFunction = void (*)(ThreadContext* thread);

/// No single successor: the region writes next[t] for every thread it runs.
inline constexpr std::uint16_t many_successors = 0xfffe;

/// One piece of a kernel between sync points. Region 0 is the kernel's entry; every other region is
/// the continuation of exactly one sync point, described by `kind` and `where`.
struct Region {
  RegionFunction run;
  std::uint16_t only_successor;  // region index or `exited`; `many_successors`: see next[t]
  SyncKind kind;                 // the sync point this region continues; meaningless for region 0
  SourcePoint where;
};

enum KernelFlags : std::uint32_t {
  kernel_needs_fibers = 1u << 0,   // regions is empty; reason says why
  kernel_has_warp_sync = 1u << 1,  // some region continues a warp operation
  kernel_has_block_sync = 1u << 2,
  kernel_uses_printf_or_trap = 1u << 3,
  kernel_has_grid_sync = 1u << 4,       // its blocks wait for each other at grid barriers
  kernel_launches = 1u << 5,            // it launches kernels
  kernel_waits_for_children = 1u << 6,  // its threads wait for these
  kernel_threads_are_apart = 1u << 7,   // threads of a block may run on several cores
  kernel_takes_any_order = 1u << 8,     // no block needs what an earlier one writes
  kernel_waits_in_loops = 1u << 9,      // some region continues a waiting round
  kernel_hands_on = 1u << 10,           // its blocks read what blocks far before them wrote
};

struct Module;

struct Parameter {
  std::uint32_t size;  // bytes
  std::uint32_t align;
  std::uint32_t offset;  // in the packed parameter block (driver API order, natural alignment)
  std::uint32_t is_pointer;
};

enum FormNeeds : std::uint32_t {
  needs_whole_warps = 1u << 0,         // abi::whole_warps
  needs_distinct_arguments = 1u << 1,  // LaunchContext::distinct_arguments
  needs_small_arguments = 1u << 2,     // LaunchContext::small_arguments
  needs_linear_warps = 1u << 3,        // abi::linear_warps
  needs_fast_gathers = 1u << 4,        // the CPU's; gathers.h of the compiler
};

/// Computes what is the same for all blocks of a launch and leaves it at `values`.
using PrologueFunction = void (*)(const LaunchContext* launch, char* values);

/// Bytes that a prologue may leave, at most; aligned to as many as a line of the cache has.
inline constexpr std::uint32_t max_launch_value_bytes = 512;

/// Code that runs a whole block at once, and the launches it is for.
struct BlockForm {
  RegionFunction run;
  PrologueFunction prologue;  // runs once before the blocks of a part; null: there is none
  std::uint32_t needs;        // FormNeeds
  std::uint32_t block[3];     // blockDim must be this; 0: any
  /// It can run neighbouring blocks along x as one wide block (BlockContext::row_threads): about so
  /// many threads in a row are best. 0: blocks run one by one.
  std::uint32_t joined_threads;
  std::uint32_t joined_width;  // blockDim.x must be this for it; 0: any
  /// The same for neighbours along y (BlockContext::rows), where those along x can be joined.
  std::uint32_t joined_rows;
  std::uint32_t joined_height;
};

struct Kernel {
  const char* name;  // mangled, as __cudaRegisterFunction names it
  SourcePoint where;
  ThreadFunction thread;
  const Region* regions;
  std::uint32_t region_count;
  std::uint32_t flags;
  const BlockForm* forms;  // the first that is for a launch runs its blocks; form_for
  std::uint32_t form_count;
  std::uint32_t thread_instructions;  // that a thread executes, roughly and at most; 0: not known
  const char* fiber_reason;  // null unless kernel_needs_fibers; "file:line: why" in one line
  const Parameter* parameters;
  std::uint32_t parameter_count;
  std::uint32_t static_shared;  // bytes; layout fixed at compile time
  std::uint64_t frame_bytes;    // bytes per thread of BlockContext::frames
  std::uint32_t max_threads;    // __launch_bounds__, 0 = not given
  std::uint32_t min_blocks;     // second argument of __launch_bounds__, 0 = not given
  std::uint32_t private_bytes;  // stack one thread needs at least, for cudaFuncAttributes
  const KernelModel* model;     // what it reads and writes; null: nothing known
  const Module* module;         // that holds it: kernels launched by kernels are found there
};

/// What it launches runs behind it, on the same device.
constexpr bool launches_kernels(const Kernel& kernel) {
  return (kernel.flags & kernel_launches) != 0;
}

/// Rows of the block are whole warps, and positions along x fit into 31 bits.
constexpr bool whole_warps(const Dim& grid, const Dim& block) {
  return block.x % warp_size == 0 && std::uint64_t{grid.x} * block.x <= 0x7fff'ffff;
}

/// Rows of the block are no whole warps, but all its threads together are.
constexpr bool linear_warps(const Dim& block) {
  return block.x % warp_size != 0 && std::uint64_t{block.x} * block.y * block.z % warp_size == 0;
}

/// This code is for such launches.
constexpr bool is_for(const BlockForm& form, const LaunchContext& launch) {
  const auto& [x, y, z] = form.block;
  const Dim& block = launch.block;
  if ((x != 0 && x != block.x) || (y != 0 && y != block.y) || (z != 0 && z != block.z))
    return false;
  if ((form.needs & needs_whole_warps) != 0 && !whole_warps(launch.grid, block)) return false;
  if ((form.needs & needs_linear_warps) != 0 && !linear_warps(block)) return false;
  if ((form.needs & needs_small_arguments) != 0 && !launch.small_arguments) return false;
  return (form.needs & needs_distinct_arguments) == 0 || launch.distinct_arguments;
}

/// What runs a block of this launch at once; null: its regions have to be led.
constexpr const BlockForm* form_for(const Kernel& kernel, const LaunchContext& launch,
                                    bool has_fast_gathers) {
  for (std::uint32_t i = 0; i < kernel.form_count; ++i) {
    const BlockForm& form = kernel.forms[i];
    if ((form.needs & needs_fast_gathers) != 0 && !has_fast_gathers) continue;
    if (is_for(form, launch)) return &form;
  }
  return nullptr;
}

/// Blocks of this launch can be joined along x; positions fit into 31 bits, as they must.
constexpr bool joins_blocks(const BlockForm& form, const Dim& grid, const Dim& block) {
  return form.joined_threads != 0 && (form.joined_width == 0 || form.joined_width == block.x) &&
         std::uint64_t{grid.x} * block.x <= 0x7fff'ffff;
}

/// The same along y.
constexpr bool joins_rows(const BlockForm& form, const Dim& grid, const Dim& block) {
  return form.joined_rows != 0 && block.z == 1 && joins_blocks(form, grid, block) &&
         (form.joined_height == 0 || form.joined_height == block.y) &&
         std::uint64_t{grid.y} * block.y <= 0x7fff'ffff;
}

/// A pointer inside a symbol's initial image that must be set to another symbol's address.
struct SymbolRelocation {
  std::uint64_t offset;  // where in this symbol
  std::uint32_t target;  // index of the symbol in this module
  std::uint32_t reserved;
  std::int64_t addend;  // bytes added to the target's address
};

enum SymbolFlags : std::uint32_t {
  symbol_constant = 1u << 0,  // __constant__
  symbol_managed = 1u << 1,   // __managed__: host code uses it, too
};

/// A __device__ or __constant__ variable. Kernels reach it through LaunchContext::symbols[index].
struct Symbol {
  const char* name;    // mangled, as __cudaRegisterVar names it
  std::uint64_t size;  // bytes
  std::uint32_t align;
  std::uint32_t flags;
  const void* initial;  // size bytes, or null for zeros
  const SymbolRelocation* relocations;
  std::uint32_t relocation_count;
};

struct Module {
  std::uint32_t version;  // = abi::version
  std::uint32_t kernel_count;
  ModuleId id;
  const Kernel* kernels;
  const Symbol* symbols;
  std::uint32_t symbol_count;
  InstructionSet instruction_set;
  const void* container;  // see abi/container.h
  std::uint64_t container_size;
  /// Kernels made of several of these; null: none. It has no variables: launches bring theirs.
  const Module* fused;
  /// In such a module, by kernel, what it does (support/fused_launches.h); else null. Its
  /// parameters are the launches' values in the order of their numbers.
  const char* const* launches;
};

}  // namespace gridspan::abi

extern "C" {
/// Called by each device object's constructor. Aborts with one line if the version is not ours.
void gridspan_register_module(const gridspan::abi::Module* module);
void gridspan_unregister_module(const gridspan::abi::Module* module);
}
