// Reads without the verifier and settles what is the front end's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_bitcode.h"

#include "transforms/builtin_variables.h"
#include "transforms/dynamic_shared.h"
#include "transforms/other_side_calls.h"
#include "transforms/plain_parameters.h"

#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"

namespace gridspan::codegen {

using namespace llvm;

namespace {

/// Clang takes the address of a thread's variable behind a cast to the generic address space, which
/// is against the letter of LLVM. Its reader verifies modules only to see whether their debug
/// information is of another version, which clang 19's is not. The choice is a command-line option
/// and nothing else.
void read_unverified() {
  [[maybe_unused]] static const bool done = [] {
    auto& options = cl::getRegisteredOptions();
    const auto option = options.find("disable-auto-upgrade-debug-info");
    return option != options.end() &&
           !option->second->addOccurrence(0, "disable-auto-upgrade-debug-info", "true");
  }();
}

}  // namespace

std::unique_ptr<Module> read_device_bitcode(MemoryBufferRef bitcode, SMDiagnostic& problem,
                                            LLVMContext& context) {
  read_unverified();
  return parseIR(bitcode, problem, context);
}

void settle_language(Module& module, transforms::UserErrors& errors) {
  transforms::lower_other_side_calls(module);
  transforms::lower_builtin_variables(module, errors);
  transforms::make_parameters_plain(module);
  transforms::make_dynamic_shared_unsized(module);
}

}  // namespace gridspan::codegen
