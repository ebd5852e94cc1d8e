// Compiles with the compiler's own pipeline, loads with LLVM's JIT.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_model.h"

#include "codegen/model_descriptors.h"
#include "codegen/passes.h"
#include "codegen/target.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"

#include <stdexcept>

namespace gridspan::tests {

using namespace llvm;

namespace {

template <typename T>
T value_of(Expected<T> value) {
  if (!value) throw std::runtime_error(toString(value.takeError()));
  return std::move(*value);
}

std::unique_ptr<TargetMachine> make_target() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  codegen::DeviceRequest request;
  request.opt_level = 2;
  std::string error;
  auto target = codegen::make_target_machine(request, error);
  if (!target) throw std::runtime_error(error);
  return target;
}

}  // namespace

CompiledModel::CompiledModel(const model::Kernel& kernel,
                             const std::vector<transforms::DeviceSymbol>& symbols, bool optimised) {
  auto target = make_target();
  auto context = std::make_unique<LLVMContext>();
  auto module = std::make_unique<Module>("model", *context);
  module->setTargetTriple(target->getTargetTriple().str());
  module->setDataLayout(target->createDataLayout());
  model::Allowance allowance(model::module_work(1));
  auto* global = cast<GlobalVariable>(codegen::add_model(*module, kernel, symbols, allowance));
  global->setLinkage(GlobalValue::ExternalLinkage);
  global->setName("model_under_test");
  if (verifyModule(*module, &errs())) throw std::runtime_error("broken module");
  if (optimised) codegen::optimise(*module, *target, 2);
  jit_ = value_of(orc::LLJITBuilder().create());
  if (auto error = jit_->addIRModule({std::move(module), std::move(context)}))
    throw std::runtime_error(toString(std::move(error)));
  model_ = value_of(jit_->lookup("model_under_test")).toPtr<const abi::KernelModel*>();
}

CompiledModel::~CompiledModel() = default;

}  // namespace gridspan::tests
