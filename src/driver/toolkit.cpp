// The lines of nvcc -v.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/toolkit.h"

#include "driver/command.h"

#include <cstdlib>

namespace gridspan::driver {
namespace {

std::string toolkit_of(const Installation& installation) {
  return installation.library_directory + "/gridspan/toolkit";
}

std::string libraries_of(const Installation& installation) {
  return "\"-L" + toolkit_of(installation) + "/lib64\"";
}

}  // namespace

std::string toolkit_lines(const Invocation& invocation, const Installation& installation,
                          const HostSearch& host) {
  const std::string root = toolkit_of(installation);
  const char* path = std::getenv("PATH");
  const std::string architecture = std::to_string(invocation.architecture().number);
  return "#$ TOP=" + root + "\n#$ NVVMIR_LIBRARY_DIR=" + root +
         "/nvvm/libdevice\n#$ PATH=" + (path != nullptr ? path : "") + "\n#$ INCLUDES=\"-I" + root +
         "/include\"\n#$ LIBRARIES=" + libraries_of(installation) + "\n#$ DEVICE=-arch compute_" +
         architecture + "\n ld " + libraries_of(installation) + " -lcudart" + host.libraries +
         "\n" + host.headers;
}

std::string link_line(const Installation& installation) {
  return "#$ " + to_line({installation.gridcc, {"a.o", "-o", "a.out"}}) + " " +
         libraries_of(installation) + " -lcudart\n";
}

}  // namespace gridspan::driver
