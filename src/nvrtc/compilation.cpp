// The source written to a file, gridcc over it, its words and products read back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     gridspan-XXXXXX/source.cu    the program, and one marker for each name expression
//                           headers/     those given in memory
//                           macros.h     those of the options
//                           said.txt     what gridcc says: the log
//                           names.txt    which marker points at what
//                           module       a shared library for the CPU
#include "nvrtc/compilation.h"

#include "nvrtc/options.h"
#include "support/find_gridcc.h"
#include "support/module_text.h"
#include "support/run_child.h"
#include "support/scratch_folder.h"

#include <charconv>
#include <filesystem>
#include <sstream>

namespace gridspan::nvrtc {
namespace {

using support::fail;
using support::read_file;
using support::Result;
using support::run_child;
using support::ScratchFolder;

Result<std::string> gridcc() {
  static const char anchor = 0;  // an address inside this library
  return support::find_gridcc(&anchor);
}

/// `text` as a C string literal.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + '"';
}

/// A marker of one name expression. It makes the compiler instantiate templates; gridcc takes it
/// out again and tells what it points at (codegen/lowered_names.h). The constant between is not of
/// the device's: so the kernel may be one of several of that name. Behind __builtin_constant_p,
/// clang folds casts that C++ does not.
std::string marker(std::size_t number, const std::string& expression) {
  const std::string n = std::to_string(number), name = "name expression " + expression;
  return "\n# 1 " + quoted(name) + "\nconstexpr auto gridspan_address_" + n +
         " = __builtin_constant_p(0) ? (\n" + expression + "\n) : (\n" + expression +
         "\n);\nextern \"C\" { __attribute__((device, used)) const void* gridspan_lowered_name_" +
         n + " = (const void*)gridspan_address_" + n + "; }\n";
}

/// Messages name the program, and each name expression, as the user did.
std::string marked_source(const _nvrtcProgram& program, bool default_device) {
  std::string text = "# 1 " + quoted(program.name) + "\n";
  if (default_device) text.insert(0, "#pragma clang force_cuda_host_device begin\n");
  text += program.source;
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    text += marker(i, program.expressions[i].text);
  return text;
}

std::vector<std::string> command_line(const std::string& compiler, const ScratchFolder& folder,
                                      const _nvrtcProgram& program, const Options& options) {
  std::vector<std::string> words = {compiler,
                                    "-cubin",
                                    "-o",
                                    folder.path("module"),
                                    "--lowered-names=" + folder.path("names.txt"),
                                    "-std=c++17",
                                    "-D__CUDACC_RTC__=1",
                                    "-U__NVCC__",
                                    "-I" + folder.path("headers")};
  if (!options.macros.empty()) words.insert(words.end(), {"-include", folder.path("macros.h")});
  words.insert(words.end(), options.words.begin(), options.words.end());
  if (options.includes_own_folder) {
    const std::string own = std::filesystem::path(program.name).parent_path();
    words.push_back("-I" + (own.empty() ? "." : own));
  }
  words.push_back(folder.path("source.cu"));
  return words;
}

/// All that a compilation begins with.
std::string text_of(const _nvrtcProgram& program, const Options& options) {
  std::string text = marked_source(program, options.default_device);
  for (const _nvrtcProgram::Header& header : program.headers)
    text += '\0' + header.name + '\0' + header.text;
  for (const std::string& word : options.words) text += '\0' + word;
  text += '\0' + options.macros;
  return text;
}

/// Files that the user does not know get the names they were given under.
std::string without_folder(std::string text, const std::string& folder) {
  for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;)
    text.erase(at, folder.size());
  return text;
}

void read_names(_nvrtcProgram& program, const std::string& text) {
  std::istringstream lines(text);
  std::size_t number = 0;
  std::string name;
  while (lines >> number >> name)
    if (number < program.expressions.size()) program.expressions[number].lowered = name;
}

Result<void> write_sources(const ScratchFolder& folder, const _nvrtcProgram& program,
                           const Options& options) {
  for (const _nvrtcProgram::Header& header : program.headers)
    if (auto written = folder.write("headers", header.name, header.text); !written) return written;
  if (auto written = folder.write("", "macros.h", options.macros); !written) return written;
  return folder.write("", "source.cu", marked_source(program, options.default_device));
}

Outcome give_up(_nvrtcProgram& program, const support::Error& error) {
  program.log = "gridspan: error: " + error.message + "\n";
  return Outcome::no_compiler;
}

}  // namespace

Outcome compile(_nvrtcProgram& program, int count, const char* const* given) {
  const Options options = translate(count, given);
  const auto compiler = gridcc();
  if (!compiler) return give_up(program, compiler.error());
  const auto folder = ScratchFolder::make_for(text_of(program, options));
  if (!folder) return give_up(program, folder.error());
  if (auto written = write_sources(*folder, program, options); !written)
    return give_up(program, written.error());
  const auto good =
      run_child(command_line(*compiler, *folder, program, options), folder->path("said.txt"));
  if (!good) return give_up(program, good.error());
  const std::string said = read_file(folder->path("said.txt"));
  program.log = without_folder(said, folder->path("headers/"));
  program.module = *good ? read_file(folder->path("module")) : std::string();
  if (program.module.empty())
    return said.starts_with("gridcc: error: unknown option") ? Outcome::unknown_option
                                                             : Outcome::errors;
  program.text = support::to_module_text(program.module);
  read_names(program, read_file(folder->path("names.txt")));
  return Outcome::compiled;
}

Result<std::vector<int>> architectures() {
  const auto compiler = gridcc();
  if (!compiler) return fail(compiler.error());
  const auto folder = ScratchFolder::make();
  if (!folder) return fail(folder.error());
  const auto good = run_child({*compiler, "--list-gpu-arch"}, folder->path("said.txt"));
  if (!good) return fail(good.error());
  std::istringstream words(read_file(folder->path("said.txt")));
  std::vector<int> found;
  for (std::string word; words >> word;) {
    int number = 0;
    const std::size_t digits = word.find_first_of("0123456789");
    if (digits == std::string::npos) continue;
    std::from_chars(word.data() + digits, word.data() + word.size(), number);
    found.push_back(number);
  }
  return found;
}

}  // namespace gridspan::nvrtc
