// A kernel's card.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/html_kernel.h"

#include "tools/phrases.h"
#include "tools/remarks.h"
#include "tools/svg.h"

#include <algorithm>

namespace gridspan::tools {
namespace {

using model::Array;
using model::Kernel;

std::string element(const char* tag, const std::string& content) {
  return "<" + std::string(tag) + ">" + content + "</" + tag + ">";
}

std::string code(const std::string& text) { return element("code", escaped(text)); }

std::string triple(const std::array<long, 3>& values) {
  std::size_t count = values[2] > 1 ? 3 : values[1] > 1 ? 2 : 1;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i ? " × " : "") + std::to_string(values[i]);
  return text;
}

std::string joined(const std::vector<long>& sizes) {
  std::string text;
  for (long size : sizes) text += "[" + std::to_string(size) + "]";
  return text;
}

std::string sample_text(const Kernel& kernel, const Sample& sample) {
  std::string text = "drawn for " + triple(sample.grid) + " blocks of " + triple(sample.block) +
                     (sample.block == std::array<long, 3>{1, 1, 1} ? " thread" : " threads");
  for (const model::Parameter& parameter : kernel.parameters)
    if (parameter.kind == model::Parameter::Kind::argument)
      text +=
          ", " + escaped(parameter.name) + " = " + std::to_string(sample.values.at(parameter.name));
  return text;
}

std::string grid_figure(const Kernel& kernel, const Sample& sample) {
  std::string axis(1, "xyz"[sample.axis]);
  std::string how = can_be_split(kernel, sample.axis) && can_be_split(kernel)
                        ? "4 parts along " + axis
                        : "as if cut along " + axis;
  return "<figure><figcaption><code>grid</code> <span class=\"soft\">" + how +
         "</span></figcaption>" + grid_svg(sample) + "</figure>\n";
}

std::string picture_figure(const Array& array, const ArrayPictures& pictures,
                           const Picture& picture) {
  std::string caption = code(array.name) + " <span class=\"soft\">who " + escaped(picture.verb) +
                        (picture.unbounded ? "" : " " + joined(pictures.sizes)) +
                        (pictures.is_cut ? ", cut off" : "") + "</span>";
  std::string body;
  if (picture.unbounded) {
    body = "<div class=\"any\">may be any element</div>";
  } else if (picture.planes.empty()) {
    body = "<div class=\"any\">more than three subscripts: not drawn</div>";
  } else {
    body = "<div class=\"planes\">";
    for (const Plane& plane : picture.planes)
      body += "<div>" + plane_svg(plane, picture) +
              (plane.label.empty() ? "" : "<span class=\"soft\">" + plane.label + "</span>") +
              "</div>";
    body += "</div>";
  }
  return "<figure><figcaption>" + caption + "</figcaption>" + body + "</figure>\n";
}

std::string legend(bool has_shared, bool has_conflict) {
  std::string text = "<p class=\"legend\">";
  for (int i = 0; i < 4; ++i)
    text += "<span>" + swatch_svg(static_cast<Parts>(1u << i), false) + " part " +
            std::to_string(i) + "</span>";
  if (has_shared)
    text += "<span>" + swatch_svg(3, false) + " needed by two parts (halo)</span><span>" +
            swatch_svg(7, false) + " by more</span>";
  if (has_conflict) text += "<span>" + swatch_svg(3, true) + " written by several parts</span>";
  return text + "</p>\n";
}

bool has_several(const Picture& picture) {
  for (const Plane& plane : picture.planes)
    for (Parts parts : plane.cells)
      if (parts & (parts - 1)) return true;
  return false;
}

std::string draw_pictures(const Kernel& kernel) {
  auto sample = choose_sample(kernel);
  if (!sample) return "";
  std::string figures = grid_figure(kernel, *sample);
  bool has_shared = false, has_conflict = false;
  for (const Array& array : kernel.arrays) {
    if (array.sets.empty()) continue;
    ArrayPictures drawn = draw_array(kernel, array, *sample);
    for (const Picture& picture : drawn.pictures) {
      figures += picture_figure(array, drawn, picture);
      bool is_conflict = picture.is_update && !picture.is_combined;
      (is_conflict ? has_conflict : has_shared) |= has_several(picture);
    }
  }
  return "<h3>Pictures</h3>\n<p class=\"soft\">" + sample_text(kernel, *sample) +
         "</p>\n<div class=\"pictures\">\n" + figures + "</div>\n" +
         legend(has_shared, has_conflict);
}

/// None where the relations are too complicated to evaluate.
std::string pictures(const Kernel& kernel) {
  try {
    return draw_pictures(kernel);
  } catch (const isl::exception&) {
    return "";
  }
}

std::string row(const std::string& first, const std::string& second, const char* style = "") {
  std::string attribute = *style ? " class=\"" + std::string(style) + "\"" : "";
  return "<tr><td>" + first + "</td><td" + attribute + ">" + second + "</td></tr>\n";
}

std::string arrays(const Kernel& kernel, const Notation& notation) {
  std::string rows, plain;
  for (const Array& array : kernel.arrays) {
    if (array.sets.empty()) continue;
    std::string from = origin(array),
                name = (from.empty() ? "" : from + " ") + shape(array, notation);
    for (const model::AccessSet& set : array.sets)
      for (const SetText& text : set_texts(set, array, kernel, notation)) {
        plain += text.ranges + " " + text.notes + " ";
        std::string notes = text.notes + (text.notes.empty() ? "" : " ") + lines_text(text.where);
        rows += row(code(name), escaped(text.verb) + " " + code(text.ranges) +
                                    " <span class=\"soft\">" + escaped(notes) + "</span>");
        name.clear();
      }
  }
  if (rows.empty()) return "";
  std::string legend;
  for (const std::string& entry : notation.legend(plain))
    legend += (legend.empty() ? "with " : ", ") + entry;
  return "<h3>One block</h3>\n" +
         (legend.empty() ? "" : "<p class=\"soft\">" + escaped(legend) + "</p>\n") +
         "<table class=\"facts\">\n" + rows + "</table>\n";
}

std::string axes_html(const Kernel& kernel, const Notation& notation) {
  std::string rows;
  for (int i = 0; i < 3; ++i) {
    AxisText axis = axis_text(kernel, i, notation);
    std::string text = escaped(axis.text + (axis.cost.empty() ? "" : "; " + axis.cost));
    if (kernel.suggested_axis == i && can_be_split(kernel)) text += " <b>← suggested</b>";
    rows += row(std::string("along ") + "xyz"[i], text,
                axis.answer == AxisText::Answer::no ? "no" : "yes");
  }
  return "<h3>Split</h3>\n<table class=\"facts\">\n" + rows + "</table>\n";
}

std::string assumptions(const Kernel& kernel, const Notation& notation) {
  if (kernel.assumptions.empty()) return "";
  std::string rows;
  for (const AssumptionText& text : assumption_texts(kernel, notation))
    rows += row(code(text.text), escaped(lines_text(text.where)));
  return "<h3>Relies on, checked at each launch</h3>\n<table class=\"facts assumptions\">\n" +
         rows + "</table>\n";
}

std::string remark(const SourceRemark& remark, SourceLines& sources) {
  bool is_warning = remark.severity == SourceRemark::Severity::warning;
  std::string place = place_text(remark.where);
  std::string text = "<div class=\"remark" + std::string(is_warning ? " warning" : "") + "\"><p>" +
                     (place.empty() ? "" : code(place) + " ") +
                     (is_warning ? "<b>warning:</b> " : "") + escaped(remark.text) + "</p>";
  if (auto line = sources.line(remark.where)) {
    text += "<pre>" + escaped(*line);
    if (remark.where.column) text += "\n" + caret_blanks(*line, remark.where.column) + "<b>^</b>";
    text += "</pre>";
  }
  if (!remark.hint.empty()) text += "<p class=\"soft\">hint: " + escaped(remark.hint) + "</p>";
  return text + "</div>\n";
}

std::string remarks(const Kernel& kernel, const Notation& notation, SourceLines& sources) {
  std::string text;
  for (const SourceRemark& each : remarks_of(kernel, notation)) text += remark(each, sources);
  return text.empty() ? "" : "<h3>Remarks</h3>\n" + text;
}

std::string relations(const Kernel& kernel) {
  std::string text;
  for (const Array& array : kernel.arrays)
    for (const model::AccessSet& set : array.sets) {
      text += "<b>" + escaped(array.name) + "</b> " + escaped(verb(set)) + "\n";
      for (unsigned index : set.accesses) {
        if (index >= array.accesses.size()) continue;
        const model::Access& access = array.accesses[index];
        if (access.relation.is_null()) continue;
        text += "  " + escaped(place_text(access.where) + "  " + isl_text(access.relation)) + "\n";
      }
      for (const model::FootprintPiece& piece : set.pieces)
        if (!piece.image.is_null()) text += "  part  " + escaped(isl_text(piece.image)) + "\n";
    }
  for (int i = 0; i < 3; ++i)
    if (!kernel.axes[i].legal.is_null())
      text += std::string("<b>") + "xyz"[i] + "</b> can be split in launches\n  " +
              escaped(isl_text(kernel.axes[i].legal)) + "\n";
  if (text.empty()) return "";
  return "<details><summary>Relations, in isl's notation</summary><pre>" + text +
         "</pre></details>\n";
}

}  // namespace

