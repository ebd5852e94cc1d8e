// Whether subscripts stay within their rows, and which row a subscript belongs to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/subscripts.h"

#include <algorithm>

namespace gridspan::analysis {
namespace {

/// A superset of what has many cases: a condition that keeps out of it is simpler, if stronger.
isl::set few_cases(const isl::set& broken) {
  constexpr unsigned few = 4;
  if (broken.n_basic_set() <= few) return broken;
  return isl::manage(isl_set_simple_hull(isl_set_remove_divs(broken.copy())));
}

/// Launches at which a point is low or high.
struct Broken {
  Broken(const isl::set& low, const isl::set& high, const Symbols& symbols)
      : Broken(symbols.over_parameters(low), symbols.over_parameters(high)) {}

  isl::set launches;
  isl::set to_avoid;  // those and maybe more

 private:
  Broken(const isl::set& low, const isl::set& high)
      : launches(low.unite(high)), to_avoid(few_cases(low).unite(few_cases(high))) {}
};

/// Does the condition speak of nothing but the extent? Rows are borrowed where a piece of a
/// subscript ends up in a neighbouring row by the way it is written (a clamped `columns - 1`); an
/// offset the program chooses (`x0`) says nothing about rows.
bool is_about(const isl::set& condition, const isl::pw_aff& extent) {
  const std::vector<std::string> own = model::involved_parameters(extent);
  return std::ranges::all_of(model::involved_parameters(condition), [&](const std::string& name) {
    return is_launch_parameter(name) || std::ranges::count(own, name) != 0;
  });
}

/// One subscript and how its row is chosen.
class RowChooser {
 public:
  RowChooser(const isl::set& domain, const isl::aff& subscript, long length,
             const isl::pw_aff& extent, const std::vector<isl::set>& relied_on,
             const Symbols& symbols)
      : domain_(domain),
        value_(subscript),
        length_(length),
        extent_(extent),
        relied_on_(relied_on),
        symbols_(symbols) {}

  InnerCheck run();
  /// Then: how many rows to borrow, and what is left.
  long rows() const { return rows_; }
  const isl::pw_aff& subscript() const { return chosen_; }

 private:
  /// The subscript with some rows borrowed, and the points at which it is outside of its row.
  struct Borrowed {
    long rows;
    isl::pw_aff subscript;
    isl::set low, high;
    bool is_inside() const { return low.is_empty() && high.is_empty(); }
  };
  std::optional<Borrowed> borrow(long rows) const;
  InnerCheck by_what_is_relied_on(const Borrowed& choice) const;
  InnerCheck naturally(const Borrowed& choice) const;
  InnerCheck with_small_sizes(const Borrowed& choice) const;
  InnerCheck somehow(const Borrowed& plain) const;
  InnerCheck take(const Borrowed& choice, const InnerCheck& check) {
    rows_ = choice.rows;
    chosen_ = choice.subscript;
    return check;
  }

