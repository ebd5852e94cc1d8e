// Loads all of it, then stores it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/wide_copies.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

#include <algorithm>

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

constexpr std::uint64_t vector_bytes = 16, most_bytes = 128;

/// An array of the thread's own may lie anywhere.
void raise_alignment(AllocaInst& array) {
  const auto bytes = array.getAllocationSize(array.getModule()->getDataLayout());
  if (array.isStaticAlloca() && bytes && *bytes >= vector_bytes)
    array.setAlignment(std::max(array.getAlign(), Align(vector_bytes)));
}

Align alignment_of(Value* place, MaybeAlign said, const Instruction& user) {
  return std::max(getKnownAlignment(place, user.getModule()->getDataLayout(), &user),
                  said.valueOrOne());
}

void note_alignment(MemIntrinsic& access) {
  access.setDestAlignment(alignment_of(access.getRawDest(), access.getDestAlign(), access));
  if (auto* const copy = dyn_cast<MemTransferInst>(&access))
    copy->setSourceAlignment(alignment_of(copy->getRawSource(), copy->getSourceAlign(), *copy));
}

/// 0: not for us.
std::uint64_t bytes_of(const MemCpyInst& copy) {
  const auto* const length = dyn_cast<ConstantInt>(copy.getLength());
  if (!length || copy.isVolatile()) return 0;
  if (std::min(copy.getDestAlign().valueOrOne(), copy.getSourceAlign().valueOrOne()) <
      Align(vector_bytes))
    return 0;
  const std::uint64_t bytes = length->getZExtValue();
  return bytes >= vector_bytes && bytes <= most_bytes ? bytes : 0;
}

/// What is left after whole vectors is a copy, too.
void write(MemCpyInst& copy, std::uint64_t bytes) {
  IRBuilder<> builder(&copy);
  Type* const vector = FixedVectorType::get(builder.getInt32Ty(), 4);
  const auto at = [&](Value* place, std::uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), place, offset);
  };
  const std::uint64_t whole = bytes / vector_bytes * vector_bytes;
  SmallVector<Value*> values;
  for (std::uint64_t offset = 0; offset < whole; offset += vector_bytes)
    values.push_back(
        builder.CreateAlignedLoad(vector, at(copy.getRawSource(), offset), Align(vector_bytes)));
  for (const auto& [index, value] : enumerate(values))
    builder.CreateAlignedStore(value, at(copy.getRawDest(), index * vector_bytes),
                               Align(vector_bytes));
  if (bytes > whole)
    builder.CreateMemCpy(at(copy.getRawDest(), whole), Align(vector_bytes),
                         at(copy.getRawSource(), whole), Align(vector_bytes), bytes - whole);
  copy.eraseFromParent();
}

}  // namespace

void copy_by_vectors(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      if (auto* const array = dyn_cast<AllocaInst>(&instruction)) raise_alignment(*array);
      if (auto* const access = dyn_cast<MemIntrinsic>(&instruction)) note_alignment(*access);
      if (auto* const copy = dyn_cast<MemCpyInst>(&instruction))
        if (const std::uint64_t bytes = bytes_of(*copy)) write(*copy, bytes);
    }
}

}  // namespace gridspan::codegen::ptx
