// Symbols and their products.
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

std::string Symbols::fresh(const std::string& hint) const {
  std::string base = identifier(hint), name = base;
  auto taken = [&](const std::string& wanted) {
    return symbols_.contains(wanted) ||
           std::ranges::any_of(kernel_.parameters, [&](auto& p) { return p.name == wanted; });
  };
  for (unsigned n = 1; taken(name); ++n) name = base + "_" + std::to_string(n);
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
    model::Parameter parameter;
    parameter.name = name = fresh("e");
    parameter.kind = model::Parameter::Kind::expression;
    parameter.expression = text;
    add_parameter(parameter);
    kernel_.context = kernel_.context.intersect(shorter.bind(name)).coalesce();
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

std::string Symbols::product(Monomial atoms) {
  std::ranges::sort(atoms);
  if (atoms.size() == 1) return atoms[0];
  if (auto found = products_.find(atoms); found != products_.end()) return found->second;
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
  value.foreach_piece(
      [&](isl::set domain, isl::multi_aff piece) { result.push_back({domain, piece.at(0)}); });
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
  return set;
}

isl::set rename_parameter(isl::set set, const std::string& from, const std::string& to) {
  int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, from.c_str());
  if (position < 0) return set;
  isl_ctx* context = isl_set_get_ctx(set.get());
  return isl::manage(isl_set_set_dim_id(set.release(), isl_dim_param,
                                        static_cast<unsigned>(position),
                                        isl_id_alloc(context, to.c_str(), nullptr)));
}

/// Renames what varies in `loop`; definitions of renamed symbols come along.
isl::set Symbols::renamed(isl::set set, const llvm::Loop* loop,
                          std::map<std::string, std::string>& names, bool keep_counter) {
  set = with_definitions(set);
  std::string counter = counter_of(loop);
  for (const std::string& name : model::involved_parameters(set)) {
    if (!varies_in(name, loop)) continue;
    const Symbol& symbol = symbols_.at(name);
    bool of_counter = std::ranges::find(symbol.monomial, counter) != symbol.monomial.end();
    if (keep_counter && of_counter && symbol.kind == Symbol::Kind::dimension) {
      names[name] = fresh(name + "_before");
    } else {
      // A value of another iteration. That there is such a counter is all that is said of it, which
      // is exact; products with a counter are only bounded by it.
      bool exact = symbol.kind == Symbol::Kind::defined ||
                   (symbol.kind == Symbol::Kind::dimension && symbol.monomial.size() == 1);
      names[name] = add({fresh(name + "_of"),
                         exact ? Symbol::Kind::defined : Symbol::Kind::data,
                         {},
                         loop->getParentLoop(),
                         {},
                         symbol.text,
                         symbol.where})
                        .name;
    }
    set = rename_parameter(set, name, names[name]);
  }
  return set;
}

/// The symbol's name in the iteration that leaves. A counter becomes a counter of its own, so that
/// products with it stay dimensions.
std::string Symbols::exit_name(const std::string& name, const llvm::Loop* loop,
                               std::map<std::string, std::string>& names) {
  if (auto known = names.find(name); known != names.end()) return known->second;
  const Symbol symbol = symbols_.at(name);
  std::string result;
  if (symbol.kind == Symbol::Kind::dimension && symbol.monomial.size() > 1) {
    Monomial atoms;
    for (const std::string& atom : symbol.monomial)
      atoms.push_back(varies_in(atom, loop) ? exit_name(atom, loop, names) : atom);
    result = product(atoms);
  } else if (symbol.kind == Symbol::Kind::dimension) {
    model::Dimension dimension;
    dimension.name = result = fresh(name + "_last");
    dimension.kind = model::Dimension::Kind::loop;
    kernel_.dimensions.push_back(dimension);
    add({result, Symbol::Kind::dimension, {}, loop->getParentLoop(), {}, {}, symbol.where});
  } else {
    result = add({fresh(name + "_last"),
                  symbol.kind,
                  {},
                  loop->getParentLoop(),
                  {},
                  symbol.text,
                  symbol.where})
                 .name;
  }
  names[name] = result;
  if (!symbol.definition.is_null() && symbols_.at(result).definition.is_null()) {
    isl::set definition = symbol.definition;
    for (const std::string& part : model::involved_parameters(definition))
      if (varies_in(part, loop))
        definition = analysis::rename_parameter(definition, part, exit_name(part, loop, names));
    symbols_.at(result).definition = definition;
  }
  return result;
}

void Symbols::define_exit(const llvm::Loop* loop, const void* key, const isl::set& exit) {
  std::map<std::string, std::string>& names = exits_[{loop, key}];
  std::string last = exit_name(counter_of(loop), loop, names);
  // Whoever speaks of the last iteration's counter gets to know which that is.
  isl::set when = at_exit(with_definitions(exit), loop, key);
  symbols_.at(last).definition = when;
}

