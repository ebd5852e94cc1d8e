// Choosing candidates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/strides.h"

#include <algorithm>
#include <numeric>

namespace gridspan::analysis {
namespace {

bool divides(const Stride& small, const Stride& large) {
  return large.number % small.number == 0 && quotient(large.product, small.product);
}

/// What an atom of a term counts along: a grid axis ("x", whether by blocks or by threads), a loop;
/// empty for parameters.
std::string axis_of(const std::string& atom, const Symbols& symbols) {
  if (symbols.is_parameter(atom)) return "";
  bool is_grid = atom.starts_with("blockIdx_") || atom.starts_with("threadIdx_");
  return is_grid ? atom.substr(atom.size() - 1) : atom;
}

std::string axis_of(const Term& term, const Symbols& symbols) {
  for (const std::string& atom : term.rest)
    if (std::string axis = axis_of(atom, symbols); !axis.empty()) return axis;
  return "";
}

class Chooser {
 public:
  Chooser(const std::vector<Offset>& offsets, const Symbols& symbols)
      : offsets_(offsets), symbols_(symbols) {}

  std::vector<Strides> run();

 private:
  void weigh();
  std::set<long> numbers_of(const Monomial& product) const;
  bool repeats_axis(const Stride& stride) const;
  Strides chain(Strides strides) const;

