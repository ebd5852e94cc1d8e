// Machine code or PTX to the driver, names back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/module_code.h"

#include "devices/cuda/fake_hooks.h"
#include "devices/cuda/gpu_container.h"
#include "support/first_at_exit.h"
#include "support/log.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

namespace gridspan::devices::cuda {
namespace {

bool is_managed(const abi::Symbol& symbol) { return (symbol.flags & abi::symbol_managed) != 0; }

/// Of the variable, or of where its address is.
std::string place_name(const abi::Symbol& symbol) {
  return is_managed(symbol) ? managed_name(symbol.name) : name_in_ptx(symbol.name);
}

/// The fake driver runs CPU code: it is content with the names of what there would be.
std::string names_as_ptx(const abi::Module& module) {
  std::string text;
  for (std::uint32_t i = 0; i < module.symbol_count; ++i)
    text += ".visible .global .b8 " + place_name(module.symbols[i]) + ";\n";
  for (std::uint32_t i = 0; i < module.kernel_count; ++i) {
    const char* const name = module.kernels[i].name;
    if ((module.kernels[i].flags & abi::kernel_waits_for_children) != 0) continue;
    for (const std::string& entry : {name_in_ptx(name), part_name(name), packed_name(name)})
      text += ".visible .entry " + entry + "()\n";
  }
  const std::span kernels(module.kernels, module.kernel_count);
  if (std::ranges::any_of(kernels, abi::launches_kernels))
    text += ".visible .global .u64 " + std::string(abi::child_list_variable) + ";\n";
  return text + '\0';
}

/// Of the driver's compiler, in one line.
std::string first_line(const std::string& log) {
  const auto end = std::find_if(log.begin(), log.end(), [](char c) { return c == 0 || c == '\n'; });
  return std::string(log.begin(), end);
}

}  // namespace

namespace {

/// What the driver compiles of a module, or a reason.
struct Text {
  std::string text;
  bool is_divided = false;
};

support::Result<Text> text_of(const GpuContext& gpu, const abi::Module& module,
                              std::uint32_t capability, std::string DividedPtx::* which) {
  auto text = ptx_of(module, capability);
  if (!text && gpu.driver.is_fake && !has_ptx(module)) text = names_as_ptx(module);
  if (!text) return support::fail(text.error());
  DividedPtx divided = module.symbol_count == 0 ? divide(*text) : DividedPtx();
  if (divided.kernels.empty()) return Text{std::move(*text), false};
  return Text{std::move(divided.*which), true};
}

/// Null where there is none, or none that this driver takes: it compiles the text then.
ModuleHandle load_machine_code(const GpuContext& gpu, const abi::Module& module,
                               std::uint32_t capability) {
  const char* const forced = std::getenv("CUDA_FORCE_PTX_JIT");  // NVIDIA's name for this
  if (forced && *forced != 0 && std::string_view(forced) != "0") return nullptr;
  const auto code = machine_code_of(module, capability);
  if (!code || gpu.make_current() != success) return nullptr;
  ModuleHandle handle = nullptr;
  const Loading loading(module);
  const Result error = gpu.driver.cuModuleLoadDataEx(&handle, code->data(), 0, nullptr, nullptr);
  if (error == success) return handle;
  support::log(support::LogLevel::info, "machine code for sm_%u is not taken: %s", capability,
               gpu.driver.describe(error, "cuModuleLoadDataEx").c_str());
  return nullptr;
}

support::Result<ModuleHandle> load_text(const GpuContext& gpu, const abi::Module& module,
                                        std::string text) {
  const Driver& api = gpu.driver;
  if (const Result error = gpu.make_current(); error != success)
    return support::fail(api.describe(error, "cuCtxSetCurrent"));
  std::string log(4096, '\0');
  LoadOption options[] = {LoadOption::error_log, LoadOption::error_log_bytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(std::uintptr_t{log.size()})};
  ModuleHandle handle = nullptr;
  const Loading loading(module);
  Result error = api.cuModuleLoadDataEx(&handle, text.data(), 2, options, values);
  // Texts with inline PTX ask for a version that has all of it, and seldom need that.
  if (int version = 0; error == error_unsupported_ptx_version &&
                       api.cuDriverGetVersion(&version) == success && lower_version(text, version))
    error = api.cuModuleLoadDataEx(&handle, text.data(), 2, options, values);
  support::be_first_at_exit();  // of what the compiler has made for itself, too
  if (error == success) return handle;
  const std::string line = first_line(log);
  return support::fail(api.describe(error, "cuModuleLoadDataEx") +
                       (line.empty() ? "" : " (" + line + ")"));
}

}  // namespace

support::Result<std::unique_ptr<ModuleCode>> ModuleCode::load(const GpuContext& gpu,
                                                              const abi::Module& module,
                                                              std::uint32_t capability) {
  if (const ModuleHandle handle = load_machine_code(gpu, module, capability)) {
    auto code = with_handle(gpu, module, capability, handle, false);
    if (code) return code;
    support::log(support::LogLevel::info, "machine code for sm_%u is not taken: %s", capability,
                 code.error().message.c_str());
  }
  auto text = text_of(gpu, module, capability, &DividedPtx::kernels);
  if (!text) return support::fail(text.error());
  const auto handle = load_text(gpu, module, std::move(text->text));
  if (!handle) return support::fail(handle.error());
  return with_handle(gpu, module, capability, *handle, text->is_divided);
}

support::Result<std::unique_ptr<ModuleCode>> ModuleCode::with_handle(const GpuContext& gpu,
                                                                     const abi::Module& module,
                                                                     std::uint32_t capability,
                                                                     ModuleHandle handle,
                                                                     bool is_divided) {
  std::unique_ptr<ModuleCode> code(new ModuleCode(gpu, module, handle, capability, is_divided));
  for (const auto& found :
       {code->find_kernels(), code->find_variables(), code->find_child_list()}) {
    if (found) continue;
    code->unload();
    return support::fail(found.error());
  }
  return code;
}

support::Result<void> ModuleCode::want(Clones& clones) {
  std::call_once(clones.once,
                 [&] { clones.state = is_divided_ ? load(clones) : support::Result<void>(); });
  return *clones.state;
}

support::Result<void> ModuleCode::load(Clones& clones) {
  auto text = text_of(gpu_, module_, capability_, clones.text);
  if (!text) return support::fail(text.error());
  if (text->text.empty()) return {};
  const auto handle = load_text(gpu_, module_, std::move(text->text));
  if (!handle) return support::fail(handle.error());
  clones.handle = *handle;
  return find_clones(clones, *handle);
}

/// Null where the PTX has none.
support::Result<FunctionHandle> ModuleCode::find(ModuleHandle handle,
                                                 const std::string& name) const {
  FunctionHandle function = nullptr;
  const Result error = gpu_.driver.cuModuleGetFunction(&function, handle, name.c_str());
  if (error == success) return function;
  if (error == error_not_found) return nullptr;
  return support::fail(gpu_.driver.describe(error, "cuModuleGetFunction"));
}

support::Result<void> ModuleCode::find_kernels() {
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const auto function = find(handle_, name_in_ptx(module_.kernels[i].name));
    if (!function) return support::fail(function.error());
    kernels_[i].whole.function = *function;
  }
  if (is_divided_) return {};
  auto found = find_clones(parts_, handle_);
  return found ? find_clones(packed_, handle_) : found;
}

