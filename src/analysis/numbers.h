// Small helpers for numbers of LLVM and isl.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/symbols.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"

namespace gridspan::analysis {

inline constexpr unsigned small_type = 16;  // bits: the range of larger types bounds no array

inline isl::val power_of_two(isl::ctx context, unsigned exponent) {
  return isl::val(context, static_cast<long>(exponent)).pow2();
}

inline isl::val number_of(isl::ctx context, const llvm::APInt& value) {
  llvm::SmallString<32> text;
  value.toStringSigned(text);
  return isl::val(context, std::string(text));
}

inline isl::pw_aff constant_of(const Symbols& symbols, const isl::val& value) {
  return symbols.constant(0).add_constant(value);
}

/// Of a type that values are followed in.
inline bool is_integer(const llvm::Value* value, unsigned most = 64) {
  auto* type = llvm::dyn_cast<llvm::IntegerType>(value->getType());
  return type && type->getBitWidth() <= most;
}

}  // namespace gridspan::analysis
