// Products of symbols: what isl could not multiply.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/symbols.h"

#include <algorithm>
#include "model/facts.h"

namespace gridspan::analysis {

std::string Symbols::product(Monomial atoms) {
  std::ranges::sort(atoms);
  if (atoms.size() == 1) return atoms[0];
  // An empty name: the limit was reached while it was made.
  if (auto found = products_.find(atoms); found != products_.end() && !found->second.empty())
    return found->second;
  Monomial fixed, varying;
  for (const std::string& atom : atoms) (is_parameter(atom) ? fixed : varying).push_back(atom);
  std::string joined;
  for (const std::string& atom : atoms) joined += (joined.empty() ? "" : "_") + atom;
  std::string& name = products_[atoms];
  if (varying.empty()) {
    if (const model::Parameter* known = model::product_of(kernel_, atoms)) {
      name = known->name;
      if (!symbols_.contains(name))
        add({name, Symbol::Kind::parameter, atoms, nullptr, {}, {}, {}});
      return name;
    }
    model::Parameter parameter;
    parameter.name = fresh(joined);
    parameter.kind = model::Parameter::Kind::product;
    parameter.factors = atoms;
    return name = add_parameter(parameter);
  }
  const Symbol& base = symbols_.at(varying[0]);
  if (varying.size() > 1) {
    const llvm::Loop* scope = nullptr;
    for (const std::string& part : varying)
      if (const llvm::Loop* loop = symbols_.at(part).scope;
          loop && (!scope || scope->contains(loop)))
        scope = loop;
    name = fresh(joined);
    add({name,
         Symbol::Kind::data,
         atoms,
         scope,
         {},
         "the product " + joined + " of two values that vary",
         {}});
    return name;
  }
  std::string factor = product(fixed);
  name = fresh(joined);
  add({name,
       base.kind == Symbol::Kind::dimension ? Symbol::Kind::dimension : Symbol::Kind::data,
       atoms,
       base.scope,
       {},
       "the product " + joined,
       base.where});
  if (base.kind == Symbol::Kind::dimension) {
    model::Dimension dimension;
    dimension.name = name;
    dimension.kind = model::Dimension::Kind::product;
    dimension.factor = factor;
    dimension.base = varying[0];
    kernel_.dimensions.push_back(dimension);
    model::add_bounding_products(kernel_, dimension);
  }
  return name;
}

std::optional<Linear> linear(const isl::aff& value) {
  Linear result{{}, value.constant_val()};
  int divisions = isl_aff_dim(value.get(), isl_dim_div);
  for (int i = 0; i < divisions; ++i)
    if (isl_aff_coefficient_sgn(value.get(), isl_dim_div, i) != 0) return std::nullopt;
  int count = isl_aff_dim(value.get(), isl_dim_param);
  for (int i = 0; i < count; ++i) {
    isl::val coefficient = isl::manage(isl_aff_get_coefficient_val(value.get(), isl_dim_param, i));
    if (coefficient.is_zero()) continue;
    if (!coefficient.is_int()) return std::nullopt;
    result.terms[isl_aff_get_dim_name(value.get(), isl_dim_param, static_cast<unsigned>(i))] =
        coefficient;
  }
  if (!result.constant.is_int()) return std::nullopt;
  return result;
}

std::vector<Piece> pieces(const isl::pw_aff& value) {
  std::vector<Piece> result;
  value.foreach_piece([&](const isl::set& domain, const isl::multi_aff& piece) {
    result.push_back({domain, piece.at(0)});
  });
  return result;
}

isl::pw_aff Symbols::multiply_pieces(const isl::aff& a, const isl::aff& b) {
  auto side = [&](const isl::aff& value, const isl::aff& other) {
    std::optional<Linear> terms = linear(value);
    if (terms) {
      // A sum of parameters times something that varies: name the sum, it may be a row's length.
      bool fixed =
          std::ranges::all_of(terms->terms, [&](auto& t) { return is_parameter(t.first); });
      std::size_t size = terms->terms.size() + (terms->constant.is_zero() ? 0 : 1);
      std::vector<std::string> others = model::involved_parameters(isl::pw_aff(other));
      bool other_varies =
          std::ranges::any_of(others, [&](auto& name) { return !is_parameter(name); });
      if (!(fixed && size > 1 && other_varies)) return *terms;
    } else if (std::optional<Linear> named = linear_with_quotients(value)) {
      return *named;
    }
    return Linear{{{defined(isl::pw_aff(value)), isl::val::one(context_)}},
                  isl::val::zero(context_)};
  };
  auto is_number = [](const isl::aff& value) { return value.is_cst(); };
  if (is_number(a)) return isl::pw_aff(b).scale(a.constant_val());
  if (is_number(b)) return isl::pw_aff(a).scale(b.constant_val());
  Linear left = side(a, b), right = side(b, a);
  left.terms[""] = left.constant;  // the empty name: the factor 1
  right.terms[""] = right.constant;
  isl::pw_aff sum = constant(0);
  for (const auto& [x, p] : left.terms)
    for (const auto& [y, q] : right.terms) {
      isl::val coefficient = p.mul(q);
      if (coefficient.is_zero()) continue;
      Monomial atoms;
      for (const std::string& name : {x, y})
        if (!name.empty()) {
          const Monomial& more = symbols_.at(name).monomial;
          atoms.insert(atoms.end(), more.begin(), more.end());
        }
      isl::pw_aff term = atoms.empty() ? constant(1) : value(product(atoms));
      sum = sum.add(term.scale(coefficient));
    }
  return sum;
}

isl::pw_aff Symbols::multiply(const isl::pw_aff& a, const isl::pw_aff& b) {
  std::vector<Piece> left = pieces(a.coalesce()), right = pieces(b.coalesce());
  bool left_many = left.size() > 1, right_many = right.size() > 1;
  auto is_number = [](const std::vector<Piece>& side) {
    return side.size() == 1 && side[0].value.is_cst();
  };
  if ((left_many && !is_number(right)) || (right_many && !is_number(left))) {
    // Name the side with the cases (a clamped row, say) instead of multiplying them out.
    isl::pw_aff named = value(defined(left_many ? a : b));
    return left_many ? multiply(named, b) : multiply(a, named);
  }
  model::OrNull<isl::pw_aff> sum;
  for (const Piece& x : left)
    for (const Piece& y : right) {
      isl::set domain = x.domain.intersect(y.domain);
      if (domain.is_empty()) continue;
      isl::pw_aff term = multiply_pieces(x.value, y.value).intersect_domain(domain);
      sum = sum.is_null() ? term : sum.union_add(term);
    }
  return sum.is_null() ? constant(0).intersect_domain(isl::set::empty(universe().space())) : sum;
}

}  // namespace gridspan::analysis
