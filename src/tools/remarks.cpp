// Remarks from a kernel's model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/remarks.h"

#include "tools/hints.h"

#include <algorithm>
#include <tuple>

namespace gridspan::tools {
namespace {

using model::Access;
using model::AccessKind;
using model::Array;
using model::AxisSplit;
using model::Kernel;

/// The block or thread index, or loop counter, that the dimension is or is a multiple of.
const model::Dimension* base_of(const Kernel& kernel, const model::Dimension& dimension) {
  const model::Dimension* base = &dimension;
  for (int depth = 0; base->kind == model::Dimension::Kind::product && depth < 8; ++depth) {
    auto found = std::find_if(kernel.dimensions.begin(), kernel.dimensions.end(),
                              [&](const auto& other) { return other.name == base->base; });
    if (found == kernel.dimensions.end()) return base;
    base = &*found;
  }
  return base;
}

/// Whether some relation or image depends on the dimension.
bool is_shown(const Kernel& kernel, const std::string& dimension) {
  const std::string bound = model::part_first(dimension);
  for (const Array& array : kernel.arrays) {
    for (const Access& access : array.accesses)
      if (!access.relation.is_null() &&
          isl_map_find_dim_by_name(access.relation.get(), isl_dim_in, dimension.c_str()) >= 0)
        return true;
    for (const model::AccessSet& set : array.sets)
      for (const model::FootprintPiece& piece : set.pieces)
        if (isl_set_find_dim_by_name(piece.image.get(), isl_dim_param, bound.c_str()) >= 0)
          return true;
  }
  return false;
}

bool has_unbounded(const Kernel& kernel) {
  for (const Array& array : kernel.arrays)
    for (const Access& access : array.accesses)
      if (access.unbounded) return true;
  return false;
}

const char* verb(const Access& access) {
  switch (access.kind) {
    case AccessKind::read:
      return "read";
    case AccessKind::write:
      return "write";
    case AccessKind::reduction:
    case AccessKind::atomic:
      return "atomic update";
  }
  return "access";
}

/// What follows "read of a".
std::string statement(const Access& access) {
  const char* what = " is known only roughly";
  if (access.unbounded) what = " may go anywhere";
  if (!access.unbounded && access.kind == AccessKind::write) what = " may or may not happen";
  return what + (": " + access.reason);
}

SourceRemark remark_of(const Access& access, const Array& array) {
  SourceRemark remark;
  remark.where = access.reason_where.line ? access.reason_where : access.where;
  remark.text = verb(access) + (" of " + array.name) + statement(access);
  remark.hint = hint_for(access, array);
  return remark;
}

/// One remark for `out[to[i]] += 1`, which reads and writes.
void add_accesses(const Array& array, std::vector<SourceRemark>& remarks) {
  for (const Access& access : array.accesses) {
    if (access.reason.empty()) continue;
    SourceRemark remark = remark_of(access, array);
    std::string read_too =
        "read" + remark.text.substr(verb(access) == std::string("write") ? 5 : 0);
    auto found = std::find_if(remarks.begin(), remarks.end(), [&](const SourceRemark& other) {
      return access.kind == AccessKind::write && other.where == remark.where &&
             other.text == read_too;
    });
    if (found == remarks.end()) {
      remarks.push_back(remark);
    } else {
      found->text = "read and " + remark.text;
      found->hint = remark.hint;
    }
  }
}

SourceRemark race_remark(const AxisSplit& axis, int number) {
  SourceRemark remark{SourceRemark::Severity::warning, axis.race_where, "", hint_for_race()};
  remark.text = "blocks along " + std::string(axis_letters[number]) + " may race: " + axis.race;
  return remark;
}

SourceRemark split_remark(const Kernel& kernel, int number) {
  const AxisSplit& axis = kernel.axes[number];
  SourceRemark remark{SourceRemark::Severity::remark, axis.reason_where, "", ""};
  remark.text = "no split along " + std::string(axis_letters[number]) + ": " + axis.reason;
  remark.hint = hint_for_axis(kernel, number);
  return remark;
}

/// What is said of several axes at one place is said once, of the first.
void add_axes(const Kernel& kernel, std::vector<SourceRemark>& remarks) {
  std::vector<SourceRemark> races, splits;
  auto add = [](std::vector<SourceRemark>& list, const SourceRemark& remark) {
    bool is_new = std::none_of(list.begin(), list.end(), [&](const SourceRemark& other) {
      return other.where == remark.where;
    });
    if (is_new) list.push_back(remark);
  };
  for (int i = 0; i < 3; ++i) {
    const AxisSplit& axis = kernel.axes[i];
    if (!uses_axis(kernel, i)) continue;
    if (axis.read_write_overlap) add(races, race_remark(axis, i));
    if (!can_be_split(kernel, i) && !axis.reason.empty()) add(splits, split_remark(kernel, i));
  }
  remarks.insert(remarks.end(), races.begin(), races.end());
  remarks.insert(remarks.end(), splits.begin(), splits.end());
}

auto place(const SourceRemark& remark) {
  return std::tie(remark.where.file, remark.where.line, remark.where.column, remark.text);
}

}  // namespace

model::OrNull<isl::set> splittable_launches(const Kernel& kernel, int axis) {
  const model::OrNull<isl::set>& legal = kernel.axes[axis].legal;
  if (legal.is_null()) return {};
  std::string count = std::string("gridDim_") + axis_letters[axis];
  isl::set several(legal.ctx(), "[" + count + "] -> { : " + count + " >= 2 }");
  isl::set launches = legal.params().intersect(several);
  if (!kernel.context.is_null()) launches = launches.intersect(kernel.context.params());
  if (launches.is_empty()) return {};
  return launches;
}

bool can_be_split(const Kernel& kernel, int axis) {
  return !splittable_launches(kernel, axis).is_null();
}

bool can_be_split(const Kernel& kernel) { return kernel.rung != model::Rung::one_device; }

bool shows_axis(const Kernel& kernel, model::Dimension::Kind kind, int axis) {
  return std::any_of(kernel.dimensions.begin(), kernel.dimensions.end(),
                     [&](const auto& dimension) {
                       const model::Dimension* base = base_of(kernel, dimension);
                       return base->kind == kind && base->axis == static_cast<unsigned>(axis) &&
                              is_shown(kernel, dimension.name);
                     });
}

bool uses_axis(const Kernel& kernel, int axis) {
  if (shows_axis(kernel, model::Dimension::Kind::block, axis)) return true;
  return has_unbounded(kernel) &&
         std::any_of(kernel.dimensions.begin(), kernel.dimensions.end(),
                     [&](const auto& dimension) {
                       return dimension.kind == model::Dimension::Kind::block &&
                              dimension.axis == static_cast<unsigned>(axis);
                     });
}

std::vector<SourceRemark> remarks_of(const Kernel& kernel, const Notation& notation) {
  std::vector<SourceRemark> remarks;
  for (const model::Remark& remark : kernel.remarks)
    remarks.push_back(
        {SourceRemark::Severity::remark, remark.where, remark.text, hint_for(remark.obstacle)});
  for (const Array& array : kernel.arrays) {
    if (array.space == model::AddressSpace::shared) continue;
    add_accesses(array, remarks);
  }
  add_axes(kernel, remarks);
  for (SourceRemark& remark : remarks) remark.text = notation.spelt(remark.text);
  std::sort(remarks.begin(), remarks.end(),
            [](const auto& a, const auto& b) { return place(a) < place(b); });
  auto same = [](const auto& a, const auto& b) { return place(a) == place(b); };
  remarks.erase(std::unique(remarks.begin(), remarks.end(), same), remarks.end());
  return remarks;
}

}  // namespace gridspan::tools
