// Lines of JSON to settings and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tune_file.h"

#include "codegen/pipeline.h"
#include "driver/files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace gridspan::driver {

using codegen::KernelSettings;
using codegen::Knob;
using codegen::TunedKernel;
using support::Result;
namespace json = llvm::json;

namespace {

constexpr char format_key[] = "gridspan_tune";
constexpr std::int64_t format_version = 1;

void write_settings(json::OStream& out, const KernelSettings& settings) {
  for (const Knob& knob : codegen::knobs())
    if (const unsigned value = settings.*knob.value)
      out.attribute(llvm::StringRef(knob.name), value);
  if (!settings.without.empty()) out.attribute("without", json::Array(settings.without));
}

void write_entry(json::OStream& out, const TuneEntry& entry) {
  const auto microseconds = [](double ms) { return static_cast<std::int64_t>(ms * 1000); };
  out.object([&] {
    out.attribute("kernel", entry.kernel.kernel);
    out.attribute("source", entry.kernel.source);
    out.attribute("code", entry.kernel.code);
    out.attribute("cpu", entry.kernel.cpu);
    out.attributeObject("settings", [&] { write_settings(out, entry.kernel.settings); });
    out.attribute("microseconds",
                  json::Array{microseconds(entry.default_ms), microseconds(entry.tuned_ms)});
  });
}

Result<void> read_number(const Knob& knob, const json::Value& value, KernelSettings& into) {
  const auto number = value.getAsInteger();
  if (!number || *number < knob.least || *number > knob.most)
    return support::fail("'" + std::string(knob.name) + "' is a number from " +
                         std::to_string(knob.least) + " to " + std::to_string(knob.most));
  into.*knob.value = static_cast<unsigned>(*number);
  return {};
}

Result<void> read_without(const json::Value& value, KernelSettings& into) {
  const json::Array* list = value.getAsArray();
  if (!list) return support::fail("'without' is a list of optimisations");
  for (const json::Value& one : *list) {
    const std::string name = one.getAsString().value_or("").str();
    if (!codegen::is_optional_stage(name)) return support::fail("no optimisation '" + name + "'");
    into.without.push_back(name);
  }
  return {};
}

Result<void> read_setting(llvm::StringRef name, const json::Value& value, KernelSettings& into) {
  if (name == "without") return read_without(value, into);
  for (const Knob& knob : codegen::knobs())
    if (name == llvm::StringRef(knob.name)) return read_number(knob, value, into);
  return support::fail("no setting '" + name.str() + "'");
}

Result<KernelSettings> read_settings(const json::Object& object) {
  KernelSettings settings;
  for (const auto& [name, value] : object)
    if (auto read = read_setting(name.str(), value, settings); !read)
      return support::fail(read.error());
  return settings;
}

Result<TunedKernel> read_kernel(const json::Object& object) {
  auto text = [&](const char* key) { return object.getString(key).value_or("").str(); };
  TunedKernel kernel{text("kernel"), text("source"), text("code"), text("cpu"), {}};
  const json::Object* settings = object.getObject("settings");
  if (kernel.kernel.empty() || !settings)
    return support::fail(R"(a kernel has "kernel": its mangled name, and "settings": {...})");
  auto read = read_settings(*settings);
  if (!read) return support::fail(read.error());
  kernel.settings = std::move(*read);
  return kernel;
}

std::string in_one_line(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  for (char& one : text)
    if (one == '\n') one = ' ';
  return text;
}

}  // namespace

std::string to_tune_text(const std::vector<TuneEntry>& entries) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << json::Value(json::Object{{format_key, format_version}}) << '\n';
  for (const TuneEntry& entry : entries) {
    json::OStream line(out);
    write_entry(line, entry);
    line.flush();
    out << '\n';
  }
  return text;
}

Result<std::vector<TunedKernel>> parse_tune_text(std::string_view text, const std::string& file) {
  std::vector<TunedKernel> kernels;
  unsigned number = 0;
  auto fail = [&](const std::string& why) {
    return support::fail(file + ":" + std::to_string(number) + ": " + why +
                         " (settings of kernels; gridcc --tune writes the file anew)");
  };
  llvm::StringRef rest(text);
  while (!rest.empty()) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    ++number;
    if (line.trim().empty()) continue;
    auto value = json::parse(line);
    if (!value) return fail(in_one_line(value.takeError()));
    const json::Object* object = value->getAsObject();
    if (!object) return fail("not a JSON object");
    if (const auto version = object->getInteger(format_key)) {
      if (*version != format_version) return fail("written by another version of gridcc");
      continue;
    }
    auto kernel = read_kernel(*object);
    if (!kernel) return fail(kernel.error().message);
    kernels.push_back(std::move(*kernel));
  }
  return kernels;
}

Result<std::vector<TunedKernel>> read_tune_file(const std::string& file, bool is_required) {
  if (!is_required && !llvm::sys::fs::exists(file)) return std::vector<TunedKernel>();
  auto text = read_file(file);
  if (!text) return support::fail(text.error());
  return parse_tune_text(*text, file);
}

}  // namespace gridspan::driver
