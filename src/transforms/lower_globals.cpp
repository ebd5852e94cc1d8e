// Static shared memory layout and the symbol table of a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/lower_globals.h"

#include "transforms/context.h"
#include "transforms/kernels.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <map>
#include <set>

namespace gridspan::transforms {

using namespace llvm;

// NVPTX address spaces as clang uses them.
enum AddressSpace : unsigned { generic = 0, global = 1, shared = 3, constant = 4, local = 5 };

static constexpr StringRef symbol_notes = "gridspan.symbol.notes";

/// Lists that only keep things alive. clang's own, of which a device link has one from each file,
/// would make every kernel a function that indirect calls may lead to.
static void drop_used_lists(Module& module) {
  for (StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable* list = module.getGlobalVariable(name)) list->eraseFromParent();
  for (GlobalVariable& list : make_early_inc_range(module.globals())) {
    if (!list.getName().starts_with("__clang_gpu_used_external")) continue;
    list.removeDeadConstantUsers();
    if (list.use_empty()) list.eraseFromParent();
  }
  for (Function& function : module) function.removeDeadConstantUsers();
}

SmallPtrSet<const GlobalVariable*, 8> managed_variables(const Module& module) {
  SmallPtrSet<const GlobalVariable*, 8> managed;
  const GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations");
  if (!annotations) return managed;
  for (const Use& entry : annotations->getInitializer()->operands()) {
    const auto* annotation = cast<ConstantStruct>(entry);
    auto* variable = dyn_cast<GlobalVariable>(annotation->getOperand(0)->stripPointerCasts());
    auto* text = dyn_cast<GlobalVariable>(annotation->getOperand(1)->stripPointerCasts());
    auto* words = text ? dyn_cast<ConstantDataSequential>(text->getInitializer()) : nullptr;
    if (variable && words && words->isCString() && words->getAsCString() == "gridspan.managed")
      managed.insert(variable);
  }
  return managed;
}

/// Replaces every use of `variable` in code by what `make` builds at the use, cast to the
/// variable's address space (the cast goes away in retarget).
template <typename Make>
static void replace_in_code(GlobalVariable& variable, Make make) {
  convertUsersOfConstantsToInstructions({&variable});
  SmallVector<Use*> uses;
  for (Use& use : variable.uses())
    if (isa<Instruction>(use.getUser())) uses.push_back(&use);
  for (Use* use : uses) {
    auto* user = cast<Instruction>(use->getUser());
    if (auto* phi = dyn_cast<PHINode>(user)) {
      // All entries of one predecessor must agree on one value.
      BasicBlock* from = phi->getIncomingBlock(*use);
      IRBuilder<> builder(from->getTerminator());
      Value* value = builder.CreateAddrSpaceCast(make(builder), variable.getType());
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (phi->getIncomingBlock(i) == from && phi->getIncomingValue(i) == &variable)
          phi->setIncomingValue(i, value);
      continue;
    }
    IRBuilder<> builder(user);
    if (isa<AddrSpaceCastInst>(user) && user->getType()->getPointerAddressSpace() == generic) {
      user->replaceAllUsesWith(make(builder));
      user->eraseFromParent();
      continue;
    }
    use->set(builder.CreateAddrSpaceCast(make(builder), variable.getType()));
  }
}

/// A static shared variable with the kernels that may touch it; variables no kernel uses together
/// may share their place.
struct SharedVariable {
  GlobalVariable* variable;
  std::uint64_t size;
  Align align;
  std::set<unsigned> kernels;
  std::uint64_t offset = 0;
};

static bool intersects(const std::set<unsigned>& left, const std::set<unsigned>& right) {
  return any_of(left, [&](unsigned kernel) { return right.contains(kernel); });
}

/// First fit below and between the variables that are live in a common kernel.
static void place_shared(std::vector<SharedVariable>& variables) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    SharedVariable& current = variables[i];
    bool moved = true;
    while (moved) {
      moved = false;
      for (std::size_t j = 0; j < i; ++j) {
        const SharedVariable& other = variables[j];
        bool overlaps = current.offset < other.offset + other.size &&
                        other.offset < current.offset + current.size;
        if (!overlaps || !intersects(current.kernels, other.kernels)) continue;
        current.offset = alignTo(other.offset + other.size, current.align);
        moved = true;
      }
    }
  }
}

