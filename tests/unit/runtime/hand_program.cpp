// Registers hand-made modules as constructors of compiled objects would.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hand_program.h"

#include "abi/relocatable.h"

#include <cstring>

namespace gridspan::tests {

HandProgram::HandProgram() {
  static std::uint64_t next_id = 1000;
  module_.version = abi::version;
  module_.id = {{next_id++, 42}};
  std::memcpy(reference_.magic, "GRIDSPAN", 8);
  reference_.version = abi::version;
  reference_.id = module_.id;
}

const void* HandProgram::add_kernel(std::string name,
                                    std::initializer_list<ParameterSize> parameters,
                                    abi::RegionFunction region, abi::ThreadFunction thread,
                                    void (*tune)(abi::Kernel&)) {
  std::vector<abi::Parameter> packed;
  std::uint32_t offset = 0;
  for (const ParameterSize& parameter : parameters) {
    offset = (offset + parameter.align - 1) / parameter.align * parameter.align;
    packed.push_back({parameter.size, parameter.align, offset, parameter.is_pointer});
    offset += parameter.size;
  }
  parameters_.push_back(std::move(packed));
  names_.push_back(std::move(name));
  regions_.push_back({region, abi::exited, abi::SyncKind::barrier, {nullptr, 0, 0}});
  abi::Kernel kernel{};
  kernel.name = names_.back().c_str();
  kernel.thread = thread;
  kernel.regions = &regions_.back();
  kernel.region_count = 1;
  kernel.parameters = parameters_.back().data();
  kernel.parameter_count = static_cast<std::uint32_t>(parameters_.back().size());
  if (tune) tune(kernel);
  kernels_.push_back(kernel);
  stubs_.push_back(&own_stubs_.emplace_back());
  return stubs_.back();
}

const void* HandProgram::add_symbol(std::string name, std::uint64_t size, const void* initial,
                                    std::vector<abi::SymbolRelocation> relocations,
                                    std::uint32_t align) {
  names_.push_back(std::move(name));
  relocations_.push_back(std::move(relocations));
  abi::Symbol symbol{};
  symbol.name = names_.back().c_str();
  symbol.size = size;
  symbol.align = align;
  symbol.initial = initial;
  symbol.relocations = relocations_.back().data();
  symbol.relocation_count = static_cast<std::uint32_t>(relocations_.back().size());
  symbols_.push_back(symbol);
  return &shadows_.emplace_back();
}

void HandProgram::complete_descriptor() {
  module_.kernels = kernels_.data();
  module_.kernel_count = static_cast<std::uint32_t>(kernels_.size());
  module_.symbols = symbols_.data();
  module_.symbol_count = static_cast<std::uint32_t>(symbols_.size());
}

void HandProgram::register_module() {
  complete_descriptor();
  gridspan_register_module(&module_);
  module_registered_ = true;
}

void HandProgram::register_linked_unit(void (*register_globals)(void** handle),
                                       const char* suffix) {
  complete_descriptor();
  gridspan_register_linked_unit(&module_, suffix, register_globals);
  module_registered_ = true;
}

void HandProgram::register_host() {
  wrapper_.data = &reference_;
  handle_ = __cudaRegisterFatBinary(&wrapper_);
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    __cudaRegisterFunction(handle_, static_cast<const char*>(stubs_[i]), nullptr, kernels_[i].name,
                           -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  }
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    __cudaRegisterVar(handle_, &shadows_[i], nullptr, symbols_[i].name, 0, symbols_[i].size, 0, 0);
  }
  __cudaRegisterFatBinaryEnd(handle_);
}

void HandProgram::load(Order order) {
  if (order == Order::module_first) register_module();
  register_host();
  if (order == Order::host_first) register_module();
}

void HandProgram::unload() {
  if (handle_) __cudaUnregisterFatBinary(handle_);
  if (module_registered_) gridspan_unregister_module(&module_);
  handle_ = nullptr;
  module_registered_ = false;
}

}  // namespace gridspan::tests
