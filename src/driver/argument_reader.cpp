// From parsed arguments to what the user asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/argument_reader.h"

#include "driver/vendor_libraries.h"

#include <llvm/Support/ErrorHandling.h>
#include <algorithm>
#include <array>
#include <filesystem>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

bool is_one_of(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

Language language_of(const std::string& path) {
  std::string suffix = fs::path(path).extension();
  if (suffix == ".cu") return Language::cuda;
  if (is_one_of(suffix, {".c", ".i"})) return Language::c;
  if (is_one_of(suffix, {".s", ".S", ".sx"})) return Language::assembler;
  if (is_one_of(suffix, {".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".ii"})) return Language::cxx;
  return Language::linker_input;
}

bool is_cuda(const Input& input) { return input.language == Language::cuda; }

}  // namespace

Reader::Status Reader::read(const Argument& argument, bool for_host_compiler) {
  if (!argument.option) {
    if (!for_host_compiler) return read_input(argument);
    append(invocation_.host_flags, argument.words);
    return {};
  }
  has_extended_lambdas_ |= argument.spelling.ends_with("extended-lambda");
  if (argument.option->meaning == Meaning::forward) {
    forward(argument, for_host_compiler);
    return {};
  }
  if (argument.option->meaning == Meaning::warnings_as_errors) {
    read_werror(argument.value, for_host_compiler);
    return {};
  }
  if (argument.option->meaning == Meaning::optimise) {
    read_optimisation(argument.value, for_host_compiler);
    return {};
  }
  for (auto theme : {&Reader::read_goal, &Reader::read_side_or_language, &Reader::read_dependencies,
                     &Reader::read_cuda, &Reader::read_code, &Reader::read_tools,
                     &Reader::read_driver, &Reader::read_step, &Reader::read_refused_or_ignored})
    if (Effect effect = (this->*theme)(argument)) return *effect;
  llvm_unreachable("an option of the table without effect");
}

Reader::Status Reader::read_input(const Argument& argument) {
  // nvcc reads its words as a shell does, so some callers (Meson) put a path in quotes for it.
  std::string path = argument.value;
  if (path.size() > 2 && path.front() == '"' && path.back() == '"')
    path = path.substr(1, path.size() - 2);
  if (is_vendor_library_file(path)) return {};
  if (const std::string ours = library_file_of_ours(path); !ours.empty()) {
    invocation_.link_with(ours);
    return {};
  }
  if (path == "-" && !language_)
    return support::fail("standard input as source needs -x, e.g. -x cu -");
  language_used_ |= language_.has_value();
  invocation_.link_line.push_back({invocation_.inputs.size(), {}});
  invocation_.inputs.push_back({path, language_.value_or(language_of(path))});
  return {};
}

void Reader::forward(const Argument& argument, bool for_host_compiler) {
  Destination to = argument.option->to;
  std::vector<std::string> words = clang_words(argument);
  bool seen_by_preprocessor = argument.option->group == Group::preprocessor;
  if (to & to_host) append(invocation_.host_flags, words);
  if ((to & to_device) && (!for_host_compiler || seen_by_preprocessor))
    append(invocation_.device_flags, words);
  if (to & to_link) append(invocation_.link_flags, words);

  const std::string& word = words.front();
  if (word.starts_with("-fopenmp")) invocation_.openmp = true;
  if (word == "-fno-openmp") invocation_.openmp = false;
  if (is_one_of(word, {"-fno-PIC", "-fno-pic", "-fno-PIE", "-fno-pie"}))
    invocation_.position_independent = false;
  if (is_one_of(word, {"-fPIC", "-fpic", "-fPIE", "-fpie"}))
    invocation_.position_independent = true;
}

/// -Xcompiler words are options themselves: sorted by the same table, except that code generation
/// and warning options stay on the host side, as with nvcc.
Reader::Status Reader::read_host_compiler_words() {
  if (host_compiler_words_.empty()) return {};
  std::vector<std::string> words = std::move(host_compiler_words_);
  words.push_back("-forward-unknown-to-host-compiler");
  // They are often meant for gcc; clang need not know each of gcc's warnings and optimisations.
  append(invocation_.host_flags,
         {"-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument"});
  auto arguments = parse_arguments(words);
  if (!arguments) return support::fail(arguments.error());
  for (const Argument& argument : *arguments)
    if (Status status = read(argument, true); !status) return status;
  return {};
}

Reader::Status Reader::check_output() const {
  const Invocation& in = invocation_;
  bool one_file_each = in.goal == Goal::objects || in.goal == Goal::device_image ||
                       in.goal == Goal::assembly || in.goal == Goal::device_ir ||
                       in.goal == Goal::preprocessed;
  auto sources = std::count_if(in.inputs.begin(), in.inputs.end(), is_source);
  if (one_file_each && !in.output.empty() && sources > 1)
    return support::fail("cannot give '-o' with '" + goal_spelling_ + "' and several source files");
  for (const Input& input : in.inputs)
    if (input.path == in.output && input.path != "-")
      return support::fail("the output file '" + in.output + "' is also an input file");
  return {};
}

Reader::Status Reader::check() const {
  const Invocation& in = invocation_;
  if (in.inputs.empty()) return support::fail("no input files");
  for (const Input& input : in.inputs)
    if (input.language == Language::linker_input && in.goal != Goal::device_image &&
        is_one_of(fs::path(input.path).extension(), {".ptx", ".cubin", ".fatbin"}))
      return support::fail("'" + input.path +
                           "': GPU code cannot be compiled for a CPU; give the CUDA source");
  bool has_cuda = std::any_of(in.inputs.begin(), in.inputs.end(), is_cuda);
  if (in.goal == Goal::assembly && has_cuda)
    return support::fail(
        "'-S': host and device code of a CUDA source do not fit one assembly file; "
        "use -c and llvm-objdump -d, or --cuda-device-only -emit-llvm");
  if (in.emit_llvm && in.side != Side::device && has_cuda)
    return support::fail("'-emit-llvm' of a CUDA source needs '--cuda-device-only'");
  if (!in.lowered_names.empty() && in.goal != Goal::device_image)
    return support::fail("'--lowered-names' is for '-cubin' and its like");
  const bool compiles = std::all_of(in.inputs.begin(), in.inputs.end(), is_cuda);
  const bool links = std::none_of(in.inputs.begin(), in.inputs.end(), is_source);
  if (in.goal == Goal::device_image && !compiles && !links)
    return support::fail("'" + goal_spelling_ +
                         "' takes CUDA sources, or objects and modules to link");
  if (in.goal == Goal::device_image && links && in.image_suffix == ".ptx")
    return support::fail("'" + goal_spelling_ + "' compiles only; '-cubin' links, too");
  bool one_side = in.side != Side::both;
  if (one_side && (in.goal == Goal::program || in.goal == Goal::objects))
    return support::fail(
        "one side of a CUDA source makes no object file; use it with -E, -fsyntax-only or "
        "-emit-llvm");
  if (Status status = check_tuning(); !status) return status;
  return check_output();
}

Reader::Status Reader::check_tuning() const {
  const Invocation& in = invocation_;
  if (in.tune_command.empty()) return {};
  if (in.goal > Goal::device_image)
    return support::fail("'--tune' needs something that can be run, not '" + goal_spelling_ + "'");
  if (in.device_debug) return support::fail("'--tune': with -G, kernels are not optimised");
  if (in.relocatable && in.goal == Goal::objects)
    return support::fail("'--tune': kernels of -rdc=true are compiled, and tuned, at the link");
  const bool one_file_each = in.goal == Goal::objects || in.goal == Goal::device_image;
  if (one_file_each && std::ranges::count_if(in.inputs, is_cuda) > 1)
    return support::fail("'--tune' with '" + goal_spelling_ + "' takes one CUDA source");
  return {};
}

/// Kokkos asks the C++ compiler whether it is nvcc, gives it nvcc's options, and takes for granted
/// that it is Kokkos' nvcc_wrapper, for which C++ sources that depend on Kokkos are CUDA. Its
/// launcher knows them by this macro.
bool Reader::compiles_kokkos() const {
  const std::vector<std::string>& flags = invocation_.host_flags;
  return has_extended_lambdas_ && std::ranges::find(flags, "-DKOKKOS_DEPENDENCE") != flags.end();
}

Result<Task> Reader::finish() {
  Invocation& in = invocation_;
  if (!question_ && in.shows_stages && in.inputs.empty()) return ShowStages{};
  if (question_) {
    if (auto* cccl = std::get_if<PrintCccl>(&*question_)) cccl->choice = in.cccl;
    if (auto* commands = std::get_if<CompileCommands>(&*question_)) commands->output = in.output;
    return std::move(*question_);
  }
  if (step_) {
    step_->output = in.output;
    step_->cpu = in.cpu;
    step_->target = in.target;
    step_->debug_info = in.debug;
    return std::move(*step_);
  }
  // nvcc's -x is about every file of the command line; clang's about those that follow. A trailing
  // -x can only be meant nvcc's way.
  if (language_ && !language_used_)
    for (Input& input : in.inputs) input.language = *language_;
  if (!language_ && compiles_kokkos())
    for (Input& input : in.inputs)
      if (input.language == Language::cxx) input.language = Language::cuda;
  bool stops_at_ir =
      in.goal == Goal::objects || in.goal == Goal::assembly || in.goal == Goal::program;
  if (in.side == Side::device && in.emit_llvm && stops_at_ir) {
    in.device_flags.push_back(in.goal == Goal::assembly ? "-S" : "-c");
    in.goal = Goal::device_ir;
  }
  if (Status status = check(); !status) return support::fail(status.error());
  return std::move(in);
}

}  // namespace gridspan::driver
