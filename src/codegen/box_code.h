// Families of boxes become code: guards, loops over rows and teeth, calls of the sink.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/box_families.h"
#include "codegen/box_union.h"
#include "codegen/isl_code.h"
#include "codegen/launch_values.h"

namespace gridspan::codegen {

class BoxCode {
 public:
  /// Writes where `builder` stands, inside a function that no box has been written for yet. `sink`
  /// is an abi::BoxSink*; boxes have `rank` subscripts.
  BoxCode(llvm::IRBuilder<>& builder, LaunchValues& values, llvm::Value* sink, unsigned rank);

  /// Hands the boxes of `cover` to the sink. `facts`, a set over parameters, holds.
  void write(const BoxCover& cover, const isl::set& facts);

 private:
  /// A range's numbers. A comb's teeth begin at first, first + step, ... and are `width` wide.
  struct Span {
    unsigned subscript;
    llvm::Value *first, *last;
    long stride;
    llvm::Value *step = nullptr, *width = nullptr;
  };

  void family(const BoxFamily& family, IslCode& code);
  void row(const BoxFamily& family, IslCode& code, const std::vector<Number>& row);
  Span span_of(unsigned subscript, const BoxRange& range, IslCode& code);
  void spans(const std::vector<Span>& all, std::size_t from, IslCode& code);
  std::vector<ConcreteBox> concrete(const std::vector<BoxFamily>& families, IslCode& code);
  void give(const ConcreteBox& box);
  void give();
  void store(unsigned subscript, llvm::Value* first, llvm::Value* last, long stride);

  llvm::IRBuilder<>& builder_;
  LaunchValues& values_;
  llvm::Value* sink_;
  unsigned rank_;
  llvm::Value* box_;
  isl::set facts_;
};

}  // namespace gridspan::codegen
