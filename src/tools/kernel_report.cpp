// The report on one kernel: headline, CPU, arrays, axes, assumptions, remarks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kernel_report.h"

#include "tools/phrases.h"
#include "tools/remarks.h"

#include <algorithm>

namespace gridspan::tools {
namespace {

using model::Array;
using model::Kernel;

class KernelReport {
 public:
  KernelReport(const ExplainedKernel& kernel, const ReportStyle& style, SourceLines& sources)
      : kernel_(kernel), style_(style), sources_(sources), paint_(style.colours) {}

  std::string write() {
    headline();
    if (!kernel_.model) {
      cpu();
      return text_;
    }
    Notation notation(*kernel_.model);
    headline(*kernel_.model);
    cpu();
    arrays(*kernel_.model, notation);
    axes(*kernel_.model, notation);
    assumptions(*kernel_.model, notation);
    for (const SourceRemark& remark : remarks_of(*kernel_.model, notation))
      text_ += "\n" + sources_.show(remark, paint_);
    return text_;
  }

 private:
  void line(std::size_t indent, const std::string& text) {
    text_ += std::string(indent, ' ') + text + "\n";
  }

  void headline() {
    std::string place = place_text(place_of(kernel_));
    line(2, paint_.bold(signature(kernel_)) + (place.empty() ? "" : "  at " + place));
  }

  void headline(const Kernel& kernel) {
    std::string text = model::rung_text(kernel.rung);
    line(4, can_be_split(kernel) ? paint_.good(text) : paint_.bad(text));
    if (!kernel.rung_reason.empty()) line(4, "why: " + kernel.rung_reason);
  }

  void cpu() {
    if (!kernel_.cpu) return;
    for (const std::string& text : support::said_of(*kernel_.cpu)) line(4, text);
  }

  void arrays(const Kernel& kernel, const Notation& notation) {
    std::string body;
    std::swap(body, text_);
    for (const Array& array : kernel.arrays) one_array(array, kernel, notation);
    std::swap(body, text_);
    if (body.empty()) return;
    std::string legend;
    for (const std::string& entry : notation.legend(body))
      legend += (legend.empty() ? ", with " : ", ") + entry;
    text_ += "\n";
    line(4, paint_.name("one block") + legend);
    text_ += body;
  }

  void one_array(const Array& array, const Kernel& kernel, const Notation& notation) {
    if (array.sets.empty()) return;
    std::string from = origin(array);
    line(6, (from.empty() ? "" : from + " ") + shape(array, notation));
    for (const model::AccessSet& set : array.sets) {
      for (const SetText& text : set_texts(set, array, kernel, notation)) set_line(text);
      if (style_.isl) isl_lines(set, array);
    }
  }

  void set_line(const SetText& text) {
    std::string verb = text.verb;
    verb.resize(std::max<std::size_t>(verb.size(), 9), ' ');
    std::string notes = text.notes.empty() ? "" : "  " + text.notes;
    std::string lines = lines_text(text.where);
    line(8, verb + " " + text.ranges + notes + (lines.empty() ? "" : paint_.faint("  " + lines)));
  }

  void isl_lines(const model::AccessSet& set, const Array& array) {
    for (unsigned index : set.accesses) {
      if (index >= array.accesses.size()) continue;
      const model::Access& access = array.accesses[index];
      std::string relation = access.relation.is_null() ? "anything" : isl_text(access.relation);
      std::string place = place_text(access.where);
      line(10, paint_.faint((place.empty() ? "" : place + ": ") + relation));
    }
    for (const model::FootprintPiece& piece : set.pieces)
      if (!piece.image.is_null()) line(10, paint_.faint("part: " + isl_text(piece.image)));
  }

  void axes(const Kernel& kernel, const Notation& notation) {
    text_ += "\n";
    line(4, paint_.name("split"));
    for (int i = 0; i < 3; ++i) {
      AxisText axis = axis_text(kernel, i, notation);
      std::string text = std::string(model_axes[i]) + "  " + axis_colour(axis);
      if (!axis.cost.empty()) text += "; " + axis.cost;
      if (kernel.suggested_axis == i && can_be_split(kernel)) text += paint_.good("  <- suggested");
      line(6, text);
      if (style_.isl && !kernel.axes[i].legal.is_null())
        line(10, paint_.faint(isl_text(kernel.axes[i].legal)));
    }
  }

  std::string axis_colour(const AxisText& axis) const {
    return axis.answer == AxisText::Answer::no ? paint_.bad(axis.text) : paint_.good(axis.text);
  }

  void assumptions(const Kernel& kernel, const Notation& notation) {
    if (kernel.assumptions.empty()) return;
    text_ += "\n";
    line(4, paint_.name("relies on") + ", checked at each launch");
    for (const AssumptionText& text : assumption_texts(kernel, notation))
      line(6, text.text + (text.where.empty() ? "" : paint_.faint("  " + lines_text(text.where))));
  }

  static constexpr const char* model_axes[] = {"x", "y", "z"};

  const ExplainedKernel& kernel_;
  ReportStyle style_;
  SourceLines& sources_;
  Paint paint_;
  std::string text_;
};

}  // namespace

std::string kernel_report(const ExplainedKernel& kernel, const ReportStyle& style,
                          SourceLines& sources) {
  return KernelReport(kernel, style, sources).write();
}

}  // namespace gridspan::tools
