// Each is read into a context of its own, since names of types depend on what else a context has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/library_kernels.h"

#include "codegen/device_bitcode.h"
#include "transforms/kernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace gridspan::codegen {

using namespace llvm;

namespace {

constexpr char annotations[] = "nvvm.annotations";
constexpr unsigned shared_space = 3;
/// Smaller ones are compiled sooner than they are kept.
constexpr std::size_t least_instructions = 400;

using Values = SmallPtrSet<const GlobalValue*, 32>;

/// The variables and functions that a constant names.
void find_named(const Constant& constant, SmallPtrSetImpl<const Constant*>& seen, Values& named) {
  if (!seen.insert(&constant).second) return;
  if (const auto* value = dyn_cast<GlobalValue>(&constant)) {
    named.insert(value);
    const auto* variable = dyn_cast<GlobalVariable>(value);
    if (!variable || !variable->hasInitializer()) return;
  }
  for (const Value* operand : constant.operands())
    if (const auto* inner = dyn_cast<Constant>(operand)) find_named(*inner, seen, named);
}

/// All that functions name, but for what they call. Nothing if they call through a pointer.
std::optional<Values> named_by(ArrayRef<Function*> functions) {
  Values named;
  SmallPtrSet<const Constant*, 32> seen;
  for (Function* function : functions) {
    for (Instruction& instruction : instructions(*function)) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      const bool is_direct = call && call->getCalledFunction();
      if (call && !call->isInlineAsm() && !is_direct) return std::nullopt;
      for (const Use& use : instruction.operands()) {
        if (is_direct && call->isCallee(&use)) continue;
        if (const auto* constant = dyn_cast<Constant>(use)) find_named(*constant, seen, named);
      }
    }
  }
  return named;
}

/// Every module has such variables; those of threads are clang's spelling of threadIdx and its
/// like.
bool is_own(const GlobalValue& value) {
  const auto* variable = dyn_cast<GlobalVariable>(&value);
  if (!variable || variable->isExternallyInitialized()) return false;
  if (variable->getAddressSpace() == shared_space) return true;
  if (variable->isDeclaration()) return variable->isThreadLocal() || variable->isConstant();
  return variable->isConstant() && (variable->hasLocalLinkage() || variable->hasLinkOnceLinkage());
}

std::string path_of(const DIFile& file) {
  SmallString<128> path(file.getFilename());
  if (!sys::path::is_absolute(path)) {
    path = file.getDirectory();
    sys::path::append(path, file.getFilename());
  }
  return path.str().str();
}

std::size_t instructions_of(const SetVector<Function*>& functions) {
  std::size_t count = 0;
  for (const Function* function : functions) count += function->getInstructionCount();
  return count;
}

/// The file that defines it, if it may be compiled by itself.
std::optional<std::string> source_if_apart(Function& kernel) {
  const DISubprogram* place = kernel.getSubprogram();
  const bool is_instance = kernel.hasComdat();  // of a template, as clang writes kernels
  if (!is_instance || !kernel.use_empty() || !place || !place->getUnit()) return std::nullopt;
  const std::string source = path_of(*place->getFile());
  if (source == path_of(*place->getUnit()->getFile())) return std::nullopt;
  const auto reached = transforms::reachable_functions(kernel);
  const auto named = named_by(reached.getArrayRef());
  if (instructions_of(reached) < least_instructions || !named ||
      !all_of(*named, [](const GlobalValue* value) { return is_own(*value); }))
    return std::nullopt;
  const bool has_shared = any_of(
      *named, [](const GlobalValue* value) { return value->getAddressSpace() == shared_space; });
  return has_shared ? std::optional(source) : std::nullopt;
}

void keep_annotations(Module& module, const function_ref<bool(const Function&)> keeps) {
  NamedMDNode* all = module.getNamedMetadata(annotations);
  if (!all) return;
  SmallVector<MDNode*> kept;
  for (MDNode* note : all->operands())
    if (auto* function = mdconst::dyn_extract_or_null<Function>(note->getOperand(0));
        function && keeps(*function))
      kept.push_back(note);
  all->clearOperands();
  for (MDNode* note : kept) all->addOperand(note);
}

/// Where in all that was read inline assembly stood: debug information has the lines, too.
void drop_source_offsets(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      instruction.setMetadata("srcloc", nullptr);
}

/// Numbers in names come from what else a file has.
void name_alike(Module& module) {
  module.getFunctionList().sort(
      [](const Function& a, const Function& b) { return a.getName() < b.getName(); });
  std::vector<GlobalVariable*> variables;
  for (GlobalVariable& variable : module.globals()) variables.push_back(&variable);
  // Private ones in the order in which code names them: that of their uses.
  DenseMap<const GlobalVariable*, std::size_t> places;
  SmallPtrSet<const Constant*, 32> seen;
  const auto meet = [&](auto&& self, const Constant& constant) -> void {
    if (!seen.insert(&constant).second) return;
    if (const auto* variable = dyn_cast<GlobalVariable>(&constant)) {
      places.try_emplace(variable, places.size());
      if (!variable->hasInitializer()) return;
    }
    for (const Value* operand : constant.operands())
      if (const auto* inner = dyn_cast<Constant>(operand)) self(self, *inner);
  };
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      for (const Value* operand : instruction.operands())
        if (const auto* constant = dyn_cast<Constant>(operand)) meet(meet, *constant);
  sort(variables, [&](const GlobalVariable* a, const GlobalVariable* b) {
    return places.lookup(a) < places.lookup(b);
  });
  for (GlobalVariable* variable : variables) module.removeGlobalVariable(variable);
  for (GlobalVariable* variable : variables) {
    module.insertGlobalVariable(variable);
    if (variable->hasPrivateLinkage()) variable->setName("");
  }
  for (GlobalVariable* variable : variables)
    if (variable->hasPrivateLinkage()) variable->setName("constant");
  std::vector<StructType*> types = module.getIdentifiedStructTypes();
  std::vector<std::string> names;
  for (StructType* type : types) {
    const auto [name, number] = (type->hasName() ? type->getName() : "").rsplit('.');
    const bool is_numbered = !number.empty() && all_of(number, isDigit);
    names.push_back((is_numbered || !type->hasName() ? name : type->getName()).str());
    type->setName("");
  }
  for (std::size_t i = 0; i < types.size(); ++i)
    if (!names[i].empty()) types[i]->setName(names[i]);
}

