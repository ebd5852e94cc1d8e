// What a key is made of, and how an entry reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/device_cache.h"

#include "driver/configuration.h"
#include "driver/files.h"
#include "driver/module_id.h"
#include "driver/tune_file.h"
#include "support/build_id.h"
#include "support/file_identity.h"

#include <dlfcn.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/TargetParser/Host.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;
using codegen::Diagnostic;

constexpr char device_switch[] = "GRIDSPAN_DEVICE_CACHE";
/// Of entries.
constexpr std::uint64_t format = 1;
/// Whatever takes less is not kept.
constexpr std::chrono::milliseconds worth_keeping{50};

/// Of the loaded file that the address is in: what it holds, wherever and since when it is there.
/// Linkers need not give build numbers.
std::string identity(const void* address, const std::string& path) {
  std::string id = support::build_id(address);
  return id.empty() ? support::file_identity(path) : id;
}

std::string path_of(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 && info.dli_fname ? info.dli_fname : "";
}

/// gridcc, LLVM, and the device libraries that gridcc links (codegen/device_library.h).
std::vector<std::string> compiler_identity() {
  const std::string self = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  const void* const of_llvm = reinterpret_cast<const void*>(&llvm::sys::getHostCPUName);
  // The loader knows a program only by the name it was called by.
  std::vector<std::string> texts = {configuration::version, identity(&device_switch, self),
                                    identity(of_llvm, path_of(of_llvm))};
  const fs::path libraries = fs::path(self).parent_path().parent_path() / "lib" / "gridspan";
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(libraries, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".bc")
      files.push_back(at->path().filename().string() +
                      to_text(make_module_id({{read_file(at->path()).value_or("")}})));
  std::ranges::sort(files);
  texts.insert(texts.end(), files.begin(), files.end());
  return texts;
}

/// A file that may be missing: that is another text than an empty file's.
std::string content_or_absence(const std::string& path) {
  const auto content = read_file(path);
  return content ? "there: " + *content : "absent";
}

std::string text_of(const std::vector<codegen::TunedKernel>& tuned) {
  std::vector<TuneEntry> entries;
  for (const codegen::TunedKernel& kernel : tuned) entries.push_back({kernel});
  return to_tune_text(entries);
}

/// Gives the request what was made of the same code before. False: it cannot be written.
bool deliver(CompiledDevice made, const codegen::DeviceRequest& request) {
  replace_id(made.object, made.id, request.id);
  return write_file(request.object_path, made.object) &&
         (request.lowered_names_path.empty() || write_file(request.lowered_names_path, made.names));
}

}  // namespace

std::string entry_text(const CompiledDevice& made) {
  std::vector<std::string> parts = {to_text(made.id), made.names, made.object};
  for (const Diagnostic& one : made.diagnostics) {
    parts.insert(parts.end(), {std::to_string(static_cast<int>(one.kind)), one.file,
                               std::to_string(one.line), std::to_string(one.column), one.text});
  }
  std::string text;
  for (const std::string& part : parts) text += std::to_string(part.size()) + ":" + part;
  return text;
}

/// The next part, which goes from the text; nothing if there is none.
static std::optional<std::string_view> take_part(std::string_view& text) {
  std::size_t size = 0, colon = text.find(':');
  if (colon == std::string_view::npos ||
      llvm::StringRef(text.substr(0, colon)).getAsInteger(10, size) ||
      size > text.size() - colon - 1)
    return std::nullopt;
  const std::string_view part = text.substr(colon + 1, size);
  text.remove_prefix(colon + 1 + size);
  return part;
}

std::optional<CompiledDevice> parse_entry(std::string_view text) {
  const auto id_text = take_part(text), names = take_part(text), object = take_part(text);
  if (!id_text || !names || !object) return std::nullopt;
  const auto id = parse_module_id(*id_text);
  if (!id) return std::nullopt;
  CompiledDevice made{*id, {}, std::string(*names), std::string(*object)};
  while (!text.empty()) {
    const auto kind = take_part(text), file = take_part(text), line = take_part(text),
               column = take_part(text), said = take_part(text);
    if (!kind || !file || !line || !column || !said) return std::nullopt;
    Diagnostic one{Diagnostic::Kind::error, std::string(*file), 0, 0, std::string(*said)};
    int number = 0;
    if (llvm::StringRef(*kind).getAsInteger(10, number) ||
        llvm::StringRef(*line).getAsInteger(10, one.line) ||
        llvm::StringRef(*column).getAsInteger(10, one.column))
      return std::nullopt;
    one.kind = static_cast<Diagnostic::Kind>(number);
    made.diagnostics.push_back(std::move(one));
  }
  return made;
}