std::string badge(const ExplainedKernel& kernel) {
  if (!kernel.model) return "<span class=\"badge warn\">no model</span>";
  if (!can_be_split(*kernel.model)) return "<span class=\"badge bad\">one device</span>";
  std::string names;
  if (kernel.model->rung == model::Rung::scattered)
    return "<span class=\"badge warn\">splits with writes tracked</span>";
  for (int i = 0; i < 3; ++i)
    if (can_be_split(*kernel.model, i))
      names += (names.empty() ? "" : ", ") + std::string(1, "xyz"[i]);
  if (names.empty()) return "<span class=\"badge good\">splits</span>";
  return "<span class=\"badge good\">splits along " + names + "</span>";
}

std::string kernel_card(const ExplainedKernel& kernel, int number, SourceLines& sources) {
  std::string text = "<section class=\"card\" id=\"k" + std::to_string(number) + "\">\n<h2>" +
                     escaped(signature(kernel)) + "</h2>\n<p class=\"soft\">" +
                     escaped(place_text(place_of(kernel))) + "</p>\n" + badge(kernel) + "\n";
  if (kernel.model) text += element("p", escaped(model::rung_text(kernel.model->rung))) + "\n";
  if (kernel.model && !kernel.model->rung_reason.empty())
    text += element("p", "why: " + escaped(kernel.model->rung_reason)) + "\n";
  if (kernel.cpu)
    for (const std::string& line : support::said_of(*kernel.cpu))
      text += "<p class=\"soft\">" + escaped(line) + "</p>\n";
  if (kernel.model) {
    const Kernel& model = *kernel.model;
    Notation notation(model);
    text += pictures(model) + arrays(model, notation) + axes_html(model, notation) +
            assumptions(model, notation) + remarks(model, notation, sources) + relations(model);
  }
  return text + "</section>\n";
}

}  // namespace gridspan::tools
