// From parsed arguments to what the user asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/invocation.h"

#include <algorithm>
#include <filesystem>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;
using Status = Result<void>;

constexpr std::array<std::string_view, 5> cxx_suffixes = {".cpp", ".cc", ".cxx", ".C", ".c++"};

Language language_of(const std::string& path) {
  std::string suffix = fs::path(path).extension();
  if (suffix == ".cu") return Language::cuda;
  if (suffix == ".c" || suffix == ".i") return Language::c;
  if (suffix == ".s" || suffix == ".S" || suffix == ".sx") return Language::assembler;
  bool is_cxx = std::find(cxx_suffixes.begin(), cxx_suffixes.end(), suffix) != cxx_suffixes.end();
  return is_cxx || suffix == ".ii" || suffix == ".cp" ? Language::cxx : Language::linker_input;
}

Result<std::optional<Language>> named_language(const std::string& name) {
  if (name == "none") return std::optional<Language>();
  if (name == "cu" || name == "cuda") return Language::cuda;
  if (name == "c++" || name == "c++-header") return Language::cxx;
  if (name == "c" || name == "c-header") return Language::c;
  if (name == "assembler" || name == "assembler-with-cpp") return Language::assembler;
  return support::fail("unknown language '" + name + "' after -x; expected cu, c++ or c");
}

Result<bool> truth(const Argument& argument) {
  if (argument.value == "true" || argument.value == "1") return true;
  if (argument.value == "false" || argument.value == "0") return false;
  return support::fail("option '" + argument.spelling + "' is true or false, not '" +
                       argument.value + "'");
}

void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