isl::set Symbols::at_exit(isl::set set, const llvm::Loop* loop, const void* key) {
  std::map<std::string, std::string>& names = exits_.at({loop, key});
  for (const std::string& name : model::involved_parameters(set))
    if (varies_in(name, loop))
      set = analysis::rename_parameter(set, name, exit_name(name, loop, names));
  return set;
}

isl::pw_aff Symbols::at_exit(isl::pw_aff value, const llvm::Loop* loop, const void* key) {
  std::map<std::string, std::string>& names = exits_.at({loop, key});
  for (const std::string& name : model::involved_parameters(value)) {
    if (!varies_in(name, loop)) continue;
    int position = isl_pw_aff_find_dim_by_name(value.get(), isl_dim_param, name.c_str());
    isl_id* id = isl_id_alloc(context_.get(), exit_name(name, loop, names).c_str(), nullptr);
    value = isl::manage(
        isl_pw_aff_set_dim_id(value.release(), isl_dim_param, static_cast<unsigned>(position), id));
  }
  return value;
}

isl::set Symbols::in_previous_iteration(const isl::set& set, const llvm::Loop* loop) {
  std::map<std::string, std::string> names;
  isl::set before = renamed(set, loop, names, true);
  std::string counter = counter_of(loop);
  for (const auto& [now, earlier] : names) {
    const Symbol& symbol = symbols_.at(now);
    bool of_counter = symbol.kind == Symbol::Kind::dimension &&
                      std::ranges::find(symbol.monomial, counter) != symbol.monomial.end();
    if (!of_counter) {
      // Data of the iteration before still belong to the loop.
      symbols_.at(earlier).scope = loop;
      continue;
    }
    Monomial step = symbol.monomial;
    step.erase(std::ranges::find(step, counter));
    isl::pw_aff difference = step.empty() ? constant(1) : value(product(step));
    before = before.intersect(value(earlier).eq_set(value(now).sub(difference)));
    before = before.project_out_param(earlier);
  }
  return before;
}

isl::set Symbols::of_some_iteration(const isl::set& set, const llvm::Loop* loop) {
  std::map<std::string, std::string> names;
  return renamed(set, loop, names, false);
}

isl::set tidy(const isl::set& set) { return set.n_basic_set() > 1 ? set.coalesce() : set; }

isl::set Symbols::facts_about(const std::vector<std::string>& names) const {
  std::set<std::string> dimensions;
  for (const std::string& name : names) {
    auto found = symbols_.find(name);
    if (found != symbols_.end() && found->second.kind == Symbol::Kind::dimension)
      dimensions.insert(name);
  }
  std::pair key{std::vector<std::string>(dimensions.begin(), dimensions.end()),
                kernel_.parameters.size()};
  auto found = facts_.find(key);
  if (found == facts_.end())
    found = facts_.emplace(key, model::instance_facts(kernel_, key.first)).first;
  return found->second;
}

/// The largest absolute value of a product parameter, if below 2^62.
std::optional<isl::val> Symbols::largest(const model::Parameter& product) const {
  isl::val most = isl::val::one(context_), threads = most;
  for (const std::string& factor : product.factors)
    for (const model::Parameter& parameter : kernel_.parameters) {
      if (parameter.name != factor) continue;
      switch (parameter.kind) {
        case model::Parameter::Kind::grid_dim:
          most = most.mul(parameter.axis == 0 ? 2147483647L : 65535L);
          break;
        case model::Parameter::Kind::block_dim:
          threads = threads.mul(parameter.axis == 2 ? 64L : 1024L);
          break;
        case model::Parameter::Kind::argument:
          most = most.mul(isl::val(context_, 8L * parameter.bytes - 1).pow2());
          break;
        default:
          return std::nullopt;
      }
    }
  bool distinct =
      std::set(product.factors.begin(), product.factors.end()).size() == product.factors.size();
  if (distinct && threads.gt(1024L)) threads = isl::val(context_, 1024L);  // of one block
  most = most.mul(threads);
  if (most.gt(isl::val(context_, 62L).pow2())) return std::nullopt;
  return most;
}

/// Adds the bounds of products made since the last time.
void Symbols::bound_products() const {
  for (; bounded_ < kernel_.parameters.size(); ++bounded_) {
    const model::Parameter& parameter = kernel_.parameters[bounded_];
    if (parameter.kind != model::Parameter::Kind::product) continue;
    if (std::optional<isl::val> most = largest(parameter))
      kernel_.context = kernel_.context.intersect(
          value(parameter.name)
              .le_set(constant(0).add_constant(*most))
              .intersect(value(parameter.name).ge_set(constant(0).add_constant(most->neg()))));
  }
}

isl::set Symbols::launch_facts(const isl::set& set) const {
  bound_products();
  return model::relevant_context(kernel_, model::involved_parameters(set));
}

