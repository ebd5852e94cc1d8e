// Symbols, by kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/symbols.h"

#include "model/facts.h"

#include <algorithm>

namespace gridspan::analysis {
namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

std::string identifier(const std::string& hint) {
  static const std::set<std::string> reserved = {
      "mod", "floor", "ceil", "and",   "or",      "not", "exists", "min",   "max", "infty",
      "NaN", "nan",   "true", "false", "implies", "rat", "floord", "ceild", "A"};
  std::string name;
  for (char c : hint) name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "v" + name;
  return reserved.contains(name) ? name + "_" : name;
}

}  // namespace

Symbols::Symbols(model::Kernel& kernel, isl::ctx context) : kernel_(kernel), context_(context) {}

const Symbol& Symbols::add(Symbol symbol) {
  if (symbol.monomial.empty()) symbol.monomial = {symbol.name};
  return symbols_.insert_or_assign(symbol.name, std::move(symbol)).first->second;
}

std::string Symbols::fresh(const std::string& hint) {
  const std::string base = identifier(hint);
  std::string name = base;
  auto taken = [&](const std::string& wanted) {
    return symbols_.contains(wanted) ||
           std::ranges::any_of(kernel_.parameters, [&](auto& p) { return p.name == wanted; });
  };
  for (unsigned& n = numbered_[base]; taken(name); name = base + "_" + std::to_string(n)) ++n;
  return name;
}

isl::set Symbols::universe() const { return isl::set(context_, "{ : }"); }

std::string Symbols::add_parameter(model::Parameter parameter) {
  Symbol symbol{parameter.name, Symbol::Kind::parameter, {}, nullptr, {}, {}, {}};
  if (parameter.kind == model::Parameter::Kind::product)
    for (const std::string& factor : parameter.factors) {
      const Monomial& atoms = symbols_.at(factor).monomial;
      symbol.monomial.insert(symbol.monomial.end(), atoms.begin(), atoms.end());
    }
  std::ranges::sort(symbol.monomial);
  kernel_.parameters.push_back(std::move(parameter));
  return add(std::move(symbol)).name;
}

std::string Symbols::indexed(const char* base, unsigned axis, model::Parameter::Kind kind) {
  std::string name = std::string(base) + "_" + axis_names[axis];
  if (symbols_.contains(name)) return name;
  model::Parameter parameter;
  parameter.name = name;
  parameter.kind = kind;
  parameter.axis = axis;
  return add_parameter(std::move(parameter));
}

std::string Symbols::indexed(const char* base, unsigned axis, model::Dimension::Kind kind) {
  std::string name = std::string(base) + "_" + axis_names[axis];
  if (symbols_.contains(name)) return name;
  model::Dimension dimension;
  dimension.name = name;
  dimension.kind = kind;
  dimension.axis = axis;
  kernel_.dimensions.push_back(dimension);
  return add({name, Symbol::Kind::dimension, {}, nullptr, {}, {}, {}}).name;
}

std::string Symbols::grid_dim(unsigned axis) {
  return indexed("gridDim", axis, model::Parameter::Kind::grid_dim);
}
std::string Symbols::block_dim(unsigned axis) {
  return indexed("blockDim", axis, model::Parameter::Kind::block_dim);
}
std::string Symbols::block_index(unsigned axis) {
  grid_dim(axis);
  return indexed("blockIdx", axis, model::Dimension::Kind::block);
}
std::string Symbols::thread_index(unsigned axis) {
  block_dim(axis);
  return indexed("threadIdx", axis, model::Dimension::Kind::thread);
}

std::string Symbols::argument(unsigned index, unsigned offset, unsigned bytes,
                              const std::string& hint) {
  for (const model::Parameter& parameter : kernel_.parameters)
    if (parameter.kind == model::Parameter::Kind::argument && parameter.argument == index &&
        parameter.offset == offset && parameter.bytes == bytes)
      return parameter.name;
  model::Parameter parameter;
  parameter.name = fresh(hint);
  parameter.kind = model::Parameter::Kind::argument;
  parameter.argument = index;
  parameter.offset = offset;
  parameter.bytes = bytes;
  std::string name = add_parameter(parameter);
  if (bytes < 8) {
    long limit = 1L << (8 * bytes - 1);
    kernel_.context = kernel_.context.intersect(value(name).ge_set(constant(-limit)))
                          .intersect(value(name).lt_set(constant(limit)));
  }
  return name;
}

std::string Symbols::loop_counter(const llvm::Loop* loop, const model::SourcePoint& where) {
  auto [entry, is_new] = counters_.try_emplace(loop);
  if (!is_new) return entry->second;
  model::Dimension dimension;
  dimension.name = entry->second = fresh("k" + std::to_string(counters_.size() - 1));
  dimension.kind = model::Dimension::Kind::loop;
  dimension.where = where;
  kernel_.dimensions.push_back(dimension);
  return add({dimension.name, Symbol::Kind::dimension, {}, loop, {}, {}, {}}).name;
}

