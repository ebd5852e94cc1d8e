// Planes of cells to rectangles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/svg.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gridspan::tools {
namespace {

std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string part_names(Parts parts) {
  std::string names;
  for (int i = 0; i < 8; ++i)
    if (parts >> i & 1) names += (names.empty() ? "" : ", ") + std::to_string(i);
  return (std::popcount(parts) == 1 ? "part " : "parts ") + names;
}

/// Solid for one part, a hatching of two colours for two, a neutral one for more.
std::string fill_of(Parts parts, bool is_conflict) {
  if (is_conflict && std::popcount(parts) > 1) return "url(#conflict)";
  int first = std::countr_zero(parts);
  if (std::popcount(parts) == 1) return "var(--part" + std::to_string(first) + ")";
  int second = std::countr_zero(static_cast<Parts>(parts & (parts - 1)));
  if (std::popcount(parts) == 2)
    return "url(#shared" + std::to_string(first) + std::to_string(second) + ")";
  return "url(#shared)";
}

struct Run {
  long row, column, rows, columns;
  Parts parts;
};

/// Rectangles of equal cells: runs in a row, joined with the same run in the row below.
std::vector<Run> rectangles(const Plane& plane) {
  std::vector<Run> done, open;
  for (long row = 0; row < plane.rows; ++row) {
    std::vector<Run> next;
    for (long column = 0; column < plane.columns;) {
      long end = column;
      Parts parts = plane.at(row, column);
      while (end < plane.columns && plane.at(row, end) == parts) ++end;
      Run run{row, column, 1, end - column, parts};
      auto above = std::find_if(open.begin(), open.end(), [&](const Run& other) {
        return other.column == run.column && other.columns == run.columns &&
               other.parts == run.parts;
      });
      if (above != open.end()) {
        run.row = above->row;
        run.rows = above->rows + 1;
        open.erase(above);
      }
      next.push_back(run);
      column = end;
    }
    done.insert(done.end(), open.begin(), open.end());
    open = std::move(next);
  }
  done.insert(done.end(), open.begin(), open.end());
  std::erase_if(done, [](const Run& run) { return run.parts == 0; });
  return done;
}

std::string range(long first, long count) {
  if (count == 1) return std::to_string(first);
  return std::to_string(first) + " .. " + std::to_string(first + count - 1);
}

std::string open_svg(double width, double height, const std::string& label) {
  return "<svg width=\"" + number(width) + "\" height=\"" + number(height) + "\" viewBox=\"0 0 " +
         number(width) + " " + number(height) + "\" role=\"img\" aria-label=\"" + escaped(label) +
         "\">";
}

std::string rectangle(double x, double y, double width, double height, const std::string& fill,
                      const std::string& title) {
  return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) +
         "\" height=\"" + number(height) + "\" fill=\"" + fill + "\"><title>" + escaped(title) +
         "</title></rect>";
}

struct Cell {
  double width, height;  // pixels
};

/// Square, unless the plane is a strip: then tall enough to see.
Cell cell_of(const Plane& plane) {
  constexpr double area = 288;  // along the longer side, if cells are not too large or small
  long side = std::max(plane.rows, plane.columns);
  double size = std::clamp(std::floor(area / static_cast<double>(side)), 2.5, 16.0);
  Cell cell{size, size};
  if (plane.rows <= 4) cell.height = std::max(size, plane.rows == 1 ? 28.0 : 14.0);
  if (plane.columns <= 4) cell.width = std::max(size, plane.columns == 1 ? 28.0 : 14.0);
  return cell;
}

std::string subscripts(const Plane& plane, const Run& run) {
  if (!plane.is_folded && !plane.is_line)
    return "[" + range(run.row, run.rows) + "][" + range(run.column, run.columns) + "]";
  return "[" +
         range(run.row * plane.columns + run.column, run.columns + (run.rows - 1) * plane.columns) +
         "]";
}

