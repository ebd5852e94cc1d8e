// What the user asked for: the command line, understood.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/architecture.h"
#include "driver/options.h"
#include "driver/side_by_side.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gridspan::driver {

/// In the order of precedence: of several that are asked for, the last one wins.
enum class Goal {
  program,  // compile and link
  shared_library,
  archive,       // compile and put into a static library
  device_link,   // -dlink
  objects,       // -c
  device_image,  // -fatbin, -cubin, -ptx: a library for cuModuleLoad
  assembly,      // -S
  device_ir,     // --cuda-device-only -emit-llvm
  preprocessed,  // -E
  dependencies,  // -M, -MM
  nothing,       // -fsyntax-only
};

enum class Language { cuda, cxx, c, assembler, linker_input };

struct Input {
  std::string path;  // "-" for standard input
  Language language;
};
inline bool is_source(const Input& input) { return input.language != Language::linker_input; }

/// The link line in the user's order: an input (its object, if it is a source) or words as they
/// are.
struct LinkItem {
  std::optional<std::size_t> input;
  std::vector<std::string> words;
};

enum class Side { both, host, device };
enum class RuntimeLinkage { shared, archive, none };

/// Dependency files written beside compiling, or instead of it (-M).
struct DependencyRequest {
  std::string mode;  // -M, -MM, -MD or -MMD; empty: none
  std::string file;
  std::vector<std::string> targets;  // clang's -MT / -MQ words
};

struct Invocation {
  /// Once for each of ours.
  void link_with(const std::string& library);

  Goal goal = Goal::program;
  Side side = Side::both;
  std::string output;
  std::string output_directory;
  std::string image_suffix;   // of a device_image: .fatbin, .cubin or .ptx
  std::string lowered_names;  // of a device_image: a file to tell mangled names in
  std::vector<Input> inputs;
  std::vector<LinkItem> link_line;

  // Words for each tool, in the user's order.
  std::vector<std::string> host_flags;   // host pass over .cu; compiler of .c and .cpp
  std::vector<std::string> plain_flags;  // compiler of .c and .cpp alone
  std::vector<std::string> device_flags;
  std::vector<std::string> link_flags;
  std::string cxx_standard, c_standard;
  DependencyRequest dependencies;

  std::vector<GpuArchitecture> architectures{};       // empty: the default
  std::vector<GpuArchitecture> real_architectures{};  // those that have machine code, too
  std::string assembler;                              // --ptxas; empty: to be looked for
  std::string cpu;                                    // -march= as given
  std::string target;
  std::string host_compiler;  // -ccbin
  RuntimeLinkage runtime = RuntimeLinkage::shared;
  std::vector<std::string> libraries;  // ours that it links with beside the run time: gridspan_blas
  bool debug = false;
  bool device_debug = false;
  bool fast_math = false;
  bool contracts = true;       // -fmad
  unsigned max_registers = 0;  // -maxrregcount; 0: no limit
  bool no_ptx = false;         // code for CPUs only
  bool no_device_link = false;
  std::string device_time_trace;  // file; "-": named after the output
  std::string libdevice;          // --libdevice: a file
  std::string cccl;               // --cccl: a folder
  bool relocatable = false;       // -rdc=true
  bool position_independent = true;
  bool no_warnings = false;
  bool warnings_as_errors = false;
  bool remarks = false;
  bool emit_llvm = false;
  bool openmp = false;
  bool run_program = false;
  std::vector<std::string> run_arguments;

  bool verbose = false;
  bool dry_run = false;
  std::optional<std::string> keep_directory;
  std::vector<std::string> without;  // --without: optimisations of device code left out
  AtATime parts_at_a_time;           // --split-compile
  std::string time_file;             // --time: where to append the table, "-": standard output
  bool shows_stages = false;         // --stages
  std::string tune_command;          // --tune: what to time kernels with; empty: no search
  std::string tune_file;             // --tune-file: empty: beside the output

  /// The highest architecture asked for: the one a GPU that runs everything would choose.
  GpuArchitecture architecture() const;
  /// Numbers of all that were named, ascending, each once; the default if none was.
  std::vector<unsigned> levels() const;
};

/// Questions answered without compiling.
struct ShowHelp {};
struct ShowVersion {};
struct ShowStages {};
struct ListArchitectures {
  std::string prefix;  // compute_ or sm_
};
struct AskClang {
  std::string question;
};
/// --print-cccl: which copy of CCCL programs are compiled with.
struct PrintCccl {
  std::string choice;  // --cccl
};
/// --compile-commands=FILE: clangd's form of a compilation database.
struct CompileCommands {
  std::string file;
  std::string output;  // empty: standard output
};
/// A step of gridcc started by hand (as -### printed it).
struct InternalStep {
  std::string bitcode;              // empty: write a module reference
  std::string host_object, source;  // given: join them with the bitcode to a relocatable object
  std::string container;            // not empty: make another build of the module in it:
  std::string kernel, condition;    // a specialised one,
  std::string fused_launches;       // or of several kernels as one, else one that records accesses
  std::string wider_cpu;            // that it is for, while math functions are those of `cpu`
  std::string output;
  std::string module_id;
  std::string cpu, target;
  unsigned opt_level = 3;
  bool debug_info = false;
  bool position_independent = true;
  std::vector<std::string> without;
  std::string tune_file;              // empty: none
  std::string launch_shapes;          // the same
  std::string sequences;              // the same; for a relocatable object, too
  std::string ptx;                    // ptx_options.h; empty: none
  std::vector<std::string> editions;  // the same file
  std::string assembler;              // ptxas; empty: none
};

using Task = std::variant<Invocation, ShowHelp, ShowVersion, ShowStages, ListArchitectures,
                          AskClang, PrintCccl, CompileCommands, InternalStep>;

/// What the arguments mean together. User errors: contradictions, bad values, unsupported options,
/// no input.
Result<Task> understand(std::span<const Argument> arguments);

/// The words of a `-Xcompiler`-like value: separated by commas or blanks; quotes and `\` protect.
std::vector<std::string> split_list(std::string_view text);

}  // namespace gridspan::driver
