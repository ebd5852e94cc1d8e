// Operation limits of isl.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/limits.h"

#include <algorithm>
#include <string_view>

namespace gridspan::model {
namespace {

// A limit reached deep inside may surface as another error (the parser says "syntax error"). An
// allocation fails once it is reached.
bool limit_reached(isl::ctx context) {
  isl_space* space = isl_space_params_alloc(context.get(), 0);
  const bool reached = space == nullptr;
  isl_space_free(space);
  isl_ctx_reset_error(context.get());
  return reached;
}

// The limit on constraints (`project_out_parameters`), which isl does not count.
bool is_quota(const isl::exception& error) {
  return dynamic_cast<const isl::exception_quota*>(&error) != nullptr;
}

// isl came back with nothing and no word why: what a limit cut short earlier may leave an object
// incomplete, which shows when it is used next.
bool says_nothing(const isl::exception& error) {
  return error.what() == std::string_view("invalid argument");  // no message, no place in isl
}

}  // namespace

// It does not tell them, but whether a limit is reached.
unsigned long operations_done(isl::ctx context, unsigned long sofar) {
  isl_ctx* raw = context.get();
  const unsigned long limit = isl_ctx_get_max_operations(raw);
  const auto reaches = [&](unsigned long operations) {
    isl_ctx_set_max_operations(raw, operations);
    return limit_reached(context);
  };
  constexpr unsigned long precise_enough = 32;  // every look is an operation, too
  unsigned long low = std::max(sofar, 2 * precise_enough) - 2 * precise_enough;
  unsigned long more = 8 * precise_enough, high = low + more;
  for (; reaches(high); more *= 2) {
    low = high;
    high += more;
  }
  while (high - low > precise_enough) {
    const unsigned long middle = low + (high - low) / 2;
    (reaches(middle) ? low : high) = middle;
  }
  isl_ctx_set_max_operations(raw, limit);
  return high;
}

bool within_limit(isl::ctx context, unsigned long operations, const std::function<void()>& work,
                  unsigned long* done) {
  isl_ctx* raw = context.get();
  const unsigned long outer = isl_ctx_get_max_operations(raw);  // 0: none
  const unsigned long begin = operations_done(context);
  isl_ctx_set_max_operations(raw,
                             outer == 0 ? begin + operations : std::min(outer, begin + operations));
  const auto finish = [&] {
    isl_ctx_set_max_operations(raw, outer);
    if (done != nullptr) *done = std::max(operations_done(context, begin), begin) - begin;
  };
  try {
    work();
  } catch (const isl::exception& error) {
    isl_ctx_reset_error(raw);
    const bool reached = is_quota(error) || limit_reached(context) || says_nothing(error);
    finish();
    if (reached) return false;
    throw;
  } catch (...) {
    finish();
    throw;
  }
  finish();
  return true;
}

unsigned long Steps::limit_from(unsigned long begin) const {
  constexpr unsigned long share_for_others = 8;
  if (end_ == 0) return begin + own_;
  const unsigned long rest = std::max(end_, begin) - begin;
  return begin + std::min(own_, rest - rest / share_for_others);
}

bool Steps::run(const std::function<void()>& work) {
  isl_ctx* raw = context_.get();
  const unsigned long given = isl_ctx_get_max_operations(raw);
  const unsigned long outer_limit = limit_, outer_end = end_;
  const bool is_innermost_limit = limit_ != 0 && given == limit_;  // nothing but the step around
  if (!is_innermost_limit) end_ = given;
  const unsigned long begin = sofar_ = operations_done(context_, sofar_);
  limit_ = limit_from(begin);
  isl_ctx_set_max_operations(raw, limit_);
  const auto finish = [&] {
    sofar_ = operations_done(context_, begin);
    isl_ctx_set_max_operations(raw, end_);
    const bool is_over = end_ != 0 && limit_reached(context_);
    limit_ = outer_limit;
    if (is_innermost_limit) limit_ = std::min(limit_ + (sofar_ - begin), end_ == 0 ? -1UL : end_);
    isl_ctx_set_max_operations(raw, is_innermost_limit ? limit_ : given);
    end_ = outer_end;
    return is_over;
  };
  try {
    work();
  } catch (const isl::exception& error) {
    isl_ctx_reset_error(raw);
    const bool reached = is_quota(error) || limit_reached(context_) || says_nothing(error);
    if (finish() || !reached) throw;
    return false;
  } catch (...) {
    finish();
    throw;
  }
  finish();
  return true;
}

}  // namespace gridspan::model
