// The types PTX instructions name: .u32, .b64, .f16x2, .pred.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"

#include <optional>

namespace gridspan::transforms::ptx {

struct DataType {
  enum class Kind { bits, is_unsigned, is_signed, real, half, bfloat, predicate };
  Kind kind = Kind::bits;
  unsigned bits = 32;  // of one lane
  unsigned lanes = 1;

  bool is_signed() const { return kind == Kind::is_signed; }
  bool is_integer() const {
    return kind == Kind::bits || kind == Kind::is_unsigned || kind == Kind::is_signed;
  }
  bool is_real() const { return kind == Kind::real; }  // float or double
  bool is_small() const { return kind == Kind::half || kind == Kind::bfloat; }
  unsigned width() const { return bits * lanes; }
  /// Numbers of 16 bits and pairs are held as integers.
  llvm::Type* type(llvm::LLVMContext& context) const {
    if (kind == Kind::predicate) return llvm::Type::getInt1Ty(context);
    if (!is_real()) return llvm::IntegerType::get(context, width());
    return bits == 64 ? llvm::Type::getDoubleTy(context) : llvm::Type::getFloatTy(context);
  }
};

/// "u32" and so on; nothing for other words.
std::optional<DataType> data_type(llvm::StringRef word);

}  // namespace gridspan::transforms::ptx
