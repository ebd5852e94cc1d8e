// Row enumeration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rows.h"

#include "codegen/box_families.h"
#include "codegen/launch_values.h"
#include "codegen/part_facts.h"
#include "codegen/passes.h"
#include "codegen/target.h"

#include "llvm/Support/Error.h"

namespace gridspan::bench {

using namespace llvm;
using codegen::checked;
using codegen::Number;

namespace {

/// void rows(values, part, sink)
Function* declare(Module& module) {
  Type* pointer = PointerType::get(module.getContext(), 0);
  auto* type =
      FunctionType::get(Type::getVoidTy(module.getContext()), {pointer, pointer, pointer}, false);
  return Function::Create(type, GlobalValue::ExternalLinkage, "rows", module);
}

void write(Function& function, const model::Kernel& kernel, const isl::set& image) {
  codegen::LaunchValues values(kernel, function, function.getArg(1));
  IRBuilder<> builder(values.start());
  Type* i64 = builder.getInt64Ty();
  Value* box = builder.CreateAlloca(ArrayType::get(i64, 6));
  const isl::set facts = codegen::part_facts(kernel, {}, {}, image);
  const isl::set bounded = image.intersect_params(facts);
  const isl::set rows = checked(
      image.ctx(),
      isl_set_set_tuple_name(isl_set_project_out(bounded.copy(), isl_dim_set, 1, 1), "rows"));
  isl_set* columns = isl_set_move_dims(bounded.copy(), isl_dim_param, 0, isl_dim_set, 0, 1);
  const isl::set slice =
      checked(image.ctx(), isl_set_set_dim_name(columns, isl_dim_param, 0, "row"));
  const isl::pw_aff first = checked(image.ctx(), isl_set_dim_min(slice.copy(), 0));
  const isl::pw_aff last = checked(image.ctx(), isl_set_dim_max(slice.copy(), 0));
  codegen::IslCode code(builder, [&](const std::string& name) { return values(name); }, facts);
  code.for_each_point(rows, [&](const std::vector<Number>& row) {
    values.define("row", row[0]);
    Value* one = builder.getInt64(1);
    Value* numbers[] = {row[0].value,
                        row[0].value,
                        one,
                        code.number(first.gist(facts)).value,
                        code.number(last.gist(facts)).value,
                        one};
    for (unsigned i = 0; i < 6; ++i)
      builder.CreateStore(numbers[i], builder.CreateConstInBoundsGEP1_64(i64, box, i));
    Value* sink = function.getArg(2);
    Type* pointer = builder.getPtrTy();
    builder.CreateCall(FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false),
                       builder.CreateLoad(pointer, sink), {sink, box});
  });
  builder.CreateRetVoid();
  values.close();
}

}  // namespace

Rows compile_rows(const model::Kernel& kernel, const isl::set& image) {
  codegen::DeviceRequest request;
  std::string problem;
  auto target = codegen::make_target_machine(request, problem);
  auto context = std::make_unique<LLVMContext>();
  auto module = std::make_unique<Module>("rows", *context);
  module->setTargetTriple(target->getTargetTriple().str());
  module->setDataLayout(target->createDataLayout());
  write(*declare(*module), kernel, image);
  codegen::optimise(*module, *target, 3);
  Rows result;
  result.jit = cantFail(orc::LLJITBuilder().create());
  cantFail(result.jit->addIRModule({std::move(module), std::move(context)}));
  result.function = cantFail(result.jit->lookup("rows")).toPtr<abi::FootprintFunction>();
  return result;
}

}  // namespace gridspan::bench
