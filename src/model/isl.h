// isl for the rest of Gridspan: the one place that includes it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian's libLLVM exports Polly's copy of isl; libisl.a is linked before it and hidden
// (cmake/GridspanIsl.cmake), and `check_isl_version` aborts if the wrong one was bound.
//
// isl::exception is thrown on errors and when the operation limit is reached; `Limited` turns the
// latter into a value.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <stdio.h>
#include <stdlib.h>

// Hidden declarations: a link that would bind them to a shared library's copy fails.
#pragma GCC visibility push(hidden)
#include <isl/constraint.h>
#include <isl/cpp.h>
#include <isl/version.h>
#pragma GCC visibility pop

namespace gridspan::model {

/// A context of its own, set up so that errors throw and print nothing. Values must die before it.
class IslContext {
 public:
  IslContext();
  ~IslContext();
  IslContext(const IslContext&) = delete;
  IslContext& operator=(const IslContext&) = delete;
  isl::ctx get() const { return isl::ctx(context_); }

 private:
  isl_ctx* context_;
};

/// Aborts with a message when calls to isl reach another library's copy. Every IslContext checks.
void check_isl_version();

/// An isl value that may be null, for members of structs: the bindings' own values throw when a
/// null one is copied, and moving is copying. Copying an OrNull into a plain value still throws on
/// null.
template <class Value>
class OrNull : public Value {
 public:
  OrNull() = default;
  OrNull(const Value& value) : Value() {
    if (!value.is_null()) Value::operator=(value);
  }
  OrNull(const OrNull& other) : Value() { *this = other; }
  OrNull(OrNull&& other) noexcept : Value() { std::swap(this->ptr, other.ptr); }
  OrNull& operator=(OrNull&& other) noexcept {
    std::swap(this->ptr, other.ptr);
    return *this;
  }
  OrNull& operator=(const OrNull& other) {
    OrNull copy;
    if (!other.is_null()) static_cast<Value&>(copy) = other;
    std::swap(this->ptr, copy.ptr);
    return *this;
  }
};

/// Runs `work` under a limit of isl operations. False when the limit was reached; the caller then
/// uses something coarser. Limits nest: the tighter one holds. `done`, if given, becomes the number
/// of operations it took, whatever the outcome.
bool within_limit(isl::ctx context, unsigned long operations, const std::function<void()>& work,
                  unsigned long* done = nullptr);

/// Named parameters become the last input dimensions of the map / dimensions of the set, in the
/// order given; names that do not occur become unconstrained dimensions.
isl::set parameters_to_dimensions(isl::set params, const std::vector<std::string>& names);

isl::map parameters_to_dimensions(isl::map map, const std::vector<std::string>& names);

/// The range of a map whose named input dimensions became parameters.
isl::set dimensions_to_parameters(isl::map map);

/// Existentially projects the named parameters out; others stay.
isl::set project_out_parameters(isl::set set, const std::vector<std::string>& names);

/// Names of the parameters that really occur in constraints.
std::vector<std::string> involved_parameters(const isl::set& set);
std::vector<std::string> involved_parameters(const isl::pw_aff& value);

/// Neither yes nor no where a limit was reached: then it throws.
bool is_true(isl::ctx context, isl_bool answer);

/// Shows `visit` the constraints of `set`, one after the other; each is freed afterwards. What
/// `visit` throws ends the loop and comes out here: C code must not be left by an exception. Throws
/// as well where a limit kept isl from telling all.
void for_each_constraint(const isl::basic_set& set,
                         const std::function<void(isl_constraint*)>& visit);

/// The parameter `name` as a piecewise affine expression over an empty domain.
isl::pw_aff parameter_value(isl::ctx context, const std::string& name);
isl::pw_aff constant_value(isl::ctx context, long value);

}  // namespace gridspan::model
