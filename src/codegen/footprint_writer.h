// The body of a footprint function: pieces, native loops around images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/box_code.h"
#include "codegen/extremes.h"
#include "codegen/fit_needs.h"
#include "codegen/launch_values.h"
#include "model/kernel.h"

namespace gridspan::codegen {

/// Throws Unwritable, and what isl throws.
class FootprintWriter {
 public:
  FootprintWriter(llvm::Function& function, const model::Kernel& kernel,
                  const model::AccessSet& set, const model::Array& array, Precision precision)
      : kernel_(kernel),
        set_(set),
        extents_(array.extents),
        values_(kernel, function, function.getArg(1)),
        builder_(values_.start()),
        boxes_(builder_, values_, function.getArg(2), array.rank()),
        precision_(precision) {}

  void write();
  bool exact() const { return exact_; }
  /// Boxes of one image have no elements in common.
  bool apart() const { return apart_; }
  FitNeeds needs() const { return {values_.used(), turns_}; }

 private:
  llvm::Value* some_block();
  void piece(const model::FootprintPiece& piece);
  void loops(const model::FootprintPiece& piece, std::size_t depth, const isl::set& facts);
  void images(const model::FootprintPiece& piece, const isl::set& facts);
  IslCode code(const isl::set& facts) {
    return IslCode(builder_, [this](const std::string& name) { return values_(name); }, facts);
  }

  struct Ends {
    Number first, last;
    std::map<std::string, double> product_bounds;
  };
  Ends counter_ends(const model::FootprintPiece& piece, std::size_t depth, const isl::set& facts);
  double narrow(Ends& ends, const Extremes& extremes, llvm::Value* factor, IslCode& code);
  isl::pw_aff last_turn(const model::NativeLoop& loop, const isl::set& facts);
  Number factor_of(const model::NativeLoop& loop, const std::string& product);

  const model::Kernel& kernel_;
  const model::AccessSet& set_;
  const std::vector<isl::pw_aff>& extents_;
  LaunchValues values_;
  llvm::IRBuilder<> builder_;
  BoxCode boxes_;
  Precision precision_;
  std::vector<std::pair<std::string, isl::pw_aff>> turns_;  // factors and last counters
  bool exact_ = true;
  bool apart_ = true;
};

}  // namespace gridspan::codegen
