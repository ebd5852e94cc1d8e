// What cutting the grid along an axis costs: bytes that the two sides of a cut both need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both halves of the grid read the halo of a stencil, all of a matrix that every block multiplies
// with, and so on: data that must be in two places. To that comes what one half reads and the other
// writes. It is measured at a natural launch (sample_launch.h, cut.h). How it changes when a
// parameter does gives the formula for a person: far cheaper than asking isl for it, and about the
// launches that matter. A formula that does not foresee other launches is not shown.
#include "model/cut.h"
#include "model/proof.h"
#include "model/relations.h"
#include "model/size_formula.h"

#include <algorithm>
#include <tuple>

namespace gridspan::model {
namespace {

constexpr double unknown_bytes = 1e12;  // an array nobody knows how much of is needed
constexpr std::size_t most_boxes = 200;

// What parts touch of one array.
struct TouchedArray {
  const Array* array = nullptr;
  std::vector<Touched> touched;
  bool is_unknown = false;
};

std::optional<Touched> touched_by(Proof& proof, const Access& access) {
  const std::optional<PartImage> known = proof.images.of(access);
  if (!known) return std::nullopt;
  Touched touched(known->piece);
  touched.is_exact = access.exact && known->exact_part;
  return touched;
}

TouchedArray touched_of(Proof& proof, const Array& array) {
  TouchedArray result;
  result.array = &array;
  std::map<unsigned, std::size_t> by_shape;
  for (const Access& access : array.accesses) {
    const bool reads = access.kind != AccessKind::write, writes = access.kind != AccessKind::read;
    std::optional<std::size_t> place;
    const bool done = proof.within([&] {
      const unsigned shape = access.unbounded ? 0 : proof.instances.of(access).shape;
      if (const auto found = by_shape.find(shape); !access.unbounded && found != by_shape.end()) {
        place = found->second;
        return;
      }
      std::optional<Touched> touched = touched_by(proof, access);
      if (!touched) return;
      place = by_shape[shape] = result.touched.size();
      result.touched.push_back(std::move(*touched));
    });
    if (!done || !place) {
      result.is_unknown = true;
      continue;
    }
    Touched& touched = result.touched[*place];
    touched.is_read |= reads;
    touched.is_written |= writes;
    touched.is_exact &= access.exact;
  }
  return result;
}

// Cuts across one axis at several launches.
class Cuts {
 public:
  Cuts(const Kernel& kernel, unsigned axis, const Experiment& experiment)
      : experiment_(experiment) {
    for (const Values& launch : experiment.launches)
      cuts_.push_back(Cut::through(kernel, axis, launch));
  }
  void add(Proof& proof, const TouchedArray& array);
  double bytes() const { return bytes_; }
  double runs() const { return runs_; }
  std::string text() const { return text_.empty() ? "nothing" : text_; }

 private:
  struct Found {
    double elements = 0;
    std::string text;
  };
  std::optional<Found> measure(const TouchedArray& array);
  std::optional<std::string> formula(const TouchedArray& array, const Shared& first) const;
  void say(const std::string& text) { text_ += (text_.empty() ? "" : " + ") + text; }

