// Limits of the code for GPUs, found in kernels and what they reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/obstacles.h"

#include "codegen/ptx/inline_needs.h"
#include "codegen/ptx/prepare.h"
#include "support/readable_name.h"
#include "transforms/diagnostics.h"
#include "transforms/kernels.h"
#include "transforms/lower_globals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

static std::string at(const transforms::SourceLine& where, const std::string& text) {
  return where.line == 0 ? text : transforms::to_string(where) + ": " + text;
}

std::string at(const Instruction& instruction, const std::string& text) {
  transforms::SourceLine where = transforms::source_line(instruction);
  if (where.line == 0) where = transforms::source_line(*instruction.getFunction());
  return at(where, text);
}

namespace {

const Function* callee_of(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call ? dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts()) : nullptr;
}

/// Does the constant lead to a managed variable, whose address PTX does not know?
bool names(const Value& value, const SmallPtrSetImpl<const GlobalVariable*>& managed) {
  if (const auto* variable = dyn_cast<GlobalVariable>(&value)) return managed.contains(variable);
  const auto* constant = dyn_cast<Constant>(&value);
  return constant && !isa<GlobalValue>(constant) &&
         any_of(constant->operands(), [&](const Use& use) { return names(*use, managed); });
}

/// Tables that are nobody's variables: the run time, which fills in such addresses, does not find
/// them.
SmallPtrSet<const GlobalVariable*, 8> constants_with_managed_addresses(Module& module) {
  const SmallPtrSet<const GlobalVariable*, 8> managed = transforms::managed_variables(module);
  SmallPtrSet<const GlobalVariable*, 8> found;
  for (const GlobalVariable& table : module.globals())
    if (table.isConstant() && !table.isExternallyInitialized() && table.hasInitializer() &&
        names(*table.getInitializer(), managed))
      found.insert(&table);
  return found;
}

/// The driver has these itself.
bool is_in_driver(StringRef name) {
  return name == "vprintf" || name == "__assertfail" || name == "malloc" || name == "free";
}

std::string why_undefined(StringRef name) {
  if (name == "cudaDeviceSynchronize")
    return "a GPU runs what kernels launch when they have ended: they can't wait for it "
           "(cudaDeviceSynchronize)";
  return "there is no '" + support::readable_name(name) + "' for GPUs";
}

class Search {
 public:
  explicit Search(Module& module) : module_(module) {}

  /// `look` says what is wrong with an instruction; the first answer counts.
  template <class Look>
  Reasons run(Look look) {
    Reasons reasons;
    for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module_))
      for (Function* function : transforms::reachable_functions(*kernel.function))
        if (std::string reason = first(*function, look); !reason.empty()) {
          reasons.emplace(kernel.function->getName(), reason);
          break;
        }
    return reasons;
  }

 private:
  template <class Look>
  std::string first(Function& function, Look look) {
    auto [known, is_new] = known_.try_emplace(&function);
    if (!is_new) return known->second;
    for (const Instruction& instruction : instructions(function))
      if (std::string text = look(instruction); !text.empty())
        return known_[&function] = at(instruction, text);
    return {};
  }

  Module& module_;
  std::map<const Function*, std::string> known_;
};

}  // namespace

Reasons obstacles_in_source(Module& module, unsigned architecture) {
  const SmallPtrSet<const GlobalVariable*, 8> tables = constants_with_managed_addresses(module);
  const bool has_words = architecture < 90 && uses_barrier_objects(module);
  return Search(module).run([&](const Instruction& instruction) -> std::string {
    const auto* call = dyn_cast<CallBase>(&instruction);
    const auto* text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    if (const unsigned least = call ? least_architecture(*call) : 0; least > architecture)
      return (text ? "inline PTX is" : "products of fragments are") +
             (" for GPUs from sm_" + std::to_string(least)) + " on";
    if (text && has_words && StringRef(text->getAsmString()).contains("mbarrier"))
      return "inline PTX may share barrier objects with cuda::barrier from sm_90 on";
    if (!tables.empty() &&
        any_of(instruction.operands(), [&](const Use& use) { return names(*use, tables); }))
      return "constants with addresses of managed variables are not made for GPUs yet";
    return {};
  });
}

static bool is_undefined(const Function& function) {
  return function.isDeclaration() && !function.isIntrinsic() && !is_in_driver(function.getName()) &&
         !function.getName().starts_with("llvm.") &&
         !function.getName().starts_with("gridspan.");  // marks
}

static bool is_used_in(const SetVector<Function*>& functions, const GlobalVariable& variable) {
  SmallVector<const User*> users(variable.users());
  while (!users.empty()) {
    const User* user = users.pop_back_val();
    const auto* instruction = dyn_cast<Instruction>(user);
    if (instruction && is_contained(functions, instruction->getFunction())) return true;
    if (!instruction) append_range(users, user->users());
  }
  return false;
}

/// Static shared memory of the functions, which are all that a kernel reaches; null: of all.
static std::uint64_t shared_bytes(Module& module, const SetVector<Function*>* functions) {
  std::uint64_t bytes = 0;
  for (const GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() != shared_space || variable.isDeclaration()) continue;
    if (!functions || is_used_in(*functions, variable))
      bytes = alignTo(bytes, variable.getAlign().valueOrOne()) +
              module.getDataLayout().getTypeAllocSize(variable.getValueType());
  }
  return bytes;
}

/// The device library has shared memory, too, for tiles and errors.
static void add_too_large(Module& module, Reasons& reasons) {
  constexpr std::uint64_t most = 48 << 10;
  if (shared_bytes(module, nullptr) <= most) return;
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module)) {
    const SetVector<Function*> functions = transforms::reachable_functions(*kernel.function);
    const std::uint64_t bytes = shared_bytes(module, &functions);
    if (bytes > most)
      reasons.emplace(kernel.function->getName(),
                      at(transforms::source_line(*kernel.function),
                         "its shared memory and that of our device library are " +
                             std::to_string(bytes) + " bytes, 49152 are the most"));
  }
}

Reasons obstacles_at_end(Module& module) {
  Reasons reasons = Search(module).run([](const Instruction& instruction) -> std::string {
    const Function* callee = callee_of(instruction);
    return callee && is_undefined(*callee) ? why_undefined(callee->getName()) : std::string();
  });
  add_too_large(module, reasons);
  return reasons;
}

void trap_in_undefined(Module& module) {
  for (Function& function : module) {
    if (!is_undefined(function) || function.use_empty()) continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", &function));
    builder.CreateIntrinsic(Intrinsic::trap, {}, {});
    builder.CreateUnreachable();
  }
}

void leave_out(Module& module, const Reasons& kernels) {
  if (kernels.empty()) return;
  for (const auto& [name, reason] : kernels) {
    Function* kernel = module.getFunction(name);
    if (!kernel) continue;
    kernel->replaceAllUsesWith(ConstantPointerNull::get(kernel->getType()));
    kernel->eraseFromParent();
  }
  NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations");
  SmallVector<MDNode*> others;
  for (MDNode* node : annotations->operands())
    if (mdconst::dyn_extract_or_null<Function>(node->getOperand(0))) others.push_back(node);
  annotations->clearOperands();
  for (MDNode* node : others) annotations->addOperand(node);
}

}  // namespace gridspan::codegen::ptx
