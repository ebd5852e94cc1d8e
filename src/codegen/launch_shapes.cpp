// Reads the file that clang's plug-in has left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/launch_shapes.h"

#include <fstream>

namespace gridspan::codegen {

std::vector<transforms::BlockShape> launch_shapes(const std::string& file,
                                                  const std::string& kernel) {
  std::vector<transforms::BlockShape> shapes;
  if (file.empty()) return shapes;
  std::ifstream lines(file);
  std::string name;
  transforms::BlockShape block;
  while (lines >> name >> block[0] >> block[1] >> block[2])
    if (name == kernel) shapes.push_back(block);
  return shapes;
}

}  // namespace gridspan::codegen
