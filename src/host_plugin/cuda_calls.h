// What calls in host code mean to the launches around them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <optional>

namespace gridspan::host_plugin {

/// In the order of how much they keep apart; names as in support/launch_sequences.h.
enum class Effect : std::uint8_t {
  none,
  free,
  event,
  stream,
  query,
  wait,
  host_copy,
  host_function,
  graph,
  call
};

llvm::StringRef to_text(Effect effect);

/// Of a function of CUDA's, or nothing if it is no such.
std::optional<Effect> cuda_effect(llvm::StringRef name);

/// The name without what per-thread default streams append.
llvm::StringRef cuda_name(llvm::StringRef name);

/// A variable that a function of CUDA's writes, and nothing else.
struct CudaResult {
  unsigned argument;
  char type;       // 'p'ointer, 'l'ong, 'i'nt, 'f'loat
  bool is_memory;  // that was allocated
};
llvm::ArrayRef<CudaResult> cuda_results(llvm::StringRef name);

/// Asks what may happen in calls, also in the functions that they call.
class CallEffects {
 public:
  /// `source` is all of the program's module.
  explicit CallEffects(const llvm::Module& source);

  /// `call` may be in a copy of the module.
  Effect of(const llvm::CallBase& call);

 private:
  Effect of(const llvm::Function& function);
  bool is_harmless_library(const llvm::CallBase& call, const llvm::Function& callee) const;

  const llvm::Module& source_;
  llvm::TargetLibraryInfoImpl library_names_;
  llvm::TargetLibraryInfo library_;
  llvm::DenseMap<const llvm::Function*, Effect> known_;
};

}  // namespace gridspan::host_plugin
