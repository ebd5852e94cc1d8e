// The table of knobs, and their words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/kernel_settings.h"

namespace gridspan::codegen {

std::span<const Knob> knobs() {
  static constexpr Knob all[] = {
      {"vector_bits", &KernelSettings::vector_bits, 128, 512, "vectors of ", " bits"},
      {"rows", &KernelSettings::rows, 1, 8, "rows of threads in groups of at most ", ""},
      {"joined_width", &KernelSettings::joined_width, 32, 65536, "blocks joined to rows of ",
       " threads"},
      {"joined_height", &KernelSettings::joined_height, 1, 65536, "blocks joined to ", " rows"},
  };
  return all;
}

std::string describe(const KernelSettings& settings) {
  std::string text;
  auto add = [&](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
  for (const Knob& knob : knobs())
    if (const unsigned value = settings.*knob.value)
      add(std::string(knob.before) + std::to_string(value) + std::string(knob.after));
  for (const std::string& one : settings.without) add("without " + one);
  return text;
}

}  // namespace gridspan::codegen