/// Lines between cells, in the colour of the page.
std::string cell_lines(const Cell& cell, long rows, long columns) {
  constexpr double readable = 4;
  if (std::min(cell.width, cell.height) < readable) return "";
  std::string path;
  for (long i = 1; i < columns; ++i)
    path += "M" + number(cell.width * static_cast<double>(i)) + " 0v" +
            number(cell.height * static_cast<double>(rows));
  for (long i = 1; i < rows; ++i)
    path += "M0 " + number(cell.height * static_cast<double>(i)) + "h" +
            number(cell.width * static_cast<double>(columns));
  return "<path class=\"lines\" d=\"" + path + "\"/>";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string plane_svg(const Plane& plane, const Picture& picture) {
  Cell cell = cell_of(plane);
  double width = cell.width * static_cast<double>(plane.columns);
  double height = cell.height * static_cast<double>(plane.rows);
  std::string svg = open_svg(width, height, picture.verb + " " + plane.label);
  svg +=
      "<rect class=\"empty\" width=\"" + number(width) + "\" height=\"" + number(height) + "\"/>";
  bool is_conflict = picture.is_update && !picture.is_combined;
  for (const Run& run : rectangles(plane)) {
    std::string title =
        plane.label + subscripts(plane, run) + ": " + part_names(run.parts) + " " + picture.verb;
    svg += rectangle(
        cell.width * static_cast<double>(run.column), cell.height * static_cast<double>(run.row),
        cell.width * static_cast<double>(run.columns), cell.height * static_cast<double>(run.rows),
        fill_of(run.parts, is_conflict), title);
  }
  return svg + cell_lines(cell, plane.rows, plane.columns) + "</svg>";
}

std::string grid_svg(const Sample& sample) {
  constexpr double gap = 3, margin = 18, slice_gap = 14;
  long across = sample.grid[0], down = sample.grid[1], slices = sample.grid[2];
  double cell = std::clamp(160.0 / static_cast<double>(std::max(across, down)), 12.0, 30.0);
  double width = cell * static_cast<double>(across), height = cell * static_cast<double>(down);
  double total = (width + slice_gap) * static_cast<double>(slices) - slice_gap;
  std::string svg = open_svg(margin + total, margin + height, "grid of blocks");
  svg += "<text x=\"" + number(margin) + "\" y=\"11\">x \xe2\x86\x92</text>";
  if (down > 1) svg += "<text x=\"2\" y=\"" + number(margin + 12) + "\">y</text>";
  for (long z = 0; z < slices; ++z)
    for (long y = 0; y < down; ++y)
      for (long x = 0; x < across; ++x) {
        std::array<long, 3> block{x, y, z};
        Parts parts = 0;
        for (std::size_t i = 0; i < sample.parts.size(); ++i) {
          long at = block[static_cast<std::size_t>(sample.axis)];
          const SamplePart& part = sample.parts[i];
          if (at >= part.first[static_cast<std::size_t>(sample.axis)] &&
              at <= part.last[static_cast<std::size_t>(sample.axis)])
            parts = static_cast<Parts>(1u << i);
        }
        double left = margin + (width + slice_gap) * static_cast<double>(z);
        std::string title = "block (" + std::to_string(x) + ", " + std::to_string(y) + ", " +
                            std::to_string(z) + "): " + part_names(parts);
        svg +=
            rectangle(left + cell * static_cast<double>(x), margin + cell * static_cast<double>(y),
                      cell - gap, cell - gap, fill_of(parts, false), title);
      }
  return svg + "</svg>";
}

std::string svg_patterns() {
  auto pattern = [](const std::string& id, const std::string& back, const std::string& stripe) {
    return "<pattern id=\"" + id +
           "\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
           "patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" fill=\"" +
           back + "\"/><rect width=\"3.5\" height=\"7\" fill=\"" + stripe + "\"/></pattern>";
  };
  auto part = [](int i) { return "var(--part" + std::to_string(i) + ")"; };
  std::string text = "<svg width=\"0\" height=\"0\" class=\"patterns\" aria-hidden=\"true\"><defs>";
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j)
      text += pattern("shared" + std::to_string(i) + std::to_string(j), part(i), part(j));
  text += pattern("shared", "var(--many)", "var(--many-stripe)");
  text += pattern("conflict", "var(--conflict)", "var(--conflict-stripe)");
  return text + "</defs></svg>";
}

std::string swatch_svg(Parts parts, bool is_conflict) {
  return "<svg class=\"swatch\" width=\"16\" height=\"16\" aria-hidden=\"true\"><rect width=\"16\" "
         "height=\"16\" rx=\"3\" fill=\"" +
         fill_of(parts, is_conflict) + "\"/></svg>";
}

}  // namespace gridspan::tools
