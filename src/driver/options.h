// Command-line options of gridcc: the table's row type, and parsing against the table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table (option_table.cpp) is the only place that knows how an option is spelled, whether it
// takes a value, where it goes and what it is for. Parsing, `--help` and the answer to a mistyped
// option all read it.
#pragma once

#include "support/result.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

using support::Result;

/// How an option takes its value.
enum class Form : std::uint8_t {
  flag,                // -c
  separate,            // -o FILE
  joined,              // -O2, -fno-rtti: the rest of the word, may be empty
  joined_or_separate,  // -Idir, -I dir
  any_way,             // -Idir, -I dir, and nvcc's -I=dir
  equals,              // -std=c++17
  equals_or_separate,  // -arch=sm_80, -arch sm_80
};

/// What gridcc does with an option. `forward` options are handed to the tools of `Option::to`.
enum class Meaning : std::uint8_t {
  forward,
  ignored,      // accepted, no effect here
  unsupported,  // an error; Option::help says why or what to do instead
  // what to make
  output,
  output_directory,
  compile_only,
  preprocess_only,
  assembly_only,
  dependencies_only,
  syntax_only,
  emit_llvm,
  device_only,
  host_only,
  shared_library,
  make_archive,
  device_compile,
  device_image,
  device_link,
  run_program,
  run_argument,
  language,
  // dependency files beside compiling
  dependency_file_too,
  dependency_file_name,
  dependency_target,
  // GPU architecture
  architecture,
  real_code,
  assembler,
  generate_code,
  // code generation
  standard,
  optimise,
  debug,
  device_debug,
  fast_math,
  contraction,
  register_limit,
  no_ptx,
  libdevice,
  device_time_trace,
  device_syntax_only,
  no_device_link,
  host_linker_script,
  cpu,
  target,
  machine_bits,
  default_stream,
  relocatable_code,
  relocatable_on,
  relocatable_off,
  extended_lambda,
  relaxed_constexpr,
  // other tools and their options
  host_compiler,
  host_options,
  linker_options,
  fixed_linker_options,
  forward_unknown,
  // linking
  library,
  cuda_runtime,
  link_static,
  // warnings
  no_warnings,
  warnings_as_errors,
  remarks,
  // the driver itself
  keep,
  parts_at_a_time,
  time_table,
  stages,
  keep_directory,
  dry_run,
  verbose,
  version,
  help,
  list_architectures,
  list_codes,
  query,
  compile_commands,
  cccl,
  print_cccl,
  without,
  tune,
  tune_file,
  launch_shapes,
  sequences,
  // steps gridcc runs inside itself, spelled as commands by -###
  internal_compile_device,
  internal_compile_verify,
  internal_compile_specialised,
  internal_compile_fused,
  internal_fused_launches,
  internal_kernel,
  internal_condition,
  internal_wider_cpu,
  internal_host_object,
  internal_source_name,
  internal_module_reference,
  internal_module_id,
  internal_position_dependent,
  internal_opt_level,
  internal_ptx,
  internal_edition,
  lowered_names,  // with -cubin: nvrtc's way to learn mangled names
};

/// The tools a `forward` option reaches (bits).
enum Destination : std::uint8_t {
  to_nothing = 0,
  to_host = 1,    // clang's host pass over .cu, and the compiler of .c and .cpp
  to_device = 2,  // clang's device pass over .cu
  to_link = 4,
  to_both = to_host | to_device,
  to_host_and_link = to_host | to_link,
  to_all = to_host | to_device | to_link,
};

/// Sections of `--help`, in the order they are shown.
enum class Group : std::uint8_t {
  output,
  input,
  cuda,
  code,
  preprocessor,
  link,
  tools,
  diagnostics,
  driver,
  accepted,
  hidden
};

struct Option {
  std::array<std::string_view, 5> spellings;  // the first is the one `--help` shows
  Form form;
  Meaning meaning;
  Destination to;
  Group group;
  std::string_view value_name;  // for --help
  std::string_view help;        // empty: not shown
  /// How clang spells a forwarded option; empty: as the user wrote it. A trailing space makes the
  /// value a word of its own.
  std::string_view clang_spelling = {};
  /// nvcc's lists: `-I a,b` is `-I a -I b`.
  bool is_list = false;
};

std::span<const Option> option_table();

/// One word (or word and value) of the command line.
struct Argument {
  const Option* option;            // null: an input file
  std::string spelling;            // as written, without value
  std::string value;               // of the option, or the input's path
  std::vector<std::string> words;  // the words as written
};

/// Parses words (without the program's name). Fails with a user error on an unknown option or a
/// missing value. When `-forward-unknown-to-host-compiler` is among them, unknown options become
/// arguments for the host compiler.
Result<std::vector<Argument>> parse_arguments(std::span<const std::string> words);

/// What to pass on for a forwarded option.
std::vector<std::string> clang_words(const Argument& argument);

}  // namespace gridspan::driver
