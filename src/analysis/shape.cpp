// Splitting offsets by strides, and choosing the strides that fit best.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/shape.h"

#include "analysis/known_fits.h"
#include "analysis/subscripts.h"

#include <algorithm>
#include <numeric>

namespace gridspan::analysis {
namespace {

// What is wrong with a shape, summed up over its accesses.
constexpr unsigned natural_assumption = 1, assumption = 5, mixed = 20, shifted = 25, row = 100,
                   lost = 10'000, lost_write = 1'000'000;

struct Attempt {
  Shape shape;
  unsigned faults = 0;
  bool is_good = true;
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

isl::set without(const isl::set& domain, const std::vector<std::string>& names) {
  if (names.empty()) return domain;
  const isl::set rest = tidy(model::project_out_parameters(domain, names));
  return isl::manage(isl_set_drop_unused_params(rest.copy()));
}

/// Rows of a number of elements, and a column that an argument moves: x + first < 128. Where they
/// are no rows, but what the threads of a block take in turns, that holds for one argument alone.
bool is_shifted(const isl::aff& column, const Stride& row, const Symbols& symbols) {
  const std::optional<Linear> terms = linear(column);
  return row.product.empty() && terms && std::ranges::any_of(terms->terms, [&](const auto& term) {
           return symbols.is_parameter(term.first) && !is_launch_parameter(term.first);
         });
}

bool is_read(const Offset& offset) { return offset.access->kind == model::AccessKind::read; }

class ShapeFinder {
 public:
  ShapeFinder(const std::vector<const RawAccess*>& accesses, Symbols& symbols, Budget& budget,
              KnownFits& known)
      : accesses_(accesses), symbols_(symbols), budget_(budget), known_(known) {}

  Shape run();

 private:
  void split_pieces(std::size_t access);
  bool is_data(const std::string& name) const;
  std::vector<std::string> other_data(const isl::set& domain,
                                      const std::vector<std::string>& involved) const;
  void choose_element();
  std::optional<Attempt> attempt(const Strides& strides, const std::optional<Attempt>& best);
  isl::set known_domain(const Offset& offset, const std::vector<isl::aff>& values);
  Fit fit(const Offset& offset, std::vector<isl::aff> values, const Strides& strides,
          const std::vector<isl::pw_aff>& extents, const std::vector<isl::set>& relied_on);