support::Result<void> ModuleCode::find_clones(const Clones& clones, ModuleHandle handle) {
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const auto function = find(handle, clones.name(module_.kernels[i].name));
    if (!function) return support::fail(function.error());
    (kernels_[i].*clones.entry).function = *function;
  }
  return {};
}

/// A variable that kernels use and the program does not reach would be wrong without a word.
support::Result<void> ModuleCode::find_variables() {
  for (std::uint32_t i = 0; i < module_.symbol_count; ++i) {
    const abi::Symbol& symbol = module_.symbols[i];
    Variable variable;
    const Result error = gpu_.driver.cuModuleGetGlobal(&variable.address, &variable.bytes, handle_,
                                                       place_name(symbol).c_str());
    if (error == error_not_found)
      return support::fail("its variable " + std::string(symbol.name) +
                           " is not in its code for GPUs");
    if (error != success) return support::fail(gpu_.driver.describe(error, "cuModuleGetGlobal"));
    if (is_managed(symbol)) {
      managed_.push_back({i, variable.address});
      variable = {};
    } else if (variable.bytes < symbol.size) {
      return support::fail("its variable " + std::string(symbol.name) + " is smaller on the GPU");
    }
    variables_.push_back(variable);
  }
  return {};
}

/// Modules without kernels that launch others have none.
support::Result<void> ModuleCode::find_child_list() {
  std::size_t bytes = 0;
  const Result error =
      gpu_.driver.cuModuleGetGlobal(&child_list_place_, &bytes, handle_, abi::child_list_variable);
  if (error == error_not_found) return {};
  if (error != success) return support::fail(gpu_.driver.describe(error, "cuModuleGetGlobal"));
  for (std::uint32_t i = 0; i < module_.kernel_count; ++i) {
    const abi::Kernel& kernel = module_.kernels[i];
    by_identity_.emplace(abi::identity_of(kernel.name, std::strlen(kernel.name)), &kernel);
    if (kernel.parameter_count == 0) continue;
    const abi::Parameter& last = kernel.parameters[kernel.parameter_count - 1];
    most_argument_bytes_ = std::max(most_argument_bytes_, last.offset + last.size);
  }
  if (by_identity_.size() != module_.kernel_count)
    return support::fail("two of its kernels have the same number");
  for (const auto& [mover, name] :
       {std::pair(&copy_bytes_, abi::copy_kernel), std::pair(&fill_bytes_, abi::fill_kernel)}) {
    const auto function = find(handle_, name);
    if (!function) return support::fail(function.error());
    *mover = *function;
  }
  return {};
}

