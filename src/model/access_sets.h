// Accesses of one kind to one array, and their footprint.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/part_image.h"

namespace gridspan::model {

/// What kind of set an access belongs to by itself.
SetKind set_kind(const Access& access);

bool is_write(SetKind kind);  // all but reads

/// Fills array.sets; `kinds` says to which set each access belongs.
void make_access_sets(const Kernel& kernel, Instances& instances, PartImages& made, Array& array,
                      std::vector<SetKind> kinds, ProofLimits& limits);

}  // namespace gridspan::model
