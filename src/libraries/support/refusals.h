// Arguments that a library refuses: GRIDSPAN_LOG=warn names the call, the argument, and what is
// wrong with it. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/support/live_objects.h"

#include <algorithm>
#include <cstdint>

namespace gridspan::libraries {

/// Writes "CALL: argument 'ARGUMENT' WHY" to the log, at level warn, unless `call` is null. Cold:
/// kept out of the way of calls that are right.
[[gnu::cold]] void say_refused(const char* call, const char* argument, const char* why);
/// "is VALUE, less than LEAST UNIT"
[[gnu::cold]] void say_less(const char* call, const char* argument, std::int64_t value,
                            std::int64_t least, const char* unit);
/// "is VALUE, not OTHER as WHERE"
[[gnu::cold]] void say_differs(const char* call, const char* argument, std::int64_t value,
                               std::int64_t other, const char* where);
/// "is VALUE, WHAT"
[[gnu::cold]] void say_unknown(const char* call, const char* argument, std::int64_t value,
                               const char* what);

/// A handle, and the function of the library that it was given to: that function makes one where it
/// passes its handle on. __builtin_FUNCTION is the name alone, unlike std::source_location's.
template <typename Handle>
class Called {
 public:
  Called(Handle handle, const char* call = __builtin_FUNCTION()) : handle_(handle), call_(call) {}
  operator Handle() const { return handle_; }
  Handle operator->() const { return handle_; }
  Handle handle() const { return handle_; }
  const char* call() const { return call_; }

 private:
  Handle handle_;
  const char* call_;
};

/// Checks of a call's arguments, in their order: the first that is wrong decides the status, and is
/// named; without a call (null) none is named. `Self` is the library's class. `Answers` has its
/// Status, of which 0 is success, and those for an `invalid` argument, for `no_handle`, and for
/// what is `unsupported`.
template <typename Self, typename Answers>
class ArgumentCheck {
 public:
  using Status = typename Answers::Status;

  explicit ArgumentCheck(const char* call) : call_(call) {}
  template <typename Handle>
  ArgumentCheck(const char* call, const Handle* handle) : call_(call) {
    live(handle, "handle", Answers::no_handle);
  }

  Self& that(bool holds, const char* argument, Status otherwise = Answers::invalid) {
    return that(holds, argument, otherwise,
                otherwise == Answers::unsupported ? "is not supported" : "is not valid");
  }
  Self& that(bool holds, const char* argument, Status otherwise, const char* why) {
    if (!failed() && !holds) {
      status_ = otherwise;
      say_refused(call_, argument, why);
    }
    return self();
  }
  Self& supported(bool holds, const char* argument) {
    return that(holds, argument, Answers::unsupported);
  }
  /// A pointer that may not be null.
  Self& given(const void* pointer, const char* argument, Status otherwise = Answers::invalid) {
    return that(pointer != nullptr, argument, otherwise, "is null");
  }
  /// A handle or a descriptor.
  template <typename Object>
  Self& live(const Object* object, const char* argument, Status otherwise = Answers::invalid) {
    if (!failed() && !is_live(object)) no_object(object, argument, otherwise);
    return self();
  }
  /// What was to be destroyed is not there.
  Status no_object(const void* object, const char* argument, Status otherwise = Answers::invalid) {
    return refuse(argument, object ? "was destroyed, or never created" : "is null", otherwise);
  }
  Self& at_least(std::int64_t value, std::int64_t least, const char* argument,
                 const char* unit = "") {
    if (!failed() && value < least) {
      status_ = Answers::invalid;
      say_less(call_, argument, value, least, unit);
    }
    return self();
  }
  /// A size.
  Self& size(std::int64_t value, const char* argument) { return at_least(value, 0, argument); }
  /// A leading dimension.
  Self& lead(std::int64_t lead, std::int64_t rows, const char* argument) {
    return at_least(lead, std::max<std::int64_t>(1, rows), argument, rows > 1 ? " rows" : "");
  }
  /// From one element of a vector to the next.
  Self& step(std::int64_t step, const char* argument) {
    return that(step != 0, argument, Answers::invalid, "is 0");
  }
  Self& same(std::int64_t value, std::int64_t other, const char* argument, const char* where) {
    if (!failed() && value != other) {
      status_ = Answers::invalid;
      say_differs(call_, argument, value, other, where);
    }
    return self();
  }
  /// A number that stands for something: is it one that does?
  Self& known(bool holds, std::int64_t value, const char* argument,
              Status otherwise = Answers::invalid, const char* what = "none of its values") {
    if (!failed() && !holds) {
      status_ = otherwise;
      say_unknown(call_, argument, value, what);
    }
    return self();
  }
  Status refuse(const char* argument, const char* why, Status status = Answers::invalid) {
    return that(false, argument, status, why).status();
  }

  bool failed() const { return status_ != Status{}; }
  Status status() const { return status_; }

 private:
  Self& self() { return static_cast<Self&>(*this); }

  const char* call_;
  Status status_{};
};

}  // namespace gridspan::libraries
