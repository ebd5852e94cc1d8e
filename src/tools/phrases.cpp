// Words for what a model says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/phrases.h"

#include "tools/remarks.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <tuple>

namespace gridspan::tools {
namespace {

using model::AccessSet;
using model::Array;
using model::Kernel;
using model::ReductionOp;
using model::SetKind;

std::string take(char* allocated) {
  std::unique_ptr<char, void (*)(void*)> text(allocated, std::free);
  return text ? text.get() : "";
}

/// The name without its argument list: "void k<float>" of "void k<float>(float*, p)".
std::string without_arguments(const std::string& readable) {
  if (readable.empty() || readable.back() != ')') return readable;
  int depth = 0;
  for (std::size_t i = readable.size(); i-- > 0;) {
    if (readable[i] == ')') ++depth;
    if (readable[i] == '(' && --depth == 0) return readable.substr(0, i);
  }
  return readable;
}

const char* verb(ReductionOp op) {
  switch (op) {
    case ReductionOp::none:
      break;
    case ReductionOp::add:
    case ReductionOp::float_add:
      return "adds to";
    case ReductionOp::min:
    case ReductionOp::unsigned_min:
    case ReductionOp::float_min:
      return "takes minima in";
    case ReductionOp::max:
    case ReductionOp::unsigned_max:
    case ReductionOp::float_max:
      return "takes maxima in";
    case ReductionOp::bit_and:
      return "ands into";
    case ReductionOp::bit_or:
      return "ors into";
    case ReductionOp::bit_xor:
      return "xors into";
    case ReductionOp::increment:
    case ReductionOp::decrement:
      return "counts in";
  }
  return "updates";
}

/// Sorted, no two the same.
std::vector<model::SourcePoint> in_order(std::vector<model::SourcePoint> points) {
  auto key = [](const model::SourcePoint& point) {
    return std::tie(point.file, point.line, point.column);
  };
  std::sort(points.begin(), points.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::vector<model::SourcePoint> places(const AccessSet& set, const Array& array) {
  std::vector<model::SourcePoint> points;
  for (unsigned index : set.accesses)
    if (index < array.accesses.size() && array.accesses[index].where.line)
      points.push_back(array.accesses[index].where);
  return in_order(std::move(points));
}

/// Without the formula after the colon where that is too long to read.
std::string shortened(const std::string& text) {
  constexpr std::size_t readable = 100;
  if (text.size() <= readable) return text;
  std::size_t colon = text.find(": ");
  return colon < readable ? text.substr(0, colon) : text.substr(0, readable) + " ...";
}

/// The argument types of a demangled name: "float const*, int" of "k<float>(float const*, int)".
std::vector<std::string> argument_types(const std::string& readable) {
  std::size_t begin = without_arguments(readable).size() + 1;
  std::vector<std::string> types;
  std::string type;
  int depth = 0;
  for (std::size_t i = begin; i + 1 < readable.size(); ++i) {
    char c = readable[i];
    depth += c == '<' || c == '(';
    depth -= c == '>' || c == ')';
    if (c == ',' && depth == 0) {
      types.push_back(std::move(type));
      type.clear();
    } else if (c != ' ' || !type.empty()) {
      type += c;
    }
  }
  if (!type.empty()) types.push_back(type);
  return types;
}

/// As people write it: "const float*" for "float const*".
std::string usual(std::string type) {
  for (std::size_t at; (at = type.find(" *")) != std::string::npos;) type.erase(at, 1);
  std::size_t at = type.find(" const*");
  bool is_simple = at != std::string::npos && type.find('*') == at + 6;
  return is_simple ? "const " + type.substr(0, at) + type.substr(at + 6) : type;
}

/// The condition, or what it depends on if it is too long to read.
std::string condition_text(const isl::set& set, const Notation& notation) {
  constexpr std::size_t readable = 120;
  std::string text = notation.condition(set);
  if (text.size() <= readable && text != "...") return text;
  std::string names;
  for (const std::string& name : model::involved_parameters(set))
    names += (names.empty() ? "" : ", ") + notation.name(name);
  return "a long condition on " + names + " holds (see --isl)";
}

void add_note(std::string& notes, const std::string& note) {
  if (!note.empty()) notes += (notes.empty() ? "" : ", ") + note;
}

}  // namespace

std::string signature(const ExplainedKernel& kernel) {
  if (!kernel.model) return kernel.readable;
  const auto& names = kernel.model->argument_names;
  // The demangled name has the types as in the source, except for what is extern "C".
  std::vector<std::string> types = argument_types(kernel.readable);
  if (types.size() != names.size()) types = kernel.model->argument_types;
  if (types.size() != names.size() || names.empty()) return kernel.readable;
  std::string list;
  for (std::size_t i = 0; i < types.size(); ++i)
    list += (i ? ", " : "") + usual(types[i]) + (names[i].empty() ? "" : " " + names[i]);
  return without_arguments(kernel.readable) + "(" + list + ")";
}

model::SourcePoint place_of(const ExplainedKernel& kernel) {
  if (kernel.model && kernel.model->where.line)
    return {kernel.model->where.file, kernel.model->where.line, 0};
  if (kernel.cpu)
    return {kernel.cpu->text("file"), static_cast<unsigned>(kernel.cpu->number("line")), 0};
  return {};
}

std::string shape(const Array& array, const Notation& notation) {
  std::string text = array.element_type.empty() ? std::to_string(array.element_bytes) + "-byte"
                                                : array.element_type;
  text += " " + array.name + "[?]";
  for (const isl::pw_aff& extent : array.extents) {
    std::string value = notation.value(extent);
    bool is_wrapped = value.size() > 2 && value.front() == '(' && value.back() == ')' &&
                      value.find(')') == value.size() - 1;
    text += "[" + (is_wrapped ? value.substr(1, value.size() - 2) : value) + "]";
  }
  return text;
}

std::string origin(const Array& array) {
  if (array.space == model::AddressSpace::shared) return "__shared__";
  if (array.space == model::AddressSpace::constant) return "__constant__";
  if (!array.symbol.empty()) return "__device__";
  return "";
}

std::string verb(const AccessSet& set) {
  switch (set.kind) {
    case SetKind::read:
      return "reads";
    case SetKind::must_write:
      return "writes";
    case SetKind::may_write:
      return "may write";
    case SetKind::write_same:
      return "writes one value to";
    case SetKind::reduction:
      return verb(set.op);
    case SetKind::atomic:
      return "updates in turn";
  }
  return "touches";
}

std::vector<SetText> set_texts(const AccessSet& set, const Array& array, const Kernel& kernel,
                               const Notation& notation) {
  std::vector<model::SourcePoint> where = places(set, array);
  if (set.unbounded || set.pieces.empty())
    return {{verb(set), array.name + (set.unbounded ? "[any element]" : "[nothing]"), "", where}};
  std::vector<SetText> texts;
  for (const BoxText& box : block_boxes(set, kernel, notation)) {
    SetText text{verb(set), array.name, "", where};
    text.ranges += box.ranges.empty() ? "[see --isl]" : box.ranges;
    add_note(text.notes, box.loops);
    if (!box.inside.empty()) add_note(text.notes, "inside " + box.inside);
    if (!box.is_box && !box.ranges.empty()) add_note(text.notes, "part of this box");
    if (!set.exact_block && set.kind != SetKind::may_write) add_note(text.notes, "at most");
    bool is_known = std::any_of(texts.begin(), texts.end(), [&](const SetText& other) {
      return other.ranges == text.ranges && other.notes == text.notes;
    });
    if (!is_known) texts.push_back(std::move(text));
  }
  if (texts.empty()) texts.push_back({verb(set), array.name + "[nothing]", "", where});
  return texts;
}

std::string lines_text(const std::vector<model::SourcePoint>& where) {
  std::vector<unsigned> lines;
  for (const model::SourcePoint& point : where)
    if (lines.empty() || lines.back() != point.line) lines.push_back(point.line);
  std::string text;
  for (unsigned line : lines) text += (text.empty() ? "" : ", ") + std::to_string(line);
  return text.empty() ? "" : (lines.size() == 1 ? "(line " : "(lines ") + text + ")";
}

AxisText axis_text(const Kernel& kernel, int axis, const Notation& notation) {
  const model::AxisSplit& split = kernel.axes[axis];
  const std::string name(1, "xyz"[axis]);
  AxisText text;
  auto launches = splittable_launches(kernel, axis);
  if (launches.is_null()) {
    bool is_tracked = kernel.rung == model::Rung::scattered && uses_axis(kernel, axis);
    text.text = (is_tracked ? "only with writes tracked: " : "no: ") +
                (!uses_axis(kernel, axis) ? "the kernel does not use blockIdx." + name
                 : split.reason.empty()   ? "blocks may write the same elements"
                                          : notation.spelt(split.reason));
    return text;
  }
  if (!can_be_split(kernel)) {
    text.text = "no: the kernel runs on one device, for the reason above";
    return text;
  }
  std::string count = "gridDim_" + name;
  isl::set several(launches.ctx(), "[" + count + "] -> { : " + count + " >= 2 }");
  if (!notation.context().is_null()) several = several.intersect(notation.context().params());
  bool is_always = several.subtract(launches).is_empty();
  text.answer = is_always ? AxisText::Answer::yes : AxisText::Answer::sometimes;
  text.text = "yes";
  if (!is_always) text.text += ", if " + condition_text(launches.gist_params(several), notation);
  if (split.granularity > 1)
    text.text += ", in steps of " + std::to_string(split.granularity) + " blocks";
  if (split.read_write_overlap)
    text.text += "; blocks race, readers get the values from before the launch";
  if (!split.cost.empty()) text.cost = "two parts share " + notation.spelt(split.cost);
  return text;
}

std::vector<AssumptionText> assumption_texts(const Kernel& kernel, const Notation& notation) {
  std::vector<AssumptionText> texts;
  for (const model::Assumption& assumption : kernel.assumptions) {
    std::string text = shortened(notation.spelt(assumption.text));
    auto found = std::find_if(texts.begin(), texts.end(),
                              [&](const AssumptionText& other) { return other.text == text; });
    if (found == texts.end()) found = texts.insert(texts.end(), {text, {}});
    if (assumption.where.line) found->where.push_back(assumption.where);
  }
  for (AssumptionText& text : texts) text.where = in_order(std::move(text.where));
  return texts;
}

std::string isl_text(const isl::set& set) { return take(isl_set_to_str(set.get())); }
std::string isl_text(const isl::map& map) { return take(isl_map_to_str(map.get())); }

}  // namespace gridspan::tools
