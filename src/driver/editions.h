// Sources for which several architectures are named: which of these need code of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     named:                                     sm_75   sm_80   sm_86   sm_90
//     the source compares __CUDA_ARCH__ with 800:    │      └───────┴───────┘
//                                                edition          edition
//
// Code for CPUs, models and the code of the last edition are made of what clang makes for the
// highest architecture. GPUs before the last edition's get code of their own: clang runs once more
// for each such edition, with its lowest architecture. Sources that never look at __CUDA_ARCH__
// have one edition, and code for its lowest architecture on.
#pragma once

#include "driver/plan.h"

#include <string_view>
#include <vector>

namespace gridspan::driver {

/// Architectures for which the source is one, ascending.
using Levels = std::vector<unsigned>;

/// `levels`, ascending and not empty, in as many as the source is different for, by what the
/// plug-in says of a pass for one of them (clang_plugin/architecture_use.h). Two that are in one
/// part with that one are alike; of others more is known after a pass for one of them.
std::vector<Levels> parts_of(const Levels& levels, std::string_view note);

/// Without those for GPUs that no PTX is made for.
Levels with_code(Levels levels);

/// For clang's pass of an edition that is not the last, which has files of its own.
CudaUnit unit_of(const CudaUnit& unit, const codegen::SourceEdition& edition);

codegen::SourceEdition edition_for(const CudaUnit& unit, unsigned level);

/// What is compiled after clang, and how -v shows it. `last`: the lowest level that is as the
/// highest; `others` are for GPUs before it.
void use_editions(CudaUnit& unit, unsigned last, std::vector<codegen::SourceEdition> others);

}  // namespace gridspan::driver
