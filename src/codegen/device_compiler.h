// The device compiler: one module of CUDA device code in, one relocatable CPU object out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "codegen/editions.h"
#include "codegen/kernel_settings.h"
#include "codegen/ptx/ptx.h"
#include "codegen/stage_times.h"
#include "support/fused_launches.h"
#include "support/launch_condition.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gridspan::codegen {

/// One message about the user's program, in the form clang gives its own. `line` 0: no place known.
struct Diagnostic {
  enum class Kind { error, warning, remark } kind;
  std::string file;
  unsigned line = 0, column = 0;
  std::string text;
};

/// A unit whose device code is in a linked module: the function to define for its host code
/// (abi/relocatable.h), and how the names end that are private to it.
struct UnitRegistration {
  std::string function;
  std::string suffix;
};

/// A build of one kernel alone, for launches of which some numbers are known, or of several as one
/// (abi/specialise.h).
struct Specialisation {
  std::string kernel;  // mangled, or the name that several have as one
  support::LaunchCondition condition;
  std::optional<support::FusedLaunches> fused;
  abi::InstructionSet set;     // of the baseline's target; `baseline`: the target's own
  bool keeps_vectors = false;  // it is refused if its threads would run one by one
};

struct DeviceRequest {
  std::string bitcode_path;  // nvptx64 module clang wrote
  std::string object_path;   // relocatable object to write
  abi::ModuleId id;
  std::string target_triple;  // empty = this machine
  std::string target_cpu;     // -march=, empty = baseline of the target
  std::string options_json;   // carried in the container
  unsigned opt_level = 3;
  bool debug_info = false;
  /// Larger modules are compiled for one instruction set beside the baseline, not for two.
  unsigned most_instructions_of_all_variants = 40'000;
  bool position_independent = true;
  std::vector<UnitRegistration> registrations;  // of linked units
  std::string launch_shapes_path = {};  // what the host pass saw (launch_shapes.h); may be missing
  std::string sequences_path = {};      // the same of how launches follow (launch_sequences.h)
  std::string lowered_names_path = {};  // names that nvrtc asks for (lowered_names.h); empty: none
  std::vector<std::string> without = {};  // optimisations to leave out, of optional_stages()
  bool records_accesses = false;  // a recording build (abi/recording.h) instead of an ordinary one
  std::optional<Specialisation> special = {};  // another kind of build
  std::vector<std::string> vector_math = {};   // kernels whose ordinary vectors call ours
                                               // functions: for recordings and special builds
  PtxOptions ptx = {};                         // for GPUs, beside the code for CPUs
  std::vector<SourceEdition> editions = {};    // for GPUs before `ptx.level`, ascending
  std::vector<TunedKernel> tuned = {};  // what a search found; who is stale or unknown is ignored
  std::function<void(const CompiledKernel&)> kernel_done = {};  // for that search
  bool forms_only = false;             // no object: as far as `kernel_done` must know
  StageTimes* stage_times = nullptr;   // to be added to
  bool* lacks_machine_code = nullptr;  // becomes true if the assembler did not make all of it
};

/// Finds what the device compiler refuses in a module that is linked to others first. If names are
/// asked for, the markers that ask are taken out of the module's file.
bool check_device(const std::string& bitcode_path, const std::string& lowered_names_path,
                  std::vector<Diagnostic>& diagnostics);

/// Compiles one device module. False when an error diagnostic was issued.
bool compile_device(const DeviceRequest& request, std::vector<Diagnostic>& diagnostics);

/// What an error begins with that says why a kernel cannot be specialised.
inline constexpr const char* refusal_mark = "not specialised: ";

}  // namespace gridspan::codegen
