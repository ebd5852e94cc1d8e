// Taking offsets apart, and proofs about what comes out.
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
             const isl::pw_aff& extent, const Symbols& symbols)
      : domain_(domain), value_(subscript), length_(length), extent_(extent), symbols_(symbols) {}

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
  InnerCheck naturally(const Borrowed& choice) const;
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
    open.push_back(std::move(*choice));
  }
  for (const Borrowed& choice : open) {
    const InnerCheck check = naturally(choice);
    if (!check.condition.is_null()) return take(choice, check);
  }
  if (open.empty() || open.front().rows != 0) return {};
  return take(open.front(), somehow(open.front()));
}

/// Is it a product of a size and something that varies?
bool has_extent(const std::string& name, const Symbols& symbols) {
  if (symbols.is_parameter(name)) return false;
  const Monomial& atoms = symbols[name].monomial;
  return atoms.size() > 1 && std::ranges::any_of(atoms, [&](auto& atom) {
           return symbols.is_parameter(atom) && !is_launch_parameter(atom);
         });
}

}  // namespace

std::vector<isl::aff> split(const Offset& offset, const Strides& strides, Symbols& symbols) {
  std::vector<isl::pw_aff> sums(strides.size(), symbols.constant(0));
  isl::aff rest = offset.value;
  for (const Term& term : offset.terms) {
    for (std::size_t j = 0; j + 1 < strides.size(); ++j) {
      std::optional<Monomial> left = quotient(term.extents, strides[j].product);
      if (!left || term.coefficient % strides[j].number != 0) continue;
      Monomial atoms = *left;
      atoms.insert(atoms.end(), term.rest.begin(), term.rest.end());
      isl::pw_aff symbol =
          atoms.empty() ? symbols.constant(1) : symbols.value(symbols.product(atoms));
      sums[j] = sums[j].add(
          symbol.scale(isl::val(symbols.context(), term.coefficient / strides[j].number)));
      int position = isl_aff_find_dim_by_name(rest.get(), isl_dim_param, term.symbol.c_str());
      rest = isl::manage(isl_aff_set_coefficient_si(rest.release(), isl_dim_param, position, 0));
      break;
    }
  }
  // The constant belongs to the strides that are numbers.
  long constant = rest.constant_val().is_int() ? rest.constant_val().num_si() : 0;
  for (std::size_t j = 0; j + 1 < strides.size(); ++j) {
    if (!strides[j].product.empty()) continue;
    long steps = constant >= 0 ? constant / strides[j].number
                               : -((-constant + strides[j].number - 1) / strides[j].number);
    sums[j] = sums[j].add_constant(steps);
    constant -= steps * strides[j].number;
  }
  if (rest.constant_val().is_int()) {
    rest = isl::manage(isl_aff_set_constant_si(rest.release(), static_cast<int>(constant)));
  }
  std::vector<isl::aff> result;
  for (std::size_t j = 0; j + 1 < strides.size(); ++j) result.push_back(sums[j].as_aff());
  result.push_back(rest);
  return result;
}

std::vector<isl::pw_aff> extents_of(const Strides& strides, Symbols& symbols) {
  std::vector<isl::pw_aff> result;
  for (std::size_t j = 1; j < strides.size(); ++j) {
    Monomial left = *quotient(strides[j - 1].product, strides[j].product);
    isl::pw_aff extent = left.empty() ? symbols.constant(1) : symbols.value(symbols.product(left));
    result.push_back(
        extent.scale(isl::val(symbols.context(), strides[j - 1].number / strides[j].number)));
  }
  return result;
}

InnerCheck check_inner(const isl::set& domain, std::vector<isl::aff>& subscripts, std::size_t j,
                       long length, const isl::pw_aff& extent, const Symbols& symbols) {
  RowChooser chooser(domain, subscripts[j], length, extent, symbols);
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

bool lacks_bounds(const isl::aff& subscript, const isl::set& domain, const Symbols& symbols) {
  std::vector<std::string> involved = model::involved_parameters(isl::pw_aff(subscript));
  if (std::ranges::none_of(involved, [&](auto& name) { return has_extent(name, symbols); }))
    return false;
  isl::set values = domain.intersect(isl::pw_aff(subscript).bind("value_"));
  std::vector<std::string> others;
  for (const std::string& name : model::involved_parameters(values))
    if (name != "value_" && !symbols.is_parameter(name)) others.push_back(name);
  values =
      model::parameters_to_dimensions(model::project_out_parameters(values, others), {"value_"});
  return isl_set_dim_has_lower_bound(values.get(), isl_dim_set, 0) != isl_bool_true ||
         isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0) != isl_bool_true;
}

isl::set counter_bounds(const std::vector<std::string>& names, const isl::set& domain,
                        const Symbols& symbols) {
  isl::set bounds = symbols.universe();
  for (const std::string& name : names) {
    const model::Dimension* product = symbols.product_dimension(name);
    if (!product || !symbols.is_counter(product->base)) continue;
    if (!std::ranges::all_of(symbols[product->factor].monomial, is_launch_parameter)) continue;
    isl::set counter = model::parameters_to_dimensions(domain, {product->base});
    isl::val most = isl::manage(isl_set_dim_max_val(counter.copy(), 0));
    if (most.is_int())
      bounds =
          bounds.intersect(symbols.value(name).le_set(symbols.value(product->factor).scale(most)));
  }
  return bounds;
}

}  // namespace gridspan::analysis
