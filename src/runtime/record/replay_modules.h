// The recording's modules, found in this process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "runtime/record/log_records.h"
#include "runtime/schedule/command.h"
#include "support/result.h"

#include <cstdint>
#include <vector>

namespace gridspan::runtime::record {

class ReplayModules {
 public:
  /// The next module of the recording: the registered one of the same id, if there is one.
  void add(const ModuleNote& note);

  /// The module's variables are at these addresses from now on; with `initialise`, as they are
  /// before their first use. Errors, here and below: what makes no sense.
  support::Result<void> place(const ImageNote& note, bool initialise);

  struct Kernel {
    const abi::Kernel* kernel;
    SymbolTable symbols;
  };
  support::Result<Kernel> find(const LaunchNote& note) const;

 private:
  struct Module {
    ModuleNote note;
    const abi::Module* module;                  // null: not in this process
    const std::vector<void*>* image = nullptr;  // addresses; kept to the end, commands use them
  };
  std::vector<Module> modules_;  // as the recording numbers them
};

}  // namespace gridspan::runtime::record
