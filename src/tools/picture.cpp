// From footprints to planes of cells.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/picture.h"

#include "tools/phrases.h"

#include <algorithm>

namespace gridspan::tools {
namespace {

using model::AccessSet;
using model::Array;
using model::Kernel;
using model::SetKind;

constexpr std::size_t points_limit = 20'000;
constexpr long side_limit = 128;  // cells drawn along a side
constexpr long line_length = 64;  // cells of a rank-1 array in a row
constexpr long fold_limit = 32;   // rows a rank-1 array may take
constexpr long slices_limit = 4;  // of arrays of rank 3

/// One set's elements, part by part.
struct Touches {
  const AccessSet* set;
  std::vector<std::vector<std::vector<long>>> parts;
};

std::vector<Touches> touches_of(const Kernel& kernel, const Array& array, const Sample& sample) {
  std::vector<Touches> all;
  for (const AccessSet& set : array.sets) {
    Touches touches{&set, {}};
    for (const SamplePart& part : sample.parts)
      touches.parts.push_back(touched(kernel, set, sample, part, points_limit));
    all.push_back(std::move(touches));
  }
  return all;
}

/// Extents as far as the kernel tells them, and what is touched otherwise.
std::vector<long> sizes_of(const Array& array, const std::vector<Touches>& all,
                           const Sample& sample) {
  std::vector<long> sizes(array.rank(), 1);
  for (const Touches& touches : all)
    for (const auto& part : touches.parts)
      for (const auto& element : part)
        for (std::size_t i = 0; i < sizes.size(); ++i)
          sizes[i] = std::max(sizes[i], element[i] + 1);
  for (std::size_t i = 1; i < sizes.size(); ++i)
    if (auto extent = value_at(array.extents[i - 1], sample); extent && *extent > 0)
      sizes[i] = *extent;
  return sizes;
}

/// How an array is looked at: leading subscripts whose extents are constants are one subscript, so
/// that
/// [?][8][cols], the tiles of a matrix, is the matrix again, and so is a short last one.
class View {
 public:
  View(const Array& array, std::vector<long> sizes) : sizes_(std::move(sizes)) {
    starts_.push_back(0);
    for (std::size_t i = 1; i < sizes_.size(); ++i) {
      bool is_last = i + 1 == sizes_.size();
      bool constant = is_constant(array.extents[i - 1]);
      bool joins = is_last ? constant && starts_.size() == 1 && sizes_[i] <= short_row
                           : constant || starts_.size() >= 2;
      if (!joins) starts_.push_back(i);
    }
  }

  std::vector<long> sizes() const {
    std::vector<long> result;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      bool is_start = std::find(starts_.begin(), starts_.end(), i) != starts_.end();
      if (is_start) result.push_back(1);
      result.back() *= sizes_[i];
    }
    return result;
  }

  std::vector<long> operator()(const std::vector<long>& element) const {
    std::vector<long> result;
    for (std::size_t i = 0; i < element.size(); ++i) {
      bool is_start = std::find(starts_.begin(), starts_.end(), i) != starts_.end();
      if (is_start) result.push_back(0);
      result.back() = result.back() * sizes_[i] + element[i];
    }
    return result;
  }

 private:
  static constexpr long short_row = 16;
  static bool is_constant(const isl::pw_aff& extent) {
    isl_size count = isl_pw_aff_dim(extent.get(), isl_dim_param);
    return !isl_pw_aff_involves_dims(extent.get(), isl_dim_param, 0, static_cast<unsigned>(count));
  }
  std::vector<long> sizes_;
  std::vector<std::size_t> starts_;  // first subscript of each subscript of the view
};

/// Planes for an array of these sizes. Subscripts beyond are not drawn.
class Canvas {
 public:
  explicit Canvas(const std::vector<long>& sizes) : rank_(sizes.size()) {
    if (rank_ == 1) {
      fold_ = std::min(sizes[0], sizes[0] > 16 * line_length ? 2 * line_length : line_length);
      add("", std::min((sizes[0] + fold_ - 1) / fold_, fold_limit), fold_);
      planes.back().is_line = true;
      planes.back().is_folded = planes.back().rows > 1;
      length_ = sizes[0];
    } else if (rank_ == 2) {
      add("", std::min(sizes[0], side_limit), std::min(sizes[1], side_limit));
    } else if (rank_ == 3) {
      long count = std::min(sizes[0], slices_limit);
      for (long i = 0; i < count; ++i) {
        slices_.push_back(count > 1 ? i * (sizes[0] - 1) / (count - 1) : 0);
        add("[" + std::to_string(slices_.back()) + "]", std::min(sizes[1], side_limit),
            std::min(sizes[2], side_limit));
      }
    }
  }

  /// False if the element is outside of what is drawn.
  bool mark(const std::vector<long>& element, Parts part) {
    if (rank_ == 1)
      return element[0] < length_ && mark(0, element[0] / fold_, element[0] % fold_, part);
    if (rank_ == 2) return mark(0, element[0], element[1], part);
    if (rank_ != 3) return false;
    auto found = std::find(slices_.begin(), slices_.end(), element[0]);
    if (found == slices_.end()) return true;  // between the slices: left out on purpose
    return mark(static_cast<std::size_t>(found - slices_.begin()), element[1], element[2], part);
  }

  std::vector<Plane> planes;

 private:
  void add(const std::string& label, long rows, long columns) {
    Plane plane{label, rows, columns, false, false, {}};
    plane.cells.resize(static_cast<std::size_t>(rows * columns));
    planes.push_back(std::move(plane));
  }

  bool mark(std::size_t plane, long row, long column, Parts part) {
    Plane& target = planes[plane];
    if (row < 0 || column < 0 || row >= target.rows || column >= target.columns) return false;
    target.at(row, column) = static_cast<Parts>(target.at(row, column) | part);
    return true;
  }

  std::size_t rank_;
  long fold_ = 1, length_ = 0;
  std::vector<long> slices_;
};

}  // namespace

ArrayPictures draw_array(const Kernel& kernel, const Array& array, const Sample& sample) {
  std::vector<Touches> all = touches_of(kernel, array, sample);
  ArrayPictures result;
  View view(array, sizes_of(array, all, sample));
  result.sizes = view.sizes();
  for (const Touches& touches : all) {
    Picture picture;
    picture.verb = verb(*touches.set);
    picture.is_update = touches.set->kind != SetKind::read;
    picture.is_combined =
        touches.set->kind == SetKind::reduction || touches.set->kind == SetKind::write_same;
    bool has_points = std::any_of(touches.parts.begin(), touches.parts.end(),
                                  [](const auto& points) { return !points.empty(); });
    picture.unbounded = touches.set->unbounded || (!has_points && !touches.set->exact_part);
    Canvas canvas(result.sizes);
    for (std::size_t part = 0; part < touches.parts.size(); ++part)
      for (const auto& element : touches.parts[part])
        if (!canvas.mark(view(element), static_cast<Parts>(1u << part))) result.is_cut = true;
    if (!picture.unbounded) picture.planes = std::move(canvas.planes);
    result.pictures.push_back(std::move(picture));
  }
  return result;
}

}  // namespace gridspan::tools