static std::vector<SharedVariable> shared_layout(Module& module,
                                                 const std::vector<GlobalVariable*>& globals) {
  std::vector<SetVector<Function*>> reachable;
  for (const KernelDeclaration& kernel : find_kernels(module))
    reachable.push_back(reachable_functions(*kernel.function));
  std::vector<SharedVariable> variables;
  for (GlobalVariable* global : globals) {
    if (global->isDeclaration()) continue;
    convertUsersOfConstantsToInstructions({global});
    SharedVariable variable{global,
                            module.getDataLayout().getTypeAllocSize(global->getValueType()),
                            std::max<Align>(global->getAlign().valueOrOne(), Align(16)),
                            {}};
    for (User* user : global->users())
      if (auto* instruction = dyn_cast<Instruction>(user))
        for (unsigned kernel = 0; kernel < reachable.size(); ++kernel)
          if (reachable[kernel].contains(instruction->getFunction()))
            variable.kernels.insert(kernel);
    variables.push_back(variable);
  }
  place_shared(variables);
  return variables;
}

static void lower_shared(Module& module, const std::vector<GlobalVariable*>& globals) {
  for (const SharedVariable& variable : shared_layout(module, globals)) {
    replace_in_code(*variable.variable, [&](IRBuilder<>& builder) -> Value* {
      CallInst* call =
          builder.CreateCall(marker(module, Marker::shared),
                             {builder.getInt64(variable.offset), builder.getInt64(variable.size)});
      call->addRetAttr(Attribute::getWithDereferenceableBytes(module.getContext(), variable.size));
      return call;
    });
  }
  for (GlobalVariable* global : globals) {
    if (global->isDeclaration())
      replace_in_code(*global, [&](IRBuilder<>& builder) -> Value* {
        return builder.CreateCall(marker(module, Marker::dynamic_shared),
                                  {builder.getInt64(global->getAlign().valueOrOne().value())});
      });
    global->removeDeadConstantUsers();
    if (global->use_empty()) global->eraseFromParent();
  }
}

/// Builds the initial image of one symbol: pointers to other symbols become relocations.
class ImageBuilder {
 public:
  ImageBuilder(const Module& module, const std::map<GlobalVariable*, std::uint32_t>& index)
      : layout_(module.getDataLayout()), index_(index) {}

  Constant* image(Constant* initial, std::uint64_t offset) {
    if (isa<ConstantData>(initial)) return plain(initial);
    if (auto* aggregate = dyn_cast<ConstantAggregate>(initial)) return elements(*aggregate, offset);
    return leaf(initial, offset);
  }

  std::vector<SymbolRelocation> relocations;
  Constant* unsupported = nullptr;

 private:
  Constant* plain(Constant* value) {
    return isa<UndefValue>(value) ? Constant::getNullValue(value->getType()) : value;
  }

  Constant* elements(ConstantAggregate& aggregate, std::uint64_t offset) {
    SmallVector<Constant*> parts;
    for (unsigned i = 0; i < aggregate.getNumOperands(); ++i)
      parts.push_back(image(cast<Constant>(aggregate.getOperand(i)),
                            offset + element_offset(*aggregate.getType(), i)));
    if (auto* type = dyn_cast<StructType>(aggregate.getType()))
      return ConstantStruct::get(type, parts);
    if (auto* type = dyn_cast<ArrayType>(aggregate.getType()))
      return ConstantArray::get(type, parts);
    return ConstantVector::get(parts);
  }

  std::uint64_t element_offset(Type& type, unsigned i) {
    if (auto* structure = dyn_cast<StructType>(&type))
      return layout_.getStructLayout(structure)->getElementOffset(i);
    if (auto* array = dyn_cast<ArrayType>(&type))
      return i * layout_.getTypeAllocSize(array->getElementType());
    return i * layout_.getTypeAllocSize(cast<VectorType>(type).getElementType());
  }

  Constant* leaf(Constant* value, std::uint64_t offset) {
    APInt addend(64, 0);
    Value* base = value->stripPointerCasts();
    if (value->getType()->isPointerTy()) {
      base = value->stripAndAccumulateConstantOffsets(layout_, addend, true);
      while (auto* cast = dyn_cast<ConstantExpr>(base)) {
        if (cast->getOpcode() != Instruction::AddrSpaceCast) break;
        base = cast->getOperand(0)->stripAndAccumulateConstantOffsets(layout_, addend, true);
      }
    }
    auto* variable = dyn_cast<GlobalVariable>(base);
    if (auto found = variable ? index_.find(variable) : index_.end(); found != index_.end()) {
      relocations.push_back({offset, found->second, addend.getSExtValue()});
      return Constant::getNullValue(value->getType());
    }
    if (isa<Function>(base) || (variable && variable->getAddressSpace() == generic))
      return ConstantExpr::getGetElementPtr(
          Type::getInt8Ty(value->getContext()), cast<Constant>(base),
          ConstantInt::get(Type::getInt64Ty(value->getContext()), addend));
    unsupported = value;
    return Constant::getNullValue(value->getType());
  }

  const DataLayout& layout_;
  const std::map<GlobalVariable*, std::uint32_t>& index_;
};