/// The kernel and what it reaches, of a module whose functions have not been read yet.
std::optional<std::string> bitcode_of(MemoryBufferRef whole, StringRef name, StringRef source,
                                      const StringSet<>& reached) {
  LLVMContext context;
  auto read = getLazyBitcodeModule(whole, context, /*ShouldLazyLoadMetadata=*/true);
  if (!read) return consumeError(read.takeError()), std::nullopt;
  Module& module = **read;
  const auto fails = [](Error error) {
    const bool failed = static_cast<bool>(error);
    consumeError(std::move(error));
    return failed;
  };
  if (fails(module.materializeMetadata())) return std::nullopt;
  for (Function& function : module) {
    if (reached.contains(function.getName())) {
      if (fails(function.materialize())) return std::nullopt;
    } else if (function.isMaterializable() || !function.isDeclaration()) {
      function.deleteBody();
      function.setComdat(nullptr);
    }
  }
  keep_annotations(module, [&](const Function& function) { return function.getName() == name; });
  for (const char* list : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable* used = module.getGlobalVariable(list)) used->eraseFromParent();
  for (bool changes = true; changes;) {
    changes = false;
    for (Function& function : make_early_inc_range(module)) {
      function.removeDeadConstantUsers();
      if (!function.isDeclaration() || !function.use_empty()) continue;
      function.eraseFromParent();
      changes = true;
    }
    for (GlobalVariable& variable : make_early_inc_range(module.globals())) {
      variable.removeDeadConstantUsers();
      if (!variable.use_empty()) continue;
      variable.eraseFromParent();
      changes = true;
    }
    for (GlobalAlias& alias : make_early_inc_range(module.aliases())) {
      alias.removeDeadConstantUsers();
      if (!alias.use_empty()) return std::nullopt;
      alias.eraseFromParent();
      changes = true;
    }
  }
  module.setSourceFileName(source);
  module.setModuleIdentifier("library kernel");
  for (DICompileUnit* unit : module.debug_compile_units())
    unit->replaceOperandWith(0, DIFile::get(context, source, ""));
  drop_source_offsets(module);
  name_alike(module);
  std::string bitcode;
  raw_string_ostream out(bitcode);
  WriteBitcodeToFile(module, out);
  return bitcode;
}

bool write(const Module& module, const std::string& path) {
  std::error_code error;
  raw_fd_ostream out(path, error, sys::fs::OF_None);
  if (error) return false;
  WriteBitcodeToFile(module, out);
  out.close();
  if (!out.has_error()) return true;
  out.clear_error();
  return false;
}

}  // namespace

LibraryKernels take_library_kernels(const std::string& bitcode_path, const std::string& rest_path) {
  LibraryKernels result;
  std::vector<LibraryKernel>& taken = result.kernels;
  auto buffer = MemoryBuffer::getFile(bitcode_path);
  if (!buffer) return result;
  LLVMContext context;
  SMDiagnostic problem;
  const auto module = read_device_bitcode(**buffer, problem, context);
  if (!module) return result;
  SetVector<Function*> spare;
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(*module)) {
    result.instructions += instructions_of(transforms::reachable_functions(*kernel.function));
    const auto source = source_if_apart(*kernel.function);
    if (!source) continue;
    StringSet<> reached;
    for (Function* function : transforms::reachable_functions(*kernel.function)) {
      reached.insert(function->getName());
      spare.insert(function);
    }
    const StringRef name = kernel.function->getName();
    if (auto bitcode = bitcode_of(**buffer, name, *source, reached))
      taken.push_back({name.str(), *source, std::move(*bitcode)});
  }
  if (taken.empty()) return result;
  StringSet<> names;
  for (const LibraryKernel& kernel : taken) names.insert(kernel.name);
  keep_annotations(*module,
                   [&](const Function& function) { return !names.contains(function.getName()); });
  for (const LibraryKernel& kernel : taken) {
    spare.remove(module->getFunction(kernel.name));
    module->getFunction(kernel.name)->eraseFromParent();
  }
  // What only they called is called by nobody now.
  for (bool changes = true; changes;) {
    changes = spare.remove_if([](Function* function) {
      function->removeDeadConstantUsers();
      if (!function->isDiscardableIfUnused() || !function->use_empty()) return false;
      function->eraseFromParent();
      return true;
    });
  }
  if (!write(*module, rest_path)) taken.clear();
  return result;
}

}  // namespace gridspan::codegen