Result ModuleCode::place_child_list(void* list, Stream stream) {
  if (child_list_place_ == 0 || child_list_ == list) return success;
  child_list_ = list;
  Result error = gpu_.driver.cuMemcpyAsync(
      child_list_place_, reinterpret_cast<Address>(&child_list_), sizeof child_list_, stream);
  if (error == success) error = gpu_.driver.cuStreamSynchronize(stream);
  if (error != success) child_list_ = nullptr;
  return error;
}

const abi::Kernel* ModuleCode::find_kernel(unsigned long long identity) const {
  const auto found = by_identity_.find(identity);
  return found == by_identity_.end() ? nullptr : found->second;
}

Result ModuleCode::place_managed(void* const* addresses, Stream stream) {
  bool has_begun = false;
  for (ManagedPlace& one : managed_) {
    void* const address = addresses[one.index];
    if (address == one.written) continue;
    one.written = address;
    has_begun = true;
    const Result error = gpu_.driver.cuMemcpyAsync(
        one.place, reinterpret_cast<Address>(&one.written), sizeof one.written, stream);
    if (error != success) {
      one.written = nullptr;
      return error;
    }
  }
  // Kernels on other streams read it, too.
  return has_begun ? gpu_.driver.cuStreamSynchronize(stream) : success;
}

void ModuleCode::unload() {
  if (gpu_.make_current() != success) return;
  gpu_.driver.cuModuleUnload(handle_);
  for (const Clones* clones : {&parts_, &packed_})
    if (const ModuleHandle handle = clones->handle) gpu_.driver.cuModuleUnload(handle);
}

}  // namespace gridspan::devices::cuda
