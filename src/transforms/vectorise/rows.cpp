// The loop over groups of rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/rows.h"

#include "transforms/vectorise/row_group.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// As many rows as a small loop has registers for, if the block is that high; else half of them.
constexpr unsigned many_rows = 8, some_rows = 4;
/// Two vectors of each of six rows, what the two share and one more fill sixteen registers.
constexpr unsigned rows_of_two = 6;
/// Three of each of eight fill thirty-two.
constexpr unsigned registers_of_three = 32;

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

/// Of what neighbouring vectors load.
std::optional<Panels> panels_of(const RowVectors& vectors, const RowCode& code) {
  if (!code.has_columns()) return std::nullopt;
  auto loads = find_panels(vectors, code);
  if (loads.empty()) return std::nullopt;
  return begin_panels(*vectors.row->getParent(), std::move(loads));
}

/// The sizes of groups, the best one last.
std::vector<GroupSize> sizes_of_groups(const RowVectors& vectors, const RowCode& code,
                                       bool has_panels) {
  const unsigned wanted = vectors.choice.most;
  auto rows = [&](unsigned chosen) { return wanted != 0 ? std::min(wanted, chosen) : chosen; };
  std::vector<GroupSize> sizes = {{rows(some_rows), 1}};
  const unsigned many = wanted != 0 ? wanted : code.is_small() ? many_rows : some_rows;
  if (many > some_rows) sizes.push_back({many, 1});
  if (!code.has_columns()) return sizes;
  const bool has_registers = vectors.registers >= registers_of_three;
  const unsigned most = rows(has_registers ? many_rows : rows_of_two);
  if (has_panels) sizes.push_back({1, 2});
  if (most > some_rows) sizes.push_back({some_rows, 2});
  sizes.push_back({most, 2});
  if (!has_registers) return sizes;
  if (has_panels) sizes.push_back({1, 3});
  sizes.push_back({most, 3});
  return sizes;
}

void write_groups(const RowVectors& vectors, const RowCounters& counters, const RowCode& code,
                  const Panels* panels) {
  std::vector<RowGroup> groups;
  for (GroupSize size : sizes_of_groups(vectors, code, panels != nullptr))
    groups.emplace_back(vectors, counters, code, size);
  for (RowGroup& group : groups) group.write(group.columns() > 1 ? panels : nullptr);

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
  const bool is_asked_for = vectors.choice.most != 0;
  if (!code.is_fit() || !(is_asked_for ? code.is_bearable() : code.is_worthwhile())) return false;
  const auto panels = vectors.choice.panels ? panels_of(vectors, code) : std::nullopt;
  // What was computed for panels depends on rows and columns, too.
  write_groups(vectors, *counters, panels ? RowCode(vectors, *counters) : code,
               panels ? &*panels : nullptr);
  return true;
}

}  // namespace gridspan::transforms