support::Result<bool> wants_device_cache() {
  const char* variable = std::getenv(device_switch);
  const std::string value = variable ? variable : "";
  if (value.empty() || value == "on") return true;
  if (value == "off") return false;
  return support::fail(std::string(device_switch) + "='" + value + "': expected on | off");
}

std::optional<std::string> device_key(const codegen::DeviceRequest& request) {
  if (request.kernel_done || request.forms_only || request.records_accesses || request.special)
    return std::nullopt;
  std::vector<std::string> texts = compiler_identity();
  const auto bitcode = read_file(request.bitcode_path);
  if (!bitcode) return std::nullopt;
  texts.insert(texts.end(),
               {*bitcode, request.target_triple, request.target_cpu, request.options_json});
  texts.push_back(std::to_string(request.opt_level) + (request.debug_info ? " debug" : "") +
                  (request.position_independent ? " pic" : "") +
                  (request.lowered_names_path.empty() ? "" : " names"));
  texts.push_back("large " + std::to_string(request.most_instructions_of_all_variants));
  for (const auto& one : request.registrations) texts.push_back(one.function + " " + one.suffix);
  texts.push_back(content_or_absence(request.launch_shapes_path));
  texts.push_back(content_or_absence(request.sequences_path));
  for (const std::string& one : request.without) texts.push_back("without " + one);
  for (const std::string& one : request.vector_math) texts.push_back("vector math " + one);
  texts.push_back(text_of(request.tuned));
  const codegen::PtxOptions& ptx = request.ptx;
  for (const unsigned number : {ptx.level, ptx.below, ptx.follows_others ? 1u : 0u,
                                ptx.contracts ? 1u : 0u, ptx.max_registers, ptx.opt_level})
    texts.push_back(std::to_string(number));
  texts.push_back(support::file_identity(ptx.libdevice));
  for (const unsigned one : ptx.machine) texts.push_back("machine " + std::to_string(one));
  texts.push_back(support::file_identity(ptx.assembler));
  for (const codegen::SourceEdition& edition : request.editions) {
    const auto code = read_file(edition.bitcode_path);
    if (!code) return std::nullopt;
    texts.push_back(std::to_string(edition.level) + " " + std::to_string(edition.below));
    texts.push_back(*code);
  }
  return to_text(make_module_id(texts));
}

void replace_id(std::string& object, abi::ModuleId from, abi::ModuleId to) {
  if (from == to) return;
  const std::string_view old(reinterpret_cast<const char*>(&from), sizeof from);
  for (std::size_t at = object.find(old); at != std::string::npos; at = object.find(old, at)) {
    std::memcpy(object.data() + at, &to, sizeof to);
    at += sizeof to;
  }
}

DeviceCache::DeviceCache(std::string root, std::uint64_t limit)
    : files_(std::move(root), format, limit) {}

bool DeviceCache::compile(const codegen::DeviceRequest& request,
                          std::vector<Diagnostic>& diagnostics, std::string& used) const {
  const auto key = device_key(request);
  if (!key) return codegen::compile_device(request, diagnostics);
  if (const auto entry = files_.read(*key))
    if (auto made = parse_entry(*entry)) {
      const std::vector<Diagnostic> said = made->diagnostics;
      if (deliver(std::move(*made), request)) {
        diagnostics.insert(diagnostics.end(), said.begin(), said.end());
        used = files_.path(*key);
        return true;
      }
    }
  // An assembler that had no memory may have some next time.
  bool lacks_machine_code = false;
  codegen::DeviceRequest watched = request;
  watched.lacks_machine_code = &lacks_machine_code;
  const auto begin = std::chrono::steady_clock::now();
  const bool good = codegen::compile_device(watched, diagnostics);
  if (!good || lacks_machine_code || std::chrono::steady_clock::now() - begin < worth_keeping)
    return good;
  auto object = read_file(request.object_path);
  auto names = request.lowered_names_path.empty() ? support::Result<std::string>()
                                                  : read_file(request.lowered_names_path);
  // Where nothing can be kept, nothing is.
  if (object && names)
    (void)files_.store(*key, entry_text({request.id, diagnostics, *names, *object}));
  return good;
}

}  // namespace gridspan::driver
