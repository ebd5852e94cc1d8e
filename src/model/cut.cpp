// Measuring a cut.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/cut.h"

#include "model/factors.h"

#include <algorithm>
#include <tuple>

namespace gridspan::model {
namespace {

constexpr long most_cut_turns = 8;  // of a loop whose products are not linear

std::string extent_of_axis(const Kernel& kernel, unsigned axis) {
  for (const Dimension& dimension : kernel.dimensions) {
    if (dimension.kind == Dimension::Kind::block && dimension.axis == axis)
      return extent_of(kernel, dimension);
  }
  return {};
}

// The values of a loop's counter in turn, with what is a multiple of it; each value makes one of
// `parts` into several. Turns that touch nothing are the last. False: too many.
bool take_turns(const Touched& touched, std::size_t loop, std::vector<Values>& parts) {
  const NativeLoop& native = touched.loops[loop];
  std::vector<Values> all;
  for (const Values& part : parts) {
    for (long turn = 0;; ++turn) {
      Values next = part;
      next[native.counter] = turn;
      for (const Dimension& product : native.products)
        next[product.name] = part.at(product.factor) * turn;
      if (touched.turns[loop].is_empty_at(next) || touched.image.is_empty_at(next)) break;
      if (turn == most_cut_turns) return false;
      all.push_back(std::move(next));
    }
  }
  parts = std::move(all);
  return true;
}

double volume(const Box& box) {
  double elements = 1;
  for (const Range& range : box) elements *= static_cast<double>(range.end - range.first);
  return elements;
}

}  // namespace

Touched::Touched(const FootprintPiece& piece) : image(piece.image), loops(piece.loops) {
  for (const NativeLoop& loop : loops) {
    const isl::pw_aff counter = parameter_value(loop.last.ctx(), loop.counter);
    turns.emplace_back(counter.le_set(loop.last));
  }
}

double Shared::elements() const {
  std::vector<Box> all;
  for (const auto& [name, box] : boxes) all.push_back(box);
  double sum = 0;
  for (const Box& box : apart(all)) sum += volume(box);
  return sum;
}

std::optional<Cut> Cut::through(const Kernel& kernel, unsigned axis, const Values& launch) {
  long none[3] = {0, 0, 0}, last[3] = {0, 0, 0};
  for (unsigned i = 0; i < 3; ++i) {
    const auto extent = launch.find(extent_of_axis(kernel, i));
    if (extent != launch.end()) last[i] = extent->second - 1;
  }
  if (last[axis] < 1) return std::nullopt;
  long first_above[3] = {0, 0, 0}, last_below[3] = {last[0], last[1], last[2]};
  first_above[axis] = (last[axis] + 1) / 2;
  last_below[axis] = first_above[axis] - 1;
  return Cut(with_part(kernel, launch, none, last_below),
             with_part(kernel, launch, first_above, last));
}

std::optional<std::vector<Values>> turns_of(const Touched& touched, const Values& part) {
  std::vector<Values> parts = {part};
  for (std::size_t loop = 0; loop < touched.loops.size(); ++loop)
    if (!take_turns(touched, loop, parts)) return std::nullopt;
  return parts;
}

std::optional<Cut::Sides> Cut::sides(const Touched& touched, const Values& part) const {
  const std::optional<std::vector<Values>> parts = turns_of(touched, part);
  if (!parts) return std::nullopt;
  Sides sides;
  for (const Values& values : *parts)
    sides.push_back({touched.image, values, touched.image.boxes(values), {}});
  return sides;
}

const isl::set& Cut::Side::all() {
  if (elements.is_null()) elements = image.elements(values);
  return elements;
}

bool Cut::Side::touches_all_of(const Box& box) {
  return image.is_of_boxes() || is_filled(box, all());
}

void Cut::meetings(const std::vector<std::size_t>& name, Side& one, Side& other,
                   std::vector<Meeting>& all) {
  for (const auto& [a, first] : one.boxes) {
    for (const auto& [b, second] : other.boxes) {
      Box both = meet(first, second);
      if (is_empty(both)) continue;
      std::vector<std::size_t> longer = name;
      longer.insert(longer.end(), {a, b});
      all.push_back({std::move(longer), &one, &other, std::move(both)});
    }
  }
}

// As much of it as both sides touch.
void Cut::add(Meeting& meeting, Shared& shared) {
  if (!meeting.one->touches_all_of(meeting.both) || !meeting.other->touches_all_of(meeting.both)) {
    const isl::set common = meeting.one->all().intersect(meeting.other->all());
    const std::optional<Box> around = box_around(common);
    if (!around) return;
    meeting.both = meet(meeting.both, *around);
    if (is_empty(meeting.both)) return;
    shared.is_exact = shared.is_exact && is_filled(meeting.both, common);
  }
  shared.boxes.emplace(meeting.name, meeting.both);
}

std::optional<Shared> Cut::shared(const std::vector<Touched>& touched, const Shared* wanted) const {
  std::vector<Sides> below, above;
  for (const Touched& one : touched) {
    std::optional<Sides> lower = sides(one, lower_), upper = sides(one, upper_);
    if (!lower || !upper) return std::nullopt;
    below.push_back(std::move(*lower));
    above.push_back(std::move(*upper));
  }
  std::vector<Meeting> all;
  Shared shared;
  for (std::size_t i = 0; i < touched.size(); ++i) {
    for (std::size_t j = 0; j < touched.size(); ++j) {
      const Touched &one = touched[i], &other = touched[j];
      if (!(one.is_read && (other.is_read || other.is_written)) &&
          !(one.is_written && other.is_read))
        continue;
      const std::size_t before = all.size();
      for (std::size_t s = 0; s < below[i].size(); ++s)
        for (std::size_t t = 0; t < above[j].size(); ++t)
          meetings({i, j, s, t}, below[i][s], above[j][t], all);
      if (all.size() > before) shared.is_exact = shared.is_exact && one.is_exact && other.is_exact;
    }
  }
  const auto is_wanted = [&](const Meeting& meeting) {
    return wanted != nullptr && wanted->boxes.contains(meeting.name);
  };
  std::ranges::sort(all, std::greater(), [&](const Meeting& meeting) {
    return std::tuple(is_wanted(meeting), volume(meeting.both), meeting.name);
  });
  std::vector<Box> found;
  for (Meeting& meeting : all) {
    if (!is_wanted(meeting) && is_covered(meeting.both, found)) continue;
    add(meeting, shared);
    if (shared.boxes.contains(meeting.name)) found.push_back(meeting.both);
  }
  return shared;
}

double Cut::runs(const std::vector<Touched>& touched) const {
  double most = 0;
  for (const Touched& one : touched) {
    if (!one.is_written) continue;
    for (const Side& side : sides(one, lower_).value_or(Sides())) {
      for (const auto& [piece, box] : side.boxes) {
        Box outer = box;
        outer.pop_back();
        most = std::max(most, volume(outer));
      }
    }
  }
  return most;
}

}  // namespace gridspan::model
