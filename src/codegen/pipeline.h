// The table of contents of the device compiler: every stage, in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One array (pipeline.cpp) says what is done to device code and in which order. The compiler runs
// it (run_stages.h); `gridcc --stages`, `--without`, `--time`, gridspan-lower and docs/compiler.md
// read it. A new transformation is a file of its own, a row there, and a test.
//
//     module                     each row works on one thing, told by the type its function takes:
//       kernel                   the module, a kernel, one form of it, a loop ...
//         form of it             A row that is a loop runs the deeper rows that follow it, for
//       kernel in a variant      each thing in turn.
//         loop over threads
#pragma once

#include "support/kernel_facts.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gridspan::codegen {

struct DeviceCompilation;
struct KernelWork;
struct FormWork;
struct VectorWork;
struct LoopWork;
namespace ptx {
struct Attempt;
struct CloneWork;
}  // namespace ptx

struct Stage;
using Stages = std::span<const Stage>;

template <class Work>
using Step = void (*)(Work&);
/// Runs the stages it is given on each part of its work.
template <class Work>
using LoopOver = void (*)(Work&, Stages inner);

template <class... Works>
using RunOf = std::variant<std::monostate, Step<Works>..., LoopOver<Works>...>;
using Run = RunOf<DeviceCompilation, KernelWork, FormWork, VectorWork, LoopWork, ptx::Attempt,
                  ptx::CloneWork>;

struct Stage {
  /// What is compiled (bits). An ordinary build makes the first three, the others one each.
  enum Form : std::uint8_t {
    cpu = 1,
    footprints = 2,
    ptx = 4,
    recording = 8,     // abi/recording.h
    specialised = 16,  // abi/specialise.h
    code = cpu | recording | specialised,
    all = code | footprints | ptx
  };

  /// What stages leave for others (bits); data_names() has their names.
  enum Data : std::uint32_t {
    bitcode = 1u << 0,       // as clang wrote it
    module = 1u << 1,        // the same as IR for nvptx64
    models = 1u << 2,        // what each kernel reads and writes
    target = 1u << 3,        // the CPU
    kernels = 1u << 4,       // their declarations
    steps = 1u << 5,         // places at which lanes of a warp wait for each other
    symbols = 1u << 6,       // device variables
    cpu_code = 1u << 7,      // IR for the CPU; of the GPU only markers and sync points are left
    linked_code = 1u << 8,   // with the device library
    simple_code = 1u << 9,   // simplified, sync points in the kernels themselves
    hashes = 1u << 10,       // of each kernel's code
    thread_code = 1u << 11,  // functions take the thread they run for
    settings = 1u << 12,     // of a kernel: what a search found, shapes of blocks
    facts = 1u << 13,        // about a kernel: sync points, executor
    entries = 1u << 14,      // of threads, for fibers
    forms = 1u << 15,        // copies of a kernel for some launches
    segments = 1u << 16,     // code between barriers that all threads of a block meet
    regions = 1u << 17,      // functions with loops over threads
    clean_regions = 1u << 18,
    variants = 1u << 19,  // regions for each instruction set
    vectors = 1u << 20,   // loops over threads, as far as they can be, over vectors
    final_code = 1u << 21,
    descriptors = 1u << 22,  // abi::Module and what it refers to
    object = 1u << 23,
    gpu_code = 1u << 24,  // IR for one GPU architecture
    fast_gpu_code = 1u << 25,
    ptx_text = 1u << 26,
    sequences = 1u << 27,  // of launches
  };

  enum class Kind : std::uint8_t { stage, phase, part };

  std::string_view name;
  std::string_view does;               // in one sentence
  std::uint8_t of = 0;                 // Form
  std::uint32_t needs = 0, gives = 0;  // Data
  std::string_view without = {};  // the name by which --without leaves it out; empty: it cannot
  std::string_view tuning = {};   // what a search tries at once with leaving it out; empty: nothing
  std::uint64_t records = 0;      // facts that it finds out, FactKey::bit(); see recorded()
  bool optimises = false;         // left out at -O0 and in recordings
  Run run = {};
  Kind kind = Kind::stage;  // phase: a heading; part: within the stage above
};

/// Facts by name, for Stage::records. What `gridspan explain` says of a stage are the sentences
/// about its facts (support/kernel_facts.h).
consteval std::uint64_t recorded(std::initializer_list<support::FactKey> keys) {
  std::uint64_t bits = 0;
  for (const support::FactKey& key : keys) bits |= key.bit();
  return bits;
}

/// All of it. Rows of Kind::phase are headings; the first is one.
Stages pipeline();

/// How deep a stage is nested, 0: it works on the module. Headings: 0.
unsigned depth(Stages stages, std::size_t index);

/// The stages that the loop at `index` runs.
Stages inner_stages(Stages stages, std::size_t index);

/// Null: there is none.
const Stage* stage_named(std::string_view name);
/// The stages that the loop of that name runs.
Stages inner_stages(std::string_view name);

/// What --without takes, in order, each once.
const std::vector<std::string_view>& optional_stages();
bool is_optional_stage(std::string_view name);
/// "vectors, rows, ..."
std::string optional_stages_text();

struct DataName {
  Stage::Data data;
  std::string_view name;
};
std::span<const DataName> data_names();

}  // namespace gridspan::codegen
