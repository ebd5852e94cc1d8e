// Where settings of kernels that a search found are kept: one JSON object a line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     {"gridspan_tune": 1}
//     {"kernel": "_Z4heatPf", "source": "heat.cu", "code": "5e1f...", "cpu": "x86-64-v4",
//      "settings": {"vector_bits": 256, "without": ["joins"]},
//      "microseconds": [12100, 10400]}                                             (one line)
#pragma once

#include "codegen/kernel_settings.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

/// A kernel's settings and what its launches took in all, without and with them.
struct TuneEntry {
  codegen::TunedKernel kernel;
  double default_ms = 0, tuned_ms = 0;
};

std::string to_tune_text(const std::vector<TuneEntry>& entries);

/// The error names file and line. What a newer gridcc may have added is passed over; settings it
/// does not know are errors.
support::Result<std::vector<codegen::TunedKernel>> parse_tune_text(std::string_view text,
                                                                   const std::string& file);

/// `is_required`: that there is no such file is an error.
support::Result<std::vector<codegen::TunedKernel>> read_tune_file(const std::string& file,
                                                                  bool is_required);

}  // namespace gridspan::driver