/// A launch as programs make them, to tell which of several conditions is the one meant to hold.
/// Arguments are all different and fall or, with a negative `extent`, rise from |extent|.
isl::set Symbols::ordinary_launch(long extent) const {
  const bool is_small = extent > 0 && extent < 1000;
  const long grids[] = {64, 32, 4},
             blocks[] = {is_small ? 16 : 256, is_small ? 8 : 4, is_small ? 2 : 1};
  isl::set point = universe();
  std::map<std::string, long> values;
  for (const model::Parameter& parameter : kernel_.parameters) {
    long number = 1;
    switch (parameter.kind) {
      case model::Parameter::Kind::grid_dim:
        number = grids[parameter.axis];
        break;
      case model::Parameter::Kind::block_dim:
        number = blocks[parameter.axis];
        break;
      case model::Parameter::Kind::argument:
        number =
            parameter.bytes == 1
                ? 1
                : std::max(1L, std::labs(extent) -
                                   extent / 16 * (parameter.argument % 12 + parameter.offset % 7));
        break;
      case model::Parameter::Kind::product:
        for (const std::string& factor : parameter.factors)
          if (__builtin_mul_overflow(number, values[factor], &number)) return universe();
        break;
      case model::Parameter::Kind::expression: {
        isl::pw_aff value(context_, parameter.expression);
        isl::set at = value.bind(parameter.name).intersect(point);
        isl::val only = isl::manage(
            isl_set_plain_get_val_if_fixed(at.get(), isl_dim_param,
                                           static_cast<unsigned>(isl_set_find_dim_by_name(
                                               at.get(), isl_dim_param, parameter.name.c_str()))));
        if (!only.is_int()) return universe();
        number = only.num_si();
        break;
      }
    }
    values[parameter.name] = number;
    point = point.intersect(value(parameter.name).eq_set(constant(number)));
  }
  return point;
}

const Symbols::Samples& Symbols::sample_launches() const {
  constexpr long small = 49, large = 1'000'003;
  if (sampled_ != kernel_.parameters.size()) {
    sampled_ = kernel_.parameters.size();
    samples_.modest = ordinary_launch(small);
    samples_.large = ordinary_launch(large).unite(ordinary_launch(-large));
    samples_.any = samples_.large.unite(samples_.modest);
  }
  return samples_;
}

namespace {

/// Which constraint of a case to negate: one whose negation holds at ordinary launches, rather one
/// about sizes than about the shape of the grid, which programs choose larger than need be.
struct Choice {
  isl::set large, modest, happens;
  model::OrNull<isl::set> best, second;  // either will do
  int rank = 0, second_rank = 0;

  static constexpr int natural = 4;    // at least: holds at large and small launches
  static constexpr int sometimes = 2;  // at least: holds at some of them

  static isl_stat consider(isl_constraint* constraint, void* user) {
    auto& to = *static_cast<Choice*>(user);
    isl::set holds = isl::manage(isl_set_from_basic_set(isl_basic_set_from_constraint(constraint)));
    isl::set negated = holds.complement();
    bool at_large = !negated.intersect(to.large).is_empty();
    bool at_modest = !negated.intersect(to.modest).is_empty();
    if (negated.intersect(to.happens).is_empty()) return isl_stat_ok;
    bool about_sizes = true;
    for (const std::string& name : model::involved_parameters(negated))
      if (name.find("Dim_") != std::string::npos) about_sizes = false;
    int rank = 2 * (at_large + at_modest) + (about_sizes ? 1 : 0);
    if (to.best.is_null() || rank > to.rank) {
      to.second = to.best;
      to.second_rank = to.rank;
      to.best = negated;
      to.rank = rank;
    } else if (to.second.is_null() || rank > to.second_rank) {
      to.second = negated;
      to.second_rank = rank;
    }
    return isl_stat_ok;
  }
};

}  // namespace

Symbols::Avoidance Symbols::avoiding(const isl::set& broken, const isl::set& happens) const {
  isl::set facts = launch_facts(broken);
  const Samples& samples = sample_launches();
  isl::set when = over_parameters(happens);
  // One constraint of each case of `broken`, negated: together they keep out of all cases.
  isl::set simple = universe();
  bool found_all = true, natural = true;
  tidy(broken.gist(facts)).foreach_basic_set([&](isl::basic_set part) {
    if (!found_all) return;
    Choice choice{samples.large, samples.modest, when, {}, {}, 0, 0};
    isl_basic_set_foreach_constraint(part.get(), Choice::consider, &choice);
    natural = natural && choice.rank >= Choice::natural;
    if (choice.best.is_null() || choice.rank < Choice::sometimes) {
      found_all = false;
      return;
    }
    // The more ways out, the fewer launches are refused; but natural ones are enough.
    bool more = choice.rank < Choice::natural && !choice.second.is_null();
    simple = simple.intersect(more ? choice.best.unite(choice.second) : choice.best);
  });
  if (found_all && !simple.intersect(facts).is_empty()) return {tidy(simple), natural};
  isl::set fine = facts.subtract(broken);
  if (fine.is_empty() || fine.intersect(samples.any).is_empty()) return {};
  return {isl::set(fine.coalesce().gist(facts)), false};
}

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
