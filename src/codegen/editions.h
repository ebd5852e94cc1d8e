// Code for GPUs before those that a source is mainly compiled for, from what the source is there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#if __CUDA_ARCH__ >= 800` makes a source two (driver/editions.h). Its models are made of the
// later one; the run time plans launches by them on all GPUs. A kernel with another model in the
// earlier one therefore has no code there.
#pragma once

#include "codegen/ptx/ptx.h"
#include "model/kernel.h"

#include <map>
#include <string>
#include <vector>

namespace gridspan::codegen {

/// What clang made of the source with __CUDA_ARCH__ of `level`, for GPUs from there to `below`.
struct SourceEdition {
  std::string bitcode_path;
  unsigned level = 0, below = 0;
};

/// What each kernel accesses, as text without places in the source, by mangled name.
std::map<std::string, std::string> access_texts(std::vector<model::Kernel> kernels);

/// Adds PTX of the edition's kernels, before that of later ones; in `earlier` why kernels have none
/// there. Linear in the editions: each costs a model and code for GPUs.
void add_edition(const SourceEdition& edition, PtxOptions options,
                 const std::map<std::string, std::string>& accesses, const KernelKnowledge& known,
                 PtxCode& code);

}  // namespace gridspan::codegen
