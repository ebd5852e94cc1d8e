// Running the device compiler inside gridcc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/device_step.h"

#include "driver/container_step.h"
#include "driver/files.h"
#include "driver/messages.h"
#include "driver/module_id.h"
#include "driver/ptx_options.h"
#include "driver/tune_file.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/PrettyStackTrace.h>
#include <llvm/Support/raw_ostream.h>

namespace gridspan::driver {
namespace {

using Kind = codegen::Diagnostic::Kind;

bool is_wanted(Kind kind, MessagePolicy policy) {
  if (kind == Kind::warning) return !policy.no_warnings;
  return kind == Kind::error || policy.remarks;
}

bool print_diagnostics(std::vector<codegen::Diagnostic>& diagnostics, MessagePolicy policy) {
  bool good = true;
  for (codegen::Diagnostic& diagnostic : diagnostics) {
    if (!is_wanted(diagnostic.kind, policy)) continue;
    if (diagnostic.kind == Kind::warning && policy.warnings_as_errors)
      diagnostic.kind = Kind::error;
    good &= diagnostic.kind != Kind::error;
    print_diagnostic(diagnostic);
  }
  return good;
}

}  // namespace

static bool compile_one(const codegen::DeviceRequest& request, MessagePolicy policy, CacheUse use) {
  std::vector<codegen::Diagnostic> diagnostics;
  std::string used;
  const bool good = use.cache ? use.cache->compile(request, diagnostics, used)
                              : codegen::compile_device(request, diagnostics);
  if (!used.empty() && use.is_verbose)
    llvm::errs() << "gridcc: device code compiled before: " << used << '\n';
  return print_diagnostics(diagnostics, policy) && good;
}

bool run_device_compiler(const codegen::DeviceRequest& request, MessagePolicy policy, CacheUse use,
                         const PartsUse& parts) {
  // Shown should the compiler crash: the module to reproduce it with.
  llvm::PrettyStackTraceString trace(
      "gridcc: internal error in the device compiler; please report "
      "it with the output of the same command and -keep -v");
  const auto compile = [&](const codegen::DeviceRequest& one) {
    return compile_one(one, policy, use);
  };
  return compile_in_parts(request, parts, compile);
}

bool run_relocatable_step(const RelocatableParts& parts, const std::string& object,
                          MessagePolicy policy) {
  std::vector<codegen::Diagnostic> diagnostics;
  const bool good =
      codegen::check_device(parts.bitcode_path, parts.lowered_names_path, diagnostics);
  if (!print_diagnostics(diagnostics, policy) || !good) return false;
  auto made = make_relocatable_object(parts, object);
  if (!made) print_error(made.error().message);
  return made.has_value();
}

int run_internal_step(const InternalStep& step) {
  if (!step.container.empty()) return run_container_step(step);
  auto id = parse_module_id(step.module_id.empty() ? std::string(32, '0') : step.module_id);
  if (!id) return print_error(id.error().message), 1;
  if (step.output.empty()) return print_error("this step needs '-o'"), 1;
  if (!step.host_object.empty()) {
    std::string options;
    llvm::raw_string_ostream(options)
        << llvm::json::Value(llvm::json::Object{{"source", step.source}});
    const RelocatableParts parts{step.host_object, step.bitcode, step.source,   *id,
                                 options,          {},           step.sequences};
    return run_relocatable_step(parts, step.output, {}) ? 0 : 1;
  }
  if (step.bitcode.empty()) {
    auto written = write_file(step.output, module_reference_bytes(*id));
    if (!written) print_error(written.error().message);
    return written ? 0 : 1;
  }
  codegen::DeviceRequest request;
  request.bitcode_path = step.bitcode;
  request.object_path = step.output;
  request.id = *id;
  request.target_triple = step.target;
  request.target_cpu = step.cpu;
  request.options_json = "{}";
  request.opt_level = step.opt_level;
  request.debug_info = step.debug_info;
  request.position_independent = step.position_independent;
  request.without = step.without;
  request.launch_shapes_path = step.launch_shapes;
  request.sequences_path = step.sequences;
  request.ptx = parse_ptx_options(step.ptx);
  request.ptx.opt_level = step.opt_level;
  request.ptx.assembler = step.assembler;
  for (const std::string& edition : step.editions)
    request.editions.push_back(parse_edition(edition));
  if (!step.tune_file.empty()) {
    auto tuned = read_tune_file(step.tune_file, true);
    if (!tuned) return print_error(tuned.error().message), 1;
    request.tuned = std::move(*tuned);
  }
  return run_device_compiler(request, {}) ? 0 : 1;
}

}  // namespace gridspan::driver