static GlobalVariable* make_initial(Module& module, const GlobalVariable& variable,
                                    Constant* image) {
  if (image->isNullValue()) return nullptr;
  auto* initial = new GlobalVariable(module, image->getType(), true, GlobalValue::InternalLinkage,
                                     image, "gridspan.initial." + variable.getName());
  initial->setAlignment(variable.getAlign());
  appendToCompilerUsed(module, {initial});  // only the descriptor, made last, refers to it
  return initial;
}

static SourceLine source_line_of(const GlobalVariable& variable) {
  SmallVector<DIGlobalVariableExpression*> infos;
  variable.getDebugInfo(infos);
  if (infos.empty()) return {};
  return {infos[0]->getVariable()->getFilename().str(), infos[0]->getVariable()->getLine(), 0};
}

/// For whoever meets @gridspan.symbol later.
static void note_sizes(Module& module, const std::vector<DeviceSymbol>& symbols) {
  NamedMDNode* notes = module.getOrInsertNamedMetadata(symbol_notes);
  IRBuilder<> builder(module.getContext());
  for (const DeviceSymbol& symbol : symbols)
    notes->addOperand(MDNode::get(module.getContext(),
                                  {ConstantAsMetadata::get(builder.getInt64(symbol.size)),
                                   ConstantAsMetadata::get(builder.getInt1(symbol.is_constant))}));
}

std::optional<SymbolNote> symbol_note(const CallInst& symbol) {
  const NamedMDNode* notes = symbol.getModule()->getNamedMetadata(symbol_notes);
  const auto index = cast<ConstantInt>(symbol.getArgOperand(0))->getZExtValue();
  if (!notes || index >= notes->getNumOperands()) return std::nullopt;
  const MDNode* note = notes->getOperand(index);
  const auto number = [&](unsigned i) {
    return mdconst::extract<ConstantInt>(note->getOperand(i))->getZExtValue();
  };
  return SymbolNote{number(0), number(1) != 0};
}

static std::vector<DeviceSymbol> lower_symbols(
    Module& module, const SmallPtrSetImpl<const GlobalVariable*>& managed,
    std::vector<GlobalVariable*>& variables, UserErrors& errors) {
  std::map<GlobalVariable*, std::uint32_t> index;
  for (GlobalVariable* variable : variables) index.emplace(variable, index.size());
  std::vector<DeviceSymbol> symbols;
  for (GlobalVariable* variable : variables) {
    ImageBuilder images(module, index);
    Constant* image = images.image(variable->getInitializer(), 0);
    if (images.unsupported)
      errors.push_back({source_line_of(*variable), "initial value of device variable '" +
                                                       variable->getName().str() +
                                                       "' is not a constant Gridspan can place"});
    bool is_managed = managed.contains(variable);
    if (is_managed && !images.relocations.empty())
      errors.push_back({source_line_of(*variable), "initial value of managed variable '" +
                                                       variable->getName().str() +
                                                       "' holds an address of device memory"});
    symbols.push_back({variable->getName().str(),
                       module.getDataLayout().getTypeAllocSize(variable->getValueType()),
                       std::uint32_t(variable->getAlign().valueOrOne().value()),
                       variable->getAddressSpace() == constant, is_managed,
                       make_initial(module, *variable, image), std::move(images.relocations)});
  }
  for (GlobalVariable* variable : variables) {
    std::uint32_t number = index.at(variable);
    replace_in_code(*variable, [&](IRBuilder<>& builder) -> Value* {
      return builder.CreateCall(marker(module, Marker::symbol), {builder.getInt32(number)});
    });
  }
  note_sizes(module, symbols);
  for (GlobalVariable* variable : variables) variable->setInitializer(nullptr);
  for (GlobalVariable* variable : variables) {
    variable->replaceAllUsesWith(PoisonValue::get(variable->getType()));
    variable->eraseFromParent();
  }
  return symbols;
}

/// A constant whose initial value holds the address of a shared or device variable. No such address
/// is a link-time constant on the CPU.
static bool carries_address(const Constant& value, SmallPtrSetImpl<const Constant*>& seen) {
  if (!seen.insert(&value).second) return false;
  if (auto* variable = dyn_cast<GlobalVariable>(&value)) {
    unsigned space = variable->getAddressSpace();
    if (space == shared) return true;
    bool is_plain = variable->isConstant() && !variable->isExternallyInitialized();
    if (space != generic && !is_plain) return true;
    return variable->hasInitializer() && carries_address(*variable->getInitializer(), seen);
  }
  return any_of(value.operands(), [&](const Use& operand) {
    auto* constant = dyn_cast<Constant>(operand);
    return constant && !isa<Function>(constant) && carries_address(*constant, seen);
  });
}

