// What the compiler does to one kernel, as far as a search may choose it (gridcc --tune).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::codegen {

/// None of them changes a kernel's results, but for math functions (CompiledKernel::math). 0: the
/// compiler's own choice.
struct KernelSettings {
  unsigned vector_bits = 0;               // of a vector, at most
  unsigned rows = 0;                      // of threads that go together, at most; 1: each alone
  unsigned joined_width = 0;              // threads in a row of neighbouring blocks that run as one
  unsigned joined_height = 0;             // rows of them
  std::vector<std::string> without = {};  // of optional_stages()
  friend bool operator==(const KernelSettings&, const KernelSettings&) = default;
};

/// A setting that is a number.
struct Knob {
  std::string_view name;
  unsigned KernelSettings::* value;
  unsigned least, most;
  std::string_view before, after;  // the number, in words
};
std::span<const Knob> knobs();

/// "vectors of 256 bits, without prefetches"; empty: all as the compiler chooses.
std::string describe(const KernelSettings& settings);

/// What a search found for a kernel.
struct TunedKernel {
  std::string kernel;  // mangled
  std::string source;  // its unit's file, without folders; "": any
  std::string code;    // CompiledKernel::code it is good for; "": any
  std::string cpu;     // whose vectors it is about: abi::cpu_name, "" for baseline
  KernelSettings settings;
};

/// What a search wants to know of a kernel.
struct CompiledKernel {
  std::string kernel, source;
  abi::ModuleId module;
  std::string code;  // tells whether the source has changed, or what is compiled into it
  std::string form;  // equal for settings that make no difference
  std::string math;  // CPUs whose vectors call other math functions than single threads
};

}  // namespace gridspan::codegen
