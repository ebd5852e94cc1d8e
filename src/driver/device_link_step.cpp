// From objects with relocatable device code to one object with kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/device_link_step.h"

#include "codegen/device_linker.h"
#include "driver/files.h"
#include "driver/messages.h"
#include "driver/module_id.h"
#include "driver/ptx_options.h"
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
  std::vector<codegen::PtxOptions> ptx;
  for (const RelocatableCode& unit : units) {
    ptx.push_back(parse_ptx_options(unit.device.ptx));
    cpus.insert(unit.device.cpu);
    request.debug_info |= unit.device.debug_info;
    if (!unit.device.optimised) request.opt_level = 0;
  }
  request.ptx = linked_ptx_options(request.ptx, ptx);
  request.ptx.opt_level = request.opt_level;
  if (request.target_cpu.empty() && cpus.size() == 1) request.target_cpu = *cpus.begin();
}

/// How messages name a unit: by its object, or by its source if the object is a file of ours.
std::string origin_of(const RelocatableCode& unit, const DeviceLink& link) {
  namespace fs = std::filesystem;
  const fs::path ours = fs::path(link.request.bitcode_path).parent_path();
  return fs::path(unit.origin).parent_path() == ours ? unit.device.source : unit.origin;
}

}  // namespace

bool run_device_link(const DeviceLink& link, MessagePolicy policy, CacheUse use,
                     std::vector<std::string>& left_out) {
  auto found = read_relocatable_code(link.files, link.makes_image);
  if (!found) return print_error(found.error().message), false;
  std::vector<codegen::RelocatableUnit> units;
  for (const RelocatableCode& code : *found)
    units.push_back({origin_of(code, link), code.device.bitcode, !code.is_member});
  std::vector<codegen::Diagnostic> diagnostics;
  auto linked = codegen::link_device_code(units, diagnostics);
  for (const codegen::Diagnostic& diagnostic : diagnostics) print_diagnostic(diagnostic);
  if (!linked) return false;
  left_out = std::move(linked->left_out);

  std::vector<RelocatableCode> chosen;
  std::string sequences;
  codegen::DeviceRequest request = link.request;
  for (const codegen::LinkedDeviceCode::Unit& unit : linked->linked) {
    if (!link.makes_image)
      request.registrations.push_back({(*found)[unit.index].registration, unit.suffix});
    sequences += (*found)[unit.index].device.sequences;
    chosen.push_back(std::move((*found)[unit.index]));
  }
  std::vector<std::string> texts = {
      "device link", std::filesystem::absolute(link.product).lexically_normal().string()};
  for (const RelocatableCode& unit : chosen) texts.push_back(to_text(unit.device.id));
  complete(request, chosen);
  request.id = make_module_id(texts);
  request.options_json = options_json(chosen, request);
  if (auto written = write_file(request.bitcode_path, linked->bitcode); !written)
    return print_error(written.error().message), false;
  if (!sequences.empty()) {
    request.sequences_path = request.bitcode_path + ".sequences";
    if (auto written = write_file(request.sequences_path, sequences); !written)
      return print_error(written.error().message), false;
  }
  return run_device_compiler(request, policy, use);
}

}  // namespace gridspan::driver
