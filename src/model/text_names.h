// Names of the model's enumerations in its text form, one table each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <optional>
#include <string_view>
#include <utility>

namespace gridspan::model {

template <class Enum>
struct Names;  // `table`: pairs of value and name

template <>
struct Names<Parameter::Kind> {
  using Kind = Parameter::Kind;
  static constexpr std::pair<Kind, const char*> table[] = {
      {Kind::grid_dim, "grid_dim"}, {Kind::block_dim, "block_dim"},
      {Kind::argument, "argument"}, {Kind::product, "product"},
      {Kind::quotient, "quotient"}, {Kind::expression, "expression"}};
};

template <>
struct Names<Dimension::Kind> {
  using Kind = Dimension::Kind;
  static constexpr std::pair<Kind, const char*> table[] = {{Kind::block, "block"},
                                                           {Kind::thread, "thread"},
                                                           {Kind::loop, "loop"},
                                                           {Kind::product, "product"}};
};

template <>
struct Names<AccessKind> {
  static constexpr std::pair<AccessKind, const char*> table[] = {
      {AccessKind::read, "read"},
      {AccessKind::write, "write"},
      {AccessKind::reduction, "reduction"},
      {AccessKind::atomic, "atomic"}};
};

template <>
struct Names<ReductionOp> {
  using Op = ReductionOp;
  static constexpr std::pair<Op, const char*> table[] = {
      {Op::none, "none"},
      {Op::add, "add"},
      {Op::float_add, "float_add"},
      {Op::min, "min"},
      {Op::unsigned_min, "unsigned_min"},
      {Op::float_min, "float_min"},
      {Op::max, "max"},
      {Op::unsigned_max, "unsigned_max"},
      {Op::float_max, "float_max"},
      {Op::bit_and, "and"},
      {Op::bit_or, "or"},
      {Op::bit_xor, "xor"},
      {Op::increment, "increment"},
      {Op::decrement, "decrement"},
  };
};

template <>
struct Names<AddressSpace> {
  static constexpr std::pair<AddressSpace, const char*> table[] = {
      {AddressSpace::global, "global"},
      {AddressSpace::constant, "constant"},
      {AddressSpace::shared, "shared"}};
};

template <>
struct Names<SetKind> {
  static constexpr std::pair<SetKind, const char*> table[] = {
      {SetKind::read, "read"},           {SetKind::must_write, "must_write"},
      {SetKind::may_write, "may_write"}, {SetKind::write_same, "write_same"},
      {SetKind::reduction, "reduction"}, {SetKind::atomic, "atomic"}};
};

template <>
struct Names<Assumption::Kind> {
  using Kind = Assumption::Kind;
  static constexpr std::pair<Kind, const char*> table[] = {{Kind::holds, "holds"},
                                                           {Kind::in_range, "in_range"}};
};

template <>
struct Names<Obstacle> {
  using O = Obstacle;
  static constexpr std::pair<O, const char*> table[] = {
      {O::loaded_pointer, "loaded_pointer"},
      {O::unknown_pointer, "unknown_pointer"},
      {O::printf, "printf"},
      {O::device_malloc, "device_malloc"},
      {O::grid_barrier, "grid_barrier"},
      {O::clock, "clock"},
      {O::call, "call"},
      {O::fence, "fence"},
      {O::volatile_access, "volatile_access"},
      {O::atomic_result, "atomic_result"},
      {O::trap, "trap"},
      {O::assembly, "assembly"},
      {O::too_complex, "too_complex"},
      {O::pointer_value, "pointer_value"},
  };
};

template <>
struct Names<Rung> {
  static constexpr std::pair<Rung, const char*> table[] = {{Rung::exact, "exact"},
                                                           {Rung::may_write, "may_write"},
                                                           {Rung::reduction, "reduction"},
                                                           {Rung::scattered, "scattered"},
                                                           {Rung::one_device, "one_device"}};
};

/// The name in the table; every value has one.
template <class Enum>
constexpr const char* name_of(Enum value) {
  for (const auto& [candidate, name] : Names<Enum>::table)
    if (candidate == value) return name;
  return "";
}

template <class Enum>
constexpr std::optional<Enum> value_of(std::string_view name) {
  for (const auto& [value, candidate] : Names<Enum>::table)
    if (name == candidate) return value;
  return std::nullopt;
}

inline constexpr const char* axis_names[3] = {"x", "y", "z"};

}  // namespace gridspan::model