  const std::vector<Offset>& offsets_;
  const Symbols& symbols_;
  std::map<Monomial, unsigned> weight_;  // of strides that exclude each other the most used wins
  std::map<Monomial, long> common_;      // of all numbers a product of extents is multiplied with
};

void Chooser::weigh() {
  for (const Offset& offset : offsets_)
    for (const Term& term : offset.terms) {
      if (offset.is_data && term.extents.empty()) continue;
      common_[term.extents] = std::gcd(common_[term.extents], term.coefficient);
      if (term.varies)
        weight_[term.extents] += offset.access->kind == model::AccessKind::read ? 1 : 100;
    }
}

/// Which multiples of a product of extents may be strides.
std::set<long> Chooser::numbers_of(const Monomial& product) const {
  if (!product.empty()) return {std::max(1L, common_.at(product))};
  std::set<long> numbers;
  for (const Offset& offset : offsets_)
    for (const Term& term : offset.terms)
      if (term.varies && term.extents.empty() && !offset.is_data && std::labs(term.coefficient) > 1)
        numbers.insert(std::labs(term.coefficient));
  return numbers;
}

/// In some offset, do all axes and loops that step by this stride step by a shorter one, too
/// (16*blockIdx.x + threadIdx.x)?
bool Chooser::repeats_axis(const Stride& stride) const {
  for (const Offset& offset : offsets_) {
    std::set<std::string> here, shorter;
    for (const Term& term : offset.terms) {
      if (!term.varies) continue;
      bool same = term.extents == stride.product;
      if (same && std::labs(term.coefficient) == stride.number)
        here.insert(axis_of(term, symbols_));
      bool less = (same && std::labs(term.coefficient) < stride.number) ||
                  (!same && quotient(stride.product, term.extents));
      if (less) shorter.insert(axis_of(term, symbols_));
    }
    if (!here.empty() && std::ranges::includes(shorter, here)) return true;
  }
  return false;
}

/// Those that divide one another, longest first, and 1.
Strides Chooser::chain(Strides strides) const {
  auto weight = [&](const Monomial& product) {
    auto found = weight_.find(product);
    return found == weight_.end() ? 0 : found->second;
  };
  std::ranges::sort(strides, [&](const Stride& a, const Stride& b) {
    return std::tuple(a.product.size(), weight(a.product), a.number) >
           std::tuple(b.product.size(), weight(b.product), b.number);
  });
  Strides result;
  for (const Stride& stride : strides)
    if (result.empty() || (divides(stride, result.back()) && !(stride == result.back())))
      result.push_back(stride);
  result.push_back({1, {}});
  return result;
}

std::vector<Strides> Chooser::run() {
  weigh();
  Strides all, apart;  // `apart`: no axis steps by a shorter stride as well
  for (const auto& [product, uses] : weight_)
    for (long number : numbers_of(product)) {
      Stride stride{number, product};
      all.push_back(stride);
      if (!repeats_axis(stride)) apart.push_back(stride);
    }
  std::vector<Strides> candidates;
  auto add = [&](const Strides& strides) {
    Strides next = chain(strides);
    if (std::ranges::find(candidates, next) == candidates.end())
      candidates.push_back(std::move(next));
  };
  add(apart);
  add(all);
  // Without one of them, or with one alone.
  constexpr std::size_t few = 4;
  for (std::size_t i = 0; i < all.size() && all.size() <= few; ++i) {
    Strides fewer = all;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    add(fewer);
    add({all[i]});
  }
  add({});
  return candidates;
}

}  // namespace

bool is_launch_parameter(const std::string& name) {
  return name.starts_with("gridDim_") || name.starts_with("blockDim_");
}

std::optional<Monomial> quotient(const Monomial& a, const Monomial& b) {
  if (!std::ranges::includes(a, b)) return std::nullopt;
  Monomial result;
  std::ranges::set_difference(a, b, std::back_inserter(result));
  return result;
}

std::vector<Term> terms_of(const isl::aff& value, const Symbols& symbols) {
  std::vector<Term> terms;
  int count = isl_aff_dim(value.get(), isl_dim_param);
  for (int i = 0; i < count; ++i) {
    isl::val coefficient = isl::manage(isl_aff_get_coefficient_val(value.get(), isl_dim_param, i));
    if (coefficient.is_zero() || !coefficient.is_int()) continue;
    Term term;
    term.symbol = isl_aff_get_dim_name(value.get(), isl_dim_param, static_cast<unsigned>(i));
    term.coefficient = coefficient.num_si();
    term.varies = !symbols.is_parameter(term.symbol);
    for (const std::string& atom : symbols[term.symbol].monomial)
      (symbols.is_parameter(atom) && !is_launch_parameter(atom) ? term.extents : term.rest)
          .push_back(atom);
    terms.push_back(std::move(term));
  }
  return terms;
}

std::vector<Strides> candidate_strides(const std::vector<Offset>& offsets, const Symbols& symbols) {
  return Chooser(offsets, symbols).run();
}

bool shares_axis(const Offset& offset, const Stride& stride, const Symbols& symbols) {
  std::set<std::string> outer, inner;
  for (const Term& term : offset.terms) {
    bool is_outer = quotient(term.extents, stride.product) && term.coefficient % stride.number == 0;
    for (const std::string& atom : term.rest)
      if (atom.starts_with("blockIdx_") || atom.starts_with("threadIdx_"))
        (is_outer ? outer : inner).insert(axis_of(atom, symbols));
  }
  return std::ranges::any_of(outer, [&](auto& axis) { return inner.contains(axis); });
}

unsigned mixed_strides(const std::vector<isl::aff>& subscripts, const Symbols& symbols) {
  unsigned count = 0;
  for (const isl::aff& subscript : subscripts) {
    std::optional<Linear> terms = linear(subscript);
    if (!terms) continue;
    std::map<std::string, std::set<std::string>> steps;  // of each axis or loop
    for (const auto& [name, coefficient] : terms->terms) {
      if (symbols.is_parameter(name)) continue;
      for (const std::string& atom : symbols[name].monomial)
        if (std::string axis = axis_of(atom, symbols); !axis.empty())
          steps[axis].insert(text_of(coefficient.abs()));
    }
    std::set<std::set<std::string>> different;
    for (const auto& [axis, distances] : steps) different.insert(distances);
    if (different.size() > 1) ++count;
  }
  return count;
}

}  // namespace gridspan::analysis
