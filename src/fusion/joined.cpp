// Joining models.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/joined.h"

#include "fusion/renaming.h"
#include "model/factors.h"
#include "model/proof.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gridspan::fusion {

using model::Array;
using model::Dimension;
using model::Kernel;
using model::Parameter;

namespace {

/// Memory by what names it: an argument's value, or a variable; and the place of the pointer in a
/// struct.
using MemoryName = std::tuple<int, std::string, unsigned>;

bool is_same_but_for_name(const Parameter& one, const Parameter& other) {
  return one.kind == other.kind && one.factors == other.factors &&
         one.expression == other.expression;
}

bool have_one_shape(const Array& one, const Array& other) {
  return one.argument == other.argument && one.element_bytes == other.element_bytes &&
         std::ranges::equal(one.extents, other.extents, [](const auto& a, const auto& b) {
           return static_cast<bool>(a.plain_is_equal(b));
         });
}

class Join {
 public:
  void add(const Launch& launch);
  Joined take() { return std::move(joined_); }

 private:
  void add_parameters(const Launch& launch, NewNames& names);
  void add_dimensions(const Kernel& kernel, NewNames& names);
  void add_arrays(const Launch& launch, const NewNames& names);
  void add_assumptions(const Kernel& kernel, const NewNames& names);
  const Parameter* find_same(const Parameter& parameter, int value, const NewNames& taken) const;
  bool is_same(const Parameter& known, const Parameter& parameter, int value) const;
  std::string free_name(const std::string& name) const;
  std::size_t array_like(Array&& array);
  int memory_of(const Launch& launch, const Array& array);

