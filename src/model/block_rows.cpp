// Rows of blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/block_rows.h"

#include "model/factors.h"
#include "model/relations.h"

namespace gridspan::model {
namespace {

struct Condition {
  std::vector<std::string> names;
  std::string text;
};

// The part has some, but not all, blocks of more than one row.
Condition many_runs_text(const Kernel& kernel, const BlockRows& rows) {
  const std::string first = part_first(rows.digit->name), last = part_last(rows.digit->name);
  const std::string above = part_first(rows.row->name), below = part_last(rows.row->name);
  const std::string bound = step_of(kernel, *rows.row)->name;
  const bool index = rows.digit->kind == Dimension::Kind::block;
  const std::string step = index ? "1" : step_of(kernel, *rows.digit)->name;
  Condition condition{{first, last, above, below, bound},
                      above + " < " + below + " and (" + first + " > 0 or " + last + " < " + bound +
                          " - " + step + ")"};
  if (!index) condition.names.push_back(step);
  return condition;
}

}  // namespace

isl::set one_run(const Kernel& kernel, const BlockRows& rows) {
  const Condition many = many_runs_text(kernel, rows);
  return condition(kernel.context.ctx(), many.names, "not (" + many.text + ")");
}

isl::set many_runs(const Kernel& kernel, const BlockRows& rows) {
  const Condition many = many_runs_text(kernel, rows);
  return condition(kernel.context.ctx(), many.names, many.text);
}

FootprintPiece row_by_row(const Kernel& kernel, const BlockRows& rows, const isl::set& image) {
  const isl::ctx context = kernel.context.ctx();
  const Dimension& block = *root_of(kernel, rows.row->name);
  NativeLoop loop;
  loop.counter = block.name + "_row";
  Dimension offset;
  offset.name = rows.row->name + "_row";
  offset.kind = Dimension::Kind::product;
  offset.factor = step_of(kernel, *rows.row)->name;
  offset.base = loop.counter;
  loop.products.push_back(offset);
  const isl::pw_aff turns = parameter_value(context, part_last(block.name))
                                .sub(parameter_value(context, part_first(block.name)));
  // No turns where one piece without a loop does.
  const isl::pw_aff none = constant_value(context, -1).intersect_params(one_run(kernel, rows));
  loop.last = isl::manage(
      isl_pw_aff_union_max(turns.intersect_params(many_runs(kernel, rows)).release(), none.copy()));
  FootprintPiece piece;
  piece.loops.push_back(loop);
  const std::string first = part_first(rows.row->name);
  piece.image =
      fix_parameter(image, rows.row->name, first + " + " + offset.name, {first, offset.name})
          .intersect_params(many_runs(kernel, rows));
  return piece;
}

}  // namespace gridspan::model
