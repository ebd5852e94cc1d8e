// The loop over groups of rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/rows.h"

#include "transforms/vectorise/row_group.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// As many rows as a small loop has registers for, if the block is that high; else half of them.
constexpr unsigned many_rows = 8, some_rows = 4;

/// Rows that must go alone are counted down where a row ends.
LoneRows count_alone(const RowVectors& vectors, const RowCounters& counters) {
  IRBuilder<> builder(vectors.row, vectors.row->begin());
  Value* zero = builder.getInt32(0);
  LoneRows alone{builder.CreatePHI(builder.getInt32Ty(), 6, "alone"),
                 builder.CreatePHI(builder.getInt32Ty(), 6, "from")};
  builder.SetInsertPoint(counters.next_row->getTerminator());
  Value* still =
      builder.CreateBinaryIntrinsic(Intrinsic::usub_sat, alone.rows, builder.getInt32(1));
  Value* from = builder.CreateSelect(builder.CreateICmpEQ(still, zero), zero, alone.from);
  alone.rows->addIncoming(zero, counters.outside);
  alone.rows->addIncoming(still, counters.next_row);
  alone.from->addIncoming(zero, counters.outside);
  alone.from->addIncoming(from, counters.next_row);
  return alone;
}

void write_groups(const RowVectors& vectors, const RowCounters& counters, const RowCode& code) {
  std::vector<RowGroup> groups;
  groups.emplace_back(vectors, counters, code, some_rows);
  if (code.is_small()) groups.emplace_back(vectors, counters, code, many_rows);
  for (RowGroup& group : groups) group.write();

  BasicBlock* row = vectors.row;
  LoneRows alone = count_alone(vectors, counters);
  BasicBlock* single =
      BasicBlock::Create(row->getContext(), "single_row", row->getParent(), vectors.header);
  row->getTerminator()->moveBefore(*single, single->end());
  for (BasicBlock* next : successors(single)) next->replacePhiUsesWith(row, single);
  vectors.index->setIncomingValueForBlock(single, alone.from);
  BasicBlock* begin = single;
  for (RowGroup& group : groups) begin = group.write_test(alone, begin);
  IRBuilder<>(row).CreateBr(begin);
  for (RowGroup& group : groups) group.write_ends(alone);
}

}  // namespace

bool jam_rows(const RowVectors& vectors) {
  if (vectors.general && !vectors.general->phis().empty()) return false;
  auto counters = find_counters(vectors);
  if (!counters || !vectors.index->getType()->isIntegerTy(32)) return false;
  RowCode code(vectors, *counters);
  if (!code.is_fit() || !code.is_worthwhile()) return false;
  write_groups(vectors, *counters, code);
  return true;
}

}  // namespace gridspan::transforms
