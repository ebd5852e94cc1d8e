// Relations, and what data take from their exactness.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/relation.h"

#include <algorithm>

namespace gridspan::analysis {
namespace {

constexpr const char* too_complex = "subscripts too complex for the limits of the analysis";

void describe_access(const RawAccess& raw, model::Access& access) {
  access.kind = raw.kind;
  access.op = raw.op;
  access.bytes = raw.bytes;
  access.same_value = raw.same_value;
  access.stored_value = raw.stored_value;
  access.is_volatile = raw.is_volatile;
  access.where = raw.where;
}

class RelationBuilder {
 public:
  RelationBuilder(const RawAccess& raw, const ShapedAccess& shaped, const Shape& shape,
                  Symbols& symbols, model::Access& access)
      : raw_(raw), shaped_(shaped), shape_(shape), symbols_(symbols), access_(access) {}

  /// False: nothing is said but which array it is.
  bool run() {
    find();
    return !gave_up_;
  }

  /// Nothing could be found out in time.
  void leave() {
    access_ = {};
    describe_access(raw_, access_);
    give_up(too_complex, raw_.where);
  }

 private:
  void find() {
    if (raw_.unbounded) return give_up(raw_.reason, raw_.where);
    if (shaped_.too_complex) return give_up(too_complex, raw_.where);
    if (shaped_.pieces.empty()) return never_happens();
    model::OrNull<isl::set> touched;
    for (const Subscripts& piece : shaped_.pieces) {
      std::optional<isl::set> part = subscripts_of(piece);
      if (!part) return give_up("a subscript that may lie outside of its row", raw_.where);
      touched = touched.is_null() ? *part : touched.unite(*part);
    }
    judge(touched.coalesce());
  }

  static std::string subscript(std::size_t j) { return "i" + std::to_string(j) + "_"; }

  std::vector<std::string> subscript_names() const {
    std::vector<std::string> names;
    for (std::size_t j = 0; j <= shape_.extents.size(); ++j) names.push_back(subscript(j));
    return names;
  }

  /// The points of the piece with subscripts as parameters i0_, i1_, ...
  std::optional<isl::set> subscripts_of(const Subscripts& piece) {
    isl::set result = piece.domain;
    long count = static_cast<long>(raw_.bytes / shape_.element_bytes);
    std::size_t rank = piece.values.size();
    for (std::size_t j = 0; j < rank; ++j) {
      isl::pw_aff value(piece.values[j]), index = symbols_.value(subscript(j));
      if (j + 1 < rank || count == 1) {
        result = result.intersect(index.eq_set(value));
      } else {
        result = result.intersect(index.ge_set(value))
                     .intersect(index.lt_set(value.add_constant(count)));
      }
    }
    if (!shaped_.leaves_row) return result;
    access_.exact = false;
    return spread_over_rows(piece);
  }

  /// The innermost subscript may leave its row by less than a row: the rows beside it, whole.
  std::optional<isl::set> spread_over_rows(const Subscripts& piece) {
    if (piece.values.size() != 2) return std::nullopt;
    isl::pw_aff row(piece.values[0]), column(piece.values[1]), extent = shape_.extents[0];
    long count = static_cast<long>(raw_.bytes / shape_.element_bytes);
    isl::set near = column.ge_set(extent.neg())
                        .intersect(column.add_constant(count).le_set(extent.add(extent)));
    isl::set domain = piece.domain.intersect(symbols_.launch_facts(piece.domain));
    if (!domain.is_subset(near)) return std::nullopt;
    isl::pw_aff i = symbols_.value(subscript(0)), j = symbols_.value(subscript(1));
    reason_ = "a subscript that may lie outside of its row";
    return piece.domain.intersect(i.ge_set(row.add_constant(-1)))
        .intersect(i.le_set(row.add_constant(1)))
        .intersect(j.ge_set(symbols_.constant(0)))
        .intersect(j.lt_set(extent));
  }

