// Finds the library beside gridcc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_library.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/Internalize.h"

namespace gridspan::codegen {

using namespace llvm;

std::string library_path(const char* file) {
  static int anchor;
  std::string program = sys::fs::getMainExecutable(nullptr, &anchor);
  SmallString<256> path(sys::path::parent_path(sys::path::parent_path(program)));
  sys::path::append(path, "lib", "gridspan", file);
  return std::string(path);
}

std::optional<std::string> link_device_library(Module& module) {
  return link_library_file(module, library_path("device_library_cpu.bc"));
}

std::optional<std::string> link_library_file(Module& module, const std::string& path) {
  SMDiagnostic problem;
  std::unique_ptr<Module> library = getLazyIRFileModule(path, problem, module.getContext());
  if (!library) return "cannot read the device library '" + path + "'";
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  auto make_internal = [](Module& linked, const StringSet<>& names) {
    internalizeModule(linked, [&](const GlobalValue& value) {
      return !value.hasName() || !names.contains(value.getName());
    });
  };
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded, make_internal))
    return "cannot link the device library '" + path + "'";
  return std::nullopt;
}

}  // namespace gridspan::codegen