  const Experiment& experiment_;
  std::vector<std::optional<Cut>> cuts_;
  double bytes_ = 0, runs_ = 0;
  std::string text_;
};

// The boxes that matter at the first launch, at all of them.
std::optional<std::string> Cuts::formula(const TouchedArray& array, const Shared& first) const {
  if (experiment_.launches.size() < experiment_.first_check() + 1) return std::nullopt;
  std::vector<BoxOf<Samples>> boxes(first.boxes.size());
  std::vector<double> elements;
  bool is_exact = true;
  for (const std::optional<Cut>& cut : cuts_) {
    const std::optional<Shared> here = cut ? cut->shared(array.touched, &first) : std::nullopt;
    if (!here) return std::nullopt;
    elements.push_back(here->elements());
    is_exact &= here->is_exact;
    std::size_t i = 0;
    for (const auto& [name, base] : first.boxes) {
      const auto found = here->boxes.find(name);
      if (found == here->boxes.end()) return std::nullopt;
      boxes[i].resize(base.size());
      for (std::size_t d = 0; d < base.size(); ++d) {
        boxes[i][d].first.in.push_back(found->second[d].first);
        boxes[i][d].end.in.push_back(found->second[d].end);
      }
      ++i;
    }
  }
  const auto formula = SizeFormula::of(apart(boxes), experiment_);
  if (!formula) return std::nullopt;
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (!formula->foresees(elements[i], experiment_.launches[i])) return std::nullopt;
  return (is_exact ? "" : "at most ") + formula->text(array.array->element_bytes);
}

std::optional<Cuts::Found> Cuts::measure(const TouchedArray& array) {
  if (cuts_.empty()) return std::nullopt;
  const std::optional<Cut>& cut = cuts_.front();
  const std::optional<Shared> first = cut ? cut->shared(array.touched) : std::nullopt;
  if (!first || first->boxes.size() > most_boxes) return std::nullopt;
  runs_ += cut->runs(array.touched);
  if (first->boxes.empty()) {
    if (experiment_.launches.size() <= experiment_.first_check()) return std::nullopt;
    // Nor should there be any at other launches.
    for (const std::optional<Cut>& other : cuts_) {
      const std::optional<Shared> here = other ? other->shared(array.touched) : std::nullopt;
      if (!here || !here->boxes.empty()) return std::nullopt;
    }
    return Found{};
  }
  for (const auto& [name, box] : first->boxes)
    for (const Range& range : box)
      if (range.first <= -endless || range.end > endless) return std::nullopt;
  return Found{first->elements(),
               formula(array, *first).value_or("an unknown part of " + array.array->name)};
}

void Cuts::add(Proof& proof, const TouchedArray& array) {
  const std::string& name = array.array->name;
  if (array.is_unknown) {
    bytes_ += unknown_bytes;
    return say("all of " + name);
  }
  std::optional<Found> found;
  if (!proof.within([&] { found = measure(array); }) || !found) {
    bytes_ += unknown_bytes;
    return say("an unknown part of " + name);
  }
  if (found->text.empty()) return;
  bytes_ += found->elements * array.array->element_bytes;
  say(found->text.starts_with("an unknown") ? found->text : found->text + " bytes (" + name + ")");
}

// Where launches are looked for.
std::vector<Touching> touching(const std::vector<TouchedArray>& arrays) {
  std::vector<Touching> all;
  for (unsigned i = 0; i < arrays.size(); ++i) {
    for (const Touched& touched : arrays[i].touched) {
      Touching next{&touched.image, {}, i, touched.is_written};
      for (const NativeLoop& loop : touched.loops) {
        next.first_turns[loop.counter] = 0;
        for (const Dimension& product : loop.products) next.first_turns[product.name] = 0;
      }
      all.push_back(std::move(next));
    }
  }
  return all;
}

}  // namespace

void estimate_costs(Proof& proof) {
  Kernel& kernel = proof.kernel;
  kernel.suggested_axis = -1;
  for (AxisSplit& split : kernel.axes) split.cost.clear();
  std::vector<TouchedArray> arrays;
  for (const Array& array : kernel.arrays) {
    if (is_shared_by_blocks(array)) arrays.push_back(touched_of(proof, array));
  }
  Experiment launches;
  proof.within([&] {
    const std::vector<Touching> images = touching(arrays);
    launches = experiment(kernel, SampleLaunches(kernel, images));
  });
  using Rank = std::tuple<bool, double, double>;
  std::optional<Rank> best;
  for (unsigned axis = 0; axis < 3; ++axis) {
    AxisSplit& split = kernel.axes[axis];
    const bool is_used = std::ranges::any_of(kernel.dimensions, [&](const Dimension& dimension) {
      return dimension.kind == Dimension::Kind::block && dimension.axis == axis;
    });
    if (split.legal.is_empty() || !is_used) continue;
    Cuts cuts(kernel, axis, launches);
    for (const TouchedArray& array : arrays) cuts.add(proof, array);
    split.cost = cuts.text();
    bool illegal_here = true;
    proof.within([&] {
      if (!launches.launches.empty())
        illegal_here = ConcreteSet(split.legal).is_empty_at(launches.launches.front());
    });
    const Rank rank{illegal_here, cuts.bytes(), cuts.runs()};
    // Where no launch could be looked at: rows go along x as a rule, and whole rows are moved best.
    if (best && (launches.launches.empty() ? *best < rank : *best <= rank)) continue;
    best = rank;
    kernel.suggested_axis = static_cast<int>(axis);
  }
}

}  // namespace gridspan::model