std::string Symbols::counter_of(const llvm::Loop* loop) const {
  auto found = counters_.find(loop);
  return found == counters_.end() ? "" : found->second;
}

std::string Symbols::data(const std::string& text, const model::SourcePoint& where,
                          const llvm::Loop* scope) {
  return add({fresh("data"), Symbol::Kind::data, {}, scope, {}, text, where}).name;
}

std::string Symbols::bounded_data(const std::string& text, const model::SourcePoint& where,
                                  const llvm::Loop* scope, const isl::val& minimum,
                                  const isl::val& maximum) {
  std::string name = data(text, where, scope);
  isl::set range = value(name).ge_set(constant(0).add_constant(minimum));
  if (maximum.is_int())
    range = range.intersect(value(name).le_set(constant(0).add_constant(maximum)));
  symbols_.at(name).definition = range;
  return name;
}

void Symbols::define(const isl::pw_aff& symbol, const isl::set& definition) {
  Symbol& known = symbols_.at(model::involved_parameters(symbol).at(0));
  known.definition =
      known.definition.is_null() ? definition : known.definition.intersect(definition);
}

bool Symbols::is_parameter(const std::string& name) const {
  auto found = symbols_.find(name);
  if (found != symbols_.end()) return found->second.kind == Symbol::Kind::parameter;
  return std::ranges::any_of(kernel_.parameters, [&](auto& p) { return p.name == name; });
}

std::string Symbols::defined(const isl::pw_aff& expression) {
  isl::pw_aff shorter = expression.coalesce();
  std::string text = text_of(isl::manage(isl_pw_aff_drop_unused_params(shorter.copy())));
  if (auto found = defined_.find(text); found != defined_.end()) return found->second;
  std::vector<std::string> involved = model::involved_parameters(shorter);
  bool fixed = std::ranges::all_of(involved, [&](auto& name) { return is_parameter(name); });
  std::string name;
  if (fixed) {
    name = this->expression(shorter, text, "e");
  } else {
    const llvm::Loop* scope = nullptr;
    for (const std::string& part : involved)
      if (const llvm::Loop* loop = symbols_.at(part).scope;
          loop && (!scope || scope->contains(loop)))
        scope = loop;
    name = add({fresh("d"), Symbol::Kind::defined, {}, scope, {}, {}, {}}).name;
    symbols_.at(name).definition = shorter.bind(name);
  }
  return defined_[text] = name;
}

std::string Symbols::expression(const isl::pw_aff& value, const std::string& text,
                                const std::string& hint) {
  model::Parameter parameter;
  parameter.name = fresh(hint);
  parameter.kind = model::Parameter::Kind::expression;
  parameter.expression = text;
  add_parameter(parameter);
  kernel_.context = kernel_.context.intersect(value.bind(parameter.name)).coalesce();
  return parameter.name;
}

const model::Dimension* Symbols::product_dimension(const std::string& name) const {
  for (const model::Dimension& dimension : kernel_.dimensions)
    if (dimension.name == name && dimension.kind == model::Dimension::Kind::product)
      return &dimension;
  return nullptr;
}

bool Symbols::is_counter(const std::string& name) const {
  return std::ranges::any_of(kernel_.dimensions, [&](const model::Dimension& dimension) {
    return dimension.name == name && dimension.kind == model::Dimension::Kind::loop;
  });
}

bool Symbols::varies_in(const std::string& name, const llvm::Loop* loop) const {
  auto found = symbols_.find(name);
  return found != symbols_.end() && found->second.scope && loop->contains(found->second.scope);
}

bool Symbols::varies_in(const isl::pw_aff& value, const llvm::Loop* loop) const {
  return std::ranges::any_of(model::involved_parameters(value),
                             [&](auto& name) { return varies_in(name, loop); });
}

isl::set Symbols::with_definitions(isl::set set, const std::vector<std::string>& names) const {
  std::set<std::string> done;
  for (bool more = true; more;) {
    more = false;
    std::vector<std::string> involved = model::involved_parameters(set);
    if (done.empty()) involved.insert(involved.end(), names.begin(), names.end());
    for (const std::string& name : involved) {
      if (!done.insert(name).second) continue;
      auto found = symbols_.find(name);
      if (found == symbols_.end()) continue;
      for (const std::string& atom : found->second.monomial) {  // products: of their factors
        const Symbol& factor = symbols_.at(atom);
        if (factor.definition.is_null() || (atom != name && !done.insert(atom).second)) continue;
        set = set.intersect(factor.definition);
        more = true;
      }
    }
  }
  return below_counts(with_quotients(set));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as isl's own functions take their sets
isl::set Symbols::over_parameters(isl::set set) const {
  std::vector<std::string> others;
  for (const std::string& name : model::involved_parameters(set))
    if (!is_parameter(name)) others.push_back(name);
  return model::project_out_parameters(set, others);
}

std::vector<std::string> Symbols::names_of(Symbol::Kind kind) const {
  std::vector<std::string> names;
  for (const auto& [name, symbol] : symbols_)
    if (symbol.kind == kind) names.push_back(name);
  return names;
}

}  // namespace gridspan::analysis
