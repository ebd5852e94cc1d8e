// Constants for places and strings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/source_points.h"

#include "abi/sync.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/xxhash.h"

namespace gridspan::transforms {

using namespace llvm;

static_assert(sizeof(abi::SourcePoint) == 16);

StructType* source_point_type(LLVMContext& context) {
  Type* i32 = Type::getInt32Ty(context);
  return StructType::get(context, {PointerType::get(context, 0), i32, i32});
}

Constant* string_address(Module& module, StringRef text) {
  std::string name = "gridspan.string." + utohexstr(xxh3_64bits(text));
  if (GlobalVariable* known = module.getNamedGlobal(name)) return known;
  Constant* bytes = ConstantDataArray::getString(module.getContext(), text);
  return new GlobalVariable(module, bytes->getType(), true, GlobalValue::PrivateLinkage, bytes,
                            name);
}

Constant* source_point_value(Module& module, const SourceLine& where) {
  LLVMContext& context = module.getContext();
  Type* i32 = Type::getInt32Ty(context);
  Constant* file = where.line == 0 ? ConstantPointerNull::get(PointerType::get(context, 0))
                                   : string_address(module, where.file);
  return ConstantStruct::get(source_point_type(context), {file, ConstantInt::get(i32, where.line),
                                                          ConstantInt::get(i32, where.column)});
}

Constant* source_point_address(Module& module, const SourceLine& where) {
  Constant* value = source_point_value(module, where);
  return new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value,
                            "gridspan.where");
}

}  // namespace gridspan::transforms
