// What each option does to the invocation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/pipeline.h"
#include "driver/argument_reader.h"
#include "driver/vendor_libraries.h"

#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace gridspan::driver {
namespace {

Result<bool> truth(const Argument& argument) {
  if (argument.value == "true" || argument.value == "1") return true;
  if (argument.value == "false" || argument.value == "0") return false;
  return support::fail("option '" + argument.spelling + "' is true or false, not '" +
                       argument.value + "'");
}

Result<std::optional<Language>> named_language(const std::string& name) {
  if (name == "none") return std::optional<Language>();
  if (name == "cu" || name == "cuda") return Language::cuda;
  if (name == "c++" || name == "c++-header") return Language::cxx;
  if (name == "c" || name == "c-header") return Language::c;
  if (name == "assembler" || name == "assembler-with-cpp") return Language::assembler;
  return support::fail("unknown language '" + name + "' after -x; expected cu, c++ or c");
}

/// Values that `--help` lists as `a|b|c`; other names say what kind of value it is.
bool is_allowed(std::string_view value_name, std::string_view value) {
  if (value_name != "inline" && value_name.find('|') == std::string_view::npos) return true;
  while (true) {
    const std::size_t end = value_name.find('|');
    if (value_name.substr(0, end) == value) return true;
    if (end == std::string_view::npos) return false;
    value_name.remove_prefix(end + 1);
  }
}

/// Kinds of nvcc's -Werror that clang has no warning for.
bool is_nvcc_only(const std::string& kind) {
  static constexpr std::array<std::string_view, 5> kinds = {
      "cross-execution-space-call", "default-stream-launch", "missing-launch-bounds",
      "ext-lambda-captures-this", "deprecated-gpu-targets"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace

Reader::Status Reader::set_goal(Goal goal, const std::string& spelling) {
  // Of several the earliest stage wins, as with every compiler: -E over -S over -c.
  if (!goal_spelling_.empty() && goal < invocation_.goal) return {};
  invocation_.goal = goal;
  goal_spelling_ = spelling;
  return {};
}

Reader::Effect Reader::read_goal(const Argument& argument) {
  switch (argument.option->meaning) {
    case Meaning::compile_only:
      return set_goal(Goal::objects, argument.spelling);
    case Meaning::preprocess_only:
      return set_goal(Goal::preprocessed, argument.spelling);
    case Meaning::assembly_only:
      return set_goal(Goal::assembly, argument.spelling);
    case Meaning::dependencies_only:
      invocation_.dependencies.mode = clang_words(argument).front();
      return set_goal(Goal::dependencies, argument.spelling);
    case Meaning::device_syntax_only:
      invocation_.side = Side::device;
      return set_goal(Goal::nothing, argument.spelling);
    case Meaning::syntax_only:
      return set_goal(Goal::nothing, argument.spelling);
    case Meaning::shared_library:
      return set_goal(Goal::shared_library, argument.spelling);
    case Meaning::make_archive:
      return set_goal(Goal::archive, argument.spelling);
    case Meaning::device_compile:
      invocation_.relocatable = true;
      return set_goal(Goal::objects, argument.spelling);
    case Meaning::device_image:
      invocation_.image_suffix = "." + argument.spelling.substr(argument.spelling.rfind('-') + 1);
      return set_goal(Goal::device_image, argument.spelling);
    case Meaning::device_link:
      return set_goal(Goal::device_link, argument.spelling);
    case Meaning::run_program:
      invocation_.run_program = true;
      return Status();
    case Meaning::run_argument:
      append(invocation_.run_arguments, split_list(argument.value));
      return Status();
    case Meaning::output:
      if (argument.value.empty()) return support::fail("option '-o' needs a file name");
      invocation_.output = argument.value;
      return Status();
    case Meaning::output_directory:
      invocation_.output_directory = argument.value;
      return Status();
    default:
      return std::nullopt;
  }
}

Reader::Effect Reader::read_side_or_language(const Argument& argument) {
  switch (argument.option->meaning) {
    case Meaning::emit_llvm:
      invocation_.emit_llvm = true;
      return Status();
    case Meaning::device_only:
      invocation_.side = Side::device;
      return Status();
    case Meaning::host_only:
      invocation_.side = Side::host;
      return Status();
    case Meaning::language: {
      auto language = named_language(argument.value);
      if (!language) return support::fail(language.error());
      language_ = *language;
      language_used_ = false;
      return Status();
    }
    case Meaning::standard:
      read_standard(argument.value);
      return Status();
    default:
      return std::nullopt;
  }
}

void Reader::read_standard(const std::string& value) {
  bool is_cxx = value.find("++") != std::string::npos;
  (is_cxx ? invocation_.cxx_standard : invocation_.c_standard) = "-std=" + value;
}

Reader::Effect Reader::read_dependencies(const Argument& argument) {
  switch (argument.option->meaning) {
    case Meaning::dependency_file_too:
      invocation_.dependencies.mode = clang_words(argument).front();
      return Status();
    case Meaning::dependency_file_name:
      invocation_.dependencies.file = argument.value;
      return Status();
    case Meaning::dependency_target:
      append(invocation_.dependencies.targets, clang_words(argument));
      return Status();
    default:
      return std::nullopt;
  }
}

Reader::Effect Reader::read_cuda(const Argument& argument) {
  switch (argument.option->meaning) {
    case Meaning::architecture:
    case Meaning::generate_code:
    case Meaning::real_code:
      return read_architecture(argument);
    case Meaning::fast_math:
      invocation_.fast_math = true;
      return Status();
    case Meaning::contraction: {
      auto on = truth(argument);
      if (!on) return support::fail(on.error());
      invocation_.contracts = *on;
      if (!*on) invocation_.device_flags.push_back("-ffp-contract=off");
      return Status();
    }
    case Meaning::register_limit:
      return read_register_limit(argument);
    case Meaning::no_ptx:
      invocation_.no_ptx = true;
      return Status();
    case Meaning::no_device_link:
      invocation_.no_device_link = true;
      return Status();
    case Meaning::libdevice:
      invocation_.libdevice = argument.value;
      return Status();
    case Meaning::assembler:
      if (argument.value != "none" && !llvm::sys::fs::can_execute(argument.value))
        return support::fail("'" + argument.spelling + "': cannot run '" + argument.value + "'");
      if (step_) step_->assembler = argument.value;
      invocation_.assembler = argument.value;
      return Status();
    case Meaning::default_stream:
      return read_default_stream(argument);
    case Meaning::relocatable_code: {
      auto on = truth(argument);
      if (!on) return support::fail(on.error());
      invocation_.relocatable = *on;
      return Status();
    }
    case Meaning::relocatable_on:
    case Meaning::relocatable_off:
      invocation_.relocatable = argument.option->meaning == Meaning::relocatable_on;
      return Status();
    case Meaning::extended_lambda:
      both_sides("-D__CUDACC_EXTENDED_LAMBDA__=1");
      return Status();
    case Meaning::relaxed_constexpr:
      both_sides("-D__CUDACC_RELAXED_CONSTEXPR__=1");
      return Status();
    case Meaning::cuda_runtime:
      return read_cuda_runtime(argument.value);
    default:
      return std::nullopt;
  }
}

Reader::Status Reader::read_architecture(const Argument& argument) {
  const auto real = real_architectures(argument.value);
  auto& machines = invocation_.real_architectures;
  machines.insert(machines.end(), real.begin(), real.end());
  if (argument.option->meaning == Meaning::real_code) return {};
  auto found = argument.option->meaning == Meaning::architecture
                   ? parse_architecture(argument.value)
                   : parse_generate_code(argument.value);
  if (!found) return support::fail(found.error());
  auto& all = invocation_.architectures;
  all.insert(all.end(), found->begin(), found->end());
  return {};
}

Reader::Status Reader::read_default_stream(const Argument& argument) {
  if (argument.value == "per-thread")
    both_sides("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  else if (argument.value != "legacy" && argument.value != "null")
    return support::fail("option '" + argument.spelling + "' is legacy or per-thread, not '" +
                         argument.value + "'");
  return {};
}

/// vectors,guards
Reader::Status Reader::read_without(const std::string& list) {
  std::vector<std::string>& without = step_ ? step_->without : invocation_.without;
  for (const std::string& name : split_list(list)) {
    if (!codegen::is_optional_stage(name))
      return support::fail("'--without': no optimisation '" + name + "'; there are " +
                           codegen::optional_stages_text());
    without.push_back(name);
  }
  return Status();
}

Reader::Status Reader::read_cuda_runtime(const std::string& value) {
  if (value == "shared")
    invocation_.runtime = RuntimeLinkage::shared;
  else if (value == "static")
    invocation_.runtime = RuntimeLinkage::archive;
  else if (value == "none")
    invocation_.runtime = RuntimeLinkage::none;
  else
    return support::fail("option '-cudart' is shared, static or none, not '" + value + "'");
  return {};
}

Reader::Effect Reader::read_code(const Argument& argument) {
  switch (argument.option->meaning) {
    case Meaning::debug:
      read_debug(argument.value);
      return Status();
    case Meaning::device_debug:
      invocation_.device_debug = true;
      both_sides("-D__CUDACC_DEBUG__");
      return Status();
    case Meaning::cpu:
      invocation_.cpu = argument.value;
      append(invocation_.host_flags, argument.words);
      // Of processors clang 19 does not know by name it finds features, and then warns of them.
      if (argument.value == "native")
        invocation_.host_flags.push_back("-Wno-invalid-feature-combination");
      return Status();
    case Meaning::target:
      invocation_.target = argument.value;
      return Status();
    case Meaning::machine_bits:
      if (argument.value == "64") return Status();
      return support::fail("CUDA has been 64-bit only since version 7");
    default:
      return std::nullopt;
  }
}

/// nvcc's -O is about host code only, and so is ours: the device compiler always optimises, and
/// clang's device pass must not mark functions `optnone`. Only -Ofast, of clang's own command line,
/// is about the arithmetic of both.
void Reader::read_optimisation(const std::string& level, bool for_host_compiler) {
  invocation_.host_flags.push_back("-O" + level);
  invocation_.link_flags.push_back("-O" + level);
  if (level == "fast" && !for_host_compiler) invocation_.device_flags.push_back("-ffast-math");
}

void Reader::read_debug(const std::string& level) {
  invocation_.debug = level != "0" && level != "gdb0";
  invocation_.host_flags.push_back("-g" + level);
  invocation_.link_flags.push_back("-g" + level);
  // Without -g the device pass still records lines: -g0 is none of its business.
  if (invocation_.debug) invocation_.device_flags.push_back("-g" + level);
}

Reader::Effect Reader::read_tools(const Argument& argument) {
  switch (argument.option->meaning) {
    case Meaning::host_compiler:
      invocation_.host_compiler = argument.value;
      return Status();
    case Meaning::host_options:
      append(host_compiler_words_, split_list(argument.value));
      return Status();
    case Meaning::linker_options:
      for (const std::string& word : split_list(argument.value)) link_words({"-Xlinker", word});
      return Status();
    case Meaning::fixed_linker_options:
      link_words(clang_words(argument));
      return Status();
    case Meaning::library:
      read_library(argument.value);
      return Status();
    case Meaning::link_static:
      invocation_.runtime = RuntimeLinkage::archive;
      invocation_.link_flags.push_back("-static");
      return Status();
    case Meaning::forward_unknown:  // the parser acted on it
      return Status();
    default:
      return std::nullopt;
  }
}

void Reader::read_library(const std::string& name) {
  if (is_vendor_library(name)) return;
  // What clang compiles with -fopenmp calls LLVM's OpenMP library, which serves gcc's code, too.
  if (name == "gomp") {
    invocation_.openmp = true;
    invocation_.link_flags.push_back("-fopenmp");
    return;
  }
  if (const std::string ours = library_of_ours(name); !ours.empty()) {
    invocation_.link_with(ours);
    return;
  }
  link_words({"-l" + name});
}

Reader::Effect Reader::read_driver(const Argument& argument) {
  Invocation& in = invocation_;
  switch (argument.option->meaning) {
    case Meaning::no_warnings:
      in.no_warnings = true;
      both_sides("-w");
      return Status();
    case Meaning::remarks:
      in.remarks = true;
      return Status();
    case Meaning::keep:
      if (!in.keep_directory) in.keep_directory = ".";
      return Status();
    case Meaning::keep_directory:
      in.keep_directory = argument.value;
      return Status();
    case Meaning::without:
      return read_without(argument.value);
    case Meaning::tune:
      if (argument.value.empty()) return support::fail("'--tune' needs a command to run");
      in.tune_command = argument.value;
      return Status();
    case Meaning::tune_file:
      (step_ ? step_->tune_file : in.tune_file) = argument.value;
      return Status();
    case Meaning::launch_shapes:
      if (step_) step_->launch_shapes = argument.value;
      return Status();
    case Meaning::sequences:
      if (step_) step_->sequences = argument.value;
      return Status();
    case Meaning::parts_at_a_time: {
      auto most = read_number(argument);
      if (!most) return support::fail(most.error());
      in.parts_at_a_time = {*most == 0 ? usable_processors() : *most, /*if_idle=*/false};
      return Status();
    }
    case Meaning::time_table:
      in.time_file = argument.value;
      return Status();
    case Meaning::stages:
      in.shows_stages = true;
      return Status();
    case Meaning::dry_run:
      in.dry_run = true;
      return Status();
    case Meaning::verbose:
      in.verbose = true;
      return Status();
    case Meaning::version:
      question_ = ShowVersion{};
      return Status();
    case Meaning::help:
      question_ = ShowHelp{};
      return Status();
    case Meaning::list_architectures:
      question_ = ListArchitectures{"compute_"};
      return Status();
    case Meaning::list_codes:
      question_ = ListArchitectures{"sm_"};
      return Status();
    case Meaning::device_time_trace:
      invocation_.device_time_trace = argument.value;
      return Status();
    case Meaning::host_linker_script:
      if (argument.value == "use-lcs") return Status();
      return support::fail("option '" + argument.spelling + "': gridcc writes no linker scripts");
    case Meaning::query:
      question_ = AskClang{argument.words.front()};
      return Status();
    case Meaning::cccl:
      in.cccl = argument.value;
      return Status();
    case Meaning::print_cccl:
      question_ = PrintCccl{};
      return Status();
    case Meaning::compile_commands:
      question_ = CompileCommands{argument.value, ""};
      return Status();
    default:
      return std::nullopt;
  }
}

/// Of nvcc's kinds only "all-warnings" has a counterpart here. `-Xcompiler -Werror` is about gcc's
/// warnings: clang has more of them, and sees device code, which gcc does not.
void Reader::read_werror(const std::string& value, bool for_host_compiler) {
  if (for_host_compiler) {
    invocation_.plain_flags.push_back(value.empty() ? "-Werror" : "-Werror=" + value);
    return;
  }
  if (value.empty() || value == "all-warnings") {
    invocation_.warnings_as_errors = true;
    both_sides("-Werror");
    return;
  }
  for (const std::string& kind : split_list(value))
    if (!is_nvcc_only(kind)) both_sides("-Werror=" + kind);
}

Reader::Effect Reader::read_step(const Argument& argument) {
  switch (argument.option->meaning) {
    case Meaning::internal_compile_device:
      step_.emplace().bitcode = argument.value;
      return Status();
    case Meaning::internal_compile_verify:
    case Meaning::internal_compile_specialised:
    case Meaning::internal_compile_fused:
      step_.emplace().container = argument.value;
      return Status();
    case Meaning::internal_kernel:
      if (step_) step_->kernel = argument.value;
      return Status();
    case Meaning::internal_fused_launches:
      if (step_) step_->fused_launches = argument.value;
      return Status();
    case Meaning::internal_condition:
      if (step_) step_->condition = argument.value;
      return Status();
    case Meaning::internal_wider_cpu:
      if (step_) step_->wider_cpu = argument.value;
      return Status();
    case Meaning::internal_host_object:
      if (step_) step_->host_object = argument.value;
      return Status();
    case Meaning::internal_source_name:
      if (step_) step_->source = argument.value;
      return Status();
    case Meaning::internal_module_reference:
      step_.emplace();
      return Status();
    case Meaning::internal_module_id:
      if (step_) step_->module_id = argument.value;
      return Status();
    case Meaning::lowered_names:
      invocation_.lowered_names = argument.value;
      return Status();
    case Meaning::internal_position_dependent:
      if (step_) step_->position_independent = false;
      return Status();
    case Meaning::internal_ptx:
      if (step_) step_->ptx = argument.value;
      return Status();
    case Meaning::internal_edition:
      if (step_) step_->editions.push_back(argument.value);
      return Status();
    case Meaning::internal_opt_level:
      if (step_) step_->opt_level = argument.value == "0" ? 0 : 3;
      return Status();
    default:
      return std::nullopt;
  }
}

support::Result<unsigned> Reader::read_number(const Argument& argument) {
  const std::string& text = argument.value;
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return support::fail("option '" + argument.spelling + "' needs a number, not '" + text + "'");
  return number;
}

Reader::Status Reader::read_register_limit(const Argument& argument) {
  auto limit = read_number(argument);
  if (!limit) return support::fail(limit.error());
  invocation_.max_registers = *limit;
  return {};
}

Reader::Effect Reader::read_refused_or_ignored(const Argument& argument) {
  const Option& option = *argument.option;
  switch (option.meaning) {
    case Meaning::unsupported:
      return support::fail("option '" + argument.spelling + "': " + std::string(option.help));
    case Meaning::ignored: {
      if (option.value_name == "BOOL") {
        const auto on = truth(argument);
        return on ? Status() : Status(support::fail(on.error()));
      }
      if (!is_allowed(option.value_name, argument.value))
        return support::fail("option '" + argument.spelling + "' is " +
                             std::string(option.value_name) + ", not '" + argument.value + "'");
      bool is_number = argument.value.find_first_not_of("0123456789,=#-D") == std::string::npos;
      if (option.value_name != "N" || is_number) return Status();
      return support::fail("option '" + argument.spelling + "' needs a number, not '" +
                           argument.value + "'");
    }
    default:
      return std::nullopt;
  }
}

}  // namespace gridspan::driver
