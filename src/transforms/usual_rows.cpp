// Looks at what blockIdx.x is multiplied by, else at rows of tiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/usual_rows.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// What blockIdx.x, maybe extended, is multiplied by; 0: something else becomes of it.
std::uint64_t factor_of(const Instruction& user) {
  const APInt* number;
  if (match(&user, m_c_Mul(m_Value(), m_APInt(number)))) return number->getLimitedValue();
  if (match(&user, m_Shl(m_Value(), m_APInt(number))))
    return number->ult(32) ? std::uint64_t{1} << number->getZExtValue() : 0;
  return 0;
}

bool reads(const Value* value, Intrinsic::ID which) {
  auto* call = dyn_cast<IntrinsicInst>(value);
  return call && call->getIntrinsicID() == which;
}

/// Of elements, if the place is [threadIdx.y][threadIdx.x] of an array; 0: it is another.
std::uint64_t row_of_place(const GetElementPtrInst& place) {
  if (place.getNumIndices() < 2) return 0;
  auto is = [&](unsigned from_end, Intrinsic::ID which) {
    const Value* index = place.getOperand(place.getNumOperands() - from_end);
    if (auto* cast = dyn_cast<CastInst>(index)) index = cast->getOperand(0);
    return reads(index, which);
  };
  if (!is(1, Intrinsic::nvvm_read_ptx_sreg_tid_x) || !is(2, Intrinsic::nvvm_read_ptx_sreg_tid_y))
    return 0;
  const SmallVector<Value*> indices(drop_end(place.indices()));
  auto* row = dyn_cast_or_null<ArrayType>(
      GetElementPtrInst::getIndexedType(place.getSourceElementType(), indices));
  return row ? row->getNumElements() : 0;
}

}  // namespace

bool size_becomes_floating(Function& kernel, bool is_whole_shape) {
  bool asks_for_size = false, converts = false;
  for (Instruction& instruction : instructions(kernel)) {
    asks_for_size |= reads(&instruction, Intrinsic::nvvm_read_ptx_sreg_ntid_x);
    for (auto other : {Intrinsic::nvvm_read_ptx_sreg_ntid_y, Intrinsic::nvvm_read_ptx_sreg_ntid_z,
                       Intrinsic::nvvm_read_ptx_sreg_tid_z})  // 0, where that has one layer
      asks_for_size |= is_whole_shape && reads(&instruction, other);
    converts |= isa<SIToFPInst, UIToFPInst>(instruction);
  }
  return asks_for_size && converts;
}

BlockShape usual_rows(Function& kernel) {
  constexpr std::uint64_t shortest = 8, longest = 1024;
  if (size_becomes_floating(kernel, false)) return {};
  std::optional<std::uint64_t> row, tile;
  for (Instruction& instruction : instructions(kernel)) {
    if (auto* place = dyn_cast<GetElementPtrInst>(&instruction))
      if (const std::uint64_t length = row_of_place(*place); length != 0)
        tile = tile.value_or(length) == length ? length : 0;
    if (!reads(&instruction, Intrinsic::nvvm_read_ptx_sreg_ctaid_x)) continue;
    SmallVector<User*> open(instruction.users());
    while (!open.empty()) {
      auto* user = cast<Instruction>(open.pop_back_val());
      if (isa<ZExtInst, SExtInst>(user)) append_range(open, user->users());
      const std::uint64_t factor = factor_of(*user);
      if (factor == 0) continue;
      if (row.value_or(factor) != factor) return {};
      row = factor;
    }
  }
  if (!row) row = tile;
  const bool is_row = row && *row >= shortest && *row <= longest && *row % shortest == 0;
  return {is_row ? static_cast<std::uint32_t>(*row) : 0, 0, 0};
}

}  // namespace gridspan::transforms
