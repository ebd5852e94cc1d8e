// PTX to the driver, names back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/module_code.h"

#include "devices/cuda/fake_hooks.h"
#include "devices/cuda/ptx.h"

#include <algorithm>
#include <cstdint>

namespace gridspan::devices::cuda {
namespace {

/// The fake driver runs CPU code: it is content with the names of what there would be.
std::string names_as_ptx(const abi::Module& module) {
  std::string text;
  bool has_managed = false;  // no GPU code yet
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    has_managed |= (module.symbols[i].flags & abi::symbol_managed) != 0;
    text += ".visible .global .b8 " + std::string(module.symbols[i].name) + ";\n";
  }
  for (std::uint32_t i = 0; i < module.kernel_count && !has_managed; ++i) {
    const char* const name = module.kernels[i].name;
    text +=
        ".visible .entry " + std::string(name) + "()\n.visible .entry " + part_name(name) + "()\n";
  }
  return text + '\0';
}

/// Of the driver's compiler, in one line.
std::string first_line(const std::string& log) {
  const auto end = std::find_if(log.begin(), log.end(), [](char c) { return c == 0 || c == '\n'; });
  return std::string(log.begin(), end);
}

}  // namespace

support::Result<std::unique_ptr<ModuleCode>> ModuleCode::load(const GpuContext& gpu,
                                                              const abi::Module& module,
                                                              std::uint32_t capability) {
  const Driver& api = gpu.driver;
  auto text = ptx_of(module, capability);
  if (!text && api.is_fake()) text = names_as_ptx(module);
  if (!text) return support::fail(text.error());
  if (const Result error = gpu.make_current(); error != success)
    return support::fail(api.describe(error, "cuCtxSetCurrent"));
  std::string log(4096, '\0');
  LoadOption options[] = {LoadOption::error_log, LoadOption::error_log_bytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(std::uintptr_t{log.size()})};
  ModuleHandle handle = nullptr;
  const Loading loading(module);
  const Result error = api.cuModuleLoadDataEx(&handle, text->data(), 2, options, values);
  if (error == success) return std::unique_ptr<ModuleCode>(new ModuleCode(gpu, module, handle));
  const std::string line = first_line(log);
  return support::fail(api.describe(error, "cuModuleLoadDataEx") +
                       (line.empty() ? "" : " (" + line + ")"));
}

ModuleCode::ModuleCode(const GpuContext& gpu, const abi::Module& module, ModuleHandle handle)
    : gpu_(gpu), module_(module), handle_(handle), kernels_(module.kernel_count) {
  const Driver& api = gpu.driver;
  const auto find = [&](const std::string& name) {
    FunctionHandle function = nullptr;
    const bool is_there = api.cuModuleGetFunction(&function, handle, name.c_str()) == success;
    return is_there ? function : nullptr;
  };
  for (std::uint32_t i = 0; i < module.kernel_count; ++i) {
    kernels_[i].whole.function = find(module.kernels[i].name);
    kernels_[i].part.function = find(part_name(module.kernels[i].name));
  }
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    Variable variable;
    const char* const name = module.symbols[i].name;
    if (api.cuModuleGetGlobal(&variable.address, &variable.bytes, handle, name) != success)
      variable = {};
    // What is smaller than the program thinks is something else of that name.
    if (variable.bytes < module.symbols[i].size) variable = {};
    variables_.push_back(variable);
  }
}

void ModuleCode::unload() {
  if (gpu_.make_current() == success) gpu_.driver.cuModuleUnload(handle_);
}

}  // namespace gridspan::devices::cuda
