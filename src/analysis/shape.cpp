// Choosing strides and splitting offsets by them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/shape.h"

#include "analysis/requirements.h"
#include "model/facts.h"

#include <algorithm>
#include <numeric>

namespace gridspan::analysis {
namespace {

/// A distance in elements: a number times a product of parameters.
struct Stride {
  long number = 1;
  Monomial product;
  friend bool operator==(const Stride&, const Stride&) = default;
};

/// One symbol of an offset: coefficient * symbol, where the symbol is a product of `extents`
/// (integer arguments and what is computed from them) and `rest` (dimensions, gridDim, blockDim).
struct Term {
  std::string symbol;
  long coefficient;
  Monomial extents, rest;
  bool varies;  // not a parameter
};

struct Offset {
  const RawAccess* access;
  std::size_t index;  // of the access
  isl::set domain;
  isl::aff value;  // in elements, once known
  std::vector<Term> terms;
  bool is_data = false;
};

bool is_launch_parameter(const std::string& name) {
  return name.starts_with("gridDim_") || name.starts_with("blockDim_");
}

/// a / b if b's factors are all among a's.
std::optional<Monomial> quotient(const Monomial& a, const Monomial& b) {
  if (!std::ranges::includes(a, b)) return std::nullopt;
  Monomial result;
  std::ranges::set_difference(a, b, std::back_inserter(result));
  return result;
}

bool divides(const Stride& small, const Stride& large) {
  return large.number % small.number == 0 && quotient(large.product, small.product);
}

class ShapeFinder {
 public:
  ShapeFinder(const std::vector<const RawAccess*>& accesses, Symbols& symbols,
              const model::Kernel& kernel)
      : accesses_(accesses), symbols_(symbols), kernel_(kernel) {}

  Shape run();

 private:
  void split_pieces();
  void choose_element();
  void collect_terms(Offset& offset);
  std::vector<std::vector<Stride>> candidates() const;
  bool repeats_axis(const Stride& stride) const;
  struct Attempt {
    Shape shape;
    unsigned faults = 0;  // accesses that do not fit, writes counting more; then assumptions
    bool is_good = true;  // nothing but natural assumptions
  };
  Attempt attempt(const std::vector<Stride>& strides);
  std::vector<isl::aff> subscripts(const Offset& offset, const std::vector<Stride>& strides);
  isl::set facts_about(const std::vector<isl::aff>& values, const isl::set& domain) const;
  struct InnerCheck {
    bool proved;
    model::OrNull<isl::set> condition;  // else: under which it would hold, if any
    bool is_natural;                    // see Symbols::Avoidance
  };
  InnerCheck check_inner(const isl::set& domain, std::vector<isl::aff>& values, std::size_t j,
                         long length, const isl::pw_aff& extent);
  bool shares_axis(const Offset& offset, const Stride& stride) const;
  bool has_extent(const std::string& name) const;
  unsigned mixed_strides(const std::vector<isl::aff>& values) const;
  isl::set counter_bounds(const std::vector<isl::aff>& values, const isl::set& domain) const;
  bool is_bounded(const isl::aff& value, const isl::set& domain) const;

