// Constants in the layout of src/abi/module.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/descriptors.h"

#include "abi/recording.h"
#include "abi/registration.h"
#include "abi/specialise.h"
#include "codegen/constant_writer.h"
#include "support/fused_launches.h"
#include "transforms/source_points.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace gridspan::codegen {

using namespace llvm;
using transforms::source_point_value;
using transforms::string_address;

namespace {

class DescriptorWriter : ConstantWriter {
 public:
  explicit DescriptorWriter(Module& module) : ConstantWriter(module) {}

  struct Container {
    Constant* bytes;
    std::uint64_t size;
  };
  /// With the kernels made of several, whose container is `fused`.
  Constant* whole_module(abi::ModuleId id, const VariantCode& code, Container container,
                         Container fused);
  /// Of these kernels; `fused` and `launches` as in abi::Module.
  Constant* module_descriptor(abi::ModuleId id, const VariantCode& code,
                              ArrayRef<const KernelCode*> kernels, Container container,
                              Constant* fused, Constant* launches);
  Constant* variants(ArrayRef<Constant*> modules);
  /// Null for none. Only those in the section are found by who reads the file.
  Container container(StringRef bytes, bool in_section = true);
  Constant* recording(Constant* described, unsigned sites) {
    return structure<abi::Recording>({u32(abi::version), u32(sites), described});
  }
  Constant* specialised(Constant* described) {
    return structure<abi::Specialised>({u32(abi::version), u32(0), described});
  }

