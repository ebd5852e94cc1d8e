// Words for what a model says, shared by the text and the HTML report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/box_text.h"
#include "tools/explained.h"

#include <string>
#include <vector>

namespace gridspan::tools {

using support::counted;

/// "hotspot(int rows, const float* in)", or the demangled name when types are not known.
std::string signature(const ExplainedKernel& kernel);

model::SourcePoint place_of(const ExplainedKernel& kernel);

/// "float in[?][cols]".
std::string shape(const model::Array& array, const Notation& notation);

/// "a scalar argument's pointer", the like: what the array is, when it is not an argument:
/// "__device__ symbol".
std::string origin(const model::Array& array);

/// "reads", "may write", "adds to", ...
std::string verb(const model::AccessSet& set);

/// What one block does to the array, one line for each box: "reads [x-1 .. x+8]   inside [0 ..
/// n-1]".
struct SetText {
  std::string verb;
  std::string ranges;                     // with the array's name
  std::string notes;                      // "inside [0 .. n-1]", "at most", "for each k in ..."
  std::vector<model::SourcePoint> where;  // of its accesses, sorted, no two the same
};
std::vector<SetText> set_texts(const model::AccessSet& set, const model::Array& array,
                               const model::Kernel& kernel, const Notation& notation);

/// "(line 7)", "(lines 7, 9)".
std::string lines_text(const std::vector<model::SourcePoint>& where);

/// "yes", "yes, if gridDim.y == 1", "no: every block writes sum[0]".
struct AxisText {
  enum class Answer { yes, sometimes, no };
  Answer answer = Answer::no;
  std::string text;
  std::string cost;  // "two parts share 8*cols bytes (in)"; empty if not known
};
AxisText axis_text(const model::Kernel& kernel, int axis, const Notation& notation);

/// What the kernel relies on; conditions that say the same in different places are one. Long ones
/// are shortened: the JSON has them in full.
struct AssumptionText {
  std::string text;
  std::vector<model::SourcePoint> where;
};
std::vector<AssumptionText> assumption_texts(const model::Kernel& kernel, const Notation& notation);

/// isl's own text.
std::string isl_text(const isl::set& set);
std::string isl_text(const isl::map& map);

}  // namespace gridspan::tools
