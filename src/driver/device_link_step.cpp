// From objects with relocatable device code to one object with kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/device_link_step.h"

#include "codegen/device_linker.h"
#include "driver/files.h"
#include "driver/messages.h"
#include "driver/module_id.h"
#include "driver/relocatable_object.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <filesystem>
#include <set>

namespace gridspan::driver {
namespace {

std::string options_json(const std::vector<RelocatableCode>& units,
                         const codegen::DeviceRequest& request) {
  llvm::json::Array sources;
  for (const RelocatableCode& unit : units) sources.push_back(unit.device.source);
  llvm::json::Object options{{"sources", std::move(sources)}, {"cpu", request.target_cpu}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(options));
  return text;
}

/// What the link line leaves open comes from how the units were compiled.
void complete(codegen::DeviceRequest& request, const std::vector<RelocatableCode>& units) {
  std::set<std::string> cpus;
  for (const RelocatableCode& unit : units) {
    cpus.insert(unit.device.cpu);
    request.debug_info |= unit.device.debug_info;
    if (!unit.device.optimised) request.opt_level = 0;
  }
  if (request.target_cpu.empty() && cpus.size() == 1) request.target_cpu = *cpus.begin();
}

}  // namespace

bool run_device_link(const DeviceLink& link, MessagePolicy policy,
                     std::vector<std::string>& left_out) {
  auto found = read_relocatable_code(link.files);
  if (!found) return print_error(found.error().message), false;
  std::vector<codegen::RelocatableUnit> units;
  for (const RelocatableCode& code : *found)
    units.push_back({code.origin, code.device.bitcode, !code.is_member});
  std::vector<codegen::Diagnostic> diagnostics;
  auto linked = codegen::link_device_code(units, diagnostics);
  for (const codegen::Diagnostic& diagnostic : diagnostics) print_diagnostic(diagnostic);
  if (!linked) return false;
  left_out = std::move(linked->left_out);

  std::vector<RelocatableCode> chosen;
  for (unsigned unit : linked->linked) chosen.push_back(std::move((*found)[unit]));
  codegen::DeviceRequest request = link.request;
  std::vector<std::string> texts = {
      "device link", std::filesystem::absolute(link.product).lexically_normal().string()};
  for (const RelocatableCode& unit : chosen) {
    texts.push_back(to_text(unit.device.id));
    request.registrations.push_back(unit.registration);
  }
  complete(request, chosen);
  request.id = make_module_id(texts);
  request.options_json = options_json(chosen, request);
  if (auto written = write_file(request.bitcode_path, linked->bitcode); !written)
    return print_error(written.error().message), false;
  return run_device_compiler(request, policy);
}

}  // namespace gridspan::driver