  /// Projects data out and says what that costs.
  void judge(isl::set touched) {
    std::vector<std::string> data, hidden, lost;
    for (const Subscripts& piece : shaped_.pieces)
      lost.insert(lost.end(), piece.lost_data.begin(), piece.lost_data.end());
    for (const std::string& name : model::involved_parameters(touched)) {
      if (is_subscript(name) || symbols_.is_parameter(name)) continue;
      Symbol::Kind kind = symbols_[name].kind;
      if (kind == Symbol::Kind::data) data.push_back(name);
      if (kind == Symbol::Kind::defined) hidden.push_back(name);
    }
    touched = model::project_out_parameters(touched, hidden).coalesce();
    isl::set whole = model::project_out_parameters(touched, data).coalesce();
    access_.exact = !shaped_.leaves_row && lost.empty() &&
                    (data.empty() || is_independent(touched, whole, data));
    data.insert(data.end(), lost.begin(), lost.end());
    if (!access_.exact) {
      access_.reason = reason_.empty() ? "depends on data" : reason_;
      access_.reason_where = raw_.where;
      if (!data.empty() && reason_.empty()) {
        access_.reason = "depends on " + symbols_[data[0]].text;
        access_.reason_where = symbols_[data[0]].where;
      }
    }
    std::vector<std::string> dimensions;
    for (const std::string& name : model::involved_parameters(whole))
      if (!is_subscript(name) && !symbols_.is_parameter(name)) dimensions.push_back(name);
    isl::set image = model::parameters_to_dimensions(whole, subscript_names());
    isl::map relation = isl::manage(isl_map_from_range(
        isl_set_set_tuple_name(isl_set_drop_unused_params(image.release()), "A")));
    access_.relation = model::parameters_to_dimensions(relation, dimensions);
    if (!is_bounded(access_.relation)) give_up(access_.reason, access_.reason_where);
  }

  bool is_subscript(const std::string& name) const {
    return std::ranges::find(names_, name) != names_.end();
  }

  /// Does the access happen and touch the same whatever the data are?
  bool is_independent(const isl::set& touched, const isl::set& whole,
                      const std::vector<std::string>& data) {
    if (data.size() > max_data_for_exactness) return false;
    isl::set possible = symbols_.universe();
    for (const std::string& name : data)
      if (!symbols_[name].definition.is_null())
        possible = possible.intersect(symbols_[name].definition);
    return whole.intersect(possible).subtract(touched).is_empty();
  }

  static bool is_bounded(const isl::map& relation) {
    isl::set range = relation.range();
    for (unsigned j = 0; j < static_cast<unsigned>(isl_set_dim(range.get(), isl_dim_set)); ++j)
      if (isl_set_dim_has_lower_bound(range.get(), isl_dim_set, j) != isl_bool_true ||
          isl_set_dim_has_upper_bound(range.get(), isl_dim_set, j) != isl_bool_true)
        return false;
    return true;
  }

  void give_up(const std::string& reason, const model::SourcePoint& where) {
    gave_up_ = true;
    access_.exact = false;
    access_.reason = reason.empty() ? "a subscript without bounds" : reason;
    access_.reason_where = where;
    access_.relation = isl::map();
    access_.unbounded = raw_.array_bytes == 0 || !shape_.extents.empty();
    if (!access_.unbounded) access_.relation = whole_array();
  }

  /// Every element, as many as were declared.
  isl::map whole_array() const {
    const long bytes = static_cast<long>(shape_.element_bytes);
    const isl::pw_aff index = symbols_.value(subscript(0));
    const isl::set all =
        index.ge_set(symbols_.constant(0))
            .intersect(index.lt_set(symbols_.constant((raw_.array_bytes + bytes - 1) / bytes)));
    isl::set image = model::parameters_to_dimensions(all, subscript_names());
    return isl::manage(isl_map_from_range(isl_set_set_tuple_name(image.release(), "A")));
  }

  void never_happens() {
    isl::set nothing = model::parameters_to_dimensions(isl::set::empty(symbols_.universe().space()),
                                                       subscript_names());
    access_.relation =
        isl::manage(isl_map_from_range(isl_set_set_tuple_name(nothing.release(), "A")));
    access_.exact = true;
  }

  const RawAccess& raw_;
  const ShapedAccess& shaped_;
  const Shape& shape_;
  Symbols& symbols_;
  model::Access& access_;
  std::string reason_;
  bool gave_up_ = false;
  std::vector<std::string> names_ = subscript_names();
};

}  // namespace

void leave_unbounded(const RawAccess& raw, const Shape& shape, Symbols& symbols,
                     model::Access& access) {
  RelationBuilder(raw, {}, shape, symbols, access).leave();
}

bool build_relation(const RawAccess& raw, const ShapedAccess& shaped, const Shape& shape,
                    Symbols& symbols, model::Access& access) {
  describe_access(raw, access);
  return RelationBuilder(raw, shaped, shape, symbols, access).run();
}

}  // namespace gridspan::analysis