  const std::vector<const RawAccess*>& accesses_;
  Symbols& symbols_;
  Budget& budget_;
  long element_ = 0;
  std::vector<Offset> offsets_;
  std::set<std::size_t> too_complex_;  // accesses
  KnownFits& known_;
};

void ShapeFinder::split_pieces(std::size_t access) {
  const RawAccess& raw = *accesses_[access];
  std::vector<Piece> all = pieces(raw.offset);
  for (const Piece& piece : all) {
    std::vector<std::string> involved = model::involved_parameters(isl::pw_aff(piece.value));
    isl::set domain = symbols_.with_definitions(raw.domain.intersect(piece.domain), involved);
    std::vector<std::string> left_out = other_data(domain, involved);
    isl::set asked = domain;
    if (left_out.size() > max_data_for_exactness) {
      asked = domain = without(domain, left_out);
    } else {
      domain = tidy(domain);
      asked = without(domain, left_out);
      left_out.clear();
    }
    isl::set possible = domain;
    if (all.size() > 1) {  // most cases of clamps and the like can't be
      std::vector<std::string> names = model::involved_parameters(domain);
      names.insert(names.end(), involved.begin(), involved.end());
      possible = domain.intersect(symbols_.facts_about(names));
    }
    if (possible.is_empty()) continue;
    offsets_.push_back({&raw,
                        access,
                        domain,
                        asked,
                        piece.value,
                        {},
                        std::ranges::any_of(involved, [&](auto& name) { return is_data(name); }),
                        std::move(left_out)});
  }
}

/// Of a product with a value that is defined (a clamped row) it is not known what that leads to,
/// but with the right stride there is none.
bool ShapeFinder::is_data(const std::string& name) const {
  const Symbol& symbol = symbols_[name];
  if (symbol.kind != Symbol::Kind::data) return false;
  return symbol.monomial.size() < 2 ||
         std::ranges::any_of(
             symbol.monomial,
             [&](auto& atom) { return symbols_[atom].kind == Symbol::Kind::data; });
}

/// Data in the domain that the offset does not depend on. Accesses often differ in nothing else.
std::vector<std::string> ShapeFinder::other_data(const isl::set& domain,
                                                 const std::vector<std::string>& involved) const {
  std::vector<std::string> data;
  for (const std::string& name : model::involved_parameters(domain))
    if (!symbols_.is_parameter(name) && symbols_[name].kind == Symbol::Kind::data &&
        std::ranges::count(involved, name) == 0)
      data.push_back(name);
  return data;
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
  for (Offset& offset : offsets_) {
    offset.value = offset.value.scale_down(isl::val(symbols_.context(), element_));
    offset.terms = terms_of(offset.value, symbols_);
  }
}

/// The domain with what is known of every dimension in it and in the subscripts.
isl::set ShapeFinder::known_domain(const Offset& offset, const std::vector<isl::aff>& values) {
  std::vector<std::string> names;
  for (const isl::aff& value : values)
    std::ranges::copy(model::involved_parameters(isl::pw_aff(value)), std::back_inserter(names));
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  if (const isl::set* known = known_.domain(offset.asked, names)) return *known;
  std::vector<std::string> all = model::involved_parameters(offset.asked);
  all.insert(all.end(), names.begin(), names.end());
  isl::set facts = symbols_.facts_about(all);
  isl::set domain = tidy(offset.asked.intersect(facts));
  domain = domain.intersect(counter_bounds(names, domain, symbols_));
  known_.add_domain(offset.asked, names, domain);
  return domain;
}

Fit ShapeFinder::fit(const Offset& offset, std::vector<isl::aff> values, const Strides& strides,
                     const std::vector<isl::pw_aff>& extents,
                     const std::vector<isl::set>& relied_on) {
  isl::set domain = known_domain(offset, values);
  Fit result{{}, domain, {}, false, 0, true};
  long count = static_cast<long>(offset.access->bytes) / element_;
  for (std::size_t j = strides.size() - 1; j >= 1; --j) {
    long length = j + 1 == strides.size() ? count : 1;
    InnerCheck check = check_inner(domain, values, j, length, extents[j - 1], relied_on, symbols_);
    if (check.proved) continue;
    bool same_axis =
        strides[j - 1].product.empty() && shares_axis(offset, strides[j - 1], symbols_);
    // Rather the rows beside it than a condition that a grid covering the sizes does not fulfil.
    InnerCheck near;
    if (is_read(offset) && strides.size() == 2 && (check.condition.is_null() || check.is_doubtful))
      near = check_near(domain, values[j], length, extents[j - 1], symbols_);
    bool may_spread = near.proved || (!near.condition.is_null() && !near.is_doubtful);
    if (!check.condition.is_null() && !same_axis && !(check.is_doubtful && may_spread)) {
      result.assumptions.push_back(check.condition);
      if (check.is_natural)
        result.faults += natural_assumption;
      else
        result.faults += is_shifted(values[j], strides[j - 1], symbols_) ? shifted : assumption;
      result.is_good = result.is_good && check.is_natural;
      continue;
    }
    if (may_spread && !near.proved) {
      result.assumptions.push_back(near.condition);
      result.within = result.within.intersect(near.condition);
    }
    result.leaves_row = true;
    result.faults += is_read(offset) ? row : lost_write;
    result.is_good = false;
  }
  // Products that no stride took out have no bounds.
  for (const isl::aff& value : values)
    if (!offset.is_data && lacks_bounds(value, domain, symbols_)) {
      result.faults += is_read(offset) ? lost : lost_write;
      result.is_good = false;
    }
  result.values = std::move(values);
  return result;
}

/// Null if it is no better than the best so far.
std::optional<Attempt> ShapeFinder::attempt(const Strides& strides,
                                            const std::optional<Attempt>& best) {
  Attempt result;
  Shape& shape = result.shape;
  shape.element_bytes = static_cast<unsigned>(element_);
  shape.accesses.resize(accesses_.size());
  for (std::size_t access : too_complex_) shape.accesses[access].too_complex = true;
  auto is_worse = [&] { return best && result.faults >= best->faults; };
  // What costs little first.
  std::vector<std::vector<isl::aff>> values;
  for (const Offset& offset : offsets_) {
    values.push_back(split(offset, strides, symbols_));
    unsigned subscripts_mixed = mixed_strides(values.back(), symbols_);
    result.faults += mixed * subscripts_mixed;
    result.is_good = result.is_good && subscripts_mixed == 0;
  }
  if (is_worse()) return std::nullopt;
  shape.extents = extents_of(strides, symbols_);
  std::vector<isl::set> relied_on = known_.relied_on();
  for (std::size_t i = 0; i < offsets_.size() && !is_worse(); ++i) {
    const Offset& offset = offsets_[i];
    ShapedAccess& shaped = shape.accesses[offset.index];
    model::OrNull<isl::set> domain;
    const Fit* known = known_.find(offset, element_, strides);
    const bool done = budget_.allows([&] {
      if (!known) {
        Fit found = fit(offset, values[i], strides, shape.extents, relied_on);
        known = &known_.add(offset, element_, strides, std::move(found));
      }
      domain = offset.domain.intersect(known->within);
    });
    if (!done) {
      result.faults += is_read(offset) ? lost : lost_write;
      result.is_good = false;
      shaped.too_complex = true;
      continue;
    }
    result.faults += known->faults;
    result.is_good = result.is_good && known->is_good;
    shaped.leaves_row = shaped.leaves_row || known->leaves_row;
    std::ranges::copy(known->assumptions, std::back_inserter(shaped.assumptions));
    if (known->is_good) add_new(known->assumptions, relied_on);
    shaped.pieces.push_back({domain, known->values, offset.lost_data});
  }
  if (is_worse()) return std::nullopt;
  return result;
}

/// The shape with the fewest faults; among equals the one with the most dimensions.
Shape ShapeFinder::run() {
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    if (accesses_[i]->unbounded) continue;
    std::size_t before = offsets_.size();
    if (budget_.allows([&] { split_pieces(i); })) continue;
    offsets_.erase(offsets_.begin() + static_cast<std::ptrdiff_t>(before), offsets_.end());
    too_complex_.insert(i);
  }
  choose_element();
  // Blocks do not meet in shared memory: its offsets are good enough as they are.
  std::vector<Strides> candidates{{{1, {}}}};
  if (!accesses_[0]->is_shared) candidates = candidate_strides(offsets_, symbols_);
  std::optional<Attempt> best;
  for (const Strides& strides : candidates) {
    if (std::optional<Attempt> next = attempt(strides, best)) best = std::move(next);
    if (best->is_good) break;
  }
  return std::move(best->shape);
}

}  // namespace

Shape find_shape(const std::vector<const RawAccess*>& accesses, Symbols& symbols, Budget& budget,
                 KnownFits& known) {
  return ShapeFinder(accesses, symbols, budget, known).run();
}

}  // namespace gridspan::analysis
