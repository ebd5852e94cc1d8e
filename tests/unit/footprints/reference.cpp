// Brute force.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace gridspan::tests {

namespace {

long number(isl_val* value) {
  const long result = isl_val_get_num_si(value);
  isl_val_free(value);
  return result;
}

/// Runs the loops from `depth` on.
void run_loops(const model::FootprintPiece& piece, std::size_t depth,
               std::map<std::string, std::int64_t> names, std::set<Element>& result) {
  if (depth == piece.loops.size()) {
    result.merge(points(piece.image, names));
    return;
  }
  const model::NativeLoop& loop = piece.loops[depth];
  const isl::set last = isl::manage(isl_set_from_pw_aff(loop.last.copy()));
  for (const Element& end : points(last, names))
    for (std::int64_t counter = 0; counter <= end[0]; ++counter) {
      names[loop.counter] = counter;
      for (const model::Dimension& product : loop.products)
        names[product.name] = names.at(product.factor) * counter;
      run_loops(piece, depth + 1, names, result);
    }
}

std::string describe(const Launch& launch) {
  std::ostringstream text;
  for (const auto& [name, value] : launch.names()) text << ' ' << name << '=' << value;
  return text.str();
}

std::string describe(const std::vector<std::vector<std::int64_t>>& boxes) {
  std::ostringstream text;
  for (const auto& box : boxes) {
    text << " [";
    for (std::int64_t end : box) text << ' ' << end;
    text << " ]";
  }
  return text.str();
}

}  // namespace

std::set<Element> points(const isl::set& set, const std::map<std::string, std::int64_t>& names) {
  isl_set* raw = isl_set_drop_unused_params(set.copy());
  for (isl_size i = isl_set_dim(raw, isl_dim_param) - 1; i >= 0; --i) {
    const std::string name = isl_set_get_dim_name(raw, isl_dim_param, static_cast<unsigned>(i));
    if (auto found = names.find(name); found != names.end())
      raw = isl_set_fix_val(raw, isl_dim_param, static_cast<unsigned>(i),
                            isl_val_int_from_si(isl_set_get_ctx(raw), found->second));
  }
  std::set<Element> result;
  isl::manage(raw).project_out_all_params().foreach_point([&](const isl::point& point) {
    Element element;
    for (unsigned i = 0; i < set.tuple_dim(); ++i)
      element.push_back(
          number(isl_point_get_coordinate_val(point.get(), isl_dim_set, static_cast<int>(i))));
    result.insert(element);
  });
  return result;
}

std::set<Element> expected_elements(const model::Kernel&, const model::AccessSet& set,
                                    const Launch& launch) {
  std::set<Element> result;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (launch.first[axis] > launch.last[axis]) return result;
  for (const model::FootprintPiece& piece : set.pieces) run_loops(piece, 0, launch.names(), result);
  return result;
}

std::multiset<Element> Boxes::elements() const {
  std::multiset<Element> all;
  for (const auto& box : boxes) {
    std::vector<Element> partial{{}};
    for (std::size_t i = 0; i < rank; ++i) {
      std::vector<Element> longer;
      for (const Element& prefix : partial)
        for (std::int64_t v = box[3 * i]; v <= box[3 * i + 1]; v += box[3 * i + 2]) {
          longer.push_back(prefix);
          longer.back().push_back(v);
        }
      partial = std::move(longer);
    }
    all.insert(partial.begin(), partial.end());
  }
  return all;
}

Boxes compiled_boxes(const abi::ModelSet& set, std::size_t rank, const Launch& launch) {
  struct Collector : abi::BoxSink {
    Boxes result;
  } collector;
  collector.result.rank = rank;
  collector.take = [](abi::BoxSink* sink, const std::int64_t* box) {
    Boxes& boxes = static_cast<Collector*>(sink)->result;
    boxes.boxes.emplace_back(box, box + 3 * boxes.rank);
  };
  set.footprint(launch.values().data(), launch.part().data(), &collector);
  return collector.result;
}

/// A widened footprint may leave out what lies behind the ends of rows: it is no element. Inner
/// extents are m + 1 (hand_kernel.cpp).
static std::set<Element> within_rows(std::set<Element> elements, const Launch& launch) {
  std::erase_if(elements, [&](const Element& element) {
    return std::any_of(element.begin() + 1, element.end(),
                       [&](std::int64_t inner) { return inner < 0 || inner > launch.m; });
  });
  return elements;
}

std::size_t check_set(const model::Kernel& kernel, const abi::KernelModel& compiled,
                      const Launch& launch) {
  const abi::ModelArray& array = compiled.arrays[0];
  const abi::ModelSet& set = array.sets[0];
  if (!set.footprint) {
    ADD_FAILURE() << "no footprint";
    return 0;
  }
  const Boxes boxes = compiled_boxes(set, array.rank, launch);
  for (const auto& box : boxes.boxes)
    for (std::size_t i = 0; i < array.rank; ++i) {
      EXPECT_LE(box[3 * i], box[3 * i + 1]) << describe(launch);
      EXPECT_GE(box[3 * i + 2], 1);
      EXPECT_EQ((box[3 * i + 1] - box[3 * i]) % box[3 * i + 2], 0) << "last is no element";
    }
  const std::multiset<Element> actual = boxes.elements();
  const std::set<Element> once(actual.begin(), actual.end());
  const std::set<Element> expected = expected_elements(kernel, kernel.arrays[0].sets[0], launch);
  const std::string where = "launch" + describe(launch) + "\nboxes" + describe(boxes.boxes);
  if (!(set.flags & abi::set_boxes_overlap)) {
    EXPECT_EQ(once.size(), actual.size()) << "an element came twice; " << where;
  }
  if (set.flags & abi::set_exact_part) {
    EXPECT_EQ(once, expected) << where;
  } else {
    EXPECT_TRUE(std::ranges::includes(once, within_rows(expected, launch)))
        << "an element is missing; " << where;
  }
  return boxes.boxes.size();
}

}  // namespace gridspan::tests