  Joined joined_;
  unsigned launch_ = 0;
  std::map<std::string, int> values_;  // of parameters that are arguments
  std::map<MemoryName, int> memories_;
};

std::string Join::free_name(const std::string& name) const {
  const Kernel& kernel = joined_.kernel;
  std::string candidate = name;
  for (unsigned i = 2; model::find_parameter(kernel, candidate) != nullptr ||
                       model::find_dimension(kernel, candidate) != nullptr;
       ++i)
    candidate = name + "_" + std::to_string(i);
  return candidate;
}

bool Join::is_same(const Parameter& known, const Parameter& parameter, int value) const {
  using Kind = Parameter::Kind;
  if (known.kind != parameter.kind) return false;
  switch (known.kind) {
    case Kind::grid_dim:
    case Kind::block_dim:
      return known.axis == parameter.axis;
    case Kind::argument:
      return known.offset == parameter.offset && known.bytes == parameter.bytes &&
             values_.at(known.name) == value;
    default:
      return is_same_but_for_name(known, parameter);
  }
}

/// What is known by this already, one of the same name first; its own names must be the joined
/// ones. Two parameters of one launch keep two names, whatever their values are: isl knows no two
/// of one name.
const Parameter* Join::find_same(const Parameter& parameter, int value,
                                 const NewNames& taken) const {
  const Parameter* found = nullptr;
  for (const Parameter& known : joined_.kernel.parameters) {
    if (!is_same(known, parameter, value)) continue;
    if (std::ranges::any_of(taken, [&](const auto& one) { return one.second == known.name; }))
      continue;
    if (known.name == parameter.name) return &known;
    if (found == nullptr) found = &known;
  }
  return found;
}

void Join::add_parameters(const Launch& launch, NewNames& names) {
  Kernel& kernel = joined_.kernel;
  for (const Parameter& original : launch.kernel->parameters) {
    Parameter parameter = renamed(original, launch.kernel->context.ctx(), names);
    const int value =
        parameter.kind == Parameter::Kind::argument ? launch.arguments.at(parameter.argument) : 0;
    if (const Parameter* same = find_same(parameter, value, names)) {
      names[original.name] = same->name;
      continue;
    }
    parameter.name = free_name(original.name);
    names[original.name] = parameter.name;
    if (parameter.kind == Parameter::Kind::argument) values_[parameter.name] = value;
    kernel.parameters.push_back(std::move(parameter));
  }
}

/// Counters of loops have one name too where kernels call them the same: what is asked of two
/// instances of a dimension holds whatever loop each counts. That makes products of them equal.
void Join::add_dimensions(const Kernel& from, NewNames& names) {
  std::vector<Dimension>& known = joined_.kernel.dimensions;
  for (const Dimension& original : from.dimensions) {
    Dimension dimension = renamed(original, names);
    const auto is_taken = [&](const Dimension& one) {
      return std::ranges::any_of(names, [&](const auto& name) { return name.second == one.name; });
    };
    const auto same = std::ranges::find_if(known, [&](const Dimension& one) {
      if (one.kind != dimension.kind || is_taken(one)) return false;
      if (one.kind == Dimension::Kind::loop) return one.name == original.name;
      return one.axis == dimension.axis && one.factor == dimension.factor &&
             one.base == dimension.base;
    });
    if (same != known.end()) {
      names[original.name] = same->name;
      continue;
    }
    dimension.name = free_name(original.name);
    names[original.name] = dimension.name;
    known.push_back(std::move(dimension));
  }
}

int Join::memory_of(const Launch& launch, const Array& array) {
  const int value =
      array.argument < 0 ? 0 : launch.arguments.at(static_cast<unsigned>(array.argument));
  const auto next = static_cast<int>(memories_.size());
  return memories_.emplace(MemoryName{value, array.symbol, array.offset}, next).first->second;
}

/// The joined array of its memory and shape.
std::size_t Join::array_like(Array&& array) {
  std::vector<Array>& arrays = joined_.kernel.arrays;
  const auto found = std::ranges::find_if(
      arrays, [&](const Array& known) { return have_one_shape(known, array); });
  if (found != arrays.end()) return static_cast<std::size_t>(found - arrays.begin());
  arrays.push_back(std::move(array));
  arrays.back().accesses.clear();
  joined_.launch_of.emplace_back();
  joined_.names.emplace_back();
  joined_.pointees.emplace_back();
  return arrays.size() - 1;
}

void Join::add_arrays(const Launch& launch, const NewNames& names) {
  const auto first_assumption = static_cast<unsigned>(joined_.kernel.assumptions.size());
  for (const Array& original : launch.kernel->arrays) {
    if (!model::is_shared_by_blocks(original)) continue;
    Array array = original;
    array.argument = memory_of(launch, original);
    array.symbol.clear();
    array.offset = 0;
    array.sets.clear();
    for (isl::pw_aff& extent : array.extents) extent = renamed(extent, names);
    const std::size_t place = array_like(std::move(array));
    joined_.names[place].emplace(launch_, original.name);
    const auto argument = static_cast<std::size_t>(original.argument);
    if (original.argument >= 0 && argument < launch.pointees.size())
      joined_.pointees[place].emplace(launch_, launch.pointees[argument]);
    for (model::Access access : original.accesses) {
      if (!access.unbounded) access.relation = renamed(access.relation, names);
      for (unsigned& assumption : access.assumptions) assumption += first_assumption;
      joined_.kernel.arrays[place].accesses.push_back(std::move(access));
      joined_.launch_of[place].push_back(launch_);
    }
  }
}

void Join::add_assumptions(const Kernel& kernel, const NewNames& names) {
  for (model::Assumption assumption : kernel.assumptions) {
    if (!assumption.condition.is_null())
      assumption.condition = renamed(assumption.condition, names);
    if (!assumption.domain.is_null()) assumption.domain = renamed(assumption.domain, names);
    if (!assumption.value.is_null()) assumption.value = renamed(assumption.value, names);
    joined_.kernel.assumptions.push_back(std::move(assumption));
  }
}

void Join::add(const Launch& launch) {
  NewNames names;
  Kernel& kernel = joined_.kernel;
  if (launch_ == 0) {
    kernel.name = launch.kernel->name;
    kernel.readable = launch.kernel->readable;
    kernel.where = launch.kernel->where;
  }
  add_parameters(launch, names);
  add_dimensions(*launch.kernel, names);
  const isl::set context = renamed(launch.kernel->context, names);
  kernel.context = launch_ == 0 ? context : kernel.context.intersect(context);
  add_arrays(launch, names);
  add_assumptions(*launch.kernel, names);
  ++launch_;
}

}  // namespace

Joined join(std::span<const Launch> launches) {
  Join join;
  for (const Launch& launch : launches) join.add(launch);
  return join.take();
}

}  // namespace gridspan::fusion
