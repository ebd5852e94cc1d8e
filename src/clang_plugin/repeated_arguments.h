// `template <class T> template <class U> void A<T>::f<U>(U x) {…}`
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang_plugin/cures.h"

namespace gridspan::clang_plugin {

/// nvcc takes the template's own parameters behind its name for what they are: nothing new.
std::optional<Edit> without_repeated_arguments(const Complaint& complaint);

}  // namespace gridspan::clang_plugin
