// The table of PTX's types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/types.h"

namespace gridspan::transforms::ptx {

std::optional<DataType> data_type(llvm::StringRef word) {
  using Kind = DataType::Kind;
  if (word == "pred") return DataType{Kind::predicate, 1};
  if (word == "f32") return DataType{Kind::real, 32};
  if (word == "f64") return DataType{Kind::real, 64};
  if (word == "f16") return DataType{Kind::half, 16};
  if (word == "f16x2") return DataType{Kind::half, 16, 2};
  if (word == "bf16") return DataType{Kind::bfloat, 16};
  if (word == "bf16x2") return DataType{Kind::bfloat, 16, 2};
  if (word.empty()) return std::nullopt;
  const Kind kind = word[0] == 'u'   ? Kind::is_unsigned
                    : word[0] == 's' ? Kind::is_signed
                                     : Kind::bits;
  if (word[0] != 'u' && word[0] != 's' && word[0] != 'b') return std::nullopt;
  unsigned bits = 0;
  if (word.drop_front().getAsInteger(10, bits)) return std::nullopt;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && !(bits == 128 && kind == Kind::bits))
    return std::nullopt;
  return DataType{kind, bits};
}

}  // namespace gridspan::transforms::ptx
