// Work in isl made of steps, each with a limit of operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/isl.h"

namespace gridspan::model {

/// How many operations isl has done in this context, give or take a few. `sofar`: the answer when
/// last asked.
unsigned long operations_done(isl::ctx context, unsigned long sofar = 0);

/// A step may consist of steps, and has a limit for what it does beside these: it is the step that
/// takes too long that is given up, not all that wait for it. No step gets all that a limit around
/// all of them leaves. (`within_limit`: model/isl.h.)
class Steps {
 public:
  Steps(isl::ctx context, unsigned long operations) : context_(context), own_(operations) {}

  /// False when `work` reached the limit of its step. A limit set around all steps, or within one,
  /// ends all steps in it: isl::exception is thrown.
  bool run(const std::function<void()>& work);

 private:
  unsigned long limit_from(unsigned long begin) const;

  isl::ctx context_;
  unsigned long own_;
  unsigned long sofar_ = 0;  // operations done, when last looked at
  unsigned long limit_ = 0;  // of the innermost step at work; 0: none is
  unsigned long end_ = 0;    // where the limit around that step is; 0: nowhere
};

}  // namespace gridspan::model
