// Subscripts as polynomials, to see that neighbouring blocks do what one wide block would.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     a = wA * 16 * blockIdx.y;                    with  row = blockIdx.y * 16 + threadIdx.y
//     A[a + wA * threadIdx.y + threadIdx.x]   =    A[wA * row + threadIdx.x]
//
// threadIdx is what is left of a position without the block's: row - 16 * blockIdx.y. Written so,
// all that belongs to the block must cancel out. Modulo 2^32 that holds whatever wraps on the way.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace gridspan::transforms {

/// Sum of coefficient * product of factors, modulo 2^32.
class Polynomial {
 public:
  using Factors = std::vector<const llvm::SCEV*>;  // i32, in the order of their addresses

  static Polynomial constant(std::uint32_t value);
  static Polynomial factor(const llvm::SCEV* value);
  Polynomial operator+(const Polynomial& other) const;
  Polynomial operator-(const Polynomial& other) const;
  Polynomial operator*(const Polynomial& other) const;
  bool operator==(const Polynomial& other) const { return terms_ == other.terms_; }

  const std::map<Factors, std::uint32_t>& terms() const { return terms_; }
  bool has(const llvm::SCEV* factor) const;
  /// If it is nothing else.
  std::optional<std::uint32_t> as_constant() const;
  /// What is multiplied by `factor`, and the rest; nothing where it appears twice in a product.
  std::optional<std::pair<Polynomial, Polynomial>> divided(const llvm::SCEV* factor) const;

 private:
  void add(const Factors& factors, std::uint32_t coefficient);
  std::map<Factors, std::uint32_t> terms_;
};

class PlaceAlgebra {
 public:
  /// For blocks of this shape; 0: any, and nothing is known about that axis.
  PlaceAlgebra(llvm::Function& kernel, llvm::ScalarEvolution& evolution,
               const std::array<std::uint32_t, 3>& block);
  ~PlaceAlgebra();
  PlaceAlgebra(const PlaceAlgebra&) = delete;
  PlaceAlgebra& operator=(const PlaceAlgebra&) = delete;

  std::optional<Polynomial> of(const llvm::SCEV* value);
  /// `bytes` / `size`, where that is a whole number.
  std::optional<Polynomial> element(const llvm::SCEV* bytes, std::uint64_t size);

  bool depends_on_block(const Polynomial& value) const;
  bool depends_on_thread(const Polynomial& value) const;
  /// As thread (0, 0, 0) finds it.
  Polynomial of_first_thread(const Polynomial& value) const;
  /// The number of the loop's round.
  const llvm::SCEV* round(const llvm::Loop& loop) const;
  const llvm::SCEV* expression(const Polynomial& value) const;

 private:
  struct Axis {
    std::uint32_t width = 0;
    llvm::Instruction *thread = nullptr, *block = nullptr;
    llvm::CallInst* position = nullptr;  // a sum that scalar evolution does not see through
  };
  std::optional<Polynomial> of_all_ways(const llvm::PHINode& phi);
  const llvm::SCEV* known(llvm::Instruction* value) const;

  llvm::Function& kernel_;
  llvm::ScalarEvolution& evolution_;
  std::array<Axis, 2> axes_;
  llvm::SmallPtrSet<const llvm::PHINode*, 4> open_;  // whose ways are looked at
};

}  // namespace gridspan::transforms