static bool carries_address(const GlobalVariable& variable) {
  SmallPtrSet<const Constant*, 8> seen;
  return variable.hasInitializer() && carries_address(*variable.getInitializer(), seen);
}

/// Gives every function that reads the constant `variable` a copy of its own, filled at entry.
static void make_local(GlobalVariable& variable) {
  convertUsersOfConstantsToInstructions({&variable});
  DenseMap<Function*, AllocaInst*> copies;
  for (Use& use : make_early_inc_range(variable.uses())) {
    auto* user = dyn_cast<Instruction>(use.getUser());
    if (!user) continue;
    AllocaInst*& copy = copies[user->getFunction()];
    if (!copy) {
      IRBuilder<> entry(&*user->getFunction()->getEntryBlock().getFirstInsertionPt());
      copy = entry.CreateAlloca(variable.getValueType(), nullptr, variable.getName());
      copy->setAlignment(std::max(copy->getAlign(), variable.getAlign().valueOrOne()));
      entry.CreateStore(variable.getInitializer(), copy);
    }
    use.set(copy);
  }
}

/// clang initialises local aggregates by copying from constants such as `{ &shared_array, 1 }`.
static void localise_address_constants(Module& module) {
  for (bool changed = true; changed;) {  // one such constant may hold the address of another
    changed = false;
    for (GlobalVariable& variable : make_early_inc_range(module.globals())) {
      if (variable.getAddressSpace() != generic || !variable.isConstant()) continue;
      if (!carries_address(variable)) continue;
      make_local(variable);
      variable.removeDeadConstantUsers();
      if (!variable.use_empty()) continue;
      variable.eraseFromParent();
      changed = true;
    }
  }
}

/// A constant nobody outside the module can name moves to the generic address space.
static void keep_as_constant(GlobalVariable& variable) {
  Module& module = *variable.getParent();
  auto* plain = new GlobalVariable(module, variable.getValueType(), true,
                                   GlobalValue::InternalLinkage, variable.getInitializer(), "",
                                   nullptr, GlobalValue::NotThreadLocal, generic);
  plain->setAlignment(variable.getAlign());
  plain->takeName(&variable);
  replace_in_code(variable, [&](IRBuilder<>&) -> Value* { return plain; });
  variable.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(plain, variable.getType()));
  variable.eraseFromParent();
}

std::vector<DeviceSymbol> lower_globals(Module& module, UserErrors& errors) {
  drop_used_lists(module);
  const SmallPtrSet<const GlobalVariable*, 8> managed = managed_variables(module);
  if (GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations"))
    annotations->eraseFromParent();
  localise_address_constants(module);
  std::vector<GlobalVariable*> shared_variables, symbol_variables;
  for (GlobalVariable& variable : make_early_inc_range(module.globals())) {
    variable.removeDeadConstantUsers();
    unsigned space = variable.getAddressSpace();
    if (space == shared) {
      shared_variables.push_back(&variable);
    } else if (space == global || space == constant) {
      if (variable.isDeclaration()) {
        if (variable.hasExternalWeakLinkage())  // as a linker has it
          variable.replaceAllUsesWith(ConstantPointerNull::get(variable.getType()));
        if (variable.use_empty()) {
          variable.eraseFromParent();
          continue;
        }
        errors.push_back({line_of_use(variable),
                          "device variable '" + variable.getName().str() +
                              "' is declared but not defined in this file; -rdc=true lets it be "
                              "in another"});
      } else if (variable.isConstant() && !variable.isExternallyInitialized() &&
                 !carries_address(variable)) {
        keep_as_constant(variable);
      } else {
        symbol_variables.push_back(&variable);
      }
    }
  }
  if (!errors.empty()) return {};
  lower_shared(module, shared_variables);
  return lower_symbols(module, managed, symbol_variables, errors);
}

std::uint64_t static_shared_bytes(Function& kernel) {
  std::uint64_t end = 0;
  std::uint64_t dynamic_align = 1;
  for (Function* function : reachable_functions(kernel))
    for (Instruction& instruction : instructions(*function)) {
      auto* call = dyn_cast<CallInst>(&instruction);
      auto operand = [&](unsigned i) {
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): asked of markers only
        return cast<ConstantInt>(call->getArgOperand(i))->getZExtValue();
      };
      // Operands, not the dereferenceable attribute: passes that hoist a call drop attributes.
      if (is_marker(call, Marker::shared)) end = std::max(end, operand(0) + operand(1));
      if (is_marker(call, Marker::dynamic_shared))
        dynamic_align = std::max(dynamic_align, operand(0));
    }
  return alignTo(end, dynamic_align);  // dynamic shared memory begins where the static one ends
}

}  // namespace gridspan::transforms