 private:
  Constant* kernel(const KernelCode& kernel, Constant* module);
  Constant* regions(const KernelCode& kernel);
  Constant* forms(const KernelCode& kernel);
  Constant* parameters(const KernelCode& kernel);
  Constant* symbol(const transforms::DeviceSymbol& symbol);
};

Constant* DescriptorWriter::regions(const KernelCode& kernel) {
  SmallVector<Constant*> elements;
  for (const transforms::RegionCode& region : kernel.regions.regions)
    elements.push_back(structure<abi::Region>({region.function, u16(region.only_successor),
                                               u8(static_cast<std::uint8_t>(region.kind)),
                                               source_point_value(module_, region.where)}));
  return array(elements, "gridspan.regions." + kernel.name);
}

Constant* DescriptorWriter::forms(const KernelCode& kernel) {
  SmallVector<Constant*> elements;
  for (const auto& [function, needs, block, joined, linear, prologue] : kernel.regions.forms)
    elements.push_back(
        structure<abi::BlockForm>({function, prologue ? prologue : null(), u32(needs),
                                   u32(block[0]), u32(block[1]), u32(block[2]), u32(joined.threads),
                                   u32(joined.width), u32(joined.rows), u32(joined.height)}));
  return array(elements, "gridspan.forms." + kernel.name);
}

Constant* DescriptorWriter::parameters(const KernelCode& kernel) {
  SmallVector<Constant*> elements;
  for (const KernelParameter& parameter : kernel.parameters)
    elements.push_back(
        structure<abi::Parameter>({u32(parameter.size), u32(parameter.align), u32(parameter.offset),
                                   u32(parameter.is_pointer)}));
  return array(elements, "gridspan.parameters." + kernel.name);
}

std::uint32_t flags_of(const KernelCode& kernel) {
  std::uint32_t flags = 0;
  if (kernel.fiber_reason) flags |= abi::kernel_needs_fibers;
  if (kernel.warp_operations != 0) flags |= abi::kernel_has_warp_sync;
  if (kernel.grid_barriers != 0) flags |= abi::kernel_has_grid_sync;
  if (kernel.block_barriers != 0) flags |= abi::kernel_has_block_sync;
  if (kernel.prints_or_traps) flags |= abi::kernel_uses_printf_or_trap;
  if (kernel.launches) flags |= abi::kernel_launches;
  if (kernel.threads_are_apart) flags |= abi::kernel_threads_are_apart;
  if (kernel.takes_any_order) flags |= abi::kernel_takes_any_order;
  if (kernel.hands_on) flags |= abi::kernel_hands_on;
  if (kernel.child_waits != 0) flags |= abi::kernel_waits_for_children;
  if (kernel.waiting_rounds != 0 && !kernel.fiber_reason) flags |= abi::kernel_waits_in_loops;
  return flags;
}

Constant* DescriptorWriter::kernel(const KernelCode& kernel, Constant* module) {
  Constant* reason = null();
  if (kernel.fiber_reason)
    reason = string_address(
        module_, to_string(kernel.fiber_reason->where) + ": " + kernel.fiber_reason->text);
  return structure<abi::Kernel>(
      {string_address(module_, kernel.name), source_point_value(module_, kernel.where),
       kernel.thread ? kernel.thread : null(), regions(kernel), u32(kernel.regions.regions.size()),
       u32(flags_of(kernel)), forms(kernel), u32(kernel.regions.forms.size()),
       u32(kernel.thread_instructions), reason, parameters(kernel), u32(kernel.parameters.size()),
       u32(kernel.static_shared), u64(kernel.regions.frame_bytes), u32(kernel.max_threads),
       u32(kernel.min_blocks), u32(0), kernel.model ? kernel.model : null(), module});
}

Constant* DescriptorWriter::symbol(const transforms::DeviceSymbol& symbol) {
  SmallVector<Constant*> relocations;
  for (const transforms::SymbolRelocation& relocation : symbol.relocations)
    relocations.push_back(
        structure<abi::SymbolRelocation>({u64(relocation.offset), u32(relocation.target), u32(0),
                                          u64(static_cast<std::uint64_t>(relocation.addend))}));
  std::uint32_t flags = (symbol.is_constant ? abi::symbol_constant : 0u) |
                        (symbol.is_managed ? abi::symbol_managed : 0u);
  Constant* initial = symbol.initial ? static_cast<Constant*>(symbol.initial) : null();
  return structure<abi::Symbol>({string_address(module_, symbol.name), u64(symbol.size),
                                 u32(symbol.align), u32(flags), initial,
                                 array(relocations, "gridspan.relocations." + symbol.name),
                                 u32(relocations.size())});
}

DescriptorWriter::Container DescriptorWriter::container(StringRef bytes, bool in_section) {
  if (bytes.empty()) return {null(), 0};
  Constant* data = ConstantDataArray::getString(context_, bytes, false);
  GlobalVariable* variable = global(data, "gridspan.container");
  if (in_section) variable->setSection(".gridspan");
  variable->setAlignment(Align(16));
  return {variable, bytes.size()};
}

Constant* DescriptorWriter::whole_module(abi::ModuleId id, const VariantCode& code,
                                         Container container, Container fused) {
  SmallVector<const KernelCode*> ordinary, made;
  SmallVector<Constant*> launches;
  for (const KernelCode& kernel : code.kernels) {
    (kernel.fused ? made : ordinary).push_back(&kernel);
    if (kernel.fused)
      launches.push_back(string_address(module_, support::to_text(kernel.fused->launches)));
  }
  Constant* others = null();
  if (!made.empty())
    others = module_descriptor(id, {code.set, {}, {}}, made, fused, null(),
                               array(launches, "gridspan.launches"));
  return module_descriptor(id, code, ordinary, container, others, null());
}

Constant* DescriptorWriter::module_descriptor(abi::ModuleId id, const VariantCode& code,
                                              ArrayRef<const KernelCode*> kernels,
                                              Container container, Constant* fused,
                                              Constant* launches) {
  SmallVector<Constant*> kernel_list, symbol_list;
  // Kernels and module point at each other.
  auto* here = new GlobalVariable(module_, Type::getInt8Ty(context_), true,
                                  GlobalValue::ExternalLinkage, nullptr, "gridspan.this_module");
  for (const KernelCode* one : kernels) kernel_list.push_back(kernel(*one, here));
  for (const transforms::DeviceSymbol& variable : code.symbols)
    symbol_list.push_back(symbol(variable));
  Constant* identity = ConstantDataArray::get(context_, ArrayRef<std::uint64_t>(id.words));
  Constant* made =
      global(structure<abi::Module>(
                 {u32(abi::version), u32(kernel_list.size()), identity,
                  array(kernel_list, "gridspan.kernels"), array(symbol_list, "gridspan.symbols"),
                  u32(symbol_list.size()), u32(static_cast<std::uint32_t>(code.set)),
                  container.bytes, u64(container.size), fused, launches}),
             "gridspan.module");
  here->replaceAllUsesWith(made);
  here->eraseFromParent();
  return made;
}

Constant* DescriptorWriter::variants(ArrayRef<Constant*> modules) {
  return global(structure<abi::ModuleVariants>(
                    {u32(abi::version), u32(modules.size()), array(modules, "gridspan.variants")}),
                "gridspan.module_variants");
}

/// A function without parameters that calls `name(descriptor)`.
Function* make_caller(Module& module, StringRef name, Constant* descriptor) {
  LLVMContext& context = module.getContext();
  Type* nothing = Type::getVoidTy(context);
  Function* function = Function::Create(FunctionType::get(nothing, false),
                                        GlobalValue::InternalLinkage, name + ".caller", module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  FunctionCallee callee =
      module.getOrInsertFunction(name, FunctionType::get(nothing, {builder.getPtrTy()}, false));
  builder.CreateCall(callee, {descriptor});
  builder.CreateRetVoid();
  return function;
}

/// void NAME(register_globals, wrapper, id, callback): registers one unit's names. Hidden, so that
/// each library of a program registers its units with its own code.
void define_registration(Module& module, const UnitRegistration& unit, StringRef entry,
                         Constant* descriptor) {
  LLVMContext& context = module.getContext();
  Type* nothing = Type::getVoidTy(context);
  Type* pointer = PointerType::getUnqual(context);
  Function* function =
      Function::Create(FunctionType::get(nothing, {pointer, pointer, pointer, pointer}, false),
                       GlobalValue::ExternalLinkage, unit.function, module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  FunctionCallee callee = module.getOrInsertFunction(
      entry, FunctionType::get(nothing, {pointer, pointer, pointer}, false));
  builder.CreateCall(callee,
                     {descriptor, string_address(module, unit.suffix), function->getArg(0)});
  builder.CreateRetVoid();
}

}  // namespace

void add_descriptors(Module& module, abi::ModuleId id, const std::vector<VariantCode>& variants,
                     const Containers& containers, ArrayRef<UnitRegistration> registrations) {
  DescriptorWriter writer(module);
  const auto ordinary = writer.container(containers.ordinary);
  const auto fused = writer.container(containers.fused, false);
  SmallVector<Constant*> modules;
  for (const VariantCode& code : variants)
    modules.push_back(writer.whole_module(id, code, ordinary, fused));
  bool single = modules.size() == 1;
  Constant* descriptor = single ? modules[0] : writer.variants(modules);
  StringRef what = single ? "module" : "variants";
  appendToGlobalCtors(module, make_caller(module, ("gridspan_register_" + what).str(), descriptor),
                      abi::registration_priority);
  appendToGlobalDtors(module,
                      make_caller(module, ("gridspan_unregister_" + what).str(), descriptor),
                      abi::registration_priority);
  const StringRef entry =
      single ? "gridspan_register_linked_unit" : "gridspan_register_linked_unit_of_variants";
  for (const UnitRegistration& unit : registrations)
    define_registration(module, unit, entry, descriptor);
}

/// A descriptor that is found by its name.
static void export_as(Module& module, Constant* value, StringRef name) {
  new GlobalVariable(module, value->getType(), true, GlobalValue::ExternalLinkage, value, name);
}

void export_recording(Module& module, abi::ModuleId id, const VariantCode& code, unsigned sites) {
  DescriptorWriter writer(module);
  Constant* described = writer.whole_module(id, code, writer.container({}), writer.container({}));
  export_as(module, writer.recording(described, sites), "gridspan_recording");
}

void export_specialised(Module& module, abi::ModuleId id, const VariantCode& code,
                        StringRef bytes) {
  DescriptorWriter writer(module);
  Constant* described =
      writer.whole_module(id, code, writer.container(bytes), writer.container({}));
  export_as(module, writer.specialised(described), "gridspan_specialised");
}

}  // namespace gridspan::codegen