/// Libraries of CUDA whose place our run time takes.
bool is_cuda_library(std::string_view name) {
  static constexpr std::array<std::string_view, 6> names = {"cudart",    "cudart_static", "cuda",
                                                            "cudadevrt", "nvToolsExt",    "nvtx3"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// /usr/local/cuda/lib64/libcudart.so.12 names the library "cudart".
bool is_cuda_library_file(const std::string& path) {
  std::string name = fs::path(path).filename();
  if (!name.starts_with("lib")) return false;
  std::size_t end = std::min(name.find(".so"), name.find(".a"));
  return end != std::string::npos && is_cuda_library(name.substr(3, end - 3));
}

/// Collects the arguments into a Task, one at a time.
class Reader {
 public:
  Status read(const Argument& argument, bool for_host_compiler);
  Status read_host_compiler_words();
  Result<Task> finish();

 private:
  Status read_input(const Argument& argument);
  Status read_special(const Argument& argument);
  void forward(const Argument& argument, bool for_host_compiler);
  void link_words(std::vector<std::string> words) {
    invocation_.link_line.push_back({std::nullopt, std::move(words)});
  }
  void define(const std::string& macro) {
    invocation_.host_flags.push_back("-D" + macro);
    invocation_.device_flags.push_back("-D" + macro);
  }
  void optimise(const std::string& level);
  void read_debug(const Argument& argument);
  void read_standard(const std::string& value);
  void read_library(const Argument& argument);
  void read_werror(const std::string& value);
  Status read_cuda_runtime(const std::string& value);
  Status set_goal(Goal goal, const std::string& spelling);
  Status check() const;
  Status check_output() const;

  Invocation invocation_;
  std::optional<Task> question_;
  std::optional<InternalStep> step_;
  std::string goal_spelling_;
  std::optional<Language> language_;
  bool language_used_ = false;
  std::vector<std::string> host_compiler_words_;
};

Status Reader::read_input(const Argument& argument) {
  if (argument.value != "-" && is_cuda_library_file(argument.value)) return {};
  if (argument.value == "-" && !language_)
    return support::fail("standard input as source needs -x, e.g. -x cu -");
  Language language = language_.value_or(language_of(argument.value));
  std::string suffix = fs::path(argument.value).extension();
  if (!language_ && (suffix == ".ptx" || suffix == ".cubin" || suffix == ".fatbin"))
    return support::fail("'" + argument.value +
                         "': GPU code cannot be compiled for a CPU; give the CUDA source");
  language_used_ |= language_.has_value();
  invocation_.link_line.push_back({invocation_.inputs.size(), {}});
  invocation_.inputs.push_back({argument.value, language});
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
  const std::string& first = words.front();
  if (first.starts_with("-fopenmp")) invocation_.openmp = true;
  if (first == "-fno-openmp") invocation_.openmp = false;
  if (first == "-fno-PIC" || first == "-fno-pic" || first == "-fno-PIE" || first == "-fno-pie")
    invocation_.position_independent = false;
  if (first == "-fPIC" || first == "-fpic" || first == "-fPIE" || first == "-fpie")
    invocation_.position_independent = true;
}

/// nvcc's -O is about host code only, and so is ours: the device compiler always optimises, and
/// clang's device pass must not mark functions `optnone`.
void Reader::optimise(const std::string& level) {
  invocation_.host_flags.push_back("-O" + level);
  invocation_.link_flags.push_back("-O" + level);
  if (level == "fast") invocation_.device_flags.push_back("-ffast-math");
}

void Reader::read_debug(const Argument& argument) {
  invocation_.debug = argument.value != "0" && argument.value != "gdb0";
  invocation_.host_flags.push_back("-g" + argument.value);
  invocation_.link_flags.push_back("-g" + argument.value);
  // Without -g the device pass still records lines: -g0 is none of its business.
  if (invocation_.debug) invocation_.device_flags.push_back("-g" + argument.value);
}

void Reader::read_standard(const std::string& value) {
  bool is_cxx = value.find("++") != std::string::npos;
  (is_cxx ? invocation_.cxx_standard : invocation_.c_standard) = "-std=" + value;
}

void Reader::read_library(const Argument& argument) {
  if (is_cuda_library(argument.value)) return;
  // What clang compiles with -fopenmp calls LLVM's OpenMP library, which serves gcc's code, too.
  if (argument.value == "gomp") {
    invocation_.openmp = true;
    invocation_.link_flags.push_back("-fopenmp");
    return;
  }
  link_words({"-l" + argument.value});
}

/// nvcc's kinds have no counterpart here, but "all-warnings".
void Reader::read_werror(const std::string& value) {
  static constexpr std::array<std::string_view, 5> nvcc_kinds = {
      "cross-execution-space-call", "default-stream-launch", "missing-launch-bounds",
      "ext-lambda-captures-this", "deprecated-gpu-targets"};
  if (value.empty() || value == "all-warnings") {
    invocation_.warnings_as_errors = true;
    invocation_.host_flags.push_back("-Werror");
    invocation_.device_flags.push_back("-Werror");
    return;
  }
  for (const std::string& kind : split_list(value)) {
    if (std::find(nvcc_kinds.begin(), nvcc_kinds.end(), kind) != nvcc_kinds.end()) continue;
    invocation_.host_flags.push_back("-Werror=" + kind);
    invocation_.device_flags.push_back("-Werror=" + kind);
  }
}

Status Reader::read_cuda_runtime(const std::string& value) {
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

Status Reader::set_goal(Goal goal, const std::string& spelling) {
  if (!goal_spelling_.empty() && invocation_.goal != goal) {
    // Compilers let the earlier stage win: -E over -S over -c.
    if (goal < invocation_.goal) return {};
  }
  invocation_.goal = goal;
  goal_spelling_ = spelling;
  return {};
}

Status Reader::read_special(const Argument& argument) {
  const std::string& value = argument.value;
  Invocation& in = invocation_;
  switch (argument.option->meaning) {
    case Meaning::forward:
      break;  // handled by forward()
    case Meaning::ignored: {
      bool is_number = value.find_first_not_of("0123456789,=#-D") == std::string::npos;
      if (argument.option->value_name == "N" && !is_number)
        return support::fail("option '" + argument.spelling + "' needs a number, not '" + value +
                             "'");
      break;
    }
    case Meaning::unsupported:
      return support::fail("option '" + argument.spelling +
                           "': " + std::string(argument.option->help));
    case Meaning::output:
      if (value.empty()) return support::fail("option '-o' needs a file name");
      (step_ ? step_->output : in.output) = value;
      in.output = value;
      break;
    case Meaning::output_directory:
      in.output_directory = value;
      break;
    case Meaning::compile_only:
      return set_goal(Goal::objects, argument.spelling);
    case Meaning::preprocess_only:
      return set_goal(Goal::preprocessed, argument.spelling);
    case Meaning::assembly_only:
      return set_goal(Goal::assembly, argument.spelling);
    case Meaning::dependencies_only:
      in.dependencies.mode = clang_words(argument).front();
      return set_goal(Goal::dependencies, argument.spelling);
    case Meaning::syntax_only:
      return set_goal(Goal::nothing, argument.spelling);
    case Meaning::shared_library:
      return set_goal(Goal::shared_library, argument.spelling);
    case Meaning::make_archive:
      return set_goal(Goal::archive, argument.spelling);
    case Meaning::emit_llvm:
      in.emit_llvm = true;
      break;
    case Meaning::device_only:
      in.side = Side::device;
      break;
    case Meaning::host_only:
      in.side = Side::host;
      break;
    case Meaning::run_program:
      in.run_program = true;
      break;
    case Meaning::run_argument:
      append(in.run_arguments, split_list(value));
      break;
    case Meaning::language: {
      auto language = named_language(value);
      if (!language) return support::fail(language.error());
      language_ = *language;
      language_used_ = false;
      break;
    }
    case Meaning::dependency_file_too:
      in.dependencies.mode = clang_words(argument).front();
      break;
    case Meaning::dependency_file_name:
      in.dependencies.file = value;
      break;
    case Meaning::dependency_target:
      append(in.dependencies.targets, clang_words(argument));
      break;
    case Meaning::architecture:
    case Meaning::generate_code: {
      auto found = argument.option->meaning == Meaning::architecture ? parse_architecture(value)
                                                                     : parse_generate_code(value);
      if (!found) return support::fail(found.error());
      in.architectures.insert(in.architectures.end(), found->begin(), found->end());
      break;
    }
    case Meaning::standard:
      read_standard(value);
      break;
    case Meaning::optimise:
      if (step_) step_->opt_level = value.empty() ? 1 : static_cast<unsigned>(value[0] - '0');
      optimise(value);
      break;
    case Meaning::debug:
      if (step_) step_->debug_info = true;
      read_debug(argument);
      break;
    case Meaning::device_debug:
      in.device_debug = true;
      define("__CUDACC_DEBUG__");
      break;
    case Meaning::fast_math:
      in.fast_math = true;
      break;
    case Meaning::contraction: {
      auto on = truth(argument);
      if (!on) return support::fail(on.error());
      if (!*on) in.device_flags.push_back("-ffp-contract=off");
      break;
    }
    case Meaning::cpu:
      if (step_) step_->cpu = value;
      in.cpu = value;
      append(in.host_flags, argument.words);
      break;
    case Meaning::target:
      if (step_) step_->target = value;
      in.target = value;
      break;
    case Meaning::machine_bits:
      if (value != "64") return support::fail("CUDA has been 64-bit only since version 7");
      break;
    case Meaning::default_stream:
      if (value == "per-thread")
        define("CUDA_API_PER_THREAD_DEFAULT_STREAM=1");
      else if (value != "legacy" && value != "null")
        return support::fail("option '" + argument.spelling + "' is legacy or per-thread, not '" +
                             value + "'");
      break;
    case Meaning::relocatable_code: {
      auto on = truth(argument);
      if (!on) return support::fail(on.error());
      if (*on)
        return support::fail(
            "option '-rdc=true': separate compilation of device code is "
            "not supported yet");
      break;
    }
    case Meaning::extended_lambda:
      define("__CUDACC_EXTENDED_LAMBDA__=1");
      break;
    case Meaning::relaxed_constexpr:
      define("__CUDACC_RELAXED_CONSTEXPR__=1");
      break;
    case Meaning::host_compiler:
      in.host_compiler = value;
      break;
    case Meaning::host_options:
      append(host_compiler_words_, split_list(value));
      break;
    case Meaning::linker_options:
      for (const std::string& word : split_list(value)) link_words({"-Xlinker", word});
      break;
    case Meaning::fixed_linker_options:
      link_words(clang_words(argument));
      break;
    case Meaning::forward_unknown:
      break;  // the parser acted on it
    case Meaning::library:
      read_library(argument);
      break;
    case Meaning::cuda_runtime:
      return read_cuda_runtime(value);
    case Meaning::link_static:
      in.runtime = RuntimeLinkage::archive;
      in.link_flags.push_back("-static");
      break;
    case Meaning::no_warnings:
      in.no_warnings = true;
      in.host_flags.push_back("-w");
      in.device_flags.push_back("-w");
      break;
    case Meaning::warnings_as_errors:
      read_werror(value);
      break;
    case Meaning::remarks:
      in.remarks = true;
      break;
    case Meaning::keep:
      if (!in.keep_directory) in.keep_directory = ".";
      break;
    case Meaning::keep_directory:
      in.keep_directory = value;
      break;
    case Meaning::dry_run:
      in.dry_run = true;
      break;
    case Meaning::verbose:
      in.verbose = true;
      break;
    case Meaning::version:
      question_ = ShowVersion{};
      break;
    case Meaning::help:
      question_ = ShowHelp{};
      break;
    case Meaning::list_architectures:
      question_ = ListArchitectures{};
      break;
    case Meaning::query:
      question_ = AskClang{argument.words.front()};
      break;
    case Meaning::options_file:
      break;  // expanded before parsing
    case Meaning::internal_compile_device:
      step_ = InternalStep{};
      step_->bitcode = value;
      break;
    case Meaning::internal_module_reference:
      step_ = InternalStep{};
      break;
    case Meaning::internal_module_id:
      if (step_) step_->module_id = value;
      break;
    case Meaning::internal_position_dependent:
      if (step_) step_->position_independent = false;
      break;
  }
  return {};
}

Status Reader::read(const Argument& argument, bool for_host_compiler) {
  if (!argument.option) {
    if (!for_host_compiler) return read_input(argument);
    append(invocation_.host_flags, argument.words);
    return {};
  }
  if (argument.option->meaning != Meaning::forward) return read_special(argument);
  forward(argument, for_host_compiler);
  return {};
}

/// -Xcompiler words are options themselves: sorted by the same table, except that code generation
/// and warning options stay on the host side, as with nvcc.
Status Reader::read_host_compiler_words() {
  if (host_compiler_words_.empty()) return {};
  std::vector<std::string> words = std::move(host_compiler_words_);
  words.push_back("-forward-unknown-to-host-compiler");
  // They are often meant for gcc; clang need not know each of gcc's warnings and optimisations.
  append(invocation_.host_flags,
         {"-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument"});
  auto arguments = parse_arguments(words);
  if (!arguments) return support::fail(arguments.error());
  for (const Argument& argument : *arguments)
    if (auto status = read(argument, true); !status) return status;
  return {};
}

Status Reader::check_output() const {
  const Invocation& in = invocation_;
  bool one_file_each = in.goal == Goal::objects || in.goal == Goal::assembly ||
                       in.goal == Goal::device_ir || in.goal == Goal::preprocessed;
  std::size_t sources = static_cast<std::size_t>(
      std::count_if(in.inputs.begin(), in.inputs.end(),
                    [](const Input& i) { return i.language != Language::linker_input; }));
  if (one_file_each && !in.output.empty() && sources > 1)
    return support::fail("cannot give '-o' with '" + goal_spelling_ + "' and several source files");
  if (in.goal == Goal::archive && in.output.empty())
    return support::fail("'-lib' needs '-o', the name of the library");
  for (const Input& input : in.inputs)
    if (input.path == in.output && !in.output.empty() && input.path != "-")
      return support::fail("the output file '" + in.output + "' is also an input file");
  return {};
}

Status Reader::check() const {
  const Invocation& in = invocation_;
  if (in.inputs.empty()) return support::fail("no input files");
  bool has_cuda = std::any_of(in.inputs.begin(), in.inputs.end(),
                              [](const Input& i) { return i.language == Language::cuda; });
  if (in.goal == Goal::assembly && has_cuda)
    return support::fail(
        "'-S': host and device code of a CUDA source do not fit one assembly file; "
        "use -c and llvm-objdump -d, or --cuda-device-only -emit-llvm");
  if (in.emit_llvm && in.side != Side::device && has_cuda)
    return support::fail("'-emit-llvm' of a CUDA source needs '--cuda-device-only'");
  bool one_side = in.side != Side::both;
  if (one_side && (in.goal == Goal::program || in.goal == Goal::objects))
    return support::fail(
        "one side of a CUDA source makes no object file; use it with -E, "
        "-fsyntax-only or -emit-llvm");
  return check_output();
}

Result<Task> Reader::finish() {
  if (question_) return std::move(*question_);
  if (step_) return std::move(*step_);
  Invocation& in = invocation_;
  // nvcc's -x is about every file of the command line; clang's about those that follow. A trailing
  // -x can only be meant nvcc's way.
  if (language_ && !language_used_)
    for (Input& input : in.inputs) input.language = *language_;
  bool stops_at_ir = in.goal == Goal::objects || in.goal == Goal::assembly;
  if (in.side == Side::device && in.emit_llvm && (stops_at_ir || in.goal == Goal::program)) {
    if (in.goal == Goal::assembly)
      in.device_flags.push_back("-S");
    else
      in.device_flags.push_back("-c");
    in.goal = Goal::device_ir;
  }
  if (auto status = check(); !status) return support::fail(status.error());
  return std::move(in);
}

}  // namespace

GpuArchitecture Invocation::architecture() const {
  if (architectures.empty()) return default_architecture;
  return *std::max_element(architectures.begin(), architectures.end());
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool separates = !quote && (c == ',' || c == ' ' || c == '\t');
    if (separates) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == '\\' && i + 1 < text.size())
      word += text[++i];
    else if (c == quote)
      quote = 0;
    else if (!quote && (c == '"' || c == '\''))
      quote = c;
    else
      word += c;
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

Result<Task> understand(std::span<const Argument> arguments) {
  Reader reader;
  for (const Argument& argument : arguments)
    if (auto status = reader.read(argument, false); !status) return support::fail(status.error());
  if (auto status = reader.read_host_compiler_words(); !status)
    return support::fail(status.error());
  return reader.finish();
}

}  // namespace gridspan::driver
