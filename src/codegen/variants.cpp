// Copies functions within their module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/variants.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace gridspan::codegen {

using namespace llvm;

static constexpr Variant x86_64[] = {{abi::InstructionSet::x86_64_v3, 256},
                                     {abi::InstructionSet::x86_64_v4, 512}};

Variant variant_of(abi::InstructionSet set) {
  return *find_if(x86_64, [&](const Variant& one) { return one.set == set; });
}

void set_target(Function& function, const Variant& variant) {
  function.removeFnAttr("target-features");
  function.addFnAttr("target-cpu", abi::cpu_name(variant.set));
  function.addFnAttr("prefer-vector-width", std::to_string(variant.vector_bits));
}

ArrayRef<Variant> further_variants(const Module& module, bool is_large) {
  if (Triple(module.getTargetTriple()).getArch() != Triple::x86_64) return {};
  return ArrayRef(x86_64).take_front(is_large ? 1 : 2);
}

namespace {

/// Functions of a module and the variables whose initial values hold a function's address.
struct Originals {
  explicit Originals(Module& module);
  SmallVector<Function*> functions;
  SmallSetVector<GlobalVariable*, 8> tables;

 private:
  bool names_function(const Constant& value);
  DenseMap<const Constant*, bool> known_;  // also ends the search in cycles of variables
};

Originals::Originals(Module& module) {
  for (Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  // What a cycle hides in one round is found in the next.
  for (std::size_t before = ~0ul; before != tables.size();) {
    before = tables.size();
    known_.clear();
    for (GlobalVariable* table : tables) known_[table] = true;
    for (GlobalVariable& variable : module.globals())
      if (variable.hasLocalLinkage() && names_function(variable)) tables.insert(&variable);
  }
}

bool Originals::names_function(const Constant& value) {
  if (auto* function = dyn_cast<Function>(&value)) return !function->isDeclaration();
  if (auto [found, is_new] = known_.try_emplace(&value, false); !is_new) return found->second;
  bool answer = any_of(value.operands(), [&](const Use& operand) {
    auto* constant = dyn_cast<Constant>(operand);
    return constant && names_function(*constant);
  });
  return known_[&value] = answer;
}

/// The copies for one variant.
class Copies {
 public:
  Copies(Module& module, const Originals& originals, const Variant& variant)
      : module_(module), originals_(originals), variant_(variant) {
    declare();
    for (GlobalVariable* table : originals_.tables)
      twin(table)->setInitializer(MapValue(table->getInitializer(), map_));
    for (Function* function : originals_.functions) define(*function);
  }

  Function* twin(Function* function) const {
    return function ? cast<Function>(&*map_.lookup(function)) : nullptr;
  }
  GlobalVariable* twin(GlobalVariable* variable) const {
    Value* found = variable ? map_.lookup(variable) : nullptr;
    return found ? cast<GlobalVariable>(found) : variable;
  }

 private:
  void declare();
  void define(Function& function);

  Module& module_;
  const Originals& originals_;
  const Variant& variant_;
  ValueToValueMapTy map_;
};

void Copies::declare() {
  std::string suffix = "." + StringRef(abi::cpu_name(variant_.set)).rsplit('-').second.str();
  for (Function* function : originals_.functions)
    map_[function] = Function::Create(function->getFunctionType(), GlobalValue::InternalLinkage,
                                      function->getName() + suffix, module_);
  for (GlobalVariable* table : originals_.tables) {
    auto* twin =
        new GlobalVariable(module_, table->getValueType(), table->isConstant(),
                           GlobalValue::InternalLinkage, nullptr, table->getName() + suffix);
    twin->copyAttributesFrom(table);
    map_[table] = twin;
  }
}

void Copies::define(Function& function) {
  Function& copy = *twin(&function);
  for (auto [from, to] : zip(function.args(), copy.args())) map_[&from] = &to;
  SmallVector<ReturnInst*, 4> returns;
  CloneFunctionInto(&copy, &function, map_, CloneFunctionChangeType::LocalChangesOnly, returns);
  set_target(copy, variant_);
}

}  // namespace

static VariantCode make_variant(Module& module, const Originals& originals,
                                const VariantCode& original, const Variant& variant) {
  Copies copies(module, originals, variant);
  VariantCode code = original;
  code.set = variant.set;
  for (KernelCode& kernel : code.kernels) {
    kernel.thread = copies.twin(kernel.thread);
    for (transforms::RegionCode& region : kernel.regions.regions)
      region.function = copies.twin(region.function);
    for (transforms::FormCode& form : kernel.regions.forms)
      form.function = copies.twin(form.function);
    for (Function*& loop : kernel.regions.loops) loop = copies.twin(loop);
  }
  for (transforms::DeviceSymbol& symbol : code.symbols)
    symbol.initial = copies.twin(symbol.initial);
  return code;
}

std::vector<VariantCode> make_variants(Module& module, const VariantCode& original,
                                       ArrayRef<Variant> variants) {
  Originals originals(module);
  std::vector<VariantCode> all;
  for (const Variant& variant : variants)
    all.push_back(make_variant(module, originals, original, variant));
  return all;
}

}  // namespace gridspan::codegen
