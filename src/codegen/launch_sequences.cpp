// Reads the file that clang's plug-in has left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/launch_sequences.h"

#include "support/launch_sequences.h"

#include <fstream>
#include <iterator>

namespace gridspan::codegen {

std::string launch_sequences(const std::string& file) {
  if (file.empty()) return {};
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return support::parse_sequences(text) ? text : std::string();
}

}  // namespace gridspan::codegen