  const isl::set& domain_;
  isl::pw_aff value_;
  long length_;
  const isl::pw_aff& extent_;
  const std::vector<isl::set>& relied_on_;
  const Symbols& symbols_;
  long rows_ = 0;
  model::OrNull<isl::pw_aff> chosen_;
};

std::optional<RowChooser::Borrowed> RowChooser::borrow(long rows) const {
  isl::pw_aff value = rows == 0 ? value_ : value_.add(extent_.scale(rows));
  if (value.n_piece() != 1) return std::nullopt;
  isl::set low = domain_.intersect(value.lt_set(symbols_.constant(0)));
  isl::set high = domain_.intersect(value.add_constant(length_).gt_set(extent_));
  low = low.intersect(symbols_.launch_facts(low));
  high = high.intersect(symbols_.launch_facts(high));
  return Borrowed{rows, value, low, high};
}

/// A condition that others rely on anyway, if it will do. Finding that out costs little.
InnerCheck RowChooser::by_what_is_relied_on(const Borrowed& choice) const {
  for (const isl::set& condition : relied_on_)
    if (choice.low.intersect(condition).is_empty() && choice.high.intersect(condition).is_empty())
      return {false, condition, true, false};
  return {};
}

/// The condition under which `choice` is inside of its row, if launches naturally fulfil one. What
/// no sample avoids is not even projected.
InnerCheck RowChooser::naturally(const Borrowed& choice) const {
  if (!symbols_.may_avoid(choice.low) || !symbols_.may_avoid(choice.high)) return {};
  const Broken broken(choice.low, choice.high, symbols_);
  if (!symbols_.may_avoid(broken.launches)) return {};
  Symbols::Avoidance avoidance = symbols_.avoiding(broken.to_avoid, domain_, true);
  const bool will_do =
      avoidance.is_natural && (choice.rows == 0 || is_about(avoidance.condition, extent_));
  if (avoidance.condition.is_null() || !will_do) return {};
  return {false, avoidance.condition, true, avoidance.is_doubtful};
}

/// The condition that arguments are no larger than numbers, if these leave them at least half of a
/// row whose length is a number. Samples can't know how small a row may be.
InnerCheck RowChooser::with_small_sizes(const Borrowed& choice) const {
  const std::vector<Piece> row = pieces(extent_);
  if (row.size() != 1 || !row[0].value.is_cst()) return {};
  const Broken broken(choice.low, choice.high, symbols_);
  const Symbols::Avoidance avoidance = symbols_.avoiding_large_sizes(broken.to_avoid, domain_);
  if (avoidance.condition.is_null()) return {};
  for (const std::string& name : model::involved_parameters(avoidance.condition)) {
    const isl::set values = model::parameters_to_dimensions(avoidance.condition, {name});
    const isl::val most = isl::manage(isl_set_dim_max_val(values.copy(), 0));
    if (!most.is_int() || most.mul(isl::val(most.ctx(), 2)).lt(row[0].value.constant_val()))
      return {};
  }
  return {false, avoidance.condition, false, false};
}

/// Any condition for the subscript as it is written; null if there is none.
InnerCheck RowChooser::somehow(const Borrowed& plain) const {
  const Broken broken(plain.low, plain.high, symbols_);
  Symbols::Avoidance avoidance = symbols_.may_avoid(broken.launches)
                                     ? symbols_.avoiding(broken.to_avoid, domain_)
                                     : symbols_.avoiding_somehow(broken.to_avoid);
  return {false, avoidance.condition, avoidance.is_natural, avoidance.is_doubtful};
}

/// Rows are borrowed where that is proved to be right, or where the subscript as it is written
/// would rely on something that ordinary launches do not fulfil.
InnerCheck RowChooser::run() {
  std::vector<Borrowed> open;
  for (long rows : {0L, 1L, -1L}) {
    std::optional<Borrowed> choice = borrow(rows);
    if (!choice) continue;
    if (choice->is_inside()) return take(*choice, {true, {}, false, false});
    if (rows == 0)
      if (const InnerCheck check = by_what_is_relied_on(*choice); !check.condition.is_null())
        return take(*choice, check);
    open.push_back(std::move(*choice));
  }
  for (const auto how : {&RowChooser::naturally, &RowChooser::with_small_sizes}) {
    for (const Borrowed& choice : open) {
      const InnerCheck check = (this->*how)(choice);
      if (!check.condition.is_null()) return take(choice, check);
    }
  }
  if (open.empty() || open.front().rows != 0) return {};
  return take(open.front(), somehow(open.front()));
}

}  // namespace

InnerCheck check_inner(const isl::set& domain, std::vector<isl::aff>& subscripts, std::size_t j,
                       long length, const isl::pw_aff& extent,
                       const std::vector<isl::set>& relied_on, const Symbols& symbols) {
  RowChooser chooser(domain, subscripts[j], length, extent, relied_on, symbols);
  InnerCheck check = chooser.run();
  if (chooser.rows() != 0) {
    subscripts[j] = pieces(chooser.subscript())[0].value;
    subscripts[j - 1] = subscripts[j - 1].add_constant(-chooser.rows());
  }
  return check;
}

InnerCheck check_near(const isl::set& domain, const isl::aff& subscript, long length,
                      const isl::pw_aff& extent, const Symbols& symbols) {
  isl::pw_aff value(subscript);
  isl::set low = domain.intersect(value.lt_set(extent.neg()));
  isl::set high = domain.intersect(value.add_constant(length).gt_set(extent.add(extent)));
  low = low.intersect(symbols.launch_facts(low));
  high = high.intersect(symbols.launch_facts(high));
  if (low.is_empty() && high.is_empty()) return {true, {}, false, false};
  Symbols::Avoidance avoidance = symbols.avoiding(Broken(low, high, symbols).to_avoid, domain);
  return {false, avoidance.condition, avoidance.is_natural, avoidance.is_doubtful};
}

}  // namespace gridspan::analysis
