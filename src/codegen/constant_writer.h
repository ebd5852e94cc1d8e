// Constants in the layout of the structs of src/abi.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <initializer_list>

namespace gridspan::codegen {

/// Builds anonymous structs field by field; natural alignment makes them match the C++ structs.
class ConstantWriter {
 protected:
  explicit ConstantWriter(llvm::Module& module) : module_(module), context_(module.getContext()) {}

  llvm::Constant* u8(std::uint64_t value) { return number(8, value); }
  llvm::Constant* u16(std::uint64_t value) { return number(16, value); }
  llvm::Constant* u32(std::uint64_t value) { return number(32, value); }
  llvm::Constant* u64(std::uint64_t value) { return number(64, value); }
  llvm::Constant* number(unsigned bits, std::uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getIntNTy(context_, bits), value);
  }
  llvm::Constant* null() {
    return llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
  }

  template <typename Abi>
  llvm::Constant* structure(std::initializer_list<llvm::Constant*> fields) {
    llvm::Constant* value =
        llvm::ConstantStruct::getAnon(context_, llvm::SmallVector<llvm::Constant*>(fields));
    if (module_.getDataLayout().getTypeAllocSize(value->getType()) != sizeof(Abi))
      llvm::report_fatal_error("descriptor does not match its struct in src/abi");
    return value;
  }

  /// Address of a constant array of `elements`; null if there are none.
  llvm::Constant* array(llvm::ArrayRef<llvm::Constant*> elements, const llvm::Twine& name) {
    if (elements.empty()) return null();
    auto* type = llvm::ArrayType::get(elements[0]->getType(), elements.size());
    return global(llvm::ConstantArray::get(type, elements), name);
  }

  llvm::GlobalVariable* global(llvm::Constant* value, const llvm::Twine& name) {
    return new llvm::GlobalVariable(module_, value->getType(), true,
                                    llvm::GlobalValue::InternalLinkage, value, name);
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
};

}  // namespace gridspan::codegen