  const std::vector<const RawAccess*>& accesses_;
  Symbols& symbols_;
  const model::Kernel& kernel_;
  long element_ = 0;
  std::vector<Offset> offsets_;
};

long coefficient_gcd(const isl::aff& value, long sofar) {
  auto include = [&](const isl::val& number) {
    if (number.is_int())
      sofar = std::gcd(sofar, number.num_si());
    else
      sofar = 1;
  };
  include(value.constant_val());
  for (auto type : {isl_dim_param, isl_dim_div}) {
    int count = isl_aff_dim(value.get(), type);
    for (int i = 0; i < count; ++i)
      include(isl::manage(isl_aff_get_coefficient_val(value.get(), type, i)));
  }
  return sofar;
}

void ShapeFinder::split_pieces() {
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    if (accesses_[i]->unbounded) continue;
    std::vector<Piece> all = pieces(accesses_[i]->offset);
    for (const Piece& piece : all) {
      isl::set domain =
          symbols_.with_definitions(accesses_[i]->domain.intersect(piece.domain),
                                    model::involved_parameters(isl::pw_aff(piece.value)));
      domain = tidy(domain);
      if (all.size() > 1) {  // most cases of clamps and the like can't be
        isl::set possible = domain.intersect(facts_about({piece.value}, domain));
        if (possible.is_empty()) continue;
      } else if (domain.is_empty()) {
        continue;
      }
      Offset offset{accesses_[i], i, domain, piece.value, {}, false};
      for (const std::string& name : model::involved_parameters(isl::pw_aff(piece.value)))
        if (symbols_[name].kind == Symbol::Kind::data) offset.is_data = true;
      offsets_.push_back(std::move(offset));
    }
  }
}

/// The facts about every dimension that occurs.
isl::set ShapeFinder::facts_about(const std::vector<isl::aff>& values,
                                  const isl::set& domain) const {
  std::vector<std::string> names = model::involved_parameters(domain);
  for (const isl::aff& value : values)
    for (const std::string& name : model::involved_parameters(isl::pw_aff(value)))
      names.push_back(name);
  return symbols_.facts_about(names);
}

/// Elements are as large as they can be for all offsets and sizes to be multiples.
void ShapeFinder::choose_element() {
  for (const Offset& offset : offsets_)
    element_ =
        coefficient_gcd(offset.value, std::gcd(element_, static_cast<long>(offset.access->bytes)));
  if (offsets_.empty())
    for (const RawAccess* access : accesses_)
      element_ = std::gcd(element_, static_cast<long>(access->bytes));
  element_ = std::max(element_, 1L);
  isl::val size(symbols_.context(), element_);
  for (Offset& offset : offsets_) {
    offset.value = offset.value.scale_down(size);
    collect_terms(offset);
  }
}

void ShapeFinder::collect_terms(Offset& offset) {
  int count = isl_aff_dim(offset.value.get(), isl_dim_param);
  for (int i = 0; i < count; ++i) {
    isl::val coefficient =
        isl::manage(isl_aff_get_coefficient_val(offset.value.get(), isl_dim_param, i));
    if (coefficient.is_zero() || !coefficient.is_int()) continue;
    Term term;
    term.symbol = isl_aff_get_dim_name(offset.value.get(), isl_dim_param, static_cast<unsigned>(i));
    term.coefficient = coefficient.num_si();
    term.varies = !symbols_.is_parameter(term.symbol);
    for (const std::string& atom : symbols_[term.symbol].monomial)
      (symbols_.is_parameter(atom) && !is_launch_parameter(atom) ? term.extents : term.rest)
          .push_back(atom);
    offset.terms.push_back(std::move(term));
  }
}

/// Which chains of strides to try, the longest first. The last is one-dimensional: {1}.
std::vector<std::vector<Stride>> ShapeFinder::candidates() const {
  std::map<Monomial, unsigned> weight;  // of strides that exclude each other the most used wins
  std::map<Monomial, long> common;      // of all numbers a product of extents is multiplied with
  for (const Offset& offset : offsets_)
    for (const Term& term : offset.terms) {
      if (offset.is_data && term.extents.empty()) continue;
      common[term.extents] = std::gcd(common[term.extents], term.coefficient);
      if (term.varies)
        weight[term.extents] += offset.access->kind == model::AccessKind::read ? 1 : 100;
    }
  std::vector<Stride> all_strides, apart;  // `apart`: no axis steps by a shorter stride as well
  for (const auto& [product, uses] : weight) {
    std::set<long> numbers;
    if (!product.empty()) numbers.insert(std::max(1L, common[product]));
    for (const Offset& offset : offsets_)
      for (const Term& term : offset.terms)
        if (product.empty() && term.varies && term.extents.empty() && !offset.is_data &&
            std::labs(term.coefficient) > 1)
          numbers.insert(std::labs(term.coefficient));
    for (long number : numbers) {
      Stride stride{number, product};
      all_strides.push_back(stride);
      if (!repeats_axis(stride)) apart.push_back(stride);
    }
  }
  auto chain = [&](std::vector<Stride> strides) {
    std::ranges::sort(strides, [&](const Stride& a, const Stride& b) {
      return std::tuple(a.product.size(), weight[a.product], a.number) >
             std::tuple(b.product.size(), weight[b.product], b.number);
    });
    std::vector<Stride> result;
    for (const Stride& stride : strides)
      if (result.empty() || (divides(stride, result.back()) && !(stride == result.back())))
        result.push_back(stride);
    result.push_back({1, {}});
    return result;
  };
  std::vector<std::vector<Stride>> all;
  auto add = [&](const std::vector<Stride>& strides) {
    if (std::vector<Stride> next = chain(strides); std::ranges::find(all, next) == all.end())
      all.push_back(std::move(next));
  };
  add(apart);
  add(all_strides);
  // Without one of them, or with one alone.
  constexpr std::size_t few = 4;
  for (std::size_t i = 0; i < all_strides.size() && all_strides.size() <= few; ++i) {
    std::vector<Stride> fewer = all_strides;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    add(fewer);
    add({all_strides[i]});
  }
  add({});
  return all;
}

/// In some offset, do all axes and loops that step by this stride step by a shorter one, too
/// (16*blockIdx.x + threadIdx.x)?
bool ShapeFinder::repeats_axis(const Stride& stride) const {
  auto axis_of = [&](const Term& term) -> std::string {
    for (const std::string& atom : term.rest)
      if (!symbols_.is_parameter(atom))
        return atom.starts_with("blockIdx_") || atom.starts_with("threadIdx_")
                   ? atom.substr(atom.size() - 1)
                   : atom;
    return "";
  };
  for (const Offset& offset : offsets_) {
    std::set<std::string> here, shorter;
    for (const Term& term : offset.terms) {
      if (!term.varies) continue;
      bool same = term.extents == stride.product;
      if (same && std::labs(term.coefficient) == stride.number) here.insert(axis_of(term));
      bool less = (same && std::labs(term.coefficient) < stride.number) ||
                  (!same && quotient(stride.product, term.extents));
      if (less) shorter.insert(axis_of(term));
    }
    if (!here.empty() && std::ranges::includes(shorter, here)) return true;
  }
  return false;
}

/// Subscripts by the strides, outermost first.
std::vector<isl::aff> ShapeFinder::subscripts(const Offset& offset,
                                              const std::vector<Stride>& strides) {
  isl::pw_aff zero = symbols_.constant(0);
  std::vector<isl::pw_aff> sums(strides.size(), zero);
  isl::aff rest = offset.value;
  for (const Term& term : offset.terms) {
    for (std::size_t j = 0; j + 1 < strides.size(); ++j) {
      std::optional<Monomial> left = quotient(term.extents, strides[j].product);
      if (!left || term.coefficient % strides[j].number != 0) continue;
      Monomial atoms = *left;
      atoms.insert(atoms.end(), term.rest.begin(), term.rest.end());
      isl::pw_aff symbol =
          atoms.empty() ? symbols_.constant(1) : symbols_.value(symbols_.product(atoms));
      sums[j] = sums[j].add(
          symbol.scale(isl::val(symbols_.context(), term.coefficient / strides[j].number)));
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

/// Does the same grid axis occur on both sides of this stride (16*blockIdx.x + threadIdx.x)?
bool ShapeFinder::shares_axis(const Offset& offset, const Stride& stride) const {
  std::set<unsigned> outer, inner;
  for (const Term& term : offset.terms) {
    bool is_outer = quotient(term.extents, stride.product) && term.coefficient % stride.number == 0;
    for (const std::string& atom : term.rest)
      for (const model::Dimension& dimension : kernel_.dimensions)
        if (dimension.name == atom && (dimension.kind == model::Dimension::Kind::block ||
                                       dimension.kind == model::Dimension::Kind::thread))
          (is_outer ? outer : inner).insert(dimension.axis);
  }
  return std::ranges::any_of(outer, [&](unsigned axis) { return inner.contains(axis); });
}

/// Is 0 <= values[j], values[j] + length <= extent on the domain? A row may be borrowed from or
/// given to the next subscript outwards, which changes nothing in the offset: (y, w - 1) instead of
/// (y + 1, -1).
ShapeFinder::InnerCheck ShapeFinder::check_inner(const isl::set& domain,
                                                 std::vector<isl::aff>& values, std::size_t j,
                                                 long length, const isl::pw_aff& extent) {
  InnerCheck best{false, {}, false};
  std::vector<isl::aff> chosen = values;
  for (long rows : {0L, 1L, -1L}) {
    isl::pw_aff value =
        isl::pw_aff(values[j]).add(extent.scale(isl::val(symbols_.context(), rows)));
    if (value.n_piece() != 1) continue;
    isl::set inside =
        value.ge_set(symbols_.constant(0)).intersect(value.add_constant(length).le_set(extent));
    isl::set outside = domain.subtract(inside);
    outside = outside.intersect(symbols_.launch_facts(outside));
    InnerCheck next{outside.is_empty(), {}, false};
    if (!next.proved) {
      Symbols::Avoidance avoidance = symbols_.avoiding(symbols_.over_parameters(outside), domain);
      next.condition = avoidance.condition;
      next.is_natural = avoidance.is_natural;
    }
    bool better = next.proved || (next.is_natural && !best.is_natural) ||
                  (!next.condition.is_null() && best.condition.is_null());
    if (!better) continue;
    best = next;
    chosen = values;
    chosen[j] = pieces(value)[0].value;
    chosen[j - 1] = chosen[j - 1].add_constant(-rows);
    if (best.proved || best.is_natural) break;
  }
  values = chosen;
  return best;
}

ShapeFinder::Attempt ShapeFinder::attempt(const std::vector<Stride>& strides) {
  constexpr unsigned likely = 1, assumption = 5, mixed = 20, row = 100, lost = 10000,
                     lost_write = 1000000;
  Attempt result;
  Shape& shape = result.shape;
  shape.element_bytes = static_cast<unsigned>(element_);
  shape.accesses.resize(accesses_.size());
  for (std::size_t j = 1; j < strides.size(); ++j) {
    Monomial left = *quotient(strides[j - 1].product, strides[j].product);
    isl::pw_aff extent =
        left.empty() ? symbols_.constant(1) : symbols_.value(symbols_.product(left));
    shape.extents.push_back(
        extent.scale(isl::val(symbols_.context(), strides[j - 1].number / strides[j].number)));
  }
  for (const Offset& offset : offsets_) {
    ShapedAccess& shaped = shape.accesses[offset.index];
    std::vector<isl::aff> values = subscripts(offset, strides);
    isl::set domain = tidy(offset.domain.intersect(facts_about(values, offset.domain)));
    domain = domain.intersect(counter_bounds(values, domain));
    long count = static_cast<long>(offset.access->bytes) / element_;
    bool is_read = offset.access->kind == model::AccessKind::read;
    for (std::size_t j = strides.size() - 1; j >= 1; --j) {
      long length = j + 1 == strides.size() ? count : 1;
      InnerCheck check = check_inner(domain, values, j, length, shape.extents[j - 1]);
      if (check.proved) continue;
      bool same_axis = strides[j - 1].product.empty() && shares_axis(offset, strides[j - 1]);
      if (!check.condition.is_null() && !same_axis) {
        shaped.assumptions.push_back({check.condition, condition_text(check.condition)});
        result.faults += check.is_natural ? likely : assumption;
        result.is_good = result.is_good && check.is_natural;
        continue;
      }
      shaped.leaves_row = true;
      result.faults += is_read ? row : lost_write;
      result.is_good = false;
    }
    if (unsigned subscripts_mixed = mixed_strides(values)) {
      result.faults += mixed * subscripts_mixed;
      result.is_good = false;
    }
    // Products that no stride took out have no bounds.
    for (const isl::aff& value : values)
      for (const std::string& name : model::involved_parameters(isl::pw_aff(value)))
        if (!offset.is_data && has_extent(name) && !is_bounded(value, domain)) {
          result.faults += is_read ? lost : lost_write;
          result.is_good = false;
        }
    shaped.pieces.push_back({domain, values});
  }
  return result;
}

/// For products P*k of a loop counter that is at most a number c: P*k <= c*P (where P >= 1).
isl::set ShapeFinder::counter_bounds(const std::vector<isl::aff>& values,
                                     const isl::set& domain) const {
  isl::set bounds = symbols_.universe();
  for (const isl::aff& value : values)
    for (const std::string& name : model::involved_parameters(isl::pw_aff(value)))
      for (const model::Dimension& dimension : kernel_.dimensions) {
        if (dimension.name != name || dimension.kind != model::Dimension::Kind::product) continue;
        bool launch = std::ranges::all_of(symbols_[dimension.factor].monomial, is_launch_parameter);
        if (!launch || !dimension.base.starts_with("k")) continue;
        isl::set counter = model::parameters_to_dimensions(domain, {dimension.base});
        isl::val most = isl::manage(isl_set_dim_max_val(counter.copy(), 0));
        if (!most.is_int()) continue;
        bounds = bounds.intersect(
            symbols_.value(name).le_set(symbols_.value(dimension.factor).scale(most)));
      }
  return bounds;
}

/// How many subscripts step by different distances along different axes or loops (64*y + x).
unsigned ShapeFinder::mixed_strides(const std::vector<isl::aff>& values) const {
  unsigned count = 0;
  for (const isl::aff& value : values) {
    std::optional<Linear> terms = linear(value);
    if (!terms) continue;
    std::map<std::string, std::set<std::string>> steps;  // of each axis or loop
    for (const auto& [name, coefficient] : terms->terms) {
      if (symbols_.is_parameter(name)) continue;
      for (const std::string& atom : symbols_[name].monomial)
        if (!symbols_.is_parameter(atom)) {
          std::string axis = atom.starts_with("blockIdx_") || atom.starts_with("threadIdx_")
                                 ? atom.substr(atom.size() - 1)
                                 : atom;
          steps[axis].insert(text_of(coefficient.abs()));
        }
    }
    std::set<std::set<std::string>> different;
    for (const auto& [axis, distances] : steps) different.insert(distances);
    if (different.size() > 1) ++count;
  }
  return count;
}

/// Has the value a least and a largest one on the domain, as functions of parameters?
bool ShapeFinder::is_bounded(const isl::aff& value, const isl::set& domain) const {
  isl::set values = domain.intersect(isl::pw_aff(value).bind("value_"));
  std::vector<std::string> others;
  for (const std::string& name : model::involved_parameters(values))
    if (name != "value_" && !symbols_.is_parameter(name)) others.push_back(name);
  values =
      model::parameters_to_dimensions(model::project_out_parameters(values, others), {"value_"});
  return isl_set_dim_has_lower_bound(values.get(), isl_dim_set, 0) == isl_bool_true &&
         isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0) == isl_bool_true;
}

/// Is it a product of an argument (a size, not a launch dimension) and something that varies?
bool ShapeFinder::has_extent(const std::string& name) const {
  if (symbols_.is_parameter(name)) return false;
  const Monomial& atoms = symbols_[name].monomial;
  return atoms.size() > 1 && std::ranges::any_of(atoms, [&](auto& atom) {
           return symbols_.is_parameter(atom) && !is_launch_parameter(atom);
         });
}

/// The shape with the fewest faults; among equals the one with the most dimensions.
Shape ShapeFinder::run() {
  split_pieces();
  choose_element();
  std::optional<Attempt> best;
  // Blocks do not meet in shared memory: its offsets are good enough as they are.
  bool is_shared = accesses_[0]->is_shared;
  for (const std::vector<Stride>& strides :
       is_shared ? std::vector<std::vector<Stride>>{{{1, {}}}} : candidates()) {
    Attempt next = attempt(strides);
    if (!best || next.faults < best->faults) best = std::move(next);
    if (best->is_good) break;
  }
  return std::move(best->shape);
}

}  // namespace

Shape find_shape(const std::vector<const RawAccess*>& accesses, Symbols& symbols,
                 const model::Kernel& kernel) {
  return ShapeFinder(accesses, symbols, kernel).run();
}

}  // namespace gridspan::analysis
