// The one option table: every GRIDSPAN_* variable, its grammar, its default, its help.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing else in the run time reads the environment. Parsing is a pure function of the variables,
// so tests need no environment and the tools can print what a program would do.
#pragma once

#include "support/device_grammar.h"
#include "support/log.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::support {

enum class CpuMode { regions, interpret };

/// The best instruction set kernels may use; `best` is whatever the machine has.
enum class CpuInstructions { baseline, v3, v4, best };

/// Kernels for the launches that the program does: none, those of earlier processes, also new ones,
/// or (for tests) at each first launch.
enum class Specialise { off, cached, on, now };

/// Launches that follow one another become one pass over their data: never, where that was measured
/// to pay, or (for tests) always, or always and also in order, to compare.
enum class Fuse { off, cached, on, now, check };

/// Whose math functions kernels call where threads are lanes of vectors.
enum class CpuMath { own, libm };

/// How launches are planned: as usual, also for one device, or as Mekong does.
enum class PlanPolicy { usual, fixed, random, always, mekong };
/// How fast devices are: measured once and remembered, measured anew, or guessed.
enum class Measure { once, again, off };

/// What interpret mode looks for, and what is looked for at exit (GRIDSPAN_CHECK).
struct Checks {
  bool memory = false;  // accesses outside of what is allocated
  bool init = false;    // reads of what nobody wrote
  bool race = false;    // threads that meet in memory without order
  bool sync = false;    // misused barriers and warp operations
  bool leaks = false;   // what is not freed at exit
  friend bool operator==(const Checks&, const Checks&) = default;
};

/// What a measurement leaves out; results are wrong then.
enum class Ablation { none, transfers, patterns };

/// The most that GRIDSPAN_VIRTUAL_GPUS may say: what large GPU servers have.
inline constexpr unsigned most_virtual_gpus = 16;

/// GRIDSPAN_REPLAY: which recording to do instead of the program's own work.
struct Replay {
  /// plan: kernels do not run; fuse: nor are they planned, but windows of them are looked at.
  enum class Mode { none, plan, run, fuse } mode = Mode::none;
  std::string file;
};

/// GRIDSPAN_FAULT: a device of which something fails, after it has succeeded so often.
struct InjectedFailure {
  enum class Kind { none, reserve, copy, part, thread } kind = Kind::none;
  unsigned device = 0;
  unsigned after = 0;
};

/// Memory that the program allocates beyond what a GPU has.
struct Oversubscribe {
  bool spills = true;             // it is the host's, as far as that has room; else there is none
  std::uint64_t most_on_gpu = 0;  // bytes that a GPU gives; 0: what it has
};

struct Options {
  std::vector<DeviceTerm> devices{DeviceTerm{}};
  bool chooses_devices = true;  // auto; `devices` is what is left if there are no GPUs
  bool no_device = false;       // the program sees none
  unsigned threads = 0;         // 0 = every hardware thread this process may use
  unsigned virtual_gpus = 1;    // CUDA devices the program sees
  LogChoice log;
  CpuMode cpu = CpuMode::regions;
  CpuInstructions instructions = CpuInstructions::best;
  CpuMath math = CpuMath::own;
  Specialise specialise = Specialise::off;
  Fuse fuse = Fuse::cached;
  bool fuse_across_waits = false;  // waits whose end nobody can see do not end a group
  bool fuse_chains = true;         // launches may run as chains
  bool fuse_kernels = true;        // and as kernels made of several
  bool fuse_carried = true;        // with those that objects carry
  bool fuse_reassociates = false;  // sums of floating-point numbers may be made in another order
  bool verify = false;
  unsigned verify_seed = 0;      // chooses the parts that are compared
  std::optional<Checks> checks;  // as the program's user wishes; nothing: the usual ones
  bool isolate = false;
  InjectedFailure failure;
  std::uint64_t copy_memory = 0;  // bytes for copies on each device but the first; 0: what it has
  Oversubscribe oversubscribe;
  PlanPolicy policy = PlanPolicy::usual;
  unsigned policy_seed = 0;  // with `random`
  Ablation ablation = Ablation::none;
  Measure measure = Measure::once;
  std::string kernel_times;  // file; empty: nobody asks
  std::string record;        // file; empty: no recording
  bool record_data = false;
  Replay replay;
};

/// One row of the table.
struct Option {
  std::string_view name;      // short word, for the tools
  std::string_view variable;  // GRIDSPAN_...
  std::string_view grammar;
  std::string_view fallback;  // the default, in words
  std::string_view help;      // one or more lines
  Result<void> (*parse)(std::string_view value, Options& into);
};

std::span<const Option> option_table();

/// Reads every "NAME=value" that starts with GRIDSPAN_; others are ignored. The error names
/// variable, value and grammar. `remarks`, if not null, receives one line for each unknown
/// GRIDSPAN_ name.
Result<Options> parse_options(std::span<const std::string_view> environment,
                              std::vector<std::string>* remarks);

/// parse_options of this process's environment.
Result<Options> options_from_environment(std::vector<std::string>* remarks);

/// The table as text for `--help`, one paragraph a variable.
std::string options_help();

}  // namespace gridspan::support
